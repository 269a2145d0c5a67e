//! The autoencoder between pixels and latents (arXiv 2112.10752).

use maat_base::Fault;

use super::blocks::{Joint, conv, each, refuse, residual};
use crate::assemble::{Context, Draft};
use crate::config::Config;
use crate::parts::Norm;
use crate::{Length, Stack, StackKind};

/// A stack over the positions of an image that was made smaller so many times.
fn stack(cx: &Context, path: String, width: u64, halved: usize) -> Draft {
    let side = 1_u64 << halved.min(16);
    let over = Length::Pixels { pixels: side * side, frames: 1 };
    let mut draft = Draft::other(cx, StackKind::Autoencoder, "", width, over);
    draft.path = path.into();
    draft
}

/// The block between the ways down and up.
fn middle(cx: &Context, draft: &mut Draft, width: u64, attends: bool) {
    let mut parts = cx.parts();
    residual(&mut parts, "resnets.0", (width, width), None);
    draft.layer(Vec::new(), parts);
    if attends {
        let mut parts = cx.parts();
        parts.norm(Norm::Layer, "attentions.0.group_norm", width);
        let mixer = Joint::new("attentions.0", width, 1, width).describe(&mut parts);
        draft.layer(vec![mixer], parts);
    }
    let mut parts = cx.parts();
    residual(&mut parts, "resnets.1", (width, width), None);
    draft.layer(Vec::new(), parts);
}

/// Blocks of one kind only are described.
fn usual(config: &Config, key: &str, kind: &str, count: usize) -> Result<(), Fault> {
    let kinds = config.words(key)?;
    if kinds.is_some_and(|kinds| kinds.len() != count || kinds.iter().any(|other| other != kind)) {
        return Err(refuse(config, key));
    }
    Ok(())
}

pub(in super::super) fn autoencoder(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let widths = config.numbers("block_out_channels")?.unwrap_or_else(|| vec![64]);
    if widths.is_empty() || widths.len() > 16 || widths.contains(&0) {
        let fault = config.fault("block_out_channels", "config-list-length");
        return Err(fault.with("length", widths.len()).with("layers", 4_u64));
    }
    usual(config, "down_block_types", "DownEncoderBlock2D", widths.len())?;
    usual(config, "up_block_types", "UpDecoderBlock2D", widths.len())?;
    let depth = each(config, "layers_per_block", 1, widths.len())?[0];
    if depth > 64 {
        return Err(config.fault("layers_per_block", "config-too-large").with("value", depth));
    }
    let latent = config.int_or("latent_channels", 4)?;
    let attends = config.flag("mid_block_add_attention", true)?;
    let (top, last) = (widths[widths.len() - 1], widths.len() - 1);
    let mut stacks = Vec::new();
    let mut inputs = widths[0];
    for (level, &width) in widths.iter().enumerate() {
        let mut draft = stack(cx, format!("encoder.down_blocks.{level}"), width, level);
        if level == 0 {
            conv(&mut draft.before, "encoder.conv_in", config.int_or("in_channels", 3)?, width, 3);
        } else {
            conv(
                &mut draft.before,
                format!("encoder.down_blocks.{}.downsamplers.0.conv", level - 1),
                inputs,
                inputs,
                3,
            );
        }
        for index in 0..depth {
            let mut parts = cx.parts();
            let from = if index == 0 { inputs } else { width };
            residual(&mut parts, "resnets", (from, width), None);
            draft.layer(Vec::new(), parts);
        }
        inputs = width;
        stacks.push(draft.done());
    }
    let mut draft = stack(cx, "encoder.mid_block".to_owned(), top, last);
    middle(cx, &mut draft, top, attends);
    draft.after.norm(Norm::Layer, "encoder.conv_norm_out", top);
    conv(&mut draft.after, "encoder.conv_out", top, 2 * latent, 3);
    if config.flag("use_quant_conv", true)? {
        conv(&mut draft.after, "quant_conv", 2 * latent, 2 * latent, 1);
    }
    stacks.push(draft.done());
    let mut draft = stack(cx, "decoder.mid_block".to_owned(), top, last);
    if config.flag("use_post_quant_conv", true)? {
        conv(&mut draft.before, "post_quant_conv", latent, latent, 1);
    }
    conv(&mut draft.before, "decoder.conv_in", latent, top, 3);
    middle(cx, &mut draft, top, attends);
    stacks.push(draft.done());
    decoder(cx, &widths, depth, &mut stacks)?;
    Ok(stacks)
}

/// The way up.
fn decoder(cx: &Context, widths: &[u64], depth: u64, stacks: &mut Vec<Stack>) -> Result<(), Fault> {
    let mut above = widths[widths.len() - 1];
    for (block, &width) in widths.iter().rev().enumerate() {
        let mut draft = stack(cx, format!("decoder.up_blocks.{block}"), width, widths.len() - 1 - block);
        if block > 0 {
            conv(
                &mut draft.before,
                format!("decoder.up_blocks.{}.upsamplers.0.conv", block - 1),
                above,
                above,
                3,
            );
        }
        for index in 0..=depth {
            let mut parts = cx.parts();
            let from = if index == 0 { above } else { width };
            residual(&mut parts, "resnets", (from, width), None);
            draft.layer(Vec::new(), parts);
        }
        above = width;
        if block + 1 == widths.len() {
            draft.after.norm(Norm::Layer, "decoder.conv_norm_out", width);
            conv(&mut draft.after, "decoder.conv_out", width, cx.config.int_or("out_channels", 3)?, 3);
        }
        stacks.push(draft.done());
    }
    Ok(())
}
