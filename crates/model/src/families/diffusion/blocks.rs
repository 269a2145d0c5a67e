//! Blocks that several networks of diffusion share.

use maat_base::Fault;

use crate::assemble::{Context, Draft};
use crate::blocks::softmax;
use crate::config::Config;
use crate::parts::{Norm, Parts};
use crate::{Compute, Length, Mixer, Role, StackKind};

/// Pixels along a side of the image for a position of the latent image, where autoencoders halve three times.
pub(super) const LATENT: u64 = 8;

/// A stack over the positions of a latent image that was made smaller so many times more.
pub(super) fn stack(cx: &Context, path: String, width: u64, halved: u32) -> Draft {
    let side = LATENT << halved.min(16);
    over(cx, path, width, Length::Pixels { pixels: side * side, frames: 1 })
}

/// A stack of what removes the noise, over any positions.
pub(super) fn over(cx: &Context, path: String, width: u64, over: Length) -> Draft {
    let mut draft = Draft::other(cx, StackKind::Denoiser, "", width, over);
    draft.path = path.into();
    draft
}

/// What runs once a step, whatever the size of the image: the time and what modulates by it.
pub(super) fn once(cx: &Context, path: &str, width: u64) -> Draft {
    over(cx, path.to_owned(), width, Length::Fixed(1))
}

/// A matrix product with a bias that belongs to no attention or feed-forward block.
pub(super) fn linear(parts: &mut Parts, name: impl Into<String>, inputs: u64, outputs: u64) {
    parts.matmul(Role::Other, name.into(), inputs, outputs).biased(true);
}

/// Two matrices with an activation between them, as times and texts are embedded.
pub(super) fn embedder(parts: &mut Parts, name: &str, inputs: u64, width: u64) {
    linear(parts, format!("{name}.linear_1"), inputs, width);
    linear(parts, format!("{name}.linear_2"), width, width);
}

/// A square convolution with a bias.
pub(super) fn conv(parts: &mut Parts, name: impl Into<String>, inputs: u64, outputs: u64, side: u64) {
    parts.conv(name.into(), inputs, outputs, side * side).biased(true);
}

/// A residual block (arXiv 2112.10752): two convolutions, between them the time where there is one.
pub(super) fn residual(parts: &mut Parts, name: &str, (inputs, outputs): (u64, u64), time: Option<u64>) {
    parts.norm(Norm::Layer, format!("{name}.norm1"), inputs);
    conv(parts, format!("{name}.conv1"), inputs, outputs, 3);
    if let Some(time) = time {
        linear(parts, format!("{name}.time_emb_proj"), time, outputs);
    }
    parts.norm(Norm::Layer, format!("{name}.norm2"), outputs);
    conv(parts, format!("{name}.conv2"), outputs, outputs, 3);
    if inputs != outputs {
        conv(parts, format!("{name}.conv_shortcut"), inputs, outputs, 1);
    }
}

/// Attention that sees all positions and keeps nothing.
#[derive(Clone, Copy)]
pub(super) struct Joint {
    pub at: &'static str,
    pub width: u64,
    pub heads: u64,
    pub head_dim: u64,
    /// Whether queries, keys and values have biases; the output always has one.
    pub bias: bool,
    /// Width of what is read, for attention over a text.
    pub text: Option<u64>,
    /// Whether a matrix leads back to the stream.
    pub out: bool,
}

impl Joint {
    pub(super) fn new(at: &'static str, width: u64, heads: u64, head_dim: u64) -> Self {
        Self { at, width, heads, head_dim, bias: true, text: None, out: true }
    }

    pub(super) fn describe(self, parts: &mut Parts) -> Mixer {
        let inner = self.heads.saturating_mul(self.head_dim);
        let read = self.text.unwrap_or(self.width);
        for (role, name, from) in
            [(Role::Query, "to_q", self.width), (Role::Key, "to_k", read), (Role::Value, "to_v", read)]
        {
            parts.matmul(role, format!("{}.{name}", self.at), from, inner).biased(self.bias);
        }
        if self.out {
            let out = format!("{}.to_out.0", self.at);
            parts.matmul(Role::AttentionOut, out, inner, self.width).biased(true);
        }
        if self.text.is_some() {
            let compute = Compute::Cross { heads: self.heads, head_dim: self.head_dim, over: Length::Prompt };
            return Mixer { compute, caches: Vec::new(), state: None };
        }
        let mut mixer = softmax(self.heads, self.heads, (self.head_dim, self.head_dim), None);
        mixer.caches.clear();
        if let Compute::Attention { causal, .. } = &mut mixer.compute {
            *causal = false;
        }
        mixer
    }
}

/// A feed-forward block with biases; with `gated` the first matrix is twice as wide.
pub(super) fn feed_forward(parts: &mut Parts, at: &str, width: u64, inner: u64, gated: bool) {
    let (role, wide) = if gated { (Role::GateUp, 2 * inner) } else { (Role::Up, inner) };
    parts.matmul(role, format!("{at}.net.0.proj"), width, wide).biased(true);
    parts.matmul(Role::Down, format!("{at}.net.2"), inner, width).biased(true);
}

/// A number for each of `count` blocks: one for all, or a list.
pub(super) fn each(config: &Config, key: &str, default: u64, count: usize) -> Result<Vec<u64>, Fault> {
    if config.is_list(key) || config.stated(key).is_some() {
        config.per_layer(key, count as u64)
    } else {
        Ok(vec![default; count])
    }
}

/// A feature that a file asks for and that is not described.
pub(super) fn refuse(config: &Config, key: &str) -> Fault {
    let value = config.stated(key).map(ToString::to_string).unwrap_or_default();
    config.fault(key, "config-not-described").with("value", value.chars().take(40).collect::<String>())
}
