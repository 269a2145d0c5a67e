//! Parts that are not in the catalogue: like a known one with other figures, or of another memory size.

use std::sync::Arc;

use maat_base::{Basis, Bytes, Fault, LabelSize, Sourced, Text};

use super::{Notes, Part, named_part};
use crate::accelerator::{Accelerator, NumberType, TensorRate};
use crate::catalogue::Catalogue;
use crate::gpu;
use crate::load::usable;
use crate::names::described;
use crate::request::HardwareRequest;

/// Tag of figures that the user gave.
const GIVEN: &str = "given";

/// Amounts that are there must be above 0.
pub(super) fn check_amounts(request: &HardwareRequest) -> Result<(), Fault> {
    let size = |size: Option<LabelSize>| size.map(|size| size.0.as_f64());
    let amounts = [
        ("--cpu-bandwidth", request.cpu_bandwidth.map(|rate| rate.0)),
        ("--ram", size(request.ram)),
        ("--power-limit", request.power_limit.map(|watts| watts.0)),
        ("--psu", request.psu.map(|watts| watts.0)),
        ("--vram", size(request.vram)),
        ("--bandwidth", request.bandwidth.map(|rate| rate.0)),
        ("--tflops", request.tflops),
    ];
    let good = |amount: f64| amount.is_finite() && amount > 0.0;
    match amounts.into_iter().find(|(_, amount)| amount.is_some_and(|amount| !good(amount))) {
        Some((flag, _)) => Err(Fault::usage("hardware-amount-zero").with("flag", flag).at(flag)),
        None => Ok(()),
    }
}

/// `--vram`, `--bandwidth` and `--tflops` say something only beside `--gpu-like`.
pub(super) fn check(request: &HardwareRequest) -> Result<(), Fault> {
    if request.gpu_like.is_some() {
        return Ok(());
    }
    let alone = [
        ("--vram", request.vram.is_some()),
        ("--bandwidth", request.bandwidth.is_some()),
        ("--tflops", request.tflops.is_some()),
    ];
    match alone.into_iter().find(|(_, given)| *given) {
        Some((flag, _)) => Err(Fault::usage("gpu-like-missing").with("flag", flag).at(flag)),
        None => Ok(()),
    }
}

/// The part of `--gpu-like` with the figures that were given.
pub(super) fn part(
    text: &str,
    request: &HardwareRequest,
    catalogue: &Catalogue,
    notes: &mut Notes,
) -> Result<Part, Fault> {
    let (count, name) =
        if catalogue.names_a_part(text) { (gpu::Count::Fixed(None), text.trim()) } else { gpu::count(text)? };
    let mut own = named_part(name, catalogue, notes)?.device();
    name.clone_into(&mut own.name);
    own.sources = format!("{};{GIVEN}", own.sources);
    if let Some(vram) = request.vram {
        own.name = format!("{name} ({} GB)", trimmed(vram.0.as_gib()));
        own.memory_label_bytes = vram.0;
        own.capacity = Sourced::new(vram.0, Basis::Computed, GIVEN);
        let text = Text::new("assumed-vram").with("bytes", vram.0);
        notes.add("vram", vram.0.0, text, Text::new("why-label"));
    }
    if let Some(bandwidth) = request.bandwidth {
        own.bandwidth = Some(Sourced::new(bandwidth.0, Basis::Computed, GIVEN));
    }
    if let Some(tflops) = request.tflops {
        scale(&mut own, tflops, notes)?;
    }
    // A part of one's own has no slices.
    own.id = String::new();
    own.mig_slices = 0;
    Ok(Part { count, accelerator: Arc::new(own), slice: None })
}

/// Scales all rates so that the known 16-bit rate nearest to the given figure becomes it: which of its 16-bit rates a
/// maker prints (accumulating in FP16 or FP32) differs from part to part.
fn scale(own: &mut Accelerator, tflops: f64, notes: &mut Notes) -> Result<(), Fault> {
    let wanted = tflops * 1e12;
    let sixteen = |rate: &&TensorRate| {
        matches!(rate.number, NumberType::Fp16 | NumberType::Bf16)
            && !rate.sparse
            && rate.flop_per_s.value > 0.0
    };
    let far = |rate: &TensorRate| (rate.flop_per_s.value / wanted).ln().abs();
    let nearest = own.rates.iter().filter(sixteen).min_by(|a, b| far(a).total_cmp(&far(b)));
    let Some(nearest) = nearest.cloned() else { return Err(Fault::usage("tflops-no-base").at("--tflops")) };
    let text = Text::new("assumed-tflops")
        .with("number", nearest.number.name())
        .with("accumulate", nearest.accumulate.name());
    let share = wanted / nearest.flop_per_s.value;
    for rate in &mut own.rates {
        rate.flop_per_s = Sourced::new(rate.flop_per_s.value * share, Basis::Computed, GIVEN);
    }
    notes.add("tflops", tflops, text, Text::new("why-tflops"));
    Ok(())
}

/// Name of a card of which only the memory is known.
pub(super) fn memory_name(memory: Bytes) -> String {
    format!("{} GB card", trimmed(memory.as_gib()))
}

/// A number without useless decimals.
fn trimmed(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl Catalogue {
    /// A part whose memory is the machine's own, with another size of it; `None` where the size is the part's already, or
    /// more than it takes, or the part has memory of its own.
    pub(crate) fn sized(&self, part: &Accelerator, memory: Bytes) -> Option<Accelerator> {
        if !part.unified || memory >= part.memory_label_bytes || memory == Bytes::ZERO {
            return None;
        }
        let mut sized = part.clone();
        sized.name = format!("{} {} GB", part.name, trimmed(memory.as_gib()));
        let reported = part.capacity.value.share_of(part.memory_label_bytes);
        sized.memory_label_bytes = memory;
        sized.capacity = usable(self.shared_memory(), &sized, None);
        if sized.capacity.value == memory && reported < 1.0 {
            sized.capacity.value = memory * reported;
        }
        Some(sized)
    }

    /// The part of a name that states a memory size which its machine can have.
    pub(crate) fn sized_by_name(&self, name: &str) -> Option<Accelerator> {
        let found = described(name, self.words())?;
        let memory = Bytes::from_f64(found.memory_gb? * maat_base::GIB as f64);
        let names = self.accelerator_names().named(&found.key, false);
        names.iter().find_map(|alias| self.sized(self.accelerator(&alias.part)?.as_ref(), memory))
    }

    /// Whether a whole text is a name of an accelerator.
    pub(crate) fn names_a_part(&self, text: &str) -> bool {
        let key = crate::names::key(text, self.words());
        !self.accelerator_names().named(&key, false).is_empty()
    }
}
