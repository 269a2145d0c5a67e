//! One weight: a matrix, a table or a vector, with its place in the model.

use std::borrow::Cow;

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

/// What the weight does, with its sizes in elements.
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
    /// Divided by vocabulary rows.
    Vocabulary,
}

/// One weight of a layer (or of the model outside its layers).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Weight {
    /// Path below its layer as the checkpoint names it, such as `self_attn.q_proj`.
    pub name: Cow<'static, str>,
    /// Part of the model.
    pub part: Part,
    /// What it is.
    pub shape: Shape,
    /// Copies in a layer: the number of experts, else 1.
    pub copies: u64,
    /// Copies that one token passes through: the experts chosen, else 1; 0 for what is not run.
    pub active: u64,
    /// How tensor parallelism divides it.
    pub split: Split,
    /// Storage of the matrix, table or kernel.
    pub encoding: Encoding,
    /// Storage of vectors and biases.
    pub vector_encoding: Encoding,
    /// Whether the storage is shared with another weight, which counts it.
    pub tied: bool,
}

impl Weight {
    /// Elements of one copy without its bias.
    pub fn main_elements(&self) -> u64 {
        match self.shape {
            Shape::MatMul { inputs, outputs, .. } => inputs.saturating_mul(outputs),
            Shape::Table { rows, width } => rows.saturating_mul(width),
            Shape::Vector { length } => length,
            Shape::Conv { inputs, outputs, kernel, .. } => {
                inputs.saturating_mul(outputs).saturating_mul(kernel)
            }
        }
    }

    /// Elements of one copy's bias.
    pub fn bias_elements(&self) -> u64 {
        match self.shape {
            Shape::MatMul { outputs, bias: true, .. } | Shape::Conv { outputs, bias: true, .. } => outputs,
            _ => 0,
        }
    }

    /// Parameters of all copies; 0 when tied.
    pub fn params(&self) -> u64 {
        if self.tied { 0 } else { self.copy_elements().saturating_mul(self.copies) }
    }

    /// Parameters that one token passes through. A tied weight is used, though it is not stored twice.
    pub fn active_params(&self) -> u64 {
        self.copy_elements().saturating_mul(self.active)
    }

    /// Stored bytes of all copies; 0 when tied.
    pub fn bytes(&self) -> Bytes {
        if self.tied { Bytes::ZERO } else { self.copy_bytes() * self.copies }
    }

    /// Bytes of one copy.
    pub fn copy_bytes(&self) -> Bytes {
        let main = match self.shape {
            Shape::Vector { .. } => self.vector_encoding,
            _ => self.encoding,
        };
        main.bytes(self.main_elements()) + self.vector_encoding.bytes(self.bias_elements())
    }

    fn copy_elements(&self) -> u64 {
        self.main_elements().saturating_add(self.bias_elements())
    }
}
