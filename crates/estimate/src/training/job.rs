//! What is to be trained, and how.

use maat_catalogue::Machine;
use maat_model::{Model, Part, Role, Shape, Weight};
use serde::{Deserialize, Serialize};

use crate::{Engine, Parallel, Rules, Task};

/// What keeps the moments of the gradients, and updates the weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are the field's own")]
pub enum Optimizer {
    #[default]
    Adamw,
    Adamw8bit,
    PagedAdamw8bit,
    Adafactor,
    Lion,
    Sgd,
    Muon,
}

/// What products are computed in, and what the trained weights are kept in beside it: FP32 master weights, except for
/// `PureBf16`, whose weights, gradients and moments are all BF16, and `Fp32` and `Tf32`, whose weights are FP32.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are the field's own")]
pub enum TrainPrecision {
    Fp32,
    Tf32,
    #[default]
    Bf16,
    Fp16,
    Fp8,
    Mxfp8,
    Nvfp4,
    PureBf16,
}

/// Which activations are computed again in the backward pass instead of being kept (Korthikanti et al. 2022).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Recompute {
    /// All are kept.
    #[default]
    None,
    /// Those of the attention core are computed again.
    Selective,
    /// Only the input of each layer is kept.
    Full,
}

/// What lies in host memory between its uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Offload {
    /// Nothing.
    #[default]
    None,
    /// Optimiser states and master weights; the update runs on the host's processors.
    Optimizer,
    /// The weights too.
    All,
}

/// What runs the training.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are the programs'")]
pub enum Framework {
    #[default]
    Torch,
    Megatron,
    Deepspeed,
}

/// Where the models of reinforcement learning run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Placement {
    /// All on every accelerator, one after another.
    #[default]
    Colocated,
    /// Rollout on accelerators of its own.
    Split,
}

/// Matrices that get adapters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Targets {
    /// Every matrix product of the layers; not embeddings, head and router.
    #[default]
    AllLinear,
    /// Projections of attention.
    Attention,
    /// Those with these roles.
    Roles(Vec<Role>),
}

impl Targets {
    /// Whether a weight of a layer gets adapters.
    pub fn takes(&self, weight: &Weight) -> bool {
        let product = matches!(weight.shape, Shape::MatMul { .. }) && weight.part != Part::Router;
        product
            && match self {
                Self::AllLinear => true,
                Self::Attention => weight.part == Part::Attention,
                Self::Roles(roles) => roles.contains(&weight.role),
            }
    }
}

/// Low-rank adapters (Hu et al. 2021): `rank x (inputs + outputs)` parameters beside each matrix.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Adapters {
    /// Rank of each.
    pub rank: u64,
    /// The matrices that get one.
    pub targets: Targets,
}

/// A training job.
#[derive(Clone, Debug, PartialEq)]
pub struct Training {
    /// Pretraining, full fine-tuning, adapters or preference learning.
    pub task: Task,
    /// Tokens of a sequence; of prompt and response together where responses are generated.
    pub sequence: u64,
    /// Tokens of a generated response (PPO, GRPO).
    pub response: u64,
    /// Sequences of a step over all ranks; `None` for one micro-batch a rank.
    pub global_batch: Option<u64>,
    /// Adapters; `None` where all weights are trained.
    pub adapters: Option<Adapters>,
    /// Tokens of the whole job, where stated.
    pub tokens: Option<f64>,
}

/// How a model is trained on a machine.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "independent switches of the frameworks")]
pub struct TrainPlan {
    /// Name of the precision of the frozen or trained weights; the job's model is already stored so.
    pub base_precision: String,
    /// How it is divided: `dp` counts the data-parallel ranks, `replicas` is 1.
    pub parallel: Parallel,
    /// ZeRO stage: what the data-parallel ranks divide: 1 optimiser states, 2 gradients too, 3 weights too (FSDP).
    pub zero: u8,
    /// Sequences of one forward and backward pass of a rank.
    pub micro_batch: u64,
    /// What is computed again.
    pub recompute: Recompute,
    /// What lies in host memory.
    pub offload: Offload,
    /// The optimiser.
    pub optimizer: Optimizer,
    /// What products are computed in.
    pub precision: TrainPrecision,
    /// What runs it.
    pub framework: Framework,
    /// Whether attention never holds the score matrix.
    pub flash_attention: bool,
    /// Whether norms and residuals are divided over the tensor-parallel ranks.
    pub sequence_parallel: bool,
    /// Whether the loss is computed in pieces of the sequence, so that logits are never held whole.
    pub chunked_loss: bool,
    /// Whether a compiler fuses what stands between the products (`torch.compile`).
    pub compiled: bool,
    /// Whether the loss is compiled with it, so that no copy of the logits in FP32 is kept.
    pub compiled_loss: bool,
    /// Whether activations that are kept lie in host memory between the passes.
    pub offload_activations: bool,
    /// Whether each weight is updated as soon as its gradient is there, so that gradients are never held together.
    pub update_in_backward: bool,
    /// Chunks of layers on each pipeline stage (interleaved schedule).
    pub virtual_stages: u32,
    /// Where the models of reinforcement learning run.
    pub roles: Placement,
    /// What generates responses; `None` for the training framework itself.
    pub rollout: Option<Engine>,
}

impl TrainPlan {
    /// Micro-batches of a step: the global batch over what the data-parallel ranks take at once.
    pub fn micro_batches(&self, work: &Training) -> u64 {
        let at_once = self.micro_batch.max(1).saturating_mul(u64::from(self.parallel.dp.max(1)));
        work.global_batch.map_or(1, |batch| batch.div_ceil(at_once).max(1))
    }
}

/// All that a judgement of training needs.
#[derive(Clone, Copy, Debug)]
pub struct TrainJob<'a> {
    /// The model, its weights encoded as the plan's base precision says.
    pub model: &'a Model,
    /// The work.
    pub work: &'a Training,
    /// The machine; without one there is memory for one accelerator of any size and no speed.
    pub machine: Option<&'a Machine>,
    /// The plan.
    pub plan: &'a TrainPlan,
    /// Efficiencies of hardware classes.
    pub rules: &'a Rules,
}

macro_rules! names {
    ($($kind:ident { $($variant:ident => $name:literal,)* })*) => {
        $(impl $kind {
            /// The contract's name.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        })*

        #[cfg(test)]
        mod tests {
            use super::*;

            #[test]
            fn names_and_serde_agree() {
                $($(assert_eq!(serde_json::to_value($kind::$variant).unwrap(), $name);)*)*
            }
        }
    };
}

names! {
    Optimizer {
        Adamw => "adamw",
        Adamw8bit => "adamw8bit",
        PagedAdamw8bit => "paged-adamw8bit",
        Adafactor => "adafactor",
        Lion => "lion",
        Sgd => "sgd",
        Muon => "muon",
    }
    TrainPrecision {
        Fp32 => "fp32",
        Tf32 => "tf32",
        Bf16 => "bf16",
        Fp16 => "fp16",
        Fp8 => "fp8",
        Mxfp8 => "mxfp8",
        Nvfp4 => "nvfp4",
        PureBf16 => "pure-bf16",
    }
    Recompute { None => "none", Selective => "selective", Full => "full", }
    Offload { None => "none", Optimizer => "optimizer", All => "all", }
    Framework { Torch => "torch", Megatron => "megatron", Deepspeed => "deepspeed", }
    Placement { Colocated => "colocated", Split => "split", }
}
