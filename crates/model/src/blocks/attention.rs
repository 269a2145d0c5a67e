//! Softmax attention with keys and values of its own: multi-head, grouped, multi-query, windowed, or over both sides.

use crate::parts::{Norm, Parts};
use crate::{Cache, CacheKind, Compute, Length, Mixer, Role, Split};

/// What is normalised before queries meet keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QkNorm {
    /// Nothing.
    None,
    /// Each head, with one weight for all of them.
    Head(Norm),
    /// Each head, with a weight of its own.
    EachHead(Norm),
    /// All heads together.
    Whole(Norm),
}

/// An attention block: `hidden` to heads and back.
#[expect(clippy::struct_excessive_bools, reason = "independent features of a family, named one by one")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attention {
    /// Path in the layer.
    pub at: &'static str,
    pub hidden: u64,
    pub heads: u64,
    pub kv_heads: u64,
    pub head_dim: u64,
    /// Width of a value in a head, where it is not that of a key.
    pub value_dim: Option<u64>,
    /// Width that it writes, where it is not the one it reads.
    pub out_width: Option<u64>,
    /// Width that keys and values read, where it is not that of queries.
    pub kv_width: Option<u64>,
    /// Width that values alone read, where it is another.
    pub value_width: Option<u64>,
    /// Whether the output matrix is as wide as the stream, whatever the heads are.
    pub square_out: bool,
    /// Biases of query, key and value.
    pub bias: [bool; 3],
    pub out_bias: bool,
    pub qk_norm: QkNorm,
    /// Whether queries, keys and values are one matrix in the checkpoint.
    pub fused: bool,
    /// A learned scalar for each head that softmax also sums over.
    pub sinks: bool,
    /// Outputs beside the queries that gate what attention gives.
    pub gate: u64,
    /// Tokens it looks back on.
    pub window: Option<u64>,
    /// Whether a token sees only earlier ones, and a cache is kept.
    pub causal: bool,
    /// Whether it reads the keys and values of an earlier layer, and has none of its own.
    pub shares_kv: bool,
    /// Whether keys serve as values too, and there is no matrix for values.
    pub keys_are_values: bool,
}

impl Attention {
    /// Grouped attention as Llama has it: no biases, no norms, all tokens.
    pub(crate) fn new(hidden: u64, heads: u64, kv_heads: u64, head_dim: u64) -> Self {
        Self {
            at: "self_attn",
            hidden,
            heads,
            kv_heads,
            head_dim,
            value_dim: None,
            out_width: None,
            kv_width: None,
            value_width: None,
            square_out: false,
            bias: [false; 3],
            out_bias: false,
            qk_norm: QkNorm::None,
            fused: false,
            sinks: false,
            gate: 0,
            window: None,
            causal: true,
            shares_kv: false,
            keys_are_values: false,
        }
    }

    /// Attention over both sides that keeps nothing, with biases everywhere: what most encoders have.
    pub(crate) fn encoder(hidden: u64, heads: u64) -> Self {
        Self {
            bias: [true; 3],
            out_bias: true,
            causal: false,
            ..Self::new(hidden, heads, heads, hidden / heads)
        }
    }

    /// Adds its weights, and says what it computes and keeps.
    pub(crate) fn describe(&self, parts: &mut Parts) -> Mixer {
        let value_dim = self.value_dim.unwrap_or(self.head_dim);
        let (query, key) = (self.heads * self.head_dim, self.kv_heads * self.head_dim);
        let value = self.kv_heads * value_dim;
        let named = |name: &str| format!("{}.{name}", self.at);
        if self.fused {
            let split = Split::Mixed { divided: query, kv: key + value, kv_heads: self.kv_heads, copied: 0 };
            let weight = parts.matmul(Role::Qkv, named("qkv_proj"), self.hidden, query + key + value);
            weight.biased(self.bias[0]).split(split);
        } else {
            let weight = parts.matmul(Role::Query, named("q_proj"), self.hidden, query + self.gate);
            weight.biased(self.bias[0]);
            if !self.shares_kv {
                let read = self.kv_width.unwrap_or(self.hidden);
                let by_heads = Split::KvHeads(self.kv_heads);
                let weight = parts.matmul(Role::Key, named("k_proj"), read, key);
                weight.biased(self.bias[1]).split(by_heads);
                if !self.keys_are_values {
                    let weight =
                        parts.matmul(Role::Value, named("v_proj"), self.value_width.unwrap_or(read), value);
                    weight.biased(self.bias[2]).split(by_heads);
                }
            }
        }
        let inputs = if self.square_out { self.hidden } else { self.heads * value_dim };
        let width = self.out_width.unwrap_or(self.hidden);
        let out = parts.matmul(Role::AttentionOut, named("o_proj"), inputs, width);
        out.biased(self.out_bias);
        self.norms(parts);
        if self.sinks {
            parts.vector(Role::Other, named("sinks"), self.heads).split(Split::Column);
        }
        let mut mixer = softmax(self.heads, self.kv_heads, (self.head_dim, value_dim), self.window);
        if self.shares_kv || !self.causal {
            mixer.caches.clear();
        }
        if let Compute::Attention { causal, .. } = &mut mixer.compute {
            *causal = self.causal;
        }
        mixer
    }

    fn norms(&self, parts: &mut Parts) {
        let (norm, query, key) = match self.qk_norm {
            QkNorm::None => return,
            QkNorm::Head(norm) => (norm, self.head_dim, self.head_dim),
            QkNorm::EachHead(norm) | QkNorm::Whole(norm) => {
                (norm, self.heads * self.head_dim, self.kv_heads * self.head_dim)
            }
        };
        parts.norm(norm, format!("{}.q_norm", self.at), query);
        if !self.shares_kv {
            parts.norm(norm, format!("{}.k_norm", self.at), key);
        }
    }
}

/// Causal softmax attention with a cache of keys and values, `dims` wide in each head.
pub(crate) fn softmax(heads: u64, kv_heads: u64, dims: (u64, u64), window: Option<u64>) -> Mixer {
    let kind = if window.is_some() { CacheKind::Window } else { CacheKind::Full };
    let (key, value) = dims;
    let cache =
        Cache { kind, heads: kv_heads, key, value, every: 1, window, over: Length::Tokens, encoding: None };
    Mixer {
        compute: Compute::Attention {
            heads,
            key_dim: key,
            value_dim: value,
            window,
            causal: true,
            indexer: None,
            prefill_dims: None,
        },
        caches: vec![cache],
        state: None,
    }
}
