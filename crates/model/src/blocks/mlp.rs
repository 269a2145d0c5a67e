//! Dense feed-forward blocks.

use crate::Role;
use crate::parts::Parts;

/// A feed-forward block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mlp {
    pub hidden: u64,
    pub inner: u64,
    /// Whether a second matrix gates the first (SwiGLU and the like).
    pub gated: bool,
    pub bias: bool,
}

/// Adds a feed-forward block under `at`.
pub(crate) fn mlp(parts: &mut Parts, at: &str, block: Mlp) {
    let Mlp { hidden, inner, gated, bias } = block;
    if gated {
        parts.matmul(Role::Gate, format!("{at}.gate_proj"), hidden, inner).biased(bias);
    }
    parts.matmul(Role::Up, format!("{at}.up_proj"), hidden, inner).biased(bias);
    parts.matmul(Role::Down, format!("{at}.down_proj"), inner, hidden).biased(bias);
}
