//! Two traces beside each other: before and after a change.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::{Micros, Numbers, RankReport, Waits};

/// One number in both traces.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NumberChange {
    /// Name of the field.
    pub name: &'static str,
    /// Before, in microseconds; `None` when not known.
    pub before_us: Option<Micros>,
    /// After.
    pub after_us: Option<Micros>,
    /// After without before, in microseconds.
    pub change_us: Option<Micros>,
}

/// One kernel in both traces.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct KernelChange {
    /// The kernel's name.
    pub name: String,
    /// How often it ran before and after; 0 when it is not there.
    pub count: [u64; 2],
    /// Its time before and after.
    pub total_us: [Micros; 2],
    /// After without before.
    pub change_us: Micros,
}

/// What changed from one trace to another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TraceDiff {
    /// The numbers.
    pub numbers: Vec<NumberChange>,
    /// The kernels whose time changed, the largest change first.
    pub kernels: Vec<KernelChange>,
}

type Field = (&'static str, fn(&RankReport) -> Option<Micros>);

fn number(report: &RankReport, field: fn(&Numbers) -> Option<Micros>) -> Option<Micros> {
    field(&report.numbers)
}

fn wait(report: &RankReport, field: fn(&Waits) -> Micros) -> Option<Micros> {
    report.split.map(|_| field(&report.waits))
}

const FIELDS: &[Field] = &[
    ("step_avg_us", |report| number(report, |n| n.step_avg_us)),
    ("window_us", |report| number(report, |n| n.window_us)),
    ("busy_us", |report| number(report, |n| n.busy_us)),
    ("idle_us", |report| number(report, |n| n.idle_us)),
    ("compute_us", |report| number(report, |n| n.compute_us)),
    ("comm_us", |report| number(report, |n| n.comm_us)),
    ("exposed_comm_us", |report| number(report, |n| n.exposed_comm_us)),
    ("exposed_memcpy_us", |report| number(report, |n| n.exposed_memcpy_us)),
    ("kernel_sum_us", |report| number(report, |n| Some(n.kernel_sum_us))),
    ("sync_api_us", |report| number(report, |n| Some(n.sync_api_us))),
    ("waits.loader_us", |report| wait(report, |w| w.loader_us)),
    ("waits.sync_us", |report| wait(report, |w| w.sync_us)),
    ("waits.launch_us", |report| wait(report, |w| w.launch_us)),
];

fn minus(after: Micros, before: Micros) -> Micros {
    Micros::from_ns(after.ns().saturating_sub(before.ns()))
}

/// Compares two traces of the same work. Kernels are matched by name, among those that the reports list.
pub fn compare(before: &RankReport, after: &RankReport) -> TraceDiff {
    let numbers = FIELDS
        .iter()
        .map(|(name, field)| {
            let (before_us, after_us) = (field(before), field(after));
            NumberChange {
                name,
                before_us,
                after_us,
                change_us: before_us.zip(after_us).map(|(b, a)| minus(a, b)),
            }
        })
        .collect();
    let mut rows: BTreeMap<&str, ([u64; 2], [Micros; 2])> = BTreeMap::new();
    for (side, report) in [before, after].into_iter().enumerate() {
        for kernel in &report.kernels {
            let (count, total) = rows.entry(&kernel.name).or_default();
            count[side] += kernel.count;
            total[side] = Micros::from_ns(total[side].ns().saturating_add(kernel.total_us.ns()));
        }
    }
    let mut kernels: Vec<KernelChange> = rows
        .into_iter()
        .map(|(name, (count, total_us))| KernelChange {
            name: name.to_owned(),
            count,
            total_us,
            change_us: minus(total_us[1], total_us[0]),
        })
        .filter(|row| row.change_us.ns() != 0)
        .collect();
    kernels.sort_by_key(|row| std::cmp::Reverse(row.change_us.ns().unsigned_abs()));
    TraceDiff { numbers, kernels }
}
