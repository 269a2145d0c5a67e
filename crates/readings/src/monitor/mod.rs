//! Readers of what monitoring tools print over time.
//!
//! An input may hold the output of several tools, as a pasted terminal does: it is cut into blocks, each of one
//! [`Format`]; a block ends where the next begins or a new command was typed. Log lines count wherever they stand.

mod affinity;
mod amd_json;
mod amd_text;
mod block;
mod cgroup;
mod dcgmi;
mod fields;
mod fio;
mod free;
mod gpustat;
mod hosts;
mod htop;
mod iostat;
mod json;
mod log;
mod lscpu;
mod lspci;
mod metrics;
mod nccl_tests;
mod nfsiostat;
mod numa;
mod nvidia_csv;
mod nvidia_dmon;
mod nvidia_nvlink;
mod nvidia_q;
mod nvidia_table;
mod nvidia_topo;
mod nvidia_xml;
mod p2p;
mod pressure;
mod processes;
pub mod procfs;
mod reasons;
mod recording;
mod sample;
mod sar;
mod signal;
mod sysstat_json;
mod table;
mod top;
mod torch_table;
mod value;
mod vmstat;

use serde::Serialize;

pub use block::{Block, Format, Line};
pub use fields::FIELDS_CSV;
pub use log::LOG_PATTERNS_CSV;
pub use sample::{BlockInfo, Event, Label, Observation, Part, Path, PeerMatrix, Span, Topology};
pub use signal::Signal;

use crate::{Input, Reader, Reading};

/// More rows than this are not kept of one input.
const ROW_LIMIT: usize = 400_000;
/// More events than this are not kept of one input.
const EVENT_LIMIT: usize = 20_000;

/// All formats; the first that begins at a line takes it.
pub static FORMATS: &[Format] = &[
    recording::FORMAT,
    nvidia_xml::FORMAT,
    json::FORMAT,
    nvidia_q::FORMAT,
    nvidia_table::FORMAT,
    nvidia_csv::FORMAT,
    nvidia_dmon::DMON,
    nvidia_dmon::PMON,
    dcgmi::FORMAT,
    amd_text::METRIC,
    amd_text::TABLE,
    nvidia_topo::FORMAT,
    nvidia_nvlink::FORMAT,
    metrics::FORMAT,
    gpustat::FORMAT,
    lspci::FORMAT,
    sar::BANNER,
    iostat::FORMAT,
    sar::FORMAT,
    vmstat::FORMAT,
    vmstat::DISKS,
    htop::FORMAT,
    top::FORMAT,
    processes::FORMAT,
    free::FORMAT,
    pressure::FORMAT,
    lscpu::FORMAT,
    numa::HARDWARE,
    numa::SHOW,
    numa::STATISTICS,
    affinity::FORMAT,
    nfsiostat::FORMAT,
    nccl_tests::FORMAT,
    p2p::FORMAT,
    cgroup::FORMAT,
    torch_table::FORMAT,
    log::KERNEL,
    log::NCCL,
    log::OTHER,
];

/// The line of this module in the registry of readers.
pub const READER: Reader = Reader {
    kind: "monitor",
    recognises: |input| block::begins(input),
    read: |input| Reading::Monitor(read(input, None)),
};

/// What monitoring tools printed, of one or several inputs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Samples {
    /// What was recognised, in the order of the inputs.
    pub blocks: Vec<BlockInfo>,
    /// Observations in the order of the inputs.
    pub rows: Vec<Observation>,
    /// Meaningful lines of logs.
    pub events: Vec<Event>,
    /// How accelerators hang together.
    pub topologies: Vec<Topology>,
    /// Bandwidths between accelerators.
    pub peers: Vec<PeerMatrix>,
    /// Whether something was left out because there was too much of it.
    pub cut: bool,
}

impl Samples {
    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Keeps an observation, unless it says nothing or there are too many.
    pub fn push(&mut self, row: Observation) {
        if row.values.is_empty() && row.labels.is_empty() {
            return;
        }
        if self.rows.len() >= ROW_LIMIT {
            self.cut = true;
            return;
        }
        self.rows.push(row);
    }

    /// Keeps an event, unless there are too many.
    pub fn note(&mut self, event: Event) {
        if self.events.len() >= EVENT_LIMIT {
            self.cut = true;
            return;
        }
        self.events.push(event);
    }

    /// Adds what another input held.
    pub fn append(&mut self, mut other: Self) {
        let base = u32::try_from(self.blocks.len()).unwrap_or(u32::MAX);
        for row in &mut other.rows {
            row.block = row.block.saturating_add(base);
        }
        for event in &mut other.events {
            event.block = event.block.saturating_add(base);
        }
        self.blocks.append(&mut other.blocks);
        self.rows.append(&mut other.rows);
        self.events.append(&mut other.events);
        self.topologies.append(&mut other.topologies);
        self.peers.append(&mut other.peers);
        self.cut |= other.cut;
    }

    /// Writes the observations as text that [`read`] understands.
    pub fn recording(&self) -> String {
        recording::write(self)
    }

    fn items(&self) -> usize {
        self.rows.len() + self.events.len() + self.topologies.len() + self.peers.len()
    }
}

/// The names of all formats, as `--kind` takes them.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    FORMATS.iter().map(|format| format.kind)
}

/// Reads an input; with `kind` the whole of it as that format. Total: what does not fit is left out.
pub fn read(input: &Input, kind: Option<&str>) -> Samples {
    block::read(input, kind.and_then(|kind| FORMATS.iter().find(|format| format.kind == kind)))
}
