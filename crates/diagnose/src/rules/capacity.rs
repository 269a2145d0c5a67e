//! Memory that does not suffice, of the accelerator and of the machine.

use maat_readings::monitor::{Part, Signal};

use super::add;
use crate::facts::limit;
use crate::found::Found;
use crate::view::{GpuPhase, Load, View};

/// A model that is partly on the processor.
pub fn vram(view: &View<'_>, found: &mut Vec<Found>) {
    let mut new = Found::new("vram-insufficient-offload", "");
    let partly = view.events("layers-offloaded").filter(|event| {
        let (some, all) = (event.get(Signal::LayersOffloaded), event.get(Signal::LayersTotal));
        matches!((some, all), (Some(some), Some(all)) if some > 0.0 && some < all)
    });
    let mut settled = false;
    for event in partly {
        new.event("log", event);
        settled = true;
    }
    for event in ["cpu-gpu-split", "cpu-offload"].into_iter().flat_map(|kind| view.events(kind)) {
        new.event("log", event);
        settled = true;
    }
    for event in view.events("cuda-out-of-memory") {
        new.event("full", event);
    }
    if view.events("preemption").count() >= 3 {
        for event in view.events("preemption") {
            new.event("preempted", event);
        }
    }
    let cache = view.highest(Part::Server, Signal::KvCacheUsage);
    if let Some(cache) = cache.filter(|cache| cache.median() >= limit("vram_full") && new.has("preempted")) {
        new.series("cache", &cache);
    }
    if new.signals() == 0 {
        return;
    }
    if settled {
        new.decide();
    }
    for phase in &view.gpus {
        if fullest(phase).is_some_and(|(used, total)| used / total >= limit("vram_full")) {
            new.series("memory", &phase.series(Signal::MemoryUsedBytes));
            new.subject = phase.subject();
        }
        if phase.waits() && settled {
            new.prove("gpu", phase.series(Signal::GpuUtilization).spread());
        }
    }
    let server = view.processes.iter().filter(|process| !process.is_thread && process.role == Some("server"));
    for process in server.filter(|process| process.cores.median() >= 1.0 && settled) {
        let mut evidence = process.cores.evidence();
        evidence.what = format!("{} {}", process.id, process.name);
        new.prove("cpu", evidence);
    }
    if !settled {
        new.asks = vec!["gpu"];
    }
    add(found, new);
}

/// The most memory that was in use, and all there is.
fn fullest(phase: &GpuPhase<'_>) -> Option<(f64, f64)> {
    let used = phase.series(Signal::MemoryUsedBytes);
    let total = phase.fixed(Signal::MemoryTotalBytes)?;
    (!used.is_empty() && total > 0.0).then(|| (used.max(), total))
}

/// A machine that swaps, or stalls for memory.
pub fn swap(view: &View<'_>, found: &mut Vec<Found>) {
    let mut new = Found::new("host-memory-swap", "");
    for signal in [Signal::SwapInBytesPerS, Signal::SwapOutBytesPerS] {
        for series in view.series(Part::Host, signal) {
            let sustained = series.share(|rate| rate >= limit("swap_bytes_per_s")) >= limit("swap_samples");
            if sustained {
                new.prove("swapping", series.spread());
            }
        }
    }
    let stalls = view.highest(Part::Host, Signal::PressureMemoryFull);
    if let Some(stalls) = stalls.filter(|stalls| stalls.median() >= limit("pressure_memory_full")) {
        new.series("pressure", &stalls);
    }
    for event in view.events("oom-kill") {
        new.event("killed", event);
    }
    let full = swap_is_full(view, &mut new);
    let left = ram_is_out(view, &mut new);
    // All tasks at once waited for memory: nothing else does that.
    let stalled = stalls_for_memory(view);
    let pressed = new.has("pressure") && (full || left || stalled);
    if new.has("swapping") || new.has("killed") || pressed || full && left {
        if !new.has("swapping") {
            new.asks = vec!["host", "pressure"];
        }
        add(found, new);
    }
}

fn stalls_for_memory(view: &View<'_>) -> bool {
    let stalls = view.highest(Part::Host, Signal::PressureMemoryFull);
    stalls.is_some_and(|stalls| stalls.median() >= limit("pressure_memory_alone"))
}

fn swap_is_full(view: &View<'_>, new: &mut Found) -> bool {
    let shares = view.shares(Signal::SwapUsedBytes, Signal::SwapTotalBytes);
    let full = shares.into_iter().find(|(share, _)| *share >= limit("swap_full"));
    full.inspect(|(_, row)| new.value("swap", row, Signal::SwapUsedBytes)).is_some()
}

fn ram_is_out(view: &View<'_>, new: &mut Found) -> bool {
    let shares = view.shares(Signal::RamAvailableBytes, Signal::RamTotalBytes);
    let out = shares.into_iter().find(|(share, _)| *share <= limit("ram_left"));
    out.inspect(|(_, row)| new.value("ram", row, Signal::RamAvailableBytes)).is_some()
}

/// Allocations that fail and are tried again.
pub fn allocator(view: &View<'_>, found: &mut Vec<Found>) {
    let mut new = Found::new("allocator-thrash", "");
    for event in
        view.events("alloc-retries").filter(|event| event.get(Signal::AllocRetries).is_some_and(|n| n > 0.0))
    {
        new.event("log", event);
    }
    for event in view.events("alloc-flush") {
        new.event("log", event);
    }
    if new.signals() == 0 {
        return;
    }
    for phase in &view.gpus {
        if fullest(phase).is_some_and(|(used, total)| used / total >= limit("vram_thrash")) {
            new.series("memory", &phase.series(Signal::MemoryUsedBytes));
            new.subject = phase.subject();
        }
        if let Load::Waiting(idle) = view.load {
            new.gain = Some(idle);
        }
    }
    new.asks = vec!["trace"];
    add(found, new);
}
