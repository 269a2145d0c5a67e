//! Encoder-decoders: T5, BART and their kin, Whisper.

use maat_base::Fault;

use super::encoder::dense;
use super::plain::positions;
use crate::assemble::{Context, Draft, language_head};
use crate::blocks::{Attention, Mlp, mlp};
use crate::class::Head;
use crate::config::Config;
use crate::parts::{Norm, Parts};
use crate::{Cache, CacheKind, Compute, Length, Mixer, Role, Stack, StackKind};

/// Attention of a decoder over what its encoder gives; the weights are those of self-attention.
pub(super) fn cross(parts: &mut Parts, attention: Attention, over: Length) -> Mixer {
    attention.describe(parts);
    let Attention { heads, kv_heads, head_dim, .. } = attention;
    let cache = Cache {
        kind: CacheKind::Cross,
        heads: kv_heads,
        key: head_dim,
        value: head_dim,
        every: 1,
        window: None,
        over,
        encoding: None,
    };
    Mixer { compute: Compute::Cross { heads, head_dim, over }, caches: vec![cache], state: None }
}

/// T5, mT5, UMT5.
struct T5 {
    hidden: u64,
    attention: Attention,
    mlp: Mlp,
    buckets: u64,
    /// Whether every layer has a table of relative positions, or the first for all.
    all_positions: bool,
}

impl T5 {
    fn read(config: &Config, all_positions: bool) -> Result<Self, Fault> {
        let hidden = config.int("d_model")?;
        let (heads, width) = (config.int("num_heads")?, config.int("d_kv")?);
        let named = config.text("feed_forward_proj").is_some_and(|kind| kind.starts_with("gated"));
        let gated = config.flag("is_gated_act", named)?;
        Ok(Self {
            hidden,
            attention: Attention { at: "SelfAttention", ..Attention::new(hidden, heads, heads, width) },
            mlp: Mlp { hidden, inner: config.int("d_ff")?, gated, bias: false },
            buckets: config.int("relative_attention_num_buckets")?,
            all_positions,
        })
    }

    fn stack(&self, cx: &Context, kind: StackKind, layers: u64) -> Result<Draft, Fault> {
        let decodes = kind == StackKind::Decoder;
        let path = if decodes { "decoder.block" } else { "encoder.block" };
        let over = if decodes { Length::Tokens } else { Length::Prompt };
        let mut draft = Draft::other(cx, kind, path, self.hidden, over);
        draft.layers(cx, layers, |parts, layer| {
            parts.norm(Norm::Rms, "layer.0.layer_norm", self.hidden);
            let mut mixers = vec![Attention { causal: decodes, ..self.attention }.describe(parts)];
            if layer == 0 || self.all_positions {
                let heads = self.attention.heads;
                positions(parts, "layer.0.SelfAttention.relative_attention_bias", self.buckets, heads);
            }
            if decodes {
                parts.norm(Norm::Rms, "layer.1.layer_norm", self.hidden);
                let attention = Attention { at: "EncDecAttention", ..self.attention };
                mixers.push(cross(parts, attention, Length::Prompt));
            }
            parts.norm(Norm::Rms, "layer.2.layer_norm", self.hidden);
            mlp(parts, "DenseReluDense", self.mlp);
            Ok(mixers)
        })?;
        draft.after.norm(Norm::Rms, "final_layer_norm", self.hidden);
        Ok(draft)
    }
}

pub(super) fn t5(cx: &Context) -> Result<Vec<Stack>, Fault> {
    t5_like(cx, false)
}

pub(super) fn umt5(cx: &Context) -> Result<Vec<Stack>, Fault> {
    t5_like(cx, true)
}

fn t5_like(cx: &Context, all_positions: bool) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let t5 = T5::read(config, all_positions)?;
    let layers = config.layers("num_layers")?;
    let vocabulary = config.int("vocab_size")?;
    let mut encoder = t5.stack(cx, StackKind::Encoder, layers)?;
    encoder.before.table("shared", vocabulary, t5.hidden);
    let encoder_only = cx.class.ends_with("EncoderModel") || cx.head == Head::Token;
    if encoder_only {
        if cx.head == Head::Token {
            dense(&mut encoder.after, "classifier", t5.hidden, cx.labels()?);
        }
        return Ok(vec![encoder.done()]);
    }
    let decoder_layers = config.maybe("num_decoder_layers")?.unwrap_or(layers);
    let mut decoder = t5.stack(cx, StackKind::Decoder, decoder_layers)?;
    match cx.head {
        Head::Language => {
            // The library's class ties whatever the file says.
            language_head(&mut decoder.after, t5.hidden, vocabulary, true);
        }
        Head::Sequence => {
            dense(&mut decoder.after, "classification_head.dense", t5.hidden, t5.hidden);
            dense(&mut decoder.after, "classification_head.out_proj", t5.hidden, cx.labels()?);
        }
        Head::Question => dense(&mut decoder.after, "qa_outputs", t5.hidden, cx.labels()?),
        _ => {}
    }
    Ok(vec![encoder.done(), decoder.done()])
}

/// How the members of BART's kin differ.
#[derive(Clone, Copy)]
struct Bart {
    /// Rows of positions beyond the stated number.
    offset: u64,
    /// Whether positions are learned; the library keeps the fixed ones as parameters too.
    positions: bool,
    /// Whether embeddings are normalised.
    normed: bool,
    /// Whether each stack ends in a norm.
    final_norm: bool,
}

pub(super) fn bart(cx: &Context) -> Result<Vec<Stack>, Fault> {
    bart_like(cx, Bart { offset: 2, positions: true, normed: true, final_norm: false })
}

pub(super) fn mbart(cx: &Context) -> Result<Vec<Stack>, Fault> {
    bart_like(cx, Bart { offset: 2, positions: true, normed: true, final_norm: true })
}

pub(super) fn pegasus(cx: &Context) -> Result<Vec<Stack>, Fault> {
    bart_like(cx, Bart { offset: 0, positions: true, normed: false, final_norm: true })
}

pub(super) fn marian(cx: &Context) -> Result<Vec<Stack>, Fault> {
    bart_like(cx, Bart { offset: 0, positions: true, normed: false, final_norm: false })
}

/// Sizes of one side of a BART-like model.
struct Side {
    layers: u64,
    attention: Attention,
    mlp: Mlp,
}

impl Side {
    fn read(config: &Config, hidden: u64, decodes: bool) -> Result<Self, Fault> {
        let key = |encoder, decoder| if decodes { decoder } else { encoder };
        let heads = config.int(key("encoder_attention_heads", "decoder_attention_heads"))?;
        Ok(Self {
            layers: config.layers(key("encoder_layers", "decoder_layers"))?,
            attention: Attention { at: "self_attn", causal: decodes, ..Attention::encoder(hidden, heads) },
            mlp: Mlp {
                hidden,
                inner: config.int(key("encoder_ffn_dim", "decoder_ffn_dim"))?,
                gated: false,
                bias: true,
            },
        })
    }

    /// A layer; a decoder's attends to the encoder as well.
    fn layer(&self, parts: &mut Parts, over: Option<Length>) -> Vec<Mixer> {
        let hidden = self.mlp.hidden;
        parts.norm(Norm::Layer, "self_attn_layer_norm", hidden);
        let mut mixers = vec![self.attention.describe(parts)];
        if let Some(over) = over {
            parts.norm(Norm::Layer, "encoder_attn_layer_norm", hidden);
            mixers.push(cross(parts, Attention { at: "encoder_attn", ..self.attention }, over));
        }
        parts.norm(Norm::Layer, "final_layer_norm", hidden);
        mlp(parts, "mlp", self.mlp);
        mixers
    }
}

fn bart_like(cx: &Context, member: Bart) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let hidden = config.int("d_model")?;
    let alone = cx.class.ends_with("ForCausalLM");
    let vocabulary = config.int("vocab_size")?;
    let vocabulary = if alone { config.int_or("decoder_vocab_size", vocabulary)? } else { vocabulary };
    let rows = config.int("max_position_embeddings")? + member.offset;
    let tied = config.flag("tie_word_embeddings", true)?;
    let stack = |decodes: bool| -> Result<Draft, Fault> {
        let side = Side::read(config, hidden, decodes)?;
        let (kind, path, over) = if decodes {
            (StackKind::Decoder, "model.decoder.layers", Length::Tokens)
        } else {
            (StackKind::Encoder, "model.encoder.layers", Length::Prompt)
        };
        let mut draft = Draft::other(cx, kind, path, hidden, over);
        if !decodes || alone {
            draft.before.table("model.shared", vocabulary, hidden);
        }
        if member.positions {
            positions(&mut draft.before, "embed_positions", rows, hidden);
        }
        if member.normed {
            draft.before.norm(Norm::Layer, "layernorm_embedding", hidden);
        }
        draft.layers(cx, side.layers, |parts, _| Ok(side.layer(parts, decodes.then_some(Length::Prompt))))?;
        if member.final_norm {
            draft.after.norm(Norm::Layer, "layer_norm", hidden);
        }
        Ok(draft)
    };
    let mut decoder = stack(true)?;
    match cx.head {
        Head::Language => {
            language_head(&mut decoder.after, hidden, vocabulary, tied);
        }
        Head::Sequence => {
            let labels = if config.stated("id2label").is_some() { cx.labels()? } else { 3 };
            dense(&mut decoder.after, "classification_head.dense", hidden, hidden);
            dense(&mut decoder.after, "classification_head.out_proj", hidden, labels);
        }
        Head::Question => dense(&mut decoder.after, "qa_outputs", hidden, 2),
        _ => {}
    }
    if alone {
        return Ok(vec![decoder.done()]);
    }
    Ok(vec![stack(false)?.done(), decoder.done()])
}

/// Whisper: two convolutions and an encoder over 30 seconds, a decoder that attends to it.
pub(super) fn whisper(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let hidden = config.int("d_model")?;
    let vocabulary = config.int("vocab_size")?;
    let frames = config.int("max_source_positions")?;
    // Keys have no bias.
    let bias = [true, false, true];
    let alone = cx.class.ends_with("ForCausalLM");
    let mut stacks = Vec::new();
    if !alone {
        let mut draft = whisper_encoder(cx, hidden)?;
        if cx.head == Head::Sequence {
            let width = config.int("classifier_proj_size")?;
            if config.flag("use_weighted_layer_sum", false)? {
                let layers = config.layers("encoder_layers")? + 1;
                draft.after.vector(Role::Head, "layer_weights", layers);
            }
            dense(&mut draft.after, "projector", hidden, width);
            dense(&mut draft.after, "classifier", width, cx.labels()?);
            return Ok(vec![draft.done()]);
        }
        stacks.push(draft.done());
    }
    let mut side = Side::read(config, hidden, true)?;
    side.attention.bias = bias;
    let mut draft = Draft::decoder(cx, "model.decoder.layers", hidden);
    draft.before.table("model.decoder.embed_tokens", vocabulary, hidden);
    let rows = config.int("max_target_positions")?;
    positions(&mut draft.before, "model.decoder.embed_positions", rows, hidden);
    draft.layers(cx, side.layers, |parts, _| Ok(side.layer(parts, Some(Length::Fixed(frames)))))?;
    draft.after.norm(Norm::Layer, "model.decoder.layer_norm", hidden);
    if cx.head == Head::Language {
        let tied = config.flag("tie_word_embeddings", true)?;
        language_head(&mut draft.after, hidden, vocabulary, tied);
    }
    stacks.push(draft.done());
    Ok(stacks)
}

/// The encoder of Whisper, also a tower of models that hear.
pub(super) fn whisper_encoder(cx: &Context, hidden: u64) -> Result<Draft, Fault> {
    let config = &cx.config;
    let mut side = Side::read(config, hidden, false)?;
    side.attention.bias = [true, false, true];
    let bins = config.int("num_mel_bins")?;
    let frames = config.int("max_source_positions")?;
    let mut draft =
        Draft::other(cx, StackKind::Encoder, "model.encoder.layers", hidden, Length::Fixed(frames));
    draft.before.conv("model.encoder.conv1", bins, hidden, 3).biased(true);
    draft.before.conv("model.encoder.conv2", hidden, hidden, 3).biased(true);
    positions(&mut draft.before, "model.encoder.embed_positions", frames, hidden);
    draft.layers(cx, side.layers, |parts, _| Ok(side.layer(parts, None)))?;
    draft.after.norm(Norm::Layer, "model.encoder.layer_norm", hidden);
    Ok(draft)
}
