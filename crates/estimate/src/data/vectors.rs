//! Search for the nearest of many vectors.
//!
//! Memory of a vector: `4 d` bytes as it is, `2 M` links of 4 bytes in a graph, 8 bytes of identity in lists, codes of `d /
//! 8` bytes when coded (FAISS wiki, guidelines to choose an index). A graph visits a number of vectors that grows with the
//! logarithm of how many there are; lists read a share of them; without an index all are read.

use maat_base::{Bytes, Range};

use super::lane::{Cpu, Gpu};
use super::{DataCost, Facts, VectorIndex};
use crate::Bound;

/// Vectors that visits of a graph are stated for.
const STATED: f64 = 1e6;

pub(super) struct Search {
    pub vectors: f64,
    pub dim: f64,
    pub index: VectorIndex,
    pub queries_per_s: f64,
}

impl Search {
    /// Bytes of one vector in the index.
    fn each(&self, facts: &Facts) -> f64 {
        let plain = 4.0 * self.dim;
        match self.index {
            VectorIndex::Flat => plain,
            VectorIndex::Hnsw => plain + 2.0 * facts.get("hnsw_links") * 4.0,
            VectorIndex::IvfFlat => plain + 8.0,
            VectorIndex::IvfPq => (self.dim / facts.get("pq_dims_per_byte")).ceil() + 8.0,
        }
    }

    /// Vectors that a query looks at.
    fn visited(&self, facts: &Facts) -> f64 {
        match self.index {
            VectorIndex::Flat => self.vectors,
            VectorIndex::Hnsw => {
                let deeper = self.vectors.max(2.0).ln() / STATED.ln();
                (facts.get("hnsw_visits") * deeper).min(self.vectors)
            }
            VectorIndex::IvfFlat | VectorIndex::IvfPq => {
                let lists = (facts.get("ivf_lists_factor") * self.vectors.sqrt()).max(1.0);
                let share = (facts.get("ivf_probes") / lists).min(1.0);
                // The centres are compared first.
                lists + share * self.vectors
            }
        }
    }

    /// Dimensions, or bytes of a code, that comparing a vector reads.
    fn width(&self, facts: &Facts) -> f64 {
        match self.index {
            VectorIndex::IvfPq => (self.dim / facts.get("pq_dims_per_byte")).ceil(),
            _ => self.dim,
        }
    }

    /// Bytes that a query moves; queries at once share what all of them read.
    fn bytes(&self, facts: &Facts) -> f64 {
        let element = if self.index == VectorIndex::IvfPq { 1.0 } else { 4.0 };
        let shared = if self.index == VectorIndex::Flat { facts.get("vector_batch").max(1.0) } else { 1.0 };
        self.visited(facts) * self.width(facts) * element / shared
    }

    pub fn on_cpu(&self, facts: &Facts, cpu: &Cpu) -> DataCost {
        let miss = if self.index == VectorIndex::Hnsw { facts.get("hnsw_visit_s") } else { 0.0 };
        let core_s =
            self.visited(facts) * (miss + self.width(facts) * facts.get("vector_cell_s")) / cpu.clock;
        let by_cores = cpu.cores * facts.get("vector_serial_share") / core_s;
        let by_memory = cpu.bytes_per_s.map_or(f64::INFINITY, |rate| rate / self.bytes(facts));
        let bound = if by_memory < by_cores { Bound::Memory } else { Bound::Cpu };
        self.cost(facts, by_cores.min(by_memory), core_s, bound)
    }

    pub fn on_gpu(&self, facts: &Facts, gpu: &Gpu) -> Option<DataCost> {
        let share = match self.index {
            VectorIndex::Hnsw => facts.get("graph_gpu_share"),
            _ => facts.get("gpu_bandwidth_share"),
        };
        let by_memory = gpu.memory * share / self.bytes(facts);
        let flop = 2.0 * self.visited(facts) * self.width(facts);
        let by_compute = gpu.arithmetic.map_or(f64::INFINITY, |rate| 0.5 * rate / flop);
        let rate = by_memory.min(by_compute);
        let bound = if by_compute < by_memory { Bound::Compute } else { Bound::Memory };
        let alone = facts.get("gpu_query_s") + self.bytes(facts) / (gpu.memory * share);
        (rate > 0.0).then(|| self.cost(facts, rate, alone, bound))
    }

    fn cost(&self, facts: &Facts, rate: f64, alone_s: f64, bound: Bound) -> DataCost {
        let memory = Bytes::from_f64(self.vectors * self.each(facts));
        let rate_per_s: Range = facts.spread(rate);
        DataCost {
            memory,
            memory_range: [memory, Bytes::from_f64(memory.as_f64() * 1.1)],
            // The vectors themselves are kept beside the index.
            disk: Bytes::from_f64(self.vectors * (self.each(facts) + 4.0 * self.dim)),
            time_s: facts.spread(alone_s),
            rate_per_s,
            setup_s: 0.0,
            transfer_s: 0.0,
            parallel_share: facts.get("vector_serial_share"),
            machines_needed: (self.queries_per_s / rate).max(1.0),
            spare: rate / self.queries_per_s,
            bound,
        }
    }
}
