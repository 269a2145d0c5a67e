//! Speech encoders: wav2vec 2.0 and HuBERT.

use maat_base::Fault;

use super::encoder::dense;
use super::plain::positions;
use super::seq2seq::cross;
use super::vision::VitLayer;
use crate::assemble::{Context, Draft, language_head};
use crate::blocks::{Attention, Mlp, mlp};
use crate::class::Head;
use crate::config::Config;
use crate::parts::{Norm, Parts};
use crate::{Length, Part, Role, Split, Stack, StackKind};

/// Frames a second that the convolutions leave of 16,000 samples: a stride of 320.
const FRAMES_PER_SECOND: u64 = 50;

pub(super) fn wav2vec2(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let hidden = config.int("hidden_size")?;
    let over = Length::PerItem(FRAMES_PER_SECOND);
    let mut draft = Draft::other(cx, StackKind::Encoder, "encoder.layers", hidden, over);
    let last = front(cx, &mut draft.before, hidden)?;
    draft.before.norm(Norm::Layer, "encoder.layer_norm", hidden);
    let heads = config.int("num_attention_heads")?;
    let layer = VitLayer::new(hidden, heads, config.int("intermediate_size")?);
    draft.layers(cx, config.depth("num_hidden_layers")?, |parts, _| Ok(vec![layer.describe(parts)]))?;
    let width = adapter(cx, &mut draft.after, hidden)?;
    head(cx, &mut draft.after, (hidden, width, last))?;
    Ok(vec![draft.done()])
}

/// What turns samples into the encoder's stream; returns the width of the convolutions.
fn front(cx: &Context, parts: &mut Parts, hidden: u64) -> Result<u64, Fault> {
    let config = &cx.config;
    let last = features(cx, parts)?;
    if config.flag("feat_proj_layer_norm", true)? {
        parts.norm(Norm::Layer, "feature_projection.layer_norm", last);
    }
    parts.matmul(Role::Other, "feature_projection.projection", last, hidden).biased(true);
    let masked = config.float("mask_time_prob", 0.05)? > 0.0 || config.float("mask_feature_prob", 0.0)? > 0.0;
    if masked {
        parts.vector(Role::Other, "masked_spec_embed", hidden);
    }
    let kernel = config.int("num_conv_pos_embeddings")?;
    let groups = config.int("num_conv_pos_embedding_groups")?;
    parts.conv("encoder.pos_conv_embed.conv", hidden / groups, hidden, kernel).biased(true);
    if config.flag("conv_pos_batch_norm", false)? {
        parts.norm(Norm::Layer, "encoder.pos_conv_embed.batch_norm", hidden);
    } else {
        // Weight normalisation keeps a length for each place of the kernel.
        parts.vector(Role::Other, "encoder.pos_conv_embed.conv.weight_g", kernel);
    }
    Ok(last)
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
                parts.vector(Role::Head, "layer_weights", config.depth("num_hidden_layers")? + 1);
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

/// Parakeet: a FastConformer, a convolution between attention and feed-forward blocks.
pub(super) fn parakeet(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let nested = cx.config.stated("encoder_config").is_some();
    let config = if nested { cx.config.inside("encoder_config")? } else { cx.config.clone() };
    let config = &config.of_family("parakeet_encoder", &[])?;
    let hidden = config.int("hidden_size")?;
    let mut draft = Draft::other(cx, StackKind::Encoder, "encoder.layers", hidden, Length::PerItem(13));
    subsampling(&mut draft.before, config, hidden)?;
    let heads = config.int("num_attention_heads")?;
    let bias = config.flag("attention_bias", true)?;
    let block = Attention {
        kv_heads: config.int_or("num_key_value_heads", heads)?,
        head_dim: config.head_dim(hidden, heads)?,
        bias: [bias; 3],
        out_bias: bias,
        ..Attention::encoder(hidden, heads)
    };
    let width = heads * block.head_dim;
    let dense_block = Mlp { hidden, inner: config.int("intermediate_size")?, gated: false, bias };
    let (kernel, conv_bias) = (config.int("conv_kernel_size")?, config.flag("convolution_bias", true)?);
    draft.layers(cx, config.depth("num_hidden_layers")?, |parts, _| {
        mlp(parts, "feed_forward1", dense_block);
        let mixer = block.describe(parts);
        parts.matmul(Role::Other, "self_attn.relative_k_proj", hidden, width).in_part(Part::Attention);
        parts.vector(Role::Other, "self_attn.bias_uv", 2 * width).in_part(Part::Attention);
        parts.conv("conv.pointwise_conv1", hidden, 2 * hidden, 1).biased(conv_bias);
        parts.conv("conv.depthwise_conv", 1, hidden, kernel).biased(conv_bias);
        parts.norm(Norm::Layer, "conv.norm", hidden);
        parts.conv("conv.pointwise_conv2", hidden, hidden, 1).biased(conv_bias);
        mlp(parts, "feed_forward2", dense_block);
        for name in ["norm_feed_forward1", "norm_self_att", "norm_conv", "norm_feed_forward2", "norm_out"] {
            parts.norm(Norm::Layer, name, hidden);
        }
        Ok(vec![mixer])
    })?;
    if cx.head == Head::Language {
        dense(&mut draft.after, "ctc_head", hidden, cx.config.int("vocab_size")?);
    }
    Ok(vec![draft.done()])
}

/// Convolutions that shorten the spectrogram by two a layer.
fn subsampling(parts: &mut Parts, config: &Config, hidden: u64) -> Result<(), Fault> {
    let channels = config.int("subsampling_conv_channels")?;
    let kernel = config.int("subsampling_conv_kernel_size")?.pow(2);
    let layers = u64::from(config.int("subsampling_factor")?.ilog2());
    for index in 0..layers {
        parts.conv(format!("encoder.subsampling.{index}"), 1, channels, kernel).biased(true);
        if index > 0 {
            parts.conv(format!("encoder.subsampling.{index}.point"), channels, channels, 1).biased(true);
        }
    }
    let stride = config.int("subsampling_conv_stride")?.saturating_pow(layers as u32).max(1);
    let left = config.int("num_mel_bins")? / stride;
    parts.matmul(Role::Other, "encoder.subsampling.linear", channels * left, hidden).biased(true);
    Ok(())
}

/// SpeechT5 from speech to text: wav2vec 2.0 with relative positions, a decoder of text.
pub(super) fn speecht5(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let hidden = config.int("hidden_size")?;
    let over = Length::PerItem(FRAMES_PER_SECOND);
    let mut encoder = Draft::other(cx, StackKind::Encoder, "encoder.layers", hidden, over);
    front(cx, &mut encoder.before, hidden)?;
    encoder.before.norm(Norm::Layer, "encoder.layer_norm", hidden);
    let heads = config.int("encoder_attention_heads")?;
    let reach = config.int("encoder_max_relative_position")?;
    positions(&mut encoder.before, "encoder.embed_positions.pe_k", 2 * reach, hidden / heads);
    let layer = VitLayer::new(hidden, heads, config.int("encoder_ffn_dim")?);
    encoder.layers(cx, config.layers("encoder_layers")?, |parts, _| Ok(vec![layer.describe(parts)]))?;
    let heads = config.int("decoder_attention_heads")?;
    let block = Attention { causal: true, ..Attention::encoder(hidden, heads) };
    let inner = config.int("decoder_ffn_dim")?;
    let vocabulary = config.int("vocab_size")?;
    let mut decoder = Draft::decoder(cx, "decoder.layers", hidden);
    decoder.before.table("decoder.prenet.embed_tokens", vocabulary, hidden);
    decoder.layers(cx, config.layers("decoder_layers")?, |parts, _| {
        for name in ["self_attn_layer_norm", "encoder_attn_layer_norm", "final_layer_norm"] {
            parts.norm(Norm::Layer, name, hidden);
        }
        let own = block.describe(parts);
        let other = cross(parts, Attention { at: "encoder_attn", ..block }, Length::Prompt);
        mlp(parts, "feed_forward", Mlp { hidden, inner, gated: false, bias: true });
        Ok(vec![own, other])
    })?;
    if cx.head == Head::Language {
        let tied = config.flag("tie_word_embeddings", true)?;
        language_head(&mut decoder.after, hidden, vocabulary, tied);
    }
    Ok(vec![encoder.done(), decoder.done()])
}
