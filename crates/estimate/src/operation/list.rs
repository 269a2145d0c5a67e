//! The list of operations of a pass on one accelerator.

use maat_base::Bytes;
use maat_model::{Cache, Compute, Indexer, Mixer, Part, State};

use super::profile::{Block, Product, Profile, Routed};
use super::{Collective, Kernel, Operation, Pass, Phase};
use crate::rules::{Efficiencies, Expands};
use crate::{Parallel, ServePlan};

/// What one accelerator holds of a model.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shards {
    tp: f64,
    dp: f64,
    pp: f64,
    /// Ranks that the experts are divided over, whole.
    ep: f64,
    /// Ranks that each expert is divided over.
    expert_tp: f64,
    /// Bytes of an element of cached keys and values.
    key: f64,
    value: f64,
    /// Bytes that a pair of tokens moves where attention holds the whole score matrix: FP32 scores written, read and
    /// written by the softmax, and read.
    score: f64,
}

impl Shards {
    /// Of a plan. Where attention is data-parallel, experts are divided over all its ranks.
    pub fn of(parallel: &Parallel, serve: &ServePlan) -> Self {
        let kv = &serve.kv_precision;
        let [tp, dp, pp, ep] =
            [parallel.tp, parallel.dp, parallel.pp, parallel.ep].map(|ranks| f64::from(ranks.max(1)));
        Self {
            tp,
            dp,
            pp,
            ep,
            expert_tp: if ep > 1.0 { (tp * dp / ep).max(1.0) } else { tp },
            key: kv.keys.bits_per_element() / 8.0,
            value: kv.values.bits_per_element() / 8.0,
            score: if serve.flash_attention { 0.0 } else { 16.0 },
        }
    }
}

impl Profile {
    /// What one accelerator does in a pass of one replica, all stages of a pipeline together.
    pub fn operations(
        &self,
        pass: Pass,
        parallel: &Parallel,
        serve: &ServePlan,
        rules: &Efficiencies,
    ) -> Vec<Operation> {
        self.list(pass, Shards::of(parallel, serve), rules)
    }

    pub(crate) fn list(&self, pass: Pass, shards: Shards, rules: &Efficiencies) -> Vec<Operation> {
        let mut operations = Vec::with_capacity(self.blocks.len() * 12);
        for block in &self.blocks {
            if block.encoder && pass.phase == Phase::Decode {
                continue;
            }
            let starts = self.has_encoder && !block.encoder && pass.phase == Phase::Prefill;
            let pass = if starts { Pass { tokens: 1.0, past: 0.0, ..pass } } else { pass };
            Lister { profile: self, block, pass, shards, rules, operations: &mut operations }.block();
        }
        if shards.pp > 1.0 {
            let tokens = (pass.sequences / shards.dp).max(1.0) * pass.tokens;
            operations.push(Operation {
                kernel: Kernel::Collective { kind: Collective::SendReceive, ranks: 2 },
                part: Part::Other,
                repeat: shards.pp as u64 - 1,
                kernels: rules.kernels.collective,
                flops: 0.0,
                bytes: Bytes::from_f64(tokens * self.hidden * self.activation),
                weights: 0.0,
                arithmetic: None,
            });
        }
        operations
    }
}

struct Lister<'a> {
    profile: &'a Profile,
    block: &'a Block,
    pass: Pass,
    shards: Shards,
    rules: &'a Efficiencies,
    operations: &'a mut Vec<Operation>,
}

impl Lister<'_> {
    fn block(mut self) {
        for product in &self.block.products {
            self.product(product);
        }
        for mixer in &self.block.mixers {
            self.mixer(mixer);
        }
        self.elementwise();
        if let Some(routed) = self.block.routed {
            self.dispatch(routed);
        }
        self.collectives();
    }

    /// Sequences of one data-parallel rank.
    fn sequences(&self) -> f64 {
        (self.pass.sequences / self.shards.dp).max(1.0)
    }

    /// New tokens of one data-parallel rank.
    fn tokens(&self) -> f64 {
        self.sequences() * self.pass.tokens
    }

    fn push(&mut self, kernel: Kernel, part: Part, kernels: u32, flops: f64, bytes: f64) {
        self.operations.push(Operation {
            kernel,
            part,
            repeat: self.block.repeat,
            kernels,
            flops,
            bytes: Bytes::from_f64(bytes),
            weights: 0.0,
            arithmetic: None,
        });
    }

    fn product(&mut self, product: &Product) {
        let routed = product.copies > product.active && product.part == Part::RoutedExperts;
        let (kernel, flops, bytes, weights) =
            if routed { self.experts(product) } else { self.dense(product) };
        let arithmetic = self.rules.arithmetic.get(usize::from(product.arithmetic));
        let narrow = arithmetic.is_some_and(|row| row.expands == Expands::Narrow);
        let kernels = self.rules.kernels.product + if narrow { self.rules.kernels.quantise } else { 0 };
        self.push(kernel, product.part, kernels, flops, bytes);
        if let Some(last) = self.operations.last_mut() {
            last.weights = weights;
            last.arithmetic = Some(product.arithmetic);
        }
    }

    fn dense(&self, product: &Product) -> (Kernel, f64, f64, f64) {
        let (n, k) = product.on_rank(self.shards.tp);
        let copies = product.active.max(1.0);
        let m = if product.last_token { self.sequences() } else { self.tokens() };
        let weights = n * k * copies;
        let activations = m * (n * copies + k) * self.profile.activation;
        (
            Kernel::MatMul { m, n: n * copies, k },
            2.0 * m * weights,
            weights * product.element + activations,
            weights,
        )
    }

    /// Of `E` experts that each token chooses `k` of at random, `T` tokens visit `E (1 - (1 - k/E)^T)`; tokens of a
    /// batch choose alike, as `T^spread` at random would. Of several
    /// ranks the fullest counts: its load lies `sqrt(2 ln ranks)` deviations above the mean.
    fn experts(&self, product: &Product) -> (Kernel, f64, f64, f64) {
        let (n, k) = product.on_rank(self.shards.expert_tp);
        let tokens = self.pass.sequences.max(1.0) * self.pass.tokens;
        let independent = tokens.powf(self.rules.routing.get("default").0.spread);
        let missed = (independent * (-product.active / product.copies).ln_1p()).exp();
        let touched = product.copies * (1.0 - missed) / self.shards.ep;
        let mean = tokens * product.active / self.shards.ep;
        let fullest = mean * (1.0 + (2.0 * self.shards.ep.ln() / mean).sqrt()).min(self.shards.ep);
        let touched = (touched * (fullest / mean).min(2.0)).min(product.copies / self.shards.ep).min(fullest);
        let weights = touched * n * k;
        let activations = fullest * (n + k) * self.profile.activation;
        let kernel = Kernel::Experts { touched, m: fullest, n, k };
        (kernel, 2.0 * fullest * n * k, weights * product.element + activations, weights)
    }

    fn mixer(&mut self, mixer: &Mixer) {
        match mixer.compute {
            Compute::Attention { .. } => self.attention(mixer),
            Compute::Cross { heads, head_dim, .. } => {
                let length = self.cross_length(mixer);
                let heads = (heads as f64 / self.shards.tp).max(1.0);
                let flops = 4.0 * self.tokens() * heads * head_dim as f64 * length;
                let bytes =
                    self.sequences() * mixer.caches.iter().map(|c| self.cache_bytes(c, length)).sum::<f64>();
                self.push(
                    Kernel::Attention,
                    Part::Attention,
                    self.rules.kernels.cross_attention,
                    flops,
                    bytes,
                );
            }
            Compute::Recurrence { flops_per_token } => {
                let flops = self.tokens() * flops_per_token as f64 / self.shards.tp;
                let state = mixer.state.as_ref().map_or(0.0, |state| self.state_bytes(state));
                let bytes = 2.0 * self.sequences() * state;
                self.push(Kernel::Scan, Part::StateSpace, self.rules.kernels.recurrence, flops, bytes);
            }
        }
    }

    fn attention(&mut self, mixer: &Mixer) {
        let Compute::Attention { heads, key_dim, value_dim, window, causal, indexer, prefill_dims } =
            mixer.compute
        else {
            return;
        };
        let heads = (heads as f64 / self.shards.tp).max(1.0);
        let prefill = self.pass.phase == Phase::Prefill;
        let (key, value) = prefill_dims.filter(|_| prefill).unwrap_or((key_dim, value_dim));
        let selected = indexer.map(|indexer| indexer.top_k as f64);
        let most = [window.map(|w| w as f64), selected].into_iter().flatten().fold(f64::INFINITY, f64::min);
        let pairs = self.pairs(most, causal);
        let mut flops = 2.0 * self.sequences() * heads * (key + value) as f64 * pairs;
        let seen = self.pass.past + self.pass.tokens;
        let read = self.reads(mixer, most.min(seen), seen);
        let io = self.tokens() * heads * 2.0 * (key + value) as f64 * self.profile.activation
            + self.sequences() * heads * pairs * self.shards.score;
        let mut kernels = if prefill_dims.is_some() {
            self.rules.kernels.latent_attention
        } else {
            self.rules.kernels.attention
        };
        if let Some(Indexer { heads, dim, .. }) = indexer {
            flops += 2.0 * self.sequences() * (heads * dim) as f64 * self.pairs(f64::INFINITY, causal);
            kernels += self.rules.kernels.indexer;
        }
        self.push(Kernel::Attention, Part::Attention, kernels, flops, self.sequences() * read + io);
    }

    /// Pairs of a new token and one it looks at, of one sequence: token `i` of `n` sees `min(most, past + i)`, or all
    /// where attention is not causal.
    fn pairs(&self, most: f64, causal: bool) -> f64 {
        let (new, past) = (self.pass.tokens, self.pass.past);
        if !causal {
            return new * (past + new).min(most);
        }
        let rising = (most - past).clamp(0.0, new);
        rising * (past + f64::midpoint(rising, 1.0)) + (new - rising) * most.min(past + new)
    }

    /// Bytes of the caches that one sequence reads: of the first what is looked at, of an indexer's all.
    fn reads(&self, mixer: &Mixer, looked_at: f64, seen: f64) -> f64 {
        let bytes =
            |(i, cache): (usize, &Cache)| self.cache_bytes(cache, if i == 0 { looked_at } else { seen });
        mixer.caches.iter().enumerate().map(bytes).sum()
    }

    fn cache_bytes(&self, cache: &Cache, tokens: f64) -> f64 {
        let heads = (cache.heads as f64 / self.shards.tp).max(1.0);
        let kept =
            cache.window.map_or(tokens, |window| tokens.min(window as f64)) / cache.every.max(1) as f64;
        let fixed = cache.encoding.as_ref().map(|encoding| encoding.bits_per_element() / 8.0);
        let (key, value) = (fixed.unwrap_or(self.shards.key), fixed.unwrap_or(self.shards.value));
        kept * heads * (cache.key as f64 * key + cache.value as f64 * value)
    }

    fn cross_length(&self, mixer: &Mixer) -> f64 {
        use maat_model::Length;
        match mixer.compute {
            Compute::Cross { over: Length::Fixed(length) | Length::PerItem(length), .. } => length as f64,
            _ => self.pass.past + self.pass.tokens,
        }
    }

    fn state_bytes(&self, state: &State) -> f64 {
        let element = state.encoding.as_ref().map_or(self.profile.activation, |e| e.bits_per_element() / 8.0);
        let share = self.shards.tp.min(state.heads.max(1) as f64);
        (state.elements as f64 * element + state.conv as f64 * self.profile.activation) / share
    }

    /// A norm reads its input and the residual and writes both; an activation function reads its input and writes.
    fn elementwise(&mut self) {
        let rows =
            if self.block.around && self.block.table_width == 0.0 { self.sequences() } else { self.tokens() };
        let block = self.block;
        let activation = self.profile.activation;
        if block.norms > 0 {
            let bytes = 4.0 * rows * block.norm_width * activation;
            self.push(Kernel::Elementwise, Part::Norm, block.norms * self.rules.kernels.norm, 0.0, bytes);
        }
        if block.activations > 0 {
            let bytes = rows * block.activation_width * activation / self.shards.tp;
            let kernels = block.activations * self.rules.kernels.activation;
            self.push(Kernel::Elementwise, Part::Mlp, kernels, 0.0, bytes);
        }
        if block.table_width > 0.0 {
            let bytes = 2.0 * rows * block.table_width * activation;
            self.push(Kernel::Gather, Part::Embedding, self.rules.kernels.gather, 0.0, bytes);
        }
    }

    fn dispatch(&mut self, routed: Routed) {
        let bytes = 4.0 * self.tokens() * routed.active * self.block.hidden * self.profile.activation;
        self.push(Kernel::Dispatch, Part::Router, self.rules.kernels.dispatch, 0.0, bytes / self.shards.ep);
        if self.shards.ep > 1.0 && self.shards.dp > 1.0 {
            // There and back: each token goes to at most as many ranks as it has experts.
            let ranks = self.shards.ep.min(routed.active);
            let bytes = 2.0 * self.tokens() * ranks * self.block.hidden * self.profile.activation;
            self.collective(Collective::AllToAll, self.shards.ep, 2, bytes / 2.0);
        }
    }

    fn collectives(&mut self) {
        let block = self.block;
        if self.shards.tp <= 1.0 {
            return;
        }
        let hidden = self.tokens() * block.hidden * self.profile.activation;
        for _ in 0..block.reduces {
            self.collective(Collective::AllReduce, self.shards.tp, 1, hidden);
        }
        if block.table_width > 0.0 {
            self.collective(Collective::AllReduce, self.shards.tp, 1, hidden);
        }
        let logits: f64 = block.products.iter().filter(|p| p.last_token).map(|p| p.divided).sum();
        if logits > 0.0 {
            let bytes = self.sequences() * logits * self.profile.activation;
            self.collective(Collective::AllGather, self.shards.tp, 1, bytes);
        }
    }

    fn collective(&mut self, kind: Collective, ranks: f64, times: u64, bytes: f64) {
        let kernel = Kernel::Collective { kind, ranks: ranks as u32 };
        self.push(kernel, Part::Other, self.rules.kernels.collective, 0.0, bytes);
        if let Some(last) = self.operations.last_mut() {
            last.repeat *= times;
        }
    }
}
