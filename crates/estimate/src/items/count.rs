//! Operations of an item, stack by stack.

use maat_base::Bytes;
use maat_model::{Compute, Layer, Length, Model, Part, Shape, Stack, StackKind, Weight};
use serde::Serialize;

use super::{ItemWork, TextEncoders, is_text_encoder};
use crate::operation::{Kernel, Operation};
use crate::rules::Efficiencies;

/// Floating-point operations of one item: of a diffusion by what makes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ItemFlops {
    /// Of one run of the denoiser; of one run of the model where there is none.
    pub run: f64,
    /// Runs of it for an item.
    pub runs: f64,
    /// Of the text encoders.
    pub text: f64,
    /// Of the autoencoder's decoding half.
    pub decode: f64,
}

/// Positions that a stack runs over for one item.
pub(super) fn positions(stack: &Stack, work: &ItemWork) -> f64 {
    let own = over(stack.over, work);
    // Blocks of diffusers that run over the joined sequence of words and patches.
    if stack.path.ends_with("single_transformer_blocks") { own + work.words } else { own }
}

fn over(length: Length, work: &ItemWork) -> f64 {
    match length {
        Length::Tokens | Length::Prompt => work.words,
        Length::Fixed(n) | Length::PerItem(n) => n as f64,
        Length::Pixels { pixels, frames } => {
            let side = (pixels as f64).sqrt().max(1.0);
            let of = |extent: f64, each: f64| (extent / each).ceil().max(1.0);
            of(work.height, side) * of(work.width, side) * of(work.frames, (frames as f64).max(1.0))
        }
    }
}

/// How often a stack runs for a batch, and for how many copies of each item; `None` where making an item does not run it.
fn runs(stack: &Stack, work: &ItemWork) -> Option<(f64, f64)> {
    match stack.kind {
        StackKind::Denoiser => Some((work.steps, work.guides)),
        StackKind::Encoder if matches!(stack.over, Length::Prompt | Length::Tokens) => {
            Some((1.0, work.guides))
        }
        StackKind::Encoder | StackKind::Tower | StackKind::Decoder => Some((1.0, 1.0)),
        StackKind::Autoencoder => stack.path.contains("decoder").then_some((1.0, 1.0)),
        StackKind::Mtp => None,
    }
}

/// Operations of a batch, each with how often it is run beside its repeats.
pub(super) fn operations(model: &Model, work: &ItemWork, rules: &Efficiencies) -> Vec<(Operation, f64)> {
    let joint =
        model.stacks.iter().any(|stack| stack.kind == StackKind::Denoiser && stack.over == Length::Prompt);
    let mut all = Vec::new();
    for stack in &model.stacks {
        if work.text == TextEncoders::Cached && is_text_encoder(model, stack) {
            continue;
        }
        let Some((times, copies)) = runs(stack, work) else { continue };
        let words = if joint && stack.kind == StackKind::Denoiser { work.words } else { 0.0 };
        let mut counter = Counter {
            sequences: work.batch * copies,
            positions: positions(stack, work),
            // Patches look at the words too where both stand in one sequence.
            seen: over(stack.over, work) + words,
            element: element(model),
            folds: !super::is_diffusion(model),
            work,
            rules,
            operations: Vec::new(),
        };
        counter.weights(&stack.before, 1);
        for (layer, repeat) in stack.kinds().filter(|(_, repeat)| *repeat > 0) {
            counter.weights(&layer.weights, repeat);
            counter.mixers(layer, repeat);
        }
        counter.weights(&stack.after, 1);
        all.extend(counter.operations.into_iter().map(|operation| (operation, times)));
    }
    all
}

/// Bytes of an element of activations: those of the weights' type where it is narrower than the model's own; of types
/// below 8 bits, and of a diffusion's 8-bit weights, 16-bit ones.
pub(super) fn element(model: &Model) -> f64 {
    let most = model.weights().max_by_key(|(weight, n)| weight.params().saturating_mul(*n));
    let own = model.dtype.bits_per_element();
    let stored = most.map_or(own, |(weight, _)| weight.encoding.bits_per_element());
    let least = if super::is_diffusion(model) { 16.0 } else { 8.0 };
    let bits = if stored < 7.9 { 16.0 } else { stored.max(least) };
    (bits.min(own) / 8.0).max(1.0)
}

struct Counter<'a> {
    /// Whether batch norms and activations are folded into convolutions, as inference engines do.
    folds: bool,
    /// Items and their guided copies.
    sequences: f64,
    positions: f64,
    seen: f64,
    element: f64,
    work: &'a ItemWork,
    rules: &'a Efficiencies,
    operations: Vec<Operation>,
}

impl Counter<'_> {
    fn weights(&mut self, weights: &[Weight], repeat: u64) {
        for weight in weights.iter().filter(|weight| weight.active > 0) {
            match weight.shape {
                Shape::MatMul { .. } | Shape::Conv { .. } => self.product(weight, repeat),
                Shape::Table { .. } | Shape::Vector { .. } => {}
            }
        }
    }

    /// Rows that a weight multiplies: a head's, which reads pooled positions, once; keys and values of attention over
    /// words, the words.
    fn rows(&self, weight: &Weight) -> f64 {
        let crosses = weight.name.contains("attn2.to_k") || weight.name.contains("attn2.to_v");
        let pooled = weight.part == Part::Head || weight.name == "classifier";
        let each = match (crosses, pooled) {
            (true, _) => self.work.words,
            (_, true) => 1.0,
            _ => self.positions,
        };
        self.sequences * each
    }

    fn product(&mut self, weight: &Weight, repeat: u64) {
        let (outputs, inputs) = weight.rows_cols();
        let (n, k) = (outputs as f64, inputs as f64);
        let m = self.rows(weight);
        let elements = n * k * weight.active as f64;
        // A convolution reads its input once, whatever its kernel covers.
        let read = if let Shape::Conv { inputs, .. } = weight.shape { inputs as f64 } else { k };
        let bits = weight.encoding.bits_per_element();
        let moved = elements * bits / 8.0 + m * (read + n) * self.element;
        self.operations.push(Operation {
            kernel: Kernel::MatMul { m, n, k },
            part: weight.part,
            repeat,
            kernels: 1,
            flops: 2.0 * m * elements,
            bytes: Bytes::from_f64(moved),
            weights: elements,
            arithmetic: Some(self.rules.arithmetic_of(&weight.encoding.name, bits) as u16),
        });
        if self.folds && matches!(weight.shape, Shape::Conv { .. }) {
            return;
        }
        // Bias, norm and activation, which compilers join into one kernel.
        self.other(Kernel::Elementwise, weight.part, repeat, m * n, 2.0 * m * n * self.element);
    }

    fn other(&mut self, kernel: Kernel, part: Part, repeat: u64, flops: f64, bytes: f64) {
        let bytes = Bytes::from_f64(bytes);
        let operation =
            Operation { kernel, part, repeat, kernels: 1, flops, bytes, weights: 0.0, arithmetic: None };
        self.operations.push(operation);
    }

    fn mixers(&mut self, layer: &Layer, repeat: u64) {
        for mixer in &layer.mixers {
            let (heads, key, value, seen) = match mixer.compute {
                Compute::Attention { heads, key_dim, value_dim, window, .. } => {
                    let seen = window.map_or(self.seen, |window| self.seen.min(window as f64));
                    (heads, key_dim, value_dim, seen)
                }
                Compute::Cross { heads, head_dim, over: length } => {
                    (heads, head_dim, head_dim, over(length, self.work))
                }
                Compute::Recurrence { .. } => continue,
            };
            let width = heads as f64 * (key + value) as f64;
            // Words look at the patches as well: the whole joint sequence, once.
            let asks = self.sequences * self.positions.max(self.seen);
            let flops = 2.0 * asks * seen * width;
            let bytes = (asks + self.sequences * seen) * width * self.element;
            self.other(Kernel::Attention, Part::Attention, repeat, flops, bytes);
        }
    }
}

/// Operations of one item, without its norms and activations.
pub fn item_flops(model: &Model, work: &ItemWork, rules: &Efficiencies) -> ItemFlops {
    let one = ItemWork { batch: 1.0, steps: 1.0, guides: 1.0, ..*work };
    let of = |keep: &dyn Fn(&Stack) -> bool| -> f64 {
        let stacks = model.stacks.iter().filter(|stack| keep(stack)).cloned().collect();
        let part = Model { stacks, ..model.clone() };
        let counted = operations(&part, &one, rules);
        let products = counted.iter().filter(|(op, _)| op.kernel != Kernel::Elementwise);
        products.map(|(op, _)| op.flops * op.repeat as f64).sum()
    };
    if super::is_diffusion(model) {
        ItemFlops {
            run: of(&|stack| stack.kind == StackKind::Denoiser),
            runs: work.steps * work.guides,
            text: of(&|stack| stack.kind == StackKind::Encoder),
            decode: of(&|stack| stack.kind == StackKind::Autoencoder),
        }
    } else {
        ItemFlops { run: of(&|_| true), runs: 1.0, ..ItemFlops::default() }
    }
}
