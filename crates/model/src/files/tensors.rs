//! A model of which only the tensors are known: their names place them, and nothing is known of caches.

use std::collections::BTreeMap;
use std::sync::Arc;

use maat_base::{Assumed, Basis, Bytes, Text};

use crate::precision::encoding;
use crate::{Encoding, Layer, Length, Model, Part, Role, Shape, Split, Stack, StackKind, Storage, Weight};

/// A tensor of any file format.
pub(crate) struct Stored {
    pub name: String,
    pub shape: Vec<u64>,
    pub encoding: Arc<Encoding>,
}

/// Parts that words of a tensor's name tell.
const WORDS: &[(&str, Part, Role)] = &[
    ("lm_head", Part::Head, Role::Head),
    ("output", Part::Head, Role::Head),
    ("embed_tokens", Part::Embedding, Role::Embed),
    ("token_embd", Part::Embedding, Role::Embed),
    ("wte", Part::Embedding, Role::Embed),
    ("wpe", Part::Embedding, Role::Embed),
    ("word_embeddings", Part::Embedding, Role::Embed),
    ("position_embeddings", Part::Embedding, Role::Embed),
    ("experts", Part::RoutedExperts, Role::Other),
    ("shared_experts", Part::SharedExperts, Role::Other),
    ("shared_expert", Part::SharedExperts, Role::Other),
    ("gate", Part::Router, Role::Router),
    ("router", Part::Router, Role::Router),
    ("visual", Part::Towers, Role::Other),
    ("vision_tower", Part::Towers, Role::Other),
    ("vision_model", Part::Towers, Role::Other),
    ("audio_tower", Part::Towers, Role::Other),
    ("multi_modal_projector", Part::Towers, Role::Other),
    ("mamba", Part::StateSpace, Role::Other),
    ("linear_attn", Part::StateSpace, Role::Other),
    ("self_attn", Part::Attention, Role::Other),
    ("attention", Part::Attention, Role::Other),
    ("attn", Part::Attention, Role::Other),
    ("mlp", Part::Mlp, Role::Other),
    ("ffn", Part::Mlp, Role::Other),
    ("feed_forward", Part::Mlp, Role::Other),
];

/// Last words of names of tensors that go with another: no parameters.
const COMPANIONS: [&str; 10] = [
    "weight_scale_inv",
    "weight_scale",
    "weight_scale_2",
    "input_scale",
    "scales",
    "qzeros",
    "g_idx",
    "weight_shape",
    "weight_global_scale",
    "absmax",
];

/// Builds a model out of nothing but its tensors.
pub(crate) fn model(name: &str, tensors: Vec<Stored>, architecture: String) -> Model {
    let bytes = tensors.iter().map(Stored::bytes).sum();
    let dtype = most(&tensors);
    let mut around = Vec::new();
    let mut numbered: BTreeMap<(String, u64), Vec<Weight>> = BTreeMap::new();
    for tensor in tensors {
        match place(&tensor.name) {
            Some((list, index, rest)) => {
                numbered.entry((list, index)).or_default().push(weight(&tensor, rest));
            }
            None => around.push(weight(&tensor, tensor.name.clone())),
        }
    }
    let stacks = stacks(around, numbered);
    let text = Text::new("model-assumed-caches");
    let why = Text::new("model-assumed-caches-why");
    Model {
        name: name.to_owned(),
        architecture,
        family: String::new(),
        stacks,
        vocabulary: None,
        context_max: None,
        precision: dtype.name.clone(),
        dtype,
        kv_default: None,
        caches_known: false,
        mtp_known: true,
        stored_bytes: Some(bytes),
        licence: None,
        basis: Basis::Computed,
        assumed: vec![Assumed { name: "caches", value: serde_json::Value::Null, text, why }],
    }
}

impl Stored {
    /// Rows and columns: the last side is the width of a row.
    fn sides(&self) -> (u64, u64) {
        let (last, rest) = self.shape.split_last().map_or((1, &[][..]), |(last, rest)| (*last, rest));
        (rest.iter().fold(1, |product: u64, side| product.saturating_mul(*side)), last)
    }

    fn bytes(&self) -> Bytes {
        let (rows, cols) = self.sides();
        self.encoding.bytes(rows, cols)
    }
}

fn most(tensors: &[Stored]) -> Arc<Encoding> {
    let mut bytes: BTreeMap<&str, (u64, &Arc<Encoding>)> = BTreeMap::new();
    for tensor in tensors {
        let entry = bytes.entry(&tensor.encoding.name).or_insert((0, &tensor.encoding));
        entry.0 = entry.0.saturating_add(tensor.bytes().0);
    }
    let most = bytes.into_values().max_by_key(|(bytes, _)| *bytes);
    most.map_or_else(|| encoding("bf16"), |(_, encoding)| encoding.clone())
}

/// The list of layers, the number and the rest of a name: `model.layers.3.mlp.up_proj.weight`.
fn place(name: &str) -> Option<(String, u64, String)> {
    let parts: Vec<&str> = name.split('.').collect();
    let at = parts.iter().position(|part| part.parse::<u64>().is_ok())?;
    let number = parts[at].parse().ok()?;
    (at > 0 && at + 1 < parts.len()).then(|| (parts[..at].join("."), number, parts[at + 1..].join(".")))
}

fn weight(tensor: &Stored, name: String) -> Weight {
    let words: Vec<&str> = tensor.name.split('.').collect();
    let told = WORDS.iter().find(|(word, ..)| words.contains(word));
    let (part, role) = told.map_or((Part::Other, Role::Other), |(_, part, role)| (*part, *role));
    let (rows, cols) = tensor.sides();
    let is_vector = tensor.shape.len() < 2;
    let norm = is_vector && words.iter().any(|word| word.ends_with("norm"));
    let (part, role) = if norm { (Part::Norm, Role::Norm) } else { (part, role) };
    let shape = match (role, is_vector) {
        (_, true) => Shape::Vector { length: rows.saturating_mul(cols) },
        (Role::Embed, _) => Shape::Table { rows, width: cols },
        _ => Shape::MatMul { inputs: cols, outputs: rows, bias: false },
    };
    let companion = words.last().is_some_and(|last| COMPANIONS.contains(last));
    Weight {
        name: name.into(),
        part,
        role,
        shape,
        copies: 1,
        active: 1,
        split: if is_vector { Split::Replicated } else { Split::Column },
        storage: if companion { Storage::Buffer } else { Storage::Own },
        encoding: tensor.encoding.clone(),
        bias_encoding: tensor.encoding.clone(),
    }
}

/// One stack for each list of layers; what stands in no list goes around the longest.
fn stacks(around: Vec<Weight>, numbered: BTreeMap<(String, u64), Vec<Weight>>) -> Vec<Stack> {
    let mut stacks: Vec<Stack> = Vec::new();
    for ((list, _), weights) in numbered {
        if stacks.last().is_none_or(|stack| stack.path != list) {
            stacks.push(empty(list));
        }
        let Some(stack) = stacks.last_mut() else { continue };
        let layer = Layer { mixers: Vec::new(), weights };
        let known = stack.layers.iter().rposition(|other| *other == layer);
        let kind = known.unwrap_or_else(|| {
            stack.layers.push(layer);
            stack.layers.len() - 1
        });
        stack.order.push(kind.min(usize::from(u16::MAX)) as u16);
    }
    let longest = stacks.iter().enumerate().max_by_key(|(_, stack)| stack.order.len()).map(|(at, _)| at);
    let at = longest.unwrap_or_else(|| {
        stacks.push(empty(String::new()));
        0
    });
    stacks[at].kind = StackKind::Decoder;
    stacks[at].before = around;
    stacks
}

fn empty(path: String) -> Stack {
    Stack {
        kind: StackKind::Encoder,
        path: path.into(),
        hidden: 0,
        over: Length::Tokens,
        before: Vec::new(),
        layers: Vec::new(),
        order: Vec::new(),
        after: Vec::new(),
    }
}
