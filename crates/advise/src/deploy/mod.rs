//! How a chosen plan is started: the command, the files it needs, and what to look at to see that it runs as planned.
//!
//! Flags are those of the programs' own documentation: `vllm serve`, `sglang.launch_server`, `llama-server`, and the
//! Compose file format; for training `torchrun`, DeepSpeed and Megatron-LM.

mod compose;
mod llamacpp;
mod sglang;
mod training;
mod vllm;

use maat_base::{Arg, Fault, Text};
use maat_estimate::Engine;
use serde::{Deserialize, Serialize};

use crate::argv::shell_word;
use crate::case::{Case, Judged};

pub use training::deploy_training;

/// What starts a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[expect(missing_docs, reason = "the contract defines the names")]
pub enum DeployTarget {
    Vllm,
    Sglang,
    Llamacpp,
    Torchrun,
    Deepspeed,
    Megatron,
    Compose,
}

impl DeployTarget {
    /// The engine that it is for; `None` where it follows the plan's.
    pub const fn engine(self) -> Option<Engine> {
        match self {
            Self::Vllm => Some(Engine::Vllm),
            Self::Sglang => Some(Engine::Sglang),
            Self::Llamacpp => Some(Engine::Llamacpp),
            Self::Torchrun | Self::Deepspeed | Self::Megatron | Self::Compose => None,
        }
    }

    /// The contract's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vllm => "vllm",
            Self::Sglang => "sglang",
            Self::Llamacpp => "llamacpp",
            Self::Torchrun => "torchrun",
            Self::Deepspeed => "deepspeed",
            Self::Megatron => "megatron",
            Self::Compose => "compose",
        }
    }
}

/// How to start a plan.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Deploy {
    /// The lines to type on each node.
    pub command: String,
    /// Files that stand beside it.
    pub files: Vec<DeployFile>,
    /// The program, with the version whose flags these are.
    pub program: String,
    /// What to look at to see that it runs as planned.
    pub confirm: Vec<Text>,
}

/// A file of a deployment.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct DeployFile {
    pub name: String,
    pub content: String,
}

/// How to start a judged plan of serving.
///
/// # Errors
/// A target that does not run the plan's engine, or a model that is only a size.
pub fn deploy(target: DeployTarget, case: &Case, judged: &Judged) -> Result<Deploy, Fault> {
    let engine = judged.plan.serve.engine;
    let name = target.name();
    if case.model.basis == maat_base::Basis::Estimated {
        return Err(Fault::usage("deploy-bare-size").with("model", case.model.name.as_str()).at("--deploy"));
    }
    let fits = match target {
        DeployTarget::Compose => matches!(engine, Engine::Vllm | Engine::Sglang | Engine::Llamacpp),
        _ => target.engine() == Some(engine),
    };
    if !fits {
        let fault = Fault::usage("deploy-other-engine").with("target", name).with("engine", engine.name());
        return Err(fault.at("--deploy"));
    }
    let server = match engine {
        Engine::Sglang => sglang::server(case, judged),
        Engine::Llamacpp => llamacpp::server(case, judged),
        _ => vllm::server(case, judged),
    };
    let mut deploy = match target {
        DeployTarget::Compose => compose::wrap(case, judged, &server)?,
        _ => Deploy {
            command: server.lines(),
            files: Vec::new(),
            program: server.program.clone(),
            confirm: Vec::new(),
        },
    };
    if server.nodes > 1 {
        deploy.confirm.push(Text::new("deploy-confirm-nodes").with("nodes", server.nodes));
        if let Some(flag) = server.headless {
            deploy.confirm.push(Text::new("deploy-confirm-headless").with("flag", flag));
        }
    }
    deploy.confirm.extend(confirm(judged, server.pool_line));
    Ok(deploy)
}

/// A server's command before it is written down.
pub(super) struct Server {
    /// Program and version.
    pub program: String,
    /// Lines that come first, such as a conversion.
    pub before: Vec<String>,
    /// Words of the command.
    pub words: Vec<String>,
    /// Container image with its tag, for the maker of the cards; `None` where no image is known.
    pub image: Option<String>,
    /// Nodes that one copy is divided over.
    pub nodes: u32,
    /// Flag that nodes after the first need, where there is one.
    pub headless: Option<&'static str>,
    /// Words that an image's own entry point stands for.
    pub entry: usize,
    /// Port it listens on.
    pub port: u16,
    /// The message of the line that tells the size of the cache.
    pub pool_line: &'static str,
}

impl Server {
    fn lines(&self) -> String {
        let mut lines = self.before.clone();
        lines.push(broken(&self.words));
        lines.join("\n")
    }
}

/// A command over several lines, a flag with its value on each.
fn broken(words: &[String]) -> String {
    let mut text = String::new();
    for (i, word) in words.iter().enumerate() {
        if i > 0 {
            text += if word.starts_with('-') { " \\\n  " } else { " " };
        }
        text += &shell_word(word);
    }
    text
}

/// The pool, the time to the first token and the rate that were predicted.
fn confirm(judged: &Judged, pool_line: &'static str) -> Vec<Text> {
    let mut all = Vec::new();
    if let Some(tokens) = judged.memory.kv_pool_tokens {
        all.push(Text::new(pool_line).with("tokens", tokens));
    }
    if let Some(speed) = &judged.speed {
        if let (Some(ttft), Some(tpot)) = (speed.ttft_s, speed.tpot_s) {
            all.push(
                Text::new("deploy-confirm-latency")
                    .with("ttft", Arg::Seconds(ttft.likely))
                    .with("low", Arg::Seconds(tpot.low))
                    .with("high", Arg::Seconds(tpot.high)),
            );
        }
        if let Some(rate) = speed.throughput_tokens_per_s {
            all.push(
                Text::new("deploy-confirm-throughput")
                    .with("low", rate.low.round() as u64)
                    .with("high", rate.high.round() as u64),
            );
        }
    }
    all
}

/// Nodes that one copy of the model is divided over.
fn nodes_of_copy(case: &Case, judged: &Judged) -> u32 {
    let parallel = &judged.plan.parallel;
    let copy = [parallel.tp, parallel.pp, parallel.dp].into_iter().map(|ranks| ranks.max(1));
    let per_node = case.machine.as_ref().map_or(1, maat_catalogue::Machine::per_node).max(1);
    copy.fold(1, u32::saturating_mul).div_ceil(per_node)
}

/// Whose cards there are; `None` on a machine without any.
fn maker(case: &Case) -> Option<&str> {
    let slot = case.machine.as_ref()?.slots.first()?;
    Some(slot.accelerator.vendor.as_str())
}

/// Words of a flag with its value.
fn flag(name: &str, value: impl std::fmt::Display) -> [String; 2] {
    [name.to_owned(), format!("{value}")]
}
