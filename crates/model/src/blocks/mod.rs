//! The building blocks that families are described with.

mod attention;
mod linear;
mod mamba;
mod mla;
mod mlp;
mod moe;

pub(crate) use attention::{Attention, QkNorm, softmax};
pub(crate) use linear::{DeltaNet, KimiDelta};
pub(crate) use mamba::{Mamba1, Mamba2, recurrence};
pub(crate) use mla::{Mla, indexer_encoding};
pub(crate) use mlp::{Mlp, mlp};
pub(crate) use moe::{Moe, Shared};
