//! Machines out of parts, with the links that the parts have by themselves.

use std::sync::Arc;

use crate::accelerator::{Accelerator, PeerLink, Topology};
use crate::load::Cpu;
use crate::machine::{Host, Link, Machine, Processor, Slot};

impl Machine {
    /// A node with so many of a part, linked as the part is by itself; nothing else is known of it.
    ///
    /// A part that the machine reports as several devices gives that many accelerators.
    pub fn of_part(part: &Arc<Accelerator>, count: u32) -> Self {
        Self::of(part, count, 1)
    }

    /// Some nodes with so many of a part each.
    pub fn of(part: &Arc<Accelerator>, count: u32, nodes: u32) -> Self {
        Self::of_slots(named(count, &part.name), &[Slot { accelerator: Arc::clone(part), count }], nodes)
    }

    /// A node without accelerators.
    pub fn of_processor(cpu: &Arc<Cpu>, sockets: u32) -> Self {
        let mut machine = Self::of_slots(named(sockets, &cpu.name), &[], 1);
        machine.host.processor = Processor::of(cpu, sockets);
        machine.host.pcie_lanes = cpu.lanes_of(sockets);
        machine
    }

    /// Nodes with parts of several kinds.
    pub(crate) fn of_slots(name: String, parts: &[Slot], nodes: u32) -> Self {
        let slots: Vec<Slot> = parts.iter().map(devices).collect();
        let link = link(&slots);
        let host_link = slots
            .iter()
            .filter_map(|slot| slot.accelerator.host_link.as_ref())
            .min_by(|a, b| a.bytes_per_s.total_cmp(&b.bytes_per_s))
            .cloned();
        let name = if nodes > 1 { nodes_of(nodes, &name) } else { name };
        Self {
            name,
            slots,
            nodes,
            slice: None,
            power_limit_w: None,
            link,
            host_link,
            network: None,
            psu_w: None,
            host: Host::default(),
        }
    }
}

impl Cpu {
    /// Lanes of PCIe that so many sockets leave for cards, drives and adapters. Of two sockets of AMD's server processors the
    /// links between them take lanes away: 160 of 256 are left at most.
    pub fn lanes_of(&self, sockets: u32) -> Option<u32> {
        /// Lanes that a pair of sockets keeps beside its links.
        const PAIR_LEFT: u32 = 160;
        let lanes = self.pcie_lanes?.saturating_mul(sockets);
        let shares_lanes = self.vendor == "AMD" && sockets > 1;
        Some(if shares_lanes { lanes.min(PAIR_LEFT) } else { lanes })
    }
}

impl Processor {
    /// Processors of a kind; `None` where the clock is not known.
    pub fn of(cpu: &Cpu, sockets: u32) -> Option<Self> {
        let times = f64::from(sockets);
        let bandwidth = cpu.bandwidth.as_ref().map(|one| {
            let mut all = one.clone();
            all.value *= times;
            all
        });
        Some(Self {
            name: named(sockets, &cpu.name),
            sockets,
            cores: cpu.cores.saturating_mul(sockets),
            threads: None,
            simd: cpu.simd.clone(),
            clock_hz: cpu.clock_hz.clone()?,
            fp32_flop_per_clock: cpu.fp32_flop_per_clock,
            bf16_flop_per_clock: cpu.bf16_flop_per_clock,
            int8_op_per_clock: cpu.int8_op_per_clock,
            bandwidth,
            cache_bytes: cpu.cache_bytes.map(|cache| cache * u64::from(sockets)),
            power_w: cpu.power_w.map(|watts| watts * times),
            measured: None,
        })
    }
}

/// `8x NAME`, or the name alone for one.
pub(crate) fn named(count: u32, name: &str) -> String {
    if count == 1 { name.to_owned() } else { format!("{count}x {name}") }
}

/// The name of so many nodes, such as `64 nodes x 8x H200`: without words of one language only.
pub fn nodes_of(nodes: u32, name: &str) -> String {
    format!("{nodes} nodes x {name}")
}

/// The devices of a slot's parts.
fn devices(slot: &Slot) -> Slot {
    match slot.accelerator.devices {
        0 | 1 => slot.clone(),
        several => Slot {
            accelerator: Arc::new(slot.accelerator.device()),
            count: slot.count.saturating_mul(several),
        },
    }
}

/// The link that the accelerators of a node have by themselves: the peer link that is built in, else PCIe.
pub(crate) fn link(slots: &[Slot]) -> Option<Link> {
    let count = slots.iter().map(|slot| slot.count).fold(0, u32::saturating_add);
    if count < 2 {
        return None;
    }
    if let [one] = slots
        && let Some(peer) = &one.accelerator.peer_link
        && peer.built_in
        && count <= peer.most
    {
        return Some(peer_link(peer, count));
    }
    pcie_between(slots)
}

/// A peer link among so many accelerators. Of a full mesh, only the links to those that are there count.
pub(crate) fn peer_link(peer: &PeerLink, count: u32) -> Link {
    let share = match peer.topology {
        Topology::Mesh if peer.most > 1 => f64::from(count.max(2) - 1) / f64::from(peer.most - 1),
        _ => 1.0,
    };
    Link {
        name: peer.name.clone(),
        bytes_per_s: peer.bytes_per_s * share.min(1.0),
        switched: peer.topology == Topology::Switch,
        peer_to_peer: true,
    }
}

/// PCIe of the slowest part; peers read each other only where all may.
fn pcie_between(slots: &[Slot]) -> Option<Link> {
    let links = slots.iter().map(|slot| crate::pcie::link(&slot.accelerator)).collect::<Option<Vec<_>>>()?;
    let peer_to_peer = links.iter().all(|link| link.peer_to_peer);
    links
        .into_iter()
        .min_by(|a, b| a.bytes_per_s.total_cmp(&b.bytes_per_s))
        .map(|link| Link { peer_to_peer, ..link })
}
