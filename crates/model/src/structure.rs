//! A whole model: its layers and what stands around them.

use maat_base::{Basis, Bytes};
use serde::Serialize;

use crate::{Mixer, Weight};

/// Which stack of layers a group belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stack {
    /// The decoder: runs for every token that is read or written.
    Decoder,
    /// The encoder of an encoder-decoder or an encoder alone: runs once over the input.
    Encoder,
    /// A vision, audio or other tower: runs once over its own input.
    Tower,
}

/// Layers that are equal in every size.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LayerGroup {
    /// Its stack.
    pub stack: Stack,
    /// How many layers of the model are like this.
    pub repeat: u64,
    /// How the layer mixes the sequence; none for a layer without mixing.
    pub mixers: Vec<Mixer>,
    /// The weights of one layer.
    pub weights: Vec<Weight>,
}

/// A model, read from its files or built from a size.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Model {
    /// Name as the user gave it or the files hold it.
    pub name: String,
    /// The class in `architectures[0]`, such as `LlamaForCausalLM`.
    pub architecture: String,
    /// The family, as `model_type` names it.
    pub family: String,
    /// Width of the residual stream.
    pub hidden: u64,
    /// Query heads of the commonest attention layer, 0 without attention.
    pub heads: u64,
    /// Key-value heads of the commonest attention layer.
    pub kv_heads: u64,
    /// Width of a head of the commonest attention layer.
    pub head_dim: u64,
    /// Rows of the vocabulary.
    pub vocabulary: u64,
    /// Most tokens the model was made for, where stated.
    pub context_max: Option<u64>,
    /// Name of the precision of most weights, as in the contract.
    pub precision: String,
    /// Groups of equal layers.
    pub groups: Vec<LayerGroup>,
    /// For each layer in order, the index of its group.
    pub order: Vec<u16>,
    /// Embeddings, final norm, head, projectors.
    pub outer: Vec<Weight>,
    /// Multi-token-prediction layers, which ordinary serving does not run.
    pub mtp: Vec<Weight>,
    /// Bytes of all tensors as headers state them, where headers were read.
    pub stored_bytes: Option<Bytes>,
    /// `Computed` from files, `Estimated` from a bare size.
    pub basis: Basis,
}
