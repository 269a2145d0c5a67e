//! One job on one machine: every plan for it judged, the best chosen.

use std::sync::Arc;

use maat_base::Assumed;
use maat_catalogue::Machine;
use maat_estimate::{Job, Limit, Memory, Needs, Parallel, Plan, Profile, Rules, ServePlan, Serving, Speed};
use maat_model::Model;

use crate::limits::Limits;
use crate::plans::{Devices, Fixed, Stages, WHOLE, divisions};
use crate::server::{Whole, pace_of_serving};

/// A model to be served on a machine; how it is divided is still open.
#[derive(Clone, Debug)]
pub struct Case {
    /// The model as it will be stored.
    pub model: Arc<Model>,
    /// Name of that precision.
    pub precision: String,
    /// The work.
    pub work: Serving,
    /// The machine, where there is one.
    pub machine: Option<Machine>,
    /// The engine's settings.
    pub serve: ServePlan,
    /// What the user fixed of the division.
    pub fixed: Fixed,
    /// Whether the user asked for another precision than the checkpoint's.
    pub requantised: bool,
    /// What the model comes to for every plan.
    pub profile: Arc<Profile>,
}

/// A plan and what it comes to.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The plan.
    pub plan: Plan,
    /// What it needs.
    pub memory: Memory,
    /// What stops it.
    pub limit: Option<Limit>,
    /// How fast it is; `None` where it does not fit or the machine's speed is not known.
    pub speed: Option<Speed>,
}

impl Judged {
    /// Whether it fits.
    pub const fn fits(&self) -> bool {
        self.limit.is_none()
    }

    /// Output tokens per second of all users, the likely figure.
    pub fn throughput(&self) -> Option<f64> {
        self.speed.as_ref().and_then(|speed| speed.throughput_tokens_per_s).map(|range| range.likely)
    }

    /// Seconds per output token, the likely figure.
    pub fn tpot(&self) -> Option<f64> {
        self.speed.as_ref().and_then(|speed| speed.tpot_s).map(|range| range.likely)
    }

    /// Bytes by which the tightest memory falls short; 0 where size is not the limit.
    fn short(&self) -> u64 {
        self.limit.as_ref().and_then(|limit| limit.short_bytes).map_or(0, |bytes| bytes.0)
    }
}

impl Case {
    /// The devices that plans are laid over; a CPU machine is one.
    pub fn devices(&self) -> Devices {
        self.machine.as_ref().map_or(Devices { per_node: 1, nodes: 1, joined: false }, |machine| Devices {
            per_node: machine.per_node().max(1),
            nodes: machine.nodes.max(1),
            joined: machine.network.is_some(),
        })
    }

    /// The ways to divide it.
    fn divisions(&self, stages: Stages) -> Vec<Parallel> {
        if self.machine.is_none() && self.fixed == Fixed::default() {
            return vec![WHOLE];
        }
        divisions(&self.model, self.serve.engine, self.devices(), self.fixed, stages)
    }

    fn job<'a>(&'a self, plan: &'a Plan, rules: &'a Rules) -> Job<'a> {
        Job { model: &self.model, work: &self.work, machine: self.machine.as_ref(), plan, rules }
    }

    /// What the engine decides where the plan says nothing.
    pub fn engine_settings(&self, judged: &Judged, rules: &Rules) -> Vec<Assumed> {
        maat_estimate::assumed_settings(&self.job(&judged.plan, rules))
    }

    /// What a judged plan draws and asks of the rest of a node; `None` without a speed.
    pub fn needs(&self, judged: &Judged, rules: &Rules) -> Option<Needs> {
        let speed = judged.speed.as_ref()?;
        let job = self.job(&judged.plan, rules);
        Some(maat_estimate::needs(&job, &judged.memory, speed))
    }

    /// How the speed of a judged plan came about.
    pub fn explain(&self, judged: &Judged, rules: &Rules) -> Vec<maat_estimate::Step> {
        if judged.speed.is_none() {
            return Vec::new();
        }
        maat_estimate::explain(&self.job(&judged.plan, rules), &judged.memory)
    }

    /// Likely power of all nodes together, in watts; of the accelerators alone where the hosts' is not known.
    pub fn power_w(&self, judged: &Judged, rules: &Rules) -> Option<f64> {
        let nodes = self.machine.as_ref().map_or(1, |machine| machine.nodes.max(1));
        let node = self.needs(judged, rules)?.power.node_w.map(|range| range.likely * f64::from(nodes));
        node.or_else(|| self.accelerator_power_w(judged, rules))
    }

    /// Likely power of all accelerators together, in watts.
    pub fn accelerator_power_w(&self, judged: &Judged, rules: &Rules) -> Option<f64> {
        let each = self.needs(judged, rules)?.power.accelerator_w?.likely;
        Some(each * f64::from(self.devices().total()))
    }

    /// A judged plan on the whole server; `None` without a machine or a speed.
    pub fn on_server<T>(
        &self,
        judged: &Judged,
        limits: &Limits,
        rules: &Rules,
        look: impl FnOnce(&Whole) -> T,
    ) -> Option<T> {
        let machine = self.machine.as_ref()?;
        let speed = judged.speed.as_ref()?;
        let needs = self.needs(judged, rules)?;
        let parallel = &judged.plan.parallel;
        Some(look(&Whole {
            machine,
            memory: &judged.memory,
            power: Some(&needs.power),
            host: &needs.host,
            network: &needs.network,
            split: parallel.tp.saturating_mul(parallel.pp).saturating_mul(parallel.ep) > 1,
            pace: Some(pace_of_serving(speed, limits)),
        }))
    }

    /// One plan judged.
    pub fn judge(&self, parallel: Parallel, rules: &Rules) -> Judged {
        let plan = Plan { precision: self.precision.clone(), parallel, serve: self.serve.clone() };
        let job = self.job(&plan, rules);
        let memory = maat_estimate::memory(&job);
        let limit = job.machine.and_then(|_| maat_estimate::fit(&job, &memory));
        let speed = (limit.is_none() && job.machine.is_some())
            .then(|| maat_estimate::speed_of(&self.profile, &job, &memory))
            .flatten();
        Judged { plan, memory, limit, speed }
    }

    /// Every plan judged, the best first: what fits before what does not, the fastest before the slower, the least
    /// short before the shorter. In a closed loop of so many users the throughput is also the inverse of the time a
    /// request takes, so that the fastest for all is the fastest for each.
    pub fn judge_all(&self, rules: &Rules) -> Vec<Judged> {
        let judged = |stages| -> Vec<Judged> {
            self.divisions(stages).into_iter().map(|parallel| self.judge(parallel, rules)).collect()
        };
        let mut all = judged(Stages::Few);
        // Stages are slower than a split of the same cards, so that they are tried when nothing else fits.
        if !all.iter().any(Judged::fits) {
            all = judged(Stages::All);
        }
        all.sort_by(|a, b| {
            let speed = |judged: &Judged| judged.throughput().unwrap_or(0.0);
            b.fits()
                .cmp(&a.fits())
                .then_with(|| speed(b).total_cmp(&speed(a)))
                .then_with(|| a.short().cmp(&b.short()))
        });
        all
    }

    /// The best plan; `None` only if there is no way to divide it at all.
    pub fn best(&self, rules: &Rules) -> Option<Judged> {
        self.judge_all(rules).into_iter().next()
    }
}
