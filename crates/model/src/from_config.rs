//! A configuration to a model.

use std::sync::Arc;

use maat_base::{Arg, Basis, Fault, Text};
use serde_json::{Map, Value};

use crate::assemble::Context;
use crate::class::Head;
use crate::config::Config;
use crate::families::{self, Family};
use crate::precision;
use crate::{Encoding, Model};

/// Builds the model that a configuration describes. `place` is the file or built-in id that it was read from.
pub(crate) fn model(name: &str, map: &Map<String, Value>, place: &str) -> Result<Model, Fault> {
    let whole = Config::new(map, place);
    let family = family_of(&whole)?;
    let model_type = whole.text("model_type").unwrap_or_default();
    let config = whole.of_family(&model_type, family.aliases)?;
    let class = class_of(&whole).unwrap_or_default();
    let dtype = dtype_of(&config)?;
    let cx = Context { head: Head::of(&class), class: class.clone(), tied: None, dtype, config };
    let stacks = (family.describe)(&cx)?;
    let text = text_config(&cx.config)?;
    let mut model = Model {
        name: name.to_owned(),
        architecture: class,
        family: model_type,
        stacks,
        vocabulary: text.maybe("vocab_size")?,
        context_max: context_max(&text)?,
        precision: cx.dtype.name.clone(),
        dtype: cx.dtype.clone(),
        kv_default: None,
        caches_known: true,
        stored_bytes: None,
        basis: Basis::Computed,
        assumed: Vec::new(),
    };
    model.assumed = cx.config.assumed();
    Ok(model)
}

/// The class in `architectures`.
fn class_of(config: &Config) -> Option<String> {
    config.stated("architectures")?.as_array()?.first()?.as_str().map(str::to_owned)
}

fn family_of(config: &Config) -> Result<&'static Family, Fault> {
    let Some(model_type) = config.text("model_type") else {
        return Err(config
            .fault("model_type", "config-key-missing")
            .hint(Text::new("hint-model-type-missing")));
    };
    families::find(&model_type).ok_or_else(|| {
        let class = class_of(config).unwrap_or_else(|| model_type.clone());
        let near = crate::names::nearest(&model_type, families::model_types());
        let near = Arg::List(near.into_iter().map(Arg::Str).collect());
        let hint = Text::new("hint-architecture-unknown").with("near", near);
        let fault = config.fault("model_type", "architecture-unknown");
        fault.with("architecture", class).with("family", model_type.as_str()).hint(hint)
    })
}

/// The part of a configuration that describes the stack of tokens.
fn text_config<'a>(config: &Config<'a>) -> Result<Config<'a>, Fault> {
    for key in ["text_config", "llm_config", "language_config", "thinker_config"] {
        if config.stated(key).is_some() {
            let inside = config.inside(key)?;
            let model_type = inside.text("model_type").unwrap_or_default();
            let aliases = families::find(&model_type).map_or(&[][..], |family| family.aliases);
            return text_config(&inside.of_family(&model_type, aliases)?);
        }
    }
    Ok(config.clone())
}

/// The type that weights are stored in where nothing is quantised.
fn dtype_of(config: &Config) -> Result<Arc<Encoding>, Fault> {
    let stated = |config: &Config| config.text("dtype").or_else(|| config.text("torch_dtype"));
    let text = text_config(config)?;
    let Some(dtype) = stated(config).or_else(|| stated(&text)) else {
        return Ok(precision::encoding("bf16"));
    };
    let name = match dtype.trim_start_matches("torch.") {
        "float32" | "float" => "fp32",
        "float16" | "half" => "fp16",
        "float8_e4m3fn" => "fp8",
        "float64" => "fp64",
        "auto" | "bfloat16" => "bf16",
        _ => return Err(config.fault("dtype", "config-dtype-unknown").with("value", dtype)),
    };
    Ok(precision::encoding(name))
}

/// Most tokens: `max_position_embeddings`, into which Llama 3's rope factor has gone already. Where the library itself
/// stretches the rope (yarn and the like), the file's figure is the stretched one too, unless it states what it was
/// before stretching and both are the same.
fn context_max(config: &Config) -> Result<Option<u64>, Fault> {
    for key in ["max_position_embeddings", "n_positions", "max_sequence_length", "max_seq_len", "seq_length"]
    {
        if let Some(n) = config.length(key)? {
            return Ok(Some(n));
        }
    }
    Ok(None)
}
