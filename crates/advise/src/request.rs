//! What can be asked. A field is a flag of the command line (feature `clap`), a query parameter of the server and a
//! keyword argument, all of the same name; its doc comment is the flag's help.

use maat_base::{Growth, Period, Share, Watts};
use maat_catalogue::HardwareRequest;
use maat_estimate::{Engine, Task};
use serde::{Deserialize, Serialize};

/// The work and how it is to be run. What is not given is assumed or chosen, and listed so.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", command(next_help_heading = "Work"))]
pub struct WorkRequest {
    /// What the hardware is to do [default: chat]
    #[cfg_attr(feature = "clap", arg(long, value_name = "TASK"))]
    pub task: Option<Task>,
    /// Sequences at once [default: 1]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub users: Option<u64>,
    /// Tokens of a prompt [default: 1024]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub input: Option<u64>,
    /// Tokens of an answer [default: 256]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub output: Option<u64>,
    /// Room for each sequence in tokens [default: input + output]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub context: Option<u64>,
    /// Precision of the weights: fp32 bf16 fp16 fp8 int8 int4 nvfp4 mxfp4 awq gptq nf4 or a GGUF type
    /// [default: the checkpoint's own]
    #[cfg_attr(feature = "clap", arg(long, value_name = "PRECISION"))]
    pub precision: Option<String>,
    /// Precision of the cache, of keys and values apart if need be: auto bf16 fp16 fp8 int8 q8_0 q5_1 q5_0 q4_1 q4_0
    #[cfg_attr(feature = "clap", arg(long, value_name = "K[,V]"))]
    pub kv_precision: Option<String>,
    /// Program that runs the model, with a version if it matters: vllm sglang trtllm llamacpp transformers
    #[cfg_attr(feature = "clap", arg(long, value_name = "ENGINE[@VERSION]"))]
    pub engine: Option<EngineChoice>,
    /// Share of each accelerator's memory that the engine takes [default: the engine's own]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SHARE"))]
    pub memory_fraction: Option<Share>,
    /// Most tokens of a step [default: the engine's own]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub max_batched_tokens: Option<u64>,
    /// Most sequences of a step [default: the engine's own]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub max_num_seqs: Option<u64>,
    /// Physical batch of llama.cpp [default: 512]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub ubatch: Option<u64>,
    /// Flash attention of llama.cpp and transformers
    #[cfg_attr(feature = "clap", arg(long, value_name = "on|off|auto"))]
    pub flash_attention: Option<Switch>,
    /// Layers kept on the accelerators (llama.cpp)
    #[cfg_attr(feature = "clap", arg(long, value_name = "N|auto"))]
    pub gpu_layers: Option<CountOrAuto>,
    /// Where the routed experts are kept (llama.cpp) [default: gpu]
    #[cfg_attr(feature = "clap", arg(long, value_name = "gpu|cpu"))]
    pub experts: Option<Side>,
    /// Where the cache is kept (llama.cpp) [default: gpu]
    #[cfg_attr(feature = "clap", arg(long, value_name = "gpu|cpu"))]
    pub kv: Option<Side>,
    /// Ranks that share each matrix
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub tp: Option<u32>,
    /// Pipeline stages
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub pp: Option<u32>,
    /// Data-parallel ranks of one replica
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub dp: Option<u32>,
    /// Ranks that share the experts
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub ep: Option<u32>,
    /// Ranks that share a sequence
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub cp: Option<u32>,
    /// Independent copies
    #[cfg_attr(feature = "clap", arg(long, value_name = "N|auto"))]
    pub replicas: Option<CountOrAuto>,
    /// Own measurements, with the columns of `maat validate`: they move the prediction and narrow its range
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub calibrate: Option<String>,
    /// How it is trained, where the task is training.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub training: crate::TrainingRequest,
    /// Images and clips, where the model makes or reads them.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub items: crate::ItemRequest,
    /// What there is to work on, where the task has no model.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub data: crate::DataRequest,
}

/// An engine, with a version where it matters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct EngineChoice {
    /// The engine.
    pub engine: Engine,
    /// Its version.
    pub version: Option<String>,
}

/// On, off, or as the engine decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[expect(missing_docs, reason = "the names say it")]
pub enum Switch {
    On,
    Off,
    Auto,
}

/// Accelerator's or host's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[expect(missing_docs, reason = "the names say it")]
pub enum Side {
    Gpu,
    Cpu,
}

/// A count, or whatever works best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "serde_json::Value", into = "serde_json::Value")]
pub enum CountOrAuto {
    /// So many.
    Count(u64),
    /// As many as works best.
    Auto,
}

/// Does it fit on this machine, and how fast?
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct SizeRequest {
    /// A model folder, config.json, .safetensors, .gguf, a built-in id, or a bare size such as 7B
    #[cfg_attr(feature = "clap", arg(value_name = "MODEL"))]
    pub model: Option<String>,
    /// The work.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub work: WorkRequest,
    /// The machine.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub hardware: HardwareRequest,
}

/// Which hardware does it best?
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct AdviseRequest {
    /// A model folder, config.json, .safetensors, .gguf, a built-in id, or a bare size such as 7B
    #[cfg_attr(feature = "clap", arg(value_name = "MODEL"))]
    pub model: Option<String>,
    /// The work.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub work: WorkRequest,
    /// What the machine must have; a candidate is made out of it where it names parts.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub hardware: HardwareRequest,
    /// The limits.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub limits: LimitRequest,
}

/// What a candidate must keep to, and how candidates are ranked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", command(next_help_heading = "Limits"))]
pub struct LimitRequest {
    /// Longest mean time to the first token, such as 2s
    #[cfg_attr(feature = "clap", arg(long, value_name = "TIME"))]
    pub max_ttft: Option<Period>,
    /// Longest mean time between tokens, such as 50ms
    #[cfg_attr(feature = "clap", arg(long, value_name = "TIME"))]
    pub max_tpot: Option<Period>,
    /// Least output tokens per second of all users
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub min_throughput: Option<f64>,
    /// Most money an hour for the whole machine
    #[cfg_attr(feature = "clap", arg(long, value_name = "MONEY"))]
    pub max_hourly: Option<f64>,
    /// Most money in all (purchase)
    #[cfg_attr(feature = "clap", arg(long, value_name = "MONEY"))]
    pub max_total: Option<f64>,
    /// Most power of the accelerators, such as 10kW
    #[cfg_attr(feature = "clap", arg(long, value_name = "POWER"))]
    pub max_power: Option<Watts>,
    /// Only offers of this region
    #[cfg_attr(feature = "clap", arg(long, value_name = "REGION"))]
    pub region: Option<String>,
    /// Only these vendors
    #[cfg_attr(feature = "clap", arg(long, value_name = "VENDOR", value_delimiter = ','))]
    pub vendor: Vec<String>,
    /// Only these kinds of offer: on-demand, spot, marketplace, committed, purchase
    #[cfg_attr(feature = "clap", arg(long, value_name = "KIND", value_delimiter = ','))]
    pub kind: Vec<String>,
    /// Oldest price that is used, such as 180d
    #[cfg_attr(feature = "clap", arg(long, value_name = "TIME"))]
    pub max_price_age: Option<Period>,
    /// How many candidates to list [default: 10]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub top: Option<usize>,
    /// What to rank by [default: cost]
    #[cfg_attr(feature = "clap", arg(long, value_name = "OBJECTIVE"))]
    pub objective: Option<Objective>,
    /// Longest time for the whole job, such as 24h
    #[cfg_attr(feature = "clap", arg(long, value_name = "TIME"))]
    pub deadline: Option<Period>,
    /// How the load grows, such as 2x/year or 5%/month: until when does the machine do?
    #[cfg_attr(feature = "clap", arg(long, value_name = "GROWTH"))]
    pub growth: Option<Growth>,
    /// The command and the files that start the first candidate's plan
    #[cfg_attr(feature = "clap", arg(long, value_name = "WITH"))]
    pub deploy: Option<crate::DeployTarget>,
}

/// What candidates are ranked by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[expect(missing_docs, reason = "the names say it")]
pub enum Objective {
    #[default]
    Cost,
    Latency,
    Throughput,
    Energy,
}

/// A word that names a value; the error lists the words there are.
pub(crate) fn named<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, serde_json::Error> {
    serde_json::from_value(serde_json::Value::String(text.trim().to_ascii_lowercase()))
}
