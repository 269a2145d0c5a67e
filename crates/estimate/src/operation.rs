//! The operations that a model is made of.
//!
//! A [`Profile`] gathers what a model's layers need, once; [`Profile::operations`] is then the list of what one accelerator
//! does in one [`Pass`]. Nothing here knows how fast anything is.

mod list;
mod profile;

use maat_base::Bytes;
use maat_model::Part;
use serde::Serialize;

pub(crate) use list::Shards;
pub use profile::Profile;
pub(crate) use profile::{Block, Product};

/// Reading a prompt or writing an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names are the field's own")]
pub enum Phase {
    Prefill,
    Decode,
}

/// One run of the model over a batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pass {
    /// Reading or writing.
    pub phase: Phase,
    /// Sequences of one replica in it; a mean may be fractional.
    pub sequences: f64,
    /// New tokens of each.
    pub tokens: f64,
    /// Tokens of each that were there before.
    pub past: f64,
}

impl Pass {
    /// One token for each of so many sequences.
    pub fn decode(sequences: f64, past: f64) -> Self {
        Self { phase: Phase::Decode, sequences, tokens: 1.0, past }
    }

    /// A stretch of prompt for each of so many sequences.
    pub fn prefill(sequences: f64, tokens: f64, past: f64) -> Self {
        Self { phase: Phase::Prefill, sequences, tokens, past }
    }
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
        m: f64,
        /// Outputs.
        n: f64,
        /// Inputs.
        k: f64,
    },
    /// Matrix products of the experts that are visited, in one kernel.
    Experts {
        /// Experts that are visited: a mean.
        touched: f64,
        /// Rows of activations of all of them.
        m: f64,
        /// Outputs.
        n: f64,
        /// Inputs.
        k: f64,
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

/// An operation of one accelerator in one pass, as often as it is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Operation {
    /// What it is.
    pub kernel: Kernel,
    /// Part of the model it belongs to.
    pub part: Part,
    /// How often it is done in a pass.
    pub repeat: u64,
    /// Kernels that are launched for one.
    pub kernels: u32,
    /// Floating-point operations of one.
    pub flops: f64,
    /// Bytes that one reads and writes in memory, or sends.
    pub bytes: Bytes,
    /// Elements of the weights that one reads.
    pub weights: f64,
    /// Row of `arithmetic.csv` that says how its weights are computed in; `None` for what has no weights.
    pub arithmetic: Option<u16>,
}
