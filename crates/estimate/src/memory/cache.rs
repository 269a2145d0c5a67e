//! Bytes of a layer's caches and states on one rank.

use maat_base::Bytes;
use maat_model::{Cache, CacheKind, Encoding, Layer, Length, Mixer, State};

use crate::{Job, KvPrecision, Setting, Settings};

/// How far a sequence reaches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    /// Tokens that are kept.
    pub tokens: u64,
    /// Tokens of the prompt.
    pub input: u64,
    /// Tokens beyond a window that the engine holds while a step runs.
    pub slack: u64,
}

/// How an engine stores caches and states under a plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CacheRule<'a> {
    kv: &'a KvPrecision,
    tp: u64,
    cp: u64,
    /// Tokens of a block.
    pub block: u64,
    /// Whether windows are capped.
    capped: bool,
    /// Whether storage that the architecture fixes is kept so; else it is as the rest of the cache.
    fixed: bool,
    linear: StateBits,
    ssm: StateBits,
    conv_bits: u64,
}

/// Bits of an element of a recurrent state: the engine's, and the model's own type.
#[derive(Clone, Copy, Debug)]
struct StateBits {
    engine: u64,
    model: u64,
}

impl<'a> CacheRule<'a> {
    /// Of one rank.
    pub(crate) fn of_rank(job: &Job<'a>, settings: &Settings) -> Self {
        let parallel = &job.plan.parallel;
        let rule = Self::undivided(job, settings);
        Self { tp: u64::from(parallel.tp.max(1)), cp: u64::from(parallel.cp.max(1)), ..rule }
    }

    /// Of the whole model.
    pub(crate) fn undivided(job: &Job<'a>, settings: &Settings) -> Self {
        let model = element_bits(&job.model.dtype);
        let bits = |setting| StateBits { engine: settings.count(setting, 0), model };
        let conv = bits(Setting::ConvStateBits);
        Self {
            kv: &job.plan.serve.kv_precision,
            tp: 1,
            cp: 1,
            block: settings.count(Setting::BlockTokens, 1).max(1),
            capped: settings.flag(Setting::WindowCache),
            fixed: settings.flag(Setting::FixedCaches),
            linear: bits(Setting::LinearStateBits),
            ssm: bits(Setting::SsmStateBits),
            conv_bits: if conv.engine > 0 { conv.engine } else { model },
        }
    }

    /// Cache of one sequence in a layer.
    pub(crate) fn layer_cache(&self, layer: &Layer, reach: Reach) -> Bytes {
        caches(layer).map(|cache| self.entry_bytes(cache) * self.entries(cache, reach)).sum()
    }

    /// Growth of a layer's cache with one token more after `context` tokens.
    pub(crate) fn layer_per_token(&self, layer: &Layer, context: u64) -> Bytes {
        let grows = |cache: &&Cache| {
            let full = self.capped && cache.window.is_some_and(|window| window < context);
            cache.over == Length::Tokens && !full
        };
        caches(layer).filter(grows).map(|cache| self.entry_bytes(cache).div_ceil(cache.every)).sum()
    }

    /// Constant state of one sequence in a layer.
    pub(crate) fn layer_state(&self, layer: &Layer) -> Bytes {
        layer
            .mixers
            .iter()
            .filter_map(|mixer| mixer.state.as_ref())
            .map(|state| self.state_bytes(state))
            .sum()
    }

    /// Whether every cache of a layer keeps every token, and nothing else is kept.
    pub(crate) fn is_plain(&self, layer: &Layer) -> bool {
        let plain = |cache: &Cache| {
            cache.over == Length::Tokens && cache.every <= 1 && (cache.window.is_none() || !self.capped)
        };
        let stateless = |mixer: &Mixer| mixer.state.is_none() && mixer.caches.iter().all(plain);
        layer.mixers.iter().all(stateless)
    }

    fn entries(&self, cache: &Cache, reach: Reach) -> u64 {
        let all = match cache.over {
            Length::Tokens => reach.tokens,
            Length::Prompt => reach.input,
            Length::Fixed(n) | Length::PerItem(n) => n,
            // No cache runs over pixels: what removes noise keeps nothing.
            Length::Pixels { .. } | Length::PixelsAndPrompt { .. } => 0,
        };
        let window = cache.window.filter(|_| self.capped).unwrap_or(u64::MAX);
        let kept = all.min(window.saturating_add(reach.slack));
        let entries = kept.div_ceil(cache.every.max(1)).div_ceil(self.cp);
        entries.div_ceil(self.block).saturating_mul(self.block)
    }

    /// One entry: heads divide, and are copied when there are fewer than ranks; one head is a latent and copied.
    fn entry_bytes(&self, cache: &Cache) -> Bytes {
        let heads = cache.heads.div_ceil(self.tp).max(1);
        let (keys, values) = match cache.encoding.as_ref().filter(|_| self.fixed) {
            Some(fixed) => (fixed, fixed),
            None => (&self.kv.keys, &self.kv.values),
        };
        keys.bytes(1, heads.saturating_mul(cache.key)) + values.bytes(1, heads.saturating_mul(cache.value))
    }

    fn state_bytes(&self, state: &State) -> Bytes {
        let bits = if state.kind == CacheKind::Ssm { self.ssm } else { self.linear };
        let configured = state.encoding.as_deref().map(element_bits);
        let recurrent = configured.unwrap_or(if bits.engine > 0 { bits.engine } else { bits.model });
        let heads = state.heads.max(1);
        let share = |elements: u64| elements.saturating_mul(heads.div_ceil(self.tp)).div_ceil(heads);
        let all = share(state.elements).saturating_mul(recurrent);
        let conv = share(state.conv).saturating_mul(self.conv_bits);
        Bytes(all.div_ceil(8)) + Bytes(conv.div_ceil(8))
    }
}

fn caches(layer: &Layer) -> impl Iterator<Item = &Cache> {
    layer.mixers.iter().flat_map(|mixer| &mixer.caches)
}

/// Bits of an element of a plain format.
pub(crate) fn element_bits(encoding: &Encoding) -> u64 {
    encoding.block_bits / encoding.block_elements.max(1)
}
