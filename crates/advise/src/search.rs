//! The search over what can be had.

use std::collections::BTreeMap;
use std::sync::Arc;

use maat_base::Text;
use maat_estimate::{Engine, LimitPart, Speed};

use crate::case::{Case, Judged};
use crate::limits::Limits;
use crate::supply::Supply;
use crate::world::World;

/// Numbers of instances that are tried for a job that one does not do.
const INSTANCES: [u32; 12] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64];

/// A number of equal instances that does the job.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The case on all instances.
    pub case: Case,
    /// The plan.
    pub judged: Judged,
    /// Its speed.
    pub speed: Speed,
    /// Power of all nodes in watts.
    pub power_w: Option<f64>,
    /// How many instances.
    pub instances: u32,
}

impl Fit {
    /// Whether processors do the work.
    pub fn on_cpu(&self) -> bool {
        self.case.machine.as_ref().is_some_and(|machine| machine.slots.is_empty())
    }
}

/// Why a kind of instance does not do the job, however many of it.
#[derive(Clone, Debug)]
pub struct Unfit {
    /// Its name.
    pub machine: String,
    /// Which limit it misses.
    pub why: Text,
    /// By which share.
    pub misses_by: Option<f64>,
    /// Whether processors would do the work.
    pub on_cpu: bool,
    /// Whether it fits and only misses a limit of the request.
    pub holds_it: bool,
}

/// What was looked at.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Fitting instances by the key of their supplies.
    pub fits: BTreeMap<String, Fit>,
    /// The rest.
    pub unfit: Vec<Unfit>,
    /// Instances looked at.
    pub machines: usize,
    /// Plans judged.
    pub plans: usize,
    /// The model that was looked at.
    pub model: Option<Arc<maat_model::Model>>,
}

/// Judges each different instance once, whoever offers it.
pub fn search<'a>(
    supplies: impl IntoIterator<Item = &'a Supply>,
    case_on: impl Fn(&Supply) -> Option<Case>,
    limits: &Limits,
    world: &World,
) -> Found {
    let mut found = Found::default();
    let mut seen = std::collections::BTreeSet::new();
    for supply in supplies {
        let key = supply.key();
        if !seen.insert(key.clone()) {
            continue;
        }
        let Some(case) = case_on(supply) else { continue };
        found.model.get_or_insert_with(|| Arc::clone(&case.model));
        found.machines += 1;
        match enough(&case, limits, world, &mut found.plans, u64::MAX) {
            Ok(fit) => {
                found.fits.insert(key, fit);
            }
            Err(unfit) => found.unfit.push(unfit),
        }
    }
    // The same machine with more or less memory beside it misses the same way.
    let mut names = std::collections::BTreeSet::new();
    found.unfit.retain(|unfit| names.insert(unfit.machine.clone()));
    found.unfit.sort_by(|a, b| {
        let by = |unfit: &Unfit| unfit.misses_by.unwrap_or(f64::INFINITY);
        b.holds_it
            .cmp(&a.holds_it)
            .then_with(|| by(a).total_cmp(&by(b)))
            .then_with(|| a.machine.cmp(&b.machine))
    });
    found
}

/// The smallest number of instances that does the job within the limits, of at most so many.
pub fn enough(
    one: &Case,
    limits: &Limits,
    world: &World,
    plans: &mut usize,
    most: u64,
) -> Result<Fit, Unfit> {
    let most = most.min(one.work.users);
    let mut closest = Unfit::unknown(one);
    for instances in INSTANCES {
        let mut case = one.clone();
        case.machine = case.machine.map(|machine| crate::view::times(machine, instances));
        let all = case.judge_all(world.rules);
        *plans += all.len();
        let Some(judged) = all.into_iter().next() else { break };
        if let Some(limit) = &judged.limit {
            closest.keep_nearer(&case, limit.text.clone(), misses_by(limit), false);
            if !helped_by_copies(&case, &judged, limit) || u64::from(instances) >= most {
                break;
            }
            continue;
        }
        let Some(speed) = judged.speed.clone() else { break };
        let power_w = case.power_w(&judged, world.rules);
        match limits.miss(&speed, case.accelerator_power_w(&judged, world.rules)) {
            None => return Ok(Fit { case, judged, speed, power_w, instances }),
            Some(miss) => closest.keep_nearer(&case, miss.why, Some(miss.by), true),
        }
        // More copies share the users; beyond one user each they change nothing but the throughput asked for.
        if u64::from(instances) >= most {
            break;
        }
    }
    Err(closest)
}

impl Unfit {
    /// Nothing is known yet of why it does not do.
    fn unknown(case: &Case) -> Self {
        let machine = case.machine.as_ref();
        Self {
            machine: machine.map_or_else(String::new, |machine| machine.name.clone()),
            why: Text::new("miss-speed-unknown"),
            misses_by: None,
            on_cpu: machine.is_some_and(|machine| machine.slots.is_empty()),
            holds_it: false,
        }
    }

    /// Takes a miss that is nearer than the one known: what holds the job before what does not.
    fn keep_nearer(&mut self, case: &Case, why: Text, by: Option<f64>, holds_it: bool) {
        let first = self.misses_by.is_none();
        // More copies must help by a tenth, or fewer are as near.
        let nearer = by.is_some_and(|by| self.misses_by.is_some_and(|known| by < 0.9 * known));
        if first || holds_it && !self.holds_it || nearer && holds_it == self.holds_it {
            let machine = case.machine.as_ref().map_or_else(String::new, |machine| machine.name.clone());
            *self = Self { machine, why, misses_by: by, on_cpu: self.on_cpu, holds_it };
        }
    }
}

fn misses_by(limit: &maat_estimate::Limit) -> Option<f64> {
    let (short, have) = (limit.short_bytes?, limit.have_bytes?);
    Some(short.as_f64() / have.as_f64().max(1.0))
}

/// Whether more copies of the whole model can help: they can hold more users, not larger models. An engine with a pool
/// says so itself; for the others users count in the accelerators' memory, beside weights that must fit in any case.
fn helped_by_copies(case: &Case, judged: &Judged, limit: &maat_estimate::Limit) -> bool {
    let by_users = matches!(case.serve.engine, Engine::Llamacpp | Engine::Transformers);
    match limit.part {
        LimitPart::KvPoolUsers => true,
        LimitPart::Accelerator | LimitPart::HostRam => {
            by_users && limit.have_bytes.is_none_or(|have| judged.memory.per_accelerator.weights_bytes < have)
        }
        _ => false,
    }
}
