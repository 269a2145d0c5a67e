//! How a plan of training is started: `torchrun` with FSDP, DeepSpeed with its JSON, Megatron-LM with its flags.

mod deepspeed;
mod megatron;
mod transformers;

use maat_base::{Arg, Fault, Text};
use maat_estimate::{Framework, Task};

use super::{Deploy, DeployFile, DeployTarget, broken};
use crate::training::{TrainCase, TrainJudged};
use crate::world::World;

/// A command of training before it is written down.
struct Training {
    /// Programs with their versions.
    program: String,
    /// Lines that come first.
    before: Vec<String>,
    /// Words of the command.
    words: Vec<String>,
    /// Files beside it.
    files: Vec<DeployFile>,
    /// What has to be filled in, or looked at, that only this program has.
    confirm: Vec<Text>,
}

/// A judged plan, and what it is started from.
struct Start<'a> {
    case: &'a TrainCase,
    judged: &'a TrainJudged,
    world: &'a World<'a>,
}

impl Start<'_> {
    /// A program with the version whose flags these are.
    fn program(&self, key: &str, name: &str) -> String {
        let version = self.world.rules.engines.program_version(key);
        version.map_or_else(|| name.to_owned(), |version| format!("{name} {}", version.value))
    }

    /// Passes of a rank before each step of the optimiser.
    fn accumulation(&self) -> u64 {
        let plan = &self.judged.plan;
        let at_once = plan.micro_batch.max(1).saturating_mul(u64::from(plan.parallel.dp.max(1)));
        self.case.global_batch().div_ceil(at_once).max(1)
    }

    /// Steps of the job, where its length is known.
    fn steps(&self) -> Option<u64> {
        let step = self.judged.step.as_ref()?;
        self.case.work.tokens.map(|tokens| (tokens / step.tokens).ceil() as u64).or(self.case.fixed.steps)
    }

    /// Accelerators of a node that the plan uses, and its nodes.
    fn ranks(&self) -> (u32, u32) {
        let parallel = &self.judged.plan.parallel;
        let used =
            [parallel.tp, parallel.pp, parallel.cp, parallel.dp].into_iter().fold(1, u32::saturating_mul);
        let per_node = self.case.devices().per_node.max(1);
        (used.min(per_node), used.div_ceil(per_node).max(1))
    }

    /// `torchrun` with one process for each accelerator; on several nodes they meet at the first.
    fn torchrun(&self) -> Vec<String> {
        let (per_node, nodes) = self.ranks();
        let mut words = vec!["torchrun".to_owned()];
        if nodes > 1 {
            words.extend(super::flag("--nnodes", nodes));
            words.extend(super::flag("--nproc-per-node", per_node));
            words.extend(super::flag("--rdzv-id", "maat"));
            words.extend(super::flag("--rdzv-backend", "c10d"));
            words.extend(super::flag("--rdzv-endpoint", "FIRST_NODE:29500"));
        } else {
            words.push("--standalone".to_owned());
            words.extend(super::flag("--nproc-per-node", per_node));
        }
        words
    }
}

impl DeployTarget {
    /// The framework that it starts.
    pub const fn framework(self) -> Option<Framework> {
        match self {
            Self::Torchrun => Some(Framework::Torch),
            Self::Deepspeed => Some(Framework::Deepspeed),
            Self::Megatron => Some(Framework::Megatron),
            Self::Vllm | Self::Sglang | Self::Llamacpp | Self::Compose => None,
        }
    }
}

/// How to start a judged plan of training.
///
/// # Errors
/// A target that does not start the plan's framework, work that its scripts do not do, or a model that is only a size.
pub fn deploy_training(
    target: DeployTarget,
    case: &TrainCase,
    judged: &TrainJudged,
    world: &World,
) -> Result<Deploy, Fault> {
    if case.model.basis == maat_base::Basis::Estimated {
        return Err(Fault::usage("deploy-bare-size").with("model", case.model.name.as_str()).at("--deploy"));
    }
    let framework = judged.plan.framework;
    if target.framework() != Some(framework) {
        let fault = Fault::usage("deploy-other-engine").with("target", target.name());
        return Err(fault.with("engine", framework.name()).at("--deploy"));
    }
    if case.work.task == Task::Ppo || framework == Framework::Megatron && case.work.task != Task::Pretrain {
        let fault = Fault::usage("deploy-other-task").with("target", target.name());
        return Err(fault.with("task", case.work.task.name()).at("--deploy"));
    }
    let start = Start { case, judged, world };
    let training = match framework {
        Framework::Torch => transformers::with_fsdp(&start)?,
        Framework::Deepspeed => deepspeed::with_json(&start)?,
        Framework::Megatron => megatron::with_flags(&start)?,
    };
    let mut lines = training.before;
    lines.push(broken(&training.words));
    let mut confirm = training.confirm;
    if start.ranks().1 > 1 {
        confirm.insert(0, Text::new("deploy-confirm-first-node").with("nodes", start.ranks().1));
    }
    confirm.extend(expected(judged));
    Ok(Deploy { command: lines.join("\n"), files: training.files, program: training.program, confirm })
}

/// The memory, the time of a step and the rate that were predicted.
fn expected(judged: &TrainJudged) -> Vec<Text> {
    let [low, high] = judged.memory.per_accelerator.total_bytes_range;
    let mut all = vec![Text::new("deploy-confirm-train-memory").with("low", low).with("high", high)];
    let Some(speed) = &judged.speed else { return all };
    if let Some(step) = speed.step_s {
        let text = Text::new("deploy-confirm-step");
        all.push(text.with("low", Arg::Seconds(step.low)).with("high", Arg::Seconds(step.high)));
    }
    if let Some(rate) = speed.train_tokens_per_s {
        all.push(
            Text::new("deploy-confirm-train-throughput")
                .with("low", rate.low.round() as u64)
                .with("high", rate.high.round() as u64),
        );
    }
    all
}
