//! How a layer mixes the tokens of a sequence, and what it keeps for later tokens.

use std::sync::Arc;

use serde::Serialize;

use crate::Encoding;

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

/// A number of positions that a stack or a cache runs over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Length {
    /// Every token read or written.
    Tokens,
    /// The tokens of the prompt only (the encoder of an encoder-decoder).
    Prompt,
    /// A number fixed by the architecture (Whisper's 1,500 frames).
    Fixed(u64),
    /// So many for each image or clip.
    PerItem(u64),
    /// One for each so many pixels of the image (of each so many frames of the clip).
    Pixels {
        /// Pixels of a frame for one position.
        pixels: u64,
        /// Frames for one position.
        frames: u64,
    },
    /// The positions of [`Length::Pixels`] and the tokens of the prompt, in one sequence.
    PixelsAndPrompt {
        /// Pixels of a frame for one position.
        pixels: u64,
        /// Frames for one position.
        frames: u64,
    },
}

/// Something kept for each token (or each `every` tokens) of a sequence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cache {
    /// Its kind.
    pub kind: CacheKind,
    /// Heads that tensor parallelism divides; 1 means that every rank holds all of it (a latent).
    pub heads: u64,
    /// Elements of a key in a head.
    pub key: u64,
    /// Elements of a value in a head; 0 where one latent serves as both.
    pub value: u64,
    /// Tokens for each entry: 1, or more where entries are compressed.
    pub every: u64,
    /// Tokens that are kept; `None` for all.
    pub window: Option<u64>,
    /// What it runs over.
    pub over: Length,
    /// Storage where the architecture fixes it; `None` for the plan's cache precision.
    pub encoding: Option<Arc<Encoding>>,
}

/// A constant state of a sequence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct State {
    /// `Linear` or `Ssm`.
    pub kind: CacheKind,
    /// Heads over which tensor parallelism divides it.
    pub heads: u64,
    /// Elements of the recurrent state.
    pub elements: u64,
    /// Elements of the convolution's window.
    pub conv: u64,
    /// Storage of the recurrent state where the configuration fixes it; engines decide otherwise.
    pub encoding: Option<Arc<Encoding>>,
}

/// The small scorer of sparse attention that selects tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Indexer {
    /// Its heads.
    pub heads: u64,
    /// Width of a head.
    pub dim: u64,
    /// Tokens it selects.
    pub top_k: u64,
}

/// What a mixer computes for a token beside the products of its weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Compute {
    /// Softmax attention: scores and weighted values over what it looks back on.
    Attention {
        /// Query heads.
        heads: u64,
        /// Width of a key as attention computes it (for MLA when decoding: latent and rotary part).
        key_dim: u64,
        /// Width of a value as attention computes it.
        value_dim: u64,
        /// Tokens it looks back on; `None` for all.
        window: Option<u64>,
        /// Whether a token sees only earlier ones.
        causal: bool,
        /// Selects the tokens that are read.
        indexer: Option<Indexer>,
        /// Key and value width when reading a prompt, where they differ (MLA without absorption).
        prefill_dims: Option<(u64, u64)>,
    },
    /// Attention over an encoder's positions.
    Cross {
        /// Query heads.
        heads: u64,
        /// Width of a key and of a value.
        head_dim: u64,
        /// What it reads.
        over: Length,
    },
    /// A recurrence.
    Recurrence {
        /// Floating-point operations for one token.
        flops_per_token: u64,
    },
}

/// One sequence mixer of a layer. A layer may have several (parallel hybrids, encoder-decoders).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mixer {
    /// What it computes.
    pub compute: Compute,
    /// What it keeps for each token; empty where it reads another layer's cache.
    pub caches: Vec<Cache>,
    /// What it keeps for each sequence.
    pub state: Option<State>,
}
