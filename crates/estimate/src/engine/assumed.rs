//! What an engine decides where the plan says nothing.

use maat_base::{Arg, Assumed, Text};
use serde_json::Value;

use super::{Setting, Settings};
use crate::{Engine, Job};

/// The engine's settings that a job's memory rests on and that the plan leaves to the engine, with where each is stated.
pub fn assumed_settings(job: &Job) -> Vec<Assumed> {
    let serve = &job.plan.serve;
    let settings = Settings::new(job);
    let reserves = matches!(serve.engine, Engine::Vllm | Engine::Sglang | Engine::Trtllm);
    let listed = [
        (Setting::MemoryFraction, "memory_fraction", reserves && serve.memory_fraction.is_none()),
        (Setting::MaxBatchedTokens, "max_batched_tokens", reserves && serve.max_batched_tokens.is_none()),
        (Setting::MaxNumSeqs, "max_num_seqs", reserves && serve.max_num_seqs.is_none()),
        (Setting::Ubatch, "ubatch", serve.engine == Engine::Llamacpp && serve.ubatch.is_none()),
    ];
    let open = listed.into_iter().filter(|(.., open)| *open);
    open.filter_map(|(setting, name, _)| assumed(&settings, serve.engine, setting, name)).collect()
}

fn assumed(settings: &Settings, engine: Engine, setting: Setting, name: &'static str) -> Option<Assumed> {
    let value = settings.default_of(setting)?.value;
    let (value, text) = if setting == Setting::MemoryFraction {
        (Value::from(value), Text::new("assumed-memory-fraction").with("share", Arg::Share(value)))
    } else {
        let count = value as u64;
        let id = match setting {
            Setting::MaxNumSeqs => "assumed-max-num-seqs",
            Setting::Ubatch => "assumed-ubatch",
            _ => "assumed-max-batched-tokens",
        };
        (Value::from(count), Text::new(id).with("n", count))
    };
    let source = settings.source_of(setting).unwrap_or("");
    let why = Text::new("why-engine-default").with("engine", engine.name()).with("source", source);
    Some(Assumed { name, value, text, why })
}
