//! The rules, one file a family. One more rule is one function and one line in [`RULES`].

mod capacity;
mod communication;
mod faults;
pub(crate) mod host;
mod kernel;
mod loader;
mod power;
mod profile;
mod serving;
mod sharing;
mod startup;
mod storage;
mod throttle;
mod transfer;

use crate::found::Found;
use crate::view::View;

/// A rule: looks at the samples and adds the causes that it finds.
pub type Rule = fn(&View<'_>, &mut Vec<Found>);

/// All rules. A rule may look at what those before it have found.
pub static RULES: &[Rule] = &[
    sharing::wrong_device,
    sharing::gpu_shared,
    faults::ecc_and_xid,
    faults::nvlink_down,
    throttle::power_brake,
    throttle::thermal,
    transfer::link_degraded,
    capacity::vram,
    capacity::swap,
    capacity::allocator,
    host::oversubscription,
    host::quota,
    storage::disks,
    storage::remote,
    loader::preprocessing,
    storage::checkpoints,
    loader::waiting,
    storage::page_cache,
    host::single_thread,
    communication::tcp_fallback,
    communication::peers,
    communication::fabric,
    host::numa,
    transfer::saturated,
    startup::recompiles,
    power::clocks_locked,
    kernel::memory_bandwidth,
    power::power_cap,
    kernel::tensor_cores,
    kernel::small_grid,
    serving::starvation,
    startup::warm_up,
    profile::operators,
];

/// Causes of a loader that does not keep up.
pub const LOADER_CAUSES: [&str; 6] = [
    "cpu-oversubscription",
    "cpu-quota",
    "storage-iops-small-files",
    "storage-throughput",
    "network-filesystem",
    "cpu-preprocessing",
];

/// What all rules find.
pub fn all(view: &View<'_>) -> Vec<Found> {
    let mut found = Vec::new();
    for rule in RULES {
        rule(view, &mut found);
    }
    found
}

/// Whether a class was found already.
fn has(found: &[Found], code: &str) -> bool {
    found.iter().any(|found| found.code == code)
}

/// Adds a cause, or its evidence to what is there of the same class.
fn add(found: &mut Vec<Found>, new: Found) {
    match found.iter_mut().find(|own| own.code == new.code) {
        Some(own) => own.absorb(new),
        None => found.push(new),
    }
}
