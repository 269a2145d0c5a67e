//! The transformer of Flux: blocks with a stream for the image and one for the text, then blocks of one stream. What
//! modulates by the time runs once a step; what reads the text runs over the text.

use maat_base::Fault;

use super::blocks::{Joint, embedder, feed_forward, linear, once, over};
use crate::assemble::Context;
use crate::parts::Norm;
use crate::{Length, Role, Stack};

pub(in super::super) fn flux(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let heads = config.int_or("num_attention_heads", 24)?;
    let head_dim = config.int_or("attention_head_dim", 128)?;
    let width = heads.saturating_mul(head_dim);
    let inputs = config.int_or("in_channels", 64)?;
    let outputs = config.maybe("out_channels")?.unwrap_or(inputs);
    let patch = config.int_or("patch_size", 1)?;
    let twins = if config.stated("num_layers").is_some() { config.layers("num_layers")? } else { 19 };
    let singles =
        if config.stated("num_single_layers").is_some() { config.layers("num_single_layers")? } else { 38 };
    // Two latents along a side are one token; an autoencoder gives one latent for eight pixels.
    let image = Length::Pixels { pixels: 256, frames: 1 };

    let mut time = once(cx, "time_text_embed", width);
    let before = &mut time.before;
    embedder(before, "time_text_embed.timestep_embedder", 256, width);
    if config.flag("guidance_embeds", false)? {
        embedder(before, "time_text_embed.guidance_embedder", 256, width);
    }
    embedder(before, "time_text_embed.text_embedder", config.int_or("pooled_projection_dim", 768)?, width);
    time.layers(cx, twins, |parts, _| {
        linear(parts, "norm1.linear", width, 6 * width);
        linear(parts, "norm1_context.linear", width, 6 * width);
        Ok(Vec::new())
    })?;
    time.layers(cx, singles, |parts, _| {
        linear(parts, "norm.linear", width, 3 * width);
        Ok(Vec::new())
    })?;
    linear(&mut time.after, "norm_out.linear", width, 2 * width);

    let mut main = over(cx, "transformer_blocks".to_owned(), width, image);
    linear(&mut main.before, "x_embedder", inputs, width);
    let attention = Joint::new("attn", width, heads, head_dim);
    main.layers(cx, twins, |parts, _| {
        let mixer = attention.describe(parts);
        norms(parts, "attn.norm", head_dim);
        feed_forward(parts, "ff", width, 4 * width, false);
        Ok(vec![mixer])
    })?;

    let mut words = over(cx, "transformer_blocks.context".to_owned(), width, Length::Prompt);
    linear(&mut words.before, "context_embedder", config.int_or("joint_attention_dim", 4096)?, width);
    words.layers(cx, twins, |parts, _| {
        // Its queries, keys and values go into the attention of the image's stream.
        Joint { at: "attn.added", ..attention }.describe(parts);
        norms(parts, "attn.norm_added", head_dim);
        feed_forward(parts, "ff_context", width, 4 * width, false);
        Ok(Vec::new())
    })?;

    let joined = Length::PixelsAndPrompt { pixels: 256, frames: 1 };
    let mut single = over(cx, "single_transformer_blocks".to_owned(), width, joined);
    single.layers(cx, singles, |parts, _| {
        let mixer = Joint { out: false, ..attention }.describe(parts);
        norms(parts, "attn.norm", head_dim);
        parts.matmul(Role::Up, "proj_mlp", width, 4 * width).biased(true);
        parts.matmul(Role::Down, "proj_out", 5 * width, width).biased(true);
        Ok(vec![mixer])
    })?;
    linear(&mut single.after, "proj_out", width, patch * patch * outputs);
    Ok(vec![main.done(), single.done(), words.done(), time.done()])
}

/// Norms of queries and keys.
fn norms(parts: &mut crate::parts::Parts, name: &str, width: u64) {
    parts.norm(Norm::Rms, format!("{name}_q"), width);
    parts.norm(Norm::Rms, format!("{name}_k"), width);
}
