//! What autograd keeps of a layer for the backward pass, in bytes for each token of a rank.
//!
//! A product keeps its input where its weight, or an adapter beside it, is trained; a norm and an activation function
//! keep their inputs; a gate keeps both factors; attention keeps queries, keys, values, its output and a statistic of
//! each head, and without flash attention the scores. With dropout left out this is `sbh (32 + 5 a s / h)` for a plain
//! transformer (Korthikanti et al. 2022 have 34 with dropout).

use maat_model::{Compute, Layer, Role, Shape, Split, Weight};

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

/// The layer's part of a job.
pub(super) struct Keeper<'a> {
    pub job: &'a TrainJob<'a>,
    pub shards: &'a Shards,
    pub hidden: f64,
    /// Bytes of an element.
    pub element: f64,
    /// Ranks that divide what stands between the products.
    pub sequence_ranks: f64,
}

impl<'a> Keeper<'a> {
    pub fn new(job: &'a TrainJob<'a>, shards: &'a Shards, hidden: u64) -> Self {
        let wide = matches!(job.plan.precision, TrainPrecision::Fp32 | TrainPrecision::Tf32);
        let tp = f64::from(job.plan.parallel.tp.max(1));
        Self {
            job,
            shards,
            hidden: hidden as f64,
            element: if wide { 4.0 } else { 2.0 },
            sequence_ranks: if job.plan.sequence_parallel { tp } else { 1.0 },
        }
    }

    /// Whether a product keeps its input.
    fn needs_input(&self, weight: &Weight) -> bool {
        self.job.work.adapters.as_ref().is_none_or(|adapters| adapters.targets.takes(weight))
    }

    pub fn layer(&self, layer: &Layer) -> Saved {
        let gated = layer.weights.iter().any(|weight| weight.role == Role::Gate);
        let mut all = self.norms(layer) + self.mixers(layer);
        let mut widest: f64 = 0.0;
        for weight in layer.weights.iter().filter(|weight| weight.active > 0) {
            all += self.weight(weight, gated);
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
        let norms = layer.weights.iter().filter(|weight| weight.role == Role::Norm);
        let bytes = |weight: &Weight| match weight.shape {
            // With a bias: a layer norm, which frameworks have as one kernel.
            Shape::Vector { length } if length as f64 >= 2.0 * self.hidden => self.hidden * self.element,
            Shape::Vector { length } if length as f64 >= self.hidden => self.hidden * copied,
            // Norms of heads stand between products that tensor parallelism divides.
            _ => 0.0,
        };
        norms.map(bytes).sum::<f64>() / self.sequence_ranks
    }

    /// Of products that read the same, one keeps it: the first of queries, keys and values, and of gate and up.
    fn weight(&self, weight: &Weight, gated: bool) -> f64 {
        let Shape::MatMul { inputs, outputs, .. } = weight.shape else { return 0.0 };
        let ranks = if weight.split == Split::Replicated { 1 } else { self.shards.ranks_of(weight) };
        let times = if is_routed(weight) { weight.active as f64 } else { 1.0 };
        let outputs = outputs as f64 / ranks as f64 * times * self.element;
        let divided = inputs as f64 / ranks as f64 * times * self.element;
        let whole = inputs as f64 / self.sequence_ranks * times * self.element;
        let needs = self.needs_input(weight);
        let kept = |bytes: f64| if needs { bytes } else { 0.0 };
        match weight.role {
            // Queries share their input with keys and values; attention's output is kept by attention.
            Role::Key | Role::Value | Role::Indexer | Role::Router | Role::Norm | Role::AttentionOut => 0.0,
            // The gate before and after its function; the other half; their product is the closing one's input.
            Role::Gate => kept(whole) + 2.0 * outputs,
            Role::Up if gated => outputs,
            Role::Up | Role::LatentUp => kept(whole) + outputs,
            Role::GateUp => kept(whole) + 1.5 * outputs,
            Role::Down | Role::StateOut => kept(divided),
            _ => kept(whole),
        }
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
                    let cached: f64 = mixer
                        .caches
                        .iter()
                        .take(1)
                        .map(|c| (c.heads * (c.key + c.value.max(c.key))) as f64)
                        .sum();
                    let keys =
                        if prefill_dims.is_some() { heads * (key + value) as f64 } else { cached / tp };
                    let own = heads * (key + value) as f64 + keys;
                    let scores = if self.job.plan.flash_attention || self.recomputes_scores() {
                        0.0
                    } else {
                        // Softmax's output, its dropout's mask and output: 5 bytes a pair in 16 bits.
                        2.5 * self.element * heads * sequence / cp
                    };
                    own * self.element + 4.0 * heads + scores
                }
                Compute::Cross { heads, head_dim, .. } => 4.0 * (heads * head_dim) as f64 / tp * self.element,
                // Scans keep their inputs and outputs, and states between chunks.
                Compute::Recurrence { .. } => 4.0 * self.hidden / tp * self.element,
            };
        }
        all
    }

    fn recomputes_scores(&self) -> bool {
        self.job.plan.recompute == Recompute::Selective && self.job.plan.framework == Framework::Megatron
    }
}
