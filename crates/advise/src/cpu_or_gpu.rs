//! Whether a GPU is worth it for this job.

use maat_base::{Arg, Text};

use crate::answer::{Candidate, CpuOrGpu, Crossing};
use crate::candidates::hourly;
use crate::here;
use crate::limits::Limits;
use crate::search::{Fit, Found};
use crate::server::most_users;
use crate::world::World;

/// Compares the best processor with the best accelerator: by price where both do the job, by what stops the
/// processors otherwise.
pub fn judge(ranked: &[Candidate], found: &Found, limits: &Limits, world: &World) -> Option<CpuOrGpu> {
    let on_cpu = |candidate: &&Candidate| candidate.machine.accelerators == 0;
    if let Some(own) = ranked.iter().find(|candidate| candidate.kind == here::KIND) {
        return Some(of_own(own, found, limits, world));
    }
    let cpu = ranked.iter().find(on_cpu);
    let gpu = ranked.iter().find(|candidate| !on_cpu(candidate));
    let speed_ratio = ratio(found);
    let crossing = match (cpu, gpu) {
        (Some(cpu), gpu) if gpu.is_none_or(|gpu| hourly(cpu) <= hourly(gpu)) => {
            more_users(cpu, found, limits, world)
        }
        (Some(cpu), Some(_)) => equal_price(cpu),
        (None, Some(_)) => smaller_weights(found),
        _ => None,
    };
    let (answer, because) = match (cpu, gpu) {
        (None, None) => return None,
        (Some(cpu), None) => ("cpu", Text::new("cpu-only").with("machine", cpu.machine.name.as_str())),
        (None, Some(_)) => ("gpu", nothing_on_cpu(found)),
        (Some(cpu), Some(gpu)) => {
            let cheaper_cpu = hourly(cpu) <= hourly(gpu);
            let text = Text::new(if cheaper_cpu { "cpu-cheaper" } else { "gpu-cheaper" })
                .with("cpu", cpu.machine.name.as_str())
                .with("gpu", gpu.machine.name.as_str())
                .with("cpu-hourly", Arg::Money(hourly(cpu), cpu.cost.currency.code().to_owned()))
                .with("gpu-hourly", Arg::Money(hourly(gpu), gpu.cost.currency.code().to_owned()));
            (if cheaper_cpu { "cpu" } else { "gpu" }, text)
        }
    };
    let mut because = vec![because];
    because.extend(crossing.as_ref().map(in_words));
    because.extend(speed_ratio.map(|ratio| Text::new("cpu-gpu-speed").with("ratio", Arg::Number(ratio))));
    Some(CpuOrGpu { answer, because, crossing, speed_ratio })
}

/// This machine does it and is there already: whatever it computes with is enough.
fn of_own(own: &Candidate, found: &Found, limits: &Limits, world: &World) -> CpuOrGpu {
    let cpu = own.machine.accelerators == 0;
    let crossing = if cpu { more_users(own, found, limits, world) } else { None };
    let speed_ratio = ratio(found);
    let mut because =
        vec![Text::new(if cpu { "cpu-here" } else { "gpu-here" }).with("machine", own.machine.name.as_str())];
    because.extend(crossing.as_ref().map(in_words));
    because.extend(speed_ratio.map(|ratio| Text::new("cpu-gpu-speed").with("ratio", Arg::Number(ratio))));
    CpuOrGpu { answer: if cpu { "cpu" } else { "gpu" }, because, crossing, speed_ratio }
}

/// The users that the best processor does not serve within the limits any more: from there on a GPU pays.
fn more_users(cpu: &Candidate, found: &Found, limits: &Limits, world: &World) -> Option<Crossing> {
    let of_cpu =
        |fit: &&Fit| fit.case.machine.as_ref().is_some_and(|machine| machine.name == cpu.machine.name);
    let fit = found.fits.values().find(of_cpu)?;
    let most = most_users(&fit.case, limits, world)?;
    Some(Crossing { quantity: "users", value: (most + 1) as f64, unit: "users" })
}

/// The price of an hour at which a GPU would cost what the processor does.
fn equal_price(cpu: &Candidate) -> Option<Crossing> {
    let hourly = cpu.cost.hourly?;
    Some(Crossing { quantity: "gpu_hourly", value: hourly.as_f64(), unit: hourly.currency.code() })
}

/// The weights read for a token that the nearest processor would still read in time, or the weights that its memory would
/// hold: below them a processor does it.
fn smaller_weights(found: &Found) -> Option<Crossing> {
    let unfit = found.unfit.iter().filter(|unfit| unfit.on_cpu);
    let nearest = unfit.filter(|unfit| unfit.why.id == "miss-tpot").min_by(|a, b| {
        let by = |unfit: &crate::search::Unfit| unfit.misses_by.unwrap_or(f64::INFINITY);
        by(a).total_cmp(&by(b))
    })?;
    let model = &found.model.as_ref()?;
    let bytes =
        model.weights_bytes().as_f64() * model.params_active() as f64 / model.params_total().max(1) as f64;
    let value = bytes / (1.0 + nearest.misses_by?);
    Some(Crossing { quantity: "weights_bytes_per_token", value, unit: "bytes" })
}

/// The crossing as a sentence.
fn in_words(crossing: &Crossing) -> Text {
    let value = match crossing.quantity {
        "users" => Arg::Count(crossing.value as u64),
        "gpu_hourly" => Arg::Money(crossing.value, crossing.unit.to_owned()),
        _ => Arg::Bytes(crossing.value as u64),
    };
    Text::named(format!("crossing-{}", crossing.quantity.replace('_', "-"))).with("value", value)
}

/// Why no processor does the job: the nearest miss.
fn nothing_on_cpu(found: &Found) -> Text {
    let mut misses: Vec<_> = found.unfit.iter().filter(|unfit| unfit.on_cpu).collect();
    misses.sort_by_key(|unfit| !unfit.holds_it);
    match misses.first() {
        Some(miss) => {
            Text::new("cpu-misses").with("machine", miss.machine.as_str()).with("why", miss.why.clone())
        }
        None if found.fits.values().any(Fit::on_cpu) => Text::new("cpu-not-priced"),
        None => Text::new("cpu-not-tried"),
    }
}

/// How many times faster the fastest accelerator writes for one user than the fastest processor.
fn ratio(found: &Found) -> Option<f64> {
    let fastest = |cpu: bool| {
        found
            .fits
            .values()
            .filter(|fit| fit.on_cpu() == cpu)
            .filter_map(|fit: &Fit| fit.judged.tpot())
            .min_by(f64::total_cmp)
    };
    Some(fastest(true)? / fastest(false)?)
}
