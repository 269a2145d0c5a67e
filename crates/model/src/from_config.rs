//! A configuration to a model.

use std::sync::Arc;

use maat_base::{Arg, Assumed, Basis, Fault, Text};
use serde_json::{Map, Value};

use crate::assemble::Context;
use crate::class::Head;
use crate::config::Config;
use crate::families::{self, Family};
use crate::precision;
use crate::{Encoding, Model, StackKind, quantisation};

/// Name of what is assumed of a model whose layers of multi-token prediction are not described.
pub(crate) const MTP_ASSUMED: &str = "multi_token_prediction";

/// Builds the model that a configuration describes. `place` is the file or built-in id that it was read from;
/// `quantisation` the `hf_quant_config.json` beside it.
pub(crate) fn model(
    name: &str,
    map: &Map<String, Value>,
    place: &str,
    quantisation: Option<&Value>,
) -> Result<Model, Fault> {
    if crate::pipeline::holds(map) {
        return crate::pipeline::of_map(name, map, place);
    }
    let whole = Config::new(map, place);
    let (family, model_type) = family_of(&whole)?;
    let config = whole.of_family(model_type, family.aliases)?;
    let class = class_of(&whole)?.unwrap_or_default();
    let dtype = dtype_of(&config)?;
    let cx = Context { head: Head::of(&class), class: class.clone(), tied: None, dtype, config };
    let stacks = (family.describe)(&cx)?;
    let text = text_config(&cx.config)?;
    let mut model = Model {
        name: name.to_owned(),
        architecture: class,
        family: model_type.to_owned(),
        stacks,
        vocabulary: text.maybe("vocab_size")?,
        context_max: context_max(&text)?,
        precision: cx.dtype.name.clone(),
        dtype: cx.dtype.clone(),
        kv_default: None,
        caches_known: true,
        mtp_known: true,
        stored_bytes: None,
        licence: whole.text("license").and_then(|name| crate::licence::clean(&name)),
        basis: Basis::Computed,
        assumed: Vec::new(),
    };
    model.assumed = cx.config.assumed();
    model.mtp_known = mtp_known(&text, &model)?;
    if !model.mtp_known {
        model.assumed.push(Assumed {
            name: MTP_ASSUMED,
            value: Value::Null,
            text: Text::new("model-assumed-mtp"),
            why: Text::new("model-assumed-mtp-why"),
        });
    }
    quantisation::apply(model, map, quantisation)
}

/// Whether the layers of multi-token prediction that the configuration names, if any, are described.
fn mtp_known(config: &Config, model: &Model) -> Result<bool, Fault> {
    if model.stacks.iter().any(|stack| stack.kind == StackKind::Mtp) {
        return Ok(true);
    }
    for key in ["num_nextn_predict_layers", "num_mtp_layers", "mtp_num_hidden_layers", "mtp_num_layers"] {
        if config.stated(key).is_some() && config.layers(key)? > 0 {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The class in `architectures`, or the one that Diffusers writes.
fn class_of(config: &Config) -> Result<Option<String>, Fault> {
    let first = config.words("architectures")?.and_then(|classes| classes.into_iter().next());
    Ok(first.or_else(|| config.text("_class_name")))
}

/// The family and its `model_type`: as stated, or else by the class.
fn family_of(config: &Config) -> Result<(&'static Family, &'static str), Fault> {
    let stated = config.text("model_type");
    let class = class_of(config)?;
    let known = stated.as_deref().and_then(families::known);
    let by_class = || families::known(class.as_deref()?).or_else(|| families::of_class(class.as_deref()?));
    let found = known.or_else(by_class);
    if let Some(found) = found.and_then(|model_type| Some((families::find(model_type)?, model_type))) {
        return Ok(found);
    }
    let Some(name) = stated.or_else(|| class.clone()) else {
        let hint = Text::new("hint-architecture-missing");
        return Err(config.fault("model_type", "config-key-missing").hint(hint));
    };
    let near = crate::names::nearest(&name, families::model_types());
    let hint = if near.is_empty() {
        Text::new("hint-architecture-unlike")
    } else {
        let near = Arg::List(near.into_iter().map(Arg::Str).collect());
        Text::new("hint-architecture-unknown").with("near", near)
    };
    let fault = config.fault("model_type", "architecture-unknown");
    let architecture = class.unwrap_or_else(|| name.clone());
    Err(fault.with("architecture", architecture).with("family", name).hint(hint))
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
        config.assume_dtype("bf16");
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

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    /// What a stranger's file may hold where a number is meant.
    fn odd_value() -> impl Strategy<Value = Value> {
        prop_oneof![
            (0_u64..9).prop_map(Value::from),
            (0_u64..=1 << 24).prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            any::<bool>().prop_map(Value::from),
            Just(Value::Null),
            Just(json!("x")),
            Just(json!([])),
            vec(0_u64..=1 << 24, 0..4).prop_map(|list| json!(list)),
            Just(json!(["full_attention", "sliding_attention", "hybrid"])),
            Just(json!({"hidden_size": 0, "model_type": "llama"})),
        ]
    }

    /// Classes that a file of any family may name.
    const ENDINGS: [&str; 8] = [
        "Model",
        "ForCausalLM",
        "ForConditionalGeneration",
        "ForMaskedLM",
        "ForSequenceClassification",
        "ForTokenClassification",
        "ForQuestionAnswering",
        "ForPreTraining",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// Any value under any key of any family gives a model or a fault, and never a panic.
        #[test]
        fn no_value_panics(
            family in 0..families::model_types().count(),
            ending in 0..ENDINGS.len(),
            changes in vec((any::<prop::sample::Index>(), odd_value()), 0..4),
        ) {
            let model_type = families::model_types().nth(family).unwrap();
            let mut map = crate::defaults::of(model_type).unwrap();
            let mut keys: Vec<String> = map.keys().cloned().collect();
            for known in ["hidden_size", "num_hidden_layers", "num_attention_heads", "vocab_size", "layer_types",
                "intermediate_size", "head_dim", "num_key_value_heads", "text_config", "vision_config"] {
                keys.push(known.to_owned());
            }
            for (index, value) in changes {
                map.insert(index.get(&keys).clone(), value);
            }
            map.insert("model_type".to_owned(), json!(model_type));
            map.insert("architectures".to_owned(), json!([format!("X{}", ENDINGS[ending])]));
            if let Ok(model) = super::model("x", &map, "x", None) {
                let _ = model.summary();
                prop_assert!(model.at_precision("Q4_K_M").is_ok());
                prop_assert!(model.at_precision("nvfp4").is_ok());
            }
        }
    }

    /// A family's own defaults make a model, without any key of a file.
    #[test]
    fn every_family_stands_on_its_defaults() {
        // These have no defaults of their own in the library.
        let without = [
            "kimi_k2",
            "internlm3",
            "longcat_flash",
            "step3p7_text",
            "olmo_hybrid",
            "nemotron-nas",
            "deci",
            "dots1",
        ];
        let wrong: Vec<_> = families::model_types()
            .filter(|model_type| !without.contains(model_type))
            .filter_map(|model_type| {
                let map = json!({"model_type": model_type, "architectures": ["XModel"]});
                let model = super::model("x", map.as_object().unwrap(), "x", None);
                model.err().map(|fault| format!("{model_type}: {fault}"))
            })
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
