//! A whole model: its stacks of layers and what stands around them.

use std::borrow::Cow;
use std::sync::Arc;

use maat_base::{Assumed, Basis, Bytes};
use serde::Serialize;

use crate::{Encoding, Length, Mixer, Weight};

/// What a stack of layers is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum StackKind {
    /// Runs for every token that is read or written.
    Decoder,
    /// Runs once over the input.
    Encoder,
    /// A vision, audio or other tower: runs once over its own input.
    Tower,
    /// Removes the noise of an image or clip: runs at every step of a diffusion.
    Denoiser,
    /// Turns pixels into latents and back.
    Autoencoder,
    /// Multi-token prediction: stored, and run only for speculative decoding.
    Mtp,
}

/// One kind of layer; layers that are equal in every size share it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Layer {
    /// How it mixes the sequence; none for a layer without mixing.
    pub mixers: Vec<Mixer>,
    /// Its weights.
    pub weights: Vec<Weight>,
}

/// Layers that run one after another over the same positions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stack {
    /// What it is for.
    pub kind: StackKind,
    /// Path of the layers in the checkpoint, such as `model.layers`.
    pub path: Cow<'static, str>,
    /// Width of the residual stream.
    pub hidden: u64,
    /// The positions it runs over.
    pub over: Length,
    /// Weights before the first layer: embeddings.
    pub before: Vec<Weight>,
    /// The kinds of layer it has.
    pub layers: Vec<Layer>,
    /// For each layer in order, the index of its kind.
    pub order: Vec<u16>,
    /// Weights after the last layer: final norm, head, projector.
    pub after: Vec<Weight>,
}

/// A model, read from its files or built from a size. The stack that writes tokens, where there is one, is
/// [`Model::decoder`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Model {
    /// Name as the user gave it or the files hold it.
    pub name: String,
    /// The class in `architectures[0]`, such as `LlamaForCausalLM`.
    pub architecture: String,
    /// The family, as `model_type` names it.
    pub family: String,
    /// Its stacks, in the order they run.
    pub stacks: Vec<Stack>,
    /// Rows of the vocabulary, where there is one.
    pub vocabulary: Option<u64>,
    /// Most tokens the model was made for, where stated.
    pub context_max: Option<u64>,
    /// The type it computes in where nothing is quantised, such as `bf16`.
    pub dtype: Arc<Encoding>,
    /// Name of the precision of most weights, as in the contract.
    pub precision: String,
    /// Storage of the cache that the checkpoint asks for, where it does.
    pub kv_default: Option<Arc<Encoding>>,
    /// Whether mixers, and so caches, are known; not so when only tensor headers were read.
    pub caches_known: bool,
    /// Whether layers of multi-token prediction, where the model has them, are among the stacks.
    pub mtp_known: bool,
    /// Bytes of all tensors as headers state them, where headers were read.
    pub stored_bytes: Option<Bytes>,
    /// The licence as the files name it.
    pub licence: Option<String>,
    /// `Computed` from files, `Estimated` from a bare size.
    pub basis: Basis,
    /// What was taken where the files say nothing, such as the library's default for an absent key.
    pub assumed: Vec<Assumed>,
}

impl Stack {
    /// Each kind of layer with how often it occurs.
    pub fn kinds(&self) -> impl Iterator<Item = (&Layer, u64)> {
        let mut counts = vec![0; self.layers.len()];
        for &kind in &self.order {
            if let Some(count) = counts.get_mut(usize::from(kind)) {
                *count += 1;
            }
        }
        self.layers.iter().zip(counts)
    }

    /// Every weight with how often it occurs.
    pub fn weights(&self) -> impl Iterator<Item = (&Weight, u64)> {
        let around = self.before.iter().chain(&self.after).map(|weight| (weight, 1));
        around.chain(self.kinds().flat_map(|(layer, n)| layer.weights.iter().map(move |weight| (weight, n))))
    }
}

impl Model {
    /// The stack that writes tokens.
    pub fn decoder(&self) -> Option<&Stack> {
        self.stacks.iter().find(|stack| stack.kind == StackKind::Decoder)
    }

    /// Every weight of every stack but multi-token prediction, with how often it occurs.
    pub fn weights(&self) -> impl Iterator<Item = (&Weight, u64)> {
        self.stacks.iter().filter(|stack| stack.kind != StackKind::Mtp).flat_map(Stack::weights)
    }

    /// Parameters as the class in `architectures[0]` counts them: tied tensors once; no buffers, no multi-token
    /// prediction, no scales.
    pub fn params_total(&self) -> u64 {
        self.weights().map(|(weight, n)| weight.params().saturating_mul(n)).fold(0, u64::saturating_add)
    }
}
