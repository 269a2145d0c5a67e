//! The rules of thumb that predictions are compared with.
//!
//! Decoding reads the active weights once a step at the full bandwidth; a prompt takes two operations a parameter and
//! token at the full dense 16-bit peak; a training step six at 40 % of it. Nothing else costs anything.

use maat_catalogue::{Machine, NumberType};

use crate::case::{Case, Job, Load, Quantity};

/// Share of the peak that training is said to reach.
const MFU: f64 = 0.4;
/// Users of a full machine that nobody stated.
const FULL: f64 = 256.0;

/// The rule's figure of a case's quantity; `None` where the machine's figures are not known.
pub fn likely(case: &Case) -> Option<f64> {
    let model = &case.opened.model;
    let active = model.params_active() as f64;
    let share = active / model.params_total().max(1) as f64;
    let weights = case.opened.profile.weight_bytes().as_f64();
    let bandwidth = bandwidth(&case.machine)?;
    let Job::Serve(serve) = &case.job else {
        let peak = peak(&case.machine)? / f64::from(case.machine.accelerators().max(1));
        return match case.quantity {
            Quantity::Train => Some(6.0 * active / (MFU * peak)),
            _ => None,
        };
    };
    let work = &serve.work;
    let users = if matches!(serve.load, Load::Full | Load::Within(_)) { FULL } else { work.users as f64 };
    let step = weights * share / bandwidth;
    let prompt = 2.0 * active * work.input.max(1) as f64 / peak(&case.machine)?;
    let output = work.output.max(1) as f64;
    Some(match case.quantity {
        Quantity::Tpot => step,
        Quantity::Ttft => prompt,
        Quantity::Prompt => users * prompt,
        Quantity::Request => prompt + output * step,
        Quantity::Throughput => (users * prompt + output * step) / (users * output),
        Quantity::Train | Quantity::Memory => return None,
    })
}

fn bandwidth(machine: &Machine) -> Option<f64> {
    let of = |slot: &maat_catalogue::Slot| {
        Some(
            slot.accelerator.bandwidth.as_ref()?.value
                * f64::from(slot.count)
                * f64::from(machine.nodes.max(1)),
        )
    };
    match &machine.host.processor {
        _ if !machine.slots.is_empty() => machine.slots.iter().map(of).sum(),
        Some(processor) => processor.bandwidth.as_ref().map(|figure| figure.value),
        None => None,
    }
}

/// Dense 16-bit peak of all accelerators; FP32 where there is none.
fn peak(machine: &Machine) -> Option<f64> {
    if let (true, Some(host)) = (machine.slots.is_empty(), &machine.host.processor) {
        let per_clock = host.bf16_flop_per_clock.max(host.fp32_flop_per_clock);
        return Some(f64::from(host.cores) * host.clock_hz.value * per_clock);
    }
    let of = |slot: &maat_catalogue::Slot| {
        let part = &slot.accelerator;
        let rate = [NumberType::Bf16, NumberType::Fp16, NumberType::Fp32]
            .into_iter()
            .find_map(|number| part.dense(number))?;
        Some(rate.flop_per_s.value * f64::from(slot.count) * f64::from(machine.nodes.max(1)))
    };
    machine.slots.iter().map(of).sum()
}
