//! A machine put together from parts: what a plan runs on.

use std::sync::Arc;

use maat_base::{Bytes, Sourced};
use serde::{Deserialize, Serialize};

use crate::Accelerator;

/// Accelerators of one kind in a node.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Slot {
    /// The part.
    pub accelerator: Arc<Accelerator>,
    /// How many in a node.
    pub count: u32,
}

/// A link between accelerators of a node.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Link {
    /// Name, such as `NVLink 4` or `PCIe 5.0 x16`.
    pub name: String,
    /// Bytes per second in one direction for one accelerator.
    pub bytes_per_s: f64,
    /// Whether every pair has it at once (a switch).
    pub switched: bool,
    /// Whether peers read each other directly, or through host memory.
    pub peer_to_peer: bool,
}

/// The network between nodes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Network {
    /// As given, such as `8x400Gb`.
    pub name: String,
    /// Bytes per second in one direction for one node.
    pub bytes_per_s: f64,
}

/// The processors of a node.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Processor {
    /// Name, such as `2x Xeon Platinum 8592+`.
    pub name: String,
    /// Sockets.
    pub sockets: u32,
    /// Physical cores of all sockets.
    pub cores: u32,
    /// Threads that the user wants to use, where given.
    pub threads: Option<u32>,
    /// Instruction sets for vectors and matrices, such as `AVX2 AVX-512 AMX`.
    pub simd: String,
    /// All-core clock in Hz; the base clock where the all-core one is not known.
    pub clock_hz: Sourced<f64>,
    /// FP32 operations per clock and core; the mean over cores of different kinds.
    pub fp32_flop_per_clock: f64,
    /// BF16 operations per clock and core (AMX, AVX512-BF16), where faster than FP32.
    pub bf16_flop_per_clock: f64,
    /// INT8 operations per clock and core (VNNI, AMX).
    pub int8_op_per_clock: f64,
    /// Memory bandwidth of all sockets in bytes per second; `None` where neither known nor given.
    pub bandwidth: Option<Sourced<f64>>,
    /// Last-level cache of all sockets.
    pub cache_bytes: Option<Bytes>,
    /// Power of all sockets in watts.
    pub power_w: Option<f64>,
    /// What they were measured to do, which counts more than all that is above.
    pub measured: Option<MeasuredProcessor>,
}

/// What all threads together were measured to do.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasuredProcessor {
    /// FP32 operations per second of a matrix multiply.
    pub fp32_flop_per_s: f64,
    /// The same in BF16, where the processor multiplies it.
    pub bf16_flop_per_s: Option<f64>,
    /// The same in INT8.
    pub int8_op_per_s: Option<f64>,
    /// Bytes per second that reading gets from memory.
    pub read_bytes_per_s: f64,
    /// The same on one thread, where that was measured; else every thread has its share.
    pub read_alone_bytes_per_s: Option<f64>,
    /// Threads that it took.
    pub threads: u32,
}

/// What holds the files.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StorageKind {
    /// NVMe.
    Nvme,
    /// SATA flash.
    Ssd,
    /// Disk.
    Hdd,
    /// Over the network.
    Network,
    /// Bytes per second, as given.
    Rate(f64),
}

/// The rest of a node. What is not known is `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Host {
    /// Processors.
    pub processor: Option<Processor>,
    /// Memory.
    pub ram: Option<Bytes>,
    /// Storage.
    pub storage: Option<StorageKind>,
    /// Room on the disks of a node.
    pub disk: Option<Bytes>,
    /// Physical cores, where the processor is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cores: Option<u32>,
    /// PCIe lanes of the processors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pcie_lanes: Option<u32>,
    /// Slots of the board and its case, each of the width of a thin card.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card_slots: Option<u32>,
    /// What kind of machine it is: `desktop`, `workstation`, `server`, `rack`, `cloud`, `board`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Power at full load in watts as its maker states it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_power_w: Option<f64>,
}

/// What a plan runs on. Without accelerators the host's memory and processors do the work.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Machine {
    /// Name for people, such as `8x H100 SXM 80GB`.
    pub name: String,
    /// Accelerators of a node; several slots when mixed, none on a CPU machine.
    pub slots: Vec<Slot>,
    /// Nodes of this kind.
    pub nodes: u32,
    /// MIG profile that every accelerator is cut to; the slot's part has the slice's memory, bandwidth and rates.
    pub slice: Option<String>,
    /// Power limit of each accelerator in watts, where set.
    pub power_limit_w: Option<f64>,
    /// Link between the accelerators of a node; `None` where there is one accelerator, or none is known.
    pub link: Option<Link>,
    /// Link of one accelerator to the host's memory.
    pub host_link: Option<Link>,
    /// Network between nodes.
    pub network: Option<Network>,
    /// What the power supplies of a node give, where stated.
    pub psu_w: Option<f64>,
    /// The rest of a node.
    pub host: Host,
}

impl Machine {
    /// Accelerators of all nodes.
    pub fn accelerators(&self) -> u32 {
        self.per_node().saturating_mul(self.nodes)
    }

    /// Accelerators of one node.
    pub fn per_node(&self) -> u32 {
        self.slots.iter().map(|slot| slot.count).fold(0, u32::saturating_add)
    }
}
