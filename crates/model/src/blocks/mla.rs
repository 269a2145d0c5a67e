//! Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434 section 2.1), with DeepSeek-V3.2's indexer.

use std::sync::Arc;

use crate::parts::{Norm, Parts};
use crate::{Cache, CacheKind, Compute, Encoding, Indexer, Length, Mixer, Role, Scale};

/// Attention whose keys and values pass through a latent, which is all that is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mla {
    pub hidden: u64,
    pub heads: u64,
    /// Width of the latent of queries; `None` where they come straight from the stream.
    pub query_rank: Option<u64>,
    pub latent: u64,
    /// Width of a key in a head without and with rotation.
    pub plain: u64,
    pub rotary: u64,
    pub value: u64,
    pub bias: bool,
    /// Width of a query in a head, where it is not that of a key.
    pub query_width: Option<u64>,
    pub indexer: Option<Indexer>,
    /// Whether it reads what the indexer of an earlier layer selected, and has none of its own.
    pub reuses_selection: bool,
}

impl Mla {
    /// Adds its weights, and says what it computes and keeps.
    pub(crate) fn describe(&self, parts: &mut Parts) -> Mixer {
        let key = self.plain + self.rotary;
        let queries = self.heads * self.query_width.unwrap_or(key);
        match self.query_rank {
            None => {
                parts.matmul(Role::Query, "self_attn.q_proj", self.hidden, queries);
            }
            Some(rank) => {
                parts.matmul(Role::LatentDown, "self_attn.q_a_proj", self.hidden, rank).biased(self.bias);
                parts.norm(Norm::Rms, "self_attn.q_a_layernorm", rank);
                parts.matmul(Role::LatentUp, "self_attn.q_b_proj", rank, queries);
            }
        }
        let kept = self.latent + self.rotary;
        parts.matmul(Role::LatentDown, "self_attn.kv_a_proj_with_mqa", self.hidden, kept).biased(self.bias);
        parts.norm(Norm::Rms, "self_attn.kv_a_layernorm", self.latent);
        let up = self.heads * (self.plain + self.value);
        parts.matmul(Role::LatentUp, "self_attn.kv_b_proj", self.latent, up);
        let out = parts.matmul(Role::AttentionOut, "self_attn.o_proj", self.heads * self.value, self.hidden);
        out.biased(self.bias);
        if !self.reuses_selection {
            self.indexer(parts);
        }
        self.mixer(kept, key)
    }

    fn indexer(&self, parts: &mut Parts) {
        let (Some(Indexer { heads, dim, .. }), Some(rank)) = (self.indexer, self.query_rank) else { return };
        parts.matmul(Role::Indexer, "self_attn.indexer.wq_b", rank, heads * dim);
        parts.matmul(Role::Indexer, "self_attn.indexer.wk", self.hidden, dim);
        parts.norm(Norm::Layer, "self_attn.indexer.k_norm", dim);
        parts.matmul(Role::Indexer, "self_attn.indexer.weights_proj", self.hidden, heads);
    }

    fn mixer(&self, kept: u64, key: u64) -> Mixer {
        let latent = Cache {
            kind: CacheKind::Mla,
            heads: 1,
            key: kept,
            value: 0,
            every: 1,
            window: None,
            over: Length::Tokens,
            encoding: None,
        };
        let mut caches = vec![latent];
        if let Some(Indexer { dim, .. }) = self.indexer.filter(|_| !self.reuses_selection) {
            caches.push(Cache { key: dim, encoding: Some(indexer_encoding()), ..caches[0].clone() });
        }
        Mixer {
            compute: Compute::Attention {
                heads: self.heads,
                key_dim: kept,
                value_dim: self.latent,
                window: None,
                causal: true,
                indexer: self.indexer,
                prefill_dims: Some((key, self.value)),
            },
            caches,
            state: None,
        }
    }
}

/// Storage of the indexer's keys: FP8 with an FP32 scale for every 128, whatever the cache's precision (DeepSeek-V3.2's
/// inference/model.py `k_cache` and `k_scale_cache`; vLLM's `DeepseekV32IndexerCache` of `head_dim + head_dim / 128 * 4`
/// bytes).
pub(crate) fn indexer_encoding() -> Arc<Encoding> {
    let scales = vec![Scale { rows: 1, cols: 128, bits: 32 }];
    Arc::new(Encoding { scales, ..Encoding::plain("fp8", 8) })
}
