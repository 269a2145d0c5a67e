//! Time of an operation, and of a list of them.

use maat_catalogue::Machine;
use serde::Serialize;

use super::Bound;
use super::device::Device;
use crate::operation::{Collective, Kernel, Operation};
use crate::rules::{Efficiencies, LinkEfficiency};

/// Seconds by what they are spent on. The parts sum to the total: of arithmetic and reading, which run side by side, the
/// longer has its whole time and the shorter what is not hidden.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Seconds {
    /// Arithmetic.
    pub compute: f64,
    /// Reading and writing memory.
    pub memory: f64,
    /// Collectives and copies over links.
    pub network: f64,
    /// Between kernels, and in the engine.
    pub launch: f64,
    /// Of the compute and memory seconds those of the host's processors.
    pub host: f64,
}

impl Seconds {
    /// All of it.
    pub fn total(self) -> f64 {
        self.compute + self.memory + self.network + self.launch
    }

    pub(crate) fn add(&mut self, other: Self, times: f64) {
        self.compute += other.compute * times;
        self.memory += other.memory * times;
        self.network += other.network * times;
        self.launch += other.launch * times;
        self.host += other.host * times;
    }

    pub(crate) fn scaled(self, factor: f64) -> Self {
        let mut scaled = Self::default();
        scaled.add(self, factor);
        scaled
    }

    /// What takes the most; work of the host's processors counts as its own where it is the most of the whole.
    pub(crate) fn bound(self) -> Bound {
        let work = if self.host > self.total() / 2.0 && self.compute > self.memory {
            (Bound::Cpu, self.compute)
        } else if self.compute > self.memory {
            (Bound::Compute, self.compute)
        } else {
            (Bound::Memory, self.memory)
        };
        [work, (Bound::Network, self.network), (Bound::Launch, self.launch)]
            .into_iter()
            .max_by(|a, b| a.1.total_cmp(&b.1))
            .map_or(Bound::Memory, |(bound, _)| bound)
    }
}

/// A link with its efficiency.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wire {
    bytes_per_s: f64,
    latency_s: f64,
}

/// The links of a machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wires {
    per_node: u32,
    inside: Option<Wire>,
    between: Option<Wire>,
    /// To the host's memory.
    pub host: Option<f64>,
}

impl Wires {
    pub fn of(machine: &Machine, rules: &Efficiencies) -> Self {
        let wire = |rate: f64, kind: &str| {
            let LinkEfficiency { latency_s, share } = *rules.links.get(kind).0;
            Wire { bytes_per_s: rate * share.min(1.0), latency_s }
        };
        let per_node = machine.per_node().max(1);
        let inside = machine.link.as_ref().map(|link| {
            let kind = match (link.switched, link.peer_to_peer) {
                (true, _) => "switched",
                (false, true) => "peer",
                (false, false) => "host",
            };
            wire(link.bytes_per_s, kind)
        });
        let host = machine.host_link.as_ref().map(|link| link.bytes_per_s).or_else(|| {
            machine.slots.iter().filter_map(|slot| slot.accelerator.pcie_bytes_per_s).reduce(f64::min)
        });
        let between =
            machine.network.as_ref().map(|net| wire(net.bytes_per_s / f64::from(per_node), "network"));
        Self {
            per_node,
            inside: inside.or_else(|| host.map(|rate| wire(rate, "host"))),
            between,
            host: host.map(|rate| wire(rate, "host").bytes_per_s),
        }
    }

    /// Ring or tree: `2 log2 n` hops and `2 (n - 1) / n` of the bytes for an all-reduce, half of both for the others.
    fn seconds(&self, kind: Collective, ranks: u32, bytes: f64) -> Option<f64> {
        let wire = if ranks <= self.per_node { self.inside } else { self.between.or(self.inside) }?;
        let ranks = f64::from(ranks.max(1));
        let hops = ranks.log2().max(1.0);
        let rest = (ranks - 1.0) / ranks;
        let (hops, volume) = match kind {
            Collective::AllReduce => (2.0 * hops, 2.0 * rest),
            Collective::AllGather | Collective::ReduceScatter | Collective::AllToAll => (hops, rest),
            Collective::SendReceive => (1.0, 1.0),
        };
        Some(hops * wire.latency_s + volume * bytes / wire.bytes_per_s)
    }
}

/// Seconds of one operation on a device, once.
pub(crate) fn of_operation(
    op: &Operation,
    device: &Device,
    wires: &Wires,
    rules: &Efficiencies,
) -> Option<Seconds> {
    let bytes = op.bytes.as_f64();
    let mut launch = f64::from(op.kernels) * device.kernel_s;
    if let Kernel::Collective { kind, ranks } = op.kernel {
        return Some(Seconds { network: wires.seconds(kind, ranks, bytes)?, launch, ..Seconds::default() });
    }
    let mut compute = match op.kernel {
        Kernel::MatMul { .. } | Kernel::Experts { .. } => 0.0,
        _ => op.flops / device.attention,
    };
    if let Some(arithmetic) = op.arithmetic.and_then(|row| rules.arithmetic.get(usize::from(row))) {
        let (peak, expanded) = device.number(arithmetic);
        compute = (op.flops + wasted(op, device)) / peak;
        if matches!(op.kernel, Kernel::Experts { .. }) {
            compute /= device.expert_share;
        }
        let rows = match op.kernel {
            Kernel::Experts { m, touched, .. } => m / touched.max(1.0),
            Kernel::MatMul { m, .. } => m,
            _ => 1.0,
        };
        compute = compute.max(device.expanding(op.weights, rows, expanded, arithmetic.effort));
        if expanded {
            launch += device.expand_kernels * device.kernel_s;
        }
    }
    let memory = bytes / device.bandwidth;
    let (compute, memory) = if compute > memory {
        (compute, memory * device.overlap)
    } else {
        (compute * device.overlap, memory)
    };
    let host = if device.processor { compute + memory } else { 0.0 };
    Some(Seconds { compute, memory, launch, network: 0.0, host })
}

/// Operations of idle tiles in the last wave, and of rows that fill the tiles of experts.
fn wasted(op: &Operation, device: &Device) -> f64 {
    match op.kernel {
        Kernel::MatMul { m, k, .. } => 2.0 * m.min(device.tile) * device.idle_width * k,
        Kernel::Experts { touched, n, k, .. } => 2.0 * touched * device.expert_pad * n * k,
        _ => 0.0,
    }
}
