//! One training job on one machine: every plan for it judged, the best chosen.

use std::sync::Arc;

use maat_catalogue::Machine;
use maat_estimate::{
    Checkpoints, Framework, HostNeeds, Limit, Memory, NetworkNeeds, Offload, Power, Profile, Recompute,
    Rules, Speed, TrainJob, TrainPlan, TrainStep, Training, train_step, training_fit, training_memory,
    training_speed,
};
use maat_model::Model;

use super::plans::{self, Level};
use crate::plans::{Devices, Fixed};
use crate::server::{Whole, pace_of_training};

/// A model to be trained on a machine; how it is divided is still open.
#[derive(Clone, Debug)]
pub struct TrainCase {
    /// The model as its weights are stored.
    pub model: Arc<Model>,
    /// The work.
    pub work: Training,
    /// The machine, where there is one.
    pub machine: Option<Machine>,
    /// The plan without what is tried; what was given stands in it.
    pub plan: TrainPlan,
    /// What the user fixed of the plan.
    pub fixed: TrainFixed,
    /// What the model comes to for every plan.
    pub profile: Arc<Profile>,
}

/// What the user fixed; the rest is tried.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrainFixed {
    pub parallel: Fixed,
    pub zero: Option<u8>,
    pub recompute: Option<Recompute>,
    pub offload: Option<Offload>,
    pub framework: Option<Framework>,
    /// Steps of the job where its length is stated so, and its batch is not.
    pub steps: Option<u64>,
}

/// A plan and what it comes to.
#[derive(Clone, Debug)]
pub struct TrainJudged {
    pub plan: TrainPlan,
    pub memory: Memory,
    pub limit: Option<Limit>,
    pub speed: Option<Speed>,
    /// Where the time of a step goes.
    pub step: Option<TrainStep>,
    /// How the job is saved.
    pub checkpoints: Option<Checkpoints>,
}

impl TrainJudged {
    /// Whether it fits.
    pub const fn fits(&self) -> bool {
        self.limit.is_none()
    }

    /// Trained tokens per second, the likely figure.
    pub fn rate(&self) -> f64 {
        self.speed.as_ref().and_then(|speed| speed.train_tokens_per_s).map_or(0.0, |rate| rate.likely)
    }

    fn short(&self) -> u64 {
        self.limit.as_ref().and_then(|limit| limit.short_bytes).map_or(u64::MAX, |bytes| bytes.0)
    }
}

impl TrainCase {
    /// The devices that plans are laid over.
    pub fn devices(&self) -> Devices {
        self.machine.as_ref().map_or(Devices { per_node: 1, nodes: 1, joined: false }, |machine| Devices {
            per_node: machine.per_node().max(1),
            nodes: machine.nodes.max(1),
            joined: machine.network.is_some(),
        })
    }

    /// Sequences of a step: as given, else the usual ones.
    pub fn global_batch(&self) -> u64 {
        let usual = || plans::usual_batch(self.plan.micro_batch, plans::reach(self.devices()));
        self.work.global_batch.unwrap_or_else(usual)
    }

    /// What a judged plan draws; `None` without a speed.
    pub fn power(&self, judged: &TrainJudged, rules: &Rules) -> Option<Power> {
        let job = TrainJob {
            model: &self.model,
            work: &self.work,
            machine: self.machine.as_ref(),
            plan: &judged.plan,
            rules,
        };
        Some(maat_estimate::training_power(&job, judged.speed.as_ref()?))
    }

    /// What a judged plan asks of the rest of the machine.
    pub fn needs(&self, judged: &TrainJudged, rules: &Rules) -> (HostNeeds, NetworkNeeds) {
        let job = TrainJob {
            model: &self.model,
            work: &self.work,
            machine: self.machine.as_ref(),
            plan: &judged.plan,
            rules,
        };
        maat_estimate::training_needs(&job, &judged.memory, judged.step.as_ref())
    }

    /// One plan judged.
    pub fn judge(&self, plan: TrainPlan, rules: &Rules) -> TrainJudged {
        let mut work = self.work.clone();
        work.global_batch = Some(self.global_batch());
        if let (Some(steps), None) = (self.fixed.steps, work.tokens) {
            let batch = plan.micro_batch * u64::from(plan.parallel.dp) * plan.micro_batches(&work);
            let sequences = batch as f64 * maat_estimate::sequences_of_item(work.task);
            work.tokens = Some(steps as f64 * sequences * work.sequence as f64);
        }
        let job =
            TrainJob { model: &self.model, work: &work, machine: self.machine.as_ref(), plan: &plan, rules };
        let memory = training_memory(&job);
        let limit = job.machine.and_then(|_| training_fit(&job, &memory));
        let fits = limit.is_none() && job.machine.is_some();
        let speed = fits.then(|| training_speed(&self.profile, &job, &memory)).flatten();
        let step = fits.then(|| train_step(&self.profile, &job)).flatten();
        let checkpoints = step.as_ref().map(|step| maat_estimate::checkpoints(&job, &memory, step));
        TrainJudged { plan, memory, limit, speed, step, checkpoints }
    }

    /// The plans that answer the question: of the first level of the contract's order that fits, the fastest first;
    /// behind it the fastest of what divides matrices and layers. Where nothing fits, the least short.
    pub fn judge_all(&self, rules: &Rules) -> Vec<TrainJudged> {
        let devices = self.devices();
        let mut whole = Vec::new();
        let mut nearest: Vec<TrainJudged> = Vec::new();
        let host_known = self.machine.as_ref().is_some_and(|machine| machine.host.ram.is_some());
        for level in Level::all(&self.fixed, devices.total(), host_known) {
            let all = plans::of_level(self, devices, level).into_iter().map(|plan| self.judge(plan, rules));
            let (fitting, not): (Vec<_>, Vec<_>) = all.partition(TrainJudged::fits);
            nearest.extend(not);
            if !fitting.is_empty() {
                whole = fitting;
                break;
            }
        }
        sort(&mut whole);
        let split: Vec<TrainJudged> =
            plans::split(self, devices).into_iter().map(|plan| self.judge(plan, rules)).collect();
        let (mut split, not): (Vec<_>, Vec<_>) = split.into_iter().partition(TrainJudged::fits);
        nearest.extend(not);
        sort(&mut split);
        // Host memory is slow: what divides the model over the accelerators comes before it.
        let offloads = whole.first().is_some_and(|best| best.plan.offload != Offload::None);
        let mut all = if offloads && self.fixed.offload.is_none() && !split.is_empty() {
            split.append(&mut whole);
            split
        } else {
            whole.append(&mut split);
            whole
        };
        if all.is_empty() {
            nearest.sort_by_key(TrainJudged::short);
            all = nearest;
        }
        all
    }

    /// The best plan.
    pub fn best(&self, rules: &Rules) -> Option<TrainJudged> {
        self.judge_all(rules).into_iter().next()
    }

    /// A judged plan on the whole server; `None` without a machine.
    pub fn on_server<T>(
        &self,
        judged: &TrainJudged,
        deadline_s: Option<f64>,
        rules: &Rules,
        look: impl FnOnce(&Whole) -> T,
    ) -> Option<T> {
        let machine = self.machine.as_ref()?;
        let (host, network) = self.needs(judged, rules);
        let power = self.power(judged, rules);
        Some(look(&Whole {
            machine,
            memory: &judged.memory,
            power: power.as_ref(),
            host: &host,
            network: &network,
            split: true,
            pace: judged.speed.as_ref().map(|speed| pace_of_training(speed, deadline_s)),
        }))
    }

    /// The same work on another machine.
    pub fn on(&self, machine: Option<Machine>) -> Self {
        Self { machine, ..self.clone() }
    }
}

fn sort(all: &mut [TrainJudged]) {
    all.sort_by(|a, b| {
        b.rate()
            .total_cmp(&a.rate())
            .then_with(|| a.plan.parallel.tp.cmp(&b.plan.parallel.tp))
            .then_with(|| a.plan.parallel.pp.cmp(&b.plan.parallel.pp))
    });
}
