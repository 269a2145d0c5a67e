//! What one rank computes for one micro-batch, all layers of all stages together.

use maat_model::{Compute, Indexer, Mixer, Part};

use super::rates::Rates;
use crate::operation::{Block, Product, Profile};
use crate::training::{Framework, Recompute, TrainJob, TrainPrecision};

/// Seconds of arithmetic and of moving bytes, and kernels that are launched.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work {
    pub products: f64,
    pub experts: f64,
    pub attention: f64,
    pub elementwise: f64,
    pub loss: f64,
    pub kernels: f64,
    /// Layers with experts.
    pub routed_layers: f64,
    /// Operations of a forward pass and its backward pass, without what is computed again, on all ranks that share the
    /// micro-batch.
    pub model_flops: f64,
}

impl Work {
    /// Seconds of the accelerator.
    pub fn busy(&self) -> f64 {
        self.products + self.experts + self.attention + self.elementwise + self.loss
    }
}

/// How often each kind of work is done for one forward pass' worth of it.
#[derive(Clone, Copy, Debug)]
struct Times {
    /// Products: forward, gradient of the input, gradient of the weights where they are trained, computed again.
    product: f64,
    attention: f64,
    elementwise: f64,
}

impl Times {
    fn of(job: &TrainJob) -> Self {
        // PyTorch's selective policy keeps every second product and attention; Megatron's computes attention again.
        let (product, attention, elementwise) = match (job.plan.recompute, job.plan.framework) {
            (Recompute::None, _) => (0.0, 0.0, 0.0),
            (Recompute::Selective, Framework::Megatron) => (0.0, 1.0, 0.0),
            (Recompute::Selective, _) => (0.5, 0.0, 1.0),
            (Recompute::Full, _) => (1.0, 1.0, 1.0),
        };
        let trained = if job.work.adapters.is_some() { 0.0 } else { 1.0 };
        // Backward attention is five products against two forward where scores are not kept (Dao 2023), else four.
        let backward = if job.plan.flash_attention { 2.5 } else { 2.0 };
        Self {
            product: 2.0 + trained + product,
            attention: 1.0 + backward + attention,
            elementwise: 3.0 + elementwise,
        }
    }
}

/// Bytes that a pair of tokens moves where attention holds the whole score matrix: FP32 scores written, read and
/// written by the softmax, and read.
const SCORE_BYTES: f64 = 16.0;

/// One rank's work for a micro-batch.
pub(super) struct Walk<'a> {
    pub job: &'a TrainJob<'a>,
    pub profile: &'a Profile,
    pub rates: &'a Rates<'a>,
    /// Sequences of a micro-batch, and tokens of each that this rank has.
    pub sequences: f64,
    pub tokens: f64,
    pub tp: f64,
    pub cp: f64,
    pub ep: f64,
}

impl Walk<'_> {
    pub fn work(&self) -> Work {
        let times = Times::of(self.job);
        let mut work = Work::default();
        for block in &self.profile.blocks {
            self.block(block, times, &mut work);
        }
        self.adapters(&mut work);
        work
    }

    /// Tokens of all the micro-batch's sequences on this rank.
    fn rows(&self) -> f64 {
        self.sequences * self.tokens
    }

    fn block(&self, block: &Block, times: Times, work: &mut Work) {
        let repeat = block.repeat as f64;
        for product in &block.products {
            self.product(product, repeat, times, work);
        }
        for mixer in &block.mixers {
            self.mixer(mixer, repeat, times, work);
        }
        let bytes = self.elementwise_bytes(block) * self.rates.framework.elementwise_factor;
        work.elementwise += repeat * times.elementwise * bytes / self.rates.bandwidth;
        let kernels = f64::from(block.norms + block.activations) + block.products.len() as f64;
        work.kernels += repeat * times.product * (kernels + 4.0 * block.mixers.len() as f64);
        if block.routed.is_some() {
            work.routed_layers += repeat;
        }
    }

    fn product(&self, product: &Product, repeat: f64, times: Times, work: &mut Work) {
        let routed = product.copies > product.active && product.part == Part::RoutedExperts;
        let rows = self.rows();
        let flops = 2.0 * rows * product.elements() * product.active.max(1.0);
        let trained = if self.job.work.adapters.is_some() { 2.0 } else { 3.0 };
        work.model_flops += repeat * trained * flops * self.cp;
        let rate = if product.part == Part::Router { self.rates.wide } else { self.rates.product };
        if routed {
            // Every rank has as many tokens for its experts as it sent, where the router balances them.
            let (n, k) = product.on_rank(if self.ep > 1.0 { 1.0 } else { self.tp });
            let experts = (product.copies / self.ep).max(1.0);
            let sent = if self.ep > 1.0 { rows / self.tp } else { rows };
            let m = sent * product.active / experts;
            let seconds = experts * self.rates.product_s([m, n, k], rate * self.rates.framework.expert_share);
            work.experts += repeat * times.product * (seconds + self.expanding(experts * n * k));
            return;
        }
        let (n, k) = product.on_rank(self.tp);
        let copies = product.active.max(1.0);
        if product.last_token {
            // The head is computed in 16 bits, and its loss reads and writes the logits; nothing of it is kept for later.
            let seconds = self.rates.product_s([rows, n, k], self.rates.wide);
            work.products += repeat * trained * seconds;
            work.loss += repeat * rows * n * self.rates.framework.logit_bytes / self.rates.bandwidth;
            return;
        }
        let seconds = copies * self.rates.product_s([rows, n, k], rate);
        work.products += repeat * times.product * (seconds + self.expanding(copies * n * k));
    }

    /// Seconds to bring a frozen, packed base to 16 bits for one product.
    fn expanding(&self, weights: f64) -> f64 {
        let packed =
            self.job.work.adapters.is_some() && self.job.model.precision != self.job.model.dtype.name;
        let effort = self.job.rules.efficiencies.arithmetic_of(&self.job.model.precision, 4.0);
        let effort = self.job.rules.efficiencies.arithmetic.get(effort).map_or(1.0, |row| row.effort);
        if packed && self.rates.expand > 0.0 { weights * effort / self.rates.expand } else { 0.0 }
    }

    fn mixer(&self, mixer: &Mixer, repeat: f64, times: Times, work: &mut Work) {
        let length = self.tokens * self.cp;
        let (flops, scores) = match mixer.compute {
            Compute::Attention { heads, key_dim, value_dim, window, causal, indexer, prefill_dims } => {
                let (key, value) = prefill_dims.unwrap_or((key_dim, value_dim));
                let selected = indexer.map(|indexer| indexer.top_k as f64);
                let most = [window.map(|w| w as f64), selected].into_iter().flatten().fold(length, f64::min);
                let pairs = if causal { most * (length - most) + most * most / 2.0 } else { length * most };
                let mut flops = 2.0 * (heads * (key + value)) as f64 * pairs;
                if let Some(Indexer { heads, dim, .. }) = indexer {
                    flops += (heads * dim) as f64 * length * length;
                }
                (flops, heads as f64 * pairs)
            }
            Compute::Cross { heads, head_dim, .. } => {
                (4.0 * (heads * head_dim) as f64 * length * length, heads as f64 * length * length)
            }
            Compute::Recurrence { flops_per_token } => (flops_per_token as f64 * length, 0.0),
        };
        let share = self.sequences / (self.tp * self.cp);
        work.model_flops += repeat * 3.0 * flops * self.sequences;
        let mut seconds = flops * share / self.rates.attention;
        if !self.job.plan.flash_attention {
            seconds += scores * share * SCORE_BYTES / self.rates.bandwidth;
        }
        work.attention += repeat * times.attention * seconds;
    }

    /// Bytes that a forward pass moves between products: a norm reads its input and the residual and writes both; an
    /// activation function reads and writes; routing copies tokens to their experts and back.
    fn elementwise_bytes(&self, block: &Block) -> f64 {
        let element = if matches!(self.job.plan.precision, TrainPrecision::Fp32 | TrainPrecision::Tf32) {
            4.0
        } else {
            2.0
        };
        let rows = self.rows();
        let split = if self.job.plan.sequence_parallel { self.tp } else { 1.0 };
        let norms = if block.norms > 0 { 4.0 * block.norm_width / split } else { 0.0 };
        let activations = block.activation_width / self.tp;
        let routed = block.routed.map_or(0.0, |routed| 4.0 * routed.active * block.hidden / self.tp);
        let outputs: f64 = block
            .products
            .iter()
            .filter(|product| product.part != Part::Head)
            .map(|product| product.on_rank(self.tp).0 * product.active.max(1.0))
            .sum();
        rows * element * (norms + activations + routed + outputs + 2.0 * block.table_width)
    }

    /// Adapters: two small products beside each target, forward and backward, that read the input again and add to the
    /// output.
    fn adapters(&self, work: &mut Work) {
        let Some(adapters) = &self.job.work.adapters else { return };
        let rank = adapters.rank as f64;
        for stack in self.job.model.stacks.iter().filter(|stack| runs(stack.kind)) {
            for (layer, count) in stack.kinds() {
                for weight in layer.weights.iter().filter(|weight| adapters.targets.takes(weight)) {
                    let (outputs, inputs) = weight.rows_cols();
                    let width =
                        (outputs + inputs) as f64 * weight.active.max(1) as f64 * count as f64 / self.tp;
                    let flops = 2.0 * self.rows() * rank * width;
                    work.model_flops += 3.0 * flops * self.cp * self.tp;
                    let again = f64::from(u8::from(self.job.plan.recompute != Recompute::None));
                    let bytes = 2.0 * self.rows() * width;
                    work.elementwise += (3.0 + again) * bytes / self.rates.bandwidth;
                    work.kernels += (3.0 + again) * 3.0 * count as f64;
                }
            }
        }
    }
}

/// Whether a text batch runs a stack.
fn runs(kind: maat_model::StackKind) -> bool {
    matches!(kind, maat_model::StackKind::Decoder | maat_model::StackKind::Encoder)
}
