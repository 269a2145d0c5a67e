//! Quantised checkpoints: which weights a configuration says are stored how.

mod pattern;
mod scheme;

use std::sync::Arc;

use maat_base::Fault;
use serde_json::{Map, Value};

use self::scheme::Scheme;
use crate::precision::encoding;
use crate::{Encoding, Layer, Model, Role, Shape, Stack, StackKind, Weight};

/// Re-encodes a model as its configuration, or the file beside it, says. `beside` is `hf_quant_config.json`.
pub(crate) fn apply(
    model: Model,
    config: &Map<String, Value>,
    beside: Option<&Value>,
) -> Result<Model, Fault> {
    let inside =
        ["text_config", "llm_config"].iter().find_map(|key| object(config.get(*key)?, "quantization_config"));
    let stated = config.get("quantization_config").and_then(Value::as_object);
    let beside = beside.and_then(|file| object(file, "quantization"));
    let Some(quantised) = stated.or(inside).or(beside) else { return Ok(model) };
    let place = format!("{}: quantization_config", model.name);
    let mut quantised = quantised.clone();
    // DeepSeek-V4 states the type of its experts beside the quantisation.
    if let Some(experts) = config.get("expert_dtype") {
        quantised.entry("expert_dtype").or_insert_with(|| experts.clone());
    }
    let scheme = Scheme::read(&quantised, &model.dtype).map_err(|fault| fault.at(place))?;
    // A quantisation that only the decoder's configuration states leaves towers alone.
    let towers = stated.is_some() || beside.is_some();
    Ok(quantise(model, &scheme, towers))
}

fn object<'a>(value: &'a Value, key: &str) -> Option<&'a Map<String, Value>> {
    value.get(key)?.as_object()
}

fn quantise(mut model: Model, scheme: &Scheme, towers: bool) -> Model {
    let layers = model.decoder().map_or(0, |stack| stack.order.len());
    let path = model.decoder().map(|stack| stack.path.clone());
    for stack in &mut model.stacks {
        if stack.kind == StackKind::Tower && !(towers && scheme.towers) {
            continue;
        }
        // Prediction layers are numbered on from the decoder's where they stand in the same list.
        let first =
            if stack.kind == StackKind::Mtp && Some(&stack.path) == path.as_ref() { layers } else { 0 };
        quantise_stack(stack, scheme, first);
    }
    model.kv_default.clone_from(&scheme.cache);
    model.precision = most_used(&model);
    model
}

fn quantise_stack(stack: &mut Stack, scheme: &Scheme, first: usize) {
    let around = stack.before.iter_mut().chain(&mut stack.after);
    for weight in around {
        let name = weight.name.clone();
        scheme.encode(weight, &pattern::Path::new(&name, None));
    }
    let mut layers: Vec<Layer> = Vec::new();
    let mut order = Vec::with_capacity(stack.order.len());
    for (index, kind) in stack.order.iter().enumerate() {
        let Some(mut layer) = stack.layers.get(usize::from(*kind)).cloned() else { continue };
        for weight in &mut layer.weights {
            let name = weight.name.clone();
            scheme.encode(weight, &pattern::Path::new(&name, Some((&stack.path, (first + index) as u64))));
        }
        let known = layers.iter().rposition(|other| *other == layer);
        let at = known.unwrap_or_else(|| {
            layers.push(layer);
            layers.len() - 1
        });
        order.push(at as u16);
    }
    (stack.layers, stack.order) = (layers, order);
}

/// Name of the encoding that most parameters have.
pub(crate) fn most_used(model: &Model) -> String {
    let mut counts: Vec<(Arc<Encoding>, u64)> = Vec::new();
    for (weight, n) in model.weights() {
        let params = weight.params().saturating_mul(n);
        match counts.iter_mut().find(|(encoding, _)| encoding.name == weight.encoding.name) {
            Some((_, count)) => *count = count.saturating_add(params),
            None => counts.push((weight.encoding.clone(), params)),
        }
    }
    let most = counts.into_iter().max_by_key(|(_, count)| *count);
    most.map_or_else(|| model.dtype.name.clone(), |(encoding, _)| encoding.name.clone())
}

/// Whether a weight is a matrix that quantisers take by themselves: no head, router, embedding, or learned table.
fn is_linear(weight: &Weight) -> bool {
    matches!(weight.shape, Shape::MatMul { .. })
        && !matches!(weight.role, Role::Router | Role::Head | Role::Embed | Role::Other)
}

/// Eight-bit floats with the given scales.
fn fp8(scales: Vec<crate::Scale>) -> Encoding {
    Encoding { scales, ..(*encoding("fp8")).clone() }
}
