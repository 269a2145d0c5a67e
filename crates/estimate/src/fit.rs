//! Whether a job fits, by the engine's own rules, and if not what stops it first.

use maat_base::{Bytes, Text};
use maat_catalogue::Machine;
use maat_model::{Compute, Model, Shape, Split, Weight};

use crate::memory::{Rank, is_routed};
use crate::{Engine, Job, Limit, LimitPart, Memory, Parallel, Settings, Support};

/// What stops the job from fitting first; `None` when it fits, or when there is no machine to fit.
///
/// The order is: a part that is only announced, the engine on the part, the precision on the part, the division, the
/// accelerators' memory, the pool for one sequence of the context, the pool for all users, host memory (where known).
/// `memory` is that of the same job.
pub fn fit(job: &Job, memory: &Memory) -> Option<Limit> {
    let machine = job.machine?;
    part_limit(job, machine)
        .or_else(|| packed_limit(job))
        .or_else(|| division_limit(job.model, machine, &job.plan.parallel))
        .or_else(|| tensor_limit(job))
        .or_else(|| memory.ranks.iter().find_map(|rank| card_limit(rank, machine)))
        .or_else(|| memory.ranks.iter().find_map(one_sequence_limit))
        .or_else(|| sequences_limit(job))
        .or_else(|| memory.ranks.iter().find_map(|rank| users_limit(job, rank)))
        .or_else(|| memory.ranks.iter().find_map(|rank| total_limit(rank, machine)))
        .or_else(|| host_limit(machine, memory))
        .or_else(|| disk_limit(machine, memory))
}

fn part_limit(job: &Job, machine: &Machine) -> Option<Limit> {
    let serve = &job.plan.serve;
    let version = serve.version.as_deref();
    let engines = &job.rules.engines;
    let parts = machine.slots.iter().map(|slot| Some(&*slot.accelerator));
    let parts: Vec<_> = if machine.slots.is_empty() { vec![None] } else { parts.collect() };
    let name = |part: Option<&maat_catalogue::Accelerator>| match (part, &machine.host.processor) {
        (Some(part), _) => part.name.clone(),
        (None, Some(processor)) => processor.name.clone(),
        (None, None) => machine.name.clone(),
    };
    parts.into_iter().find_map(|part| {
        if part.is_some_and(|part| part.announced) {
            let text = Text::new("limit-announced").with("part", name(part));
            return Some(without_size(LimitPart::Accelerator, text));
        }
        if !engines.supports_part(serve.engine, version, part) {
            let text = Text::new("limit-engine").with("engine", serve.engine.name()).with("part", name(part));
            return Some(without_size(LimitPart::Engine, text));
        }
        let refused = |id, precision: &str| {
            let text = Text::new(id)
                .with("engine", serve.engine.name())
                .with("precision", precision)
                .with("part", name(part));
            without_size(LimitPart::Precision, text)
        };
        let precision = &job.plan.precision;
        if engines.format_support(serve.engine, version, part, precision) == Support::No {
            return Some(refused("limit-precision", precision));
        }
        let kept = [&serve.kv_precision.keys, &serve.kv_precision.values];
        let other =
            kept.into_iter().find(|kept| !engines.supports_cache(serve.engine, version, part, &kept.name));
        other.map(|kept| refused("limit-cache-precision", &kept.name))
    })
}

/// llama.cpp packs values only where flash attention reads them.
fn packed_limit(job: &Job) -> Option<Limit> {
    let serve = &job.plan.serve;
    let values = &serve.kv_precision.values;
    let packed = serve.engine == Engine::Llamacpp && values.block_elements > 1 && !serve.flash_attention;
    let text = || Text::new("limit-cache-flash").with("precision", values.name.as_str());
    packed.then(|| without_size(LimitPart::Precision, text()))
}

/// A division that the machine or the model does not have.
pub(crate) fn division_limit(model: &Model, machine: &Machine, parallel: &Parallel) -> Option<Limit> {
    let limit = |text| Some(without_size(LimitPart::Parallel, text));
    let ranks = [parallel.tp, parallel.pp, parallel.dp, parallel.cp, parallel.replicas];
    let needed = ranks.into_iter().map(|n| u64::from(n.max(1))).fold(1, u64::saturating_mul);
    let devices = u64::from(machine.accelerators().max(1));
    if needed > devices {
        return limit(Text::new("limit-devices").with("needed", needed).with("devices", devices));
    }
    if let Some(text) = nodes_text(model, machine, parallel) {
        return limit(text);
    }
    let layers = model.decoder().map_or(1, |stack| stack.order.len() as u64);
    let planned = parallel.stages.as_ref().is_some_and(|stages| {
        stages.len() as u64 != u64::from(parallel.pp.max(1))
            || stages.iter().fold(0, |sum: u64, &n| sum.saturating_add(n)) != layers
    });
    if u64::from(parallel.pp) > layers || planned {
        return limit(Text::new("limit-stages").with("pp", parallel.pp).with("layers", layers));
    }
    let experts = weights(model).filter(|weight| weight.copies > 1).map(|weight| weight.copies).max();
    if parallel.ep > 1 && u64::from(parallel.ep) > experts.unwrap_or(1) {
        return limit(
            Text::new("limit-experts").with("ep", parallel.ep).with("experts", experts.unwrap_or(0)),
        );
    }
    None
}

/// A part that cannot be had yet.
pub(crate) fn announced_limit(machine: &Machine) -> Option<Limit> {
    let part = machine.slots.iter().map(|slot| &slot.accelerator).find(|part| part.announced)?;
    Some(without_size(LimitPart::Accelerator, Text::new("limit-announced").with("part", part.name.as_str())))
}

/// Heads that tensor parallelism does not divide.
pub(crate) fn heads_limit(model: &Model, tp: u64) -> Option<Limit> {
    let mixers = model.stacks.iter().flat_map(|stack| &stack.layers).flat_map(|layer| &layer.mixers);
    let heads = mixers.filter_map(|mixer| match (mixer.compute, &mixer.state) {
        (Compute::Attention { heads, .. } | Compute::Cross { heads, .. }, _) => Some(heads),
        (Compute::Recurrence { .. }, state) => state.as_ref().map(|state| state.heads),
    });
    let heads = heads.filter(|heads| !heads.is_multiple_of(tp.max(1))).max()?;
    let text = Text::new("limit-heads").with("tp", tp).with("heads", heads);
    Some(without_size(LimitPart::Parallel, text))
}

/// Copies that span nodes which no network joins.
fn nodes_text(model: &Model, machine: &Machine, parallel: &Parallel) -> Option<Text> {
    // Ranks of data parallelism share the experts of a layer; without experts each is a copy of its own.
    let joined = if weights(model).any(is_routed) { parallel.dp } else { 1 };
    let copy = [parallel.tp, parallel.pp, parallel.cp, joined].into_iter().map(|n| u64::from(n.max(1)));
    let copy = copy.fold(1, u64::saturating_mul);
    let all = [parallel.tp, parallel.pp, parallel.cp, parallel.dp, parallel.replicas];
    let all = all.into_iter().map(|n| u64::from(n.max(1))).fold(1, u64::saturating_mul);
    let devices = u64::from(machine.per_node().max(1));
    let whole = (devices / copy).saturating_mul(u64::from(machine.nodes.max(1)));
    let spans = machine.nodes > 1 && machine.network.is_none() && all / copy > whole;
    let text = || Text::new("limit-nodes").with("needed", copy).with("devices", devices);
    spans.then(text)
}

/// Tensor parallelism must divide heads; engines with fused kernels also demand it of the matrices' widths and of the
/// blocks that share a scale.
fn tensor_limit(job: &Job) -> Option<Limit> {
    let tp = u64::from(job.plan.parallel.tp.max(1));
    if tp == 1 || matches!(job.plan.serve.engine, Engine::Llamacpp | Engine::Transformers | Engine::Diffusers)
    {
        return None;
    }
    if let Some(limit) = heads_limit(job.model, tp) {
        return Some(limit);
    }
    let shards = crate::memory::Shards::of(job, &Settings::new(job));
    let uneven = weights(job.model)
        .find(|weight| !shards.pads(weight) && divides_unevenly(weight, shards.ranks_of(weight)))?;
    let text = Text::new("limit-width").with("tp", tp).with("weight", &*uneven.name);
    Some(without_size(LimitPart::Parallel, text))
}

fn weights(model: &Model) -> impl Iterator<Item = &Weight> {
    model.stacks.iter().flat_map(|stack| &stack.layers).flat_map(|layer| &layer.weights)
}

/// vLLM and SGLang stop with "is not divisible by weight quantization block_k" and "block_n" (`validate_fp8_block_shape`
/// in vllm/model_executor/layers/quantization/utils/fp8_utils.py and sglang/srt/layers/quantization/fp8_utils.py); vLLM
/// with "The input size is not aligned with the quantized weight shape" for AWQ and GPTQ.
fn divides_unevenly(weight: &Weight, tp: u64) -> bool {
    let Shape::MatMul { .. } = weight.shape else { return false };
    let (rows, cols) = weight.rows_cols();
    let whole_blocks =
        |n: u64, block: u64| n.is_multiple_of(tp) && (block <= 1 || (n / tp).is_multiple_of(block));
    match weight.split {
        Split::Column => !rows.is_multiple_of(tp),
        Split::Row => {
            let block = weight.encoding.scales.iter().map(|scale| scale.cols).max().unwrap_or(1);
            // A whole row with one scale has no block to cut.
            !whole_blocks(cols, if block >= cols { 1 } else { block.max(weight.encoding.block_elements) })
        }
        _ => false,
    }
}

/// Weights and what the engine must hold besides fill what it may take.
fn card_limit(rank: &Rank, machine: &Machine) -> Option<Limit> {
    match (rank.reserved, rank.capacity) {
        (Some(reserved), Some(_)) if rank.fixed > reserved => {
            let text = sized("limit-fixed", rank.fixed, reserved).with("weights", rank.weights);
            Some(with_size(LimitPart::Accelerator, rank.fixed, reserved, text))
        }
        (None, Some(_)) => total_limit(rank, machine),
        _ => None,
    }
}

/// The total is more than the accelerator has.
fn total_limit(rank: &Rank, machine: &Machine) -> Option<Limit> {
    let capacity = rank.capacity?;
    let total = rank.total();
    if total <= capacity {
        return None;
    }
    let id = if rank.weights > capacity { "limit-weights" } else { "limit-total" };
    let need = if rank.weights > capacity { rank.weights } else { total };
    let place = if machine.slots.is_empty() { "host" } else { "card" };
    let text = sized(id, need, capacity).with("place", place);
    Some(with_size(LimitPart::Accelerator, need, capacity, text))
}

fn one_sequence_limit(rank: &Rank) -> Option<Limit> {
    let pool = rank.pool_bytes()?;
    let need = rank.one_sequence;
    let text = || sized("limit-kv-one-sequence", need, pool);
    (need > pool).then(|| with_size(LimitPart::KvPoolOneSequence, need, pool, text()))
}

/// More users than the engine may run at once.
fn sequences_limit(job: &Job) -> Option<Limit> {
    let serve = &job.plan.serve;
    let reserves = matches!(serve.engine, Engine::Vllm | Engine::Sglang | Engine::Trtllm);
    let most = serve.max_num_seqs.filter(|_| reserves)?;
    let users = crate::memory::users_of_rank(job);
    let text = || Text::new("limit-sequences").with("users", users).with("most", most);
    (users > most).then(|| without_size(LimitPart::KvPoolUsers, text()))
}

fn users_limit(job: &Job, rank: &Rank) -> Option<Limit> {
    let pool = rank.pool_bytes()?;
    let need = rank.users;
    let users = crate::memory::users_of_rank(job);
    let text = || sized("limit-kv-users", need, pool).with("users", users);
    (need > pool).then(|| with_size(LimitPart::KvPoolUsers, need, pool, text()))
}

fn host_limit(machine: &Machine, memory: &Memory) -> Option<Limit> {
    let (need, have) = (memory.host_ram_bytes?, machine.host.ram?);
    (need > have).then(|| with_size(LimitPart::HostRam, need, have, sized("limit-host", need, have)))
}

/// The model's files beside each other on the disks, where their room is known.
fn disk_limit(machine: &Machine, memory: &Memory) -> Option<Limit> {
    let (need, have) = (memory.disk_bytes?, machine.host.disk?);
    (need > have).then(|| with_size(LimitPart::Disk, need, have, sized("limit-disk", need, have)))
}

fn sized(id: &'static str, need: Bytes, have: Bytes) -> Text {
    Text::new(id).with("need", need).with("have", have).with("short", need - have)
}

fn with_size(part: LimitPart, need: Bytes, have: Bytes, text: Text) -> Limit {
    Limit { part, need_bytes: Some(need), have_bytes: Some(have), short_bytes: Some(need - have), text }
}

fn without_size(part: LimitPart, text: Text) -> Limit {
    Limit { part, need_bytes: None, have_bytes: None, short_bytes: None, text }
}
