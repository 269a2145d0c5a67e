//! Processes and cores of the machine.

use std::collections::{BTreeMap, BTreeSet};

use maat_readings::monitor::{Label, Observation, Part, Samples, Signal};

use super::Series;
use crate::facts;

/// A process, or a thread, over all samples.
pub struct Process<'a> {
    /// Its number.
    pub id: &'a str,
    /// Its command, where printed.
    pub name: &'a str,
    /// `framework`, `server` or `worker`, where known.
    pub role: Option<&'static str>,
    /// Whether it is a thread.
    pub is_thread: bool,
    /// Cores that it uses.
    pub cores: Series<'a>,
    /// Its rows.
    pub rows: Vec<&'a Observation>,
}

impl Process<'_> {
    /// In which part of the samples it waited for a disk or a server.
    pub fn waiting_share(&self) -> f64 {
        let states: Vec<&str> = self.rows.iter().filter_map(|row| row.label(Label::State)).collect();
        let waiting = states.iter().filter(|state| state.starts_with('D')).count();
        waiting as f64 / states.len().max(1) as f64
    }

    /// In which part of the samples it wanted to run.
    pub fn running_share(&self) -> f64 {
        let states: Vec<&str> = self.rows.iter().filter_map(|row| row.label(Label::State)).collect();
        let running = states.iter().filter(|state| state.starts_with('R')).count();
        running as f64 / states.len().max(1) as f64
    }

    /// Cores that it would use if it got them: what it uses, and how long it waits for a core.
    pub fn demand(&self) -> f64 {
        let wait = Series::of(&self.rows, Signal::ProcessWait);
        let used = self.cores.median();
        let several = self.rows.iter().filter(|row| row.label(Label::State).is_some()).count() >= 3;
        let ready = if several { self.running_share() } else { 0.0 };
        (used + wait.median()).max(ready)
    }

    /// Its threads, where printed.
    pub fn threads(&self) -> Option<f64> {
        self.rows.iter().find_map(|row| row.get(Signal::ProcessThreads))
    }
}

pub(super) fn processes(samples: &Samples) -> Vec<Process<'_>> {
    let mut rows: BTreeMap<(Part, &str), Vec<&Observation>> = BTreeMap::new();
    for row in samples.rows.iter().filter(|row| matches!(row.part, Part::Process | Part::Thread)) {
        if !row.name.is_empty() {
            rows.entry((row.part, &row.name)).or_default().push(row);
        }
    }
    rows.into_iter()
        .map(|((part, id), rows)| {
            let name = rows.iter().find_map(|row| row.label(Label::Name)).unwrap_or("");
            Process {
                id,
                name,
                role: facts::role(name),
                is_thread: part == Part::Thread,
                cores: Series::of(&rows, Signal::ProcessCpu),
                rows,
            }
        })
        .collect()
}

/// The number of cores: as a tool says, else as many as have rows.
pub(super) fn cores(samples: &Samples) -> Option<f64> {
    let told = samples
        .rows
        .iter()
        .filter(|row| row.part == Part::Host)
        .filter_map(|row| row.get(Signal::CpuCount))
        .filter(|cores| *cores >= 1.0)
        .reduce(f64::max);
    told.or_else(|| {
        let single: BTreeSet<&str> =
            samples.rows.iter().filter(|row| row.part == Part::Core).map(|row| &*row.name).collect();
        (!single.is_empty()).then_some(single.len() as f64)
    })
}

/// The number of cores that the processes' use and the share of busy processors imply: `top` prints both, but not the
/// number. Only where processes use so much that the quotient is sound.
pub(super) fn implied_cores(processes: &[Process<'_>], samples: &Samples) -> Option<f64> {
    let used: f64 =
        processes.iter().filter(|process| !process.is_thread).map(|process| process.cores.median()).sum();
    let rows: Vec<&Observation> = samples.rows.iter().filter(|row| row.part == Part::Host).collect();
    let idle = Series::of(&rows, Signal::CpuIdle);
    let wait = Series::of(&rows, Signal::CpuIowait);
    let busy = 1.0 - idle.median() - wait.median();
    (!idle.is_empty() && used >= 2.0 && busy >= 0.2).then(|| (used / busy).round().max(1.0))
}
