//! This machine among the candidates: does it do the job, and what would one gain with the others?

mod gain;
mod serving;

use maat_base::{Arg, Code, Fault, Money, Range, Text};
use maat_catalogue::{HardwareRequest, Machine};
use maat_economics::{Ownership, own_per_hour, per_million, per_month};
use maat_estimate::{Memory, Power, Speed};

use crate::answer::{
    AdviseBody, Candidate, Cost, CostBasis, Gain, HereView, MachineView, PlanView, Rejected,
};
use crate::argv::argv;
use crate::cost::{OwningRules, Spent};
use crate::notes::Notes;
use crate::request::{AdviseRequest, Objective, SizeRequest};
use crate::world::World;

pub use serving::{Asked, OWN_KEY};

/// Kind of the candidate that this machine is.
pub const KIND: &str = "here";

/// This machine, and with the cards that the request names in the place of its own.
#[derive(Clone, Debug)]
pub struct Machines {
    /// As it is.
    pub own: Machine,
    /// With the named cards; `None` where none is named.
    pub with: Option<Machine>,
}

/// What a machine does of the job.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// As the answer names it.
    pub machine: MachineView,
    /// Which limit it misses, and by which share where that is known; `None` where it does the job.
    pub miss: Option<(Text, Option<f64>)>,
    /// How fast it is, also where that is too slow; `None` where it does not fit or nothing is known.
    pub speed: Option<Speed>,
}

/// This machine's part in an answer.
#[derive(Clone, Debug)]
pub struct Own {
    /// What it does.
    pub outcome: Outcome,
    /// What it does with the named cards.
    pub with: Option<Outcome>,
    /// The candidate that it is, where it does the job.
    pub candidate: Option<Candidate>,
}

/// The machines that a request with `--here` means; `None` without it.
///
/// # Errors
/// Nobody has looked at the machine, or a named part is not known.
pub fn machines(
    request: &AdviseRequest,
    world: &World,
    notes: &mut Notes,
) -> Result<Option<Machines>, Fault> {
    if !request.hardware.here {
        return Ok(None);
    }
    let mut one = |hardware: &HardwareRequest| -> Result<Option<Machine>, Fault> {
        let (spec, assumed) = maat_catalogue::machine(hardware, world.catalogue)?;
        let fresh = assumed.into_iter().filter(|one| !notes.assumed.contains(one)).collect::<Vec<_>>();
        notes.assumed.extend(fresh);
        // Of an open count, one.
        Ok(spec.and_then(|spec| spec.machines().next()))
    };
    let named = !request.hardware.gpu.is_empty() || request.hardware.gpu_like.is_some();
    let Some(own) = one(&as_it_is(&request.hardware))? else {
        let hint = Text::new("hint-here-nothing-to-compute-on");
        return Err(Fault::missing("here-nothing-to-compute-on").hint(hint).at("--here"));
    };
    let with = if named { one(&request.hardware)? } else { None };
    Ok(Some(Machines { own, with }))
}

/// The hardware of a request without the parts that are named beside this machine.
fn as_it_is(hardware: &HardwareRequest) -> HardwareRequest {
    HardwareRequest {
        gpu: Vec::new(),
        gpu_like: None,
        vram: None,
        bandwidth: None,
        tflops: None,
        cpu: None,
        link: None,
        network: None,
        ..hardware.clone()
    }
}

/// What a machine that does the job comes to.
pub struct Done<'a> {
    pub machine: &'a Machine,
    pub plan: PlanView,
    pub memory: Memory,
    pub speed: Speed,
    pub power: Option<Power>,
    pub spent: Spent,
    pub reasons: Vec<Text>,
}

/// The candidate that this machine is: without a price, as it is there already; an hour costs its electricity.
pub fn candidate(
    request: &AdviseRequest,
    done: Done<'_>,
    owning: Option<&OwningRules>,
    world: &World,
) -> Candidate {
    let cost = cost(&done.spent, owning, world);
    let mut reasons = vec![match cost.hourly {
        Some(hourly) => Text::new("reason-here").with("known", "yes").with("hourly", hourly),
        None => Text::new("reason-here").with("known", "no").with("hourly", ""),
    }];
    reasons.extend(done.reasons);
    let size = SizeRequest {
        model: request.model.clone(),
        work: request.work.clone(),
        hardware: as_it_is(&request.hardware),
    };
    Candidate {
        rank: 0,
        kind: KIND.to_owned(),
        provider: None,
        offer: None,
        region: None,
        machine: MachineView::from(done.machine),
        plan: done.plan,
        memory: done.memory,
        speed: done.speed,
        power: done.power,
        cost,
        reasons,
        findings: Vec::new(),
        argv: argv("size", &size),
        gain: None,
    }
}

/// Electricity alone; nothing is known of it where the power is not known.
fn cost(spent: &Spent, owning: Option<&OwningRules>, world: &World) -> Cost {
    let hourly = owning.zip(spent.power_w).and_then(|(rules, work_w)| {
        let capital = Money::new(maat_base::Decimal::ZERO, rules.per_kwh.currency);
        let (years, pue, per_kwh) = (rules.years, rules.pue, rules.per_kwh);
        own_per_hour(&Ownership { capital, residual_share: 0.0, years, work_w, pue, per_kwh })
    });
    let million = |rate: f64| hourly.and_then(|hourly| per_million(hourly, rate));
    let rate = spent.tokens_per_s;
    Cost {
        basis: CostBasis::Own,
        hourly,
        monthly: hourly.and_then(per_month),
        per_million_tokens: rate.and_then(|rate| million(rate.likely)),
        per_million_tokens_range: rate
            .and_then(|rate| Some([million(rate.high)?.as_f64(), million(rate.low)?.as_f64()])),
        per_job: hourly.zip(spent.job_s).and_then(|(hourly, seconds)| hourly.times(seconds / 3600.0)),
        purchase: None,
        currency: world.currency.unwrap_or_default(),
        price_date: None,
        source: String::new(),
    }
}

impl Own {
    /// Puts this machine among ranked candidates: first where the least cost is looked for, as nothing is to be paid to
    /// have it, else where `figure` (smaller is better) puts it.
    pub fn join(
        &self,
        ranked: &mut Vec<Candidate>,
        objective: Objective,
        figure: impl Fn(&Candidate) -> f64,
    ) {
        let Some(own) = &self.candidate else { return };
        let place = match objective {
            Objective::Cost => 0,
            _ => ranked.partition_point(|other| figure(other) < figure(own)),
        };
        ranked.insert(place, own.clone());
        for (i, candidate) in ranked.iter_mut().enumerate() {
            candidate.rank = i + 1;
        }
    }

    /// What it misses, as the other machines' misses are listed.
    pub fn rejected(&self) -> Option<Rejected> {
        let (why, misses_by) = self.outcome.miss.clone()?;
        Some(Rejected { machine: self.outcome.machine.name.clone(), why, misses_by })
    }

    /// Says what the others gain over this machine, and in words what one would have of the best of them.
    pub fn compare(self, body: &mut AdviseBody) {
        let Outcome { machine, miss, speed } = self.outcome;
        if let Some(own) = &speed {
            for other in body.candidates.iter_mut().filter(|other| other.kind != KIND) {
                other.gain = Some(Gain::of(own, &other.speed));
            }
        }
        let mut reasons = Vec::new();
        if let Some((why, _)) = &miss {
            reasons.push(
                Text::new("here-misses").with("machine", machine.name.as_str()).with("why", why.clone()),
            );
        }
        let best = body.candidates.iter().find(|other| other.kind != KIND);
        reasons.extend(best.and_then(|best| {
            let gain = best.gain?;
            gain.text("reason-here-gain", &best.machine.name, &best.speed)
        }));
        let with = self.with.map(|with| {
            let gain = speed.as_ref().zip(with.speed.as_ref()).map(|(own, other)| Gain::of(own, other));
            reasons.extend(with_words(&with, gain));
            HereView { gain, ..view(with.machine, with.miss, with.speed) }
        });
        body.here = Some(HereView { reasons, with: with.map(Box::new), ..view(machine, miss, speed) });
    }
}

fn view(machine: MachineView, miss: Option<(Text, Option<f64>)>, speed: Option<Speed>) -> HereView {
    let does = miss.is_none();
    let why = miss.map(|(why, _)| why);
    HereView { machine, does, why, speed, gain: None, reasons: Vec::new(), with: None }
}

/// What this machine would do with the named cards.
fn with_words(with: &Outcome, gain: Option<Gain>) -> Option<Text> {
    let name = with.machine.name.as_str();
    match (&with.miss, gain, &with.speed) {
        (None, Some(gain), Some(speed)) => gain.text("here-with-gain", name, speed),
        (None, ..) => Some(Text::new("here-with").with("machine", name)),
        (Some((why, _)), ..) => {
            Some(Text::new("here-with-misses").with("machine", name).with("why", why.clone()))
        }
    }
}

/// Keeps so many; this machine stays, as the others are compared with it.
pub fn truncate(ranked: &mut Vec<Candidate>, top: usize) {
    let own = ranked.iter().position(|candidate| candidate.kind == KIND).filter(|&place| place >= top);
    if let Some(own) = own.filter(|_| top > 1) {
        let candidate = ranked.remove(own);
        ranked.truncate(top - 1);
        ranked.push(candidate);
    }
    ranked.truncate(top);
}

/// The verdict of an answer in which this machine stands first; `None` elsewhere.
pub fn verdict(body: &AdviseBody) -> Option<(Code, Text)> {
    let first = body.candidates.first().filter(|first| first.kind == KIND)?;
    let speed = &first.speed;
    let likely = |range: Option<Range>| range.map(|range| range.likely);
    let (what, figure) = match (likely(speed.tpot_s), likely(speed.train_tokens_per_s)) {
        (Some(tpot), _) => ("token", Arg::Seconds(tpot)),
        (None, Some(rate)) => ("train", Arg::TokensPerSecond(rate)),
        (None, None) => match (likely(speed.time_to_finish_s), likely(speed.items_per_s)) {
            (Some(time), _) => ("time", Arg::Seconds(time)),
            (None, Some(rate)) => ("items", Arg::Number(rate)),
            (None, None) => ("unknown", Arg::Str(String::new())),
        },
    };
    let text = Text::new("advise-here")
        .with("machine", first.machine.name.as_str())
        .with("what", what)
        .with("figure", figure)
        .with("others", body.candidates.len() - 1);
    let code = if first.machine.accelerators == 0 { "cpu-is-enough" } else { "best-found" };
    Some((Code::Borrowed(code), text))
}
