//! Model files to layers, parts, caches and exact sizes.
//!
//! A model is what everything else computes from: weights with their shapes and encodings, grouped into layers, and
//! for each layer how it mixes the sequence (what it must keep for later tokens). A family is described once, over
//! the same few building blocks; parameters, bytes, caches and operation lists are all derived from that.

mod encoding;
mod mixer;
mod structure;
mod weight;

pub use encoding::Encoding;
pub use mixer::{CacheKind, Mixer};
pub use structure::{LayerGroup, Model, Stack};
pub use weight::{Part, Shape, Split, Weight};
