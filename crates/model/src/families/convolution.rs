//! Convolutional networks: ResNet and ConvNeXt. A stack for each stage, over the positions that it gives.

use maat_base::Fault;

use super::encoder::dense;
use crate::assemble::{Context, Draft};
use crate::class::Head;
use crate::config::Config;
use crate::parts::{Norm, Parts};
use crate::{Length, Role, Stack, StackKind, Storage};

/// A convolution with batch normalisation, whose running statistics are stored too.
pub(super) fn normed_conv(parts: &mut Parts, name: &str, inputs: u64, outputs: u64, kernel: u64) {
    parts.conv(format!("{name}.convolution"), inputs, outputs, kernel);
    parts.norm(Norm::Layer, format!("{name}.normalization"), outputs);
    let statistics = parts.vector(Role::Norm, format!("{name}.normalization.running"), 2 * outputs);
    statistics.stored(Storage::Buffer);
}

fn stage(cx: &Context, path: &'static str, width: u64, side: u64) -> Draft {
    Draft::other(cx, StackKind::Encoder, path, width, Length::PerItem(side.max(1).pow(2)))
}

fn labels(cx: &Context, parts: &mut Parts, width: u64) -> Result<(), Fault> {
    if cx.head == Head::Sequence {
        let labels = cx.labels()?;
        if labels > 0 {
            dense(parts, "classifier", width, labels);
        }
    }
    Ok(())
}

/// Widths and depths of the stages, which must be as many.
fn stages(config: &Config) -> Result<Vec<(u64, u64)>, Fault> {
    let widths = config.numbers("hidden_sizes")?.unwrap_or_default();
    let depths = config.numbers("depths")?.unwrap_or_default();
    if widths.len() != depths.len() || widths.is_empty() || widths.len() > 64 {
        let fault = config.fault("depths", "config-list-length");
        return Err(fault.with("length", depths.len()).with("layers", widths.len()));
    }
    Ok(widths.into_iter().zip(depths).collect())
}

/// The side of the image where the file does not say: the one that ImageNet models are trained with.
const USUAL_SIDE: u64 = 224;

pub(super) fn resnet(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let first = config.int("embedding_size")?;
    let stages = stages(config)?;
    let bottleneck = config.text("layer_type").is_none_or(|kind| kind == "bottleneck");
    let mut side = USUAL_SIDE / 2;
    let mut start = stage(cx, "embedder", first, side);
    normed_conv(&mut start.before, "embedder.embedder", config.int_or("num_channels", 3)?, first, 49);
    let mut stacks = vec![start.done()];
    let (mut inputs, last) = (first, stages.len() - 1);
    side /= 2;
    for (index, (width, depth)) in stages.into_iter().enumerate() {
        let strided = index > 0 || config.flag("downsample_in_first_stage", false)?;
        side = if strided { side.div_ceil(2) } else { side };
        let mut draft = stage(cx, "encoder.stages", width, side);
        draft.layers(cx, depth, |parts, layer| {
            let from = if layer == 0 { inputs } else { width };
            residual(parts, bottleneck, (from, width), layer == 0 && (from != width || strided));
            Ok(Vec::new())
        })?;
        if index == last {
            labels(cx, &mut draft.after, width)?;
        }
        stacks.push(draft.done());
        inputs = width;
    }
    Ok(stacks)
}

/// A residual layer (arXiv 1512.03385, figure 5): basic or with a bottleneck of a quarter of the width.
fn residual(parts: &mut Parts, bottleneck: bool, (from, width): (u64, u64), shortcut: bool) {
    if shortcut {
        normed_conv(parts, "shortcut", from, width, 1);
    }
    if bottleneck {
        let narrow = width / 4;
        normed_conv(parts, "layer.0", from, narrow, 1);
        normed_conv(parts, "layer.1", narrow, narrow, 9);
        normed_conv(parts, "layer.2", narrow, width, 1);
    } else {
        normed_conv(parts, "layer.0", from, width, 9);
        normed_conv(parts, "layer.1", width, width, 9);
    }
}

/// ConvNeXt, and ConvNeXt V2, which normalises responses in place of scaling them.
fn convnext_like(cx: &Context, second: bool) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let number = config.whole("num_stages", 64)? as usize;
    let mut stages = stages(config)?;
    // The library sizes norm and labels by the last width that is listed, used or not.
    let final_width = stages[stages.len() - 1].0;
    stages.truncate(number.max(1));
    let patch = config.int("patch_size")?;
    let mut side = config.int_or("image_size", USUAL_SIDE)? / patch;
    let mut stacks = Vec::new();
    let last = stages.len() - 1;
    let mut inputs = stages[0].0;
    let scaled = !second && config.float("layer_scale_init_value", 1e-6)? > 0.0;
    for (index, (width, depth)) in stages.into_iter().enumerate() {
        side = if index > 0 { side / 2 } else { side };
        let mut draft = stage(cx, "encoder.stages", width, side);
        if index == 0 {
            let channels = config.int_or("num_channels", 3)?;
            draft.before.conv("embeddings.patch_embeddings", channels, width, patch * patch).biased(true);
            draft.before.norm(Norm::Layer, "embeddings.layernorm", width);
        } else {
            draft.before.norm(Norm::Layer, "downsampling_layer.0", inputs);
            draft.before.conv("downsampling_layer.1", inputs, width, 4).biased(true);
        }
        draft.layers(cx, depth, |parts, _| {
            parts.conv("dwconv", 1, width, 49).biased(true);
            parts.norm(Norm::Layer, "layernorm", width);
            parts.matmul(Role::Up, "pwconv1", width, 4 * width).biased(true);
            if second {
                parts.norm(Norm::Layer, "grn", 4 * width);
            }
            parts.matmul(Role::Down, "pwconv2", 4 * width, width).biased(true);
            if scaled {
                parts.vector(Role::Other, "layer_scale_parameter", width);
            }
            Ok(Vec::new())
        })?;
        if index == last {
            draft.after.norm(Norm::Layer, "layernorm", final_width);
            labels(cx, &mut draft.after, final_width)?;
        }
        stacks.push(draft.done());
        inputs = width;
    }
    Ok(stacks)
}

pub(super) fn convnext(cx: &Context) -> Result<Vec<Stack>, Fault> {
    convnext_like(cx, false)
}

pub(super) fn convnextv2(cx: &Context) -> Result<Vec<Stack>, Fault> {
    convnext_like(cx, true)
}
