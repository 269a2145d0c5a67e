//! What a model's layers need, gathered once.

use maat_base::Bytes;
use maat_model::{
    Compute, Encoding, Layer, Length, Mixer, Model, Part, Role, Shape, Split, Stack, StackKind, Weight,
};

use crate::rules::Efficiencies;

/// A model as its operations see it: kinds of layers with merged products. Made once for a model and a precision, used
/// for many plans.
#[derive(Clone, Debug)]
pub struct Profile {
    /// Layers and what stands around them, in the order they run.
    pub(crate) blocks: Vec<Block>,
    /// Decoder layers.
    pub(crate) layers: u64,
    /// Width of the decoder's residual stream.
    pub(crate) hidden: f64,
    /// Bytes of an element of activations.
    pub(crate) activation: f64,
    /// Whether an encoder reads the prompt.
    pub(crate) has_encoder: bool,
    /// Whether mixers are known.
    pub(crate) caches_known: bool,
}

/// What is done once for each of `repeat` equal layers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    pub repeat: u64,
    /// Whether it belongs to the encoder.
    pub encoder: bool,
    /// Whether it stands before or after the layers.
    pub around: bool,
    pub products: Vec<Product>,
    pub mixers: Vec<Mixer>,
    /// Norms, and the sum of their widths.
    pub norms: u32,
    pub norm_width: f64,
    /// Width of what the gated or plain activation reads and writes for a token, divided by tensor parallelism.
    pub activation_width: f64,
    pub activations: u32,
    /// Width of rows read from tables.
    pub table_width: f64,
    /// Whether experts are chosen.
    pub routed: Option<Routed>,
    /// All-reduces that tensor parallelism needs.
    pub reduces: u32,
    /// Width of an all-reduce.
    pub hidden: f64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Routed {
    pub active: f64,
}

/// Products that read the same input and so are one kernel.
#[derive(Clone, Debug)]
pub(crate) struct Product {
    pub part: Part,
    group: Group,
    pub inputs: f64,
    /// Outputs that tensor parallelism divides, those that it divides by key-value heads, and those it copies.
    pub divided: f64,
    pub by_heads: f64,
    pub kv_heads: u64,
    pub copied: f64,
    /// Whether the input is divided instead.
    pub row_split: bool,
    /// Copies in a layer, and those that a token visits.
    pub copies: f64,
    pub active: f64,
    /// Bytes of one element with its scales.
    pub element: f64,
    pub arithmetic: u16,
    /// Whether only the last token of a sequence passes.
    pub last_token: bool,
}

/// Roles that engines merge into one matrix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Group {
    Qkv,
    LatentDown,
    GateUp,
    Alone,
}

impl Group {
    fn of(role: Role) -> Self {
        match role {
            Role::Query | Role::Key | Role::Value | Role::Qkv => Self::Qkv,
            Role::LatentDown => Self::LatentDown,
            Role::Gate | Role::Up | Role::GateUp => Self::GateUp,
            _ => Self::Alone,
        }
    }
}

impl Profile {
    /// Gathers a model. Towers and multi-token prediction are left out: a text request does not run them.
    pub fn new(model: &Model, rules: &Efficiencies) -> Self {
        let gather = Gather { rules };
        let mut blocks = Vec::new();
        let runs = |stack: &&Stack| matches!(stack.kind, StackKind::Decoder | StackKind::Encoder);
        for stack in model.stacks.iter().filter(runs) {
            gather.stack(stack, &mut blocks);
        }
        let decoder = model.decoder();
        Self {
            blocks,
            layers: decoder.map_or(0, |stack| stack.order.len() as u64),
            hidden: decoder.map_or(0.0, |stack| stack.hidden as f64),
            activation: (model.dtype.bits_per_element() / 8.0).max(1.0),
            has_encoder: model
                .stacks
                .iter()
                .any(|s| s.kind == StackKind::Encoder && s.over == Length::Prompt)
                && decoder.is_some(),
            caches_known: model.caches_known,
        }
    }

    /// Bytes of all weights that a pass of many tokens reads, unsplit.
    pub fn weight_bytes(&self) -> Bytes {
        let of = |product: &Product| product.elements() * product.copies * product.element;
        Bytes::from_f64(
            self.blocks.iter().map(|b| b.repeat as f64 * b.products.iter().map(of).sum::<f64>()).sum(),
        )
    }
}

struct Gather<'a> {
    rules: &'a Efficiencies,
}

impl Gather<'_> {
    fn stack(&self, stack: &Stack, blocks: &mut Vec<Block>) {
        let encoder = stack.kind == StackKind::Encoder;
        let base = Block { encoder, hidden: stack.hidden as f64, ..Block::default() };
        let around = |weights: &[Weight]| {
            let mut block = Block { repeat: 1, around: true, ..base.clone() };
            self.weights(&mut block, weights);
            block
        };
        blocks.push(around(&stack.before));
        for (layer, repeat) in stack.kinds().filter(|(_, repeat)| *repeat > 0) {
            let mut block = Block { repeat, ..base.clone() };
            self.weights(&mut block, &layer.weights);
            block.mixers = with_shared_caches(layer, stack);
            block.reduces = reduces(layer);
            blocks.push(block);
        }
        blocks.push(around(&stack.after));
    }

    fn weights(&self, block: &mut Block, weights: &[Weight]) {
        for weight in weights.iter().filter(|weight| weight.active > 0) {
            match weight.shape {
                Shape::MatMul { .. } | Shape::Conv { .. } => {
                    self.product(block, weight);
                    activation(block, weight);
                }
                Shape::Table { width, .. } => block.table_width += width as f64,
                Shape::Vector { length } if weight.role == Role::Norm => {
                    block.norms += 1;
                    block.norm_width += length as f64;
                }
                Shape::Vector { .. } => {}
            }
        }
    }

    fn product(&self, block: &mut Block, weight: &Weight) {
        let product = Product::of(weight, self.arithmetic(&weight.encoding));
        if weight.part == Part::RoutedExperts {
            block.routed = Some(Routed { active: product.active });
        }
        let merge = block.products.iter_mut().find(|other| other.reads_same_input(&product));
        match merge {
            Some(other) => other.take_in(&product),
            None => block.products.push(product),
        }
    }

    fn arithmetic(&self, encoding: &Encoding) -> u16 {
        self.rules.arithmetic_of(&encoding.name, encoding.bits_per_element()) as u16
    }
}

impl Product {
    fn of(weight: &Weight, arithmetic: u16) -> Self {
        let (outputs, inputs) = weight.rows_cols();
        let elements = (outputs as f64 * inputs as f64).max(1.0);
        let outputs = outputs as f64;
        let (divided, by_heads, kv_heads, copied) = match weight.split {
            Split::Column | Split::Vocabulary => (outputs, 0.0, 1, 0.0),
            Split::KvHeads(heads) => (0.0, outputs, heads, 0.0),
            Split::Mixed { divided, kv, kv_heads, copied } => {
                (divided as f64, kv as f64, kv_heads, copied as f64)
            }
            Split::Row | Split::Replicated => (0.0, 0.0, 1, outputs),
        };
        Self {
            part: weight.part,
            group: Group::of(weight.role),
            inputs: inputs as f64,
            divided,
            by_heads,
            kv_heads: kv_heads.max(1),
            copied,
            row_split: weight.split == Split::Row,
            copies: weight.copies as f64,
            active: weight.active as f64,
            element: weight.encoding.bytes(weight.rows_cols().0, weight.rows_cols().1).as_f64() / elements,
            arithmetic,
            last_token: weight.part == Part::Head,
        }
    }

    fn reads_same_input(&self, other: &Self) -> bool {
        self.group != Group::Alone
            && self.group == other.group
            && self.part == other.part
            && self.inputs == other.inputs
            && self.copies == other.copies
            && self.arithmetic == other.arithmetic
            && self.row_split == other.row_split
            && (self.kv_heads == other.kv_heads || self.by_heads == 0.0 || other.by_heads == 0.0)
    }

    fn take_in(&mut self, other: &Self) {
        let (mine, theirs) = (self.elements(), other.elements());
        self.element = (self.element * mine + other.element * theirs) / (mine + theirs);
        self.kv_heads = if self.by_heads == 0.0 { other.kv_heads } else { self.kv_heads };
        self.divided += other.divided;
        self.by_heads += other.by_heads;
        self.copied += other.copied;
    }

    /// Elements of one copy, unsplit.
    pub fn elements(&self) -> f64 {
        self.inputs * (self.divided + self.by_heads + self.copied)
    }

    /// Outputs and inputs of one copy on one of `ranks`.
    pub fn on_rank(&self, ranks: f64) -> (f64, f64) {
        let outputs = self.divided / ranks + self.by_heads / ranks.min(self.kv_heads as f64) + self.copied;
        (outputs, if self.row_split { self.inputs / ranks } else { self.inputs })
    }
}

/// What an activation function reads and writes after an up projection: its input, and half of it where it is gated.
fn activation(block: &mut Block, weight: &Weight) {
    let (outputs, _) = weight.rows_cols();
    let width = outputs as f64 * weight.active as f64;
    match weight.role {
        Role::Up | Role::GateUp => {
            block.activations += 1;
            block.activation_width += 2.0 * width;
        }
        Role::Gate => block.activation_width += width,
        _ => {}
    }
}

/// A layer that reads another layer's cache reads one like that of the first layer with the same look-back.
fn with_shared_caches(layer: &Layer, stack: &Stack) -> Vec<Mixer> {
    let owner = |mixer: &Mixer| {
        let alike = |other: &&Mixer| !other.caches.is_empty() && looks_alike(&other.compute, &mixer.compute);
        stack.layers.iter().flat_map(|layer| &layer.mixers).find(alike).map(|other| other.caches.clone())
    };
    let fill = |mixer: &Mixer| {
        let mut mixer = mixer.clone();
        if mixer.caches.is_empty() {
            mixer.caches = owner(&mixer).unwrap_or_default();
        }
        mixer
    };
    layer.mixers.iter().map(fill).collect()
}

/// Whether both are attention with the same look-back.
fn looks_alike(a: &Compute, b: &Compute) -> bool {
    match (a, b) {
        (Compute::Attention { window: a, .. }, Compute::Attention { window: b, .. }) => a == b,
        _ => false,
    }
}

/// All-reduces of a layer under tensor parallelism: one behind its mixers, one behind its feed-forward part.
fn reduces(layer: &Layer) -> u32 {
    let any = |parts: &[Part]| {
        layer.weights.iter().any(|weight| weight.split == Split::Row && parts.contains(&weight.part))
    };
    u32::from(any(&[Part::Attention, Part::StateSpace]))
        + u32::from(any(&[Part::Mlp, Part::RoutedExperts, Part::SharedExperts]))
}
