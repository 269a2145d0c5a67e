//! `rocm-smi --json` and `amd-smi … --json`.

use serde_json::Value;

use super::fields::field;
use super::json::line_of;
use super::{Block, Label, Observation, Part, Samples, Signal, reasons, value};

/// Reads a document of either tool.
pub fn read(block: &Block<'_>, document: &Value, samples: &mut Samples) {
    if let Value::Object(cards) = document {
        for (key, card) in cards {
            if let (Some(index), Value::Object(_)) = (key.strip_prefix("card"), card) {
                rocm(block, key, index, card, samples);
            }
        }
    }
    let list = match document {
        Value::Array(list) => Some(list),
        Value::Object(map) => map.get("gpu_data").and_then(Value::as_array),
        _ => None,
    };
    for device in list.into_iter().flatten() {
        amd(block, device, samples);
    }
}

fn rocm(block: &Block<'_>, key: &str, index: &str, card: &Value, samples: &mut Samples) {
    let (Some(line), Value::Object(card)) = (line_of(block, key), card) else { return };
    let mut row = block.row(Part::Gpu, index, line);
    for (name, text) in card {
        let Some(text) = text.as_str() else { continue };
        if let Some(field) = field("amd-json", name)
            && let Some(number) = value::measured(text.trim_matches(['(', ')']), field.scale)
        {
            row.set(field.signal, number);
        } else if name == "pcie clock level" {
            pcie(text, &mut row);
        } else if matches!(name.as_str(), "Card series" | "Card Series") {
            row.tag(Label::Name, text);
        }
    }
    reasons::expand(&mut row);
    samples.push(row);
}

/// `1 (16.0GT/s x16)`.
fn pcie(text: &str, row: &mut Observation) {
    let Some((_, link)) = text.split_once('(') else { return };
    for word in link.trim_end_matches(')').split_whitespace() {
        if let Some(speed) = word.strip_suffix("GT/s").and_then(value::number) {
            row.set(Signal::PcieSpeedGts, speed);
        } else if let Some(width) = word.strip_prefix('x').and_then(value::number) {
            row.set(Signal::PcieWidth, width);
        }
    }
}

/// A device of `amd-smi metric` or `static`: sections of fields, each a number or `{"value", "unit"}`.
fn amd(block: &Block<'_>, device: &Value, samples: &mut Samples) {
    let Some(index) = device.get("gpu").and_then(Value::as_u64) else { return };
    let Some(line) = line_of(block, "gpu") else { return };
    let mut row = block.row(Part::Gpu, &index.to_string(), line);
    walk(device, "gpu", 0, &mut row);
    reasons::expand(&mut row);
    samples.push(row);
}

fn walk(node: &Value, section: &str, depth: usize, row: &mut Observation) {
    let Value::Object(map) = node else { return };
    for (name, child) in map {
        if name == "market_name"
            && let Some(text) = child.as_str()
        {
            row.tag(Label::Name, text);
        }
        if let Some(field) = field("amd-json", &format!("{section}/{name}"))
            && let Some(number) = figure(child, field.scale)
        {
            row.set(field.signal, number);
        } else if depth < 6 {
            walk(child, name, depth + 1, row);
        }
    }
}

fn figure(node: &Value, scale: f64) -> Option<f64> {
    match node {
        Value::Number(number) => number.as_f64().map(|number| number * scale),
        Value::String(text) => value::measured(text, scale),
        Value::Object(map) => {
            let number = map.get("value")?;
            let unit = map.get("unit").and_then(Value::as_str).unwrap_or("");
            let number = number.as_f64().or_else(|| number.as_str().and_then(value::number))?;
            value::measured(&format!("{number} {unit}"), scale).or(Some(number * scale))
        }
        _ => None,
    }
}
