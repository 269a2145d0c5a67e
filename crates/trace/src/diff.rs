//! Two traces beside each other: before and after a change.

use std::collections::BTreeMap;

use maat_base::{Arg, Text};
use serde::Serialize;

use crate::measure::{Split, Step};
use crate::tables::thresholds;
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

/// One part of the compared time in both traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PartChange {
    /// Name of the field of a step that holds it.
    pub part: &'static str,
    /// Before, in microseconds.
    pub before_us: Micros,
    /// After.
    pub after_us: Micros,
    /// After without before.
    pub change_us: Micros,
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
    /// After without before; of a step where steps are compared.
    pub change_us: Micros,
}

/// What became of the time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// Less of it.
    Faster,
    /// More of it.
    Slower,
    /// No difference that stands out from the differences between steps.
    Same,
    /// The kernels are others: it is not the same work.
    OtherWork,
    /// Nothing to compare, or a trace of which only a part was read.
    Unknown,
}

/// What changed from one trace to another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TraceDiff {
    /// What the earlier input goes by.
    pub before: String,
    /// What the later input goes by.
    pub after: String,
    /// The outcome.
    pub outcome: Change,
    /// Whether the mean step is compared; else the whole recording.
    pub per_step: bool,
    /// The compared time before; `None` without work of an accelerator.
    pub before_us: Option<Micros>,
    /// The compared time after.
    pub after_us: Option<Micros>,
    /// The share of the time before that went away, negative when time came on top.
    pub saved_share: Option<f64>,
    /// Twice the standard error of the difference of the mean steps; `None` with fewer than two steps each.
    pub uncertainty_us: Option<Micros>,
    /// The compared time by parts, which add up to it.
    pub parts: Vec<PartChange>,
    /// The share of the kernels' time, of both traces, in kernels that are in both.
    pub common_share: f64,
    /// The numbers of the whole recordings.
    pub numbers: Vec<NumberChange>,
    /// The kernels whose time changed, the largest change first.
    pub kernels: Vec<KernelChange>,
    /// The outcome in a sentence.
    pub text: Text,
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

/// A stretch of time: how it divides, and its idle time.
type Stretch = (Split, Waits);

/// A part of a stretch: the field of a step that holds it, and how long it is.
type Part = (&'static str, fn(&Stretch) -> Micros);

/// The parts of a stretch; together they are all of it.
const PARTS: &[Part] = &[
    ("compute_us", |(split, _)| split.compute_us),
    ("exposed_comm_us", |(split, _)| split.exposed_comm_us),
    ("exposed_memcpy_us", |(split, _)| split.exposed_memcpy_us),
    ("waits.loader_us", |(_, waits)| waits.loader_us),
    ("waits.checkpoint_us", |(_, waits)| waits.checkpoint_us),
    ("waits.evaluation_us", |(_, waits)| waits.evaluation_us),
    ("waits.compile_us", |(_, waits)| waits.compile_us),
    ("waits.module_us", |(_, waits)| waits.module_us),
    ("waits.allocation_us", |(_, waits)| waits.allocation_us),
    ("waits.staging_us", |(_, waits)| waits.staging_us),
    ("waits.sync_us", |(_, waits)| waits.sync_us),
    ("waits.launch_us", |(_, waits)| waits.launch_us),
    ("waits.queued_us", |(_, waits)| waits.queued_us),
    ("waits.unexplained_us", |(_, waits)| waits.unexplained_us),
];

/// The message that names a part.
const fn part_message(part: &str) -> &'static str {
    match part.as_bytes() {
        b"compute_us" => "trace-time-compute",
        b"exposed_comm_us" => "trace-time-communication",
        b"exposed_memcpy_us" => "trace-time-copies",
        b"waits.loader_us" => "trace-time-loader",
        b"waits.checkpoint_us" => "trace-time-checkpoint",
        b"waits.evaluation_us" => "trace-time-evaluation",
        b"waits.compile_us" => "trace-time-compile",
        b"waits.module_us" => "trace-time-module",
        b"waits.allocation_us" => "trace-time-allocation",
        b"waits.staging_us" => "trace-time-staging",
        b"waits.sync_us" => "trace-time-sync",
        b"waits.launch_us" => "trace-time-launch",
        b"waits.queued_us" => "trace-time-queued",
        _ => "trace-time-unexplained",
    }
}

impl PartChange {
    /// The causes of idle time with the messages that name them.
    pub fn of_waits(waits: &Waits) -> Vec<(&'static str, Micros)> {
        let stretch = (Split::default(), *waits);
        let idle = PARTS.iter().filter(|(part, _)| part.starts_with("waits."));
        idle.map(|(part, time)| (part_message(part), time(&stretch))).collect()
    }

    /// What the part is called.
    pub fn label(&self) -> &'static str {
        part_message(self.part)
    }
}

fn minus(after: Micros, before: Micros) -> Micros {
    Micros::from_ns(after.ns().saturating_sub(before.ns()))
}

fn over(time: Micros, count: usize) -> Micros {
    Micros::from_ns(time.ns() / i64::try_from(count.max(1)).unwrap_or(i64::MAX))
}

/// One side: what is compared of it.
struct Side<'a> {
    report: &'a RankReport,
    steps: &'a [Step],
}

impl Side<'_> {
    /// The stretches that count, and the mean of one of their parts.
    fn mean(&self, part: impl Fn(&Stretch) -> Micros) -> Micros {
        if self.steps.is_empty() {
            let whole = (self.report.split.unwrap_or_default(), self.report.waits);
            return part(&whole);
        }
        let sum =
            self.steps.iter().map(|step| i128::from(part(&(step.split, step.waits)).ns())).sum::<i128>();
        Micros::from_sum(sum / self.steps.len() as i128)
    }

    /// The variance of the mean step, in square nanoseconds; `None` with fewer than two.
    fn variance_of_mean(&self) -> Option<f64> {
        let count = self.steps.len() as f64;
        let spans = || self.steps.iter().map(|step| step.split.span_us.ns() as f64);
        let mean = spans().sum::<f64>() / count;
        let squares = spans().map(|span| (span - mean).powi(2)).sum::<f64>();
        (self.steps.len() > 1).then(|| squares / (count - 1.0) / count)
    }
}

/// Compares two traces of the same work. Kernels are matched by name.
pub fn compare(before: &RankReport, after: &RankReport) -> TraceDiff {
    let per_step = !before.step_list.is_empty() && !after.step_list.is_empty();
    let steps = |report: &'_ RankReport| if per_step { report.step_list.len() } else { 0 };
    let sides = [before, after].map(|report| Side { report, steps: &report.step_list[..steps(report)] });
    let [was, is] = &sides;
    let known = before.split.is_some() && after.split.is_some();
    let parts: Vec<PartChange> = if known { part_changes(was, is) } else { Vec::new() };
    let span = |side: &Side<'_>| known.then(|| side.mean(|(split, _)| split.span_us));
    let (before_us, after_us) = (span(was), span(is));
    let uncertainty_us = was
        .variance_of_mean()
        .zip(is.variance_of_mean())
        .map(|(was, is)| Micros::from_ns((2.0 * (was + is).sqrt()).min(9e18) as i64));
    let (kernels, common_share) = kernel_changes(&sides);
    let mut diff = TraceDiff {
        before: before.label.clone(),
        after: after.label.clone(),
        outcome: Change::Unknown,
        per_step,
        before_us,
        after_us,
        saved_share: before_us
            .zip(after_us)
            .filter(|(was, _)| was.ns() > 0)
            .map(|(was, is)| minus(was, is).share_of(was)),
        uncertainty_us,
        parts,
        common_share,
        numbers: number_changes(before, after),
        kernels,
        text: Text::new("trace-diff-unknown"),
    };
    if before.damage.is_some() || after.damage.is_some() {
        diff.text = Text::new("trace-diff-damaged");
        return diff;
    }
    diff.outcome = outcome(&diff);
    diff.text = sentence(&diff);
    diff
}

fn number_changes(before: &RankReport, after: &RankReport) -> Vec<NumberChange> {
    FIELDS
        .iter()
        .map(|(name, field)| {
            let (before_us, after_us) = (field(before), field(after));
            let change_us = before_us.zip(after_us).map(|(b, a)| minus(a, b));
            NumberChange { name, before_us, after_us, change_us }
        })
        .collect()
}

fn part_changes(was: &Side<'_>, is: &Side<'_>) -> Vec<PartChange> {
    PARTS
        .iter()
        .map(|&(part, time)| {
            let (before_us, after_us) = (was.mean(time), is.mean(time));
            PartChange { part, before_us, after_us, change_us: minus(after_us, before_us) }
        })
        .collect()
}

/// Count and time of a kernel on both sides.
type Sums = ([u64; 2], [Micros; 2]);

/// The kernels that changed, and the share of time in kernels of both traces.
fn kernel_changes(sides: &[Side<'_>; 2]) -> (Vec<KernelChange>, f64) {
    let mut rows: BTreeMap<&str, Sums> = BTreeMap::new();
    for (place, side) in sides.iter().enumerate() {
        for kernel in side.report.kernels.iter().chain(&side.report.more_kernels) {
            let (count, total) = rows.entry(&kernel.name).or_default();
            count[place] += kernel.count;
            total[place] = Micros::from_ns(total[place].ns().saturating_add(kernel.total_us.ns()));
        }
    }
    let time = |wanted: &dyn Fn(&Sums) -> bool| {
        let both = |row: &Sums| row.1.iter().map(|time| i128::from(time.ns())).sum::<i128>();
        rows.values().filter(|row| wanted(row)).map(both).sum::<i128>()
    };
    let (whole, common) = (time(&|_| true), time(&|row| row.0.iter().all(|count| *count > 0)));
    let common_share = if whole > 0 { common as f64 / whole as f64 } else { 0.0 };
    let mut kernels: Vec<KernelChange> = rows
        .into_iter()
        .map(|(name, (count, total_us))| {
            let [was, is] = [0, 1].map(|place| over(total_us[place], sides[place].steps.len()));
            KernelChange { name: name.to_owned(), count, total_us, change_us: minus(is, was) }
        })
        .filter(|row| row.change_us.ns() != 0)
        .collect();
    kernels.sort_by_key(|row| std::cmp::Reverse(row.change_us.ns().unsigned_abs()));
    kernels.truncate(KERNEL_ROWS);
    (kernels, common_share)
}

/// Kernels of a comparison.
const KERNEL_ROWS: usize = 40;

fn outcome(diff: &TraceDiff) -> Change {
    let Some((saved, (was, is))) = diff.saved_share.zip(diff.before_us.zip(diff.after_us)) else {
        return Change::Unknown;
    };
    let limits = thresholds();
    let stands_out = diff.uncertainty_us.is_none_or(|noise| minus(was, is).ns().abs() > noise.ns());
    if diff.common_share < limits.common_kernels {
        Change::OtherWork
    } else if saved.abs() < limits.change_notable || !stands_out {
        Change::Same
    } else if saved > 0.0 {
        Change::Faster
    } else {
        Change::Slower
    }
}

/// The outcome with the parts that made it: those that changed the same way, the largest first.
fn sentence(diff: &TraceDiff) -> Text {
    let id = match diff.outcome {
        Change::Faster => "trace-diff-faster",
        Change::Slower => "trace-diff-slower",
        Change::Same => "trace-diff-same",
        Change::OtherWork => "trace-diff-other-work",
        Change::Unknown => return Text::new("trace-diff-unknown"),
    };
    let precise = |time: Option<Micros>| precise(time.unwrap_or_default());
    let what = if diff.per_step { "trace-diff-step" } else { "trace-diff-recording" };
    Text::new(id)
        .with("share", Arg::Share(diff.saved_share.unwrap_or_default().abs()))
        .with("before", precise(diff.before_us))
        .with("after", precise(diff.after_us))
        .with("what", Text::new(what))
        .with("common", Arg::Share(diff.common_share))
        .with("because", reasons(diff))
}

/// A time with three digits, so that the change can be checked by it.
fn precise(time: Micros) -> Text {
    let (id, factor) = match time.ns().abs() {
        0..1_000_000 => ("trace-microseconds", 1e3),
        1_000_000..1_000_000_000 => ("trace-milliseconds", 1e6),
        _ => ("trace-seconds", 1e9),
    };
    Text::new(id).with("n", Arg::Number(time.ns() as f64 / factor))
}

/// At most two parts that explain the change.
fn reasons(diff: &TraceDiff) -> Vec<Text> {
    let less = diff.saved_share.is_some_and(|saved| saved > 0.0);
    let mut parts: Vec<&PartChange> = diff
        .parts
        .iter()
        .filter(|part| part.change_us.ns() != 0 && (part.change_us.ns() < 0) == less)
        .collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.change_us.ns().unsigned_abs()));
    let largest = parts.first().map_or(0, |part| part.change_us.ns().unsigned_abs());
    let id = if less { "trace-diff-less" } else { "trace-diff-more" };
    parts
        .into_iter()
        .take(2)
        .filter(|part| part.change_us.ns().unsigned_abs() >= largest / 4)
        .map(|part| {
            let time = Micros::from_ns(part.change_us.ns().abs());
            Text::new(id).with("part", Text::new(part.label())).with("time", Arg::Seconds(time.seconds()))
        })
        .collect()
}
