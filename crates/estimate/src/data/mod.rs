//! Work without a neural network: tabular learning, data frames, databases, search over vectors, web servers.
//!
//! Each is a rule with named evidence: what is touched, how much of it runs at once (Amdahl 1967), what it takes to bring
//! it to a GPU. Parameters are rows of `facts/speed/data.csv`; ranges are wide, as few of them were measured on more than
//! two machines.

mod frames;
mod lane;
mod requests;
mod tabular;
mod vectors;

use maat_base::{Bytes, Range};
use maat_catalogue::Machine;
use serde::{Deserialize, Serialize};

use crate::speed::Bounds;
use crate::{Bound, Memory, Rules, Speed};
pub use lane::amdahl;
use lane::{Cpu, Gpu};

/// What learns from a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Learner {
    /// Gradient-boosted decision trees.
    #[default]
    Gbdt,
    /// A random forest.
    Forest,
    /// A linear or logistic model.
    Linear,
    /// A support-vector machine with a kernel.
    Svm,
}

/// How vectors are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VectorIndex {
    /// All are compared.
    Flat,
    /// A graph of neighbours.
    #[default]
    Hnsw,
    /// Lists around centres.
    IvfFlat,
    /// The same with coded vectors.
    IvfPq,
}

/// The work.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the fields are the request's")]
pub enum DataWork {
    /// One fit of a model to a table.
    Tabular { rows: f64, columns: f64, trees: f64, learner: Learner },
    /// One run of a pipeline over a table.
    Etl { rows: f64, columns: f64 },
    /// Transactions, and scans of a table.
    Database { rows: f64, columns: f64, queries_per_s: f64 },
    /// Queries for the nearest vectors.
    Vectors { vectors: f64, dim: f64, index: VectorIndex, queries_per_s: f64 },
    /// Requests of a web server.
    Web { queries_per_s: f64 },
}

/// Work with what the user says of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Data {
    /// The work.
    pub work: DataWork,
    /// Share of it that runs at once on many cores, where the user said so.
    pub parallel_share: Option<f64>,
}

/// Where the work is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// On the machine's processors, in host memory.
    Cpu,
    /// On its accelerators.
    Gpu,
}

/// What work comes to at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DataCost {
    /// Memory of the place: of all accelerators together, or of the host.
    pub memory: Bytes,
    /// The same at its least and most.
    pub memory_range: [Bytes; 2],
    /// Files.
    pub disk: Bytes,
    /// Seconds of a job; of one query or request where it is a service.
    pub time_s: Range,
    /// Rows, queries or requests a second of the whole machine.
    pub rate_per_s: Range,
    /// Of the time, what passes before the work begins: libraries, contexts.
    pub setup_s: f64,
    /// Of the time, bringing the data to the GPU.
    pub transfer_s: f64,
    /// Share that runs at once, as it was taken.
    pub parallel_share: f64,
    /// Cores or accelerators that the service needs; 1 for a job.
    pub machines_needed: f64,
    /// How many times the load that is asked one machine carries; 1 for a job.
    pub spare: f64,
    /// What holds it back.
    pub bound: Bound,
}

impl DataCost {
    /// As a speed of so many machines: of a job the time to its end and rows a second, of a service the rate of all of them
    /// and the time of one query.
    pub fn speed(&self, job: bool, machines: f64) -> Speed {
        let bound = Bounds { main: self.bound, prefill: None, decode: None, step: None };
        let mut speed = Speed::none(bound);
        let rate = self.rate_per_s.scaled(machines.max(1.0));
        speed.items_per_s = Some(rate);
        if job {
            speed.time_to_finish_s = Some(self.time_s);
            speed.definitions = "one run; loading of the program and copies to the GPU included";
        } else {
            speed.item_s = Some(self.time_s);
            speed.requests_per_s = Some(rate);
            speed.definitions = "queries of all machines at full load; the time is of one alone";
        }
        speed
    }

    /// As a memory of so many accelerators, or of the host.
    pub fn memory(&self, machine: &Machine, place: Place) -> Memory {
        let count = if place == Place::Gpu { u64::from(machine.per_node().max(1)) } else { 1 };
        let each = |bytes: Bytes| Bytes(bytes.0.div_ceil(count));
        let capacity = match place {
            Place::Gpu => machine.slots.iter().map(|slot| slot.accelerator.capacity.value).min(),
            Place::Cpu => machine.host.ram,
        };
        let total = each(self.memory);
        let signed = |bytes: Bytes| i64::try_from(bytes.0).unwrap_or(i64::MAX);
        let mut memory = Memory::default();
        memory.per_accelerator.workspace_bytes = total;
        memory.per_accelerator.total_bytes = total;
        memory.per_accelerator.total_bytes_range = self.memory_range.map(each);
        memory.per_accelerator.free_bytes = capacity.map(|all| signed(all).saturating_sub(signed(total)));
        memory.total_bytes = self.memory;
        memory.host_ram_bytes = (place == Place::Cpu).then_some(self.memory);
        memory.disk_bytes = Some(self.disk);
        memory
    }
}

impl DataWork {
    /// Whether it ends; else it is a service.
    pub const fn ends(&self) -> bool {
        matches!(self, Self::Tabular { .. } | Self::Etl { .. })
    }
}

/// What work comes to on a machine; `None` where the place is not there, its speed is not known, or the work is not done
/// there.
pub fn data_cost(data: &Data, machine: &Machine, place: Place, rules: &Rules) -> Option<DataCost> {
    let facts = Facts(rules);
    let cpu = || Cpu::of(machine, &facts);
    let gpu = || Gpu::of(machine, &facts);
    match (data.work, place) {
        (DataWork::Tabular { rows, columns, trees, learner }, Place::Cpu) => {
            Some(tabular::on_cpu(&facts, &cpu()?, &tabular::Table { rows, columns, trees, learner }, data))
        }
        (DataWork::Tabular { rows, columns, trees, learner }, Place::Gpu) => {
            tabular::on_gpu(&facts, &gpu()?, &tabular::Table { rows, columns, trees, learner })
        }
        (DataWork::Etl { rows, columns }, Place::Cpu) => {
            Some(frames::etl_on_cpu(&facts, &cpu()?, rows * columns, data, machine))
        }
        (DataWork::Etl { rows, columns }, Place::Gpu) => {
            Some(frames::etl_on_gpu(&facts, &gpu()?, rows * columns, machine))
        }
        (DataWork::Database { rows, columns, queries_per_s }, Place::Cpu) => {
            Some(frames::database(&facts, &cpu()?, rows * columns, queries_per_s, data))
        }
        (DataWork::Database { rows, columns, .. }, Place::Gpu) => {
            Some(frames::scan_on_gpu(&facts, &gpu()?, rows * columns))
        }
        (DataWork::Vectors { vectors, dim, index, queries_per_s }, place) => {
            let search = vectors::Search { vectors, dim, index, queries_per_s };
            match place {
                Place::Cpu => Some(search.on_cpu(&facts, &cpu()?)),
                Place::Gpu => search.on_gpu(&facts, &gpu()?),
            }
        }
        (DataWork::Web { queries_per_s }, Place::Cpu) => Some(requests::web(&facts, &cpu()?, queries_per_s)),
        (DataWork::Web { .. }, Place::Gpu) => None,
    }
}

/// Rows of `facts/speed/data.csv`.
struct Facts<'a>(&'a Rules);

impl Facts<'_> {
    /// The likely figure; nothing where there is no row, which a test rules out.
    fn get(&self, name: &str) -> f64 {
        self.range(name).likely
    }

    fn range(&self, name: &str) -> Range {
        self.0.efficiencies.data(name).unwrap_or(Range::exact(0.0))
    }

    /// A time with the range of what was not measured.
    fn spread(&self, likely: f64) -> Range {
        let factor = self.range("spread").high.max(1.0);
        Range::by_factors(likely, factor, factor)
    }
}
