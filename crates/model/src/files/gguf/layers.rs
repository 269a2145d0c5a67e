//! Tensors of a GGUF file to layers, and its metadata to what the layers keep.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::empty;
use super::reader::{Contents, TensorInfo};
use crate::blocks::{recurrence, softmax};
use crate::{CacheKind, Compute, Encoding, Layer, Mixer, Part, Role, Shape, Split, Stack, Storage, Weight};

/// Architectures whose every so-many-th layer sees all tokens, the others a window, where the file does not say
/// (llama.cpp, `set_swa_pattern`).
const PATTERNS: &[(&str, u64)] = &[
    ("gemma2", 2),
    ("gemma3", 6),
    ("gemma3n", 5),
    ("gemma4", 6),
    ("gpt-oss", 2),
    ("cohere2", 4),
    ("olmo2", 4),
    ("exaone4", 4),
    ("exaone-moe", 4),
    ("smallthinker", 4),
    ("llama4", 4),
    ("afmoe", 4),
    ("gemma-embedding", 6),
];

/// Layers from the first that keep keys and values of their own in Gemma 3n; later ones read those (llama.cpp,
/// `n_layer_kv_from_start`).
const GEMMA3N_OWN: usize = 20;

/// Roles and parts by the second part of a tensor's name, or the first where it stands in no layer.
const NAMES: &[(&str, Role, Part)] = &[
    ("token_embd", Role::Embed, Part::Embedding),
    ("position_embd", Role::Embed, Part::Embedding),
    ("token_types", Role::Embed, Part::Embedding),
    ("per_layer_token_embd", Role::Embed, Part::Embedding),
    ("output", Role::Head, Part::Head),
    ("attn_q", Role::Query, Part::Attention),
    ("attn_k", Role::Key, Part::Attention),
    ("attn_v", Role::Value, Part::Attention),
    ("attn_qkv", Role::Qkv, Part::Attention),
    ("attn_output", Role::AttentionOut, Part::Attention),
    ("attn_gate", Role::Other, Part::Attention),
    ("attn_q_a", Role::LatentDown, Part::Attention),
    ("attn_q_b", Role::LatentUp, Part::Attention),
    ("attn_kv_a_mqa", Role::LatentDown, Part::Attention),
    ("attn_kv_b", Role::LatentUp, Part::Attention),
    ("attn_k_b", Role::LatentUp, Part::Attention),
    ("attn_v_b", Role::LatentUp, Part::Attention),
    ("attn_sinks", Role::Other, Part::Attention),
    ("ffn_gate", Role::Gate, Part::Mlp),
    ("ffn_up", Role::Up, Part::Mlp),
    ("ffn_down", Role::Down, Part::Mlp),
    ("ffn_gate_exps", Role::Gate, Part::RoutedExperts),
    ("ffn_gate_up_exps", Role::GateUp, Part::RoutedExperts),
    ("ffn_up_exps", Role::Up, Part::RoutedExperts),
    ("ffn_down_exps", Role::Down, Part::RoutedExperts),
    ("ffn_gate_shexp", Role::Gate, Part::SharedExperts),
    ("ffn_up_shexp", Role::Up, Part::SharedExperts),
    ("ffn_down_shexp", Role::Down, Part::SharedExperts),
    ("ffn_gate_inp", Role::Router, Part::Router),
    ("ffn_gate_inp_shexp", Role::Router, Part::SharedExperts),
    ("exp_probs_b", Role::Router, Part::Router),
    ("ssm_in", Role::StateIn, Part::StateSpace),
    ("ssm_out", Role::StateOut, Part::StateSpace),
];

/// What the metadata says of the layers.
pub(super) struct Shapes {
    hidden: u64,
    heads: Vec<u64>,
    kv_heads: Vec<u64>,
    key: u64,
    value: u64,
    /// Width of the latent with its rotary part, for latent attention.
    latent: Option<(u64, u64)>,
    window: Option<u64>,
    /// For each layer, whether it has the window.
    windowed: Vec<bool>,
    /// Layers from the first that keep keys and values of their own.
    own: usize,
    /// Width of a key and a value in layers with a window, where others have other widths.
    window_dims: Option<(u64, u64)>,
    chosen: u64,
    causal: bool,
    /// Inner width, state, kernel, groups and heads of a state-space layer.
    state: Option<[u64; 5]>,
}

impl Shapes {
    /// Reads what the metadata states; anything absent is left out.
    pub(super) fn read(contents: &Contents, architecture: &str) -> Self {
        let key = |name: &str| format!("{architecture}.{name}");
        let int = |name: &str| contents.int(&key(name));
        let layers = int("block_count").unwrap_or(0).min(4096) as usize;
        let hidden = int("embedding_length").unwrap_or(0);
        let heads = contents.ints(&key("attention.head_count"), layers).unwrap_or_default();
        let kv_heads =
            contents.ints(&key("attention.head_count_kv"), layers).unwrap_or_else(|| heads.clone());
        let most = heads.iter().copied().max().unwrap_or(0).max(1);
        let rotary = int("rope.dimension_count").unwrap_or(0);
        let pattern = PATTERNS.iter().find(|(name, _)| *name == architecture).map(|(_, period)| *period);
        let stated = contents.ints(&key("attention.sliding_window_pattern"), 1);
        let windowed = match (stated, pattern) {
            (Some(list), _) if list.len() > 1 => list.iter().map(|n| *n > 0).collect(),
            (Some(list), _) => by_period(list.first().copied().unwrap_or(1), layers),
            (None, Some(period)) => by_period(period, layers),
            // Other architectures keep all tokens, whatever window their files state: llama.cpp does not read it.
            (None, None) => vec![false; layers],
        };
        let shared = int("attention.shared_kv_layers").unwrap_or(0) as usize;
        let own = if architecture == "gemma3n" { GEMMA3N_OWN } else { layers.saturating_sub(shared) };
        let state = int("ssm.inner_size").zip(int("ssm.state_size")).map(|(inner, state)| {
            let kernel = int("ssm.conv_kernel").unwrap_or(4);
            [
                inner,
                state,
                kernel,
                int("ssm.group_count").unwrap_or(0),
                int("ssm.time_step_rank").unwrap_or(1),
            ]
        });
        Self {
            hidden,
            kv_heads,
            key: int("attention.key_length").unwrap_or(hidden / most),
            value: int("attention.value_length").unwrap_or(hidden / most),
            latent: int("attention.kv_lora_rank").map(|rank| (rank, rotary)),
            window: int("attention.sliding_window").filter(|window| *window > 0),
            windowed,
            own,
            window_dims: int("attention.key_length_swa").zip(int("attention.value_length_swa")),
            chosen: int("expert_used_count").unwrap_or(1),
            causal: contents.int(&key("attention.causal")) != Some(0),
            state,
            heads,
        }
    }

    /// Whether anything is said of heads.
    pub(super) fn known(&self) -> bool {
        !self.heads.is_empty() || self.state.is_some()
    }

    /// What layer `index` computes and keeps: a state space, attention, or both beside each other (Falcon-H1).
    fn mixers(&self, index: usize, found: Found) -> Vec<Mixer> {
        let mut mixers = self.recurrence(found.recurrent);
        if mixers.is_empty() || found.keys {
            mixers.extend(self.attention(index));
        }
        mixers
    }

    fn recurrence(&self, recurrent: bool) -> Vec<Mixer> {
        if let Some([inner, state, kernel, groups, heads]) = self.state.filter(|_| recurrent) {
            let conv = inner.saturating_add(groups.saturating_mul(2).saturating_mul(state));
            let conv = conv.saturating_mul(kernel.saturating_sub(1));
            let kind = if groups > 0 { CacheKind::Linear } else { CacheKind::Ssm };
            return vec![recurrence(kind, heads.max(1), inner.saturating_mul(state), conv, 6)];
        }
        Vec::new()
    }

    fn attention(&self, index: usize) -> Option<Mixer> {
        let heads = self.heads.get(index).copied().unwrap_or(0);
        let kv_heads = self.kv_heads.get(index).copied().unwrap_or(0);
        if heads == 0 || kv_heads == 0 {
            return None;
        }
        let window = self.window.filter(|_| self.windowed.get(index) == Some(&true));
        let mut mixer = if let Some((rank, rotary)) = self.latent {
            let mut mixer = softmax(heads, 1, (rank.saturating_add(rotary), rank), None);
            mixer.caches[0].value = 0;
            mixer.caches[0].kind = CacheKind::Mla;
            mixer
        } else {
            let dims = window.and(self.window_dims).unwrap_or((self.key, self.value));
            softmax(heads, kv_heads, dims, window)
        };
        if !self.causal || index >= self.own {
            mixer.caches.clear();
            if let Compute::Attention { causal, .. } = &mut mixer.compute {
                *causal = self.causal;
            }
        }
        Some(mixer)
    }
}

/// What the tensors of a layer tell of how it mixes.
#[derive(Clone, Copy, Default)]
struct Found {
    /// Tensors of a state space.
    recurrent: bool,
    /// A matrix for keys.
    keys: bool,
}

/// All layers but each so-many-th have the window.
fn by_period(period: u64, layers: usize) -> Vec<bool> {
    (1..=layers as u64).map(|layer| period <= 1 || layer % period != 0).collect()
}

/// The tensors as a stack of layers.
pub(super) fn stack(shapes: &Shapes, tensors: &[(&TensorInfo, Arc<Encoding>)]) -> Stack {
    let mut stack = empty(shapes.hidden);
    let mut numbered: BTreeMap<usize, (Found, Vec<Weight>)> = BTreeMap::new();
    for (tensor, encoding) in tensors {
        let mut words = tensor.name.split('.');
        let (first, number) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        match number.parse::<usize>() {
            Ok(index) if first == "blk" && index < 4096 => {
                let rest = tensor.name.splitn(3, '.').nth(2).unwrap_or_default();
                let entry = numbered.entry(index).or_default();
                entry.0.recurrent |= rest.starts_with("ssm_");
                entry.0.keys |= rest.starts_with("attn_k.");
                entry.1.push(weight(shapes, rest, tensor, encoding));
            }
            _ => {
                let weight = weight(shapes, &tensor.name, tensor, encoding);
                if weight.role == Role::Embed { &mut stack.before } else { &mut stack.after }.push(weight);
            }
        }
    }
    add_tied_head(&mut stack);
    for (index, (found, weights)) in numbered {
        let layer = Layer { mixers: shapes.mixers(index, found), weights };
        let known = stack.layers.iter().rposition(|other| *other == layer);
        let kind = known.unwrap_or_else(|| {
            stack.layers.push(layer);
            stack.layers.len() - 1
        });
        stack.order.push(kind as u16);
    }
    stack
}

/// A file without a head uses the embedding as one.
fn add_tied_head(stack: &mut Stack) {
    let has_head = stack.after.iter().any(|weight| weight.role == Role::Head);
    let embedding = stack.before.iter().find(|weight| weight.name == "token_embd.weight");
    if let Some(embedding) = embedding.filter(|_| !has_head) {
        let (rows, width) = embedding.rows_cols();
        let head = Weight {
            name: "output.weight".into(),
            part: Part::Head,
            role: Role::Head,
            shape: Shape::MatMul { inputs: width, outputs: rows, bias: false },
            storage: Storage::Shared(0),
            ..embedding.clone()
        };
        stack.after.push(head);
    }
}

fn weight(shapes: &Shapes, name: &str, tensor: &TensorInfo, encoding: &Arc<Encoding>) -> Weight {
    let word = name.split('.').next().unwrap_or_default();
    let told = NAMES.iter().find(|(known, ..)| *known == word);
    let is_vector = tensor.sides.len() < 2;
    let norm = word.ends_with("norm");
    let (role, part) = match told {
        Some((_, role, part)) => (*role, *part),
        None if norm => (Role::Norm, Part::Norm),
        None if word.starts_with("ssm_") => (Role::Other, Part::StateSpace),
        None if word.starts_with("attn_") => (Role::Other, Part::Attention),
        None if word.starts_with("ffn_") => (Role::Other, Part::Mlp),
        None => (Role::Other, Part::Other),
    };
    let (rows, cols) = tensor.rows_cols();
    let copies =
        if part == Part::RoutedExperts { tensor.sides.get(2).copied().unwrap_or(1).max(1) } else { 1 };
    let shape = match (is_vector, role) {
        (true, _) => Shape::Vector { length: rows.saturating_mul(cols) },
        (_, Role::Embed) => Shape::Table { rows, width: cols },
        _ => Shape::MatMul { inputs: cols, outputs: rows / copies, bias: false },
    };
    // Tables of the rope, and the router's correction, are no parameters.
    let buffer = word.starts_with("rope_") || word == "exp_probs_b";
    Weight {
        name: name.to_owned().into(),
        part,
        role,
        shape,
        copies,
        active: if copies > 1 { shapes.chosen.min(copies) } else { 1 },
        split: split(role, shapes, is_vector),
        storage: if buffer { Storage::Buffer } else { Storage::Own },
        encoding: encoding.clone(),
        bias_encoding: encoding.clone(),
    }
}

fn split(role: Role, shapes: &Shapes, is_vector: bool) -> Split {
    match role {
        _ if is_vector => Split::Replicated,
        Role::Query | Role::Qkv | Role::LatentUp | Role::Gate | Role::Up | Role::GateUp | Role::StateIn => {
            Split::Column
        }
        Role::Key | Role::Value => Split::KvHeads(shapes.kv_heads.iter().copied().max().unwrap_or(1).max(1)),
        Role::AttentionOut | Role::Down | Role::StateOut => Split::Row,
        Role::Embed | Role::Head => Split::Vocabulary,
        _ => Split::Replicated,
    }
}
