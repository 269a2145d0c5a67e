//! The accelerator's time as sets: computing, communication, copies.

use crate::cover::{Cover, Interval};
use crate::read::{DeviceKind, Timeline};
use crate::tables::SpanClass;

/// The sets that all numbers come from.
pub(crate) struct Layers {
    /// First start to last end of the accelerator's work; `None` without any.
    pub window: Option<Interval>,
    /// The window and the steps: what shares are shares of.
    pub span: Option<Interval>,
    /// Kernels other than communication, and fills.
    pub compute: Cover,
    /// Kernels of NCCL and RCCL.
    pub communication: Cover,
    /// All of these.
    pub busy: Cover,
    /// Communication while nothing computes.
    pub exposed_communication: Cover,
    /// Copies while nothing else runs.
    pub exposed_copies: Cover,
}

impl Layers {
    pub(crate) fn of(line: &Timeline) -> Self {
        let cover = |wanted: fn(DeviceKind) -> bool| {
            Cover::of(line.device.iter().filter(|span| wanted(span.kind)).map(|span| (span.start, span.end)))
        };
        let compute = cover(|kind| matches!(kind, DeviceKind::Compute | DeviceKind::Fill));
        let communication = cover(|kind| kind == DeviceKind::Communication);
        let copies = cover(|kind| {
            matches!(kind, DeviceKind::CopyToDevice | DeviceKind::CopyToHost | DeviceKind::CopyOther)
        });
        let kernels = compute.union(&communication);
        let window = hull(line.device.iter().map(|span| (span.start, span.end)));
        let steps = line.marked.iter().filter(|span| span.class == SpanClass::Step);
        let span = window.and_then(|window| hull(steps.map(|step| (step.start, step.end)).chain([window])));
        let mut layers = Self {
            window,
            span,
            busy: kernels.union(&copies),
            exposed_communication: communication.without(&compute),
            exposed_copies: copies.without(&kernels),
            compute,
            communication,
        };
        for set in [
            &mut layers.busy,
            &mut layers.compute,
            &mut layers.exposed_communication,
            &mut layers.exposed_copies,
        ] {
            set.index();
        }
        layers
    }
}

/// First start to last end.
fn hull(intervals: impl Iterator<Item = Interval>) -> Option<Interval> {
    intervals.reduce(|whole, next| (whole.0.min(next.0), whole.1.max(next.1)))
}
