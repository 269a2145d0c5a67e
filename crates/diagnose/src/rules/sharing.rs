//! The wrong device, or a device that others use too.

use std::collections::BTreeSet;

use maat_base::Evidence;
use maat_readings::monitor::{Label, Part, Signal};

use super::add;
use crate::facts::limit;
use crate::found::Found;
use crate::show::percent;
use crate::view::{GpuPhase, Load, Series, View};

/// A framework computes on the processor while an accelerator has nothing to do.
pub fn wrong_device(view: &View<'_>, found: &mut Vec<Found>) {
    let mut new = Found::new("wrong-device", "");
    let says_so = ["cpu-build", "gpu-unused", "cpu-only-run", "driver-missing"];
    for event in says_so.iter().flat_map(|kind| view.events(kind)) {
        new.event("log", event);
    }
    for event in
        view.events("layers-offloaded").filter(|event| event.get(Signal::LayersOffloaded) == Some(0.0))
    {
        new.event("log", event);
    }
    if matches!(view.load, Load::Waiting(_) | Load::Busy) {
        return;
    }
    if view.load == Load::Idle {
        for phase in &view.gpus {
            let used = phase.series(Signal::GpuUtilization);
            if !used.is_empty() {
                new.prove("gpu", used.spread());
            }
        }
    }
    let cores = view.cores.unwrap_or(8.0);
    let working = view
        .processes
        .iter()
        .filter(|process| !process.is_thread && process.role.is_some_and(|role| role != "worker"))
        .filter(|process| process.cores.median() >= (cores * 0.5).clamp(1.5, 4.0));
    for process in working {
        let mut evidence = process.cores.evidence();
        evidence.what = format!("{} {}", process.id, process.name);
        new.prove("cpu", evidence);
    }
    if new.has("log") || new.has("gpu") && new.has("cpu") {
        if !new.has("cpu") && !new.has("gpu") {
            new.asks = vec!["gpu", "host"];
        }
        add(found, new);
    }
}

/// Several programs compute on one accelerator.
pub fn gpu_shared(view: &View<'_>, found: &mut Vec<Found>) {
    let gpus: BTreeSet<&str> = view.gpus.iter().map(|phase| phase.gpu).collect();
    for gpu in gpus {
        let phases: Vec<&GpuPhase<'_>> = view.gpus.iter().filter(|phase| phase.gpu == gpu).collect();
        let sliced = phases.iter().any(|phase| phase.fixed(Signal::MigEnabled) == Some(1.0));
        let worked = phases.iter().any(|phase| phase.rows.iter().any(|row| phase.is_loaded(row)));
        if sliced || !worked {
            continue;
        }
        let mut new = Found::new("gpu-shared", format!("GPU {gpu}"));
        let measured = by_work(view, gpu, &mut new);
        if !measured {
            by_memory(view, gpu, &phases, &mut new);
            unaccounted(view, gpu, &phases, &mut new);
        }
        if new.signals() > 0 {
            new.asks = vec!["processes"];
            add(found, new);
        }
    }
}

/// By what each process does; whether that was measured at all.
fn by_work(view: &View<'_>, gpu: &str, new: &mut Found) -> bool {
    let mut working = Vec::new();
    let mut measured = false;
    for process in &view.processes {
        let rows: Vec<_> =
            process.rows.iter().copied().filter(|row| row.label(Label::Gpu) == Some(gpu)).collect();
        let share = Series::of(&rows, Signal::ProcessSm);
        measured |= !share.is_empty();
        if !share.is_empty() && share.mean() >= limit("shared_sm") {
            working.push((process, share));
        }
    }
    let sum: f64 = working.iter().map(|(_, share)| share.mean()).sum();
    if working.len() >= 2 && sum >= limit("shared_sm_sum") {
        for (process, share) in working {
            let place = share.evidence().place;
            let what = format!("{} {}", process.id, process.name);
            new.prove("work", Evidence { what, value: percent(share.mean()), place });
        }
        owners(view, gpu, new);
    }
    measured
}

/// By the memory that each process holds.
fn by_memory(view: &View<'_>, gpu: &str, phases: &[&GpuPhase<'_>], new: &mut Found) {
    let Some(total) = phases.iter().find_map(|phase| phase.fixed(Signal::MemoryTotalBytes)) else { return };
    let mut seen = BTreeSet::new();
    let holding: Vec<_> = view
        .samples
        .rows
        .iter()
        .filter(|row| row.part == Part::Process && row.label(Label::Gpu) == Some(gpu))
        .filter(|row| row.label(Label::Kind).is_some_and(|kind| kind != "G"))
        .filter(|row| {
            row.get(Signal::ProcessGpuMemoryBytes)
                .is_some_and(|bytes| bytes / total >= limit("shared_memory_share"))
        })
        .filter(|row| seen.insert(row.name.to_string()))
        .collect();
    if holding.len() >= 2 {
        for row in holding {
            let bytes = row.get(Signal::ProcessGpuMemoryBytes).unwrap_or(0.0);
            let what = format!("{} {}", row.name, row.label(Label::Name).unwrap_or(""));
            let value = crate::show::bytes(bytes);
            new.prove("memory", Evidence { what, value, place: row.place.to_string() });
        }
        owners(view, gpu, new);
    }
}

/// Processes of different users.
fn owners(view: &View<'_>, gpu: &str, new: &mut Found) {
    let ids: BTreeSet<&str> = view
        .samples
        .rows
        .iter()
        .filter(|row| row.part == Part::Process && row.label(Label::Gpu) == Some(gpu))
        .map(|row| &*row.name)
        .collect();
    let mut users: Vec<(&str, String)> = Vec::new();
    for row in view.samples.rows.iter().filter(|row| row.part == Part::Process && ids.contains(&*row.name)) {
        if let Some(user) = row.label(Label::User)
            && !users.iter().any(|(own, _)| *own == user)
        {
            users.push((user, row.place.to_string()));
        }
    }
    if users.len() >= 2 {
        for (user, place) in users {
            new.prove("owner", Evidence { what: "user".to_owned(), value: user.to_owned(), place });
        }
    }
}

/// Memory that no listed process holds.
fn unaccounted(view: &View<'_>, gpu: &str, phases: &[&GpuPhase<'_>], new: &mut Found) {
    for phase in phases {
        let (Some(total), Some(row)) = (phase.fixed(Signal::MemoryTotalBytes), phase.rows.last()) else {
            continue;
        };
        let Some(used) = row.get(Signal::MemoryUsedBytes) else { continue };
        let listed: Vec<_> = view
            .samples
            .rows
            .iter()
            .filter(|process| process.part == Part::Process && process.block == phase.block)
            .filter(|process| process.label(Label::Gpu) == Some(gpu))
            .collect();
        if listed.is_empty()
            || listed.iter().any(|process| process.get(Signal::ProcessGpuMemoryBytes).is_none())
        {
            continue;
        }
        let held: f64 = listed.iter().filter_map(|process| process.get(Signal::ProcessGpuMemoryBytes)).sum();
        if (used - held) / total >= limit("shared_memory_share") + 0.05 {
            new.value("unaccounted", row, Signal::MemoryUsedBytes);
            let value = crate::show::bytes(held);
            let what = "process_gpu_memory_bytes (sum)".to_owned();
            new.prove("unaccounted", Evidence { what, value, place: row.place.to_string() });
        }
    }
}
