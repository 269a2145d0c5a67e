//! What can be asked of training.

use crate::request::named;
use maat_economics::Tokens;
use maat_estimate::{Framework, Offload, Optimizer, Placement, Recompute};
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};

/// How a model is trained. What is not given is assumed or chosen, and listed so.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", command(next_help_heading = "Training"))]
pub struct TrainingRequest {
    /// Tokens of a sequence [default: 2048]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub seq: Option<u64>,
    /// Sequences of one pass of a rank [default: 1]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub micro_batch: Option<u64>,
    /// Sequences of a step over all ranks [default: four micro-batches for each accelerator]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub global_batch: Option<u64>,
    /// Tokens of the whole job, such as 40M
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", allow_hyphen_values = true))]
    pub tokens: Option<Tokens>,
    /// Sequences of the data set
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub items: Option<u64>,
    /// Passes over the data set [default: 1]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub epochs: Option<u64>,
    /// Steps of the job
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub steps: Option<u64>,
    /// Storage of a frozen base: bf16 nf4 int8 fp8 gptq awq [default: bf16; qlora: nf4]
    #[cfg_attr(feature = "clap", arg(long, value_name = "PRECISION"))]
    pub base_precision: Option<String>,
    /// adamw adamw8bit paged-adamw8bit adafactor lion sgd muon [default: adamw]
    #[serde(deserialize_with = "optional")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "OPTIMIZER", value_parser = named::<Optimizer>))]
    pub optimizer: Option<Optimizer>,
    /// Activations that are computed again: none selective full
    #[serde(deserialize_with = "optional")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHICH", value_parser = named::<Recompute>))]
    pub recompute: Option<Recompute>,
    /// ZeRO stage, 3 for FSDP: 0 1 2 3
    #[cfg_attr(feature = "clap", arg(long, value_name = "STAGE", value_parser = clap::value_parser!(u8).range(0..=3)))]
    pub zero: Option<u8>,
    /// What lies in host memory: none optimizer all
    #[serde(deserialize_with = "optional")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHAT", value_parser = named::<Offload>))]
    pub offload: Option<Offload>,
    /// Rank of the adapters [default: 16]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub lora_rank: Option<u64>,
    /// Matrices that get adapters: all-linear, attention, or names such as q,v [default: all-linear]
    #[cfg_attr(feature = "clap", arg(long, value_name = "TARGETS"))]
    pub lora_targets: Option<String>,
    /// torch megatron deepspeed [default: torch; megatron where matrices or layers are divided]
    #[serde(deserialize_with = "optional")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FRAMEWORK", value_parser = named::<Framework>))]
    pub framework: Option<Framework>,
    /// Where the models of reinforcement learning run: colocated split [default: colocated]
    #[serde(deserialize_with = "optional")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "WHERE", value_parser = named::<Placement>))]
    pub roles: Option<Placement>,
    /// What generates responses: vllm none [default: vllm]
    #[cfg_attr(feature = "clap", arg(long, value_name = "ENGINE"))]
    pub rollout_engine: Option<String>,
    /// Tokens of a generated response [default: half of the sequence]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub response: Option<u64>,
    /// Compute the loss in pieces, so that logits are never held whole
    #[cfg_attr(feature = "clap", arg(long))]
    pub chunked_loss: bool,
    /// Fuse what stands between the products (torch.compile)
    #[cfg_attr(feature = "clap", arg(long))]
    pub compile: bool,
}

impl TrainingRequest {
    /// A flag that is given and says how to train; the length of a job in tokens says nothing of that.
    pub fn other_than_length(&self) -> Option<String> {
        let fields = serde_json::to_value(Self { tokens: None, ..self.clone() }).ok()?;
        let given = |value: &serde_json::Value| !value.is_null() && *value != serde_json::Value::Bool(false);
        let (name, _) = fields.as_object()?.iter().find(|(_, value)| given(value))?;
        Some(name.replace('_', "-"))
    }
}

fn optional<'de, D: Deserializer<'de>, T: DeserializeOwned>(deserializer: D) -> Result<Option<T>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| named(&text).map_err(D::Error::custom)).transpose()
}
