//! Collects the weights of one layer, with what nearly always holds filled in.

use std::borrow::Cow;
use std::sync::Arc;

use crate::{Encoding, Part, Role, Shape, Split, Storage, Weight};

/// A normalisation's kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Norm {
    /// A weight for each element.
    Rms,
    /// A weight and a bias for each element.
    Layer,
    /// Nothing learned.
    Bare,
}

/// The weights of a layer that is being described.
pub(crate) struct Parts {
    dtype: Arc<Encoding>,
    scope: Option<Part>,
    list: Vec<Weight>,
}

impl Parts {
    /// No weights yet, all of them to be stored in `dtype`.
    pub(crate) fn new(dtype: &Arc<Encoding>) -> Self {
        Self { dtype: dtype.clone(), scope: None, list: Vec::new() }
    }

    /// No weights yet, all of them part of a tower.
    pub(crate) fn of_tower(dtype: &Arc<Encoding>) -> Self {
        Self { scope: Some(Part::Towers), ..Self::new(dtype) }
    }

    /// No weights yet, of the same type and part as `other`.
    pub(crate) fn like(other: &Self) -> Self {
        Self { dtype: other.dtype.clone(), scope: other.scope, list: Vec::new() }
    }

    /// Marks all weights as other uses of storage that has the number `owner`.
    pub(crate) fn share(&mut self, owner: u16) {
        self.list.iter_mut().for_each(|weight| weight.storage = Storage::Shared(owner));
    }

    /// Adds a weight that was described elsewhere.
    pub(crate) fn add(&mut self, weight: Weight) {
        self.list.push(weight);
    }

    /// The weights, in the order they were added.
    pub(crate) fn done(self) -> Vec<Weight> {
        self.list
    }

    /// Runs `describe`, and files all that it adds under `part`.
    pub(crate) fn within<T>(&mut self, part: Part, describe: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.scope;
        self.scope = outer.or(Some(part));
        let result = describe(self);
        self.scope = outer;
        result
    }

    /// A matrix product.
    pub(crate) fn matmul(
        &mut self,
        role: Role,
        name: impl Into<Cow<'static, str>>,
        inputs: u64,
        outputs: u64,
    ) -> &mut Weight {
        self.push(role, name.into(), Shape::MatMul { inputs, outputs, bias: false })
    }

    /// A vector of scalars that are learned one by one.
    pub(crate) fn vector(
        &mut self,
        role: Role,
        name: impl Into<Cow<'static, str>>,
        length: u64,
    ) -> &mut Weight {
        self.push(role, name.into(), Shape::Vector { length })
    }

    /// A table of which a token reads a row.
    pub(crate) fn table(&mut self, name: impl Into<Cow<'static, str>>, rows: u64, width: u64) -> &mut Weight {
        self.push(Role::Embed, name.into(), Shape::Table { rows, width })
    }

    /// A convolution; `inputs` are the channels of one group.
    pub(crate) fn conv(
        &mut self,
        name: impl Into<Cow<'static, str>>,
        inputs: u64,
        outputs: u64,
        kernel: u64,
    ) -> &mut Weight {
        self.push(Role::Other, name.into(), Shape::Conv { inputs, outputs, kernel, bias: false })
    }

    /// A normalisation over `width` elements.
    pub(crate) fn norm(&mut self, norm: Norm, name: impl Into<Cow<'static, str>>, width: u64) {
        let vectors = match norm {
            Norm::Rms => 1,
            Norm::Layer => 2,
            Norm::Bare => return,
        };
        self.vector(Role::Norm, name, width * vectors);
    }

    fn push(&mut self, role: Role, name: Cow<'static, str>, shape: Shape) -> &mut Weight {
        self.list.push(Weight {
            name,
            part: self.scope.unwrap_or(usual_part(role)),
            role,
            shape,
            copies: 1,
            active: 1,
            split: usual_split(role),
            storage: Storage::Own,
            encoding: self.dtype.clone(),
            bias_encoding: self.dtype.clone(),
        });
        let last = self.list.len() - 1;
        &mut self.list[last]
    }
}

/// The part that a weight of a role belongs to, where nothing else is said.
fn usual_part(role: Role) -> Part {
    match role {
        Role::Query
        | Role::Key
        | Role::Value
        | Role::Qkv
        | Role::AttentionOut
        | Role::LatentDown
        | Role::LatentUp
        | Role::Indexer => Part::Attention,
        Role::Gate | Role::Up | Role::GateUp | Role::Down => Part::Mlp,
        Role::Router => Part::Router,
        Role::Norm => Part::Norm,
        Role::Embed => Part::Embedding,
        Role::Head => Part::Head,
        Role::StateIn | Role::StateOut => Part::StateSpace,
        Role::Other => Part::Other,
    }
}

/// How tensor parallelism divides a weight of a role, where nothing else is said (the scheme of Megatron-LM).
fn usual_split(role: Role) -> Split {
    match role {
        Role::Query
        | Role::Key
        | Role::Value
        | Role::Qkv
        | Role::LatentUp
        | Role::Gate
        | Role::Up
        | Role::GateUp
        | Role::StateIn => Split::Column,
        Role::AttentionOut | Role::Down | Role::StateOut => Split::Row,
        Role::Embed | Role::Head => Split::Vocabulary,
        Role::LatentDown | Role::Indexer | Role::Router | Role::Norm | Role::Other => Split::Replicated,
    }
}

/// Adjustments to a weight that was just added.
impl Weight {
    pub(crate) fn biased(&mut self, biased: bool) -> &mut Self {
        if let Shape::MatMul { bias, .. } | Shape::Conv { bias, .. } = &mut self.shape {
            *bias = biased;
        }
        self
    }

    pub(crate) fn times(&mut self, copies: u64, active: u64) -> &mut Self {
        (self.copies, self.active) = (copies, active);
        self
    }

    pub(crate) fn split(&mut self, split: Split) -> &mut Self {
        self.split = split;
        self
    }

    pub(crate) fn stored(&mut self, storage: Storage) -> &mut Self {
        self.storage = storage;
        self
    }

    pub(crate) fn in_part(&mut self, part: Part) -> &mut Self {
        self.part = part;
        self
    }

    pub(crate) fn encoded(&mut self, encoding: &Arc<Encoding>) -> &mut Self {
        self.encoding = encoding.clone();
        self.bias_encoding = encoding.clone();
        self
    }
}
