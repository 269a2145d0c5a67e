//! What a model is, in figures: the object `model` of every answer that has one.

use std::collections::BTreeMap;

use maat_base::{Bytes, Fault};
use serde::Serialize;

use crate::precision;
use crate::{Cache, CacheKind, Compute, Encoding, Length, Mixer, Model, Part, Stack, StackKind};

/// Figures of a model, as the contract names them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModelSummary {
    /// As the user gave it or the files hold it.
    pub name: String,
    /// The class of the Transformers library.
    pub architecture: String,
    /// The family.
    pub family: String,
    /// Parameters of that class: tied tensors once; no buffers, multi-token prediction or scales.
    pub params_total: u64,
    /// Parameters of multi-token prediction, beside the total; `None` where the model has such layers and they are not
    /// described.
    pub params_mtp: Option<u64>,
    /// Parameters that one token passes through.
    pub params_active: u64,
    /// The total by part; every part is there.
    pub params_by_part: BTreeMap<Part, u64>,
    /// Bytes of the weights as stored, scales, buffers and multi-token prediction included.
    pub weights_bytes: Bytes,
    /// Precision of most weights.
    pub precision: String,
    /// Layers of the stack that writes tokens, or else of the first stack.
    pub layers: Option<u64>,
    /// Width of its residual stream.
    pub hidden: Option<u64>,
    /// Query heads of the attention that most of its layers have.
    pub heads: Option<u64>,
    /// Key-value heads of that attention.
    pub kv_heads: Option<u64>,
    /// Width of a key in a head.
    pub head_dim: Option<u64>,
    /// Rows of the vocabulary.
    pub vocabulary: Option<u64>,
    /// Most tokens the model was made for.
    pub context_max: Option<u64>,
    /// What is kept for each sequence; `None` where only tensors are known.
    pub kv_kinds: Option<Vec<KvKind>>,
}

/// Caches or states of one kind and size.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KvKind {
    /// Their kind.
    pub kind: CacheKind,
    /// Layers that have one.
    pub layers: u64,
    /// Bytes for each token of all these layers, in the type that the checkpoint asks for or else its own.
    pub bytes_per_token: Option<f64>,
    /// Tokens that are kept, where not all.
    pub window: Option<u64>,
    /// Bytes of the constant state of a sequence in all these layers; the recurrence in fp32 unless stated.
    pub state_bytes: Option<Bytes>,
}

impl Model {
    /// Whether its attention can be computed: a head of keys serves a whole number of heads of queries. The library makes
    /// the class of a configuration of which this is not so, and fails at the first token.
    ///
    /// # Errors
    /// `config-heads-uneven` with both counts.
    pub fn check_heads(&self) -> Result<(), Fault> {
        let mixers = self.stacks.iter().flat_map(|stack| &stack.layers).flat_map(|layer| &layer.mixers);
        for mixer in mixers {
            let Compute::Attention { heads, .. } = mixer.compute else { continue };
            let own = |cache: &&Cache| matches!(cache.kind, CacheKind::Full | CacheKind::Window);
            for cache in mixer.caches.iter().filter(own) {
                if cache.heads > 0 && !heads.is_multiple_of(cache.heads) {
                    let fault = Fault::content("config-heads-uneven")
                        .at(format!("{}: num_key_value_heads", self.name));
                    return Err(fault.with("kv_heads", cache.heads).with("heads", heads));
                }
            }
        }
        Ok(())
    }

    /// The figures of this model.
    pub fn summary(&self) -> ModelSummary {
        let main = self.decoder().or(self.stacks.first());
        let attention = main.and_then(usual_attention);
        ModelSummary {
            name: self.name.clone(),
            architecture: self.architecture.clone(),
            family: self.family.clone(),
            params_total: self.params_total(),
            params_mtp: self.mtp_known.then(|| self.params_mtp()),
            params_active: self.params_active(),
            params_by_part: self.params_by_part(),
            weights_bytes: self.weights_bytes(),
            precision: self.precision.clone(),
            layers: main
                .filter(|stack| stack.kind != StackKind::Denoiser)
                .map(|stack| stack.order.len() as u64)
                .filter(|layers| *layers > 0 && self.caches_known),
            hidden: main.map(|stack| stack.hidden).filter(|hidden| *hidden > 0),
            heads: attention.map(|attention| attention.0),
            kv_heads: attention.and_then(|attention| attention.1),
            head_dim: attention.map(|attention| attention.2),
            vocabulary: self.vocabulary,
            context_max: self.context_max,
            kv_kinds: self.caches_known.then(|| self.kv_kinds()),
        }
    }

    /// Elements that the checkpoint stores for multi-token prediction, which the total leaves out. No class of the
    /// library has them, so what would be a buffer there counts as well.
    pub fn params_mtp(&self) -> u64 {
        let stacks = self.stacks.iter().filter(|stack| stack.kind == StackKind::Mtp);
        let stored =
            stacks.flat_map(Stack::weights).map(|(weight, n)| weight.stored_elements().saturating_mul(n));
        stored.fold(0, u64::saturating_add)
    }

    /// Parameters that one token passes through: of the routed experts only those that are chosen.
    pub fn params_active(&self) -> u64 {
        self.weights()
            .map(|(weight, n)| weight.active_params().saturating_mul(n))
            .fold(0, u64::saturating_add)
    }

    /// The total by part; every part is there.
    pub fn params_by_part(&self) -> BTreeMap<Part, u64> {
        let mut parts: BTreeMap<Part, u64> = Part::ALL.iter().map(|part| (*part, 0)).collect();
        for (weight, n) in self.weights() {
            let count = parts.entry(weight.part).or_default();
            *count = count.saturating_add(weight.params().saturating_mul(n));
        }
        parts
    }

    /// Bytes of all weights as stored: what headers state, or else what the encodings give.
    pub fn weights_bytes(&self) -> Bytes {
        let computed =
            || self.stacks.iter().flat_map(Stack::weights).map(|(weight, n)| weight.bytes() * n).sum();
        self.stored_bytes.unwrap_or_else(computed)
    }

    /// The caches and states of a sequence, alike ones together.
    pub fn kv_kinds(&self) -> Vec<KvKind> {
        let mut kinds: Vec<KvKind> = Vec::new();
        let stacks = self.stacks.iter().filter(|stack| stack.kind == StackKind::Decoder);
        for (layer, n) in stacks.flat_map(Stack::kinds) {
            for mixer in &layer.mixers {
                for cache in &mixer.caches {
                    merge(&mut kinds, self.kind_of_cache(cache, n));
                }
                if let Some(state) = self.kind_of_state(mixer, n) {
                    merge(&mut kinds, state);
                }
            }
        }
        kinds
    }

    /// Storage of the cache where neither plan nor architecture says: what the checkpoint asks for, or else the type
    /// that it computes in (bf16 for one in fp32, as engines do).
    pub fn cache_encoding(&self) -> std::sync::Arc<Encoding> {
        self.kv_default.clone().unwrap_or_else(|| self.compute_encoding())
    }

    /// The type that it computes in; bf16 for one in fp32, as engines do.
    fn compute_encoding(&self) -> std::sync::Arc<Encoding> {
        if self.dtype.block_bits == 16 { self.dtype.clone() } else { precision::encoding("bf16") }
    }

    fn kind_of_cache(&self, cache: &Cache, layers: u64) -> KvKind {
        let encoding = cache.encoding.clone().unwrap_or_else(|| self.cache_encoding());
        let entry = encoding.bytes(cache.heads, cache.key) + encoding.bytes(cache.heads, cache.value);
        let per_token =
            (cache.over == Length::Tokens).then(|| (entry * layers).as_f64() / cache.every.max(1) as f64);
        let fixed = match cache.over {
            Length::Fixed(positions) => Some(entry * layers * positions),
            _ => None,
        };
        KvKind {
            kind: cache.kind,
            layers,
            bytes_per_token: per_token,
            window: cache.window,
            state_bytes: fixed,
        }
    }

    fn kind_of_state(&self, mixer: &Mixer, layers: u64) -> Option<KvKind> {
        let state = mixer.state.as_ref()?;
        let recurrent = state.encoding.clone().unwrap_or_else(|| precision::encoding("fp32"));
        // A cache in FP8 leaves the convolution's window as it is.
        let bytes = recurrent.bytes(1, state.elements) + self.compute_encoding().bytes(1, state.conv);
        Some(KvKind {
            kind: state.kind,
            layers,
            bytes_per_token: None,
            window: None,
            state_bytes: Some(bytes * layers),
        })
    }
}

/// Adds a kind to the list, or to the entry that differs only in how many layers have it.
fn merge(kinds: &mut Vec<KvKind>, new: KvKind) {
    let per_layer = |kind: &KvKind| {
        let n = kind.layers.max(1);
        (kind.kind, kind.window, kind.bytes_per_token.map(|x| x / n as f64), kind.state_bytes.map(|x| x / n))
    };
    match kinds.iter_mut().find(|kind| per_layer(kind) == per_layer(&new)) {
        None => kinds.push(new),
        Some(kind) => {
            kind.layers += new.layers;
            kind.bytes_per_token = kind.bytes_per_token.zip(new.bytes_per_token).map(|(a, b)| a + b);
            kind.state_bytes = kind.state_bytes.zip(new.state_bytes).map(|(a, b)| a + b);
        }
    }
}

/// Query heads, key-value heads and key width of the attention that most layers of a stack have. For latent attention
/// these are the heads that read the prompt.
fn usual_attention(stack: &Stack) -> Option<(u64, Option<u64>, u64)> {
    let of_layers = stack.kinds().flat_map(|(layer, n)| layer.mixers.iter().map(move |mixer| (mixer, n)));
    let attention = of_layers.filter_map(|(mixer, n)| match mixer.compute {
        Compute::Attention { heads, key_dim, prefill_dims, .. } => {
            let latent = prefill_dims.map(|(key, _)| (heads, Some(heads), key));
            let own = (heads, mixer.caches.first().map(|cache| cache.heads), key_dim);
            Some((latent.unwrap_or(own), n))
        }
        _ => None,
    });
    attention.reduce(|most, other| if other.1 > most.1 { other } else { most }).map(|(figures, _)| figures)
}
