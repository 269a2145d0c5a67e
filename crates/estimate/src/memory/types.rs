//! What a job needs of each memory.

use maat_base::{Bytes, Text};
use serde::Serialize;

use super::Rank;

/// What one accelerator holds, by part. All parts sum to `total_bytes`; total and free to the capacity.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the contract defines the fields")]
pub struct AcceleratorMemory {
    /// Name of the part, where a node's accelerators differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub weights_bytes: Bytes,
    pub kv_cache_bytes: Bytes,
    pub state_bytes: Bytes,
    pub activations_bytes: Bytes,
    /// Of the activations, the logits with what the loss makes of them; training only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logits_bytes: Option<Bytes>,
    pub gradients_bytes: Bytes,
    pub optimizer_bytes: Bytes,
    pub adapters_bytes: Bytes,
    pub reference_bytes: Bytes,
    pub workspace_bytes: Bytes,
    pub framework_bytes: Bytes,
    pub total_bytes: Bytes,
    /// Capacity less total: negative when it does not fit, `None` without hardware.
    pub free_bytes: Option<i64>,
    /// The 80 % range of the total.
    pub total_bytes_range: [Bytes; 2],
}

/// What a job needs of every memory. The cache's figures are `None` where the model's mixers are not known.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Memory {
    /// The fullest accelerator.
    pub per_accelerator: AcceleratorMemory,
    /// Each accelerator of a node, when they differ.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accelerators: Vec<AcceleratorMemory>,
    /// Sum over accelerators, without host memory.
    pub total_bytes: Bytes,
    /// Host memory, where known.
    pub host_ram_bytes: Option<Bytes>,
    /// Disk for the files.
    pub disk_bytes: Option<Bytes>,
    /// What the engine takes from each accelerator, used or not.
    pub reserved_bytes: Option<Bytes>,
    /// What the engine leaves for the cache on each accelerator.
    pub kv_pool_bytes: Option<Bytes>,
    /// Tokens that the pool of one replica holds.
    pub kv_pool_tokens: Option<u64>,
    /// Sequences of full context that run at once on all replicas.
    pub sequences_at_context: Option<u64>,
    /// Of the whole model for one more token, without constant state.
    pub kv_cache_bytes_per_token: Option<Bytes>,
    /// Of the whole model for one sequence at the context, window-capped as the engine does.
    pub kv_cache_bytes_per_sequence: Option<Bytes>,
    /// Constant state of one sequence.
    pub state_bytes_per_sequence: Option<Bytes>,
    /// What each kind of accelerator holds, for the judgement.
    #[serde(skip)]
    pub(crate) ranks: Vec<Rank>,
}

/// What stops a job from fitting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the contract defines the names")]
pub enum LimitPart {
    Accelerator,
    HostRam,
    Disk,
    KvPoolOneSequence,
    KvPoolUsers,
    Parallel,
    Precision,
    Engine,
}

/// The first thing that stops a job from fitting.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Limit {
    /// Which.
    pub part: LimitPart,
    /// What it needs there; `None` where it is not a matter of size.
    pub need_bytes: Option<Bytes>,
    /// What there is.
    pub have_bytes: Option<Bytes>,
    /// The difference.
    pub short_bytes: Option<Bytes>,
    /// The same in words.
    pub text: Text,
}
