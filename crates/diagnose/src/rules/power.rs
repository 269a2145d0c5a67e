//! Clocks that a setting or the power limit holds down.

use maat_base::Severity;
use maat_readings::monitor::Signal;

use super::kernel::is_memory_bound;
use super::{add, has};
use crate::facts::limit;
use crate::found::Found;
use crate::show::percent;
use crate::view::{GpuPhase, View};

/// Reasons that explain a low clock.
const REASONS: [Signal; 6] = [
    Signal::ReasonPowerCap,
    Signal::ReasonHwSlowdown,
    Signal::ReasonHwThermal,
    Signal::ReasonPowerBrake,
    Signal::ReasonSwThermal,
    Signal::ReasonSyncBoost,
];

/// A clock under load that stays low though nothing slows it.
pub fn clocks_locked(view: &View<'_>, found: &mut Vec<Found>) {
    if has(found, "thermal-throttle") || has(found, "hw-power-brake") {
        return;
    }
    for phase in view.gpus.iter().filter(|phase| phase.is_full()) {
        let slowed = REASONS.iter().any(|signal| phase.loaded(*signal).share(|set| set > 0.0) > 0.1);
        let limited = phase.loaded_power().is_some_and(|ratio| ratio >= 0.9);
        if slowed || limited {
            continue;
        }
        let mut new = Found::new("clocks-locked", phase.subject());
        held_clock(phase, &mut new);
        let state = phase.loaded(Signal::PerformanceState);
        if !state.is_empty() && state.median() >= 5.0 {
            new.series("state", &state);
        }
        let memory = phase.loaded(Signal::MemoryClockMhz);
        if let Some(most) = phase.fixed(Signal::MemoryClockMaxMhz).filter(|most| *most > 0.0)
            && !memory.is_empty()
            && memory.median() / most <= limit("memory_clock_low")
        {
            let mut evidence = memory.evidence();
            evidence.value = format!("{} of {most:.0} MHz", evidence.value);
            new.prove("memory", evidence);
        }
        if new.signals() == 0 {
            continue;
        }
        let applied = phase.loaded(Signal::ReasonApplicationClocks);
        if applied.share(|set| set > 0.0) > 0.5 {
            new.prove("reason", applied.flagged());
        } else if REASONS.iter().any(|signal| !phase.loaded(*signal).is_empty()) {
            new.prove("reason", phase.loaded(Signal::ReasonPowerCap).flagged());
        }
        new.asks = vec!["gpu"];
        add(found, new);
    }
}

/// A core clock far below the possible, and steady, as only a setting makes it.
fn held_clock(phase: &GpuPhase<'_>, new: &mut Found) {
    let clock = phase.loaded(Signal::SmClockMhz);
    let Some(most) = phase.fixed(Signal::SmClockMaxMhz).filter(|most| *most > 0.0) else { return };
    if clock.is_empty() {
        return;
    }
    let ratio = clock.median() / most;
    let steady = clock.max() - clock.min() <= limit("clocks_locked_spread_mhz");
    let applied = phase.loaded(Signal::ReasonApplicationClocks).share(|set| set > 0.0) > 0.5;
    if ratio <= limit("clocks_locked_ratio") && steady || applied && ratio <= 0.9 {
        let mut evidence = clock.evidence();
        evidence.value =
            format!("{} of {most:.0} MHz, {:.0} to {:.0}", evidence.value, clock.min(), clock.max());
        new.prove("clock", evidence);
        new.gain = Some(1.0 - ratio);
    }
}

/// The power limit holds the clock down.
pub fn power_cap(view: &View<'_>, found: &mut Vec<Found>) {
    for phase in &view.gpus {
        let capped = phase.loaded(Signal::ReasonPowerCap);
        // `dmon` prints the share of the time instead of a flag.
        let violated = phase.loaded(Signal::PowerViolation);
        let capped = if capped.is_empty() { violated } else { capped };
        let active = !capped.is_empty() && capped.share(|set| set > 0.0) >= limit("power_cap_samples");
        // A counted violation says itself that the clock was lowered; without the limit it stands alone.
        let counted = capped.signal == Signal::PowerViolation;
        let at_limit = phase.loaded_power().map_or(counted, |ratio| ratio >= limit("power_cap_ratio"));
        let clock = phase.loaded(Signal::SmClockMhz);
        let most = phase.fixed(Signal::SmClockMaxMhz).filter(|most| *most > 0.0);
        let ratio = most.filter(|_| !clock.is_empty()).map(|most| clock.median() / most);
        // A cap that costs no clock costs nothing.
        if !active || !at_limit || ratio.is_some_and(|ratio| ratio >= limit("clock_near_max")) {
            continue;
        }
        let mut new = Found::new("power-cap", phase.subject());
        new.prove("reason", capped.flagged());
        if let Some(share) = phase.loaded_power() {
            let mut evidence = phase.loaded(Signal::PowerW).evidence();
            evidence.value = format!("{} = {} of the limit", evidence.value, percent(share));
            new.prove("power", evidence);
        }
        new.asks = vec!["gpu"];
        if let Some(most) = most.filter(|_| ratio.is_some()) {
            let mut evidence = clock.evidence();
            evidence.value = format!("{} of {most:.0} MHz", evidence.value);
            new.prove("clock", evidence);
        }
        if costs_speed(view, phase, ratio) {
            new.gain = ratio.map(|ratio| 1.0 - ratio);
        } else {
            new.severity = Some(Severity::Info);
        }
        add(found, new);
    }
}

/// Whether a higher limit would bring something: not where memory is the limit, and hardly where the limit is the
/// maker's own.
fn costs_speed(view: &View<'_>, phase: &GpuPhase<'_>, ratio: Option<f64>) -> bool {
    let bound =
        view.gpus.iter().any(|other| other.gpu == phase.gpu && other.is_full() && is_memory_bound(other));
    let own = phase.fixed(Signal::PowerLimitW);
    let given = phase.fixed(Signal::PowerLimitDefaultW).or_else(|| phase.fixed(Signal::PowerLimitMaxW));
    let at_makers = matches!((own, given), (Some(own), Some(given)) if own >= 0.99 * given);
    let Some(lost) = ratio.map(|ratio| 1.0 - ratio) else { return !bound && !at_makers };
    let enough = match given {
        Some(_) if !at_makers => 0.0,
        Some(_) => limit("clock_loss"),
        None => limit("clock_loss_small"),
    };
    !bound && lost >= enough
}
