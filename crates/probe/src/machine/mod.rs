//! What the machine is made of, from procfs, sysfs and the drivers' libraries. Every reading may be absent: what is not
//! known is `None` or an empty list, never 0.

mod accelerators;
mod apple;
mod disks;
mod dmi;
mod limits;
mod memory;
mod network;
pub(crate) mod nvml;
mod nvml_samples;
mod processor;
mod surroundings;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

pub use crate::root::Root;
pub use accelerators::AcceleratorSeen;
pub use disks::DiskSeen;
pub use limits::Limits;
pub use memory::{MemorySeen, ModuleSeen};
pub use network::PortSeen;
pub use nvml::{Board, Boards, Library};
pub use processor::{CacheSeen, ProcessorSeen};
pub use surroundings::Surroundings;

/// A machine as it was read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    /// Its processors.
    pub processor: ProcessorSeen,
    /// Its memory.
    pub memory: MemorySeen,
    /// Accelerators and displays.
    pub accelerators: Vec<AcceleratorSeen>,
    /// Disks.
    pub disks: Vec<DiskSeen>,
    /// Network ports with hardware behind them.
    pub network: Vec<PortSeen>,
    /// What a container or a service may use of it.
    pub limits: Limits,
    /// What is around it: a container, a virtual machine, WSL, a board.
    pub surroundings: Surroundings,
    /// Places that could not be read.
    pub not_seen: Vec<String>,
}

/// Reads a machine. Takes some milliseconds; the drivers' libraries are asked only for the running machine.
pub fn machine(root: &Root) -> Seen {
    if let Some(seen) = apple::machine(root) {
        return seen;
    }
    let library = root.is_live().then(Library::open).flatten();
    machine_with(root, library.as_ref().map(|library| library as &dyn Boards))
}

/// Reads a machine, with a driver's library that is handed in.
pub fn machine_with(root: &Root, boards: Option<&dyn Boards>) -> Seen {
    let places = ["/proc/cpuinfo", "/proc/meminfo", "/sys/devices/system/cpu", "/sys/bus/pci/devices"];
    let not_seen = places.into_iter().filter(|place| !root.has(place)).map(str::to_owned).collect();
    Seen {
        processor: processor::read(root),
        memory: memory::read(root),
        accelerators: accelerators::read(root, boards),
        disks: disks::read(root),
        network: network::read(root),
        limits: limits::read(root),
        surroundings: surroundings::read(root),
        not_seen,
    }
}

/// Ticks that went to other guests, and all ticks, since the start.
pub(crate) fn steal_ticks(root: &Root) -> Option<(f64, f64)> {
    surroundings::ticks(&root.text("/proc/stat")?)
}

/// Periods in which a quota held the process's group back so far.
pub(crate) fn throttled(root: &Root) -> Option<u64> {
    limits::read(root).throttled_periods
}
