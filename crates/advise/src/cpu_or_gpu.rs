//! Whether a GPU is worth it for this job.

use maat_base::{Arg, Text};

use crate::answer::{Candidate, CpuOrGpu};
use crate::candidates::hourly;
use crate::search::{Fit, Found};

/// Compares the best processor with the best accelerator: by price where both do the job, by what stops the
/// processors otherwise.
pub fn judge(ranked: &[Candidate], found: &Found) -> Option<CpuOrGpu> {
    let on_cpu = |candidate: &&Candidate| candidate.machine.accelerators == 0;
    let cpu = ranked.iter().find(on_cpu);
    let gpu = ranked.iter().find(|candidate| !on_cpu(candidate));
    let speed_ratio = ratio(found);
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
    because.extend(speed_ratio.map(|ratio| Text::new("cpu-gpu-speed").with("ratio", Arg::Number(ratio))));
    Some(CpuOrGpu { answer, because, crossing: None, speed_ratio })
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
