//! Puts described layers together to stacks.

use std::borrow::Cow;
use std::sync::Arc;

use maat_base::Fault;

use crate::class::Head;
use crate::config::{Config, MOST_LAYERS};
use crate::parts::{Norm, Parts};
use crate::{Encoding, Layer, Length, Mixer, Role, Stack, StackKind, Storage, Weight};

/// Kinds of layers that a new one is compared with: a hostile file may make each layer another.
const KINDS_COMPARED: usize = 128;

/// What every family is described from.
pub(crate) struct Context<'a> {
    /// The configuration.
    pub config: Config<'a>,
    /// What stands after the last layer, as the class says.
    pub head: Head,
    /// The class itself, for families of which it decides more.
    pub class: String,
    /// Whether the head shares the embedding's storage, where the configuration around this one says so.
    pub tied: Option<bool>,
    /// The type that weights are stored in.
    pub dtype: Arc<Encoding>,
}

impl<'a> Context<'a> {
    /// The same for a configuration inside this one.
    pub(crate) fn of(&self, config: Config<'a>, head: Head) -> Self {
        Self { config, head, class: self.class.clone(), tied: self.tied, dtype: self.dtype.clone() }
    }

    /// No weights yet.
    pub(crate) fn parts(&self) -> Parts {
        Parts::new(&self.dtype)
    }

    /// No weights of a tower yet.
    pub(crate) fn tower_parts(&self) -> Parts {
        Parts::of_tower(&self.dtype)
    }

    /// Labels of a classifying head.
    pub(crate) fn labels(&self) -> Result<u64, Fault> {
        match self.config.stated("id2label").and_then(|labels| labels.as_object()) {
            Some(labels) => Ok(labels.len() as u64),
            None => self.config.whole("num_labels", 2),
        }
    }
}

/// A stack that is being put together.
pub(crate) struct Draft {
    pub kind: StackKind,
    /// Path of the layers in the checkpoint, such as `model.layers`.
    pub path: Cow<'static, str>,
    pub hidden: u64,
    pub over: Length,
    pub before: Parts,
    pub after: Parts,
    pub layers: Vec<Layer>,
    pub order: Vec<u16>,
}

impl Draft {
    /// A stack over tokens without layers.
    pub(crate) fn decoder(cx: &Context, path: &'static str, hidden: u64) -> Self {
        Self {
            kind: StackKind::Decoder,
            path: path.into(),
            hidden,
            over: Length::Tokens,
            before: cx.parts(),
            after: cx.parts(),
            layers: Vec::new(),
            order: Vec::new(),
        }
    }

    /// A stack of another kind over other positions.
    pub(crate) fn other(
        cx: &Context,
        kind: StackKind,
        path: &'static str,
        hidden: u64,
        over: Length,
    ) -> Self {
        let parts = if kind == StackKind::Tower { Context::tower_parts } else { Context::parts };
        Self { kind, over, before: parts(cx), after: parts(cx), ..Self::decoder(cx, path, hidden) }
    }

    /// Adds a layer; one that equals an earlier one shares its kind.
    pub(crate) fn layer(&mut self, mixers: Vec<Mixer>, parts: Parts) {
        let layer = Layer { mixers, weights: parts.done() };
        let first = self.layers.len().saturating_sub(KINDS_COMPARED);
        let equal = self.layers[first..].iter().rposition(|other| *other == layer);
        let kind = equal.map_or_else(
            || {
                self.layers.push(layer);
                self.layers.len() - 1
            },
            |kind| first + kind,
        );
        self.order.push(kind as u16);
    }

    /// Adds `count` layers, each as `describe` makes it.
    pub(crate) fn layers(
        &mut self,
        cx: &Context,
        count: u64,
        mut describe: impl FnMut(&mut Parts, u64) -> Result<Vec<Mixer>, Fault>,
    ) -> Result<(), Fault> {
        if count > MOST_LAYERS {
            return Err(cx.config.fault(&self.path, "config-too-large").with("value", count));
        }
        for layer in 0..count {
            let mut parts = if self.kind == StackKind::Tower { cx.tower_parts() } else { cx.parts() };
            let mixers = describe(&mut parts, layer)?;
            self.layer(mixers, parts);
        }
        Ok(())
    }

    /// The finished stack.
    pub(crate) fn done(self) -> Stack {
        Stack {
            kind: self.kind,
            path: self.path,
            hidden: self.hidden,
            over: self.over,
            before: self.before.done(),
            layers: self.layers,
            order: self.order,
            after: self.after.done(),
        }
    }
}

/// What stands around the layers of most decoders.
pub(crate) struct Trunk {
    pub hidden: u64,
    pub vocabulary: u64,
    pub layers: u64,
    /// Path of the layers in the checkpoint.
    pub path: &'static str,
    pub norm: Norm,
    pub head_bias: bool,
    /// Width of the token embedding and of what the head reads, where it is not `hidden`.
    pub embedding: Option<u64>,
    /// Whether the library's class can share the embedding's storage with the head.
    pub ties: bool,
}

impl Trunk {
    /// Hidden width, vocabulary and layers under their usual names, an RMS norm at the end.
    pub(crate) fn of(config: &Config) -> Result<Self, Fault> {
        Self::of_depth(config, "num_hidden_layers")
    }

    /// The same with the layers under another name.
    pub(crate) fn of_depth(config: &Config, layers: &str) -> Result<Self, Fault> {
        Ok(Self {
            hidden: config.int("hidden_size")?,
            vocabulary: config.int("vocab_size")?,
            layers: config.depth(layers)?,
            path: "model.layers",
            norm: Norm::Rms,
            head_bias: false,
            embedding: None,
            ties: true,
        })
    }

    /// Embeddings and nothing else yet.
    pub(crate) fn start(&self, cx: &Context) -> Draft {
        let mut draft = Draft::decoder(cx, self.path, self.hidden);
        let width = self.embedding.unwrap_or(self.hidden);
        draft.before.table("model.embed_tokens", self.vocabulary, width);
        draft
    }

    /// The whole stack, with `describe` for each layer.
    pub(crate) fn build(
        &self,
        cx: &Context,
        describe: impl FnMut(&mut Parts, u64) -> Result<Vec<Mixer>, Fault>,
    ) -> Result<Stack, Fault> {
        let mut draft = self.start(cx);
        draft.layers(cx, self.layers, describe)?;
        self.finish(cx, draft)
    }

    /// Adds the final norm and the head that the class has.
    pub(crate) fn finish(&self, cx: &Context, mut draft: Draft) -> Result<Stack, Fault> {
        draft.after.norm(self.norm, "model.norm", self.hidden);
        self.head(cx, &mut draft.after)?;
        Ok(draft.done())
    }

    /// Adds the head that the class has.
    pub(crate) fn head(&self, cx: &Context, parts: &mut Parts) -> Result<(), Fault> {
        let width = self.embedding.unwrap_or(self.hidden);
        match cx.head {
            Head::None => {}
            Head::Language | Head::Pretraining => {
                let tied = match cx.tied {
                    Some(tied) => tied,
                    None => cx.config.flag("tie_word_embeddings", false)?,
                };
                let tied = self.ties && tied;
                language_head(parts, width, self.vocabulary, tied).biased(self.head_bias && !tied);
                if self.head_bias && tied {
                    parts.vector(Role::Head, "lm_head.bias", self.vocabulary);
                }
            }
            Head::Sequence | Head::Choice => {
                let labels = if cx.head == Head::Choice { 1 } else { cx.labels()? };
                parts.matmul(Role::Head, "score", width, labels).split(crate::Split::Replicated);
            }
            Head::Token => {
                let labels = cx.labels()?;
                let head = parts.matmul(Role::Head, "score", width, labels);
                head.biased(true).split(crate::Split::Replicated);
            }
            Head::Question => {
                let head = parts.matmul(Role::Head, "qa_outputs", width, 2);
                head.biased(true).split(crate::Split::Replicated);
            }
        }
        Ok(())
    }
}

/// A head over the vocabulary, with storage of its own or that of the embedding.
pub(crate) fn language_head(parts: &mut Parts, width: u64, vocabulary: u64, tied: bool) -> &mut Weight {
    let head = parts.matmul(Role::Head, "lm_head", width, vocabulary);
    head.stored(if tied { Storage::Shared(0) } else { Storage::Own })
}
