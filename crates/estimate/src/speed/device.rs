//! What computes: an accelerator or the host's processors, with the efficiencies of its class applied.

use maat_catalogue::{Accelerator, Accumulate, MeasuredProcessor, NumberType, Processor};

use crate::rules::{Arithmetic, Efficiencies, EngineEfficiency, Expands, HardwareEfficiency};

/// Class of processors whose products and memory were measured.
const MEASURED: &str = "measured";

/// Rates that work runs at.
#[derive(Clone, Debug)]
pub(crate) struct Device {
    /// Whether it is the host's processors.
    pub processor: bool,
    /// Whether arithmetic of its class was fitted to measurements.
    pub prompts_seen: bool,
    /// Whether its class and its kind of memory were.
    pub steps_seen: bool,
    /// Operations per second of a large product by number type; 0 where it has none.
    peaks: [f64; NumberType::ALL.len()],
    /// The same of attention.
    pub attention: f64,
    /// Share that products grouped by expert reach of this.
    pub expert_share: f64,
    /// Rows of the least tile that an expert fills, and of that of kernels that expand packed weights.
    pub expert_pad: f64,
    pub packed_expert_pad: f64,
    /// Multiply-adds that a product's last wave wastes, for each row and input: idle tiles' width.
    pub idle_width: f64,
    /// Rows of a tile.
    pub tile: f64,
    /// Bytes per second.
    pub bandwidth: f64,
    /// Seconds of a kernel beside its work.
    pub kernel_s: f64,
    /// Packed weights per second.
    expand: f64,
    /// Rows of a product that share one expansion.
    expand_rows: f64,
    /// Kernels that expanding takes.
    pub expand_kernels: f64,
    /// Plain weights per second in products of few rows; infinite where matrix units do them.
    vector: f64,
    /// Share of the shorter of arithmetic and reading that is not hidden.
    pub overlap: f64,
}

impl Device {
    /// An accelerator; `None` where bandwidth or rates are not known.
    pub fn accelerator(
        part: &Accelerator,
        power_limit_w: Option<f64>,
        rules: &Efficiencies,
        engine: &EngineEfficiency,
    ) -> Option<Self> {
        let bandwidth = part.bandwidth.as_ref()?.value;
        let kind = rules.memory_kind(&part.memory_type);
        let class = rules.hardware_class(&part.architecture, kind);
        let (hardware, _) = rules.hardware.get(class);
        let (memory, _) = rules.memory.get(kind);
        let slowed = slowed(part, power_limit_w, hardware);
        let wide = (hardware.matmul_share * engine.matmul_factor).min(1.0) * slowed;
        let narrow = wide * (hardware.narrow_share * engine.narrow_factor).min(1.0);
        let peaks = NumberType::ALL.map(|number| {
            let rate = rate_of(part, number, engine);
            rate * if is_narrow(number) { narrow } else { wide }
        });
        let unit_clocks = match (part.units, part.clock_hz) {
            (Some(units), Some(clock)) => f64::from(units) * clock,
            _ => peaks[index(NumberType::Fp32)] / wide / hardware.vector_flop_per_clock,
        } * clock_share(part, power_limit_w, None, hardware);
        let units = f64::from(part.units.unwrap_or(0));
        let sixteen = peaks[index(NumberType::Bf16)].max(peaks[index(NumberType::Fp16)]);
        let best = if sixteen > 0.0 { sixteen } else { peaks[index(NumberType::Fp32)] };
        (best > 0.0).then(|| Self {
            processor: false,
            prompts_seen: rules.fitted("hardware", class, Some("matmul_share")),
            steps_seen: rules.fitted("hardware", class, None) && rules.fitted("memory", kind, None),
            peaks,
            attention: best / wide * (hardware.attention_share * engine.attention_factor).min(1.0) * slowed,
            expert_share: hardware.expert_share.min(1.0),
            expert_pad: hardware.expert_pad,
            packed_expert_pad: hardware.packed_expert_pad,
            idle_width: hardware.wave * hardware.tile * units,
            tile: hardware.tile,
            bandwidth: bandwidth * (memory.share * hardware.stream_share * engine.weight_share).min(1.0),
            kernel_s: hardware.kernel_s * engine.kernel_factor,
            expand: unit_clocks * hardware.expand_per_clock * engine.expand_factor,
            expand_rows: f64::INFINITY,
            expand_kernels: engine.expand_kernels,
            vector: if engine.vector_products > 0.0 {
                unit_clocks * hardware.vector_per_clock / engine.vector_products
            } else {
                f64::INFINITY
            },
            overlap: engine.overlap,
        })
    }

    /// The processors of a host; `None` where their bandwidth is not known.
    pub fn processor(host: &Processor, rules: &Efficiencies, engine: &EngineEfficiency) -> Option<Self> {
        if let Some(measured) = &host.measured {
            return Some(Self::measured(host, measured, rules, engine));
        }
        let bandwidth = host.bandwidth.as_ref()?.value;
        let name = rules.processor_class(&host.simd);
        let (class, _) = rules.processors.get(name);
        let cores = f64::from(host.threads.map_or(host.cores, |threads| threads.min(host.cores)).max(1));
        let cycles = cores * host.clock_hz.value;
        let sockets = f64::from(host.sockets.max(1));
        let bandwidth = bandwidth / sockets * (1.0 + (sockets - 1.0) * class.socket_share.min(1.0));
        let wide = class.matmul_share.min(1.0);
        let peak = |per_clock: f64| cycles * per_clock * wide;
        let (fp32, bf16, int8) = (
            peak(host.fp32_flop_per_clock),
            peak(host.bf16_flop_per_clock.max(host.fp32_flop_per_clock)),
            peak(host.int8_op_per_clock.max(host.fp32_flop_per_clock)),
        );
        let peaks = NumberType::ALL.map(|number| match number {
            NumberType::Fp32 => fp32,
            NumberType::Bf16 | NumberType::Fp16 => bf16,
            NumberType::Int8 => int8,
            _ => 0.0,
        });
        (fp32 > 0.0).then(|| Self {
            processor: true,
            prompts_seen: rules.fitted("processor", name, Some("matmul_share")),
            steps_seen: rules.fitted("processor", name, None),
            peaks,
            attention: fp32,
            expert_share: 1.0,
            expert_pad: 0.0,
            packed_expert_pad: 0.0,
            idle_width: 0.0,
            tile: 1.0,
            bandwidth: (bandwidth * class.memory_share.min(1.0)).min(cores * class.core_bandwidth),
            kernel_s: class.kernel_s + class.thread_s * cores,
            expand: cycles * host.fp32_flop_per_clock * class.expand_share,
            expand_rows: (class.expand_rows * engine.expand_rows).max(1.0),
            expand_kernels: 0.0,
            vector: f64::INFINITY,
            overlap: engine.overlap,
        })
    }

    /// Processors that were measured: products run at a share of the measured products, reading at a share of the
    /// measured reading, and both fall with the threads that are not used.
    fn measured(
        host: &Processor,
        measured: &MeasuredProcessor,
        rules: &Efficiencies,
        engine: &EngineEfficiency,
    ) -> Self {
        let (class, _) = rules.processors.get(MEASURED);
        let all = f64::from(measured.threads.max(1));
        let threads = f64::from(host.threads.unwrap_or(measured.threads).clamp(1, measured.threads.max(1)));
        let share = threads / all;
        let fp32 = measured.fp32_flop_per_s * share;
        let of = |rate: Option<f64>| rate.map_or(fp32, |rate| (rate * share).max(fp32));
        let (bf16, int8) = (of(measured.bf16_flop_per_s), of(measured.int8_op_per_s));
        let peaks = NumberType::ALL.map(|number| match number {
            NumberType::Fp32 => fp32 * class.matmul_share,
            NumberType::Bf16 | NumberType::Fp16 => bf16 * class.matmul_share,
            NumberType::Int8 => int8 * class.matmul_share,
            _ => 0.0,
        });
        let alone = measured.read_alone_bytes_per_s.unwrap_or(measured.read_bytes_per_s / all);
        let read = measured.read_bytes_per_s.min(alone * threads) * class.memory_share.min(1.0);
        Self {
            processor: true,
            prompts_seen: false,
            steps_seen: rules.fitted("processor", MEASURED, Some("memory_share")),
            peaks,
            attention: fp32 * class.matmul_share,
            expert_share: 1.0,
            expert_pad: 0.0,
            packed_expert_pad: 0.0,
            idle_width: 0.0,
            tile: 1.0,
            bandwidth: read,
            kernel_s: class.kernel_s + class.thread_s * threads,
            expand: fp32 * class.expand_share,
            expand_rows: (class.expand_rows * engine.expand_rows).max(1.0),
            expand_kernels: 0.0,
            vector: f64::INFINITY,
            overlap: engine.overlap,
        }
    }

    /// The number type that weights of a format are computed in, its rate, and whether the weights are expanded.
    pub fn number(&self, arithmetic: &Arithmetic) -> (f64, bool) {
        let all = arithmetic.computes.iter().map(|number| (*number, self.peaks[index(*number)]));
        let fallback = (NumberType::Fp32, self.peaks[index(NumberType::Fp32)].max(self.attention));
        let (number, peak) = all.into_iter().find(|(_, peak)| *peak > 0.0).unwrap_or(fallback);
        let expanded = match arithmetic.expands {
            Expands::No => false,
            Expands::Narrow => arithmetic.computes.first() != Some(&number),
            Expands::Always => true,
        };
        (peak, expanded)
    }

    /// Seconds to bring weights to the units for so many rows of activations, beside reading them.
    pub fn expanding(&self, weights: f64, rows: f64, expanded: bool, arithmetic: &Arithmetic) -> f64 {
        let effort = if self.processor { arithmetic.processor_effort } else { arithmetic.effort };
        let times = (rows / self.expand_rows).max(1.0);
        if expanded { weights * times * effort / self.expand } else { weights / self.vector }
    }
}

/// Share of its rate that power leaves arithmetic: of what the class's reference part has for each FLOP/s, or of the
/// part's own where the class has no reference.
pub(crate) fn slowed(part: &Accelerator, limit_w: Option<f64>, hardware: &HardwareEfficiency) -> f64 {
    let peak = part.dense(NumberType::Bf16).map_or(0.0, |rate| rate.flop_per_s.value);
    let needed = (hardware.peak_per_watt > 0.0).then(|| peak / hardware.peak_per_watt);
    clock_share(part, limit_w, needed, hardware)
}

/// Share of the clock that a part has at a limit, where it needs so many watts.
fn clock_share(
    part: &Accelerator,
    limit_w: Option<f64>,
    needed_w: Option<f64>,
    hardware: &HardwareEfficiency,
) -> f64 {
    let Some(full) = part.power_w else { return 1.0 };
    let given = limit_w.map_or(full, |limit| limit.min(full));
    (given / needed_w.unwrap_or(full)).powf(hardware.power_exponent).min(1.0)
}

/// The dense rate of a part as an engine uses it.
fn rate_of(part: &Accelerator, number: NumberType, engine: &EngineEfficiency) -> f64 {
    let dense = part.dense(number).map_or(0.0, |rate| rate.flop_per_s.value);
    let half = part.rate(number, Accumulate::Fp16, false).map_or(0.0, |rate| rate.flop_per_s.value);
    if number == NumberType::Fp16 { dense + (half - dense).max(0.0) * engine.half_accumulate } else { dense }
}

/// Whether a number has less than 16 bits.
fn is_narrow(number: NumberType) -> bool {
    matches!(number, NumberType::Fp8 | NumberType::Fp4 | NumberType::Int8)
}

fn index(number: NumberType) -> usize {
    number as usize
}
