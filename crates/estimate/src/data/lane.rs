//! What a machine's processors and accelerators do, as far as these rules need it.

use maat_catalogue::{Machine, NumberType};

use super::Facts;

/// How many times as fast a job runs on so many cores of which a share runs at once: `1 / ((1 - p) + p / n)` (Amdahl
/// 1967).
pub fn amdahl(parallel_share: f64, cores: f64) -> f64 {
    let share = parallel_share.clamp(0.0, 1.0);
    1.0 / ((1.0 - share) + share / cores.max(1.0))
}

/// Processors.
pub(super) struct Cpu {
    pub cores: f64,
    /// Clock over the one that times are stated at.
    pub clock: f64,
    /// FP32 operations a second of one core.
    pub flop_per_s: f64,
    /// Bytes a second that reading gets; `None` where not known.
    pub bytes_per_s: Option<f64>,
}

impl Cpu {
    pub fn of(machine: &Machine, facts: &Facts) -> Option<Self> {
        let processor = machine.host.processor.as_ref()?;
        let cores = processor.threads.map_or(processor.cores, |threads| threads.min(processor.cores));
        let measured = processor.measured.map(|measured| measured.read_bytes_per_s);
        let sheet = processor.bandwidth.as_ref().map(|rate| rate.value * facts.get("cpu_bandwidth_share"));
        Some(Self {
            cores: f64::from(cores.max(1)),
            clock: processor.clock_hz.value / facts.get("usual_clock_hz"),
            flop_per_s: processor.clock_hz.value * processor.fp32_flop_per_clock,
            bytes_per_s: measured.or(sheet),
        })
    }

    /// Seconds of work of so many seconds of one core, and whether memory holds it back when it reads so many bytes.
    pub fn seconds(&self, core_s: f64, share: f64, bytes: f64) -> (f64, bool) {
        let compute = core_s / self.clock / amdahl(share, self.cores);
        let memory = self.bytes_per_s.map_or(0.0, |rate| bytes / rate);
        (compute.max(memory), memory > compute)
    }
}

/// Accelerators, their work divided by rows.
pub(super) struct Gpu {
    /// Bytes a second of their memory.
    pub memory: f64,
    /// FP32 operations a second; `None` where not known.
    pub arithmetic: Option<f64>,
    /// Bytes a second from the host; `None` where both are one memory.
    pub link: Option<f64>,
}

impl Gpu {
    pub fn of(machine: &Machine, facts: &Facts) -> Option<Self> {
        let slowest = machine
            .slots
            .iter()
            .filter_map(|slot| slot.accelerator.bandwidth.as_ref())
            .map(|rate| rate.value)
            .min_by(f64::total_cmp)?;
        let count = f64::from(machine.per_node());
        // The first counts whole, each further one by what dividing leaves of it.
        let times = 1.0 + (count - 1.0).max(0.0) * facts.get("several_gpus_share");
        let first = &machine.slots.first()?.accelerator;
        let link = machine.host_link.as_ref().map(|link| link.bytes_per_s * facts.get("pcie_share"));
        let link = link.unwrap_or_else(|| facts.get("pcie_bytes_per_s"));
        Some(Self {
            memory: slowest * times,
            arithmetic: first.dense(NumberType::Fp32).map(|rate| rate.flop_per_s.value * times),
            link: (!first.unified).then_some(link * count.max(1.0)),
        })
    }

    /// Seconds to bring so many bytes from the host.
    pub fn transfer_s(&self, bytes: f64) -> f64 {
        self.link.map_or(0.0, |rate| bytes / rate)
    }
}
