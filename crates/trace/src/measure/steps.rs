//! The steps, one by one.

use serde::Serialize;

use super::{Idle, Layers, Waits};
use crate::Micros;
use crate::cover::Cover;
use crate::read::Timeline;
use crate::tables::SpanClass;

/// A stretch of time divided into what the accelerator did. The parts add up to the whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Split {
    /// The whole.
    pub span_us: Micros,
    /// Computing.
    pub compute_us: Micros,
    /// Communication while nothing computes.
    pub exposed_comm_us: Micros,
    /// Copies while nothing else runs.
    pub exposed_memcpy_us: Micros,
    /// Nothing.
    pub idle_us: Micros,
}

impl Split {
    pub(crate) fn between(layers: &Layers, start: i64, end: i64) -> Self {
        let part = |cover: &Cover| Micros::from_ns(cover.length_within(start, end));
        let whole = Micros::from_ns(end - start);
        Self {
            span_us: whole,
            compute_us: part(&layers.compute),
            exposed_comm_us: part(&layers.exposed_communication),
            exposed_memcpy_us: part(&layers.exposed_copies),
            idle_us: Micros::from_ns(whole.ns() - layers.busy.length_within(start, end)),
        }
    }
}

/// What a step spends most of its time on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Resource {
    /// The accelerator computes.
    Compute,
    /// It communicates and does nothing else.
    Communication,
    /// It copies and does nothing else.
    Copies,
    /// It waits for the loader.
    Loader,
    /// It waits after the host waited for it.
    Sync,
    /// It waits for launches.
    Launch,
    /// It waits for something else.
    Other,
}

/// One step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Step {
    /// The profiler's number; `None` when its name has none.
    pub number: Option<u64>,
    /// From the start of the span, in microseconds.
    pub start_us: Micros,
    /// The step's time divided.
    #[serde(flatten)]
    pub split: Split,
    /// Its idle time divided.
    pub waits: Waits,
    /// Where most of it goes.
    pub critical: Resource,
}

/// The steps in order. Spans of the same number (one a thread) count once; at most `most` of them.
pub(crate) fn steps(line: &Timeline, layers: &Layers, idle: &Idle, most: usize) -> Vec<Step> {
    let Some(span) = layers.span else { return Vec::new() };
    let mut last = None;
    line.marked
        .iter()
        .filter(|span| span.class == SpanClass::Step)
        .filter(|step| {
            let new = step.number.is_none() || last != step.number;
            last = step.number;
            new
        })
        .take(most)
        .map(|step| {
            let split = Split::between(layers, step.start, step.end);
            let waits = idle.waits(step.start, step.end);
            Step {
                number: step.number,
                start_us: Micros::from_ns(step.start - span.0),
                critical: critical(&split, &waits),
                split,
                waits,
            }
        })
        .collect()
}

pub(crate) fn critical(split: &Split, waits: &Waits) -> Resource {
    let known = [
        (Resource::Compute, split.compute_us),
        (Resource::Communication, split.exposed_comm_us),
        (Resource::Copies, Micros::from_ns(split.exposed_memcpy_us.ns() + waits.staging_us.ns())),
        (Resource::Loader, waits.loader_us),
        (Resource::Sync, waits.sync_us),
        (Resource::Launch, waits.launch_us),
    ];
    let rest = split.span_us.ns() - known.iter().map(|(_, time)| time.ns()).sum::<i64>();
    let rest = (Resource::Other, Micros::from_ns(rest));
    known.into_iter().fold(rest, |most, next| if next.1 >= most.1 { next } else { most }).0
}
