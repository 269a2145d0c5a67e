//! The running machine: what was read of it becomes a machine of the catalogue, what was measured of it counts more
//! than what its class does, and it is sized for like any other.
//!
//! It reads nothing itself: `maat-probe` does.

mod bench;
mod findings;
mod matched;
mod models;
mod tables;
mod view;

pub use bench::{BenchBody, Record, bench};
pub use matched::this_machine;
pub use view::{HereBody, Run, here};
