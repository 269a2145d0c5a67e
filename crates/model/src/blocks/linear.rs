//! Linear attention: gated delta nets (arXiv 2412.06464) and Kimi's (arXiv 2510.26692).

use crate::blocks::mamba::recurrence;
use crate::parts::{Norm, Parts};
use crate::{CacheKind, Mixer, Part, Role};

/// A gated delta net as Qwen3-Next has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeltaNet {
    pub hidden: u64,
    pub key_heads: u64,
    pub key_dim: u64,
    pub value_heads: u64,
    pub value_dim: u64,
    pub kernel: u64,
    /// Whether the inputs' matrices are fused two by two (Qwen3-Next) or four (Qwen3.5).
    pub fused: bool,
}

impl DeltaNet {
    /// Adds its weights, and says what it computes and keeps.
    pub(crate) fn describe(&self, parts: &mut Parts) -> Mixer {
        let Self { hidden, key_heads, key_dim, value_heads, value_dim, kernel, .. } = *self;
        let (keys, values) = (key_heads * key_dim, value_heads * value_dim);
        let conv = 2 * keys + values;
        parts.within(Part::StateSpace, |parts| {
            let mut input = |name, columns| {
                parts.matmul(Role::StateIn, name, hidden, columns);
            };
            if self.fused {
                input("linear_attn.in_proj_qkvz", conv + values);
                input("linear_attn.in_proj_ba", 2 * value_heads);
            } else {
                input("linear_attn.in_proj_qkv", conv);
                input("linear_attn.in_proj_z", values);
                input("linear_attn.in_proj_b", value_heads);
                input("linear_attn.in_proj_a", value_heads);
            }
            parts.conv("linear_attn.conv1d", 1, conv, kernel);
            parts.vector(Role::Other, "linear_attn.dt_bias", value_heads);
            parts.vector(Role::Other, "linear_attn.A_log", value_heads);
            parts.norm(Norm::Rms, "linear_attn.norm", value_dim);
            parts.matmul(Role::StateOut, "linear_attn.out_proj", values, hidden);
        });
        let elements = values.saturating_mul(key_dim);
        recurrence(CacheKind::Linear, value_heads, elements, conv * kernel.saturating_sub(1), 7)
    }
}

/// Kimi's delta attention: a decay for each channel, through matrices of low rank.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KimiDelta {
    pub hidden: u64,
    pub heads: u64,
    pub head_dim: u64,
    pub kernel: u64,
    /// Whether decay and gate have matrices of full rank.
    pub full: bool,
}

impl KimiDelta {
    /// Adds its weights, and says what it computes and keeps.
    pub(crate) fn describe(&self, parts: &mut Parts) -> Mixer {
        let Self { hidden, heads, head_dim, kernel, full } = *self;
        let width = heads * head_dim;
        parts.within(Part::StateSpace, |parts| {
            for name in ["self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"] {
                parts.matmul(Role::StateIn, name, hidden, width);
            }
            parts.conv("self_attn.conv1d", 1, 3 * width, kernel);
            parts.vector(Role::Other, "self_attn.dt_bias", width);
            parts.vector(Role::Other, "self_attn.A_log", heads);
            for (down, up) in
                [("self_attn.f_a_proj", "self_attn.f_b_proj"), ("self_attn.g_a_proj", "self_attn.g_b_proj")]
            {
                if full {
                    parts.matmul(Role::StateIn, up, hidden, width);
                } else {
                    parts.matmul(Role::LatentDown, down, hidden, head_dim);
                    parts.matmul(Role::LatentUp, up, head_dim, width);
                }
            }
            parts.matmul(Role::StateIn, "self_attn.b_proj", hidden, heads);
            parts.norm(Norm::Rms, "self_attn.o_norm", head_dim);
            parts.matmul(Role::StateOut, "self_attn.o_proj", width, hidden);
        });
        let elements = width.saturating_mul(head_dim);
        recurrence(
            CacheKind::Linear,
            heads,
            elements,
            (3 * width).saturating_mul(kernel.saturating_sub(1)),
            7,
        )
    }
}
