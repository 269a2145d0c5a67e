//! What the rules look at: observations by thing and part of the input, with what follows from them.

mod gpu;
mod host;
mod series;

use std::collections::BTreeMap;

use crate::facts::Vendor;
use maat_readings::monitor::{Event, Observation, Part, Samples, Signal};

pub use gpu::{GpuPhase, Load};
pub use host::Process;
pub use series::Series;

/// The rows of one thing in one part of the input, in order of time.
pub type Rows<'a> = Vec<&'a Observation>;

/// The samples, arranged.
pub struct View<'a> {
    /// What was read.
    pub samples: &'a Samples,
    /// Rows by block, part and name.
    groups: BTreeMap<(u32, Part, &'a str), Rows<'a>>,
    /// Each accelerator in each part of the input.
    pub gpus: Vec<GpuPhase<'a>>,
    /// Processes over all samples.
    pub processes: Vec<Process<'a>>,
    /// Cores of the machine, where known.
    pub cores: Option<f64>,
    /// What the accelerators do.
    pub load: Load,
}

impl<'a> View<'a> {
    /// Arranges samples.
    pub fn new(samples: &'a Samples) -> Self {
        let mut groups: BTreeMap<(u32, Part, &'a str), Rows<'a>> = BTreeMap::new();
        for row in &samples.rows {
            groups.entry((row.block, row.part, &row.name)).or_default().push(row);
        }
        let gpus = gpu::phases(samples, &groups);
        let processes = host::processes(samples);
        let cores = host::cores(samples).or_else(|| host::implied_cores(&processes, samples));
        let load = gpu::load(&gpus);
        Self { samples, groups, gpus, processes, cores, load }
    }

    /// The parts of the input that have rows of a part of the machine, each with its name.
    pub fn groups(&self, part: Part) -> impl Iterator<Item = (&'a str, &Rows<'a>)> {
        self.groups
            .iter()
            .filter(move |((_, own, _), _)| *own == part)
            .map(|((_, _, name), rows)| (*name, rows))
    }

    /// A signal's series in every part of the input that has it.
    pub fn series(&self, part: Part, signal: Signal) -> Vec<Series<'a>> {
        self.groups(part)
            .map(|(_, rows)| Series::of(rows, signal))
            .filter(|series| !series.is_empty())
            .collect()
    }

    /// The series whose middle is highest.
    pub fn highest(&self, part: Part, signal: Signal) -> Option<Series<'a>> {
        self.series(part, signal).into_iter().max_by(|a, b| a.median().total_cmp(&b.median()))
    }

    /// The series whose middle is lowest.
    pub fn lowest(&self, part: Part, signal: Signal) -> Option<Series<'a>> {
        self.series(part, signal).into_iter().min_by(|a, b| a.median().total_cmp(&b.median()))
    }

    /// The last value of a signal in each part of the input; of these the highest.
    pub fn last(&self, part: Part, signal: Signal) -> Option<(f64, &'a Observation)> {
        self.groups(part)
            .filter_map(|(_, rows)| rows.iter().rev().find_map(|row| Some((row.get(signal)?, *row))))
            .max_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// The last value of a signal of the machine as a share of another's, in each part of the input that has both.
    pub fn shares(&self, signal: Signal, of: Signal) -> Vec<(f64, &'a Observation)> {
        self.groups(Part::Host)
            .filter_map(|(_, rows)| {
                let last = |signal: Signal| rows.iter().rev().find_map(|row| Some((row.get(signal)?, *row)));
                let ((value, row), (whole, _)) = (last(signal)?, last(of)?);
                (whole > 0.0).then_some((value / whole, row))
            })
            .collect()
    }

    /// Events of a kind.
    pub fn events<'b>(&'b self, kind: &'b str) -> impl Iterator<Item = &'a Event> + 'b {
        self.samples.events.iter().filter(move |event| &*event.kind == kind)
    }

    /// Whose accelerators there are: AMD's tools print JSON, its driver writes files.
    pub fn vendor(&self) -> Vendor {
        let kind = |phase: &GpuPhase<'_>| {
            self.samples.blocks.get(phase.block as usize).map_or("", |block| block.kind)
        };
        let all =
            !self.gpus.is_empty() && self.gpus.iter().all(|phase| matches!(kind(phase), "json" | "watch"));
        if all { Vendor::Amd } else { Vendor::Nvidia }
    }

    /// Whether there is an event of a kind.
    pub fn has(&self, kind: &str) -> bool {
        self.events(kind).next().is_some()
    }
}
