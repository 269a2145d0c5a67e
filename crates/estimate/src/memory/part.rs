//! What every engine's placement is made from.

use maat_base::Bytes;
use maat_model::{Layer, Stack};

use super::cache::{CacheRule, Reach, element_bits};
use super::machine::Cards;
use super::rank::Spread;
use super::stage::{self, LayerWeights, Stage};
use super::weights::Shards;
use crate::{Job, Setting, Settings};

/// A job with its model's main stack and the weights of each kind of layer on a rank.
pub(crate) struct Part<'a> {
    pub job: &'a Job<'a>,
    pub settings: &'a Settings<'a>,
    pub cards: &'a Cards<'a>,
    pub shards: Shards,
    pub rule: CacheRule<'a>,
    pub stack: &'a Stack,
    pub layers: Vec<LayerWeights>,
}

impl<'a> Part<'a> {
    /// `None` for a model without stacks.
    pub(crate) fn new(job: &'a Job<'a>, settings: &'a Settings<'a>, cards: &'a Cards<'a>) -> Option<Self> {
        let stack = stage::main_stack(job.model)?;
        let shards = Shards::of(job, settings);
        let layers = stack.layers.iter().map(|layer| LayerWeights::of(layer, &shards)).collect();
        Some(Self { job, settings, cards, shards, rule: CacheRule::of_rank(job, settings), stack, layers })
    }

    /// The kinds of layer in a stage with how often they occur there.
    pub(crate) fn kinds(&self, counts: &'a [u64]) -> impl Iterator<Item = (&'a Layer, u64)> {
        self.stack.layers.iter().zip(counts).map(|(layer, &n)| (layer, n)).filter(|&(_, n)| n > 0)
    }

    /// Weights of a stage.
    pub(crate) fn weights(&self, stage: &Stage) -> Bytes {
        let layers = self.layers.iter().zip(&stage.counts).map(|(layer, &n)| layer.all() * n).sum::<Bytes>();
        let before = if stage.first { self.before() } else { Bytes::ZERO };
        let after =
            if stage.last { stage::after_bytes(self.stack, &self.shards, !stage.first) } else { Bytes::ZERO };
        before + layers + after
    }

    /// Weights before the first layer.
    pub(crate) fn before(&self) -> Bytes {
        stage::before_bytes(self.job, self.stack, &self.shards)
    }

    /// Cache and state of one sequence; nothing where the mixers are not known.
    pub(crate) fn sequence(&self, counts: &'a [u64], tokens: u64, slack: u64) -> (Bytes, Bytes) {
        if !self.job.model.caches_known {
            return (Bytes::ZERO, Bytes::ZERO);
        }
        let reach = Reach { tokens, input: self.job.work.input, slack };
        let kv = self.kinds(counts).map(|(layer, n)| self.rule.layer_cache(layer, reach) * n).sum();
        let state = self.kinds(counts).map(|(layer, n)| self.rule.layer_state(layer) * n).sum();
        (kv, state)
    }

    /// Elements for each token that the widest layer of a stage holds besides copies of the hidden state.
    pub(crate) fn width(&self, counts: &'a [u64]) -> u64 {
        let widths =
            self.kinds(counts).map(|(layer, _)| stage::layer_width(layer, &self.shards, self.stack.hidden));
        widths.max().unwrap_or(0)
    }

    /// Bytes of an element of the activations.
    pub(crate) fn element(&self) -> f64 {
        element_bits(&self.job.model.dtype).max(8).div_ceil(8) as f64
    }

    /// The widest layer of a stage at so many tokens.
    pub(crate) fn layer_peak(&self, counts: &'a [u64], tokens: u64) -> Spread {
        let width = self.width(counts) as f64;
        let rows = tokens as f64 * self.element();
        self.hidden_copies(Setting::LayerCopies).map(|states| Bytes::from_f64(rows * (states + width)))
    }

    /// The head at so many tokens, of which `rows` give logits.
    pub(crate) fn head_peak(&self, tokens: u64, rows: u64) -> Spread {
        let logits = rows.saturating_mul(self.job.model.vocabulary.unwrap_or(0)) as f64;
        let each = self.settings.value(Setting::LogitBytes);
        let states = self.hidden_copies(Setting::HeadCopies).map(|n| n * tokens as f64 * self.element());
        [
            Bytes::from_f64(each.low * logits + states[0]),
            Bytes::from_f64(each.value * logits + states[1]),
            Bytes::from_f64(each.high * logits + states[2]),
        ]
    }

    fn hidden_copies(&self, setting: Setting) -> [f64; 3] {
        let found = self.settings.value(setting);
        [found.low, found.value, found.high].map(|n| n * self.stack.hidden as f64)
    }
}
