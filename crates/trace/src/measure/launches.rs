//! How far the host runs ahead of the accelerator.

use serde::Serialize;

use super::Correlations;
use crate::Micros;
use crate::read::{DeviceKind, Timeline};
use crate::tables::{CallClass, thresholds};

/// Launches and the queue in front of the accelerator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Launches {
    /// Launching calls whose kernel is in the trace; a graph counts once.
    pub count: u64,
    /// Calls that launch a whole graph.
    pub graphs: u64,
    /// Median duration of a launching call.
    pub call_median_us: Option<Micros>,
    /// Median time from the call's end to the kernel's start; 0 where the kernel began within the call.
    pub delay_median_us: Option<Micros>,
    /// Kernels shorter than their launching call.
    pub shorter_than_call: u64,
    /// Calls longer than the threshold for slow calls.
    pub slow_calls: u64,
    /// Starts later than the threshold for late starts.
    pub late_starts: u64,
    /// Median number of launches outstanding on the stream when one is added, itself included.
    pub queue_median: Option<f64>,
    /// The largest such number.
    pub queue_max: Option<u64>,
    /// Median duration of all kernels.
    pub kernel_median_us: Option<Micros>,
}

impl Launches {
    /// Whether whole graphs are launched: then few calls and names say little.
    pub(crate) fn is_mostly_graphs(&self) -> bool {
        self.graphs.saturating_mul(2) > self.count
    }
}

/// One launching call and the first kernel that it started.
struct Launch {
    lane: u16,
    call: (i64, i64),
    kernel: (i64, i64),
}

pub(crate) fn launches(line: &Timeline, calls: &Correlations) -> Launches {
    let pairs = pairs(line, calls);
    let limits = thresholds();
    let delays: Vec<i64> = pairs.iter().map(|pair| (pair.kernel.0 - pair.call.1).max(0)).collect();
    let calls: Vec<i64> = pairs.iter().map(|pair| pair.call.1 - pair.call.0).collect();
    let over = |values: &[i64], limit_us: f64| {
        values.iter().filter(|ns| **ns as f64 > limit_us * 1e3).count() as u64
    };
    let kernels: Vec<i64> = line
        .device
        .iter()
        .filter(|span| matches!(span.kind, DeviceKind::Compute | DeviceKind::Communication))
        .map(|span| span.end - span.start)
        .collect();
    let queue = queue_lengths(&pairs);
    Launches {
        count: pairs.len() as u64,
        graphs: line.calls.iter().filter(|call| call.class == CallClass::Graph).count() as u64,
        shorter_than_call: pairs
            .iter()
            .filter(|pair| pair.kernel.1 - pair.kernel.0 < pair.call.1 - pair.call.0)
            .count() as u64,
        slow_calls: over(&calls, limits.long_call_us),
        late_starts: over(&delays, limits.launch_delay_us),
        call_median_us: median(calls).map(Micros::from_ns),
        delay_median_us: median(delays).map(Micros::from_ns),
        queue_max: queue.iter().max().map(|most| most.unsigned_abs()),
        queue_median: median(queue).map(|length| length as f64),
        kernel_median_us: median(kernels).map(Micros::from_ns),
    }
}

fn pairs(line: &Timeline, calls: &Correlations) -> Vec<Launch> {
    let mut seen = vec![false; line.calls.len()];
    let mut pairs = Vec::new();
    for span in &line.device {
        if !matches!(span.kind, DeviceKind::Compute | DeviceKind::Communication) {
            continue;
        }
        let Some(at) = calls.get(span.correlation) else { continue };
        let (Some(call), Some(seen)) = (line.calls.get(at), seen.get_mut(at)) else { continue };
        // Work that began before its call is of another call with the same number.
        if !*seen && span.start >= call.start {
            *seen = true;
            pairs.push(Launch {
                lane: span.lane,
                call: (call.start, call.end),
                kernel: (span.start, span.end),
            });
        }
    }
    pairs
}

/// At each launch, how many launches of its stream have not begun.
fn queue_lengths(pairs: &[Launch]) -> Vec<i64> {
    let mut events: Vec<(u16, i64, i64)> =
        pairs.iter().flat_map(|pair| [(pair.lane, pair.call.0, 1), (pair.lane, pair.kernel.0, -1)]).collect();
    // At equal times the start comes before the launch, on each stream by itself.
    events.sort_unstable();
    let (mut lane, mut length) = (None, 0);
    let mut lengths = Vec::with_capacity(pairs.len());
    for (of, _, change) in events {
        if lane != Some(of) {
            (lane, length) = (Some(of), 0);
        }
        length += change;
        if change > 0 {
            lengths.push(length);
        }
    }
    lengths
}

/// The lower median.
pub(crate) fn median(mut values: Vec<i64>) -> Option<i64> {
    let middle = values.len().checked_sub(1)? / 2;
    Some(*values.select_nth_unstable(middle).1)
}
