//! Hardware, offers, prices and tariffs: the facts, their names, their contradictions.
//!
//! The catalogue holds figures with their sources and no formula of speed or money. It is compiled in from `facts/`;
//! a user's own folder is laid over it.
//!
//! # Where to begin
//!
//! - [`Catalogue::builtin`] costs nothing; each table is read when it is first asked for. [`Catalogue::with_overlay`] lays a
//!   folder over it and fails on the first row that cannot be read.
//! - [`machine`] makes a [`Machine`] of a [`HardwareRequest`] (`--gpu "8x H100"`, `--cpu`, `--link` …) and lists what it
//!   assumed. [`Machine::of`], [`Machine::of_part`], [`Machine::of_processor`] and [`Catalogue::machine_of_server`] make
//!   machines of parts that are known. Links are those that the parts have by themselves.
//! - [`Catalogue::resolve_accelerator`], [`Catalogue::resolve_cpu`], [`Catalogue::resolve_server`] go from any name to a part;
//!   [`Resolved`] says which other parts the name fits.
//! - [`Accelerator::dense`] is the rate that speeds and ranks rest on (dense, FP32 or INT32 accumulation);
//!   [`Accelerator::supports`] says whether the units compute in a type, [`Accelerator::capacity`] what can be used of the
//!   memory. What is not known is `None`.
//! - [`Catalogue::offers`] has every offer with its part; [`Offer::is_rankable`] says whether it may be ranked.
//!   [`Catalogue::purchase_prices`], [`Catalogue::tariffs`], [`Catalogue::grid_carbon`] have the rest of the money.
//!   [`Terms`] hold the day and the currency of an answer, [`Catalogue::as_of`] the default day.
//! - [`list`], [`show`], [`compare`], [`offers()`], [`lint()`] and [`export`] are the verbs; [`import()`] reads price lists.
//!
//! Order never hangs on the maker: lists are sorted by figures and then by name.
//!
//! ```
//! use maat_catalogue::{Catalogue, HardwareRequest, NumberType, machine};
//!
//! let catalogue = Catalogue::builtin();
//! let request = HardwareRequest { gpu: vec!["2x RTX 4090".into()], ..HardwareRequest::default() };
//! let (spec, assumed) = machine(&request, &catalogue).unwrap();
//! let machine = spec.unwrap().machines().next().unwrap();
//! let part = &machine.slots[0].accelerator;
//! assert_eq!(part.capacity.value.0, 24_564 << 20);
//! assert_eq!(part.dense(NumberType::Bf16).unwrap().flop_per_s.value, 165.2e12);
//! assert!(assumed.iter().any(|note| note.name == "link"));
//! ```

mod accelerator;
mod build;
mod builtin;
mod catalogue;
mod facts;
mod gpu;
mod hardware;
mod import;
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
pub use build::nodes_of;
pub use catalogue::{Catalogue, ThisMachine};
pub use hardware::{MachineSpec, machine};
pub use import::{ImportBody, ImportFormat, ImportRequest, ImportedProvider, SkippedRows, import};
pub use lint::{CheckedTable, LintBody, LintRequest, lint};
pub use load::{
    Claim, CostDefault, Cpu, EmbodiedCarbon, GridCarbon, GuideRow, HostPrice, LinkFact, MigProfile, NoPart,
    Offer, Place, PowerThreshold, PriceHistory, PriceKind, PriceSpread, PurchasePrice, RateClaim,
    RentalPoint, Server, Tariff, TensorRow,
};
pub use machine::{Host, Link, Machine, MeasuredProcessor, Network, Processor, Slot, StorageKind};
pub use request::HardwareRequest;
pub use resolve::Resolved;
pub use terms::{Age, REFUSED_AFTER_DAYS, STALE_AFTER_DAYS, Terms, age, days_between};
pub use verbs::*;
