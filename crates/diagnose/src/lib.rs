//! The bottleneck of a running machine, from what its tools print.
//!
//! [`diagnose`] reads any mix of outputs, arranges them ([`view`]), lets the rules judge ([`rules`]) and orders what
//! they found: sanity and load, faults, capacity, what an accelerator waits for, transfers, and what busy work is
//! limited by. Thresholds, commands and sources are data under `facts/diagnose`. Nothing here opens files.

mod answer;
mod ask;
pub mod facts;
pub mod found;
mod hosts;
mod inputs;
mod merge;
mod private;
pub mod rules;
mod show;
mod traces;
mod verdict;
pub mod view;

pub use answer::{
    Cause, DiagnoseBody, DiagnoseRequest, ReadFile, TracePart, diagnose, diagnose_against, diagnose_with,
};
pub use ask::Ask;
pub use found::Confidence;
pub use inputs::Content;
