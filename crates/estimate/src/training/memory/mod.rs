//! What training needs of each accelerator: states, activations, logits and what stands beside them.

mod models;
mod saved;
mod states;

use maat_base::{Bytes, Text};
use maat_model::{Length, Stack, StackKind};

use crate::fit::{announced_limit, division_limit, heads_limit};
use crate::memory::{Shards, Stage, difference, even_stages, kind_counts, main_stack, stages_of};
use crate::rules::TrainingEfficiency;
use crate::training::speed::key;
use crate::training::{Framework, Offload, TrainJob, TrainPrecision};
use crate::{AcceleratorMemory, Engine, Limit, LimitPart, Memory, Support};
pub use models::sequences_of_item;
use saved::{Keeper, Saved};
use states::{Held, States, bytes, in_flight};

/// Whether a model learns to write or fill in tokens: what is here of training holds for these.
pub fn trains_tokens(model: &maat_model::Model) -> bool {
    main_stack(model).is_some_and(|stack| stack.over == Length::Tokens) && model.vocabulary.is_some()
}

/// What a training job needs of every memory: the fullest stage's rank, and the host.
///
/// Weights, gradients and states are exact for the policy; activations follow from what autograd keeps of each layer;
/// logits, buffers and the framework's own have likely figures with a range.
pub fn training_memory(job: &TrainJob) -> Memory {
    let Some(main) = main_stack(job.model) else { return Memory::default() };
    let layers = main.order.len() as u64;
    let pp = u64::from(job.plan.parallel.pp.max(1)).min(layers.max(1));
    let stages = if pp == 1 {
        vec![Stage { counts: kind_counts(main), first: true, last: true }]
    } else {
        stages_of(main, &even_stages(layers, pp))
    };
    let shards = Shards::of_training(&job.plan.parallel);
    let ranks: Vec<(AcceleratorMemory, f64)> =
        stages.iter().zip(0..).map(|(stage, index)| rank(job, main, stage, index, &shards)).collect();
    let parallel = &job.plan.parallel;
    let of_stage = [parallel.tp, parallel.dp, parallel.cp].map(|n| u64::from(n.max(1)));
    let of_stage = of_stage.into_iter().fold(1, u64::saturating_mul);
    let offloaded: f64 = ranks.iter().map(|(_, host)| host * of_stage as f64).sum();
    let total = ranks.iter().map(|(rank, _)| rank.total_bytes).sum::<Bytes>() * of_stage;
    let fullest = ranks.iter().max_by_key(|(rank, _)| rank.total_bytes);
    Memory {
        per_accelerator: fullest.map(|(rank, _)| rank.clone()).unwrap_or_default(),
        total_bytes: total,
        host_ram_bytes: Some(host_bytes(job, offloaded)),
        disk_bytes: Some(checkpoint_bytes(job)),
        ..Memory::default()
    }
}

fn efficiency<'a>(job: &TrainJob<'a>) -> &'a TrainingEfficiency {
    job.rules.efficiencies.training.get(key(job.plan.framework, job.plan.compiled)).0
}

/// One rank of a stage, and what it keeps in host memory.
fn rank(
    job: &TrainJob,
    main: &Stack,
    stage: &Stage,
    index: u64,
    shards: &Shards,
) -> (AcceleratorMemory, f64) {
    let framework = efficiency(job);
    let held = Held::of(job, main, stage, shards);
    let states = States::of(job, &held);
    let tokens = tokens_of_rank(job);
    let layers = Layers::of(job, main, (stage, index), shards);
    let working = layers.working;
    let logits = if stage.last { logits_bytes(job, shards, tokens, framework) } else { 0.0 };
    let gathered = if job.plan.sequence_parallel { 4.0 * tokens * main.hidden as f64 } else { 0.0 };
    let loss = if logits > 0.0 { logits + gathered } else { 0.0 };
    let activations = layers.kept + working.max(loss);
    let freed = freed_for_gradients(job, &held, &states, activations);
    let activations = activations - freed;
    let extra = models::extra(job, &states, activations);
    let exact = states.weights + states.gradients + states.optimizer + states.adapters + extra.exact();
    let loose = activations + states.buffers;
    let alone = [job.plan.parallel.tp, job.plan.parallel.dp, job.plan.parallel.pp, job.plan.parallel.cp]
        .iter()
        .all(|&n| n <= 1);
    let collectives = if alone { 0.0 } else { framework.collective_bytes };
    let context = framework.context_bytes + collectives;
    let waste = |share: f64| loose * share;
    let likely = bytes(waste(framework.waste_likely)) + bytes(context);
    let capacity = job.machine.and_then(capacity);
    let memory = AcceleratorMemory {
        weights_bytes: bytes(states.weights),
        gradients_bytes: bytes(states.gradients),
        optimizer_bytes: bytes(states.optimizer),
        adapters_bytes: bytes(states.adapters),
        reference_bytes: bytes(extra.frozen),
        kv_cache_bytes: bytes(extra.rollout),
        activations_bytes: bytes(activations),
        logits_bytes: Some(bytes(if loss >= working { logits.min(activations) } else { 0.0 })),
        workspace_bytes: bytes(states.buffers),
        framework_bytes: likely,
        total_bytes_range: [
            bytes(exact + 0.85 * loose + framework.context_bytes),
            bytes(exact + freed + states.upcast + loose * (1.0 + framework.waste_high) + 1.5 * context),
        ],
        ..AcceleratorMemory::default()
    };
    (summed(memory, capacity), states.host + layers.host)
}

/// What the layers of a stage keep between the passes, the most that stands beside it, and what is kept in host memory.
struct Layers {
    kept: f64,
    working: f64,
    host: f64,
}

impl Layers {
    fn of(job: &TrainJob, main: &Stack, (stage, index): (&Stage, u64), shards: &Shards) -> Self {
        let (tokens, keeper) = (tokens_of_rank(job), Keeper::new(job, shards, main.hidden));
        let mut layers = Self { kept: 0.0, working: 0.0, host: 0.0 };
        let mut two: f64 = 0.0;
        for (layer, &count) in main.layers.iter().zip(&stage.counts).filter(|(_, count)| **count > 0) {
            let Saved { kept, working } = keeper.layer(layer);
            layers.kept += kept * count as f64 * tokens * in_flight(job, index);
            layers.working = layers.working.max(working * tokens);
            two = two.max(2.0 * kept * tokens);
        }
        if stage.first {
            layers.kept += other_stacks(job, main, shards);
        }
        if job.plan.offload_activations {
            // One layer's on their way out or back, and one's at work.
            layers.host = (layers.kept - two).max(0.0);
            layers.kept -= layers.host;
        }
        layers
    }
}

/// What of the activations makes room for gradients. PyTorch makes a gradient when its layer's backward pass has run and
/// the layer's activations are gone, so that with one micro-batch a step the two are never held together, but for the
/// gradients of the head and the last layer. DeepSpeed and Megatron hold room for all from the start, and so does
/// accumulation.
fn freed_for_gradients(job: &TrainJob, held: &Held, states: &States, activations: f64) -> f64 {
    let plan = job.plan;
    let later = plan.framework == Framework::Torch
        && job.work.adapters.is_none()
        && plan.micro_batches(job.work) == 1
        && plan.parallel.pp <= 1;
    if !later {
        return 0.0;
    }
    let share = (held.layer + held.around) / (held.dense.all + held.experts.all).max(1.0);
    (states.gradients * (1.0 - share.min(1.0))).min(activations * (1.0 - share.min(1.0)))
}

/// With the total of all parts, and what is free.
fn summed(mut memory: AcceleratorMemory, capacity: Option<Bytes>) -> AcceleratorMemory {
    let parts = [
        memory.weights_bytes,
        memory.kv_cache_bytes,
        memory.state_bytes,
        memory.activations_bytes,
        memory.gradients_bytes,
        memory.optimizer_bytes,
        memory.adapters_bytes,
        memory.reference_bytes,
        memory.workspace_bytes,
        memory.framework_bytes,
    ];
    memory.total_bytes = parts.into_iter().sum();
    memory.free_bytes = capacity.map(|capacity| difference(capacity, memory.total_bytes));
    let [low, high] = memory.total_bytes_range;
    memory.total_bytes_range = [low.min(memory.total_bytes), high.max(memory.total_bytes)];
    memory
}

/// Bytes of the smallest accelerator.
fn capacity(machine: &maat_catalogue::Machine) -> Option<Bytes> {
    let least = machine.slots.iter().map(|slot| slot.accelerator.capacity.value).min();
    least.or(machine.host.ram)
}

/// Tokens of a micro-batch on a rank: both answers of a pair where preferences are learned.
fn tokens_of_rank(job: &TrainJob) -> f64 {
    let sequences = job.plan.micro_batch.max(1) as f64 * models::sequences_of_item(job.work.task);
    sequences * job.work.sequence as f64 / f64::from(job.plan.parallel.cp.max(1))
}

/// What encoders and towers keep; a frozen tower keeps nothing.
fn other_stacks(job: &TrainJob, main: &Stack, shards: &Shards) -> f64 {
    let runs = |stack: &&Stack| {
        !std::ptr::eq(*stack, main)
            && (stack.kind == StackKind::Encoder
                || stack.kind == StackKind::Tower && job.work.task == crate::Task::Pretrain)
    };
    let all = job.model.stacks.iter().filter(runs).map(|stack| {
        let keeper = Keeper::new(job, shards, stack.hidden);
        let tokens = match stack.over {
            Length::Fixed(n) | Length::PerItem(n) => job.plan.micro_batch as f64 * n as f64,
            Length::Pixels { pixels, .. } | Length::PixelsAndPrompt { pixels, .. } => {
                job.plan.micro_batch as f64 * (1_u64 << 20) as f64 / pixels.max(1) as f64
            }
            Length::Tokens | Length::Prompt => tokens_of_rank(job),
        };
        stack.kinds().map(|(layer, count)| keeper.layer(layer).kept * count as f64 * tokens).sum::<f64>()
    });
    all.sum()
}

/// The logits of all tokens with what the loss makes of them.
fn logits_bytes(job: &TrainJob, shards: &Shards, tokens: f64, framework: &TrainingEfficiency) -> f64 {
    let Some(vocabulary) = job.model.vocabulary else { return 0.0 };
    let mut each = framework.kept_logit_bytes;
    for (narrower, bytes) in [
        (job.plan.compiled_loss, framework.compiled_logit_bytes),
        (job.plan.chunked_loss, framework.chunked_logit_bytes),
    ] {
        each = if narrower { each.min(bytes) } else { each };
    }
    tokens * vocabulary as f64 / shards.tp as f64 * each
}

/// Host memory of a node: a process for each accelerator, the weights while they are read, and what is offloaded with
/// the pinned buffers of its copies.
fn host_bytes(job: &TrainJob, offloaded: f64) -> Bytes {
    let framework = efficiency(job);
    let cards = job.machine.map_or(1, |machine| machine.per_node().max(1));
    let nodes = job.machine.map_or(1, |machine| machine.nodes.max(1));
    let stored: Bytes = job.model.weights().map(|(weight, n)| weight.bytes() * n).sum();
    let offloaded = offloaded / f64::from(nodes)
        * if job.plan.offload > Offload::None { framework.pinned_factor } else { 1.0 };
    let processes = framework.host_process_bytes * f64::from(cards);
    // Weights are read before states are made.
    bytes(processes + offloaded.max(stored.as_f64()))
}

/// A checkpoint from which training goes on: weights, and master weights with moments; of adapters only theirs.
fn checkpoint_bytes(job: &TrainJob) -> Bytes {
    let whole = crate::Parallel { tp: 1, pp: 1, dp: 1, ep: 1, cp: 1, replicas: 1, stages: None };
    let plan = crate::TrainPlan { parallel: whole, zero: 0, offload: Offload::None, ..job.plan.clone() };
    let one = TrainJob { plan: &plan, ..*job };
    let Some(main) = main_stack(job.model) else { return Bytes::ZERO };
    let stage = Stage { counts: kind_counts(main), first: true, last: true };
    let held = Held::of(&one, main, &stage, &Shards::of_training(&plan.parallel));
    let states = States::of(&one, &held);
    let weights = if job.work.adapters.is_some() { 0.0 } else { states.weights };
    bytes(weights + states.optimizer + states.host + states.adapters)
}

/// What stops a training job on its machine first: a part that is only announced, numbers that its units do not have,
/// the division, the accelerators' memory, the host's where it is known.
pub fn training_fit(job: &TrainJob, memory: &Memory) -> Option<Limit> {
    let machine = job.machine?;
    let parallel = &job.plan.parallel;
    announced_limit(machine)
        .or_else(|| number_limit(job, machine))
        .or_else(|| base_limit(job, machine))
        .or_else(|| division_limit(job.model, machine, parallel))
        .or_else(|| batch_limit(job))
        .or_else(|| heads_limit(job.model, u64::from(parallel.tp.max(1))))
        .or_else(|| room_limit(machine, memory))
}

/// Numbers that a part's units do not compute in; narrow ones must be known to be there.
fn number_limit(job: &TrainJob, machine: &maat_catalogue::Machine) -> Option<Limit> {
    use maat_catalogue::NumberType;
    let (number, narrow) = match job.plan.precision {
        TrainPrecision::Fp8 | TrainPrecision::Mxfp8 => (NumberType::Fp8, true),
        TrainPrecision::Nvfp4 => (NumberType::Fp4, true),
        TrainPrecision::Bf16 | TrainPrecision::PureBf16 => (NumberType::Bf16, false),
        _ => return None,
    };
    let lacks = |slot: &&maat_catalogue::Slot| match slot.accelerator.supports(number) {
        Some(there) => !there,
        None => narrow,
    };
    let part = machine.slots.iter().find(lacks)?;
    let text = Text::new("limit-train-precision")
        .with("precision", job.plan.precision.name())
        .with("part", part.accelerator.name.as_str());
    Some(Limit { part: LimitPart::Precision, need_bytes: None, have_bytes: None, short_bytes: None, text })
}

/// A packed base that no library unpacks on a part.
fn base_limit(job: &TrainJob, machine: &maat_catalogue::Machine) -> Option<Limit> {
    let base = &job.plan.base_precision;
    let refuses = |slot: &&maat_catalogue::Slot| {
        let part = Some(&*slot.accelerator);
        let engines = &job.rules.engines;
        !engines.supports_part(Engine::Transformers, None, part)
            || engines.format_support(Engine::Transformers, None, part, base) == Support::No
    };
    let part = machine.slots.iter().find(refuses)?;
    let text = Text::new("limit-train-precision")
        .with("precision", base.as_str())
        .with("part", part.accelerator.name.as_str());
    Some(Limit { part: LimitPart::Precision, need_bytes: None, have_bytes: None, short_bytes: None, text })
}

/// A step of fewer sequences than the data-parallel ranks take at once.
fn batch_limit(job: &TrainJob) -> Option<Limit> {
    let at_once = job.plan.micro_batch.max(1).saturating_mul(u64::from(job.plan.parallel.dp.max(1)));
    let batch = job.work.global_batch.filter(|batch| *batch < at_once)?;
    let text = Text::new("limit-batch").with("batch", batch).with("least", at_once);
    Some(Limit { part: LimitPart::Parallel, need_bytes: None, have_bytes: None, short_bytes: None, text })
}

fn room_limit(machine: &maat_catalogue::Machine, memory: &Memory) -> Option<Limit> {
    let limit = |part, need: Bytes, have: Bytes, id: &'static str| {
        let text = Text::new(id).with("need", need).with("have", have).with("short", need - have);
        Limit { part, need_bytes: Some(need), have_bytes: Some(have), short_bytes: Some(need - have), text }
    };
    let need = memory.per_accelerator.total_bytes;
    if let Some(have) = capacity(machine).filter(|have| need > *have) {
        return Some(limit(LimitPart::Accelerator, need, have, "limit-train-memory"));
    }
    let (need, have) = (memory.host_ram_bytes?, machine.host.ram?);
    (need > have).then(|| limit(LimitPart::HostRam, need, have, "limit-host"))
}
