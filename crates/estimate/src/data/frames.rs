//! Tables that are read: pipelines over data frames, scans and transactions of databases.

use maat_base::{Bytes, Range};
use maat_catalogue::{Machine, StorageKind};

use super::lane::{Cpu, Gpu};
use super::{Data, DataCost, Facts};
use crate::Bound;

/// Bytes of a table's cells.
fn bytes(facts: &Facts, cells: f64) -> f64 {
    cells * facts.get("cell_bytes")
}

/// Bytes a second of the machine's storage; an NVMe drive's where nothing is said.
fn storage(facts: &Facts, machine: &Machine) -> f64 {
    let name = match machine.host.storage.unwrap_or(StorageKind::Nvme) {
        StorageKind::Rate(rate) => return rate,
        StorageKind::Nvme => "nvme_bytes_per_s",
        StorageKind::Ssd => "ssd_bytes_per_s",
        StorageKind::Hdd => "hdd_bytes_per_s",
        StorageKind::Network => "network_bytes_per_s",
    };
    facts.0.efficiencies.power(name).map_or(1e9, |rate| rate.likely)
}

/// Memory of a table that is worked on, with its copies.
fn copies(facts: &Facts, size: f64) -> [Bytes; 3] {
    let copies = facts.range("etl_memory_copies");
    [copies.low, copies.likely, copies.high].map(|times| Bytes::from_f64(size * times))
}

pub(super) fn etl_on_cpu(facts: &Facts, cpu: &Cpu, cells: f64, data: &Data, machine: &Machine) -> DataCost {
    let size = bytes(facts, cells);
    let share = data.parallel_share.unwrap_or_else(|| facts.get("etl_parallel_share"));
    let passes = facts.get("etl_passes");
    let core_s = size * passes / facts.get("etl_core_bytes_per_s");
    let (work, memory_bound) = cpu.seconds(core_s, share, 2.0 * size * passes);
    // Reading goes on beside the work.
    let reading = size / storage(facts, machine);
    let bound = match (reading > work, memory_bound) {
        (true, _) => Bound::Storage,
        (false, true) => Bound::Memory,
        (false, false) => Bound::Cpu,
    };
    job(facts, size, copies(facts, size), [0.0, 0.0, work.max(reading)], share, bound)
}

pub(super) fn etl_on_gpu(facts: &Facts, gpu: &Gpu, cells: f64, machine: &Machine) -> DataCost {
    let size = bytes(facts, cells);
    let moved = size * facts.get("etl_passes") * facts.get("etl_gpu_pass_bytes");
    let work = moved / (gpu.memory * facts.get("gpu_bandwidth_share"));
    let transfer = gpu.transfer_s(size);
    let reading = size / storage(facts, machine);
    let setup = facts.get("etl_gpu_setup_s");
    let bound = if reading > transfer + work { Bound::Storage } else { Bound::Memory };
    job(facts, size, copies(facts, size), [setup, transfer, work.max(reading - transfer)], 1.0, bound)
}

/// A scan of the whole table, and the rate of transactions.
pub(super) fn database(facts: &Facts, cpu: &Cpu, cells: f64, queries_per_s: f64, data: &Data) -> DataCost {
    let size = bytes(facts, cells);
    let share = data.parallel_share.unwrap_or_else(|| facts.get("etl_parallel_share"));
    let (scan, memory_bound) = cpu.seconds(size / facts.get("scan_core_bytes_per_s"), share, size);
    let bound = if memory_bound { Bound::Memory } else { Bound::Cpu };
    let each = facts.range("database_core_s");
    let machine_rate = cpu.cores * cpu.clock * facts.get("web_load_share");
    let whole = Bytes::from_f64(size);
    let mut cost = job(facts, size, [whole, whole, whole], [0.0, 0.0, scan], share, bound);
    cost.rate_per_s =
        Range::new(machine_rate / each.high, machine_rate / each.likely, machine_rate / each.low);
    cost.machines_needed = (queries_per_s / cost.rate_per_s.likely).max(1.0);
    cost.spare = cost.rate_per_s.likely / queries_per_s;
    cost
}

/// A scan of a table that lies in the GPU's memory already; bringing it there is stated apart.
pub(super) fn scan_on_gpu(facts: &Facts, gpu: &Gpu, cells: f64) -> DataCost {
    let size = bytes(facts, cells);
    let scan = size / (gpu.memory * facts.get("gpu_bandwidth_share"));
    let setup = facts.get("scan_gpu_setup_s");
    let whole = Bytes::from_f64(size);
    let mut cost = job(facts, size, [whole, whole, whole], [setup, 0.0, scan], 1.0, Bound::Memory);
    cost.transfer_s = gpu.transfer_s(size);
    cost
}

fn job(
    facts: &Facts,
    size: f64,
    memory: [Bytes; 3],
    [setup, transfer, work]: [f64; 3],
    share: f64,
    bound: Bound,
) -> DataCost {
    let time_s = facts.spread(setup + transfer + work);
    DataCost {
        memory: memory[1],
        memory_range: [memory[0], memory[2]],
        disk: Bytes::from_f64(size),
        time_s,
        rate_per_s: time_s.inverted(size / facts.get("cell_bytes").max(1.0)),
        setup_s: setup,
        transfer_s: transfer,
        parallel_share: share,
        machines_needed: 1.0,
        spare: 1.0,
        bound,
    }
}
