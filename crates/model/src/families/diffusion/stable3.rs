//! The transformers of Stable Diffusion 3 (arXiv 2403.03206) and PixArt (arXiv 2310.00426, 2403.04692).

use maat_base::Fault;

use super::blocks::{Joint, LATENT, conv, embedder, feed_forward, linear, once, over, refuse};
use crate::assemble::Context;
use crate::parts::{Norm, Parts};
use crate::{Length, Role, Stack};

/// Positions of an image whose latents are read in square patches.
fn patches(patch: u64) -> Length {
    let side = LATENT.saturating_mul(patch);
    Length::Pixels { pixels: side.saturating_mul(side), frames: 1 }
}

pub(in super::super) fn stable3(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let heads = config.int_or("num_attention_heads", 18)?;
    let head_dim = config.int_or("attention_head_dim", 64)?;
    let width = heads.saturating_mul(head_dim);
    let layers = if config.stated("num_layers").is_some() { config.depth("num_layers")? } else { 18 };
    let channels = config.int_or("in_channels", 16)?;
    let outputs = config.int_or("out_channels", 16)?;
    let patch = config.int_or("patch_size", 2)?;
    let normed = match config.text("qk_norm").as_deref() {
        None => false,
        Some("rms_norm") => true,
        Some(_) => return Err(refuse(config, "qk_norm")),
    };
    let twice = config.numbers("dual_attention_layers")?.unwrap_or_default();
    let last = layers - 1;
    let attention = Joint::new("attn", width, heads, head_dim);
    let norms = |parts: &mut Parts, name: &str| {
        if normed {
            parts.norm(Norm::Rms, format!("{name}_q"), head_dim);
            parts.norm(Norm::Rms, format!("{name}_k"), head_dim);
        }
    };

    let mut time = once(cx, "time_text_embed", width);
    embedder(&mut time.before, "time_text_embed.timestep_embedder", 256, width);
    let pooled = config.int_or("pooled_projection_dim", 2048)?;
    embedder(&mut time.before, "time_text_embed.text_embedder", pooled, width);
    time.layers(cx, layers, |parts, layer| {
        let wide = if twice.contains(&layer) { 9 } else { 6 };
        linear(parts, "norm1.linear", width, wide * width);
        // The last block's text is read no more.
        linear(parts, "norm1_context.linear", width, if layer == last { 2 } else { 6 } * width);
        Ok(Vec::new())
    })?;
    linear(&mut time.after, "norm_out.linear", width, 2 * width);

    let mut main = over(cx, "transformer_blocks".to_owned(), width, patches(patch));
    conv(&mut main.before, "pos_embed.proj", channels, width, patch);
    main.layers(cx, layers, |parts, layer| {
        let mut mixers = vec![attention.describe(parts)];
        norms(parts, "attn.norm");
        if twice.contains(&layer) {
            mixers.push(Joint { at: "attn2", ..attention }.describe(parts));
            norms(parts, "attn2.norm");
        }
        feed_forward(parts, "ff", width, 4 * width, false);
        Ok(mixers)
    })?;
    linear(&mut main.after, "proj_out", width, patch.saturating_mul(patch).saturating_mul(outputs));

    let mut words = over(cx, "transformer_blocks.context".to_owned(), width, Length::Prompt);
    let text = config.int_or("joint_attention_dim", 4096)?;
    linear(&mut words.before, "context_embedder", text, config.int_or("caption_projection_dim", 1152)?);
    words.layers(cx, layers, |parts, layer| {
        Joint { at: "attn.added", out: layer != last, ..attention }.describe(parts);
        norms(parts, "attn.norm_added");
        if layer != last {
            feed_forward(parts, "ff_context", width, 4 * width, false);
        }
        Ok(Vec::new())
    })?;
    Ok(vec![main.done(), words.done(), time.done()])
}

pub(in super::super) fn pixart(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let heads = config.int_or("num_attention_heads", 16)?;
    let head_dim = config.int_or("attention_head_dim", 72)?;
    let width = heads.saturating_mul(head_dim);
    let layers = if config.stated("num_layers").is_some() { config.depth("num_layers")? } else { 28 };
    let patch = config.int_or("patch_size", 2)?;
    let side = config.int_or("sample_size", 128)?;
    // The library embeds the size of the image where it is 1,024 pixels and nothing else is said.
    let sized = if config.stated("use_additional_conditions").is_some() {
        config.flag("use_additional_conditions", false)?
    } else {
        side == 128
    };
    let bias = config.flag("attention_bias", true)?;

    let mut time = once(cx, "adaln_single", width);
    embedder(&mut time.before, "adaln_single.emb.timestep_embedder", 256, width);
    if sized {
        embedder(&mut time.before, "adaln_single.emb.resolution_embedder", 256, width / 3);
        embedder(&mut time.before, "adaln_single.emb.aspect_ratio_embedder", 256, width / 3);
    }
    linear(&mut time.before, "adaln_single.linear", width, 6 * width);
    time.after.vector(Role::Other, "scale_shift_table", 2 * width);

    let mut main = over(cx, "transformer_blocks".to_owned(), width, patches(patch));
    conv(&mut main.before, "pos_embed.proj", config.int_or("in_channels", 4)?, width, patch);
    let own = Joint { bias, ..Joint::new("attn1", width, heads, head_dim) };
    let text = Joint { at: "attn2", text: Some(config.int_or("cross_attention_dim", 1152)?), ..own };
    main.layers(cx, layers, |parts, _| {
        parts.vector(Role::Other, "scale_shift_table", 6 * width);
        let mixers = vec![own.describe(parts), text.describe(parts)];
        feed_forward(parts, "ff", width, 4 * width, false);
        Ok(mixers)
    })?;
    let outputs = config.int_or("out_channels", 8)?;
    linear(&mut main.after, "proj_out", width, patch.saturating_mul(patch).saturating_mul(outputs));

    let mut words = over(cx, "caption_projection".to_owned(), width, Length::Prompt);
    let caption =
        if config.map().contains_key("caption_channels") { config.maybe("caption_channels")? } else { None };
    if let Some(caption) = caption {
        embedder(&mut words.before, "caption_projection", caption, width);
    }
    Ok(vec![main.done(), words.done(), time.done()])
}
