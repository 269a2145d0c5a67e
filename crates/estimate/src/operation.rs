//! The operations that a model is made of.

use maat_base::Bytes;
use maat_model::Part;
use serde::Serialize;

/// Reading a prompt or writing an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are the field's own")]
pub enum Phase {
    Prefill,
    Decode,
}

/// A collective of communication (NCCL's terms).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the field's own")]
pub enum Collective {
    AllReduce,
    AllGather,
    ReduceScatter,
    AllToAll,
    SendReceive,
}

/// What an operation is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kernel {
    /// A matrix product `m x k` by `k x n`.
    MatMul {
        /// Rows of the activations: tokens.
        m: u64,
        /// Outputs.
        n: u64,
        /// Inputs.
        k: u64,
    },
    /// Attention over cached and new tokens.
    Attention,
    /// A recurrence over tokens.
    Scan,
    /// Norms, activations, residuals, rotary embeddings.
    Elementwise,
    /// Reading rows of a table.
    Gather,
    /// Bringing tokens to their experts and back within one accelerator.
    Dispatch,
    /// Communication between accelerators.
    Collective {
        /// Which.
        kind: Collective,
        /// Ranks that take part.
        ranks: u32,
    },
}

/// An operation of one accelerator in one step, as often as it is repeated.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Operation {
    /// What it is.
    pub kernel: Kernel,
    /// Part of the model it belongs to.
    pub part: Part,
    /// How often it is done in a step.
    pub repeat: u64,
    /// Floating-point operations of one.
    pub flops: f64,
    /// Bytes that one reads and writes in memory, or sends.
    pub bytes: Bytes,
}
