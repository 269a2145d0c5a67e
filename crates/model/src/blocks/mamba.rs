//! State-space mixers: Mamba (arXiv 2312.00752) and Mamba-2 (arXiv 2405.21060).

use crate::parts::{Norm, Parts};
use crate::{CacheKind, Compute, Mixer, Part, Role, State};

/// The first Mamba.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mamba1 {
    /// Path in the layer.
    pub at: &'static str,
    pub hidden: u64,
    pub inner: u64,
    pub state: u64,
    pub kernel: u64,
    /// Rank of the time step.
    pub rank: u64,
    pub bias: bool,
    pub conv_bias: bool,
    /// Whether time step, B and C are normalised with learned weights (Jamba).
    pub normed: bool,
}

impl Mamba1 {
    /// Adds its weights, and says what it computes and keeps.
    pub(crate) fn describe(&self, parts: &mut Parts) -> Mixer {
        let Self { at, hidden, inner, state, kernel, rank, .. } = *self;
        parts.within(Part::StateSpace, |parts| {
            parts.matmul(Role::StateIn, format!("{at}.in_proj"), hidden, 2 * inner).biased(self.bias);
            parts.conv(format!("{at}.conv1d"), 1, inner, kernel).biased(self.conv_bias);
            parts.matmul(Role::Other, format!("{at}.x_proj"), inner, rank + 2 * state);
            parts.matmul(Role::Other, format!("{at}.dt_proj"), rank, inner).biased(true);
            parts.vector(Role::Other, format!("{at}.A_log"), inner * state);
            parts.vector(Role::Other, format!("{at}.D"), inner);
            if self.normed {
                parts.norm(Norm::Rms, format!("{at}.dt_layernorm"), rank);
                parts.norm(Norm::Rms, format!("{at}.b_layernorm"), state);
                parts.norm(Norm::Rms, format!("{at}.c_layernorm"), state);
            }
            parts.matmul(Role::StateOut, format!("{at}.out_proj"), inner, hidden).biased(self.bias);
        });
        recurrence(CacheKind::Ssm, inner, inner * state, inner * kernel.saturating_sub(1), 6)
    }
}

/// Mamba-2, with what families leave out of it or add.
#[expect(clippy::struct_excessive_bools, reason = "independent features of a family, named one by one")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mamba2 {
    /// Path in the layer.
    pub at: &'static str,
    pub hidden: u64,
    pub heads: u64,
    pub inner: u64,
    pub groups: u64,
    pub state: u64,
    pub kernel: u64,
    pub bias: bool,
    pub out_bias: bool,
    pub conv_bias: bool,
    /// Whether the output is normalised with learned weights.
    pub normed: bool,
}

impl Mamba2 {
    /// Adds its weights, and says what it computes and keeps.
    pub(crate) fn describe(&self, parts: &mut Parts) -> Mixer {
        let Self { at, hidden, heads, inner, kernel, .. } = *self;
        let conv = inner + (2 * self.groups).saturating_mul(self.state);
        parts.within(Part::StateSpace, |parts| {
            let columns = inner + conv + heads;
            parts.matmul(Role::StateIn, format!("{at}.in_proj"), hidden, columns).biased(self.bias);
            parts.conv(format!("{at}.conv1d"), 1, conv, kernel).biased(self.conv_bias);
            for name in ["dt_bias", "A_log", "D"] {
                parts.vector(Role::Other, format!("{at}.{name}"), heads);
            }
            if self.normed {
                parts.norm(Norm::Rms, format!("{at}.norm"), inner);
            }
            parts.matmul(Role::StateOut, format!("{at}.out_proj"), inner, hidden).biased(self.out_bias);
        });
        let elements = inner.saturating_mul(self.state);
        recurrence(CacheKind::Ssm, heads, elements, conv.saturating_mul(kernel.saturating_sub(1)), 6)
    }
}

/// A mixer that keeps a constant state, and does so many operations on each of its elements for a token.
pub(crate) fn recurrence(kind: CacheKind, heads: u64, elements: u64, conv: u64, flops: u64) -> Mixer {
    Mixer {
        compute: Compute::Recurrence { flops_per_token: elements.saturating_mul(flops) },
        caches: Vec::new(),
        state: Some(State { kind, heads, elements, conv, encoding: None }),
    }
}
