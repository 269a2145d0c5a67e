//! How fast the machine is: products of matrices, memory, caches, a disk, and GPUs where there are any.
//!
//! Each figure is the best of several repeats, as STREAM takes it: what disturbs a repeat only makes it slower. The
//! spread says how much was disturbed.

#[cfg(target_arch = "x86_64")]
mod amx;
mod clock;
mod disk;
mod gpu;
mod kernels;
mod matrix;
mod memory;
mod team;

use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::machine::{Root, Seen};

pub use disk::DiskResult;
pub use gpu::{Accelerated, Cuda, GpuResult};

/// A figure that was measured several times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// The best of the repeats, in units per second.
    pub value: f64,
    /// The median of the repeats.
    pub median: f64,
    /// Best minus median, over best.
    pub spread: f64,
    /// How many repeats.
    pub repeats: u32,
}

impl Reading {
    /// From seconds of repeats that each did so much work; `None` without any.
    pub(crate) fn of(work: f64, seconds: &[f64]) -> Option<Self> {
        let mut rates: Vec<f64> = seconds.iter().filter(|s| **s > 0.0).map(|s| work / s).collect();
        rates.sort_by(f64::total_cmp);
        let (&value, &median) = (rates.last()?, rates.get(rates.len() / 2)?);
        Some(Self { value, median, spread: (value - median) / value, repeats: rates.len() as u32 })
    }
}

/// A product of matrices of one type on all threads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TypeResult {
    /// Number type: `fp32`, `bf16`, `int8`.
    pub number: String,
    /// Instructions that did it.
    pub kernel: String,
    /// Operations per second, a multiply-add counting two.
    pub flops_per_s: Reading,
}

/// Reading out of a cache, all threads together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CacheResult {
    /// Level.
    pub level: u32,
    /// Bytes that each thread read over and over.
    pub working_set_bytes: u64,
    /// Bytes per second.
    pub bytes_per_s: Reading,
}

/// Everything that was measured. What could not be is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// Threads that it took.
    pub threads: u32,
    /// Products by type.
    pub compute: Vec<TypeResult>,
    /// STREAM triad, in bytes per second that the program asks for (24 a step; McCalpin's count).
    pub triad: Option<Reading>,
    /// Reading alone, in bytes per second.
    pub read: Option<Reading>,
    /// Reading on one thread, in bytes per second.
    pub read_alone: Option<Reading>,
    /// Caches.
    pub cache: Vec<CacheResult>,
    /// A disk.
    pub disk: Option<DiskResult>,
    /// GPUs.
    pub gpus: Vec<GpuResult>,
    /// Share of the processors' time that went to other guests meanwhile.
    pub steal_share: Option<f64>,
    /// Periods in which a quota held it back meanwhile.
    pub throttled_periods: Option<u64>,
    /// The FP32 product at the end over the one at the start: below 1 where heat, power or a quota set in meanwhile.
    pub sustained_share: Option<f64>,
    /// Mean clock of the cores in Hz after the product at the start and after the one at the end, where the system says
    /// it.
    pub clocks_hz: Option<[f64; 2]>,
    /// Times that a core or the package was slowed down for its heat meanwhile.
    pub thermal_events: Option<u64>,
    /// Seconds that it took.
    pub took_s: f64,
}

/// How long, and where the disk is measured.
#[derive(Clone, Copy, Debug)]
pub struct Effort<'a> {
    /// A quarter of the time.
    pub quick: bool,
    /// Folder for a temporary file; `None` leaves the disk out.
    pub folder: Option<&'a Path>,
}

/// Measures the running machine in under 20 seconds. `gpus` measures accelerators, where there are any.
pub fn measure(seen: &Seen, effort: &Effort<'_>, gpus: Option<&dyn Accelerated>) -> Measured {
    let start = Instant::now();
    let budget = Duration::from_millis(if effort.quick { 300 } else { 1200 });
    let root = Root::default();
    let before = Counters::read(&root);
    let threads = threads(seen);
    let compute = matrix::measure(threads, budget);
    let early = clock::mean(&root);
    let [triad, read, read_alone] = memory::measure(threads, seen, budget);
    let cache = memory::caches(threads, seen, budget / 4);
    let disk = effort.folder.and_then(|folder| disk::measure(folder, effort.quick));
    let gpus = gpus.map(Accelerated::measure).unwrap_or_default();
    let again = matrix::again(threads, budget / 2);
    let late = clock::mean(&root);
    let after = Counters::read(&root);
    Measured {
        threads,
        triad,
        read,
        read_alone,
        cache,
        disk,
        gpus,
        steal_share: before.steal(&after),
        throttled_periods: after
            .throttled
            .zip(before.throttled)
            .map(|(after, before)| after.saturating_sub(before)),
        sustained_share: sustained(&compute, again.as_ref()),
        clocks_hz: early.zip(late).map(|(early, late)| [early, late]),
        thermal_events: after.thermal.zip(before.thermal).map(|(after, before)| after.saturating_sub(before)),
        compute,
        took_s: start.elapsed().as_secs_f64(),
    }
}

/// The median of the last over the median of the first: single repeats may be lucky.
fn sustained(compute: &[TypeResult], again: Option<&Reading>) -> Option<f64> {
    let first = compute.iter().find(|row| row.number == "fp32")?;
    Some(again?.median / first.flops_per_s.median).filter(|share| share.is_finite())
}

/// One thread a core that may be used, or as many as the quota lets run.
fn threads(seen: &Seen) -> u32 {
    let available = std::thread::available_parallelism().map_or(1, |n| n.get() as u32);
    let cores = seen.processor.cores.unwrap_or(available).max(1);
    // The standard library counts the quota, downwards.
    available.min(cores).clamp(1, 1024)
}

/// Counters of the system before and after.
struct Counters {
    ticks: Option<(f64, f64)>,
    throttled: Option<u64>,
    thermal: Option<u64>,
}

impl Counters {
    fn read(root: &Root) -> Self {
        Self {
            ticks: crate::machine::steal_ticks(root),
            throttled: crate::machine::throttled(root),
            thermal: clock::thermal_events(root),
        }
    }

    fn steal(&self, after: &Self) -> Option<f64> {
        let ((stolen, all), (later_stolen, later)) = (self.ticks?, after.ticks?);
        (later > all).then(|| (later_stolen - stolen) / (later - all))
    }
}
