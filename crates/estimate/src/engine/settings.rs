//! Settings of an engine: those of the plan, else the engine's own for its version and the device.

use maat_base::Bytes;

use super::condition::{Device, Test, Version};
use crate::{Engine, Job};

/// A setting or constant of an engine, as column `name` of `facts/engines/settings.csv` has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(usize)]
#[expect(missing_docs, reason = "the file has the meaning and unit of each")]
pub enum Setting {
    MemoryFraction,
    MaxBatchedTokens,
    MaxNumSeqs,
    BlockTokens,
    ContextMultiple,
    WindowCache,
    VocabularyMultiple,
    Mxfp4ExpertMultiple,
    Ubatch,
    LogitBytes,
    LayerCopies,
    HeadCopies,
    ContextBytes,
    DriverBytes,
    NontorchBytes,
    CollectiveBytes,
    GraphBytes,
    GraphsInFraction,
    PoolRule,
    LinearStateBits,
    SsmStateBits,
    ConvStateBits,
    HostBytes,
    FixedCaches,
}

impl Setting {
    /// All of them, in the order of their numbers.
    pub const ALL: [(Self, &'static str); 24] = [
        (Self::MemoryFraction, "memory_fraction"),
        (Self::MaxBatchedTokens, "max_batched_tokens"),
        (Self::MaxNumSeqs, "max_num_seqs"),
        (Self::BlockTokens, "block_tokens"),
        (Self::ContextMultiple, "context_multiple"),
        (Self::WindowCache, "window_cache"),
        (Self::VocabularyMultiple, "vocabulary_multiple"),
        (Self::Mxfp4ExpertMultiple, "mxfp4_expert_multiple"),
        (Self::Ubatch, "ubatch"),
        (Self::LogitBytes, "logit_bytes"),
        (Self::LayerCopies, "layer_copies"),
        (Self::HeadCopies, "head_copies"),
        (Self::ContextBytes, "context_bytes"),
        (Self::DriverBytes, "driver_bytes"),
        (Self::NontorchBytes, "nontorch_bytes"),
        (Self::CollectiveBytes, "collective_bytes"),
        (Self::GraphBytes, "graph_bytes"),
        (Self::GraphsInFraction, "graphs_in_fraction"),
        (Self::PoolRule, "pool_rule"),
        (Self::LinearStateBits, "linear_state_bits"),
        (Self::SsmStateBits, "ssm_state_bits"),
        (Self::ConvStateBits, "conv_state_bits"),
        (Self::HostBytes, "host_bytes"),
        (Self::FixedCaches, "fixed_caches"),
    ];

    /// The name in the file.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }
}

/// A value with its 80 % range: an exact setting has all three equal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SettingValue {
    /// The value.
    pub value: f64,
    /// The low end.
    pub low: f64,
    /// The high end.
    pub high: f64,
}

impl SettingValue {
    /// Without a range.
    pub const fn exact(value: f64) -> Self {
        Self { value, low: value, high: value }
    }
}

/// A row of the file.
#[derive(Clone, Debug)]
pub(crate) struct SettingRow {
    /// `None` for every engine.
    pub engine: Option<Engine>,
    pub from: Option<Version>,
    pub before: Option<Version>,
    pub device: Vec<Test>,
    pub value: SettingValue,
    pub source: String,
}

impl SettingRow {
    fn applies(&self, engine: Engine, version: Version, device: Device) -> bool {
        self.engine.is_none_or(|of| of == engine)
            && self.from.is_none_or(|from| version >= from)
            && self.before.is_none_or(|before| version < before)
            && self.device.iter().all(|test| test.holds(device))
    }
}

/// How an engine that reserves memory sizes its pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PoolRule {
    /// The share of all memory, less weights, activations and the rest (vLLM).
    Total,
    /// The share of all memory, less weights only (SGLang).
    Static,
    /// The share of what is free after weights and activations (TensorRT-LLM).
    Free,
}

/// The settings of one job.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    job: Job<'a>,
    version: Version,
    device: Device<'a>,
}

impl<'a> Settings<'a> {
    /// Of a job.
    pub fn new(job: &Job<'a>) -> Self {
        let serve = &job.plan.serve;
        let version = job.rules.engines.version(serve.engine, serve.version.as_deref());
        Self { job: *job, version, device: Device::of_job(job) }
    }

    /// The engine's own value; `None` where the engine has no such setting.
    pub fn default_of(&self, setting: Setting) -> Option<SettingValue> {
        self.row(setting).map(|row| row.value)
    }

    /// Where the engine's own value is stated.
    pub fn source_of(&self, setting: Setting) -> Option<&'a str> {
        self.row(setting).map(|row| row.source.as_str())
    }

    /// The share of an accelerator that the engine takes; `None` where it does not reserve.
    pub fn memory_fraction(&self) -> Option<f64> {
        let default = self.default_of(Setting::MemoryFraction)?;
        Some(self.job.plan.serve.memory_fraction.unwrap_or(default.value))
    }

    /// Most tokens of a step; for llama.cpp its physical batch.
    pub fn step_tokens(&self) -> u64 {
        let serve = &self.job.plan.serve;
        if serve.engine == Engine::Llamacpp {
            return serve.ubatch.unwrap_or_else(|| self.count(Setting::Ubatch, 512)).max(1);
        }
        serve
            .max_batched_tokens
            .unwrap_or_else(|| self.count(Setting::MaxBatchedTokens, self.job.work.input))
            .max(1)
    }

    /// Most sequences of a step: as given, else the engine's own, raised to the users where these are more.
    pub fn max_num_seqs(&self, users: u64) -> u64 {
        let default = || self.count(Setting::MaxNumSeqs, users).max(users);
        self.job.plan.serve.max_num_seqs.unwrap_or_else(default).max(1)
    }

    pub(crate) fn value(&self, setting: Setting) -> SettingValue {
        self.default_of(setting).unwrap_or_default()
    }

    pub(crate) fn count(&self, setting: Setting, otherwise: u64) -> u64 {
        self.default_of(setting).map_or(otherwise, |found| found.value as u64)
    }

    pub(crate) fn flag(&self, setting: Setting) -> bool {
        self.default_of(setting).is_some_and(|found| found.value > 0.0)
    }

    /// Bytes with their range.
    pub(crate) fn bytes(&self, setting: Setting) -> [Bytes; 3] {
        let found = self.value(setting);
        [Bytes::from_f64(found.low), Bytes::from_f64(found.value), Bytes::from_f64(found.high)]
    }

    /// What a program's mere presence takes of an accelerator: what the driver keeps, and the program's context.
    pub(crate) fn outside(&self) -> [Bytes; 3] {
        let [driver, context] = [self.bytes(Setting::DriverBytes), self.bytes(Setting::ContextBytes)];
        [driver[0] + context[0], driver[1] + context[1], driver[2] + context[2]]
    }

    pub(crate) fn pool_rule(&self) -> PoolRule {
        match self.count(Setting::PoolRule, 0) {
            1 => PoolRule::Static,
            2 => PoolRule::Free,
            _ => PoolRule::Total,
        }
    }

    fn row(&self, setting: Setting) -> Option<&'a SettingRow> {
        let engine = self.job.plan.serve.engine;
        let rows = self.job.rules.engines.settings.get(setting as usize)?;
        rows.iter().find(|row| row.applies(engine, self.version, self.device))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_stand_at_their_numbers() {
        for (index, (setting, name)) in Setting::ALL.into_iter().enumerate() {
            assert_eq!(setting as usize, index, "{name}");
        }
    }
}
