//! Speech encoders: wav2vec 2.0 and HuBERT.

use maat_base::Fault;

use super::encoder::dense;
use super::vision::VitLayer;
use crate::assemble::{Context, Draft};
use crate::class::Head;
use crate::parts::{Norm, Parts};
use crate::{Length, Role, Split, Stack, StackKind};

/// Frames a second that the convolutions leave of 16,000 samples: a stride of 320.
const FRAMES_PER_SECOND: u64 = 50;

pub(super) fn wav2vec2(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let hidden = config.int("hidden_size")?;
    let over = Length::PerItem(FRAMES_PER_SECOND);
    let mut draft = Draft::other(cx, StackKind::Encoder, "encoder.layers", hidden, over);
    let last = features(cx, &mut draft.before)?;
    if config.flag("feat_proj_layer_norm", true)? {
        draft.before.norm(Norm::Layer, "feature_projection.layer_norm", last);
    }
    draft.before.matmul(Role::Other, "feature_projection.projection", last, hidden).biased(true);
    let masked = config.float("mask_time_prob", 0.05)? > 0.0 || config.float("mask_feature_prob", 0.0)? > 0.0;
    if masked {
        draft.before.vector(Role::Other, "masked_spec_embed", hidden);
    }
    let kernel = config.int("num_conv_pos_embeddings")?;
    let groups = config.int("num_conv_pos_embedding_groups")?;
    draft.before.conv("encoder.pos_conv_embed.conv", hidden / groups, hidden, kernel).biased(true);
    if config.flag("conv_pos_batch_norm", false)? {
        draft.before.norm(Norm::Layer, "encoder.pos_conv_embed.batch_norm", hidden);
    } else {
        // Weight normalisation keeps a length for each place of the kernel.
        draft.before.vector(Role::Other, "encoder.pos_conv_embed.conv.weight_g", kernel);
    }
    draft.before.norm(Norm::Layer, "encoder.layer_norm", hidden);
    let heads = config.int("num_attention_heads")?;
    let layer = VitLayer::new(hidden, heads, config.int("intermediate_size")?);
    draft.layers(cx, config.layers("num_hidden_layers")?, |parts, _| Ok(vec![layer.describe(parts)]))?;
    let width = adapter(cx, &mut draft.after, hidden)?;
    head(cx, &mut draft.after, (hidden, width, last))?;
    Ok(vec![draft.done()])
}

/// The convolutions over samples; returns the width that they give.
fn features(cx: &Context, parts: &mut Parts) -> Result<u64, Fault> {
    let config = &cx.config;
    let widths = config.numbers("conv_dim")?.unwrap_or_default();
    let kernels = config.numbers("conv_kernel")?.unwrap_or_default();
    let bias = config.flag("conv_bias", false)?;
    let all_normed = config.text("feat_extract_norm").is_some_and(|norm| norm == "layer");
    let mut inputs = 1;
    for (index, (width, kernel)) in widths.iter().zip(&kernels).enumerate() {
        let name = format!("feature_extractor.conv_layers.{index}");
        parts.conv(format!("{name}.conv"), inputs, *width, *kernel).biased(bias);
        if index == 0 || all_normed {
            parts.norm(Norm::Layer, format!("{name}.layer_norm"), *width);
        }
        inputs = *width;
    }
    Ok(inputs)
}

/// Convolutions that shorten what the encoder gives, where there are any; returns the width behind them.
fn adapter(cx: &Context, parts: &mut Parts, hidden: u64) -> Result<u64, Fault> {
    let config = &cx.config;
    if !config.flag("add_adapter", false)? {
        return Ok(hidden);
    }
    let width = config.int_or("output_hidden_size", hidden)?;
    if width != hidden {
        parts.matmul(Role::Other, "adapter.proj", hidden, width).biased(true);
        parts.norm(Norm::Layer, "adapter.proj_layer_norm", width);
    }
    let kernel = config.int("adapter_kernel_size")?;
    for index in 0..config.layers("num_adapter_layers")? {
        parts.conv(format!("adapter.layers.{index}.conv"), width, 2 * width, kernel).biased(true);
    }
    Ok(width)
}

fn head(cx: &Context, parts: &mut Parts, (hidden, width, features): (u64, u64, u64)) -> Result<(), Fault> {
    let config = &cx.config;
    match cx.head {
        Head::Language => dense(parts, "lm_head", width, config.int("vocab_size")?),
        Head::Sequence => {
            let narrow = config.int("classifier_proj_size")?;
            if config.flag("use_weighted_layer_sum", false)? {
                parts.vector(Role::Head, "layer_weights", config.layers("num_hidden_layers")? + 1);
            }
            dense(parts, "projector", hidden, narrow);
            dense(parts, "classifier", narrow, cx.labels()?);
        }
        Head::Pretraining => {
            let groups = config.int("num_codevector_groups")?;
            let codes = groups * config.int("num_codevectors_per_group")?;
            let width = config.int("codevector_dim")?;
            let projected = config.int("proj_codevector_dim")?;
            parts.table("quantizer.codevectors", codes, width / groups).split(Split::Replicated);
            dense(parts, "quantizer.weight_proj", features, codes);
            dense(parts, "project_hid", hidden, projected);
            dense(parts, "project_q", width, projected);
        }
        _ => {}
    }
    Ok(())
}
