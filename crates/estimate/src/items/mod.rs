//! Images and clips: models that write no text, by the operations of their own stacks.
//!
//! A stack says over how many positions it runs: patches, or pixels at its resolution. Each of its weights is a product of
//! so many rows; attention looks from all positions at all. A diffusion runs its denoiser at every step, twice where it is
//! guided (Ho and Salimans 2022), its text encoders and the decoding half of its autoencoder once.

mod count;

use maat_base::{Bytes, Range};
use maat_catalogue::{Machine, Slot};
use maat_model::{Length, Model, Stack, StackKind};
use serde::{Deserialize, Serialize};

use crate::speed::{Bounds, Device, Wires, of_operation};
use crate::{Bound, Memory, Parallel, Rules, Speed};
pub use count::{ItemFlops, item_flops};

/// Key of the parameters and of the ranges.
const KEY: &str = "items";

/// Where the text encoders of a diffusion are while it runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TextEncoders {
    /// On the accelerator.
    #[default]
    Keep,
    /// In host memory, brought for each prompt before the denoiser is.
    Offload,
    /// Nowhere: prompts were encoded before.
    Cached,
}

/// How an item is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ItemWork {
    /// Items that run together on an accelerator.
    pub batch: f64,
    /// Pixels of a frame.
    pub height: f64,
    /// The same.
    pub width: f64,
    /// Frames of a clip; 1 for an image.
    pub frames: f64,
    /// Steps of a diffusion; 1 otherwise.
    pub steps: f64,
    /// Runs of the denoiser in a step: 2 with guidance by a second, empty prompt.
    pub guides: f64,
    /// Tokens of a prompt.
    pub words: f64,
    /// Where the text encoders are.
    pub text: TextEncoders,
    /// Whether latents are decoded tile by tile.
    pub tiling: bool,
}

/// What items come to on a machine: each accelerator makes its own.
#[derive(Clone, Debug, PartialEq)]
pub struct ItemCost {
    /// Memory of each accelerator, or of the host.
    pub memory: Memory,
    /// Speed, where rates are known.
    pub speed: Option<Speed>,
}

/// Whether a model makes or reads images and clips, and so is no matter of tokens.
pub fn makes_items(model: &Model) -> bool {
    model.vocabulary.is_none() && model.caches_known
}

/// Whether it removes noise in steps.
pub fn is_diffusion(model: &Model) -> bool {
    model.stacks.iter().any(|stack| stack.kind == StackKind::Denoiser)
}

/// What items come to; without a machine, their memory on an accelerator.
pub fn item_cost(model: &Model, work: &ItemWork, machine: Option<&Machine>, rules: &Rules) -> ItemCost {
    let speed = machine.and_then(|machine| speed(model, work, machine, rules));
    ItemCost { memory: item_memory(model, work, machine, rules), speed }
}

/// The memory alone: the larger of what runs one after another, the denoiser with its autoencoder, and text encoders that
/// are brought for a prompt and have the accelerator to themselves.
pub fn item_memory(model: &Model, work: &ItemWork, machine: Option<&Machine>, rules: &Rules) -> Memory {
    let encoders = if work.text == TextEncoders::Keep { Bytes::ZERO } else { encoder_bytes(model) };
    let brought = if work.text == TextEncoders::Offload { encoders } else { Bytes::ZERO };
    let rest = Bytes(model.weights_bytes().0.saturating_sub(encoders.0));
    let element = widest(model, work, rules) * work.batch * count::element(model);
    let live = rules.efficiencies.item("live_tensors").scaled(element);
    let on_cpu = machine.is_some_and(|machine| machine.slots.is_empty());
    let context = rules.efficiencies.training.get("default").0.context_bytes;
    let framework = if on_cpu { Bytes::ZERO } else { Bytes::from_f64(context) };
    let capacity = machine.and_then(|machine| {
        let smallest = machine.slots.iter().map(|slot| slot.accelerator.capacity.value).min();
        if on_cpu { machine.host.ram } else { smallest }
    });
    let at = |live: f64| (rest + Bytes::from_f64(live)).max(brought) + framework;
    let signed = |bytes: Bytes| i64::try_from(bytes.0).unwrap_or(i64::MAX);
    let mut memory = Memory::default();
    let one = &mut memory.per_accelerator;
    (one.weights_bytes, one.activations_bytes) = if rest + Bytes::from_f64(live.likely) >= brought {
        (rest, Bytes::from_f64(live.likely))
    } else {
        (brought, Bytes::ZERO)
    };
    one.framework_bytes = framework;
    one.total_bytes = at(live.likely);
    one.total_bytes_range = [at(live.low), at(live.high)];
    one.free_bytes = capacity.map(|all| signed(all).saturating_sub(signed(at(live.likely))));
    let count = machine.map_or(1, |machine| machine.accelerators().max(1));
    memory.total_bytes = at(live.likely) * u64::from(count);
    memory.host_ram_bytes = match brought {
        _ if on_cpu => Some(at(live.likely)),
        Bytes::ZERO => None,
        _ => Some(brought),
    };
    memory.disk_bytes = Some(model.weights_bytes());
    memory
}

/// Elements of the widest tensor of an item, as the stacks run one after another.
fn widest(model: &Model, work: &ItemWork, rules: &Rules) -> f64 {
    let most = rules.efficiencies.item("tile_px").likely;
    let tile = |extent: f64| if work.tiling { extent.min(most) } else { extent };
    let tiled = ItemWork { height: tile(work.height), width: tile(work.width), ..*work };
    let of = |stack: &Stack| {
        let runs = if stack.kind == StackKind::Denoiser { work.guides } else { 1.0 };
        let as_run = if stack.kind == StackKind::Autoencoder { &tiled } else { work };
        runs * count::positions(stack.over, as_run) * stack.hidden as f64
    };
    model.stacks.iter().map(of).fold(0.0, f64::max)
}

/// Bytes of the text encoders of a diffusion.
fn encoder_bytes(model: &Model) -> Bytes {
    let encoders = model.stacks.iter().filter(|stack| is_text_encoder(model, stack));
    encoders.flat_map(Stack::weights).map(|(weight, n)| weight.bytes() * n).sum()
}

fn is_text_encoder(model: &Model, stack: &Stack) -> bool {
    is_diffusion(model)
        && stack.kind == StackKind::Encoder
        && matches!(stack.over, Length::Prompt | Length::Tokens)
}

/// Seconds of a batch on each accelerator or the host's processors with how many there are, and what holds the slowest
/// back.
fn seconds(
    model: &Model,
    work: &ItemWork,
    machine: &Machine,
    rules: &Rules,
) -> Option<(Vec<(f64, f64)>, Bound)> {
    let rules = &rules.efficiencies;
    let (engine, _) = rules.engines.get(KEY);
    let alone = Parallel { tp: 1, pp: 1, dp: 1, ep: 1, cp: 1, replicas: 1, stages: None };
    let wires = Wires::of(machine, &alone, rules);
    let nodes = f64::from(machine.nodes.max(1));
    let devices: Vec<(Device, f64)> = if machine.slots.is_empty() {
        vec![(Device::processor(machine.host.processor.as_ref()?, rules, engine)?, nodes)]
    } else {
        let device = |slot: &Slot| {
            let device = Device::accelerator(&slot.accelerator, machine.power_limit_w, rules, engine)?;
            Some((device, nodes * f64::from(slot.count)))
        };
        machine.slots.iter().map(device).collect::<Option<_>>()?
    };
    let brought = if work.text == TextEncoders::Offload { encoder_bytes(model).as_f64() } else { 0.0 };
    let beside = brought / wires.host.unwrap_or(f64::INFINITY) + engine.step_s;
    let operations = count::operations(model, work, rules);
    let mut all = Vec::new();
    let mut slowest: Option<(f64, Bound)> = None;
    for (device, count) in &devices {
        let mut parts = [(0.0, Bound::Compute), (0.0, Bound::Memory), (0.0, Bound::Launch)];
        for counted in &operations {
            let one = of_operation(&counted.operation, device, &wires, rules)?;
            let times = counted.operation.repeat as f64 * counted.runs;
            for (sum, part) in parts.iter_mut().zip([one.compute, one.memory, one.launch]) {
                sum.0 += times * part;
            }
        }
        let time = parts.iter().map(|part| part.0).sum::<f64>() + beside;
        let (_, main) = parts.into_iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
        if slowest.is_none_or(|(most, _)| time > most) {
            slowest = Some((time, main));
        }
        all.push((time, *count));
    }
    Some((all, slowest?.1))
}

fn speed(model: &Model, work: &ItemWork, machine: &Machine, rules: &Rules) -> Option<Speed> {
    let (times, main) = seconds(model, work, machine, rules)?;
    let width = rules.efficiencies.width(KEY, "throughput", false);
    let slowest = times.iter().map(|(time, _)| *time).fold(0.0, f64::max);
    let item: Range = width.about(slowest);
    // Batches of all accelerators in the time of the slowest's one.
    let each = work.batch * times.iter().map(|(time, count)| count * slowest / time).sum::<f64>();
    let mut speed = Speed::none(Bounds { main, prefill: None, decode: None, step: None });
    speed.items_per_s = Some(item.inverted(each));
    speed.item_s = Some(item);
    speed.definitions = "a batch from its input to its end; each accelerator makes its own";
    Some(speed)
}
