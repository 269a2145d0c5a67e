//! Transformers of video: Wan, LTX-Video, CogVideoX.

use maat_base::Fault;

use super::blocks::{Joint, embedder, feed_forward, linear, once, over, refuse};
use crate::assemble::Context;
use crate::config::Config;
use crate::parts::{Norm, Parts};
use crate::{Length, Role, Stack};

/// Layers under a key, or the library's default.
fn depth(config: &Config, key: &str, default: u64) -> Result<u64, Fault> {
    if config.stated(key).is_some() { config.depth(key) } else { Ok(default) }
}

/// Norms of all queries and of all keys together.
fn norms(parts: &mut Parts, at: &str, width: u64) {
    parts.norm(Norm::Rms, format!("{at}.norm_q"), width);
    parts.norm(Norm::Rms, format!("{at}.norm_k"), width);
}

/// Wan 2.1 and 2.2, for text and for an image to video.
pub(in super::super) fn wan(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    if config.stated("pos_embed_seq_len").is_some() {
        return Err(refuse(config, "pos_embed_seq_len"));
    }
    let heads = config.int_or("num_attention_heads", 40)?;
    let head_dim = config.int_or("attention_head_dim", 128)?;
    let width = heads.saturating_mul(head_dim);
    let inner = config.int_or("ffn_dim", 13824)?;
    let patch = config.numbers("patch_size")?.unwrap_or_else(|| vec![1, 2, 2]);
    let &[frames, high, wide] = patch.as_slice() else { return Err(refuse(config, "patch_size")) };
    let kernel = frames.saturating_mul(high).saturating_mul(wide);
    let crossed = config.flag("cross_attn_norm", true)?;
    let times = config.int_or("freq_dim", 256)?;

    let mut time = once(cx, "condition_embedder", width);
    embedder(&mut time.before, "condition_embedder.time_embedding", times, width);
    linear(&mut time.before, "condition_embedder.time_proj", width, 6 * width);
    time.after.vector(Role::Other, "scale_shift_table", 2 * width);
    let mut words = over(cx, "condition_embedder.text_embedder".to_owned(), width, Length::Prompt);
    embedder(&mut words.before, "condition_embedder.text_embedder", config.int_or("text_dim", 4096)?, width);

    let added = config.maybe("added_kv_proj_dim")?;
    if let Some(image) = config.maybe("image_dim")? {
        let at = "condition_embedder.image_embedder";
        words.after.norm(Norm::Layer, format!("{at}.norm1"), image);
        linear(&mut words.after, format!("{at}.ff.net.0.proj"), image, image);
        linear(&mut words.after, format!("{at}.ff.net.2"), image, width);
        words.after.norm(Norm::Layer, format!("{at}.norm2"), width);
    }

    // Its autoencoder gives one latent for 8 x 8 pixels of 4 frames.
    let pixels = 64_u64.saturating_mul(high).saturating_mul(wide);
    let over_clip = Length::Pixels { pixels, frames: frames.saturating_mul(4) };
    let mut main = over(cx, "blocks".to_owned(), width, over_clip);
    let channels = config.int_or("in_channels", 16)?;
    main.before.conv("patch_embedding", channels, width, kernel).biased(true);
    let own = Joint::new("attn1", width, heads, head_dim);
    let text = Joint { at: "attn2", text: Some(width), ..own };
    main.layers(cx, depth(config, "num_layers", 40)?, |parts, _| {
        parts.vector(Role::Other, "scale_shift_table", 6 * width);
        let mixers = vec![own.describe(parts), text.describe(parts)];
        norms(parts, "attn1", width);
        norms(parts, "attn2", width);
        if let Some(added) = added {
            parts.matmul(Role::Key, "attn2.add_k_proj", added, width).biased(true);
            parts.matmul(Role::Value, "attn2.add_v_proj", added, width).biased(true);
            parts.norm(Norm::Rms, "attn2.norm_added_k", width);
        }
        if crossed {
            parts.norm(Norm::Layer, "norm2", width);
        }
        feed_forward(parts, "ffn", width, inner, false);
        Ok(mixers)
    })?;
    let outputs = config.int_or("out_channels", 16)?;
    linear(&mut main.after, "proj_out", width, kernel.saturating_mul(outputs));
    Ok(vec![main.done(), words.done(), time.done()])
}

pub(in super::super) fn ltx(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let heads = config.int_or("num_attention_heads", 32)?;
    let head_dim = config.int_or("attention_head_dim", 64)?;
    let width = heads.saturating_mul(head_dim);
    let inputs = config.int_or("in_channels", 128)?;
    let outputs = config.int_or("out_channels", inputs)?;
    let bias = config.flag("attention_bias", true)?;

    let mut time = once(cx, "time_embed", width);
    embedder(&mut time.before, "time_embed.emb.timestep_embedder", 256, width);
    linear(&mut time.before, "time_embed.linear", width, 6 * width);
    time.after.vector(Role::Other, "scale_shift_table", 2 * width);
    let mut words = over(cx, "caption_projection".to_owned(), width, Length::Prompt);
    embedder(&mut words.before, "caption_projection", config.int_or("caption_channels", 4096)?, width);

    // Its autoencoder gives one latent for 32 x 32 pixels of 8 frames.
    let over_clip = Length::Pixels { pixels: 1024, frames: 8 };
    let mut main = over(cx, "transformer_blocks".to_owned(), width, over_clip);
    linear(&mut main.before, "proj_in", inputs, width);
    let own = Joint { bias, ..Joint::new("attn1", width, heads, head_dim) };
    let text = Joint { at: "attn2", text: Some(config.int_or("cross_attention_dim", 2048)?), ..own };
    main.layers(cx, depth(config, "num_layers", 28)?, |parts, _| {
        parts.vector(Role::Other, "scale_shift_table", 6 * width);
        let mixers = vec![own.describe(parts), text.describe(parts)];
        norms(parts, "attn1", width);
        norms(parts, "attn2", width);
        feed_forward(parts, "ff", width, 4 * width, false);
        Ok(mixers)
    })?;
    linear(&mut main.after, "proj_out", width, outputs);
    Ok(vec![main.done(), words.done(), time.done()])
}

/// `CogVideoX`, 1.5 too, for text and for an image to video.
pub(in super::super) fn cogvideo(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let heads = config.int_or("num_attention_heads", 30)?;
    let head_dim = config.int_or("attention_head_dim", 64)?;
    let width = heads.saturating_mul(head_dim);
    let times = config.int_or("time_embed_dim", 512)?;
    let patch = config.int_or("patch_size", 2)?;
    let layers = depth(config, "num_layers", 30)?;

    let mut time = once(cx, "time_embedding", times);
    linear(&mut time.before, "time_embedding.linear_1", width, times);
    linear(&mut time.before, "time_embedding.linear_2", times, times);
    if let Some(ofs) = config.maybe("ofs_embed_dim")? {
        linear(&mut time.before, "ofs_embedding.linear_1", ofs, ofs);
        linear(&mut time.before, "ofs_embedding.linear_2", ofs, ofs);
    }
    time.layers(cx, layers, |parts, _| {
        linear(parts, "norm1.linear", times, 6 * width);
        linear(parts, "norm2.linear", times, 6 * width);
        Ok(Vec::new())
    })?;
    linear(&mut time.after, "norm_out.linear", times, 2 * width);
    let mut words = over(cx, "patch_embed.text_proj".to_owned(), width, Length::Prompt);
    linear(&mut words.before, "patch_embed.text_proj", config.int_or("text_embed_dim", 4096)?, width);

    let frames = config.maybe("patch_size_t")?.unwrap_or(1);
    let pixels = 64_u64.saturating_mul(patch).saturating_mul(patch);
    let mut main = over(
        cx,
        "transformer_blocks".to_owned(),
        width,
        Length::Pixels { pixels, frames: frames.saturating_mul(4) },
    );
    let kernel = patch.saturating_mul(patch).saturating_mul(frames);
    // The matrix that reads patches of several frames always has a bias.
    let bias = config.stated("patch_size_t").is_some() || config.flag("patch_bias", true)?;
    main.before.conv("patch_embed.proj", config.int_or("in_channels", 16)?, width, kernel).biased(bias);
    let own = Joint::new("attn1", width, heads, head_dim);
    main.layers(cx, layers, |parts, _| {
        parts.norm(Norm::Layer, "norm1.norm", width);
        let mixer = own.describe(parts);
        parts.norm(Norm::Layer, "attn1.norm_q", head_dim);
        parts.norm(Norm::Layer, "attn1.norm_k", head_dim);
        parts.norm(Norm::Layer, "norm2.norm", width);
        feed_forward(parts, "ff", width, 4 * width, false);
        Ok(vec![mixer])
    })?;
    main.after.norm(Norm::Layer, "norm_final", width);
    main.after.norm(Norm::Layer, "norm_out.norm", width);
    let outputs = config.int_or("out_channels", 16)?;
    linear(&mut main.after, "proj_out", width, kernel.saturating_mul(outputs));
    Ok(vec![main.done(), words.done(), time.done()])
}
