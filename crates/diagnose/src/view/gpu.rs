//! Accelerators: what each does in each part of the input.

use std::collections::BTreeMap;

use maat_readings::monitor::{Label, Observation, Part, Samples, Signal};

use super::{Rows, Series};
use crate::facts::limit;

/// What accelerators do, all together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Load {
    /// No accelerator was observed.
    Unknown,
    /// They have no work.
    Idle,
    /// One look at an accelerator that has work and stood still: too little to say that it waits.
    Glance,
    /// They have work and stand still for this share of the time.
    Waiting(f64),
    /// They are busy.
    Busy,
}

/// One accelerator in one part of the input.
pub struct GpuPhase<'a> {
    /// Its index.
    pub gpu: &'a str,
    /// The part of the input.
    pub block: u32,
    /// Its rows.
    pub rows: Rows<'a>,
    /// All rows of the same accelerator, for what does not change.
    all: Rows<'a>,
    /// Whether a compute process was listed in the same part.
    has_process: bool,
    /// Whether it is cut into slices: then its power says nothing of the work in one.
    sliced: bool,
}

pub(super) fn phases<'a>(
    samples: &'a Samples,
    groups: &BTreeMap<(u32, Part, &'a str), Rows<'a>>,
) -> Vec<GpuPhase<'a>> {
    let mut all: BTreeMap<&str, Rows<'a>> = BTreeMap::new();
    for row in samples.rows.iter().filter(|row| row.part == Part::Gpu) {
        all.entry(&row.name).or_default().push(row);
    }
    groups
        .iter()
        .filter(|((_, part, _), rows)| *part == Part::Gpu || *part == Part::Slice && tell_of_work(rows))
        .map(|((block, _, gpu), rows)| GpuPhase {
            gpu,
            block: *block,
            rows: rows.clone(),
            all: all.get(gpu).cloned().unwrap_or_default(),
            sliced: is_sliced(samples, gpu),
            has_process: samples.rows.iter().any(|row| {
                row.part == Part::Process
                    && row.block == *block
                    && row.label(Label::Gpu) == Some(gpu)
                    && is_compute(row)
            }),
        })
        .collect()
}

/// Whether rows of a slice say how busy it is, and not only how large.
fn tell_of_work(rows: &Rows<'_>) -> bool {
    let signals = [Signal::EngineActive, Signal::SmActive, Signal::GpuUtilization];
    rows.iter().any(|row| signals.iter().any(|signal| row.get(*signal).is_some()))
}

fn is_sliced(samples: &Samples, gpu: &str) -> bool {
    samples.rows.iter().any(|row| match row.part {
        Part::Gpu => &*row.name == gpu && row.get(Signal::MigEnabled) == Some(1.0),
        Part::Slice => row.label(Label::Gpu) == Some(gpu),
        _ => false,
    })
}

/// Whether a process of an accelerator's list computes, rather than draws.
pub fn is_compute(row: &Observation) -> bool {
    row.label(Label::Kind).is_some_and(|kind| matches!(kind, "C" | "M" | "M+C"))
}

pub(super) fn load(phases: &[GpuPhase<'_>]) -> Load {
    let told: Vec<&GpuPhase<'_>> = phases.iter().filter(|phase| phase.is_telling()).collect();
    if told.is_empty() {
        return Load::Unknown;
    }
    let waiting: Vec<f64> =
        told.iter().filter(|phase| phase.waits()).filter_map(|phase| phase.mean_use()).collect();
    if !waiting.is_empty() {
        return Load::Waiting(1.0 - waiting.iter().sum::<f64>() / waiting.len() as f64);
    }
    if told.iter().any(|phase| phase.is_busy()) {
        return Load::Busy;
    }
    if told.iter().any(|phase| phase.has_work() && !phase.sleeps()) { Load::Glance } else { Load::Idle }
}

impl<'a> GpuPhase<'a> {
    /// A signal over time.
    pub fn series(&self, signal: Signal) -> Series<'a> {
        Series::of(&self.rows, signal)
    }

    /// A signal over the rows under load.
    pub fn loaded(&self, signal: Signal) -> Series<'a> {
        let rows: Rows<'a> = self.rows.iter().copied().filter(|row| self.is_loaded(row)).collect();
        Series::of(&rows, signal)
    }

    /// A figure that does not change: of a row, else of any other row of the accelerator.
    pub fn fixed(&self, signal: Signal) -> Option<f64> {
        self.rows.iter().chain(&self.all).find_map(|row| row.get(signal))
    }

    /// The model's name, where printed; the longest, as tables cut it.
    pub fn name(&self) -> Option<&'a str> {
        self.all.iter().filter_map(|row| row.label(Label::Name)).max_by_key(|name| name.len())
    }

    /// How it is called in findings.
    pub fn subject(&self) -> String {
        format!("GPU {}", self.gpu)
    }

    /// Power as a share of the limit, row by row.
    pub fn power_ratio(&self, row: &Observation) -> Option<f64> {
        let limit = row.get(Signal::PowerLimitW).or_else(|| self.fixed(Signal::PowerLimitW))?;
        (limit > 0.0).then_some(row.get(Signal::PowerW)? / limit)
    }

    /// The middle of power as a share of the limit, over the rows under load.
    pub fn loaded_power(&self) -> Option<f64> {
        let mut ratios: Vec<f64> = self
            .rows
            .iter()
            .filter(|row| self.is_loaded(row))
            .filter_map(|row| self.power_ratio(row))
            .collect();
        ratios.sort_by(f64::total_cmp);
        ratios.get(ratios.len() / 2).copied()
    }

    /// How much of the time the row's engines work, video engines included.
    fn row_use(row: &Observation) -> Option<f64> {
        let engines = [Signal::EncoderUtilization, Signal::DecoderUtilization];
        let main = row.get(Signal::GpuUtilization).or_else(|| row.get(Signal::EngineActive))?;
        // A video engine that works is the work: it shows as little use of the rest.
        let video = engines.iter().filter_map(|signal| row.get(*signal)).fold(0.0, f64::max);
        Some(if video >= limit("gpu_loaded") { 1.0 } else { main })
    }

    /// Whether it works at that moment: by utilisation, else by power.
    pub fn is_loaded(&self, row: &Observation) -> bool {
        match Self::row_use(row) {
            Some(share) => share >= limit("gpu_loaded"),
            None => {
                !self.sliced && self.power_ratio(row).is_some_and(|ratio| ratio >= limit("gpu_loaded_power"))
            }
        }
    }

    /// Whether the rows say at all whether it works.
    fn is_telling(&self) -> bool {
        if self.hides_work() {
            return self.sleeps() && !self.has_work();
        }
        self.rows.iter().any(|row| Self::row_use(row).is_some() || row.get(Signal::PowerW).is_some())
    }

    /// Whether it is cut into slices and says nothing of how busy they are.
    pub fn hides_work(&self) -> bool {
        self.sliced && self.mean_use().is_none()
    }

    /// The mean of its use.
    pub fn mean_use(&self) -> Option<f64> {
        let shares: Vec<f64> = self.rows.iter().filter_map(|row| Self::row_use(row)).collect();
        (!shares.is_empty()).then(|| shares.iter().sum::<f64>() / shares.len() as f64)
    }

    /// Whether it is in a state that only idle accelerators have.
    pub fn sleeps(&self) -> bool {
        self.rows.iter().all(|row| {
            let little = self.power_ratio(row).is_some_and(|ratio| ratio < limit("gpu_rest_power"));
            let still = Self::row_use(row).is_none_or(|share| share < limit("gpu_touched"));
            let deep = row.get(Signal::PerformanceState).is_some_and(|state| state >= 5.0);
            still && (deep || little || row.get(Signal::ReasonIdle) == Some(1.0))
        })
    }

    /// Whether it has something to do: it worked at some moment, a process computes on it, or its memory is in use.
    pub fn has_work(&self) -> bool {
        // A desktop that draws a little is no work, unless the accelerator is in a state of computing.
        let touched = self.rows.iter().any(|row| {
            let computing = row.get(Signal::PerformanceState).is_some_and(|state| state <= 3.0);
            let enough = limit(if computing { "gpu_touched" } else { "gpu_loaded" });
            Self::row_use(row).is_some_and(|share| share >= enough)
        });
        let in_use = self.rows.iter().any(|row| {
            let total = row.get(Signal::MemoryTotalBytes).or_else(|| self.fixed(Signal::MemoryTotalBytes));
            match (row.get(Signal::MemoryUsedBytes), total) {
                (Some(used), Some(total)) if total > 0.0 => used / total >= limit("gpu_memory_in_use"),
                _ => false,
            }
        });
        touched || self.has_process || in_use && !self.sleeps()
    }

    /// Whether it is busy: most of the time, or nearly all of its power.
    pub fn is_busy(&self) -> bool {
        match self.mean_use() {
            Some(share) => share >= limit("gpu_waiting"),
            None => self.rows.iter().any(|row| self.is_loaded(row)),
        }
    }

    /// Whether it is busy all of the time.
    pub fn is_full(&self) -> bool {
        self.mean_use().map_or_else(|| self.is_busy(), |share| share >= limit("gpu_busy"))
    }

    /// Whether it has work and yet stands still for a good part of several samples.
    pub fn waits(&self) -> bool {
        let enough = self.rows.len() as f64 >= limit("samples_for_waiting");
        enough && self.has_work() && self.mean_use().is_some_and(|share| share < limit("gpu_waiting"))
    }
}
