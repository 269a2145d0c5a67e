//! One fit of a model to a table.
//!
//! Boosted trees build histograms: every level of every tree passes over all rows, at a price for the row and one for each
//! of its columns (Chen and Guestrin 2016, Ke et al. 2017). Forests sort the columns they try; linear models pass over the
//! data; kernel machines compare rows with rows.

use maat_base::{Bytes, Range};

use super::lane::{Cpu, Gpu};
use super::{Data, DataCost, Facts, Learner};
use crate::Bound;

/// The table and what learns from it.
pub(super) struct Table {
    pub rows: f64,
    pub columns: f64,
    pub trees: f64,
    pub learner: Learner,
}

impl Table {
    fn cells(&self) -> f64 {
        self.rows * self.columns
    }

    /// Columns that a forest tries at a split.
    fn tried(&self) -> f64 {
        self.columns.sqrt().max(1.0)
    }

    fn levels(&self) -> f64 {
        self.rows.max(2.0).log2()
    }

    fn memory(&self, facts: &Facts, cell: &str) -> [Bytes; 3] {
        let each = facts.range(cell);
        let row = facts.range("bytes_per_row");
        [(each.low, row.low), (each.likely, row.likely), (each.high, row.high)]
            .map(|(cell, row)| Bytes::from_f64(self.cells() * cell + self.rows * row))
    }
}

pub(super) fn on_cpu(facts: &Facts, cpu: &Cpu, table: &Table, data: &Data) -> DataCost {
    let usual = |name: &str| data.parallel_share.unwrap_or_else(|| facts.get(name));
    let ((work, memory_bound), share) = match table.learner {
        Learner::Gbdt => {
            let passes = table.rows * table.trees * facts.get("gbdt_depth");
            let one = facts.get("gbdt_cpu_row_s") + facts.get("gbdt_cpu_cell_s") * table.columns;
            let share = usual("gbdt_parallel_share");
            // A gradient pair and a byte for each column.
            (cpu.seconds(passes * one, share, passes * (8.0 + table.columns)), share)
        }
        Learner::Forest => {
            let cells = table.rows * table.trees * table.levels() * table.tried();
            let share = usual("forest_parallel_share");
            // A tree runs on one core.
            let busy = Cpu { cores: cpu.cores.min(table.trees), ..*cpu };
            (busy.seconds(cells * facts.get("forest_cpu_cell_s"), share, 0.0), share)
        }
        Learner::Linear => {
            let flop = 4.0 * table.cells() * facts.get("linear_passes");
            let share = usual("linear_parallel_share");
            // Two passes of four bytes and of two operations each.
            let core_s = flop / (cpu.flop_per_s / cpu.clock) * 4.0;
            (cpu.seconds(core_s, share, 2.0 * flop), share)
        }
        Learner::Svm => {
            let flop = 2.0 * table.rows * table.cells();
            let share = usual("svm_parallel_share");
            let core_s = flop / (cpu.flop_per_s / cpu.clock * facts.get("svm_flop_share"));
            (cpu.seconds(core_s, share, 0.0), share)
        }
    };
    let memory = table.memory(facts, "host_bytes_per_cell");
    cost(facts, table, memory, Times { setup: 0.0, transfer: 0.0, work }, share, memory_bound)
}

pub(super) fn on_gpu(facts: &Facts, gpu: &Gpu, table: &Table) -> Option<DataCost> {
    let bytes_per_s = gpu.memory;
    let each_level = facts.get("gbdt_gpu_level_s");
    let of_row = |columns: f64| facts.get("gbdt_gpu_row_bytes") + facts.get("gbdt_gpu_cell_bytes") * columns;
    let work = match table.learner {
        Learner::Gbdt => {
            let levels = table.trees * facts.get("gbdt_depth");
            levels * each_level + levels * table.rows * of_row(table.columns) / bytes_per_s
        }
        Learner::Forest => {
            let levels = table.trees * facts.get("forest_gpu_depth").min(table.levels());
            levels * each_level + levels * table.rows * of_row(table.tried()) / bytes_per_s
        }
        Learner::Linear => {
            let bytes = 8.0 * table.cells() * facts.get("linear_passes");
            bytes / (bytes_per_s * facts.get("gpu_bandwidth_share"))
        }
        Learner::Svm => {
            2.0 * table.rows * table.cells() / (gpu.arithmetic? * facts.get("svm_gpu_flop_share"))
        }
    };
    let times =
        Times { setup: facts.get("gpu_setup_s"), transfer: gpu.transfer_s(4.0 * table.cells()), work };
    let memory = table.memory(facts, "device_bytes_per_cell");
    Some(cost(facts, table, memory, times, 1.0, table.learner != Learner::Svm))
}

/// Seconds of a fit by what they go into.
#[derive(Clone, Copy)]
struct Times {
    setup: f64,
    transfer: f64,
    work: f64,
}

fn cost(facts: &Facts, table: &Table, memory: [Bytes; 3], times: Times, share: f64, read: bool) -> DataCost {
    let whole = times.setup + times.transfer + times.work;
    let taken = facts.spread(whole);
    let bound = if times.setup > 0.5 * whole {
        Bound::Launch
    } else if times.transfer > 0.5 * whole {
        Bound::Network
    } else if read {
        Bound::Memory
    } else {
        Bound::Compute
    };
    let rows: Range = taken.inverted(table.rows);
    DataCost {
        memory: memory[1],
        memory_range: [memory[0], memory[2]],
        disk: Bytes::from_f64(table.cells() * facts.get("cell_bytes")),
        time_s: taken,
        rate_per_s: rows,
        setup_s: times.setup,
        transfer_s: times.transfer,
        parallel_share: share,
        machines_needed: 1.0,
        spare: 1.0,
        bound,
    }
}
