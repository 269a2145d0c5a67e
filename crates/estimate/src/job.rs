//! What is to be judged: a model, a workload, a machine and a plan.

use std::sync::Arc;

use maat_catalogue::Machine;
use maat_model::{Encoding, Model};
use serde::{Deserialize, Serialize};

use crate::Rules;

/// What the hardware is to do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the contract defines the names")]
pub enum Task {
    #[default]
    Chat,
    Batch,
    Edge,
    Embed,
    Rerank,
    Speech,
    Diffusion,
    VisionInfer,
    Pretrain,
    Full,
    Lora,
    Qlora,
    Dpo,
    Ppo,
    Grpo,
    VisionTrain,
    Recommend,
    Tabular,
    Database,
    VectorSearch,
    Web,
    Etl,
}

/// How much text is read and written, and by how many.
#[derive(Clone, Debug, PartialEq)]
pub struct Serving {
    /// The task.
    pub task: Task,
    /// Sequences in flight at once.
    pub users: u64,
    /// Tokens of a prompt.
    pub input: u64,
    /// Tokens of an answer.
    pub output: u64,
    /// Room kept for each sequence, in tokens.
    pub context: u64,
}

/// A program that runs models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are the engines")]
pub enum Engine {
    Vllm,
    Sglang,
    Trtllm,
    Llamacpp,
    Transformers,
    Diffusers,
}

/// Storage of the cache's keys and values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KvPrecision {
    /// Of keys.
    pub keys: Arc<Encoding>,
    /// Of values.
    pub values: Arc<Encoding>,
}

/// How the model is divided over the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parallel {
    /// Ranks that share each matrix.
    pub tp: u32,
    /// Stages of layers.
    pub pp: u32,
    /// Data-parallel ranks of one replica (attention of MoE serving, training).
    pub dp: u32,
    /// Ranks that share the experts.
    pub ep: u32,
    /// Ranks that share a sequence.
    pub cp: u32,
    /// Independent copies; each serves its share of the users.
    pub replicas: u32,
    /// Layers of each stage; `None` for an even split.
    pub stages: Option<Vec<u64>>,
}

/// The settings of a serving engine. What an engine does not have, it ignores.
#[derive(Clone, Debug, PartialEq)]
pub struct ServePlan {
    /// The program.
    pub engine: Engine,
    /// Its version, where it matters.
    pub version: Option<String>,
    /// Storage of the cache.
    pub kv_precision: KvPrecision,
    /// Share of an accelerator's memory that the engine takes, where it reserves.
    pub memory_fraction: Option<f64>,
    /// Most tokens of a step.
    pub max_batched_tokens: Option<u64>,
    /// Most sequences of a step.
    pub max_num_seqs: Option<u64>,
    /// llama.cpp's physical batch.
    pub ubatch: Option<u64>,
    /// Whether attention never holds the whole score matrix.
    pub flash_attention: bool,
    /// Layers kept on the accelerators; `None` for all.
    pub gpu_layers: Option<u64>,
    /// Whether routed experts stay in host memory.
    pub experts_on_cpu: bool,
    /// Whether the cache stays in host memory.
    pub kv_on_cpu: bool,
}

/// How the model is laid out over the machine and run.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// Name of the weights' precision. The job's model is already stored so.
    pub precision: String,
    /// How it is divided.
    pub parallel: Parallel,
    /// How it is served.
    pub serve: ServePlan,
}

/// All that a judgement of serving needs.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The model, its weights encoded as the plan's precision says.
    pub model: &'a Model,
    /// The work.
    pub work: &'a Serving,
    /// The machine; without one there is memory for one accelerator of any size and no speed.
    pub machine: Option<&'a Machine>,
    /// The plan.
    pub plan: &'a Plan,
    /// Rules of engines, efficiencies of hardware classes.
    pub rules: &'a Rules,
}
