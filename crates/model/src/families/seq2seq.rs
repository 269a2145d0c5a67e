//! Encoder-decoders: T5, BART and their kin, Whisper.

use maat_base::Fault;

use super::encoder::dense;
use super::plain::positions;
use crate::assemble::{Context, Draft, language_head};
use crate::blocks::{Attention, Mlp, Moe, mlp};
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
        self.stack_with(cx, kind, layers, None)
    }

    /// A stack with experts in each so-many-th layer, the second first.
    fn stack_with(
        &self,
        cx: &Context,
        kind: StackKind,
        layers: u64,
        sparse: Option<(Moe, u64)>,
    ) -> Result<Draft, Fault> {
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
            match sparse {
                Some((experts, step)) if step > 0 && (step == 1 || layer % step == 1) => {
                    experts.describe(parts);
                }
                _ => mlp(parts, "DenseReluDense", self.mlp),
            }
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
    let decoder_layers = if config.maybe("num_decoder_layers")?.is_some() {
        config.layers("num_decoder_layers")?
    } else {
        layers
    };
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

/// Moonshine: Whisper over raw samples, norms without bias, a gated MLP in the decoder.
pub(super) fn moonshine(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let hidden = config.int("hidden_size")?;
    let inner = config.int("intermediate_size")?;
    let bias = config.flag("attention_bias", false)?;
    let side = |decodes: bool| -> Result<(u64, Attention), Fault> {
        // The library's decoder has the heads of the encoder, whatever the file says.
        let heads = config.int("encoder_num_attention_heads")?;
        let kv_heads = config.int_or("encoder_num_key_value_heads", heads)?;
        let block = Attention {
            bias: [bias; 3],
            causal: decodes,
            ..Attention::new(hidden, heads, kv_heads, hidden / heads)
        };
        let layers = if decodes { "decoder_num_hidden_layers" } else { "encoder_num_hidden_layers" };
        Ok((config.layers(layers)?, block))
    };
    let (layers, block) = side(false)?;
    let mut encoder =
        Draft::other(cx, StackKind::Encoder, "model.encoder.layers", hidden, Length::PerItem(42));
    encoder.before.conv("model.encoder.conv1", 1, hidden, 127);
    encoder.before.conv("model.encoder.conv2", hidden, 2 * hidden, 7).biased(true);
    encoder.before.conv("model.encoder.conv3", 2 * hidden, hidden, 3).biased(true);
    encoder.before.norm(Norm::Layer, "model.encoder.groupnorm", hidden);
    encoder.layers(cx, layers, |parts, _| {
        parts.norm(Norm::Rms, "input_layernorm", hidden);
        parts.norm(Norm::Rms, "post_attention_layernorm", hidden);
        let mixer = block.describe(parts);
        mlp(parts, "mlp", Mlp { hidden, inner, gated: false, bias: true });
        Ok(vec![mixer])
    })?;
    encoder.after.norm(Norm::Rms, "model.encoder.layer_norm", hidden);
    let (layers, block) = side(true)?;
    let vocabulary = config.int("vocab_size")?;
    let mut decoder = Draft::decoder(cx, "model.decoder.layers", hidden);
    decoder.before.table("model.decoder.embed_tokens", vocabulary, hidden);
    decoder.layers(cx, layers, |parts, _| {
        for name in ["input_layernorm", "post_attention_layernorm", "final_layernorm"] {
            parts.norm(Norm::Rms, name, hidden);
        }
        let own = block.describe(parts);
        let other = cross(parts, Attention { at: "encoder_attn", ..block }, Length::Prompt);
        parts.matmul(Role::GateUp, "mlp.fc1", hidden, 2 * inner).biased(true);
        parts.matmul(Role::Down, "mlp.fc2", inner, hidden).biased(true);
        Ok(vec![own, other])
    })?;
    decoder.after.norm(Norm::Rms, "model.decoder.norm", hidden);
    if cx.head == Head::Language {
        let tied = config.flag("tie_word_embeddings", true)?;
        language_head(&mut decoder.after, hidden, vocabulary, tied);
    }
    Ok(vec![encoder.done(), decoder.done()])
}

/// T5Gemma: Gemma 2 on both sides.
pub(super) fn t5gemma(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let side = |key: &str| cx.config.inside(key)?.of_family("gemma2", &[]);
    let encoder = gemma_side(cx, &side("encoder")?, None)?;
    let from = side("encoder")?.int("hidden_size")?;
    let config = side("decoder")?;
    let mut decoder = gemma_side(cx, &config, Some(from))?;
    let hidden = config.int("hidden_size")?;
    match cx.head {
        Head::Language => {
            let tied = cx.config.flag("tie_word_embeddings", true)?;
            language_head(&mut decoder.after, hidden, config.int("vocab_size")?, tied);
        }
        Head::Sequence | Head::Token => dense(&mut decoder.after, "score", hidden, cx.labels()?),
        _ => {}
    }
    Ok(vec![encoder.done(), decoder.done()])
}

/// One side; `from` is the width that a decoder's second attention reads.
fn gemma_side(cx: &Context, config: &Config, from: Option<u64>) -> Result<Draft, Fault> {
    let hidden = config.int("hidden_size")?;
    let bias = config.flag("attention_bias", false)?;
    let base = Attention { bias: [bias; 3], out_bias: bias, ..super::plain::attention(config)? };
    let inner = config.int("intermediate_size")?;
    let window = config.length("sliding_window")?;
    let layers = config.depth("num_hidden_layers")?;
    let kinds = super::windows::kinds(config, "layer_types", layers)?;
    let (kind, path, over) = match from {
        Some(_) => (StackKind::Decoder, "model.decoder.layers", Length::Tokens),
        None => (StackKind::Encoder, "model.encoder.layers", Length::Prompt),
    };
    let mut draft = Draft::other(cx, kind, path, hidden, over);
    draft.before.table("embed_tokens", config.int("vocab_size")?, hidden);
    draft.layers(cx, layers, |parts, layer| {
        for name in [
            "pre_self_attn_layernorm",
            "post_self_attn_layernorm",
            "pre_feedforward_layernorm",
            "post_feedforward_layernorm",
        ] {
            parts.norm(Norm::Rms, name, hidden);
        }
        let local = match &kinds {
            Some(kinds) => kinds[layer as usize] == "sliding_attention",
            None => layer % 2 == 0,
        };
        let window = window.filter(|_| local);
        let mut mixers = vec![Attention { causal: from.is_some(), window, ..base }.describe(parts)];
        if let Some(from) = from {
            parts.norm(Norm::Rms, "pre_cross_attn_layernorm", hidden);
            parts.norm(Norm::Rms, "post_cross_attn_layernorm", hidden);
            let block = Attention { at: "cross_attn", kv_width: Some(from), ..base };
            mixers.push(cross(parts, block, Length::Prompt));
        }
        mlp(parts, "mlp", Mlp { hidden, inner, gated: true, bias: false });
        Ok(mixers)
    })?;
    draft.after.norm(Norm::Rms, "norm", hidden);
    Ok(draft)
}

/// Switch Transformers: T5 with one expert a token in some layers.
pub(super) fn switch(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let t5 = T5::read(config, false)?;
    let vocabulary = config.int("vocab_size")?;
    let layers = config.layers("num_layers")?;
    let decoder_layers = if config.maybe("num_decoder_layers")?.is_some() {
        config.layers("num_decoder_layers")?
    } else {
        layers
    };
    let experts = Moe {
        router: "router.classifier",
        gated: false,
        router_bias: config.flag("router_bias", false)?,
        ..Moe::new(t5.hidden, t5.mlp.inner, config.int("num_experts")?, 1)
    };
    let step = |key: &str, count: &str, layers: u64| -> Result<u64, Fault> {
        let sparse = config.whole(count, 3)?;
        config.whole(key, layers.checked_div(sparse).unwrap_or(layers))
    };
    let sparse_steps = (
        step("encoder_sparse_step", "num_sparse_encoder_layers", layers)?,
        step("decoder_sparse_step", "num_sparse_decoder_layers", decoder_layers)?,
    );
    let mut encoder = t5.stack_with(cx, StackKind::Encoder, layers, Some((experts, sparse_steps.0)))?;
    encoder.before.table("shared", vocabulary, t5.hidden);
    if cx.class.ends_with("EncoderModel") {
        return Ok(vec![encoder.done()]);
    }
    let tied = config.flag("tie_word_embeddings", true)?;
    let decoding = Some((experts, sparse_steps.1));
    if !tied {
        // The library unties the tables of both sides together with the head.
        encoder.before.table("encoder.embed_tokens", vocabulary, t5.hidden);
    }
    let mut decoder = t5.stack_with(cx, StackKind::Decoder, decoder_layers, decoding)?;
    if !tied {
        decoder.before.table("decoder.embed_tokens", vocabulary, t5.hidden);
    }
    if cx.head == Head::Language {
        language_head(&mut decoder.after, t5.hidden, vocabulary, tied);
    }
    Ok(vec![encoder.done(), decoder.done()])
}
