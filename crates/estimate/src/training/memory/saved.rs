//! What autograd keeps of a layer for the backward pass, in bytes for each token of a rank.
//!
//! A product keeps its input where its weight, or an adapter beside it, is trained; a norm and an activation function
//! keep their inputs; a gate keeps both factors; attention keeps queries, keys, values, its output and a statistic of
//! each head, and without flash attention the scores. With dropout left out this is `sbh (32 + 5 a s / h)` for a plain
//! transformer (Korthikanti et al. 2022 have 34 with dropout).

use maat_model::{Compute, Layer, Mixer, Part, Role, Shape, Split, Weight};

use crate::memory::{Shards, is_routed};
use crate::training::{Framework, Recompute, TrainJob, TrainPrecision};

/// Bytes for each token of a micro-batch on a rank.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Saved {
    /// What is kept between the passes.
    pub kept: f64,
    /// The largest that stands beside it while the layer is at work.
    pub working: f64,
}

/// Whether products are computed in 8 bits or fewer.
pub(super) const fn is_narrow(precision: TrainPrecision) -> bool {
    matches!(precision, TrainPrecision::Fp8 | TrainPrecision::Mxfp8 | TrainPrecision::Nvfp4)
}

/// The layer's part of a job.
pub(super) struct Keeper<'a> {
    pub job: &'a TrainJob<'a>,
    pub shards: &'a Shards,
    pub hidden: f64,
    /// Bytes of an element.
    pub element: f64,
    /// Bytes of an element of what a product reads: Transformer Engine keeps it as it is computed with.
    pub input: f64,
    /// Tensors that a gate keeps beside the other half: its input, and its output where one kernel does not do both.
    pub gate: f64,
    /// Ranks that divide what stands between the products.
    pub sequence_ranks: f64,
}

impl<'a> Keeper<'a> {
    pub fn new(job: &'a TrainJob<'a>, shards: &'a Shards, hidden: u64) -> Self {
        let wide = matches!(job.plan.precision, TrainPrecision::Fp32 | TrainPrecision::Tf32);
        let tp = f64::from(job.plan.parallel.tp.max(1));
        let element = if wide { 4.0 } else { 2.0 };
        let megatron = job.plan.framework == Framework::Megatron;
        Self {
            job,
            shards,
            hidden: hidden as f64,
            element,
            input: if megatron && is_narrow(job.plan.precision) { 1.0 } else { element },
            gate: if megatron { 1.0 } else { 2.0 },
            sequence_ranks: if job.plan.sequence_parallel { tp } else { 1.0 },
        }
    }

    /// Whether a product keeps its input.
    fn needs_input(&self, weight: &Weight) -> bool {
        self.job.work.adapters.as_ref().is_none_or(|adapters| adapters.targets.takes(weight))
    }

    pub fn layer(&self, layer: &Layer) -> Saved {
        let mut all = self.norms(layer) + self.mixers(layer) + self.read_by_mixers(layer);
        let mut widest: f64 = 0.0;
        for weight in layer.weights.iter().filter(|weight| weight.active > 0) {
            all += self.weight(weight, layer);
            widest = widest.max(self.outputs(weight));
        }
        let input = self.hidden * self.element / self.sequence_ranks;
        let kept = match (self.job.plan.recompute, self.job.plan.framework) {
            (Recompute::Full, _) => input,
            // Every second product's output and that of attention (torchtitan's policy by operation).
            (Recompute::Selective, Framework::Torch | Framework::Deepspeed) => {
                (input + self.every_second(layer) + self.attention_out(layer)).min(all)
            }
            (Recompute::Selective, Framework::Megatron) | (Recompute::None, _) => all,
        };
        // Computed again, or the gradients of what is kept.
        let gradients = (self.hidden + 2.0 * widest) * self.element;
        // Where ranks divide the sequence, a product's input is gathered whole before it, and its gradient.
        let gathered = if self.sequence_ranks > 1.0 { 2.0 * self.hidden * self.element } else { 0.0 };
        Saved { kept, working: (all - kept).max(0.0) + gradients + gathered }
    }

    /// A norm's input, and once more where it is not fused: the copy in FP32 that the library computes in.
    fn norms(&self, layer: &Layer) -> f64 {
        let plain = self.job.plan.framework != Framework::Megatron && !self.job.plan.compiled;
        let copied = self.element + if plain && self.element < 4.0 { 4.0 } else { 0.0 };
        let norms =
            layer.weights.iter().filter(|weight| weight.role == Role::Norm && weight.part == Part::Norm);
        let mut heads = self.heads(layer).into_iter().peekable();
        let bytes = |weight: &Weight| match weight.shape {
            // With a bias: a layer norm, which frameworks have as one kernel.
            Shape::Vector { length } if length as f64 >= 2.0 * self.hidden => {
                self.hidden * self.element / self.sequence_ranks
            }
            Shape::Vector { length } if length as f64 >= self.hidden => {
                self.hidden * copied / self.sequence_ranks
            }
            // Of each head of the queries, then of the keys; else of a latent, which every rank has whole.
            Shape::Vector { length } => {
                let heads = heads.next_if(|(width, _)| *width == length).map_or(1.0, |(_, heads)| heads);
                heads * length as f64 * copied
            }
            _ => 0.0,
        };
        norms.map(bytes).sum()
    }

    /// Width and number on this rank of the heads of queries, then of keys.
    fn heads(&self, layer: &Layer) -> Vec<(u64, f64)> {
        let tp = self.shards.tp as f64;
        let of = |mixer: &Mixer| match mixer.compute {
            Compute::Attention { heads, key_dim, prefill_dims: None, .. } => {
                let keys = mixer.caches.first().map_or(heads, |cache| cache.heads);
                [(key_dim, heads as f64 / tp), (key_dim, (keys as f64 / tp).max(1.0))].to_vec()
            }
            _ => Vec::new(),
        };
        layer.mixers.iter().flat_map(of).collect()
    }

    /// What the projections into attention and recurrence read: one tensor, that of queries, keys and values; cross
    /// attention's queries read another.
    fn read_by_mixers(&self, layer: &Layer) -> f64 {
        let into = [Role::Query, Role::Key, Role::Value, Role::Qkv, Role::LatentDown, Role::StateIn];
        let widths = layer.weights.iter().filter_map(|weight| match weight.shape {
            Shape::MatMul { inputs, .. } if into.contains(&weight.role) && self.needs_input(weight) => {
                Some(inputs)
            }
            _ => None,
        });
        let crosses =
            layer.mixers.iter().filter(|mixer| matches!(mixer.compute, Compute::Cross { .. })).count();
        let mut widths: Vec<u64> = widths.collect();
        widths.sort_unstable_by(|a, b| b.cmp(a));
        widths.truncate(1 + crosses);
        widths.iter().sum::<u64>() as f64 * self.input / self.sequence_ranks
    }

    fn weight(&self, weight: &Weight, layer: &Layer) -> f64 {
        let Shape::MatMul { inputs, outputs, .. } = weight.shape else { return 0.0 };
        let ranks = if weight.split == Split::Replicated { 1 } else { self.shards.ranks_of(weight) };
        let times = if is_routed(weight) { weight.active as f64 } else { 1.0 };
        let outputs = outputs as f64 / ranks as f64 * times * self.element;
        let divided = inputs as f64 / ranks as f64 * times * self.input;
        let whole = inputs as f64 / self.sequence_ranks * times * self.input;
        let kept = |bytes: f64, needs: bool| if needs { bytes } else { 0.0 };
        let needs = self.needs_input(weight);
        let beside = |role| layer.weights.iter().find(|w| w.role == role && w.part == weight.part);
        match weight.role {
            // Counted with the mixers: what they read, and attention's output.
            Role::Query
            | Role::Key
            | Role::Value
            | Role::Qkv
            | Role::LatentDown
            | Role::StateIn
            | Role::Indexer
            | Role::Router
            | Role::Norm
            | Role::AttentionOut => 0.0,
            // The gate before and, where no kernel does both, after its function; the other half; their product is the
            // closing one's input.
            Role::Gate => {
                let needs = needs || beside(Role::Up).is_some_and(|up| self.needs_input(up));
                kept(whole, needs) + self.gate * outputs
            }
            Role::Up if beside(Role::Gate).is_some() => outputs,
            Role::Up => kept(whole, needs) + outputs,
            Role::GateUp => kept(whole, needs) + f64::midpoint(1.0, self.gate) * outputs,
            Role::Down if is_routed(weight) => kept(divided, needs) + self.weighted(outputs),
            Role::Down | Role::StateOut => kept(divided, needs),
            // What comes from a latent is the queries, keys and values that attention keeps.
            _ => kept(whole, needs),
        }
    }

    /// Outputs of experts, kept where the router that weighs them is trained; Megatron weighs their inputs.
    fn weighted(&self, outputs: f64) -> f64 {
        let frozen = self.job.work.adapters.is_some() || self.job.plan.framework == Framework::Megatron;
        if frozen { 0.0 } else { outputs }
    }

    fn outputs(&self, weight: &Weight) -> f64 {
        let Shape::MatMul { outputs, .. } = weight.shape else { return 0.0 };
        let ranks = if weight.split == Split::Replicated { 1 } else { self.shards.ranks_of(weight) };
        let times = if is_routed(weight) { weight.active as f64 } else { 1.0 };
        outputs as f64 / ranks as f64 * times
    }

    fn every_second(&self, layer: &Layer) -> f64 {
        let products =
            layer.weights.iter().filter(|w| matches!(w.shape, Shape::MatMul { .. }) && w.active > 0);
        products.enumerate().filter(|(i, _)| i % 2 == 1).map(|(_, w)| self.outputs(w) * self.element).sum()
    }

    fn attention_out(&self, layer: &Layer) -> f64 {
        let out = layer.weights.iter().filter(|weight| weight.role == Role::AttentionOut);
        out.map(|weight| weight.rows_cols().1 as f64 / self.shards.tp as f64 * self.element).sum()
    }

    fn mixers(&self, layer: &Layer) -> f64 {
        let cp = f64::from(self.job.plan.parallel.cp.max(1));
        let sequence = self.job.work.sequence as f64;
        let tp = self.shards.tp as f64;
        let mut all = 0.0;
        for mixer in &layer.mixers {
            all += match mixer.compute {
                Compute::Attention { heads, key_dim, value_dim, prefill_dims, .. } => {
                    let (key, value) = prefill_dims.unwrap_or((key_dim, value_dim));
                    let heads = heads as f64 / tp;
                    // Keys and values of the heads that the rank has: at least one.
                    let grouped = mixer.caches.first().filter(|_| prefill_dims.is_none());
                    let own_keys = grouped.map_or(heads, |cache| (cache.heads as f64 / tp).max(1.0));
                    let own = (heads + own_keys) * (key + value) as f64;
                    let scores = if self.job.plan.flash_attention || self.recomputes_scores() {
                        0.0
                    } else {
                        // Softmax's output, its dropout's mask and output: 5 bytes a pair in 16 bits.
                        2.5 * self.element * heads * sequence / cp
                    };
                    own * self.element + 4.0 * heads + scores
                }
                Compute::Cross { heads, head_dim, .. } => 4.0 * (heads * head_dim) as f64 / tp * self.element,
                Compute::Recurrence { .. } => recurrent(layer) / tp * self.element,
            };
        }
        all
    }

    fn recomputes_scores(&self) -> bool {
        self.job.plan.recompute == Recompute::Selective && self.job.plan.framework == Framework::Megatron
    }
}

/// Elements that a recurrence keeps: what is projected into it, what its convolution makes of that, and its output
/// before the gate or norm (Dao and Gu 2024; Yang et al. 2024). States between chunks are computed again.
fn recurrent(layer: &Layer) -> f64 {
    let elements = |weight: &Weight| match (weight.role, weight.shape) {
        (Role::StateIn, Shape::MatMul { outputs, .. }) | (_, Shape::Conv { outputs, .. }) => outputs,
        (Role::StateOut, Shape::MatMul { inputs, .. }) => inputs,
        _ => 0,
    };
    let recurrences = layer.mixers.iter().filter(|m| matches!(m.compute, Compute::Recurrence { .. })).count();
    layer.weights.iter().map(elements).sum::<u64>() as f64 / recurrences.max(1) as f64
}
