//! Which engine runs the model, and with which settings.

use std::sync::Arc;

use maat_base::{Fault, Text};
use maat_catalogue::Machine;
use maat_estimate::{Engine, KvPrecision, Rules, ServePlan, Task};
use maat_model::{Encoding, Model, Part};

use crate::notes::{Notes, default_why};
use crate::request::{CountOrAuto, EngineChoice, Side, Switch, WorkRequest};

/// The instruction set of Apple's accelerators.
const METAL: &str = "metal";

/// The engine's settings for a request: what was given, and what the engine is chosen to be.
pub fn settings(
    request: &WorkRequest,
    model: &Model,
    machine: Option<&Machine>,
    rules: &Rules,
    notes: &mut Notes,
) -> Result<ServePlan, Fault> {
    let EngineChoice { engine, version } = match &request.engine {
        Some(choice) => choice.clone(),
        None => chosen_engine(request, model, machine, rules, notes),
    };
    if engine == Engine::Diffusers {
        return Err(Fault::usage("engine-not-for-text").with("engine", engine.name()));
    }
    if request.memory_fraction.is_some_and(|share| share.0 <= 0.0) {
        return Err(Fault::usage("memory-fraction-zero").at("--memory-fraction"));
    }
    let has_experts = model.params_by_part().get(&Part::RoutedExperts).is_some_and(|&n| n > 0);
    if request.experts == Some(Side::Cpu) && !has_experts && model.caches_known {
        return Err(Fault::usage("experts-none").with("model", model.name.as_str()).at("--experts"));
    }
    let version = version.or_else(|| {
        let version = rules.engines.default_version(engine)?.value.clone();
        notes.assume(
            "engine_version",
            version.clone(),
            Text::new("assumed-engine-version")
                .with("engine", engine.name())
                .with("version", version.clone()),
            default_why(),
        );
        Some(version)
    });
    Ok(ServePlan {
        engine,
        version,
        kv_precision: kv_precision(request, model, notes)?,
        memory_fraction: request.memory_fraction.map(|share| share.0),
        max_batched_tokens: request.max_batched_tokens,
        max_num_seqs: request.max_num_seqs,
        ubatch: request.ubatch,
        flash_attention: request.flash_attention != Some(Switch::Off),
        gpu_layers: match request.gpu_layers {
            Some(CountOrAuto::Count(layers)) => Some(layers),
            Some(CountOrAuto::Auto) | None => None,
        },
        experts_on_cpu: request.experts == Some(Side::Cpu),
        kv_on_cpu: request.kv == Some(Side::Cpu),
    })
}

/// llama.cpp for GGUF, `edge`, Apple, machines without accelerators and wherever one of its own settings is given;
/// vLLM wherever it supports every card; transformers for the rest.
fn chosen_engine(
    request: &WorkRequest,
    model: &Model,
    machine: Option<&Machine>,
    rules: &Rules,
    notes: &mut Notes,
) -> EngineChoice {
    let supports = |engine: Engine| {
        machine.is_none_or(|machine| {
            let parts = machine.slots.iter().map(|slot| Some(&*slot.accelerator));
            parts.into_iter().all(|part| rules.engines.supports_part(engine, None, part))
        })
    };
    let on_cpu = machine.is_some_and(|machine| machine.slots.is_empty());
    let on_apple =
        machine.is_some_and(|machine| machine.slots.iter().any(|slot| slot.accelerator.isa == METAL));
    let llamacpp_only = request.gpu_layers.is_some() || request.experts.is_some() || request.kv.is_some();
    let (engine, why) = if model.is_gguf() {
        (Engine::Llamacpp, "why-engine-gguf")
    } else if on_cpu {
        (Engine::Llamacpp, "why-engine-cpu")
    } else if request.task == Some(Task::Edge) {
        (Engine::Llamacpp, "why-engine-edge")
    } else if llamacpp_only {
        (Engine::Llamacpp, "why-engine-offload")
    } else if supports(Engine::Vllm) {
        (Engine::Vllm, "why-engine-vllm")
    } else if on_apple {
        (Engine::Llamacpp, "why-engine-apple")
    } else {
        (Engine::Transformers, "why-engine-rest")
    };
    notes.assume(
        "engine",
        engine.name(),
        Text::new("assumed-engine").with("engine", engine.name()),
        Text::new(why),
    );
    EngineChoice { engine, version: None }
}

/// The cache's storage: as given, else as the checkpoint asks, else the type the model computes in.
fn kv_precision(request: &WorkRequest, model: &Model, notes: &mut Notes) -> Result<KvPrecision, Fault> {
    let own = || model.cache_encoding();
    let named = |name: &str| -> Result<Arc<Encoding>, Fault> {
        if name.eq_ignore_ascii_case("auto") { Ok(own()) } else { maat_model::cache_encoding(name) }
    };
    if let Some(text) = request.kv_precision.as_deref() {
        let (keys, values) = text.split_once(',').unwrap_or((text, text));
        return Ok(KvPrecision { keys: named(keys.trim())?, values: named(values.trim())? });
    }
    let encoding = own();
    notes.assume(
        "kv_precision",
        encoding.name.clone(),
        Text::new("assumed-kv-precision").with("precision", encoding.name.as_str()),
        Text::new(if model.kv_default.is_some() { "why-checkpoint" } else { "why-kv-dtype" }),
    );
    Ok(KvPrecision { keys: encoding.clone(), values: encoding })
}
