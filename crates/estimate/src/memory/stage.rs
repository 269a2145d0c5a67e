//! Stages of layers: which layers lie where, and what they weigh.

use maat_base::Bytes;
use maat_model::{Layer, Model, Role, Shape, Split, Stack, StackKind, Storage, Weight};

use super::weights::{Shards, is_routed};
use crate::Job;

/// The stack that is divided into stages: the decoder, else the first.
pub(crate) fn main_stack(model: &Model) -> Option<&Stack> {
    model.decoder().or_else(|| model.stacks.first())
}

/// How often each kind of layer occurs.
pub(crate) fn kind_counts(stack: &Stack) -> Vec<u64> {
    counts_in(stack, 0, stack.order.len())
}

/// How often each kind of layer occurs among the layers `from..to`.
pub(crate) fn counts_in(stack: &Stack, from: usize, to: usize) -> Vec<u64> {
    let mut counts = vec![0; stack.layers.len()];
    for &kind in stack.order.get(from..to).unwrap_or_default() {
        if let Some(count) = counts.get_mut(usize::from(kind)) {
            *count += 1;
        }
    }
    counts
}

/// Sequences that one rank serves at once.
pub(crate) fn users_of_rank(job: &Job) -> u64 {
    let parallel = &job.plan.parallel;
    let groups = u64::from(parallel.replicas.max(1)).saturating_mul(u64::from(parallel.dp.max(1)));
    job.work.users.div_ceil(groups)
}

/// A stage: the layers of each kind, and what stands around them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stage {
    /// Layers of each kind.
    pub counts: Vec<u64>,
    /// Embeddings and everything that runs before the first layer.
    pub first: bool,
    /// Head and everything after the last layer.
    pub last: bool,
}

/// Divides `layers` over `pp` stages as vLLM does: what is left over goes one by one to the stages before the last,
/// backwards (`get_pp_indices` in vllm/distributed/utils.py).
pub(crate) fn even_stages(layers: u64, pp: u64) -> Vec<u64> {
    let mut stages = vec![layers / pp; pp as usize];
    let spare = (layers % pp) as usize;
    for stage in stages.iter_mut().rev().skip(1).take(spare) {
        *stage += 1;
    }
    stages
}

/// The stages of a job's plan. A division that the model does not have still gives as many stages as the plan says.
pub(crate) fn stages(job: &Job, stack: &Stack) -> Vec<Stage> {
    let layers = stack.order.len() as u64;
    let pp = u64::from(job.plan.parallel.pp.max(1)).min(layers.max(1));
    if pp == 1 {
        return vec![Stage { counts: kind_counts(stack), first: true, last: true }];
    }
    let lengths = job.plan.parallel.stages.clone().unwrap_or_else(|| even_stages(layers, pp));
    stages_of(stack, &lengths)
}

/// Stages of given lengths.
pub(crate) fn stages_of(stack: &Stack, lengths: &[u64]) -> Vec<Stage> {
    let mut from = 0usize;
    let last = lengths.len().saturating_sub(1);
    let mut stage = |(index, &length): (usize, &u64)| {
        let to = from.saturating_add(usize::try_from(length).unwrap_or(usize::MAX)).min(stack.order.len());
        let counts = counts_in(stack, from, to);
        from = to;
        Stage { counts, first: index == 0, last: index == last }
    };
    lengths.iter().enumerate().map(&mut stage).collect()
}

/// Bytes of a layer's weights on a rank, apart for those that expert offload moves.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LayerWeights {
    /// All but routed experts.
    pub dense: Bytes,
    /// Routed experts.
    pub routed: Bytes,
}

impl LayerWeights {
    pub(crate) fn of(layer: &Layer, shards: &Shards) -> Self {
        let mut sum = Self::default();
        for weight in layer.weights.iter().filter(|weight| owns(weight)) {
            let bytes = shards.bytes(weight);
            if is_routed(weight) { sum.routed += bytes } else { sum.dense += bytes }
        }
        sum
    }

    pub(crate) fn all(self) -> Bytes {
        self.dense + self.routed
    }
}

/// Whether a weight has its own storage.
pub(crate) fn owns(weight: &Weight) -> bool {
    !matches!(weight.storage, Storage::Shared(_))
}

/// Bytes of the weights before the first layer, and of all stacks that run before the main one.
pub(crate) fn before_bytes(job: &Job, stack: &Stack, shards: &Shards) -> Bytes {
    own_before(stack, shards) + other_stacks(job, stack, shards)
}

/// Bytes of the weights before the first layer of a stack.
pub(crate) fn own_before(stack: &Stack, shards: &Shards) -> Bytes {
    stack.before.iter().filter(|weight| owns(weight)).map(|weight| shards.bytes(weight)).sum()
}

/// Bytes of encoders and towers.
pub(crate) fn other_stacks(job: &Job, main: &Stack, shards: &Shards) -> Bytes {
    let others =
        job.model.stacks.iter().filter(|stack| stack.kind != StackKind::Mtp && !std::ptr::eq(*stack, main));
    let weights = others.flat_map(Stack::weights).filter(|(weight, _)| owns(weight));
    weights.map(|(weight, n)| shards.bytes(weight) * n).sum()
}

/// Bytes of the weights after the last layer. A tied head counts where the embedding lies elsewhere (`apart`).
pub(crate) fn after_bytes(stack: &Stack, shards: &Shards, apart: bool) -> Bytes {
    stack.after.iter().filter(|weight| owns(weight) || apart).map(|weight| shards.bytes(weight)).sum()
}

/// Elements for each token that a layer's widest part holds at once besides copies of the hidden state: outputs of the
/// projections and inputs of the closing one, on a rank.
pub(crate) fn layer_width(layer: &Layer, shards: &Shards, hidden: u64) -> u64 {
    let (mut attention, mut dense, mut wide, mut narrow, mut chosen) = (0u64, 0u64, 0u64, 0u64, 0u64);
    for weight in &layer.weights {
        let Shape::MatMul { inputs, outputs, .. } = weight.shape else { continue };
        let ranks = if weight.split == Split::Replicated { 1 } else { shards.ranks_of(weight) };
        let routed = is_routed(weight);
        let times = if routed { weight.active } else { 1 };
        let [inputs, outputs] = [inputs, outputs].map(|n| n.div_ceil(ranks).saturating_mul(times));
        let (sum, width) = match weight.role {
            Role::Gate | Role::Up | Role::GateUp if routed => (&mut wide, outputs),
            Role::Down if routed => (&mut narrow, inputs),
            Role::Gate | Role::Up | Role::GateUp => (&mut dense, outputs),
            Role::Down => (&mut dense, inputs),
            Role::Query | Role::Key | Role::Value | Role::Qkv | Role::LatentUp | Role::StateIn => {
                (&mut attention, outputs)
            }
            Role::AttentionOut | Role::StateOut => (&mut attention, inputs),
            _ => continue,
        };
        *sum = sum.saturating_add(width);
        if routed {
            chosen = chosen.max(weight.active);
        }
    }
    let routed = wide.max(chosen.saturating_mul(hidden)).saturating_add(narrow);
    attention.max(dense.saturating_add(if chosen > 0 { routed } else { 0 }))
}
