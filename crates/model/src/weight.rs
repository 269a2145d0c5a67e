//! One weight: a matrix, a table or a vector, with its place in the model.

use std::borrow::Cow;
use std::sync::Arc;

use maat_base::Bytes;
use serde::Serialize;

use crate::Encoding;

/// Which part of the model a weight belongs to; the keys of `params_by_part`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Token, position and type embeddings.
    Embedding,
    /// Projections of attention of any kind.
    Attention,
    /// Dense feed-forward layers.
    Mlp,
    /// Experts of which a token visits a few.
    RoutedExperts,
    /// Experts that every token visits.
    SharedExperts,
    /// What chooses the experts.
    Router,
    /// Normalisation.
    Norm,
    /// Output head.
    Head,
    /// Vision, audio and other towers with their projectors.
    Towers,
    /// State-space and linear-attention mixers.
    StateSpace,
    /// Anything else.
    Other,
}

impl Part {
    /// Every part.
    pub const ALL: [Self; 11] = [
        Self::Embedding,
        Self::Attention,
        Self::Mlp,
        Self::RoutedExperts,
        Self::SharedExperts,
        Self::Router,
        Self::Norm,
        Self::Head,
        Self::Towers,
        Self::StateSpace,
        Self::Other,
    ];
}

/// What a weight does in its layer, whatever the family calls it. Adapters, quantisation and activations go by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the field's own")]
pub enum Role {
    Query,
    Key,
    Value,
    /// Queries, keys and values in one matrix.
    Qkv,
    AttentionOut,
    /// To a latent (MLA and the like).
    LatentDown,
    /// From a latent.
    LatentUp,
    /// Scores of a sparse-attention indexer.
    Indexer,
    /// The gated half of a gated MLP.
    Gate,
    Up,
    /// Gate and up in one matrix.
    GateUp,
    Down,
    Router,
    Norm,
    Embed,
    Head,
    /// Into a recurrent or state-space mixer.
    StateIn,
    /// Out of it.
    StateOut,
    Other,
}

/// The sizes of a weight in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// A matrix product of `inputs` to `outputs`, with a bias or not.
    MatMul {
        /// Width of the input.
        inputs: u64,
        /// Width of the output.
        outputs: u64,
        /// Whether a bias of `outputs` elements is added.
        bias: bool,
    },
    /// A table of which a token reads one row.
    Table {
        /// Number of rows.
        rows: u64,
        /// Width of a row.
        width: u64,
    },
    /// A vector used elementwise: a norm's weight, a decay, a learned scalar.
    Vector {
        /// Its length.
        length: u64,
    },
    /// A convolution.
    Conv {
        /// Input channels in a group.
        inputs: u64,
        /// Output channels.
        outputs: u64,
        /// Product of the kernel's extents.
        kernel: u64,
        /// Whether a bias of `outputs` elements is added.
        bias: bool,
    },
}

/// How tensor parallelism divides a weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Split {
    /// Every rank holds all of it.
    Replicated,
    /// Divided over the ranks along the output.
    Column,
    /// Divided over the ranks along the input; its product is summed by an all-reduce.
    Row,
    /// Divided by key-value heads, which are copied when there are fewer of them than ranks.
    KvHeads(u64),
    /// A fused matrix: of its outputs, some divide, some divide by key-value heads, some are copied.
    Mixed {
        /// Outputs that divide.
        divided: u64,
        /// Outputs that divide by key-value heads.
        kv: u64,
        /// The number of those heads.
        kv_heads: u64,
        /// Outputs that every rank holds.
        copied: u64,
    },
    /// Divided by rows of the vocabulary.
    Vocabulary,
}

/// Whether the weight has storage of its own and counts as a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Storage {
    /// A parameter with its own storage.
    Own,
    /// Stored, but not a parameter in the library's class: a router's bias buffer, running statistics.
    Buffer,
    /// Another use of the storage that the weight with the same number owns (tied heads, repeated blocks).
    Shared(u16),
}

/// One weight of a layer (or before or after a stack's layers).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Weight {
    /// Path below its layer as the checkpoint names it, such as `self_attn.q_proj`.
    pub name: Cow<'static, str>,
    /// Part of the model.
    pub part: Part,
    /// What it does.
    pub role: Role,
    /// Its sizes.
    pub shape: Shape,
    /// Copies in a layer: the number of experts, else 1.
    pub copies: u64,
    /// Copies that one token passes through: the experts chosen, else 1; 0 for what is not run.
    pub active: u64,
    /// How tensor parallelism divides it.
    pub split: Split,
    /// Whether it has storage of its own.
    pub storage: Storage,
    /// Storage of the matrix, table, kernel or vector.
    pub encoding: Arc<Encoding>,
    /// Storage of its bias.
    pub bias_encoding: Arc<Encoding>,
}

impl Weight {
    /// Rows (outputs) and columns (inputs) of one copy without its bias.
    pub fn rows_cols(&self) -> (u64, u64) {
        match self.shape {
            Shape::MatMul { inputs, outputs, .. } => (outputs, inputs),
            Shape::Table { rows, width } => (rows, width),
            Shape::Vector { length } => (1, length),
            Shape::Conv { inputs, outputs, kernel, .. } => (outputs, inputs.saturating_mul(kernel)),
        }
    }

    /// Elements of one copy's bias.
    pub fn bias_elements(&self) -> u64 {
        match self.shape {
            Shape::MatMul { outputs, bias: true, .. } | Shape::Conv { outputs, bias: true, .. } => outputs,
            _ => 0,
        }
    }

    /// Elements of one copy with its bias.
    pub fn copy_elements(&self) -> u64 {
        let (rows, cols) = self.rows_cols();
        rows.saturating_mul(cols).saturating_add(self.bias_elements())
    }

    /// Stored bytes of one copy, whoever owns the storage.
    pub fn copy_bytes(&self) -> Bytes {
        let (rows, cols) = self.rows_cols();
        self.encoding.bytes(rows, cols) + self.bias_encoding.bytes(1, self.bias_elements())
    }

    /// Parameters that this weight adds to the model: 0 for buffers and shared storage.
    pub fn params(&self) -> u64 {
        if self.storage == Storage::Own { self.copy_elements().saturating_mul(self.copies) } else { 0 }
    }

    /// Elements that this weight adds to a checkpoint, buffers too: 0 for shared storage.
    pub fn stored_elements(&self) -> u64 {
        let shared = matches!(self.storage, Storage::Shared(_));
        if shared { 0 } else { self.copy_elements().saturating_mul(self.copies) }
    }

    /// Parameters of this weight's own storage that one token passes through.
    pub fn active_params(&self) -> u64 {
        if self.storage == Storage::Own { self.used_params() } else { 0 }
    }

    /// Parameters that one token is multiplied with here, whoever owns the storage: what operations are counted by.
    pub fn used_params(&self) -> u64 {
        self.copy_elements().saturating_mul(self.active)
    }

    /// Bytes that this weight adds to the model: 0 for shared storage.
    pub fn bytes(&self) -> Bytes {
        if matches!(self.storage, Storage::Shared(_)) { Bytes::ZERO } else { self.copy_bytes() * self.copies }
    }
}
