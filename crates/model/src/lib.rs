//! Model files to layers, parts, caches and exact sizes.
//!
//! A model is what everything else computes from: stacks of layers, each layer with its weights (shape, role, storage,
//! encoding) and its sequence mixers (what they compute, what they must keep for later tokens). A family is described
//! once, over the same few building blocks; parameters, bytes, caches and operations are all derived from that.

mod answer;
mod assemble;
mod bare;
mod blocks;
mod builtin;
mod cache_precision;
mod class;
mod compare;
mod config;
mod defaults;
mod encoding;
mod families;
mod files;
mod from_config;
mod licence;
mod mixer;
mod mixture;
mod names;
mod open;
mod parts;
mod pipeline;
mod precision;
mod quantisation;
mod stored;
mod structure;
mod summary;
mod weight;

pub use answer::{CacheAt, ModelBody, describe, params_text};
pub use bare::mixture;
pub use builtin::ids as built_in_ids;
pub use cache_precision::cache_encoding;
pub use compare::{ModelRow, ModelsBody, compare};
pub use encoding::{Encoding, Scale};
pub use mixer::{Cache, CacheKind, Compute, Indexer, Length, Mixer, State};
pub use open::{Options, of_config, open};
pub use stored::{ComponentSize, StoredPart};
pub use structure::{Layer, Model, Stack, StackKind};
pub use summary::{KvKind, ModelSummary};
pub use weight::{Part, Role, Shape, Split, Storage, Weight};
