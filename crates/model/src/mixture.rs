//! GGUF's file mixtures: which tensor gets which type under `Q4_K_M` and the like (facts/models/mixtures.csv).

use std::sync::Arc;

use crate::precision::encoding;
use crate::{Compute, Encoding, Layer, Model, Part, Role, Shape, Weight};

const TABLE: &str = include_str!("../../../facts/models/mixtures.csv");

/// One row: a tensor's type under a condition. The first that holds decides.
struct Rule {
    tensor: &'static str,
    when: &'static str,
    kind: &'static str,
}

/// A mixture by name, in any case, as the table writes it.
pub(crate) fn find(name: &str) -> Option<&'static str> {
    rows().map(|row| row[0]).find(|known| known.eq_ignore_ascii_case(name))
}

/// The names of all mixtures.
pub(crate) fn names() -> Vec<&'static str> {
    let mut names: Vec<_> = rows().map(|row| row[0]).collect();
    names.dedup();
    names
}

fn rows() -> impl Iterator<Item = Vec<&'static str>> {
    TABLE.lines().skip(1).map(|line| line.splitn(5, ',').collect::<Vec<_>>()).filter(|row| row.len() == 5)
}

/// The name that llama.cpp gives a tensor of a layer; `None` for what it keeps in fp32 or does not know.
pub(crate) fn tensor_name(weight: &Weight) -> Option<&'static str> {
    if !matches!(weight.shape, Shape::MatMul { .. } | Shape::Table { .. }) || weight.part == Part::Router {
        return None;
    }
    Some(match weight.role {
        Role::Query => "attn_q",
        Role::Key => "attn_k",
        Role::Value => "attn_v",
        Role::Qkv => "attn_qkv",
        Role::AttentionOut => "attn_output",
        Role::Gate | Role::GateUp => "ffn_gate",
        Role::Up => "ffn_up",
        Role::Down => "ffn_down",
        Role::Embed => "token_embd",
        Role::Head => "output",
        Role::Router | Role::Norm => return None,
        Role::LatentDown | Role::LatentUp | Role::Indexer | Role::StateIn | Role::StateOut | Role::Other => {
            "base"
        }
    })
}

/// What the conditions ask about a model.
struct Facts {
    layers: usize,
    /// Query heads for each head of keys and values.
    group: u64,
    experts: u64,
    /// Whether llama.cpp takes it for the 70B of Llama or Qwen 2, whose values are few and get more bits.
    is_70b: bool,
    has_head: bool,
}

impl Facts {
    fn of(model: &Model) -> Self {
        let stack = model.decoder().or(model.stacks.first());
        let layers = stack.map_or(0, |stack| stack.order.len());
        let mixers = stack.into_iter().flat_map(|stack| &stack.layers).flat_map(|layer| &layer.mixers);
        let group = mixers.filter_map(|mixer| match mixer.compute {
            Compute::Attention { heads, .. } => Some(heads / mixer.caches.first()?.heads.max(1)),
            _ => None,
        });
        let group = group.max().unwrap_or(1);
        let experts = model.weights().filter(|(weight, _)| weight.part == Part::RoutedExperts);
        let has_head = |(weight, _): (&Weight, u64)| {
            weight.role == Role::Head && weight.storage == crate::Storage::Own && weight.params() > 0
        };
        Self {
            layers,
            group,
            experts: experts.map(|(weight, _)| weight.copies).max().unwrap_or(1),
            is_70b: layers == 80 && group > 1 && ["llama", "qwen2"].contains(&model.family.as_str()),
            has_head: model.weights().any(has_head),
        }
    }

    fn holds(&self, when: &str, index: usize) -> bool {
        let n = self.layers;
        let more_bits =
            index < n / 8 || index >= 7 * n / 8 || index.checked_sub(n / 8).is_some_and(|past| past % 3 == 2);
        match when {
            "always" => true,
            "grouped" => self.group >= 4,
            "four_experts" => self.experts >= 4,
            "eight_experts" => self.experts == 8,
            "not_eight_experts" => self.experts != 8,
            "first_two" => index < 2,
            "first_four" => index < 4,
            "first_eighth" => index < n / 8,
            "first_sixteenth" => index < n / 16,
            "middle" => index >= n / 8 && index < 7 * n / 8,
            "more_bits" => more_bits,
            "eight_experts_more_bits" => self.experts == 8 && more_bits,
            _ => false,
        }
    }
}

/// A model stored in a mixture.
pub(crate) fn apply(model: &Model, mixture: &str) -> Model {
    let of_mixture = rows().filter(|row| row[0] == mixture);
    let rules = of_mixture.map(|row| Rule { tensor: row[1], when: row[2], kind: row[3] }).collect();
    by_rules(model, mixture, rules)
}

/// A model with every matrix and table in one GGUF type.
pub(crate) fn apply_type(model: &Model, kind: &'static str) -> Model {
    let rules = ["base", "output", "token_embd"].map(|tensor| Rule { tensor, when: "always", kind });
    by_rules(model, kind, rules.into())
}

fn by_rules(model: &Model, mixture: &str, rules: Vec<Rule>) -> Model {
    let facts = Facts::of(model);
    let mut stored = Stored { rules, facts, mixture, fp32: encoding("f32") };
    let mut model = model.clone();
    for stack in &mut model.stacks {
        for weight in stack.before.iter_mut().chain(&mut stack.after) {
            stored.encode(weight, 0, false);
        }
        let mut layers: Vec<Layer> = Vec::new();
        for (index, kind) in stack.order.iter_mut().enumerate() {
            let Some(mut layer) = stack.layers.get(usize::from(*kind)).cloned() else { continue };
            layer.weights.iter_mut().for_each(|weight| stored.encode(weight, index, true));
            let known = layers.iter().rposition(|other| *other == layer);
            *kind = known.unwrap_or_else(|| {
                layers.push(layer);
                layers.len() - 1
            }) as u16;
        }
        stack.layers = layers;
    }
    model.stored_bytes = None;
    mixture.clone_into(&mut model.precision);
    model.dtype = encoding("fp16");
    model
}

struct Stored<'a> {
    rules: Vec<Rule>,
    facts: Facts,
    mixture: &'a str,
    fp32: Arc<Encoding>,
}

impl Stored<'_> {
    fn encode(&mut self, weight: &mut Weight, index: usize, inside: bool) {
        weight.bias_encoding = self.fp32.clone();
        weight.encoding = match tensor_name(weight) {
            None => self.fp32.clone(),
            // Positions and types are small tables that stay as they are.
            Some("token_embd") if weight.split == crate::Split::Replicated => self.fp32.clone(),
            Some(tensor) => fitting(self.kind(tensor, index, inside), weight.rows_cols().1),
        };
    }

    fn kind(&self, tensor: &str, index: usize, inside: bool) -> &'static str {
        let rule = |tensor: &str| {
            let mut rules = self.rules.iter().filter(|rule| rule.tensor == tensor);
            rules.find(|rule| self.facts.holds(rule.when, index)).map(|rule| rule.kind)
        };
        let base = rule("base").unwrap_or("f16");
        // The embedding that is the head too is stored like a head.
        let is_head = tensor == "output" || (tensor == "token_embd" && !self.facts.has_head);
        if is_head {
            let usual = if base == "q8_0" { "q8_0" } else { "q6_K" };
            return rule("output").unwrap_or(usual);
        }
        if !inside && tensor != "token_embd" {
            return base;
        }
        let kind = rule(tensor).unwrap_or(base);
        let of_iq = ["iq1", "iq2"].iter().any(|start| self.mixture.starts_with(start));
        match tensor {
            "attn_v" | "attn_k" if self.facts.experts == 8 && !of_iq => "q8_0",
            "attn_v" if self.facts.is_70b && !of_iq && ["q3_K", "q4_K"].contains(&kind) => "q5_K",
            _ => kind,
        }
    }
}

/// The type itself, or the one that llama.cpp falls back to when rows do not divide into its blocks.
fn fitting(kind: &str, cols: u64) -> Arc<Encoding> {
    let wanted = encoding(kind);
    if cols.is_multiple_of(wanted.block_elements.max(1)) {
        return wanted;
    }
    let other = encoding(match kind {
        "tq1_0" | "tq2_0" => "q4_0",
        "q4_K" => "q5_0",
        "q5_K" => "q5_1",
        "q6_K" => "q8_0",
        _ => "iq4_nl",
    });
    if cols.is_multiple_of(other.block_elements) { other } else { encoding("f16") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, open};

    fn bytes(name: &str, precision: &str) -> u64 {
        let model = open(name, &Options { precision: Some(precision.to_owned()) }).unwrap();
        model.weights_bytes().0
    }

    #[test]
    fn every_type_and_condition_is_known() {
        let facts = Facts { layers: 32, group: 4, experts: 8, is_70b: false, has_head: true };
        for row in rows() {
            assert!(crate::precision::find(row[3]).is_some(), "{row:?}");
            let holds = (0..32).any(|index| facts.holds(row[2], index));
            assert!(holds || row[2] == "not_eight_experts", "{row:?}");
        }
    }

    /// Sizes that llama.cpp itself prints for the quantised Llama 3.1 8B (tools/quantize/README.md, in GiB).
    #[test]
    fn llama_8b_has_the_printed_sizes() {
        let printed = [
            ("Q2_K", 2.95),
            ("Q3_K_S", 3.41),
            ("Q3_K_M", 3.74),
            ("Q3_K_L", 4.02),
            ("Q4_0", 4.33),
            ("Q4_K_S", 4.36),
            ("Q4_K_M", 4.58),
            ("Q5_K_S", 5.21),
            ("Q5_K_M", 5.33),
            ("Q6_K", 6.14),
            ("Q8_0", 7.95),
            ("IQ1_S", 1.87),
            ("IQ2_XXS", 2.23),
            ("IQ2_M", 2.74),
            ("IQ3_XXS", 3.04),
            ("IQ3_M", 3.52),
            ("IQ4_XS", 4.13),
        ];
        for (name, gib) in printed {
            let is = bytes("meta-llama/Llama-3.1-8B", name) as f64 / f64::from(1 << 30);
            assert!((is - gib).abs() < 0.006, "{name}: {is:.3} and not {gib}");
        }
    }
}
