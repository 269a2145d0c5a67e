//! Busy accelerators: what their work is limited by.

use maat_readings::monitor::Signal;

use super::{add, has};
use crate::facts::limit;
use crate::found::Found;
use crate::show::percent;
use crate::view::{GpuPhase, View};

/// Whether the memory of an accelerator is what its work waits for.
pub fn is_memory_bound(phase: &GpuPhase<'_>) -> bool {
    let dram = phase.loaded(Signal::DramActive);
    if !dram.is_empty() {
        return dram.median() >= limit("dram_active_high");
    }
    let controller = phase.loaded(Signal::MemoryUtilization);
    !controller.is_empty() && controller.median() >= limit("memory_utilization_high")
}

/// Memory that is busy while the tensor cores are not: the physics of the work.
pub fn memory_bandwidth(view: &View<'_>, found: &mut Vec<Found>) {
    for phase in view.gpus.iter().filter(|phase| phase.is_full() && is_memory_bound(phase)) {
        let mut new = Found::new("memory-bandwidth", phase.subject());
        let dram = phase.loaded(Signal::DramActive);
        let controller = phase.loaded(Signal::MemoryUtilization);
        for series in [&dram, &controller] {
            if !series.is_empty() {
                new.series("memory", series);
            }
        }
        let tensor = phase.loaded(Signal::TensorActive);
        if !tensor.is_empty() && tensor.median() < limit("tensor_active_high") {
            new.series("tensor", &tensor);
        }
        let clock = phase.loaded(Signal::MemoryClockMhz);
        if let Some(most) = phase.fixed(Signal::MemoryClockMaxMhz).filter(|most| *most > 0.0)
            && !clock.is_empty()
            && clock.median() / most >= limit("memory_clock_near_max")
        {
            let mut evidence = clock.evidence();
            evidence.value = format!("{} of {most:.0} MHz", evidence.value);
            new.prove("clock", evidence);
        }
        new.asks = vec!["profile"];
        add(found, new);
    }
}

/// Arithmetic that tensor cores could do and do not.
pub fn tensor_cores(view: &View<'_>, found: &mut Vec<Found>) {
    for phase in view.gpus.iter().filter(|phase| phase.is_busy()) {
        let old = phase.fixed(Signal::ComputeCapability).is_some_and(|capability| capability < 7.0);
        let tensor = phase.loaded(Signal::TensorActive);
        let plain = phase.loaded(Signal::Fp32Active);
        let busy = phase.loaded(Signal::SmActive);
        let unused = !tensor.is_empty() && tensor.median() < limit("tensor_active_low");
        let works = !plain.is_empty() && plain.median() >= limit("fp32_active_high");
        if old || !unused || !works || is_memory_bound(phase) {
            continue;
        }
        let mut new = Found::new("tensor-cores-unused", phase.subject());
        new.series("tensor", &tensor);
        new.series("fp32", &plain);
        if !busy.is_empty() {
            new.series("sm", &busy);
        }
        new.asks = vec!["trace"];
        add(found, new);
    }
    let mut hint = Found::new("tensor-cores-unused", "");
    for event in view.events("tensor-cores") {
        hint.event("log", event);
    }
    if hint.signals() > 0 {
        hint.asks = vec!["profile", "trace"];
        add(found, hint);
    }
}

/// An accelerator that only seems busy: one small kernel after another counts as 100 %.
pub fn small_grid(view: &View<'_>, found: &mut Vec<Found>) {
    let slowed = ["thermal-throttle", "hw-power-brake", "clocks-locked", "vram-insufficient-offload"];
    if slowed.iter().any(|code| has(found, code)) {
        return;
    }
    for phase in &view.gpus {
        let used = phase.series(Signal::GpuUtilization);
        let active = phase.loaded(Signal::SmActive);
        if used.is_empty() || used.mean() < limit("small_grid_utilization") {
            continue;
        }
        if !active.is_empty() && active.median() > limit("sm_active_low") {
            continue;
        }
        let mut new = Found::new("small-grid-low-occupancy", phase.subject());
        let memory = phase.loaded(Signal::MemoryUtilization);
        let power = phase.loaded_power();
        if let Some(ratio) = power.filter(|ratio| *ratio < limit("small_grid_power")) {
            let mut evidence = phase.loaded(Signal::PowerW).evidence();
            evidence.value = format!("{} = {} of the limit", evidence.value, percent(ratio));
            new.prove("power", evidence);
        }
        if !active.is_empty() {
            new.series("sm", &active);
        }
        let alone = new.signals() > 0;
        if !memory.is_empty() && memory.median() < limit("small_grid_memory") {
            new.series("memory", &memory);
        }
        if alone && power.is_none_or(|ratio| ratio < limit("compute_power")) && !is_memory_bound(phase) {
            new.prove("load", used.spread());
            if active.is_empty() {
                // Waiting for other ranks looks the same: the share of working multiprocessors would tell.
                new.doubt();
            }
            new.asks = vec!["profile", "trace"];
            add(found, new);
        }
    }
}
