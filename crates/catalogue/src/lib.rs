//! Hardware, offers, prices and tariffs: the facts, their names, their contradictions.
//!
//! The catalogue holds figures with their sources and no formula of speed or money. It is compiled in from `facts/`;
//! a user's own folder is laid over it.

mod accelerator;
mod build;
mod builtin;
mod catalogue;
mod facts;
mod gpu;
mod hardware;
mod lint;
mod load;
mod machine;
mod names;
mod pcie;
mod request;
mod resolve;
#[cfg(test)]
mod resolve_tests;
mod table;
mod terms;
mod verbs;

pub use accelerator::{Accelerator, Accumulate, FormFactor, NumberType, PeerLink, TensorRate, Topology};
pub use catalogue::Catalogue;
pub use hardware::{MachineSpec, machine};
pub use lint::{CheckedTable, LintBody, LintRequest, lint};
pub use load::{
    Claim, Cpu, EmbodiedCarbon, GridCarbon, HostPrice, LinkFact, MigProfile, NoPart, Offer, PriceHistory,
    PriceKind, PriceSpread, PurchasePrice, RateClaim, RentalPoint, Server, Tariff, TensorRow,
};
pub use machine::{Host, Link, Machine, Network, Processor, Slot, StorageKind};
pub use request::HardwareRequest;
pub use resolve::Resolved;
pub use terms::{Age, REFUSED_AFTER_DAYS, STALE_AFTER_DAYS, Terms, age, days_between};
pub use verbs::*;
