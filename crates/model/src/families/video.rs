//! Vision transformers with something more: detection tokens, frames, stages that reduce keys.

use maat_base::Fault;

use super::encoder::dense;
use super::plain::positions;
use super::vision::{Patches, VitLayer, pair};
use crate::assemble::{Context, Draft};
use crate::blocks::{Attention, Mlp};
use crate::class::Head;
use crate::config::Config;
use crate::parts::{Norm, Parts};
use crate::{Length, Role, Stack, StackKind};

fn layer_of(config: &Config, bias: &str) -> Result<VitLayer, Fault> {
    let (hidden, heads) = (config.int("hidden_size")?, config.int("num_attention_heads")?);
    let layer = VitLayer::new(hidden, heads, config.int("intermediate_size")?);
    Ok(layer.qkv_bias(config.flag(bias, true)?))
}

fn labels(cx: &Context, parts: &mut Parts, width: u64) -> Result<(), Fault> {
    if cx.head == Head::Sequence {
        dense(parts, "classifier", width, cx.labels()?);
    }
    Ok(())
}

/// YOLOS: tokens that become boxes, and positions between the layers.
pub(super) fn yolos(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let layer = layer_of(config, "qkv_bias")?;
    let hidden = layer.mlp.hidden;
    let patches = Patches::read(config)?;
    let detections = config.int("num_detection_tokens")?;
    let rows = patches.count + detections + 1;
    let mut draft = Draft::other(cx, StackKind::Encoder, "encoder.layer", hidden, Length::PerItem(rows));
    let channels = config.int_or("num_channels", 3)?;
    draft.before.conv("embeddings.patch_embeddings", channels, hidden, patches.area).biased(true);
    draft.before.vector(Role::Other, "embeddings.tokens", hidden * (detections + 1));
    positions(&mut draft.before, "embeddings.position_embeddings", rows, hidden);
    let layers = config.depth("num_hidden_layers")?;
    if config.flag("use_mid_position_embeddings", true)? {
        let between = layers.saturating_sub(1);
        positions(&mut draft.before, "encoder.mid_position_embeddings", between * rows, hidden);
    }
    draft.layers(cx, layers, |parts, _| Ok(vec![layer.describe(parts)]))?;
    draft.after.norm(Norm::Layer, "layernorm", hidden);
    if cx.head == Head::None {
        dense(&mut draft.after, "pooler.dense", hidden, hidden);
    }
    Ok(vec![draft.done()])
}

/// VideoMAE: patches over time, fixed positions, no bias on keys.
pub(super) fn videomae(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let mut layer = layer_of(config, "qkv_bias")?;
    let biased = config.flag("qkv_bias", true)?;
    layer.attention.bias = [biased, false, biased];
    let hidden = layer.mlp.hidden;
    let patches = Patches::read(config)?;
    let span = config.int("tubelet_size")?;
    let count = patches.count * (config.int("num_frames")? / span);
    let mut draft = Draft::other(cx, StackKind::Encoder, "encoder.layer", hidden, Length::PerItem(count));
    let channels = config.int_or("num_channels", 3)?;
    draft.before.conv("embeddings.patch_embeddings", channels, hidden, patches.area * span).biased(true);
    let layers = config.depth("num_hidden_layers")?;
    draft.layers(cx, layers, |parts, _| Ok(vec![layer.describe(parts)]))?;
    // The mean of all patches is normalised behind the encoder, and only where labels follow.
    let pools = config.flag("use_mean_pooling", true)?;
    if !pools || cx.head == Head::Sequence {
        draft.after.norm(Norm::Layer, "layernorm", hidden);
    }
    labels(cx, &mut draft.after, hidden)?;
    if cx.head == Head::Pretraining {
        let pixels = channels * patches.area * span;
        return Ok(vec![draft.done(), videomae_decoder(cx, hidden, pixels)?]);
    }
    Ok(vec![draft.done()])
}

/// What paints the patches that were hidden, when VideoMAE is pretrained.
fn videomae_decoder(cx: &Context, from: u64, pixels: u64) -> Result<Stack, Fault> {
    let config = &cx.config;
    let (hidden, heads) = (config.int("decoder_hidden_size")?, config.int("decoder_num_attention_heads")?);
    let mut layer = VitLayer::new(hidden, heads, config.int("decoder_intermediate_size")?);
    let biased = config.flag("qkv_bias", true)?;
    layer.attention.bias = [biased, false, biased];
    let over = Length::PerItem(Patches::read(config)?.count);
    let mut draft = Draft::other(cx, StackKind::Encoder, "decoder.decoder_layers", hidden, over);
    draft.before.matmul(Role::Other, "encoder_to_decoder", from, hidden);
    draft.before.vector(Role::Other, "mask_token", hidden);
    let layers = config.layers("decoder_num_hidden_layers")?;
    draft.layers(cx, layers, |parts, _| Ok(vec![layer.describe(parts)]))?;
    draft.after.norm(Norm::Layer, "decoder.norm", hidden);
    dense(&mut draft.after, "decoder.head", hidden, pixels);
    Ok(draft.done())
}

/// TimeSformer: attention over space, and before it over time.
pub(super) fn timesformer(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let mut layer = layer_of(config, "qkv_bias")?;
    layer.attention.fused = true;
    let hidden = layer.mlp.hidden;
    let patches = Patches::read(config)?;
    let frames = config.int("num_frames")?;
    let kind = config.text("attention_type").unwrap_or_default();
    let count = patches.count * frames;
    let mut draft = Draft::other(cx, StackKind::Encoder, "encoder.layer", hidden, Length::PerItem(count));
    let channels = config.int_or("num_channels", 3)?;
    draft.before.conv("embeddings.patch_embeddings", channels, hidden, patches.area).biased(true);
    draft.before.vector(Role::Other, "embeddings.cls_token", hidden);
    positions(&mut draft.before, "embeddings.position_embeddings", patches.count + 1, hidden);
    if kind != "space_only" {
        positions(&mut draft.before, "embeddings.time_embeddings", frames, hidden);
    }
    let layers = config.depth("num_hidden_layers")?;
    draft.layers(cx, layers, |parts, _| {
        let mut mixers = vec![layer.describe(parts)];
        if kind == "divided_space_time" {
            parts.norm(Norm::Layer, "temporal_layernorm", hidden);
            mixers.push(Attention { at: "temporal_attention", ..layer.attention }.describe(parts));
            parts.matmul(Role::Other, "temporal_dense", hidden, hidden).biased(true);
        }
        Ok(mixers)
    })?;
    draft.after.norm(Norm::Layer, "layernorm", hidden);
    labels(cx, &mut draft.after, hidden)?;
    Ok(vec![draft.done()])
}

/// SegFormer's encoder: overlapping patches, keys over a coarser grid, a convolution in the MLP.
pub(super) fn segformer(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let list = |key: &str| Ok::<_, Fault>(config.numbers(key)?.unwrap_or_default());
    let (widths, depths) = (list("hidden_sizes")?, list("depths")?);
    let (heads, ratios, reductions) = (list("num_attention_heads")?, list("mlp_ratios")?, list("sr_ratios")?);
    let (patches, strides) = (list("patch_sizes")?, list("strides")?);
    let stages = config.int("num_encoder_blocks")? as usize;
    let at = |list: &[u64], stage: usize, key: &str| {
        list.get(stage).copied().filter(|n| *n > 0).ok_or_else(|| config.fault(key, "config-key-missing"))
    };
    let (mut inputs, mut side) = (config.int_or("num_channels", 3)?, pair_or(config, 224)?);
    let mut stacks = Vec::new();
    for stage in 0..stages.min(16) {
        let width = at(&widths, stage, "hidden_sizes")?;
        let (patch, stride) = (at(&patches, stage, "patch_sizes")?, at(&strides, stage, "strides")?);
        let reduction = at(&reductions, stage, "sr_ratios")?;
        let inner = width.saturating_mul(at(&ratios, stage, "mlp_ratios")?);
        let layer = VitLayer::new(width, at(&heads, stage, "num_attention_heads")?, inner);
        side = (side / stride).max(1);
        let over = Length::PerItem(side * side);
        let mut draft = Draft::other(cx, StackKind::Encoder, "stages", width, over);
        draft.before.conv("patch_embeddings.proj", inputs, width, patch * patch).biased(true);
        draft.before.norm(Norm::Layer, "patch_embeddings.layer_norm", width);
        draft.layers(cx, at(&depths, stage, "depths")?, |parts, _| {
            let mixer = layer.describe(parts);
            if reduction > 1 {
                parts.conv("attention.sequence_reduction", width, width, reduction * reduction).biased(true);
                parts.norm(Norm::Layer, "attention.sequence_reduction.layer_norm", width);
            }
            parts.conv("mlp.dwconv", 1, inner, 9).biased(true);
            Ok(vec![mixer])
        })?;
        draft.after.norm(Norm::Layer, "layer_norm", width);
        if stage + 1 == stages {
            labels(cx, &mut draft.after, at(&widths, widths.len() - 1, "hidden_sizes")?)?;
        }
        stacks.push(draft.done());
        inputs = width;
    }
    Ok(stacks)
}

fn pair_or(config: &Config, usual: u64) -> Result<u64, Fault> {
    if config.stated("image_size").is_some() { Ok(pair(config, "image_size")?.0) } else { Ok(usual) }
}

/// Swin v2: positions from a small network, norms behind the blocks, keys without bias.
pub(super) fn swinv2(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let first = config.int("embed_dim")?;
    let patches = Patches::read(config)?;
    let depths = config.numbers("depths")?.unwrap_or_default();
    let heads = config.numbers("num_heads")?.unwrap_or_default();
    let (window, ratio) = (config.int("window_size")?, config.float("mlp_ratio", 4.0)?);
    let bias = config.flag("qkv_bias", true)?;
    let stages = depths.len().min(8);
    let mut stacks = Vec::new();
    for (stage, depth) in depths.iter().enumerate().take(stages) {
        let width = first << stage;
        let over = Length::PerItem((patches.count >> (2 * stage)).max(1));
        let mut draft = Draft::other(cx, StackKind::Encoder, "encoder.layers", width, over);
        if stage == 0 {
            let channels = config.int_or("num_channels", 3)?;
            draft.before.conv("embeddings.patch_embeddings", channels, width, patches.area).biased(true);
            draft.before.norm(Norm::Layer, "embeddings.norm", width);
            if config.flag("use_absolute_embeddings", false)? {
                positions(&mut draft.before, "embeddings.position_embeddings", patches.count + 1, width);
            }
        }
        let count = heads.get(stage).copied().filter(|n| *n > 0);
        let count = count.ok_or_else(|| config.fault("num_heads", "config-key-missing"))?;
        let inner = ((width as f64 * ratio) as u64).min(1 << 32);
        let mut layer = VitLayer::new(width, count, inner);
        layer.attention.bias = [bias, false, bias];
        layer.attention.window = Some(window * window);
        draft.layers(cx, *depth, |parts, _| {
            let mixer = layer.describe(parts);
            parts.vector(Role::Other, "logit_scale", count);
            parts.matmul(Role::Other, "continuous_position_bias_mlp.0", 2, 512).biased(true);
            parts.matmul(Role::Other, "continuous_position_bias_mlp.2", 512, count);
            Ok(vec![mixer])
        })?;
        if stage + 1 < stages {
            draft.after.matmul(Role::Other, "downsample.reduction", 4 * width, 2 * width);
            draft.after.norm(Norm::Layer, "downsample.norm", 2 * width);
        } else {
            draft.after.norm(Norm::Layer, "layernorm", width);
            labels(cx, &mut draft.after, width)?;
        }
        stacks.push(draft.done());
    }
    Ok(stacks)
}

/// Segment Anything: an image encoder, prompts, and a small decoder of masks.
pub(super) fn sam(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let vision = cx.config.inside("vision_config")?.of_family("sam_vision_model", &[])?;
    let prompt = cx.config.inside("prompt_encoder_config")?.of_family("sam_prompt_encoder", &[])?;
    let mask = cx.config.inside("mask_decoder_config")?.of_family("sam_mask_decoder", &[])?;
    let mut encoder = sam_vision(cx, &vision)?;
    let features = prompt.int("hidden_size")? / 2;
    let copies = if cx.config.flag("tie_word_embeddings", true)? { 1 } else { 2 };
    encoder.after.vector(
        Role::Other,
        "shared_image_embedding",
        copies * 2 * vision.int_or("num_pos_feats", features)?,
    );
    sam_prompts(&mut encoder.after, &prompt)?;
    Ok(vec![encoder.done(), sam_masks(cx, &mask)?])
}

fn sam_vision(cx: &Context, config: &Config) -> Result<Draft, Fault> {
    let (hidden, heads) = (config.int("hidden_size")?, config.int("num_attention_heads")?);
    let ratio = config.float("mlp_ratio", 4.0)?;
    let inner = config.int_or("mlp_dim", ((hidden as f64 * ratio) as u64).clamp(1, 1 << 24))?;
    let patches = Patches::read(config)?;
    let side = patches.count.isqrt();
    let mut layer = VitLayer::new(hidden, heads, inner).qkv_bias(config.flag("qkv_bias", true)?);
    layer.attention.fused = true;
    let over = Length::PerItem(patches.count);
    let mut draft = Draft::other(cx, StackKind::Encoder, "vision_encoder.layers", hidden, over);
    let channels = config.int_or("num_channels", 3)?;
    draft.before.conv("vision_encoder.patch_embed", channels, hidden, patches.area).biased(true);
    if config.flag("use_abs_pos", true)? {
        positions(&mut draft.before, "vision_encoder.pos_embed", patches.count, hidden);
    }
    let full = config.numbers("global_attn_indexes")?.unwrap_or_default();
    let window = config.int("window_size")?;
    let relative = config.flag("use_rel_pos", true)?;
    draft.layers(cx, config.depth("num_hidden_layers")?, |parts, index| {
        let span = if full.contains(&index) { side } else { window };
        let mixer = layer.describe(parts);
        if relative {
            positions(parts, "attn.rel_pos", 2 * (2 * span - 1), hidden / heads);
        }
        Ok(vec![mixer])
    })?;
    let out = config.int_or("output_channels", 256)?;
    draft.after.conv("vision_encoder.neck.conv1", hidden, out, 1);
    draft.after.norm(Norm::Layer, "vision_encoder.neck.layer_norm1", out);
    draft.after.conv("vision_encoder.neck.conv2", out, out, 9);
    draft.after.norm(Norm::Layer, "vision_encoder.neck.layer_norm2", out);
    Ok(draft)
}

fn sam_prompts(parts: &mut Parts, config: &Config) -> Result<(), Fault> {
    let hidden = config.int("hidden_size")?;
    let channels = config.int_or("mask_input_channels", 16)?;
    let (few, points) = (channels / 4, config.int_or("num_point_embeddings", 4)?);
    parts.conv("prompt_encoder.mask_embed.conv1", 1, few, 4).biased(true);
    parts.conv("prompt_encoder.mask_embed.conv2", few, channels, 4).biased(true);
    parts.conv("prompt_encoder.mask_embed.conv3", channels, hidden, 1).biased(true);
    parts.norm(Norm::Layer, "prompt_encoder.mask_embed.layer_norm1", few);
    parts.norm(Norm::Layer, "prompt_encoder.mask_embed.layer_norm2", channels);
    parts.vector(Role::Other, "prompt_encoder.embeds", (points + 2) * hidden);
    Ok(())
}

fn sam_masks(cx: &Context, config: &Config) -> Result<Stack, Fault> {
    let (hidden, heads) = (config.int("hidden_size")?, config.int("num_attention_heads")?);
    let rate = config.int_or("attention_downsample_rate", 2)?;
    let own = Attention::encoder(hidden, heads);
    let cross = |at, rate| Attention { at, head_dim: hidden / rate / heads, ..own };
    let inner = config.int("mlp_dim")?;
    let mut draft =
        Draft::other(cx, StackKind::Encoder, "mask_decoder.layers", hidden, Length::PerItem(4096));
    let masks = config.int_or("num_multimask_outputs", 3)? + 1;
    draft.before.vector(Role::Other, "mask_decoder.tokens", (masks + 1) * hidden);
    draft.layers(cx, config.depth("num_hidden_layers")?, |parts, _| {
        for name in ["layer_norm1", "layer_norm2", "layer_norm3", "layer_norm4"] {
            parts.norm(Norm::Layer, name, hidden);
        }
        let mixer = own.describe(parts);
        // The layers halve the width whatever the file says; the last attention heeds it.
        cross("cross_attn_token_to_image", 2).describe(parts);
        cross("cross_attn_image_to_token", 2).describe(parts);
        crate::blocks::mlp(parts, "mlp", Mlp { hidden, inner, gated: false, bias: true });
        Ok(vec![mixer])
    })?;
    let after = &mut draft.after;
    cross("final_attn_token_to_image", rate).describe(after);
    after.norm(Norm::Layer, "layer_norm_final_attn", hidden);
    after.conv("upscale_conv1", hidden, hidden / 4, 4).biased(true);
    after.conv("upscale_conv2", hidden / 4, hidden / 8, 4).biased(true);
    after.norm(Norm::Layer, "upscale_layer_norm", hidden / 4);
    for _ in 0..masks {
        head(after, (hidden, hidden, hidden / 8), 1);
    }
    let deep = config.int_or("iou_head_depth", 3)?.saturating_sub(2);
    head(after, (hidden, config.int_or("iou_head_hidden_dim", 256)?, masks), deep);
    Ok(draft.done())
}

/// A small network: in, some equal layers, out.
fn head(parts: &mut Parts, (from, inner, to): (u64, u64, u64), deep: u64) {
    parts.matmul(Role::Other, "head.proj_in", from, inner).biased(true);
    parts.matmul(Role::Other, "head.layers", inner, inner).biased(true).times(deep, deep);
    parts.matmul(Role::Other, "head.proj_out", inner, to).biased(true);
}
