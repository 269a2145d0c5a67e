//! Hardware, offers, prices and tariffs: the facts, their names, their contradictions.
//!
//! The catalogue holds figures with their sources and no formula of speed or money. It is compiled in from `facts/`;
//! a user's own folder is laid over it.

mod accelerator;
mod machine;

pub use accelerator::{Accelerator, Accumulate, FormFactor, NumberType, PeerLink, TensorRate, Topology};
pub use machine::{Host, Link, Machine, Network, Processor, Slot, StorageKind};
