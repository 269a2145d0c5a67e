//! Why the accelerator stood still: what the launching thread did in each gap.

use serde::Serialize;

use super::Layers;
use crate::Micros;
use crate::cover::{Cover, Interval};
use crate::read::{Call, DeviceKind, DeviceSpan, Timeline};
use crate::tables::{CallClass, SpanClass, thresholds};

/// Idle time by who was waited for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct IdleKinds {
    /// The next work was launched only after the accelerator ran dry.
    pub host_wait_us: Micros,
    /// The next work had been launched before and had not begun.
    pub kernel_wait_us: Micros,
    /// The launch of the next work is not in the trace, or there is none.
    pub other_us: Micros,
}

/// Idle time by cause. The parts do not overlap and add up to the idle time of the span.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Waits {
    /// While the loader was asked for a batch.
    pub loader_us: Micros,
    /// While a checkpoint was written.
    pub checkpoint_us: Micros,
    /// While the model was evaluated.
    pub evaluation_us: Micros,
    /// While code was compiled.
    pub compile_us: Micros,
    /// While code was loaded or a graph was prepared.
    pub module_us: Micros,
    /// While memory was allocated or freed.
    pub allocation_us: Micros,
    /// While a pageable copy was prepared.
    pub staging_us: Micros,
    /// After the host had waited for the accelerator to finish.
    pub sync_us: Micros,
    /// While the host prepared the next launch.
    pub launch_us: Micros,
    /// Although the next work had been launched.
    pub queued_us: Micros,
    /// For no reason that the trace shows.
    pub unexplained_us: Micros,
}

impl Waits {
    /// The sum of all parts.
    pub fn total(&self) -> Micros {
        Micros::from_ns(self.parts().iter().map(|part| part.ns()).sum())
    }

    fn parts(&self) -> [Micros; 11] {
        [
            self.loader_us,
            self.checkpoint_us,
            self.evaluation_us,
            self.compile_us,
            self.module_us,
            self.allocation_us,
            self.staging_us,
            self.sync_us,
            self.launch_us,
            self.queued_us,
            self.unexplained_us,
        ]
    }
}

/// Idle time as sets.
#[derive(Debug, Default)]
pub(crate) struct Idle {
    pub loader: Cover,
    pub checkpoint: Cover,
    pub evaluation: Cover,
    pub compile: Cover,
    pub module: Cover,
    pub allocation: Cover,
    pub staging: Cover,
    pub sync: Cover,
    pub launch: Cover,
    pub queued: Cover,
    pub unexplained: Cover,
    pub kinds: IdleKinds,
    /// Gaps that follow a synchronising call.
    pub sync_gaps: u64,
    /// Gaps longer than a launch's overhead that begin or end with a copy to the host.
    pub beside_copies_to_host: Cover,
    /// The longest gap.
    pub longest: Option<Interval>,
}

/// The gaps before they are put down to causes.
#[derive(Default)]
struct Gaps {
    host: Vec<Interval>,
    after_sync: Vec<Interval>,
    short: Vec<Interval>,
    queued: Vec<Interval>,
    staging: Vec<Interval>,
    other: Vec<Interval>,
}

impl Idle {
    pub(crate) fn of(line: &Timeline, layers: &Layers, calls: &Correlations) -> Self {
        let Some(span) = layers.span else { return Self::default() };
        let all = Cover::of([span]).without(&layers.busy);
        let gaps = Gaps::of(line, &all, calls);
        let marked = |class| spans_of(line, class);
        let requests = |class| calls_of(line, |call| call.class == class);
        let (host, other) = (Cover::of(gaps.host), Cover::of(gaps.other));
        // Marked spans explain a gap whoever launches next; what is left is divided by how the gap began.
        let mut left = host.union(&other);
        let mut take = |set: &Cover| {
            let taken = left.intersection(set);
            left = left.without(set);
            taken
        };
        let loader = take(&marked(SpanClass::Loader));
        let checkpoint = take(&marked(SpanClass::Checkpoint));
        let evaluation = take(&marked(SpanClass::Evaluation));
        let compile = take(&marked(SpanClass::Compile));
        let module = take(&requests(CallClass::Module).union(&marked(SpanClass::Module)));
        let allocation = take(&requests(CallClass::Alloc));
        let sync_gaps = gaps.after_sync.len() as u64;
        let sync = take(&Cover::of(gaps.after_sync));
        let launch = take(&active(line).union(&Cover::of(gaps.short)).intersection(&host));
        let (queued, staging) = (Cover::of(gaps.queued), Cover::of(gaps.staging));
        let kinds = IdleKinds {
            host_wait_us: Micros::from_ns(host.length() + staging.length()),
            kernel_wait_us: Micros::from_ns(queued.length()),
            other_us: Micros::from_ns(other.length()),
        };
        let longest = all.intervals().iter().copied().max_by_key(|(start, end)| end - start);
        let mut idle = Self {
            loader,
            checkpoint,
            evaluation,
            compile,
            module,
            allocation,
            staging,
            sync,
            launch,
            queued,
            unexplained: left,
            kinds,
            sync_gaps,
            beside_copies_to_host: beside_copies_to_host(line, &all),
            longest,
        };
        idle.index();
        idle
    }

    /// Prepares the parts to be asked for many stretches.
    fn index(&mut self) {
        for part in [
            &mut self.loader,
            &mut self.checkpoint,
            &mut self.evaluation,
            &mut self.compile,
            &mut self.module,
            &mut self.allocation,
            &mut self.staging,
            &mut self.sync,
            &mut self.launch,
            &mut self.queued,
            &mut self.unexplained,
        ] {
            part.index();
        }
    }

    /// The parts between two times.
    pub(crate) fn waits(&self, start: i64, end: i64) -> Waits {
        let part = |cover: &Cover| Micros::from_ns(cover.length_within(start, end));
        Waits {
            loader_us: part(&self.loader),
            checkpoint_us: part(&self.checkpoint),
            evaluation_us: part(&self.evaluation),
            compile_us: part(&self.compile),
            module_us: part(&self.module),
            allocation_us: part(&self.allocation),
            staging_us: part(&self.staging),
            sync_us: part(&self.sync),
            launch_us: part(&self.launch),
            queued_us: part(&self.queued),
            unexplained_us: part(&self.unexplained),
        }
    }
}

impl Gaps {
    fn of(line: &Timeline, idle: &Cover, calls: &Correlations) -> Self {
        let waits = calls_of(line, |call| {
            matches!(call.class, CallClass::Sync | CallClass::Wait) && launches(line, call.thread)
        });
        let mut gaps = Self::default();
        for &gap in idle.intervals() {
            let next = line.device.partition_point(|span| span.start < gap.1);
            let next = line.device.get(next).filter(|span| span.start == gap.1);
            let call = next.and_then(|next| calls.get(next.correlation)).and_then(|at| line.calls.get(at));
            match (next, call) {
                (Some(next), Some(call)) => {
                    gaps.add(gap, call, is_pageable(line, next), waits.touches(gap.0));
                }
                _ => gaps.other.push(gap),
            }
        }
        gaps
    }

    /// Divides a gap whose next work was launched by a known call.
    fn add(&mut self, (start, end): Interval, call: &Call, pageable: bool, after_wait: bool) {
        if call.end <= start {
            self.queued.push((start, end));
            return;
        }
        let latest = if pageable { call.start } else { call.end.saturating_add(launch_delay_ns()) };
        let host_end = latest.clamp(start, end);
        if host_end < end {
            if pageable { self.staging.push((host_end, end)) } else { self.queued.push((host_end, end)) }
        }
        if start == host_end {
            return;
        }
        self.host.push((start, host_end));
        // A call that waits and launches by itself (a blocking copy) is no reason for the gap before it.
        if after_wait && call.start >= start {
            self.after_sync.push((start, host_end));
        }
        if ((host_end - start) as f64) < thresholds().long_gap_us * 1e3 {
            self.short.push((start, host_end));
        }
    }
}

/// Long gaps next to a copy to the host: that is how a checkpoint looks from the accelerator.
fn beside_copies_to_host(line: &Timeline, idle: &Cover) -> Cover {
    let is_copy = |at: Option<usize>| {
        at.and_then(|at| line.device.get(at)).is_some_and(|span| span.kind == DeviceKind::CopyToHost)
    };
    let long = |&&(start, end): &&Interval| (end - start) as f64 >= thresholds().long_gap_us * 1e3;
    Cover::of(idle.intervals().iter().filter(long).copied().filter(|gap| {
        let next = line.device.partition_point(|span| span.start < gap.1);
        is_copy(Some(next)) || is_copy(next.checked_sub(1))
    }))
}

fn launch_delay_ns() -> i64 {
    (thresholds().launch_delay_us.min(1e9) * 1e3) as i64
}

fn is_pageable(line: &Timeline, span: &DeviceSpan) -> bool {
    span.kind == DeviceKind::CopyToDevice && line.copies.class(span.name).is_some_and(|class| class.pageable)
}

/// Calls that bring work to the accelerator, sorted by correlation: half the memory of a map.
pub(crate) struct Correlations(Vec<(i64, u32)>);

impl Correlations {
    pub(crate) fn of(line: &Timeline) -> Self {
        let brings = |call: &Call| {
            call.correlation != 0 && !matches!(call.class, CallClass::Module | CallClass::Alloc)
        };
        let mut pairs: Vec<(i64, u32)> = line
            .calls
            .iter()
            .zip(0..)
            .filter(|(call, _)| brings(call))
            .map(|(call, at)| (call.correlation, at))
            .collect();
        pairs.sort_unstable();
        Self(pairs)
    }

    /// The index of the last call of a correlation.
    pub(crate) fn get(&self, correlation: i64) -> Option<usize> {
        let after = self.0.partition_point(|pair| pair.0 <= correlation);
        let pair = self.0.get(after.checked_sub(1)?)?;
        (pair.0 == correlation).then_some(pair.1 as usize)
    }
}

fn launches(line: &Timeline, thread: u16) -> bool {
    line.threads.get(usize::from(thread)).is_some_and(|thread| thread.launches > 0)
}

fn spans_of(line: &Timeline, class: SpanClass) -> Cover {
    Cover::of(line.marked.iter().filter(|span| span.class == class).map(|span| (span.start, span.end)))
}

fn calls_of(line: &Timeline, wanted: impl Fn(&Call) -> bool) -> Cover {
    Cover::of(line.calls.iter().filter(|call| wanted(call)).map(|call| (call.start, call.end)))
}

/// When a thread that launches was within an operator or a call.
fn active(line: &Timeline) -> Cover {
    let launching = line.threads.iter().filter(|thread| thread.launches > 0);
    Cover::of(launching.flat_map(|thread| thread.active.intervals()).copied())
}
