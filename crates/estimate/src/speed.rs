//! How fast a job runs.

mod device;
mod explain;
mod serving;
mod time;

use maat_base::{Bytes, Range};
use serde::Serialize;

use crate::Engine;
use crate::job::Job;
use crate::memory::Memory;
use crate::operation::{Kernel, Profile};
use crate::rules::Width;
use serving::{Loop, Runner};

pub(crate) use device::{Device, slowed};
pub(crate) use serving::busy_replicas;

pub use explain::{Input, Step, explain};
pub use time::Seconds;
pub(crate) use time::{Wires, of_operation};

/// What holds a phase back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the contract defines the names")]
pub enum Bound {
    Compute,
    Memory,
    Network,
    Launch,
    Cpu,
    Storage,
}

/// What holds each phase back; `None` for a phase that the task does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the contract defines the fields")]
pub struct Bounds {
    pub main: Bound,
    pub prefill: Option<Bound>,
    pub decode: Option<Bound>,
    pub step: Option<Bound>,
}

/// Speeds and times at the workload's users in steady state; `None` where the task does not have it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the contract defines the fields")]
pub struct Speed {
    pub ttft_s: Option<Range>,
    pub tpot_s: Option<Range>,
    pub decode_tokens_per_s: Option<Range>,
    pub prefill_tokens_per_s: Option<Range>,
    pub throughput_tokens_per_s: Option<Range>,
    pub requests_per_s: Option<Range>,
    pub train_tokens_per_s: Option<Range>,
    pub train_tokens_per_s_per_accelerator: Option<Range>,
    pub mfu: Option<Range>,
    pub step_s: Option<Range>,
    pub time_to_finish_s: Option<Range>,
    pub items_per_s: Option<Range>,
    pub item_s: Option<Range>,
    pub realtime_factor: Option<Range>,
    pub bound: Bounds,
    /// Which definition each metric follows, such as `vllm-bench-serve`.
    pub definitions: &'static str,
}

impl Speed {
    /// Nothing known but what holds it back.
    pub(crate) const fn none(bound: Bounds) -> Self {
        Self {
            ttft_s: None,
            tpot_s: None,
            decode_tokens_per_s: None,
            prefill_tokens_per_s: None,
            throughput_tokens_per_s: None,
            requests_per_s: None,
            train_tokens_per_s: None,
            train_tokens_per_s_per_accelerator: None,
            mfu: None,
            step_s: None,
            time_to_finish_s: None,
            items_per_s: None,
            item_s: None,
            realtime_factor: None,
            bound,
            definitions: "",
        }
    }
}

/// Speed of a job that fits; `None` without a machine, for a machine whose bandwidth or rates are not known (a card of
/// which only the memory was given), and for a model whose mixers are not known.
pub fn speed(job: &Job, memory: &Memory) -> Option<Speed> {
    speed_of(&Profile::new(job.model, &job.rules.efficiencies), job, memory)
}

/// [`speed`] with a profile that was made before, for a planner that tries many plans of one model.
pub fn speed_of(profile: &Profile, job: &Job, memory: &Memory) -> Option<Speed> {
    speed_as(profile, job, memory, job.plan.serve.engine.name())
}

/// [`speed_of`] with the parameters and ranges of an engine that may be none of [`Engine`](crate::Engine), such as those
/// of programs that are only known from measurements.
pub fn speed_as(profile: &Profile, job: &Job, memory: &Memory, engine: &str) -> Option<Speed> {
    let runner = Runner::new(job, profile, engine)?;
    let times = runner.closed_loop(memory)?;
    let sound = [times.ttft_s, times.cycle_s, times.step.total()].iter().all(|s| s.is_finite() && *s > 0.0);
    sound.then(|| runner.answer(&times))
}

/// How wide the range of a metric is for a job with the parameters of an engine; the default's where there is no speed.
pub fn width_of(profile: &Profile, job: &Job, engine: &str, metric: &str) -> Width {
    match Runner::new(job, profile, engine) {
        Some(runner) => runner.width(metric),
        None => job.rules.efficiencies.width("default", metric, false),
    }
}

/// Whether the engine and the classes of hardware that a metric of a job rests on were fitted to measurements.
pub fn seen_of(profile: &Profile, job: &Job, engine: &str, metric: &str) -> bool {
    Runner::new(job, profile, engine).is_some_and(|runner| runner.seen(metric))
}

/// What one accelerator sends in a step in which all write.
pub(crate) struct Shipping {
    /// Within a node.
    pub inside: Bytes,
    /// Between nodes.
    pub between: Bytes,
    /// What the step takes.
    pub step: Seconds,
}

/// What is sent between accelerators; `None` where there is no speed.
pub(crate) fn shipping(job: &Job, memory: &Memory) -> Option<Shipping> {
    let profile = Profile::new(job.model, &job.rules.efficiencies);
    let runner = Runner::new(job, &profile, job.plan.serve.engine.name())?;
    let times = runner.closed_loop(memory)?;
    let (mut inside, mut between) = (Bytes::ZERO, Bytes::ZERO);
    for op in runner.step_operations(times.running) {
        if let Kernel::Collective { kind, ranks } = op.kernel {
            let (here, there) = runner.shipped(kind, ranks, (op.bytes * op.repeat).as_f64());
            inside += Bytes::from_f64(here);
            between += Bytes::from_f64(there);
        }
    }
    Some(Shipping { inside, between, step: times.step })
}

/// The likely times of a closed loop, without ranges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Times {
    /// From sending a prompt to its first token.
    pub ttft_s: f64,
    /// Between two tokens; `None` for answers of one token.
    pub tpot_s: Option<f64>,
    /// One prompt alone.
    pub prompt_s: f64,
    /// The prompts of all users, read together.
    pub prompts_s: f64,
    /// From one prompt of a user to the next.
    pub cycle_s: f64,
    /// One step in which all write, by what it is spent on.
    pub step: Seconds,
    /// One prompt alone, the same.
    pub prompt: Seconds,
}

/// The likely times of a job with the parameters of an engine that may be none of [`Engine`]: for comparing with
/// measurements and for fits.
pub fn times(profile: &Profile, job: &Job, memory: &Memory, engine: &str) -> Option<Times> {
    let runner = Runner::new(job, profile, engine)?;
    let Loop { users, ttft_s, tpot_s, cycle_s, step, prompt, .. } = runner.closed_loop(memory)?;
    let prompts_s = if users > 1.0 { runner.prompts(users)?.total() } else { prompt.total() };
    Some(Times { ttft_s, tpot_s, prompt_s: prompt.total(), prompts_s, cycle_s, step, prompt })
}

impl Runner<'_> {
    fn answer(&self, times: &Loop) -> Speed {
        let work = self.job.work;
        let output = work.output.max(1) as f64;
        let users = work.users.max(1) as f64;
        let rules = &self.job.rules.efficiencies;
        let about = |metric: &str, likely: f64| {
            let (factor, width) =
                rules.corrected(self.width(metric), metric, self.job.model, self.job.machine);
            width.about(likely * factor)
        };
        let first = if times.running > 1.0 { "ttft" } else { "prefill" };
        let ttft = about(first, times.ttft_s);
        let tpot = times.tpot_s.map(|tpot| about("tpot", tpot));
        // The slow end of a cycle has both its parts slow.
        let later = tpot.map_or(Range::exact(0.0), |tpot| tpot.scaled(output - 1.0));
        let cycle = Range::new(ttft.low + later.low, ttft.likely + later.likely, ttft.high + later.high);
        let throughput = cycle.inverted(users * output);
        // Full machines were measured by themselves; what one user gets is the turned cycle.
        let throughput =
            if times.running > 1.0 { self.width("throughput").about(throughput.likely) } else { throughput };
        let prompt = about("prefill", times.prompt.total());
        Speed {
            ttft_s: Some(ttft),
            tpot_s: tpot,
            decode_tokens_per_s: tpot.map(|tpot| tpot.inverted(1.0)),
            prefill_tokens_per_s: Some(prompt.inverted(work.input.max(1) as f64)),
            throughput_tokens_per_s: Some(throughput),
            requests_per_s: Some(throughput.scaled(1.0 / output)),
            definitions: "vllm-bench-serve",
            ..Speed::none(self.bounds(times))
        }
    }

    fn bounds(&self, times: &Loop) -> Bounds {
        let output = self.job.work.output.max(1) as f64;
        let (prefill, decode) = (times.prompt.bound(), times.step.bound());
        let reading = times.running * times.shared_prompt_s;
        let main = if times.step.total() * (output - 1.0) > reading { decode } else { prefill };
        Bounds { main, prefill: Some(prefill), decode: (output > 1.0).then_some(decode), step: None }
    }

    /// Width of a metric's range: of the engine's own rows in `ranges.csv`, else of its family's.
    fn width(&self, metric: &str) -> Width {
        let rules = &self.job.rules.efficiencies;
        let seen = self.seen(metric);
        let own = if self.on_processors() { None } else { rules.width_of(self.key, metric, seen) };
        own.unwrap_or_else(|| rules.width(self.family(), metric, seen))
    }

    /// Family of rows in `ranges.csv`.
    fn family(&self) -> &'static str {
        if self.on_processors() {
            return "processor";
        }
        match self.job.plan.serve.engine {
            Engine::Vllm | Engine::Sglang | Engine::Trtllm => "serving",
            Engine::Llamacpp => "llamacpp",
            Engine::Transformers | Engine::Diffusers => "transformers",
        }
    }
}
