//! The U-Net of Stable Diffusion and SDXL (arXiv 2112.10752, 2307.01952).

use maat_base::Fault;

use super::blocks::{Joint, conv, each, embedder, feed_forward, linear, once, refuse, residual, stack};
use crate::assemble::{Context, Draft};
use crate::config::Config;
use crate::parts::Norm;
use crate::{Role, Stack};

/// What attends in a block.
#[derive(Clone, Copy)]
struct Transformer {
    layers: u64,
    heads: u64,
    text: u64,
    /// Whether the ways in and out are matrices, not convolutions.
    linear: bool,
}

struct Unet {
    widths: Vec<u64>,
    /// Residual blocks at each level, on the way down.
    depths: Vec<u64>,
    /// For each level, what attends there at all; where it does is by the kind of block.
    transformers: Vec<Transformer>,
    down: Vec<bool>,
    up: Vec<bool>,
    /// Whether there is a block between the ways down and up.
    mid: bool,
    time: u64,
}

/// Features that change the shapes and are not described.
const REFUSED: [&str; 6] = [
    "class_embed_type",
    "encoder_hid_dim",
    "num_class_embeds",
    "reverse_transformer_layers_per_block",
    "cross_attention_norm",
    "time_embedding_dim",
];

/// Which blocks of a list attend; others than the usual two kinds are refused.
fn attends(
    config: &Config,
    key: &str,
    with: &str,
    without: &str,
    usual: &[bool],
) -> Result<Vec<bool>, Fault> {
    let Some(words) = config.words(key)? else { return Ok(usual.to_vec()) };
    let kind = |word: &String| match word.as_str() {
        word if word == with => Ok(true),
        word if word == without => Ok(false),
        _ => Err(refuse(config, key)),
    };
    words.iter().map(kind).collect()
}

impl Unet {
    fn read(config: &Config) -> Result<Self, Fault> {
        for key in REFUSED {
            if config.stated(key).is_some() {
                return Err(refuse(config, key));
            }
        }
        let mid = match config.map().get("mid_block_type") {
            None => true,
            Some(serde_json::Value::String(kind)) if kind == "UNetMidBlock2DCrossAttn" => true,
            Some(serde_json::Value::Null) => false,
            Some(_) => return Err(refuse(config, "mid_block_type")),
        };
        let widths = config.numbers("block_out_channels")?.unwrap_or_else(|| vec![320, 640, 1280, 1280]);
        let usual = [true, true, true, false];
        let down = attends(config, "down_block_types", "CrossAttnDownBlock2D", "DownBlock2D", &usual)?;
        let usual = [false, true, true, true];
        let up = attends(config, "up_block_types", "CrossAttnUpBlock2D", "UpBlock2D", &usual)?;
        let n = widths.len();
        if n == 0 || n > 16 || down.len() != n || up.len() != n || widths.contains(&0) {
            let fault = config.fault("block_out_channels", "config-list-length");
            return Err(fault.with("length", n).with("layers", down.len()));
        }
        // The library takes `attention_head_dim` for the number of heads unless that is stated.
        let heads = if config.stated("num_attention_heads").is_some() {
            each(config, "num_attention_heads", 8, n)?
        } else {
            each(config, "attention_head_dim", 8, n)?
        };
        let layers = each(config, "transformer_layers_per_block", 1, n)?;
        let texts = each(config, "cross_attention_dim", 1280, n)?;
        let linear = config.flag("use_linear_projection", false)?;
        let each_level = heads.iter().zip(&layers).zip(&texts);
        let transformers = each_level
            .map(|((&heads, &layers), &text)| Transformer { layers, heads, text, linear })
            .collect();
        let depths = each(config, "layers_per_block", 2, n)?;
        if depths.iter().chain(&layers).any(|depth| *depth > 64) {
            return Err(config.fault("layers_per_block", "config-too-large").with("value", 65_u64));
        }
        if widths.iter().zip(&heads).any(|(width, heads)| *heads == 0 || !width.is_multiple_of(*heads)) {
            return Err(refuse(config, "attention_head_dim"));
        }
        Ok(Self { time: 4 * widths[0], widths, depths, transformers, down, up, mid })
    }
}

/// A residual block, and what attends after it, as one layer or several.
fn step(
    cx: &Context,
    draft: &mut Draft,
    name: &str,
    widths: (u64, u64),
    time: u64,
    attends: Option<Transformer>,
) {
    let mut parts = cx.parts();
    residual(&mut parts, name, widths, Some(time));
    let width = widths.1;
    let Some(transformer) = attends else {
        draft.layer(Vec::new(), parts);
        return;
    };
    parts.norm(Norm::Layer, "attentions.norm", width);
    project(&mut parts, "attentions.proj_in", width, transformer.linear);
    draft.layer(Vec::new(), parts);
    for _ in 0..transformer.layers {
        let mut parts = cx.parts();
        let head_dim = width / transformer.heads;
        let own = Joint { bias: false, ..Joint::new("attn1", width, transformer.heads, head_dim) };
        let text = Joint { at: "attn2", text: Some(transformer.text), ..own };
        parts.norm(Norm::Layer, "norm1", width);
        let own = own.describe(&mut parts);
        parts.norm(Norm::Layer, "norm2", width);
        let text = text.describe(&mut parts);
        parts.norm(Norm::Layer, "norm3", width);
        feed_forward(&mut parts, "ff", width, 4 * width, true);
        draft.layer(vec![own, text], parts);
    }
    let mut parts = cx.parts();
    project(&mut parts, "attentions.proj_out", width, transformer.linear);
    draft.layer(Vec::new(), parts);
}

/// The way into or out of the layers that attend.
fn project(parts: &mut crate::parts::Parts, name: &str, width: u64, by_matrix: bool) {
    if by_matrix {
        linear(parts, name, width, width);
    } else {
        conv(parts, name, width, width, 1);
    }
}

pub(in super::super) fn unet(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let it = Unet::read(config)?;
    let (first, last) = (it.widths[0], it.widths.len() - 1);
    let mut stacks = Vec::new();
    let mut inputs = first;
    for (level, &width) in it.widths.iter().enumerate() {
        let mut draft = stack(cx, format!("down_blocks.{level}"), width, level as u32);
        if level == 0 {
            conv(
                &mut draft.before,
                "conv_in",
                config.int_or("in_channels", 4)?,
                first,
                config.int_or("conv_in_kernel", 3)?,
            );
        } else {
            // It makes the image smaller, and so runs at this block's positions.
            conv(
                &mut draft.before,
                format!("down_blocks.{}.downsamplers.0.conv", level - 1),
                inputs,
                inputs,
                3,
            );
        }
        for index in 0..it.depths[level] {
            let from = if index == 0 { inputs } else { width };
            let attends = it.down[level].then_some(it.transformers[level]);
            step(cx, &mut draft, "resnets", (from, width), it.time, attends);
        }
        inputs = width;
        stacks.push(draft.done());
    }
    if it.mid {
        let mut mid = stack(cx, "mid_block".to_owned(), inputs, last as u32);
        step(cx, &mut mid, "resnets", (inputs, inputs), it.time, Some(it.transformers[last]));
        step(cx, &mut mid, "resnets", (inputs, inputs), it.time, None);
        stacks.push(mid.done());
    }
    let mut above = inputs;
    for block in 0..=last {
        let level = last - block;
        let width = it.widths[level];
        let below = it.widths[level.saturating_sub(1)];
        let mut draft = stack(cx, format!("up_blocks.{block}"), width, level as u32);
        if block > 0 {
            conv(&mut draft.before, format!("up_blocks.{}.upsamplers.0.conv", block - 1), above, above, 3);
        }
        let count = it.depths[level] + 1;
        for index in 0..count {
            let skip = if index + 1 == count { below } else { width };
            let from = if index == 0 { above } else { width };
            let attends = it.up[block].then_some(it.transformers[level]);
            step(cx, &mut draft, "resnets", (from + skip, width), it.time, attends);
        }
        above = width;
        if block == last {
            draft.after.norm(Norm::Layer, "conv_norm_out", first);
            let side = config.int_or("conv_out_kernel", 3)?;
            conv(&mut draft.after, "conv_out", first, config.int_or("out_channels", 4)?, side);
        }
        stacks.push(draft.done());
    }
    stacks.push(times(cx, &it)?);
    Ok(stacks)
}

/// What embeds the time, and in SDXL the text and the sizes.
fn times(cx: &Context, it: &Unet) -> Result<Stack, Fault> {
    let config = &cx.config;
    let mut draft = once(cx, "time_embedding", it.time);
    embedder(&mut draft.before, "time_embedding", it.widths[0], it.time);
    if let Some(condition) = config.maybe("time_cond_proj_dim")? {
        draft.before.matmul(Role::Other, "time_embedding.cond_proj", condition, it.widths[0]);
    }
    match config.text("addition_embed_type").as_deref() {
        None => {}
        Some("text_time") => {
            let inputs = config.int("projection_class_embeddings_input_dim")?;
            draft.before.matmul(Role::Other, "add_embedding.linear_1", inputs, it.time).biased(true);
            linear(&mut draft.before, "add_embedding.linear_2", it.time, it.time);
        }
        Some(_) => return Err(refuse(config, "addition_embed_type")),
    }
    Ok(draft.done())
}
