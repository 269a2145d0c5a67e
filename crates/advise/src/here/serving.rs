//! What this machine does of a job of inference.

use maat_base::Text;
use maat_catalogue::Machine;

use crate::answer::{MachineView, PlanView};
use crate::case::{Case, Judged};
use crate::cost::OwningRules;
use crate::limits::Limits;
use crate::notes::Notes;
use crate::request::AdviseRequest;
use crate::search::{Fit, Found, Unfit, enough};
use crate::world::World;
use crate::{lints, reasons};

/// What this machine is found under among those that fit: no supply has this key.
pub const OWN_KEY: &str = "";

/// A request with what was resolved of it.
pub struct Asked<'a> {
    pub request: &'a AdviseRequest,
    pub general: &'a Case,
    pub limits: &'a Limits,
    pub world: &'a World<'a>,
}

impl Asked<'_> {
    /// What this machine does of the job; it is among what was found from then on.
    pub fn own(
        &self,
        machines: &super::Machines,
        found: &mut Found,
        owning: Option<&OwningRules>,
    ) -> super::Own {
        let (outcome, fit) = self.on_machine(&machines.own);
        let with = machines.with.as_ref().map(|with| self.on_machine(with).0);
        let candidate = fit.as_ref().ok().map(|fit| {
            let done = super::Done {
                machine: &machines.own,
                plan: PlanView::from(&fit.judged.plan),
                memory: fit.judged.memory.clone(),
                speed: fit.speed.clone(),
                power: fit.case.needs(&fit.judged, self.world.rules).map(|needs| needs.power),
                spent: fit.as_ref().into(),
                reasons: reasons::of_candidate(fit),
            };
            let mut candidate = super::candidate(self.request, done, owning, self.world);
            candidate.findings = lints::sorted(lints::all(&fit.case, &fit.judged, self.world));
            candidate
        });
        match fit {
            Ok(fit) => {
                found.fits.insert(OWN_KEY.to_owned(), *fit);
            }
            Err(unfit) => found.unfit.insert(0, unfit),
        }
        super::Own { outcome, with, candidate }
    }

    /// What one machine does of the job, within the limits or not.
    fn on_machine(&self, machine: &Machine) -> (super::Outcome, Result<Box<Fit>, Unfit>) {
        let view = MachineView::from(machine);
        let mut notes = Notes::default();
        let case = match self.general.on(&self.request.work, Some(machine.clone()), self.world, &mut notes) {
            Ok(case) => case,
            Err(fault) => {
                let why = fault.message;
                let unfit = Unfit {
                    machine: view.name.clone(),
                    why: why.clone(),
                    misses_by: None,
                    on_cpu: machine.slots.is_empty(),
                    holds_it: false,
                };
                return (super::Outcome { machine: view, miss: Some((why, None)), speed: None }, Err(unfit));
            }
        };
        match enough(&case, self.limits, self.world, &mut 0, 1) {
            Ok(fit) => {
                let speed = Some(fit.speed.clone());
                (super::Outcome { machine: view, miss: None, speed }, Ok(Box::new(fit)))
            }
            Err(mut unfit) => {
                let best = case.best(self.world.rules);
                let fits = best.as_ref().is_some_and(Judged::fits);
                let speed = best.and_then(|best| best.speed);
                if fits && speed.is_none() {
                    unfit.why = Text::new("miss-here-speed");
                }
                let miss = Some((unfit.why.clone(), unfit.misses_by));
                (super::Outcome { machine: view, miss, speed }, Err(unfit))
            }
        }
    }
}
