//! Data that come too slowly out of the loader.

use maat_base::Severity;
use maat_readings::monitor::{Part, Signal};

use super::host::{busiest, is_no_limit, queue, waiting_gpu};
use super::{add, has};
use crate::facts::limit;
use crate::found::Found;
use crate::show::{percent, plain};
use crate::view::{Load, Process, View};

/// Causes that explain busy processors better.
const BETTER: [&str; 6] = [
    "cpu-oversubscription",
    "storage-throughput",
    "storage-iops-small-files",
    "network-filesystem",
    "vram-insufficient-offload",
    "wrong-device",
];

/// All processors are busy, and nothing waits for disks.
pub fn preprocessing(view: &View<'_>, found: &mut Vec<Found>) {
    let Some((busy, idle)) = busiest(view) else { return stalled_only(view, found) };
    if busy < limit("cpu_saturated") {
        return;
    }
    if is_no_limit(view) || BETTER.iter().any(|code| has(found, code)) {
        return;
    }
    let waits = view.highest(Part::Host, Signal::CpuIowait);
    if waits.as_ref().is_some_and(|wait| wait.median() >= limit("iowait_low")) {
        return;
    }
    let mut new = Found::new("cpu-preprocessing", "");
    let mut evidence = idle.evidence();
    evidence.value = format!("{} = {} busy", evidence.value, percent(busy));
    new.prove("cpu", evidence);
    if let Some(waits) = waits {
        new.series("cpu", &waits);
    }
    if let Some((per_core, series)) = queue(view).filter(|(tasks, _)| *tasks > 1.0) {
        let mut evidence = series.evidence();
        evidence.value = format!("{} = {} per core", evidence.value, plain(per_core));
        // A queue and stalls follow from full processors: they are no signal of their own.
        new.prove("cpu", evidence);
    }
    let stalls = view.highest(Part::Host, Signal::PressureCpuSome);
    if let Some(stalls) = stalls.filter(|stalls| stalls.median() >= limit("pressure_high")) {
        new.series("cpu", &stalls);
    }
    for process in eager(view) {
        let mut evidence = process.cores.evidence();
        evidence.what = format!("{} {}", process.id, process.name);
        new.prove("workers", evidence);
    }
    waiting_gpu(view, &mut new);
    if !feeds_an_accelerator(view) {
        only_inform(&mut new);
    } else if view.load == Load::Unknown {
        new.asks = vec!["gpu", "trace"];
    }
    add(found, new);
}

/// Full processors without anything in sight that they feed: said, but no fault.
fn only_inform(new: &mut Found) {
    new.severity = Some(Severity::Info);
    new.variant = Some("processors-busy");
    new.asks = vec!["gpu", "host"];
}

/// Whether anything in sight has to do with an accelerator: one that waits, or processes of a framework or a loader.
/// Full processors alone are any work: a compiler, a database.
fn feeds_an_accelerator(view: &View<'_>) -> bool {
    let cores = view.cores.unwrap_or(1.0).max(1.0);
    let known = view.processes.iter().filter(|process| !process.is_thread && process.role.is_some());
    let used: f64 = known.map(|process| process.cores.median()).sum();
    let wanted: f64 = eager(view).iter().map(|process| process.demand()).sum();
    matches!(view.load, Load::Waiting(_))
        || !view.gpus.is_empty()
        || used.max(wanted) / cores >= limit("loader_processors")
}

/// Processes of a framework or a loader that each want a core all of the time, even where others leave them little; one
/// alone is no set of workers.
fn eager<'b>(view: &'b View<'_>) -> Vec<&'b Process<'b>> {
    let eager: Vec<&Process<'_>> = view
        .processes
        .iter()
        .filter(|process| !process.is_thread && matches!(process.role, Some("worker" | "framework")))
        .filter(|process| process.demand() >= limit("worker_demand"))
        .collect();
    if eager.len() >= 2 { eager } else { Vec::new() }
}

/// Without figures of the processors: tasks wait for one nearly all of the time.
fn stalled_only(view: &View<'_>, found: &mut Vec<Found>) {
    let stalls = view.highest(Part::Host, Signal::PressureCpuSome);
    let Some(stalls) = stalls.filter(|stalls| stalls.median() >= limit("pressure_cpu_alone")) else { return };
    if is_no_limit(view) || BETTER.iter().any(|code| has(found, code)) {
        return;
    }
    let mut new = Found::new("cpu-preprocessing", "");
    new.series("pressure", &stalls);
    waiting_gpu(view, &mut new);
    new.asks = vec!["host", "gpu"];
    if !feeds_an_accelerator(view) {
        only_inform(&mut new);
    }
    add(found, new);
}

/// Processes that load data and use a whole core.
fn workers<'b>(view: &'b View<'_>) -> Vec<&'b Process<'b>> {
    view.processes
        .iter()
        .filter(|process| !process.is_thread && process.role == Some("worker"))
        .filter(|process| process.cores.median() >= limit("thread_full") * 0.8)
        .collect()
}

/// The accelerator waits for a few workers, while cores are left for more.
pub fn waiting(view: &View<'_>, found: &mut Vec<Found>) {
    let mut new = Found::new("data-loader-wait", "");
    for event in view.events("workers-few") {
        new.event("log", event);
    }
    let left =
        view.lowest(Part::Host, Signal::CpuIdle).is_some_and(|idle| idle.median() >= limit("cpu_idle_share"));
    if left {
        for process in workers(view) {
            let mut evidence = process.cores.evidence();
            evidence.what = format!("{} {}", process.id, process.name);
            new.prove("workers", evidence);
        }
    }
    if new.signals() == 0 || matches!(view.load, Load::Busy | Load::Idle) {
        return;
    }
    if let Some(idle) = view.lowest(Part::Host, Signal::CpuIdle).filter(|_| left && new.has("workers")) {
        new.series("idle", &idle);
    }
    waiting_gpu(view, &mut new);
    new.asks = vec!["trace"];
    add(found, new);
}
