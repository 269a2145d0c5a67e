//! `bench`: what was measured, beside what the catalogue says; kept for `--here`.

use maat_advise::World;
use maat_base::{Answer, Arg, Basis, Code, Fault, Finding, Severity, Sourced, Text, Verdict};
use maat_catalogue::{Machine, MeasuredProcessor};
use maat_probe::bench::{CacheResult, DiskResult, GpuResult, Measured, Reading, TypeResult};
use maat_probe::machine::Seen;
use serde::{Deserialize, Serialize};

/// A spread above this says that something else ran.
const NOISY_SHARE: f64 = 0.15;
/// Steal during the measurement, from which on it is worth saying.
const STEAL_SHARE: f64 = 0.02;
/// An FP32 product at the end that does less than this of the one at the start was held back by something that set in.
const SUSTAINED_SHARE: f64 = 0.9;
/// Tag of own measurements.
const SOURCE: &str = "maat bench";

/// A measurement as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Version of this file's shape.
    pub version: u32,
    /// Which machine it was measured on.
    pub machine: Key,
    /// Seconds since 1970 when it was measured.
    pub at_unix_s: u64,
    /// Products by type.
    pub compute: Vec<TypeResult>,
    /// STREAM triad.
    pub triad: Option<Reading>,
    /// Reading alone.
    pub read: Option<Reading>,
    /// Reading on one thread.
    #[serde(default)]
    pub read_alone: Option<Reading>,
    /// Threads that it took.
    pub threads: u32,
    /// Caches.
    pub cache: Vec<CacheResult>,
    /// The disk of the cache folder.
    pub disk: Option<DiskResult>,
    /// GPUs.
    pub gpus: Vec<GpuResult>,
}

/// What tells machines apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Key {
    /// Name of the processor.
    pub model: Option<String>,
    /// Hardware threads that may be used.
    pub threads: Option<u32>,
    /// Quota in processors.
    pub cpus: Option<f64>,
}

impl Key {
    /// Of a machine.
    pub fn of(seen: &Seen) -> Self {
        let processor = &seen.processor;
        Self {
            model: processor.model.clone(),
            threads: processor.allowed_threads.or(processor.threads),
            cpus: seen.limits.cpus,
        }
    }
}

/// Version of [`Record`].
const VERSION: u32 = 1;

impl Record {
    /// What was measured on a machine at a time.
    pub fn new(seen: &Seen, measured: Measured, at_unix_s: u64) -> Self {
        let Measured { compute, triad, read, read_alone, threads, cache, disk, gpus, .. } = measured;
        Self {
            version: VERSION,
            machine: Key::of(seen),
            at_unix_s,
            compute,
            triad,
            read,
            read_alone,
            threads,
            cache,
            disk,
            gpus,
        }
    }

    /// Reads one; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let record: Self = serde_json::from_str(text).ok()?;
        (record.version == VERSION).then_some(record)
    }

    /// The text that is kept.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Whether it was measured on such a machine, with the same limits.
    pub fn is_of(&self, seen: &Seen) -> bool {
        self.machine == Key::of(seen)
    }

    /// What the processors did, as it lasts; `None` unless both products and memory were measured. Repeats are shorter
    /// than the period of a quota, so that the best of them runs as if there were none: of threads that a quota holds
    /// back only its share counts.
    pub fn processor(&self) -> Option<MeasuredProcessor> {
        let share = self.machine.cpus.map_or(1.0, |cpus| (cpus / f64::from(self.threads)).min(1.0));
        let of = |name: &str| {
            let row = self.compute.iter().find(|row| row.number == name)?;
            Some(row.flops_per_s.value * share).filter(|rate| rate.is_finite() && *rate > 0.0)
        };
        let read = self.read.as_ref()?.value * share;
        (read.is_finite() && read > 0.0 && self.threads > 0).then_some(MeasuredProcessor {
            fp32_flop_per_s: of("fp32")?,
            bf16_flop_per_s: of("bf16"),
            int8_op_per_s: of("int8"),
            read_bytes_per_s: read,
            read_alone_bytes_per_s: self.read_alone.as_ref().map(|one| one.value * share),
            threads: self.threads,
        })
    }
}

/// A measured figure beside the catalogue's.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    /// The best of the repeats.
    pub measured: f64,
    /// Spread of the repeats: best minus median, over best.
    pub spread: f64,
    /// What the catalogue or the class says; `None` where it says nothing.
    pub catalogue: Option<Sourced<f64>>,
    /// Measured over catalogue.
    pub share: Option<f64>,
}

impl Compared {
    fn of(reading: &Reading, catalogue: Option<Sourced<f64>>) -> Self {
        let share = catalogue.as_ref().filter(|one| one.value > 0.0).map(|one| reading.value / one.value);
        Self { measured: reading.value, spread: reading.spread, catalogue, share }
    }
}

/// A product beside the catalogue's figure.
#[derive(Clone, Debug, Serialize)]
pub struct ComputeRow {
    /// Number type.
    #[serde(rename = "type")]
    pub number: String,
    /// Instructions that did it.
    pub kernel: String,
    /// Operations per second, a multiply-add counting two.
    pub flops_per_s: f64,
    /// The same beside the catalogue's.
    pub compared: Compared,
}

/// What was measured.
#[derive(Clone, Debug, Serialize)]
pub struct BenchBody {
    /// The machine's name.
    pub machine: String,
    /// Threads that it took.
    pub threads: u32,
    /// Seconds that it took.
    pub took_s: f64,
    /// Products by type.
    pub compute: Vec<ComputeRow>,
    /// STREAM triad in bytes per second.
    pub memory_bytes_per_s: Option<f64>,
    /// The same beside the catalogue's.
    pub memory: Option<Compared>,
    /// Reading alone.
    pub memory_read: Option<Compared>,
    /// Caches.
    pub cache: Vec<CacheResult>,
    /// The disk of the cache folder.
    pub disk: Option<DiskResult>,
    /// Links of GPUs; the part that measures them was never run on one.
    pub link: Vec<GpuResult>,
    /// The FP32 product at the end over the one at the start.
    pub sustained_share: Option<f64>,
    /// Where the figures are kept.
    pub stored: Option<String>,
}

/// Shows a measurement beside the catalogue's figures of the machine.
///
/// # Errors
/// Nobody has looked at the machine.
pub fn bench(
    seen: &Seen,
    measured: &Measured,
    machine: &Machine,
    stored: Option<String>,
    world: &World,
) -> Result<Answer<BenchBody>, Fault> {
    let processor = machine.host.processor.as_ref();
    let peak = |per_clock: f64| {
        let processor = processor?;
        let value = f64::from(processor.cores) * processor.clock_hz.value * per_clock;
        Some(Sourced {
            value,
            basis: processor.clock_hz.basis.and(Basis::Computed),
            ..processor.clock_hz.clone()
        })
    };
    let compute = measured
        .compute
        .iter()
        .map(|row| {
            let catalogue = processor.and_then(|processor| match row.number.as_str() {
                "fp32" => peak(processor.fp32_flop_per_clock),
                "bf16" => peak(processor.bf16_flop_per_clock),
                "int8" => peak(processor.int8_op_per_clock),
                _ => None,
            });
            ComputeRow {
                number: row.number.clone(),
                kernel: row.kernel.clone(),
                flops_per_s: row.flops_per_s.value,
                compared: Compared::of(&row.flops_per_s, catalogue),
            }
        })
        .collect();
    let bandwidth = processor.and_then(|processor| processor.bandwidth.clone());
    let body = BenchBody {
        machine: machine.name.clone(),
        threads: measured.threads,
        took_s: measured.took_s,
        compute,
        memory_bytes_per_s: measured.triad.as_ref().map(|reading| reading.value),
        memory: measured.triad.as_ref().map(|reading| Compared::of(reading, bandwidth.clone())),
        memory_read: measured.read.as_ref().map(|reading| Compared::of(reading, bandwidth)),
        cache: measured.cache.clone(),
        disk: measured.disk.clone(),
        link: measured.gpus.clone(),
        sustained_share: measured.sustained_share,
        stored,
    };
    let mut answer = Answer::new("bench", verdict(&body), body);
    answer.findings = crate::findings::all(seen, machine, world.catalogue);
    answer.findings.retain(|finding| finding.code != "memory-speed-unknown" && finding.code != "steal-time");
    answer.findings.extend(noise(measured));
    answer.findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    Ok(answer)
}

fn noise(measured: &Measured) -> Vec<Finding> {
    let readings = measured.compute.iter().map(|row| (row.number.as_str(), &row.flops_per_s));
    let memory = [("triad", &measured.triad), ("read", &measured.read)];
    let all = readings.chain(memory.into_iter().filter_map(|(name, one)| Some((name, one.as_ref()?))));
    let noisy: Vec<(&str, f64)> =
        all.filter(|(_, one)| one.spread > NOISY_SHARE).map(|(name, one)| (name, one.spread)).collect();
    let mut found = Vec::new();
    if let Some(worst) = noisy.iter().map(|(_, spread)| *spread).max_by(f64::total_cmp) {
        let names: Vec<String> = noisy.iter().map(|(name, _)| (*name).to_owned()).collect();
        found.push(
            Finding::new("bench-noisy", Severity::Warning, names.join(", "))
                .with("spread", Arg::Share(worst))
                .because("spread", format!("{worst:.2}"), SOURCE)
                .fixable(),
        );
    }
    if let Some(steal) = measured.steal_share.filter(|&share| share >= STEAL_SHARE) {
        found.push(
            Finding::new("steal-time", Severity::Warning, "cpu")
                .with("share", Arg::Share(steal))
                .because("steal", format!("{steal:.3}"), "/proc/stat")
                .fixable(),
        );
    }
    found.extend(slower(measured));
    if measured.throttled_periods.is_some_and(|periods| periods > 0) {
        found.push(
            Finding::new("bench-throttled", Severity::Warning, "cgroup")
                .with("periods", measured.throttled_periods.unwrap_or(0))
                .because("nr_throttled", measured.throttled_periods.unwrap_or(0).to_string(), "cpu.stat")
                .fixable(),
        );
    }
    found
}

/// What heat or a power limit did to it.
fn slower(measured: &Measured) -> Vec<Finding> {
    let mut found = Vec::new();
    if let Some(share) = measured.sustained_share.filter(|&share| share < SUSTAINED_SHARE) {
        let mut finding = Finding::new("bench-slows-down", Severity::Warning, "cpu")
            .with("loss", Arg::Share(1.0 - share))
            .because("fp32 again", format!("{share:.2}"), SOURCE)
            .fixable();
        if let Some([early, late]) = measured.clocks_hz {
            let clocks = format!("{:.2} -> {:.2} GHz", early / 1e9, late / 1e9);
            finding = finding.because("scaling_cur_freq", clocks, "/sys/devices/system/cpu");
        }
        found.push(finding);
    }
    if let Some(events) = measured.thermal_events.filter(|&events| events > 0) {
        let place = "/sys/devices/system/cpu/cpu*/thermal_throttle";
        found.push(
            Finding::new("bench-thermal-throttling", Severity::Warning, "cpu")
                .with("events", events)
                .because("core_throttle_count", events.to_string(), place)
                .fixable(),
        );
    }
    found
}

fn verdict(body: &BenchBody) -> Verdict {
    let rate = |name: &str| body.compute.iter().find(|row| row.number == name).map(|row| row.flops_per_s);
    let (Some(flops), Some(read)) = (rate("fp32"), body.memory_read.as_ref().map(|one| one.measured)) else {
        return Verdict {
            ok: None,
            code: Code::Borrowed("not-enough-data"),
            text: Text::new("bench-nothing"),
        };
    };
    let text = Text::new("bench-verdict")
        .with("machine", body.machine.as_str())
        .with("flops", Arg::FlopPerSecond(flops))
        .with("read", Arg::BytesPerSecond(read));
    Verdict { ok: Some(true), code: Code::Borrowed("measured"), text }
}
