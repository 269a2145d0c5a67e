//! Broken hardware.

use std::collections::BTreeMap;

use maat_base::{Evidence, Severity};
use maat_readings::monitor::{Label, Part, Path, Signal};

use super::add;
use crate::facts::{self};
use crate::found::Found;
use crate::view::{Series, View};

/// Xid errors, ECC errors, remapped rows, and accelerators that are gone.
pub fn ecc_and_xid(view: &View<'_>, found: &mut Vec<Found>) {
    let mut new = Found::new("ecc-xid-fault", "");
    let hardware = xids(view, &mut new);
    for kind in ["gpu-lost", "gpu-reset", "ecc-uncorrected", "pcie-error", "memory-error"] {
        for event in view.events(kind) {
            new.event(if kind == "gpu-lost" { "lost" } else { "log" }, event);
        }
    }
    counters(view, &mut new);
    wrong_results(view, &mut new);
    if new.signals() == 0 {
        return;
    }
    let only_programs = new.signals() == 1 && new.has("program");
    if only_programs {
        new.severity = Some(Severity::Warning);
        new.variant = Some("xid-program");
    } else if hardware || !new.has("program") {
        new.decide();
    }
    add(found, new);
}

/// Whether one of the Xids comes from hardware.
fn xids(view: &View<'_>, new: &mut Found) -> bool {
    let mut hardware = false;
    for event in view.events("xid") {
        let class = event.get(Signal::Xid).and_then(facts::xid).map_or_else(String::new, |(class, _)| class);
        let own = class != "application" && class != "consequence";
        hardware |= own;
        new.event(if own { "xid" } else { "program" }, event);
    }
    for row in &view.samples.rows {
        if let Some(number) = row.get(Signal::Xid).filter(|number| *number > 0.0) {
            let class = facts::xid(number).map_or_else(String::new, |(class, _)| class);
            let own = class != "application" && class != "consequence";
            hardware |= own;
            new.value(if own { "xid" } else { "program" }, row, Signal::Xid);
        }
    }
    hardware
}

fn counters(view: &View<'_>, new: &mut Found) {
    for row in view.samples.rows.iter().filter(|row| row.part == Part::Gpu) {
        for (group, signal) in [
            ("ecc", Signal::EccUncorrectedVolatile),
            ("rows", Signal::RemapPending),
            ("rows", Signal::RemapFailure),
            ("rows", Signal::RetiredPending),
            ("action", Signal::RecoveryAction),
        ] {
            if row.get(signal).is_some_and(|count| count > 0.0) {
                new.value(group, row, signal);
            }
        }
        if row.label(Label::State) == Some("ERR!") {
            let evidence = Evidence {
                what: format!("GPU {}", row.name),
                value: "ERR!".to_owned(),
                place: row.place.to_string(),
            };
            new.prove("unreadable", evidence);
        }
    }
}

/// Collectives that gave wrong results: memory, a link or a switch damages data.
fn wrong_results(view: &View<'_>, new: &mut Found) {
    for row in view.samples.rows.iter().filter(|row| row.part == Part::Collective) {
        if row.get(Signal::CollectiveWrong).is_some_and(|count| count > 0.0) {
            new.value("results", row, Signal::CollectiveWrong);
        }
    }
}

/// NVLink lanes that are missing or slow, or a fabric that did not come up.
pub fn nvlink_down(view: &View<'_>, found: &mut Vec<Found>) {
    let mut new = Found::new("nvlink-down", "");
    links(view, &mut new);
    fabric(view, &mut new);
    matrix(view, &mut new);
    let evidenced = new.signals() > 0;
    for event in view.events("xid").filter(|event| matches!(event.get(Signal::Xid), Some(74.0 | 149.0))) {
        new.event("log", event);
    }
    for event in view.events("nvswitch-error") {
        new.event("log", event);
    }
    if evidenced || view.has("nvswitch-error") {
        add(found, new);
    }
}

/// Links of one accelerator beside those of its equals: all missing on all is a machine without bridges.
fn links(view: &View<'_>, new: &mut Found) {
    let mut counts: BTreeMap<&str, _> = BTreeMap::new();
    for (gpu, rows) in view.groups(Part::Gpu) {
        for row in rows {
            let (active, inactive) = (row.get(Signal::LinksActive), row.get(Signal::LinksInactive));
            if active.is_some() || inactive.is_some() {
                counts.insert(gpu, (active.unwrap_or(0.0), inactive.unwrap_or(0.0), *row));
            }
        }
    }
    let most = counts.values().map(|(active, ..)| *active).fold(0.0, f64::max);
    let fastest = counts.values().filter_map(|(.., row)| row.get(Signal::LinkBytesPerS)).fold(0.0, f64::max);
    // A single accelerator has no equals; so many links as only boards with a switch have are then all meant to work.
    let alone = counts.len() == 1;
    for (active, inactive, row) in counts.values() {
        if *active < most || alone && *inactive > 0.0 && *active >= 8.0 {
            new.value("links", row, Signal::LinksActive);
            new.value("links", row, Signal::LinksInactive);
            new.subject = format!("GPU {}", row.name);
        }
        if row.get(Signal::LinkBytesPerS).is_some_and(|speed| speed < 0.9 * fastest) {
            new.value("speed", row, Signal::LinkBytesPerS);
        }
        if row.get(Signal::NvlinkErrors).is_some_and(|errors| errors >= 100.0) {
            new.value("errors", row, Signal::NvlinkErrors);
        }
    }
    for (gpu, rows) in view.groups(Part::Gpu) {
        let errors = Series::of(rows, Signal::NvlinkErrors);
        if errors.len() > 1 && errors.growth() > 0.0 {
            new.subject = format!("GPU {gpu}");
            new.series("errors", &errors);
        }
    }
}

fn fabric(view: &View<'_>, new: &mut Found) {
    for row in view.samples.rows.iter().filter(|row| row.part == Part::Gpu) {
        for signal in [Signal::FabricCompleted, Signal::FabricSuccess] {
            if row.get(signal) == Some(0.0) {
                new.value("fabric", row, signal);
            }
        }
    }
}

/// A matrix in which nearly all pairs have the same number of links.
fn matrix(view: &View<'_>, new: &mut Found) {
    for topology in &view.samples.topologies {
        let mut pairs = Vec::new();
        for (from, row) in topology.paths.iter().enumerate() {
            for (to, path) in row.iter().enumerate().filter(|(to, _)| *to > from) {
                pairs.push((from, to, *path));
            }
        }
        let best = pairs.iter().map(|(.., path)| *path).filter(|path| matches!(path, Path::Nvlink(_))).max();
        let full = pairs.iter().filter(|(.., path)| Some(*path) == best).count();
        if best.is_none() || pairs.len() < 6 || full == pairs.len() || full * 10 < pairs.len() * 7 {
            continue;
        }
        for (from, to, path) in pairs.iter().filter(|(.., path)| Some(*path) != best).take(3) {
            let evidence = Evidence {
                what: format!("GPU{from}-GPU{to}"),
                value: format!("{path:?}"),
                place: topology.place.to_string(),
            };
            new.prove("matrix", evidence);
        }
    }
}
