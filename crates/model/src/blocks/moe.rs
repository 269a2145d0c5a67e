//! Mixtures of experts.

use std::sync::Arc;

use crate::blocks::{Mlp, mlp};
use crate::parts::Parts;
use crate::{Encoding, Part, Role, Storage};

/// Experts of which each token visits a few.
#[expect(clippy::struct_excessive_bools, reason = "independent features of a family, named one by one")]
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moe {
    /// Path in the layer.
    pub at: &'static str,
    /// Name of the router below it.
    pub router: &'static str,
    pub hidden: u64,
    pub inner: u64,
    pub experts: u64,
    pub chosen: u64,
    pub gated: bool,
    /// Biases of shared and latent matrices.
    pub bias: bool,
    pub expert_bias: bool,
    pub router_bias: bool,
    /// Whether the router has DeepSeek-V3's correction for load balance: stored, no parameter of the library's class.
    pub correction: bool,
    /// Whether the class learns that correction.
    pub correction_learned: bool,
    /// Width that experts read and write, where a pair of matrices takes the stream there and back.
    pub latent: Option<u64>,
    pub shared: Option<Shared>,
}

/// An expert that every token visits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shared {
    /// Its name below the block.
    pub name: &'static str,
    pub inner: u64,
    /// Whether a learned scalar weighs it for each token.
    pub weighed: bool,
}

impl Moe {
    /// Gated experts without biases, and a router.
    pub(crate) fn new(hidden: u64, inner: u64, experts: u64, chosen: u64) -> Self {
        Self {
            at: "mlp",
            router: "gate",
            hidden,
            inner,
            experts,
            chosen: chosen.min(experts),
            gated: true,
            bias: false,
            expert_bias: false,
            router_bias: false,
            correction: false,
            correction_learned: false,
            latent: None,
            shared: None,
        }
    }

    /// Adds its weights.
    pub(crate) fn describe(&self, parts: &mut Parts) {
        let Self { at, router, hidden, inner, experts, .. } = *self;
        parts.within(Part::Router, |parts| {
            parts.matmul(Role::Router, format!("{at}.{router}"), hidden, experts).biased(self.router_bias);
            if self.correction || self.correction_learned {
                let name = format!("{at}.{router}.e_score_correction_bias");
                let encoding = Arc::new(Encoding::plain("fp32", 32));
                let storage = if self.correction_learned { Storage::Own } else { Storage::Buffer };
                parts.vector(Role::Router, name, experts).stored(storage).encoded(&encoding);
            }
        });
        let width = self.latent.unwrap_or(hidden);
        if self.latent.is_some() {
            parts.within(Part::SharedExperts, |parts| {
                parts
                    .matmul(Role::LatentDown, format!("{at}.fc1_latent_proj"), hidden, width)
                    .biased(self.bias);
                parts
                    .matmul(Role::LatentUp, format!("{at}.fc2_latent_proj"), width, hidden)
                    .biased(self.bias);
            });
        }
        parts.within(Part::RoutedExperts, |parts| {
            let mut expert = |role, name: &str, inputs, outputs| {
                let weight = parts.matmul(role, format!("{at}.experts.*.{name}"), inputs, outputs);
                weight.biased(self.expert_bias).times(experts, self.chosen);
            };
            if self.gated {
                expert(Role::Gate, "gate_proj", width, inner);
            }
            expert(Role::Up, "up_proj", width, inner);
            expert(Role::Down, "down_proj", inner, width);
        });
        if let Some(shared) = self.shared {
            self.describe_shared(parts, shared);
        }
    }

    fn describe_shared(&self, parts: &mut Parts, shared: Shared) {
        parts.within(Part::SharedExperts, |parts| {
            let block = Mlp { hidden: self.hidden, inner: shared.inner, gated: self.gated, bias: self.bias };
            mlp(parts, &format!("{}.{}", self.at, shared.name), block);
            if shared.weighed {
                let name = format!("{}.{}_gate", self.at, shared.name);
                parts.matmul(Role::Router, name, self.hidden, 1);
            }
        });
    }
}
