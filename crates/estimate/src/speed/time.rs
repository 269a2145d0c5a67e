//! Time of an operation, and of a list of them.

use maat_catalogue::Machine;
use serde::Serialize;

use super::Bound;
use super::device::Device;
use crate::Parallel;
use crate::operation::{Collective, Kernel, Operation};
use crate::rules::{Efficiencies, Expands, LinkEfficiency};

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
    /// Whether each rank can read every other's memory at once.
    direct: bool,
    /// Bytes that are written whole before they are read on: a hop through host memory.
    slice: f64,
}

/// The links of a machine, as a plan lies on them: the ranks of a stage side by side, the stages one after another, and no
/// group over more nodes than it must.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wires {
    per_node: u32,
    nodes: u32,
    /// Share of the ways from one stage to the next that go from node to node.
    stages_between: f64,
    inside: Option<Wire>,
    between: Option<Wire>,
    /// To the host's memory.
    pub host: Option<f64>,
}

impl Wires {
    pub fn of(machine: &Machine, parallel: &Parallel, rules: &Efficiencies) -> Self {
        let wire = |rate: f64, kind: &str| {
            let LinkEfficiency { latency_s, share, slice_bytes } = *rules.links.get(kind).0;
            // What goes straight from peer to peer arrives no later than what goes by host memory, however few measurements
            // there are of either.
            let latency_s =
                if kind == "peer" { latency_s.min(rules.links.get("host").0.latency_s) } else { latency_s };
            let direct = kind == "switched";
            Wire { bytes_per_s: rate * share.min(1.0), latency_s, direct, slice: slice_bytes }
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
            nodes: machine.nodes.max(1),
            stages_between: stages_between(parallel, per_node, machine.nodes),
            inside: inside.or_else(|| host.map(|rate| wire(rate, "host"))),
            between,
            host: host.map(|rate| wire(rate, "host").bytes_per_s),
        }
    }

    /// Ranks of a group in one node, and nodes that it lies on.
    fn spread(&self, ranks: u32) -> (f64, f64) {
        let nodes = ranks.max(1).div_ceil(self.per_node).min(self.nodes);
        (f64::from(ranks.max(1)) / f64::from(nodes), f64::from(nodes))
    }

    /// Bytes that one rank's `bytes` of a collective bring within a node and between nodes.
    pub fn shipped(&self, kind: Collective, ranks: u32, bytes: f64) -> (f64, f64) {
        let between = match (kind, self.spread(ranks)) {
            (Collective::SendReceive, _) => self.stages_between,
            (_, (_, nodes)) if nodes <= 1.0 => 0.0,
            (Collective::AllToAll, (_, nodes)) => (nodes - 1.0) / nodes,
            (_, (in_node, _)) => 1.0 / in_node,
        };
        (bytes * (1.0 - between), bytes * between)
    }

    /// Bringing tokens to their experts, or back: a token goes once to each node, and within it once to each rank, that has
    /// any of the `active` experts it chose; of `n` nodes these are `n (1 - (1 - 1/n)^active)`. `bytes` are those of all
    /// tokens of a rank, once.
    pub fn dispatch_s(&self, ranks: u32, bytes: f64, active: f64) -> Option<f64> {
        let (in_node, nodes) = self.spread(ranks);
        let visited = |n: f64| n * (1.0 - (1.0 - 1.0 / n.max(1.0)).powf(active));
        let all = visited(in_node * nodes);
        let within = if in_node > 1.0 {
            level(self.inside?, Collective::AllToAll, in_node, bytes * all.min(active))
        } else {
            0.0
        };
        let between = if nodes > 1.0 {
            level(self.between?, Collective::AllToAll, nodes, bytes * visited(nodes))
        } else {
            0.0
        };
        Some(within + between)
    }

    /// A collective of a group over several nodes is done in levels, as NCCL does it: within each node by its links, and
    /// of what each rank then holds between the nodes by the network. `None` where a link that it needs is not there.
    pub fn seconds(&self, kind: Collective, ranks: u32, bytes: f64) -> Option<f64> {
        let (in_node, nodes) = self.spread(ranks);
        if kind == Collective::SendReceive {
            let across = self.stages_between;
            let part = |share: f64, wire: Option<Wire>| {
                if share > 0.0 { Some(share * level(wire?, kind, 2.0, bytes)) } else { Some(0.0) }
            };
            return Some(part(1.0 - across, self.inside)? + part(across, self.between)?);
        }
        let within = if in_node > 1.0 { level(self.inside?, kind, in_node, bytes) } else { 0.0 };
        if nodes <= 1.0 {
            return Some(if in_node > 1.0 { within } else { 0.0 });
        }
        // Tokens go straight to the rank of their expert; the others leave each rank its part of the node's.
        let held = if kind == Collective::AllToAll { bytes } else { bytes / in_node };
        Some(within + level(self.between?, kind, nodes, held))
    }
}

/// Share of the ways between stages that leave a node. A copy that a node holds lies within one; the stages of others fill
/// node after node, and a way leaves its node where any rank of a stage does.
fn stages_between(parallel: &Parallel, per_node: u32, nodes: u32) -> f64 {
    let [tp, dp, cp, pp] =
        [parallel.tp, parallel.dp, parallel.cp, parallel.pp].map(|ranks| u64::from(ranks.max(1)));
    let (stage, per_node) = (tp * dp * cp, u64::from(per_node));
    if pp == 1 || nodes <= 1 || stage.saturating_mul(pp) <= per_node {
        return 0.0;
    }
    // Whole stages to a node where it holds any.
    let stages_of_node = (per_node / stage).max(1);
    let across = if stage > per_node { pp - 1 } else { (pp - 1) / stages_of_node };
    across as f64 / (pp - 1) as f64
}

/// Ring or tree: `2 log2 n` hops and `2 (n - 1) / n` of the bytes for an all-reduce, half of both for the others. Behind
/// a switch a short one is done at once: each rank reads the bytes of all others, between two barriers. Through host memory
/// a step's bytes are written before they are read: the first slice of each step goes twice, what follows it beside it.
fn level(wire: Wire, kind: Collective, ranks: f64, bytes: f64) -> f64 {
    let hops = ranks.log2().max(1.0);
    let rest = (ranks - 1.0) / ranks;
    let at_once = if wire.direct && kind == Collective::AllReduce {
        2.0 * wire.latency_s + (ranks - 1.0) * bytes / wire.bytes_per_s
    } else {
        f64::INFINITY
    };
    let (hops, volume) = match kind {
        Collective::AllReduce => (2.0 * hops, 2.0 * rest),
        Collective::AllGather | Collective::ReduceScatter | Collective::AllToAll => (hops, rest),
        Collective::SendReceive => (1.0, 1.0),
    };
    // Steps of the ring, each of an n-th of the bytes; one of all of them from stage to stage.
    let step = if kind == Collective::SendReceive { bytes } else { bytes / ranks };
    let twice = volume * bytes / step.max(1.0) * step.min(wire.slice);
    (hops * wire.latency_s + (volume * bytes + twice) / wire.bytes_per_s).min(at_once)
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
        compute = (op.flops + wasted(op, device, expanded)) / peak;
        if matches!(op.kernel, Kernel::Experts { .. }) {
            compute /= device.expert_share;
        }
        let rows = match op.kernel {
            Kernel::Experts { m, touched, .. } => m / touched.max(1.0),
            Kernel::MatMul { m, .. } => m,
            _ => 1.0,
        };
        compute = compute.max(device.expanding(op.weights, rows, expanded, arithmetic));
        if expanded {
            launch += device.expand_kernels * device.kernel_s;
        }
        if expanded && arithmetic.expands == Expands::Narrow {
            // Activations stay in 16 bits.
            launch -= f64::from(rules.kernels.quantise) * device.kernel_s;
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
fn wasted(op: &Operation, device: &Device, expanded: bool) -> f64 {
    match op.kernel {
        Kernel::MatMul { m, k, .. } => 2.0 * m.min(device.tile) * device.idle_width * k,
        Kernel::Experts { touched, m, n, k } => {
            let rows = m / touched.max(1.0);
            let least = if expanded { device.packed_expert_pad } else { device.expert_pad };
            let tile = rows.clamp(least.min(device.tile), device.tile);
            2.0 * touched * (tile - rows).max(tile / 2.0) * n * k
        }
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of 8 ranks at 1 us and 100 GB/s: 8 kB at once take 2 us + 7 x 0.08 us, where a ring has 6 hops; 800 MB on the ring
    /// take 6 us + 14/8 x 8 ms, where each reading all would take 56 ms.
    #[test]
    fn short_reductions_are_done_at_once() {
        let wire = Wire { bytes_per_s: 1e11, latency_s: 1e-6, direct: true, slice: 0.0 };
        let ring = Wire { direct: false, ..wire };
        let reduce = |wire, bytes| level(wire, Collective::AllReduce, 8.0, bytes);
        assert!((reduce(wire, 8e3) - 2.56e-6).abs() < 1e-12);
        assert!((reduce(ring, 8e3) - 6.14e-6).abs() < 1e-12);
        assert!((reduce(wire, 8e8) - 0.014_006).abs() < 1e-9);
    }
}
