//! The link between processor and accelerator.

use maat_base::{Evidence, Severity};
use maat_readings::monitor::{Observation, Part, Signal};

use super::add;
use crate::facts::{self, limit};
use crate::found::Found;
use crate::show::{percent, rate};
use crate::view::{GpuPhase, Load, View};

/// A link that is slower under load than both ends can do.
pub fn link_degraded(view: &View<'_>, found: &mut Vec<Found>) {
    for phase in &view.gpus {
        let mut new = Found::new("pcie-link-degraded", phase.subject());
        let ratio = under_load(phase, &mut new);
        let degraded = new.signals() > 0;
        let replays = phase.series(Signal::PcieReplays);
        let grows = replays.len() > 1 && replays.growth() >= limit("replay_growth");
        if grows {
            new.prove("replays", replays.spread());
        }
        if !degraded && !grows {
            continue;
        }
        for event in view.events("pcie-limited").chain(view.events("pcie-corrected")) {
            new.event("log", event);
        }
        for (_, rows) in view.groups(Part::Gpu).filter(|(gpu, _)| *gpu == phase.gpu) {
            for row in rows.iter().filter(|row| narrow(row)) {
                new.value("lspci", row, Signal::PcieSpeedGts);
                new.value("lspci", row, Signal::PcieWidth);
            }
        }
        // Half of the lanes is how many boards wire their second slot; it costs only work that waits for the link.
        if !degraded || ratio >= 0.5 {
            new.severity = Some(Severity::Warning);
        } else {
            new.decide();
        }
        // While the accelerator works it does not wait for the link.
        let idle = phase.mean_use().map_or(1.0, |share| 1.0 - share);
        new.gain = degraded.then_some((1.0 - ratio).min(idle));
        new.asks = vec!["gpu"];
        add(found, new);
    }
}

/// A row of `lspci` with fewer lanes than the device has. Speed is lowered at rest to save power; lanes are not.
fn narrow(row: &Observation) -> bool {
    matches!((row.get(Signal::PcieWidth), row.get(Signal::PcieWidthMax), row.get(Signal::PcieSpeedGts)),
        (Some(width), Some(most), Some(_)) if width < most)
}

/// The share of its bandwidth that the link has under load.
fn under_load(phase: &GpuPhase<'_>, new: &mut Found) -> f64 {
    let board = phase.name().and_then(facts::board);
    let virtual_machine = phase.fixed(Signal::Virtualization).is_some_and(|kind| kind > 0.0);
    let mut worst: f64 = 1.0;
    let mut slow: Option<&Observation> = None;
    let (mut loaded, mut slow_rows) = (0, 0);
    for row in &phase.rows {
        let works = row.get(Signal::GpuUtilization).is_some_and(|share| share >= limit("pcie_loaded"));
        let awake = row.get(Signal::PerformanceState).is_none_or(|state| state <= 3.0);
        if !works || !awake {
            continue;
        }
        loaded += 1;
        let get = |signal| row.get(signal).or_else(|| phase.fixed(signal));
        let (Some(generation), Some(width)) = (row.get(Signal::PcieGen), row.get(Signal::PcieWidth)) else {
            continue;
        };
        let most = [Signal::PcieGenMax, Signal::PcieGenDeviceMax, Signal::PcieGenHostMax]
            .into_iter()
            .filter_map(get)
            .fold(f64::INFINITY, f64::min);
        let most = if most.is_finite() { most } else { generation };
        let mut lanes = get(Signal::PcieWidthMax).unwrap_or(width);
        if virtual_machine && width >= 8.0 || board.is_some_and(|(own, _)| width >= own) {
            lanes = width;
        }
        let most = if board.is_some_and(|(_, own)| generation >= own) { generation } else { most };
        let (Some(is), Some(could)) = (facts::link_rate(generation, width), facts::link_rate(most, lanes))
        else {
            continue;
        };
        if is < 0.99 * could {
            slow_rows += 1;
            worst = worst.min(is / could);
            slow = Some(row);
        }
    }
    // A link that wakes up takes a sample; one that stays slow is degraded.
    if let Some(row) = slow.filter(|_| slow_rows * 10 >= loaded * 8) {
        for signal in [Signal::PcieGen, Signal::PcieGenMax, Signal::PcieWidth, Signal::PcieWidthMax] {
            new.value("link", row, signal);
        }
        new.value("load", row, Signal::GpuUtilization);
    }
    worst
}

/// Traffic that fills the link while the accelerator is not busy.
pub fn saturated(view: &View<'_>, found: &mut Vec<Found>) {
    for phase in &view.gpus {
        for signal in [Signal::PcieRxBytesPerS, Signal::PcieTxBytesPerS] {
            let traffic = phase.series(signal);
            let (Some(generation), Some(width)) = (
                best(phase, Signal::PcieGen, Signal::PcieGenMax),
                best(phase, Signal::PcieWidth, Signal::PcieWidthMax),
            ) else {
                continue;
            };
            let Some(link) = facts::link_rate(generation, width) else { continue };
            if traffic.is_empty() || traffic.median() < limit("pcie_saturated") * link {
                continue;
            }
            let mut new = Found::new("pcie-saturated", phase.subject());
            let mut evidence = traffic.evidence();
            evidence.value = format!("{} = {} of the link", evidence.value, percent(traffic.median() / link));
            new.prove("traffic", evidence);
            let place = traffic.evidence().place;
            let what = format!("gen {generation} x{width}");
            new.prove("traffic", Evidence { what, value: rate(link), place });
            if let Load::Waiting(idle) = view.load {
                new.prove("gpu", phase.series(Signal::GpuUtilization).spread());
                new.gain = Some(idle);
            } else if phase.is_full() {
                continue;
            }
            if phase.loaded_power().is_some_and(|ratio| ratio < limit("compute_power")) {
                new.series("power", &phase.loaded(Signal::PowerW));
            }
            new.asks = vec!["trace"];
            add(found, new);
        }
    }
}

/// The highest value of any row, since a link at rest shows less; else the possible one.
fn best(phase: &GpuPhase<'_>, now: Signal, possible: Signal) -> Option<f64> {
    let now = phase.series(now);
    if now.is_empty() { phase.fixed(possible) } else { Some(now.max()) }
}
