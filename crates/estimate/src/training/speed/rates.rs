//! Rates of an accelerator that trains.

use maat_catalogue::{Accelerator, Machine, NumberType};

use crate::rules::TrainingEfficiency;
use crate::speed::slowed;
use crate::training::{Framework, TrainJob, TrainPrecision};

/// Rates that training runs at on one accelerator, the slowest of the machine's.
#[derive(Clone, Debug)]
pub(super) struct Rates<'a> {
    pub framework: &'a TrainingEfficiency,
    /// Operations per second of a large product in the plan's precision, and in 16 bits for what is never narrower.
    pub product: f64,
    pub wide: f64,
    /// The dense peak that MFU is told against: of 16-bit numbers, as published figures do.
    pub peak: f64,
    /// Operations per second of attention.
    pub attention: f64,
    /// Bytes per second.
    pub bandwidth: f64,
    /// Packed weights that are brought to arithmetic form in a second.
    pub expand: f64,
    /// Whether its class was fitted to measurements of training.
    pub seen: bool,
}

impl TrainPrecision {
    /// The number type that large products are computed in, the first that a part has.
    const fn computes(self) -> &'static [NumberType] {
        use NumberType::{Bf16, Fp4, Fp8, Fp16, Fp32, Tf32};
        match self {
            Self::Fp32 => &[Fp32],
            Self::Tf32 => &[Tf32, Fp32],
            Self::Bf16 | Self::PureBf16 => &[Bf16, Fp16, Fp32],
            Self::Fp16 => &[Fp16, Bf16, Fp32],
            Self::Fp8 | Self::Mxfp8 => &[Fp8, Bf16, Fp16, Fp32],
            Self::Nvfp4 => &[Fp4, Fp8, Bf16, Fp16, Fp32],
        }
    }

    /// What attention, the head and the router are computed in.
    const fn wide(self) -> Self {
        match self {
            Self::Fp8 | Self::Mxfp8 | Self::Nvfp4 => Self::Bf16,
            other => other,
        }
    }
}

/// Key of a framework's row in `efficiencies.csv`.
pub(in crate::training) const fn key(framework: Framework, compiled: bool) -> &'static str {
    match (framework, compiled) {
        (Framework::Torch | Framework::Deepspeed, true) => "torch-compiled",
        (Framework::Torch, false) => "torch",
        (Framework::Deepspeed, false) => "deepspeed",
        (Framework::Megatron, _) => "megatron",
    }
}

impl<'a> Rates<'a> {
    /// `None` where a part's bandwidth or rates are not known, and on a machine without accelerators.
    pub fn of(job: &TrainJob<'a>, machine: &Machine) -> Option<Self> {
        let (framework, _) = job.rules.efficiencies.training.get(key(job.plan.framework, job.plan.compiled));
        let all = machine.slots.iter().map(|slot| Self::of_part(job, machine, &slot.accelerator, framework));
        let all = all.collect::<Option<Vec<_>>>()?;
        all.into_iter().min_by(|a, b| a.product.total_cmp(&b.product))
    }

    fn of_part(
        job: &TrainJob<'a>,
        machine: &Machine,
        part: &Accelerator,
        framework: &'a TrainingEfficiency,
    ) -> Option<Self> {
        let rules = &job.rules.efficiencies;
        let bandwidth = part.bandwidth.as_ref()?.value;
        let kind = rules.memory_kind(&part.memory_type);
        let class = rules.hardware_class(&part.architecture, kind);
        let (hardware, _) = rules.hardware.get(class);
        let slowed = slowed(part, machine.power_limit_w, hardware);
        let dense = |number: NumberType| part.dense(number).map(|rate| rate.flop_per_s.value);
        let first = |precision: TrainPrecision| {
            precision.computes().iter().find_map(|&number| dense(number).map(|rate| (number, rate)))
        };
        let share = (hardware.train_matmul_share * framework.matmul_factor).min(1.0) * slowed;
        let (number, product) = first(job.plan.precision)?;
        let (_, wide) = first(job.plan.precision.wide())?;
        let narrow = matches!(number, NumberType::Fp8 | NumberType::Fp4);
        let peak = dense(NumberType::Bf16).or_else(|| dense(NumberType::Fp16)).unwrap_or(wide);
        let clocks = f64::from(part.units.unwrap_or(0)) * part.clock_hz.unwrap_or(0.0);
        let (memory, _) = rules.memory.get(kind);
        Some(Self {
            framework,
            product: product * share * if narrow { hardware.train_narrow_share.min(1.0) } else { 1.0 },
            wide: wide * share,
            peak,
            attention: wide * (hardware.train_attention_share * framework.attention_factor).min(1.0) * slowed,
            bandwidth: bandwidth * (memory.share * hardware.stream_share).min(1.0),
            expand: clocks * hardware.expand_per_clock,
            seen: rules.fitted("hardware", class, Some("train_matmul_share")),
        })
    }

    /// Seconds of a product of `m` rows, `n` outputs and `k` inputs: small products reach less of the peak.
    pub fn product_s(&self, [m, n, k]: [f64; 3], rate: f64) -> f64 {
        let size = self.framework.size;
        let small = 1.0 + size / m.max(1.0) + size / n.max(1.0) + size / k.max(1.0);
        2.0 * m * n * k * small / rate
    }
}
