//! Compilation: at the start, where it belongs, and later, where it does not.

use maat_readings::monitor::Signal;

use super::add;
use crate::facts::limit;
use crate::found::Found;
use crate::view::{GpuPhase, View};

/// Compilation again and again.
pub fn recompiles(view: &View<'_>, found: &mut Vec<Found>) {
    let again = view.events("recompile").count();
    if !view.has("recompile-limit") && again < 3 {
        return;
    }
    let mut new = Found::new("recompiles", "");
    for event in view.events("recompile-limit") {
        new.event("limit", event);
        new.decide();
    }
    for event in view.events("recompile") {
        new.event("log", event);
    }
    for event in view.events("graph-break") {
        new.event("breaks", event);
    }
    new.asks = vec!["trace"];
    add(found, new);
}

/// A slow start before steady work.
pub fn warm_up(view: &View<'_>, found: &mut Vec<Found>) {
    let mut new = Found::new("warmup-jit", "");
    for phase in view.gpus.iter().filter(|phase| starts_slowly(phase)) {
        new.prove("gpu", phase.series(Signal::GpuUtilization).spread());
        new.subject = phase.subject();
    }
    if new.signals() == 0 {
        return;
    }
    for event in view.events("warm-up") {
        new.event("log", event);
    }
    if new.has("log") {
        add(found, new);
    }
}

/// Idle at first, then busy without a break.
fn starts_slowly(phase: &GpuPhase<'_>) -> bool {
    let shares = phase.series(Signal::GpuUtilization);
    let idle = shares.points.iter().take_while(|(share, _)| *share < limit("gpu_loaded")).count();
    let rest = &shares.points[idle.min(shares.len())..];
    let steady = rest.iter().filter(|(share, _)| *share >= limit("gpu_waiting")).count();
    idle as f64 >= limit("warm_up_samples") && rest.len() > idle && steady * 10 >= rest.len() * 9
}
