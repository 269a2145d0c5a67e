//! What is known of a trace, and of the ranks of a job together.

use std::io::Read;

use maat_base::Fault;
use serde::Serialize;

use crate::Micros;
use crate::measure::{
    CollectiveRow, CopyRow, Correlations, FamilyRow, Idle, IdleKinds, KernelRow, Launches, Layers, Numbers,
    Split, Step, StreamRow, TensorCores, Waits, collectives, copies, kernels, launches, steps, streams,
    tensor_cores,
};
use crate::ranks::{RankComparison, compare_ranks, rank_in_name};
use crate::read::{Limits, Marked, Timeline, read};
use crate::redact::Namer;
use crate::tables::{CallClass, SpanClass, Vendor, thresholds};

/// One input: what it goes by and where its bytes come from.
pub struct Input<'a> {
    /// The name that evidence and faults give as the place, such as the file's path.
    pub label: String,
    /// The bytes: JSON, or gzip of it.
    pub reader: Box<dyn Read + 'a>,
}

/// What the reader may spend and what an answer may show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Whether names that may say who or where are replaced.
    pub redact: bool,
    /// Bounds on a single file.
    pub limits: Limits,
}

/// What else the rules look at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Marks {
    /// Whose accelerator it is.
    pub vendor: Option<Vendor>,
    /// Reads of single values back to the host (`aten::item` and the like).
    pub value_reads: u64,
    /// Gaps of the accelerator that follow a synchronising call.
    pub gaps_after_sync: u64,
    /// Steps in which code was compiled.
    pub steps_compiling: u64,
    /// The same without the first step.
    pub later_steps_compiling: u64,
    /// Steps after the first in which memory was allocated or freed.
    pub later_steps_allocating: u64,
    /// Whether there are sends and receives between two ranks.
    pub point_to_point: bool,
    /// The longest gap of the accelerator.
    pub longest_gap_us: Micros,
    /// Long gaps that begin or end with a copy to the host.
    pub gaps_beside_d2h_us: Micros,
    /// Recorded Python functions: recording them slows the host.
    pub python_functions: u64,
    /// Events whose times cannot be read, left out.
    pub events_unreadable: u64,
    /// Events with a duration below 0, left out.
    pub events_negative: u64,
    /// Events of accelerators whose work is not kernels (MTIA).
    pub other_accelerator_events: u64,
    /// Union of their times.
    pub other_accelerator_busy_us: Micros,
    /// First start to last end of them.
    pub other_accelerator_window_us: Micros,
}

/// Where and why a trace ends before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Damage {
    /// What is wrong, as the fault of a trace of which nothing can be read.
    pub code: &'static str,
    /// Offset in the text after decompression; the events before it were read.
    pub byte: u64,
    /// The message that says what to do.
    #[serde(skip)]
    pub hint: &'static str,
}

/// Everything on one trace: one process of a job.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankReport {
    /// What the input goes by.
    pub label: String,
    /// Number of the process in the job, as the file says, else its name.
    pub rank: Option<i64>,
    /// Processes in the job.
    pub world_size: Option<i64>,
    /// What was wrong behind the last event that was read; `None` for a trace that is whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damage: Option<Damage>,
    /// The numbers of the contract.
    #[serde(flatten)]
    pub numbers: Numbers,
    /// The window and the steps divided; `None` without work of an accelerator.
    pub split: Option<Split>,
    /// Idle by who was waited for.
    pub idle: IdleKinds,
    /// Idle by cause.
    pub waits: Waits,
    /// Launches and the queue.
    pub launches: Launches,
    /// The steps.
    pub step_list: Vec<Step>,
    /// Kernels, most time first.
    pub kernels: Vec<KernelRow>,
    /// The kernels that an answer has no room for, in the same order; a comparison of traces needs them.
    #[serde(skip)]
    pub more_kernels: Vec<KernelRow>,
    /// How many different kernels there are.
    pub kernel_names: u64,
    /// Families of kernels, most time first.
    pub families: Vec<FamilyRow>,
    /// Kinds of communication, most time first.
    pub collectives: Vec<CollectiveRow>,
    /// Copies, most time first.
    pub copies: Vec<CopyRow>,
    /// Streams, busiest first.
    pub streams: Vec<StreamRow>,
    /// Tensor cores.
    pub tensor_cores: TensorCores,
    /// What else the rules look at.
    pub marks: Marks,
    /// Pieces of the span with what the accelerator did, for the picture.
    #[serde(skip)]
    pub timeline: Vec<Piece>,
}

/// One piece of the picture of time: how much of it went to what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Piece {
    /// The piece divided.
    pub split: Split,
    /// Its idle time divided.
    pub waits: Waits,
}

/// One or many traces of a job.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TraceReport {
    /// The traces by rank, then as given.
    pub ranks: Vec<RankReport>,
    /// The ranks beside each other; `None` unless there are at least two different ones.
    pub comparison: Option<RankComparison>,
}

/// Pieces of the picture.
const PIECES: i64 = 60;

/// Rows of an answer's tables.
const KERNEL_ROWS: usize = 40;
const MORE_KERNEL_ROWS: usize = 10_000;
const STEP_ROWS: usize = 1000;
const STREAM_ROWS: usize = 64;

/// Reads traces and measures them.
///
/// # Errors
/// A fault of kind content that names the input and the byte: `trace-ends-early`, `trace-not-json` and the like. The
/// fault shows nothing of the content.
pub fn analyse(inputs: Vec<Input<'_>>, options: &Options) -> Result<TraceReport, Fault> {
    measured(inputs, options, &mut Namer::new(options.redact))
}

/// Reads the traces of a job before and after a change; replaced names are the same in both.
///
/// # Errors
/// As [`analyse`].
pub fn analyse_both(
    before: Vec<Input<'_>>,
    after: Vec<Input<'_>>,
    options: &Options,
) -> Result<(TraceReport, TraceReport), Fault> {
    let mut namer = Namer::new(options.redact);
    Ok((measured(before, options, &mut namer)?, measured(after, options, &mut namer)?))
}

fn measured(inputs: Vec<Input<'_>>, options: &Options, namer: &mut Namer) -> Result<TraceReport, Fault> {
    let mut ranks = Vec::with_capacity(inputs.len());
    for (index, input) in inputs.into_iter().enumerate() {
        let (shown, by_name) = (namer.input(&input.label, index), rank_in_name(&input.label));
        let line = read(input.reader, &options.limits).map_err(|trouble| trouble.fault(&shown))?;
        let mut report = RankReport::of(&line, shown, namer);
        report.rank = report.rank.or(by_name);
        ranks.push(report);
    }
    ranks.sort_by_key(|rank| rank.rank.unwrap_or(i64::MAX));
    let comparison = compare_ranks(&ranks);
    Ok(TraceReport { ranks, comparison })
}

impl RankReport {
    fn of(line: &Timeline, label: String, namer: &mut Namer) -> Self {
        let layers = Layers::of(line);
        let calls = Correlations::of(line);
        let idle = Idle::of(line, &layers, &calls);
        let mut numbers = Numbers::of(line, &layers);
        numbers.gpu = numbers.gpu.and_then(|name| namer.device(&name));
        let step_list = steps(line, &layers, &idle, STEP_ROWS);
        let (mut rows, families) = kernels(line, namer);
        let tensor_cores = tensor_cores(line, &rows, thresholds());
        let kernel_names = rows.len() as u64;
        let (start, end) = layers.span.unwrap_or((0, 0));
        Self {
            label,
            rank: line.header.rank,
            world_size: line.header.world_size,
            damage: line.damage.map(|trouble| Damage {
                code: trouble.cause.code(),
                byte: trouble.offset,
                hint: trouble.cause.hint(),
            }),
            numbers,
            split: layers.span.map(|(start, end)| Split::between(&layers, start, end)),
            idle: idle.kinds,
            waits: idle.waits(start, end),
            launches: launches(line, &calls),
            marks: marks(line, &idle),
            timeline: timeline(&layers, &idle),
            step_list,
            more_kernels: first(rows.split_off(rows.len().min(KERNEL_ROWS)), MORE_KERNEL_ROWS),
            kernels: rows,
            kernel_names,
            families,
            collectives: collectives(line),
            copies: first(copies(line, namer), KERNEL_ROWS),
            streams: first(streams(line), STREAM_ROWS),
            tensor_cores,
        }
    }

    /// A time over the whole span; 0 without work.
    pub fn share(&self, time: Micros) -> f64 {
        self.split.map_or(0.0, |split| time.share_of(split.span_us))
    }
}

fn first<T>(mut rows: Vec<T>, count: usize) -> Vec<T> {
    rows.truncate(count);
    rows
}

fn timeline(layers: &Layers, idle: &Idle) -> Vec<Piece> {
    let Some((start, end)) = layers.span else { return Vec::new() };
    let edge =
        |piece: i64| start + ((i128::from(end - start) * i128::from(piece)) / i128::from(PIECES)) as i64;
    (0..PIECES)
        .map(|piece| (edge(piece), edge(piece + 1)))
        .map(|(from, to)| Piece { split: Split::between(layers, from, to), waits: idle.waits(from, to) })
        .collect()
}

fn marks(line: &Timeline, idle: &Idle) -> Marks {
    let spans = |class| line.marked.iter().filter(move |span| span.class == class);
    let steps: Vec<_> = spans(SpanClass::Step).collect();
    // In how many steps, from one on, something of sorted starts begins.
    let holding = |starts: &[i64], from: usize| {
        let holds = |step: &&&Marked| {
            let next = starts.partition_point(|start| *start < step.start);
            starts.get(next).is_some_and(|start| *start < step.end)
        };
        steps.iter().skip(from).filter(holds).count() as u64
    };
    let compiles: Vec<i64> = spans(SpanClass::Compile).map(|span| span.start).collect();
    let allocates = line.calls.iter().filter(|call| call.class == CallClass::Alloc);
    let allocations: Vec<i64> = allocates.map(|call| call.start).collect();
    Marks {
        value_reads: spans(SpanClass::Item).count() as u64,
        gaps_after_sync: idle.sync_gaps,
        steps_compiling: holding(&compiles, 0),
        later_steps_compiling: holding(&compiles, 1),
        later_steps_allocating: holding(&allocations, 1),
        point_to_point: spans(SpanClass::Pipeline).next().is_some(),
        vendor: line.vendor,
        gaps_beside_d2h_us: Micros::from_ns(idle.beside_copies_to_host.length()),
        longest_gap_us: Micros::from_ns(idle.longest.map_or(0, |(start, end)| end - start)),
        python_functions: line.sums.python,
        events_unreadable: line.sums.unreadable,
        events_negative: line.sums.negative,
        other_accelerator_events: line.sums.other_accelerator,
        other_accelerator_busy_us: Micros::from_ns(line.other_accelerator.length()),
        other_accelerator_window_us: Micros::from_ns(line.other_accelerator.hull()),
    }
}
