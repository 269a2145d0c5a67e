//! What a job asks of every part of a node, and what of it is there.
//!
//! Parameters are rows of `facts/speed/server.csv`. A part of which either side is not known has no share; nothing is taken
//! for there that nobody stated.

use maat_base::Range;
use maat_catalogue::{FormFactor, Machine, StorageKind};
use serde::Serialize;

use crate::{HostNeeds, Memory, NetworkNeeds, Power, Rules};

/// A part of a server that can be the scarce one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ServerPart {
    /// Memory of the fullest accelerator.
    AcceleratorMemory,
    /// Time, against the limits that were given.
    AcceleratorTime,
    /// Arithmetic, of work that goes as fast as it can.
    AcceleratorCompute,
    /// Memory bandwidth, of work that goes as fast as it can.
    AcceleratorBandwidth,
    /// Cores of the processors.
    CpuCores,
    /// Host memory.
    HostRam,
    /// Links between the accelerators of a node.
    AcceleratorLinks,
    /// PCIe lanes of the processors.
    PcieLanes,
    /// Slots of the board and its case.
    CardSlots,
    /// Room on the disks.
    StorageCapacity,
    /// Bytes a second of the disks.
    StorageRead,
    /// Bytes a second between nodes.
    Network,
    /// The power supplies.
    PowerSupply,
    /// The socket or the rack, with the cooling behind it.
    PowerFeed,
}

impl ServerPart {
    /// The name in answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AcceleratorMemory => "accelerator_memory",
            Self::AcceleratorTime => "accelerator_time",
            Self::AcceleratorCompute => "accelerator_compute",
            Self::AcceleratorBandwidth => "accelerator_bandwidth",
            Self::CpuCores => "cpu_cores",
            Self::HostRam => "host_ram",
            Self::AcceleratorLinks => "accelerator_links",
            Self::PcieLanes => "pcie_lanes",
            Self::CardSlots => "card_slots",
            Self::StorageCapacity => "storage_capacity",
            Self::StorageRead => "storage_read",
            Self::Network => "network",
            Self::PowerSupply => "power_supply",
            Self::PowerFeed => "power_feed",
        }
    }
}

/// What is asked of a part and what is there, in its unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartUse {
    /// The part.
    pub part: ServerPart,
    /// What the job asks; `None` where not known.
    pub need: Option<f64>,
    /// What is there; `None` where not stated.
    pub have: Option<f64>,
    /// Unit of both.
    pub unit: &'static str,
}

impl PartUse {
    /// The share of the part that is left: negative where it falls short; `None` where either side is not known.
    pub fn slack(&self) -> Option<f64> {
        let (need, have) = (self.need?, self.have?);
        (have > 0.0).then(|| 1.0 - need / have)
    }
}

/// What a job comes to on a node.
#[derive(Clone, Copy, Debug)]
pub struct ServerJob<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// What it needs of memory.
    pub memory: &'a Memory,
    /// What it draws.
    pub power: Option<&'a Power>,
    /// What it asks of the host.
    pub host: &'a HostNeeds,
    /// What it sends.
    pub network: &'a NetworkNeeds,
    /// Whether accelerators exchange what a layer or a step makes.
    pub split: bool,
}

/// Where a node gets its power, and how much of it goes on without end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerFeed {
    /// `socket` or `rack`.
    pub kind: &'static str,
    /// Watts.
    pub watts: f64,
}

/// A row of `server.csv`; nothing where there is none, which a test rules out.
fn row(rules: &Rules, name: &str) -> Range {
    rules.efficiencies.server(name).unwrap_or(Range::exact(0.0))
}

/// Whether a machine stands in a rack: what is built of boards and modules, and what its maker or seller says.
fn in_rack(machine: &Machine) -> bool {
    match machine.host.class.as_deref() {
        Some("server" | "rack" | "cloud") => true,
        Some(_) => false,
        None => machine.slots.iter().any(|slot| {
            matches!(
                slot.accelerator.form,
                FormFactor::Baseboard | FormFactor::Superchip | FormFactor::Module
            ) && slot.count > 1
        }),
    }
}

/// The socket of a computer, or what an air-cooled rack gives.
pub fn power_feed(machine: &Machine, rules: &Rules) -> PowerFeed {
    if in_rack(machine) {
        PowerFeed { kind: "rack", watts: row(rules, "rack_air_w").likely }
    } else {
        PowerFeed { kind: "socket", watts: row(rules, "circuit_w").likely }
    }
}

/// Every part of the node with what is asked of it and what is there.
pub fn server_parts(job: &ServerJob, rules: &Rules) -> Vec<PartUse> {
    let machine = job.machine;
    let host = &machine.host;
    let cores = host.processor.as_ref().map(|it| it.threads.unwrap_or(it.cores)).or(host.cores);
    let mut all = vec![memory(job)];
    let whole = |count: Option<u32>| count.map(f64::from);
    if !machine.slots.is_empty() {
        all.push(part(ServerPart::CpuCores, job.host.cpu_cores_needed, whole(cores), "cores"));
        all.push(part(
            ServerPart::HostRam,
            job.memory.host_ram_bytes.map(maat_base::Bytes::as_f64),
            host.ram.map(maat_base::Bytes::as_f64),
            "bytes",
        ));
        if machine.per_node() > 1 {
            let links = machine.link.as_ref().map(|link| link.bytes_per_s);
            let need = job.network.inside_bytes_per_s_needed;
            all.push(part(ServerPart::AcceleratorLinks, need, links, "bytes/s"));
        }
        all.extend(slots(job, rules));
    }
    all.push(part(
        ServerPart::StorageCapacity,
        job.memory.disk_bytes.map(|bytes| bytes.as_f64() * row(rules, "disk_room_factor").likely),
        host.disk.map(|room| room.as_f64() * f64::from(machine.nodes.max(1))),
        "bytes",
    ));
    let read = job.host.read_bytes_per_s_needed;
    all.push(part(ServerPart::StorageRead, read, storage_bytes_per_s(machine, rules), "bytes/s"));
    if machine.nodes > 1 {
        let rate = machine.network.as_ref().map(|network| network.bytes_per_s);
        all.push(part(ServerPart::Network, job.network.between_bytes_per_s_needed, rate, "bytes/s"));
    }
    let most = host.max_power_w.or_else(|| job.power?.node_max_w);
    let supply = machine.psu_w.map(|watts| watts * row(rules, "psu_load_share").likely);
    all.push(part(ServerPart::PowerSupply, most, supply, "W"));
    // Where a cloud's machine gets its power is the cloud's.
    if host.class.as_deref() != Some("cloud") {
        all.push(part(ServerPart::PowerFeed, most, Some(power_feed(machine, rules).watts), "W"));
    }
    all
}

fn part(part: ServerPart, need: Option<f64>, have: Option<f64>, unit: &'static str) -> PartUse {
    PartUse { part, need, have, unit }
}

fn memory(job: &ServerJob) -> PartUse {
    let smallest = job.machine.slots.iter().map(|slot| slot.accelerator.capacity.value).min();
    let have = smallest.or(job.machine.host.ram);
    let need = job.memory.per_accelerator.total_bytes;
    part(ServerPart::AcceleratorMemory, Some(need.as_f64()), have.map(maat_base::Bytes::as_f64), "bytes")
}

/// Lanes and slots of cards; boards and modules bring their own.
fn slots(job: &ServerJob, rules: &Rules) -> Vec<PartUse> {
    let host = &job.machine.host;
    let cards: Vec<_> =
        job.machine.slots.iter().filter(|slot| slot.accelerator.form == FormFactor::Pcie).collect();
    if cards.is_empty() {
        return Vec::new();
    }
    let (mut lanes, mut widths) = (row(rules, "lanes_of_drive").likely, 0.0);
    for slot in cards {
        let own = slot.accelerator.pcie_lanes.map_or(16.0, f64::from);
        let name = if job.split { "lanes_of_card_split" } else { "lanes_of_card_alone" };
        lanes += f64::from(slot.count) * row(rules, name).likely.min(own);
        let width = slot.accelerator.slots.map_or(row(rules, "slots_of_card").likely, f64::from);
        widths += f64::from(slot.count) * width;
    }
    if let Some(network) = job.machine.network.as_ref().filter(|_| job.machine.nodes > 1) {
        let ports = (network.bytes_per_s / row(rules, "port_bytes_per_s").likely).ceil();
        lanes += ports * row(rules, "lanes_of_port").likely;
    }
    let whole = |count: Option<u32>| count.map(f64::from);
    vec![
        part(ServerPart::PcieLanes, Some(lanes), whole(host.pcie_lanes), "lanes"),
        part(ServerPart::CardSlots, Some(widths), whole(host.card_slots), "slots"),
    ]
}

/// What the machine's storage reads; `None` where it is not stated.
pub fn storage_bytes_per_s(machine: &Machine, rules: &Rules) -> Option<f64> {
    let name = match machine.host.storage? {
        StorageKind::Rate(rate) => return Some(rate),
        StorageKind::Nvme => "nvme_bytes_per_s",
        StorageKind::Ssd => "ssd_bytes_per_s",
        StorageKind::Hdd => "hdd_bytes_per_s",
        StorageKind::Network => "network_bytes_per_s",
    };
    rules.efficiencies.power(name).map(|rate| rate.likely)
}
