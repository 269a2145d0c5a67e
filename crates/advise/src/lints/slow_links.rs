//! Tensor parallelism over links that are slow for it.

use maat_base::{Arg, Finding, Severity};

use crate::case::{Case, Judged};
use crate::world::World;

/// Bytes per second in one direction below which all-reduces of tensor parallelism are known to hold decoding back:
/// PCIe 4.0 x16 has 32 GB/s, the slowest NVLink bridge 25, and NVLink of a baseboard 150 and more.
const FAST: f64 = 100e9;

/// Every layer ends in two all-reduces; without fast links they are exposed.
pub fn lint(case: &Case, judged: &Judged, _: &World) -> Option<Finding> {
    let machine = case.machine.as_ref()?;
    let tp = judged.plan.parallel.tp;
    let link = machine.link.as_ref()?;
    if tp < 2 || (link.bytes_per_s >= FAST && link.peer_to_peer) {
        return None;
    }
    Some(
        Finding::new("tp-without-fast-links", Severity::Warning, machine.name.clone())
            .with("tp", tp)
            .with("link", link.name.as_str())
            .with("rate", Arg::BytesPerSecond(link.bytes_per_s))
            .because("link", link.name.clone(), "machine")
            .fixable(),
    )
}
