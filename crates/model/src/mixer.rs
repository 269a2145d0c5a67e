//! How a layer mixes the tokens of a sequence, and what it keeps for later tokens.

use serde::Serialize;

/// The kinds of cache, as `kv_kinds` names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CacheKind {
    /// Keys and values of every token.
    Full,
    /// Keys and values of the last tokens.
    Window,
    /// A compressed latent of every token.
    Mla,
    /// A constant state of linear attention.
    Linear,
    /// A constant state of a state-space model.
    Ssm,
    /// Keys and values of the encoder's tokens.
    Cross,
}

/// One sequence mixer of a layer. A layer may have several (parallel hybrids, encoder-decoders).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mixer {
    /// Softmax attention over keys and values.
    Attention {
        /// Query heads.
        heads: u64,
        /// Key-value heads.
        kv_heads: u64,
        /// Width of a key.
        key_dim: u64,
        /// Width of a value.
        value_dim: u64,
        /// Tokens that a query can look back on; `None` for all.
        window: Option<u64>,
        /// Whether it reads another layer's cache instead of keeping its own.
        shares_cache: bool,
        /// Whether every token sees only earlier ones.
        causal: bool,
    },
    /// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434): one latent and one rotary key for all heads.
    Mla {
        /// Query heads.
        heads: u64,
        /// Width of the latent, `kv_lora_rank`.
        latent: u64,
        /// Width of the rotary key, `qk_rope_head_dim`.
        rope_dim: u64,
        /// Width of a key without its rotary part, `qk_nope_head_dim`.
        nope_dim: u64,
        /// Width of a value.
        value_dim: u64,
        /// Extra cached elements per token of a sparse indexer, 0 without one.
        index_dim: u64,
        /// Tokens that the indexer selects; `None` when all are read.
        selected: Option<u64>,
    },
    /// A recurrence with a constant state: linear attention, gated delta, Mamba.
    Recurrent {
        /// `Linear` or `Ssm`.
        kind: CacheKind,
        /// Heads over which tensor parallelism divides the state.
        heads: u64,
        /// Elements of the recurrent state of one sequence.
        state: u64,
        /// Elements of the convolution's window of one sequence.
        conv: u64,
        /// Floating-point operations for one token, beyond the weights' products.
        flops_per_token: u64,
    },
    /// Attention of a decoder over an encoder's tokens.
    Cross {
        /// Query heads.
        heads: u64,
        /// Key-value heads.
        kv_heads: u64,
        /// Width of a key and of a value.
        head_dim: u64,
        /// Tokens of the encoder.
        source_tokens: u64,
    },
}
