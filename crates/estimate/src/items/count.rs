//! Operations of an item, stack by stack.

use maat_base::Bytes;
use maat_model::{Compute, Layer, Length, Mixer, Model, Part, Role, Shape, Stack, StackKind, Weight};
use serde::Serialize;

use super::{ItemWork, TextEncoders, is_diffusion, is_text_encoder};
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

/// Positions of a length for one item.
pub(super) fn positions(length: Length, work: &ItemWork) -> f64 {
    match length {
        Length::Tokens | Length::Prompt => work.words,
        Length::Fixed(n) | Length::PerItem(n) => n as f64,
        Length::Pixels { pixels, frames } => patches(pixels, frames, work),
        Length::PixelsAndPrompt { pixels, frames } => patches(pixels, frames, work) + work.words,
    }
}

fn patches(pixels: u64, frames: u64, work: &ItemWork) -> f64 {
    let side = (pixels as f64).sqrt().max(1.0);
    let of = |extent: f64, each: f64| (extent / each).ceil().max(1.0);
    of(work.height, side) * of(work.width, side) * of(work.frames, (frames as f64).max(1.0))
}

/// How often a stack runs for a batch, and for how many copies of each item; `None` where making an item does not run it.
fn runs(model: &Model, stack: &Stack, work: &ItemWork) -> Option<(f64, f64)> {
    match stack.kind {
        StackKind::Denoiser => Some((work.steps, work.guides)),
        _ if is_text_encoder(model, stack) => {
            (work.text != TextEncoders::Cached).then_some((1.0, work.guides))
        }
        StackKind::Encoder | StackKind::Tower | StackKind::Decoder => Some((1.0, 1.0)),
        StackKind::Autoencoder => decodes(stack).then_some((1.0, 1.0)),
        StackKind::Mtp => None,
    }
}

/// Whether a stack of an autoencoder is of its decoding half, as the checkpoint's path says.
fn decodes(stack: &Stack) -> bool {
    stack.path.split(['/', '.']).any(|step| step == "decoder")
}

/// Whether the words' own keys go into the attention of the patches: a stack of the denoiser over the prompt has some.
fn is_joint(model: &Model) -> bool {
    let over_words = |stack: &&Stack| stack.kind == StackKind::Denoiser && stack.over == Length::Prompt;
    let mut weights = model.stacks.iter().filter(over_words).flat_map(Stack::weights);
    weights.any(|(weight, _)| matches!(weight.role, Role::Key | Role::Qkv))
}

/// An operation of a batch, with how often it is run beside its repeats and the kind of stack it belongs to.
pub(super) struct Counted {
    pub operation: Operation,
    pub runs: f64,
    kind: StackKind,
}

/// Operations of a batch.
pub(super) fn operations(model: &Model, work: &ItemWork, rules: &Efficiencies) -> Vec<Counted> {
    let (joint, element, folds) = (is_joint(model), element(model), !is_diffusion(model));
    let mut all = Vec::new();
    for stack in &model.stacks {
        let Some((runs, copies)) = runs(model, stack, work) else { continue };
        let own = positions(stack.over, work);
        let beside =
            joint && matches!(stack.over, Length::Pixels { .. }) && stack.kind == StackKind::Denoiser;
        let mut counter = Counter {
            folds,
            sequences: work.batch * copies,
            positions: own,
            seen: if beside { own + work.words } else { own },
            element,
            work,
            rules,
            operations: Vec::new(),
        };
        counter.weights(&stack.before, &[], 1);
        for (layer, repeat) in stack.kinds().filter(|(_, repeat)| *repeat > 0) {
            counter.weights(&layer.weights, &layer.mixers, repeat);
            counter.mixers(layer, repeat);
        }
        counter.weights(&stack.after, &[], 1);
        let kind = stack.kind;
        all.extend(counter.operations.into_iter().map(|operation| Counted { operation, runs, kind }));
    }
    all
}

/// Bytes of an element of activations: those of the weights' type where it is narrower than the model's own; of types
/// below 8 bits, and of a diffusion's 8-bit weights, 16-bit ones.
pub(super) fn element(model: &Model) -> f64 {
    let most = model.weights().max_by_key(|(weight, n)| weight.params().saturating_mul(*n));
    let own = model.dtype.bits_per_element();
    let stored = most.map_or(own, |(weight, _)| weight.encoding.bits_per_element());
    let least = if is_diffusion(model) { 16.0 } else { 8.0 };
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
    /// Products of weights. The n-th keys and values of a layer are those of its n-th mixer.
    fn weights(&mut self, weights: &[Weight], mixers: &[Mixer], repeat: u64) {
        let (mut keys, mut values) = (mixers.iter(), mixers.iter());
        for weight in weights.iter().filter(|weight| weight.active > 0) {
            let mixer = match weight.role {
                Role::Key => keys.next(),
                Role::Value => values.next(),
                _ => None,
            };
            match weight.shape {
                Shape::MatMul { .. } | Shape::Conv { .. } => {
                    let rows = self.sequences * self.rows(weight, mixer);
                    self.product(weight, rows, repeat);
                }
                Shape::Table { .. } | Shape::Vector { .. } => {}
            }
        }
    }

    /// Rows of an item that a weight multiplies: a head reads pooled positions, keys and values what is looked at.
    fn rows(&self, weight: &Weight, mixer: Option<&Mixer>) -> f64 {
        match mixer.map(|mixer| &mixer.compute) {
            Some(Compute::Cross { over, .. }) => positions(*over, self.work),
            _ if weight.part == Part::Head => 1.0,
            _ => self.positions,
        }
    }

    fn product(&mut self, weight: &Weight, m: f64, repeat: u64) {
        let (outputs, inputs) = weight.rows_cols();
        let (n, k) = (outputs as f64, inputs as f64);
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
            // Words that stand beside the patches look at the whole sequence as well; over a text only patches look.
            let (heads, width, asks, seen) = match mixer.compute {
                Compute::Attention { heads, key_dim, value_dim, window, .. } => {
                    let seen = window.map_or(self.seen, |window| self.seen.min(window as f64));
                    (heads, key_dim + value_dim, self.seen, seen)
                }
                Compute::Cross { heads, head_dim, over } => {
                    (heads, 2 * head_dim, self.positions, positions(over, self.work))
                }
                Compute::Recurrence { .. } => continue,
            };
            let width = heads as f64 * width as f64;
            let flops = 2.0 * self.sequences * asks * seen * width;
            let bytes = self.sequences * (asks + seen) * width * self.element;
            self.other(Kernel::Attention, Part::Attention, repeat, flops, bytes);
        }
    }
}

/// Operations of one item, without its norms and activations.
pub fn item_flops(model: &Model, work: &ItemWork, rules: &Efficiencies) -> ItemFlops {
    let one = ItemWork { batch: 1.0, guides: 1.0, ..*work };
    let mut all = ItemFlops { runs: 1.0, ..ItemFlops::default() };
    if is_diffusion(model) {
        all.runs = work.steps * work.guides;
    }
    for counted in operations(model, &one, rules) {
        let flops = counted.operation.flops * counted.operation.repeat as f64;
        match (counted.operation.kernel, counted.kind) {
            (Kernel::Elementwise, _) => {}
            (_, StackKind::Encoder) if is_diffusion(model) => all.text += flops,
            (_, StackKind::Autoencoder) if is_diffusion(model) => all.decode += flops,
            _ => all.run += flops,
        }
    }
    all
}
