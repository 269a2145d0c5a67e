//! Clocks that heat or the power supply hold down.

use maat_base::Evidence;
use maat_readings::monitor::Signal;

use super::add;
use crate::facts::limit;
use crate::found::Found;
use crate::show::percent;
use crate::view::{GpuPhase, View};

/// A hardware slowdown that heat does not explain.
pub fn power_brake(view: &View<'_>, found: &mut Vec<Found>) {
    for phase in &view.gpus {
        let mut new = Found::new("hw-power-brake", phase.subject());
        let brake = phase.loaded(Signal::ReasonPowerBrake);
        let slowdown = phase.loaded(Signal::ReasonHwSlowdown);
        let hot = phase.loaded(Signal::ReasonHwThermal).share(|set| set > 0.0) > 0.0 || is_hot(phase);
        if brake.share(|set| set > 0.0) >= limit("brake_samples") {
            new.prove("reason", brake.flagged());
        } else if slowdown.share(|set| set > 0.0) >= limit("brake_samples") && !hot {
            new.prove("reason", slowdown.flagged());
        }
        let counter = phase.series(Signal::CounterPowerBrakeS);
        if counter.len() > 1 && counter.growth() > 0.0 {
            new.series("counter", &counter);
        }
        beside_peers(view, phase, hot, &mut new);
        if new.signals() == 0 {
            continue;
        }
        if let Some(ratio) = phase.loaded_power().filter(|ratio| *ratio <= limit("brake_power_ratio")) {
            let power = phase.loaded(Signal::PowerW);
            let mut evidence = power.evidence();
            evidence.value = format!("{} = {} of the limit", evidence.value, percent(ratio));
            new.prove("power", evidence);
        }
        clock_loss(phase, &mut new);
        add(found, new);
    }
}

/// One accelerator that draws far less than its equals under the same load, with lower clocks.
fn beside_peers(view: &View<'_>, phase: &GpuPhase<'_>, hot: bool, new: &mut Found) {
    if hot || !phase.is_full() {
        return;
    }
    let peers: Vec<&GpuPhase<'_>> = view
        .gpus
        .iter()
        .filter(|peer| {
            peer.block == phase.block
                && peer.gpu != phase.gpu
                && peer.is_full()
                && peer.name() == phase.name()
        })
        .collect();
    if peers.len() < 2 {
        return;
    }
    let middle = |signal: Signal| {
        let mut values: Vec<f64> =
            peers.iter().map(|peer| peer.loaded(signal).median()).filter(|v| *v > 0.0).collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied()
    };
    let own = (phase.loaded(Signal::PowerW), phase.loaded(Signal::SmClockMhz));
    let (Some(power), Some(clock)) = (middle(Signal::PowerW), middle(Signal::SmClockMhz)) else { return };
    if !own.0.is_empty()
        && own.0.median() < limit("capped_beside_peers") * power
        && own.1.median() < 0.9 * clock
    {
        new.series("peers", &own.0);
        let place = own.0.evidence().place;
        new.prove(
            "peers",
            Evidence { what: "peers.power_w".to_owned(), value: format!("{power:.1} W"), place },
        );
    }
}

/// Heat: a reason that says so, a temperature at its limit, a clock that falls.
pub fn thermal(view: &View<'_>, found: &mut Vec<Found>) {
    for phase in &view.gpus {
        let mut new = Found::new("thermal-throttle", phase.subject());
        for signal in [Signal::ReasonHwThermal, Signal::ReasonSwThermal, Signal::ThermalViolation] {
            let reason = phase.loaded(signal);
            if reason.share(|set| set > 0.0) >= limit("thermal_samples") {
                new.prove("reason", reason.flagged());
            }
        }
        for signal in [Signal::CounterSwThermalS, Signal::CounterHwThermalS] {
            let counter = phase.series(signal);
            if counter.len() > 1 && counter.growth() > 0.0 {
                new.series("counter", &counter);
            }
        }
        let reasoned = new.signals() > 0;
        if is_hot(phase) {
            new.series("temperature", &phase.loaded(Signal::TemperatureC));
        }
        let memory = phase.loaded(Signal::MemoryTemperatureC);
        let most = phase.fixed(Signal::MemoryTemperatureMaxC).unwrap_or(limit("memory_temperature_hot_c"));
        if !memory.is_empty() && memory.max() >= most {
            new.series("temperature", &memory);
        }
        let clock = phase.loaded(Signal::SmClockMhz);
        let falls = clock.fall() >= limit("thermal_clock_fall");
        if falls {
            new.prove("clock", clock.spread());
        }
        if reasoned || new.has("temperature") && falls {
            clock_loss(phase, &mut new);
            add(found, new);
        }
    }
    if let Some(found) = found.iter_mut().find(|found| found.code == "thermal-throttle") {
        for event in view.events("thermal-kernel") {
            found.event("log", event);
        }
    }
}

/// Whether it is at the temperature where it slows down, by the limit it prints or a usual one.
fn is_hot(phase: &GpuPhase<'_>) -> bool {
    let margin = phase.loaded(Signal::TemperatureMarginC);
    if !margin.is_empty() {
        return margin.min() <= limit("thermal_margin_c");
    }
    let temperature = phase.loaded(Signal::TemperatureC);
    if temperature.is_empty() {
        return false;
    }
    let printed =
        [Signal::TemperatureTargetC, Signal::TemperatureMaxOperatingC, Signal::TemperatureSlowdownC]
            .into_iter()
            .filter_map(|signal| phase.fixed(signal))
            .filter(|degrees| *degrees > 40.0)
            .fold(f64::INFINITY, f64::min);
    let slow = if printed.is_finite() { printed } else { limit("temperature_hot_c") };
    temperature.max() >= slow - limit("thermal_margin_c")
}

/// What the clock loses, as evidence and as the most that a fix can gain.
fn clock_loss(phase: &GpuPhase<'_>, new: &mut Found) {
    let clock = phase.loaded(Signal::SmClockMhz);
    let Some(most) = phase.fixed(Signal::SmClockMaxMhz).filter(|most| *most > 0.0) else { return };
    if clock.is_empty() {
        return;
    }
    let ratio = clock.median() / most;
    if ratio < limit("clock_near_max") {
        let mut evidence = clock.evidence();
        evidence.value = format!("{} of {most:.0} MHz", evidence.value);
        new.prove("clock", evidence);
        new.gain = Some(1.0 - ratio);
    }
}
