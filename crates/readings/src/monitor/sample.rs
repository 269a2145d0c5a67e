//! The shape of what monitoring tools print: observations over time, events, and how devices hang together.

use std::sync::Arc;

use serde::Serialize;

use super::Signal;
use crate::Place;

/// What an observation is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// An accelerator; its name is its index, or its order of appearance.
    Gpu,
    /// A part of an accelerator: a MIG device.
    Slice,
    /// The machine: all cores, memory, run queue, pressure.
    Host,
    /// One core.
    Core,
    /// A block device.
    Disk,
    /// A network interface.
    Interface,
    /// A mounted network file system.
    Mount,
    /// A process, by its number.
    Process,
    /// A thread, by its number.
    Thread,
    /// A NUMA node.
    Node,
    /// A control group.
    Group,
    /// A collective operation of a benchmark.
    Collective,
    /// A serving engine.
    Server,
    /// An operator of a profiler's table, by its name; without one the whole.
    Operator,
}

impl Part {
    const ALL: [Self; 14] = [
        Self::Gpu,
        Self::Slice,
        Self::Host,
        Self::Core,
        Self::Disk,
        Self::Interface,
        Self::Mount,
        Self::Process,
        Self::Thread,
        Self::Node,
        Self::Group,
        Self::Collective,
        Self::Server,
        Self::Operator,
    ];

    /// The name in recordings and evidence.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gpu => "gpu",
            Self::Slice => "slice",
            Self::Host => "host",
            Self::Core => "core",
            Self::Disk => "disk",
            Self::Interface => "interface",
            Self::Mount => "mount",
            Self::Process => "process",
            Self::Thread => "thread",
            Self::Node => "node",
            Self::Group => "group",
            Self::Collective => "collective",
            Self::Server => "server",
            Self::Operator => "operator",
        }
    }

    /// The part of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.name() == name)
    }
}

/// Which time an observation covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Span {
    /// One moment or interval among others.
    #[default]
    Moment,
    /// The mean that a tool prints at the end.
    Average,
    /// Everything since the machine started, as the first report of `iostat` and `vmstat`.
    SinceBoot,
}

/// A word that goes with an observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Label {
    /// Name of the device or command.
    Name,
    /// State of a process, as `ps` writes it.
    State,
    /// Who a process belongs to.
    User,
    /// The accelerator that a process uses.
    Gpu,
    /// Kind of GPU process: `C`, `G` or `C+G`.
    Kind,
    /// Where in the kernel a process waits.
    Wait,
    /// The parent process.
    Parent,
    /// Cores that a process may use, as a list of ranges.
    Cores,
    /// The machine, where a line names it.
    Host,
}

/// One row of a tool's output: several signals of one thing at one time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Observation {
    /// What it is of.
    pub part: Part,
    /// Which one: an index, a device, a process number; empty for the machine.
    pub name: Arc<str>,
    /// The part of the input it stands in: an index of [`super::Samples::blocks`].
    pub block: u32,
    /// Seconds since an arbitrary moment of the same input, where the tool prints time.
    pub at_s: Option<f64>,
    /// Which time it covers.
    pub span: Span,
    /// The values.
    pub values: Vec<(Signal, f64)>,
    /// The words.
    pub labels: Vec<(Label, String)>,
    /// Where it stands.
    #[serde(rename = "where")]
    pub place: Place,
}

impl Span {
    const ALL: [Self; 3] = [Self::Moment, Self::Average, Self::SinceBoot];

    /// The name in recordings.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Moment => "moment",
            Self::Average => "average",
            Self::SinceBoot => "since-boot",
        }
    }

    /// The span of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|span| span.name() == name)
    }
}

impl Observation {
    /// The value of a signal, where it was printed.
    pub fn get(&self, signal: Signal) -> Option<f64> {
        self.values.iter().find(|(own, _)| *own == signal).map(|(_, value)| *value)
    }

    /// A word, where it was printed.
    pub fn label(&self, label: Label) -> Option<&str> {
        self.labels.iter().find(|(own, _)| *own == label).map(|(_, word)| word.as_str())
    }

    /// Sets a value; a second value of the same signal is added where signals are counts of errors, else ignored.
    pub fn set(&mut self, signal: Signal, value: f64) {
        if !value.is_finite() {
            return;
        }
        match self.values.iter_mut().find(|(own, _)| *own == signal) {
            Some((_, old)) => {
                if matches!(signal, Signal::EccUncorrectedVolatile | Signal::EccUncorrectedAggregate) {
                    *old += value;
                } else if matches!(
                    signal,
                    Signal::RecoveryAction | Signal::RemapPending | Signal::RemapFailure
                ) {
                    *old = old.max(value);
                }
            }
            None => self.values.push((signal, value)),
        }
    }

    /// Puts beside the values those that follow from them: single reasons of a mask, totals, other names of one thing.
    pub fn complete(&mut self) {
        super::reasons::expand(self);
    }

    /// Adds a word, cut to a bearable length.
    pub fn tag(&mut self, label: Label, word: impl Into<String>) {
        let mut word: String = word.into();
        if word.len() > 200 {
            word = word.chars().take(200).collect();
        }
        self.labels.push((label, word));
    }
}

/// A line of a log that means something.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Event {
    /// What it means: a value of the column `event` of the log patterns.
    pub kind: Arc<str>,
    /// Numbers that the line holds.
    pub values: Vec<(Signal, f64)>,
    /// The line, cut to 240 characters.
    pub text: String,
    /// The part of the input it stands in.
    pub block: u32,
    /// Where it stands.
    #[serde(rename = "where")]
    pub place: Place,
}

impl Event {
    /// The number of a signal in the line.
    pub fn get(&self, signal: Signal) -> Option<f64> {
        self.values.iter().find(|(own, _)| *own == signal).map(|(_, value)| *value)
    }
}

/// How two devices reach each other, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Path {
    /// The same device.
    Own,
    /// So many bonded NVLinks.
    Nvlink(u8),
    /// One PCIe switch.
    Pix,
    /// Several PCIe switches.
    Pxb,
    /// A PCIe host bridge.
    Phb,
    /// Between host bridges of one NUMA node.
    Node,
    /// Between NUMA nodes.
    Sys,
}

/// The matrix of `nvidia-smi topo -m`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Topology {
    /// Names of the rows that are accelerators, in order.
    pub gpus: Vec<String>,
    /// Paths between accelerators, row by row.
    pub paths: Vec<Vec<Path>>,
    /// Network adapters: the column's name and, where the legend says, the device.
    pub adapters: Vec<String>,
    /// Cores near each accelerator, as a list of ranges.
    pub cores: Vec<String>,
    /// Where it stands.
    #[serde(rename = "where")]
    pub place: Place,
}

/// A matrix of `p2pBandwidthLatencyTest`, in bytes per second.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PeerMatrix {
    /// Whether peers wrote to each other directly.
    pub direct: bool,
    /// Whether both directions ran at once.
    pub both_ways: bool,
    /// The rows.
    pub rows: Vec<Vec<f64>>,
    /// Where it stands.
    #[serde(rename = "where")]
    pub place: Place,
}

impl PeerMatrix {
    /// The middle of the bandwidths between different devices.
    pub fn between(&self) -> Option<f64> {
        let mut values: Vec<f64> = self
            .rows
            .iter()
            .enumerate()
            .flat_map(|(row, line)| line.iter().enumerate().filter(move |(column, _)| *column != row))
            .map(|(_, value)| *value)
            .collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied()
    }
}

/// A part of an input that one reader took.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BlockInfo {
    /// The reader's kind.
    pub kind: &'static str,
    /// Where it begins.
    #[serde(rename = "where")]
    pub place: Place,
    /// Observations and events in it.
    pub items: usize,
    /// The machine it is of, where the text names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<Arc<str>>,
}
