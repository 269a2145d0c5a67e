//! The generation before Llama: layer norms with biases, learned positions, fused queries.

use maat_base::Fault;

use super::plain::{bridge, positions};
use crate::Stack;
use crate::assemble::{Context, Trunk};
use crate::blocks::{Attention, Mlp, mlp};
use crate::parts::{Norm, Parts};

/// What a layer of these families is made of.
#[derive(Clone, Copy)]
struct Layer {
    attention: Attention,
    mlp: Mlp,
    norm: Norm,
    /// Norms over the stream.
    norms: u64,
}

impl Layer {
    /// Biases everywhere, two norms, a plain MLP of four times the width unless `inner` says otherwise.
    fn new(hidden: u64, heads: u64, inner: Option<u64>) -> Self {
        let attention = Attention {
            at: "attn",
            bias: [true; 3],
            out_bias: true,
            fused: true,
            ..Attention::new(hidden, heads, heads, hidden / heads)
        };
        let mlp = Mlp { hidden, inner: inner.unwrap_or(4 * hidden), gated: false, bias: true };
        Self { attention, mlp, norm: Norm::Layer, norms: 2 }
    }

    fn describe(&self, parts: &mut Parts) -> crate::Mixer {
        const NAMES: [&str; 2] = ["ln_1", "ln_2"];
        for name in NAMES.iter().take(self.norms as usize) {
            parts.norm(self.norm, *name, self.mlp.hidden);
        }
        let mixer = self.attention.describe(parts);
        mlp(parts, "mlp", self.mlp);
        mixer
    }
}

fn trunk(cx: &Context) -> Result<Trunk, Fault> {
    Ok(Trunk { path: "transformer.h", norm: Norm::Layer, ..Trunk::of(&cx.config)? })
}

/// A stack of equal layers; `start` adds what stands before them.
fn stack(
    cx: &Context,
    trunk: &Trunk,
    layer: &Layer,
    start: impl FnOnce(&mut Parts),
) -> Result<Vec<Stack>, Fault> {
    let mut draft = trunk.start(cx);
    start(&mut draft.before);
    draft.layers(cx, trunk.layers, |parts, _| Ok(vec![layer.describe(parts)]))?;
    Ok(vec![trunk.finish(cx, draft)?])
}

pub(super) fn gpt2(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let (config, trunk) = (&cx.config, trunk(cx)?);
    let inner = config.maybe("n_inner")?.filter(|n| *n > 0);
    let layer = Layer::new(trunk.hidden, config.int("num_attention_heads")?, inner);
    let rows = config.int("max_position_embeddings")?;
    stack(cx, &trunk, &layer, |parts| positions(parts, "transformer.wpe", rows, trunk.hidden))
}

/// SantaCoder and StarCoder: one head of keys and values for all queries.
pub(super) fn gpt_bigcode(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let (config, trunk) = (&cx.config, trunk(cx)?);
    let inner = config.maybe("n_inner")?.filter(|n| *n > 0);
    let mut layer = Layer::new(trunk.hidden, config.int("num_attention_heads")?, inner);
    if config.flag("multi_query", true)? {
        layer.attention.kv_heads = 1;
    }
    let rows = config.int("max_position_embeddings")?;
    stack(cx, &trunk, &layer, |parts| positions(parts, "transformer.wpe", rows, trunk.hidden))
}

/// GPT-Neo: every other layer looks back on 256 tokens, unless `attention_types` says otherwise.
pub(super) fn gpt_neo(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let (config, trunk) = (&cx.config, trunk(cx)?);
    let inner = config.maybe("intermediate_size")?.filter(|n| *n > 0);
    let mut layer = Layer::new(trunk.hidden, config.int("num_attention_heads")?, inner);
    (layer.attention.bias, layer.attention.fused) = ([false; 3], false);
    let window = config.length("window_size")?;
    let kinds = config.words("attention_layers")?.unwrap_or_default();
    let mut draft = trunk.start(cx);
    positions(&mut draft.before, "transformer.wpe", config.int("max_position_embeddings")?, trunk.hidden);
    draft.layers(cx, trunk.layers, |parts, index| {
        let stated = kinds.get(index as usize).map(|kind| kind == "local");
        let attention =
            Attention { window: window.filter(|_| stated.unwrap_or(index % 2 == 1)), ..layer.attention };
        Ok(vec![Layer { attention, ..layer }.describe(parts)])
    })?;
    Ok(vec![trunk.finish(cx, draft)?])
}

/// GPT-J and CodeGen: one norm, rotary positions, a head with a bias.
fn gptj_like(cx: &Context, fused: bool) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk { head_bias: true, ..trunk(cx)? };
    let inner = config.maybe("n_inner")?.filter(|n| *n > 0);
    let mut layer = Layer::new(trunk.hidden, config.int("num_attention_heads")?, inner);
    layer.attention = Attention { bias: [false; 3], out_bias: false, fused, ..layer.attention };
    layer.norms = 1;
    stack(cx, &trunk, &layer, |_| ())
}

pub(super) fn gptj(cx: &Context) -> Result<Vec<Stack>, Fault> {
    gptj_like(cx, false)
}

pub(super) fn codegen(cx: &Context) -> Result<Vec<Stack>, Fault> {
    gptj_like(cx, true)
}

pub(super) fn gpt_neox(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk { path: "gpt_neox.layers", ..trunk(cx)? };
    let inner = config.int("intermediate_size")?;
    let mut layer = Layer::new(trunk.hidden, config.int("num_attention_heads")?, Some(inner));
    let bias = config.flag("attention_bias", true)?;
    (layer.attention.bias, layer.attention.out_bias) = ([bias; 3], bias);
    stack(cx, &trunk, &layer, |_| ())
}

pub(super) fn bloom(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let trunk = trunk(cx)?;
    let layer = Layer::new(trunk.hidden, cx.config.int("num_attention_heads")?, None);
    stack(cx, &trunk, &layer, |parts| {
        parts.norm(Norm::Layer, "transformer.word_embeddings_layernorm", trunk.hidden);
    })
}

/// OPT: two rows of positions more than tokens; the embedding may be narrower than the stream.
pub(super) fn opt(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk { path: "model.decoder.layers", ..trunk(cx)? };
    let hidden = trunk.hidden;
    let narrow = config.int_or("word_embed_proj_dim", hidden)?;
    let learned = config.flag("layer_norm_elementwise_affine", true)?;
    let norm = if learned { Norm::Layer } else { Norm::Bare };
    let before =
        config.flag("do_layer_norm_before", true)? && !config.flag("_remove_final_layer_norm", false)?;
    let trunk = Trunk { embedding: Some(narrow), norm: if before { norm } else { Norm::Bare }, ..trunk };
    let mut layer = Layer::new(hidden, config.int("num_attention_heads")?, Some(config.int("ffn_dim")?));
    let bias = config.flag("enable_bias", true)?;
    layer.norm = norm;
    layer.mlp.bias = bias;
    layer.attention = Attention { bias: [bias; 3], out_bias: bias, fused: false, ..layer.attention };
    let rows = config.int("max_position_embeddings")? + 2;
    let mut draft = trunk.start(cx);
    positions(&mut draft.before, "model.decoder.embed_positions", rows, hidden);
    bridge(&mut draft.before, "model.decoder.project_in", narrow, hidden);
    draft.layers(cx, trunk.layers, |parts, _| Ok(vec![layer.describe(parts)]))?;
    bridge(&mut draft.after, "model.decoder.project_out", hidden, narrow);
    Ok(vec![trunk.finish(cx, draft)?])
}

/// MPT: no biases at all, the MLP always four times as wide.
pub(super) fn mpt(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let trunk = Trunk { path: "transformer.blocks", norm: Norm::Rms, ..trunk(cx)? };
    let mut layer = Layer::new(trunk.hidden, cx.config.int("num_attention_heads")?, None);
    layer.attention = Attention { bias: [false; 3], out_bias: false, ..layer.attention };
    layer.mlp.bias = false;
    layer.norm = Norm::Rms;
    stack(cx, &trunk, &layer, |_| ())
}

/// Falcon: grouped, multi-query or full attention, and one or two norms, by its generation.
pub(super) fn falcon(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let (config, trunk) = (&cx.config, trunk(cx)?);
    let heads = config.int("num_attention_heads")?;
    let inner = config.maybe("ffn_hidden_size")?.filter(|n| *n > 0);
    let mut layer = Layer::new(trunk.hidden, heads, inner);
    let newer = config.flag("new_decoder_architecture", false)?;
    let kv_heads = match (newer, config.flag("multi_query", true)?) {
        (true, _) => config.int_or("num_kv_heads", heads)?,
        (false, true) => 1,
        (false, false) => heads,
    };
    let bias = config.flag("bias", false)?;
    layer.mlp.bias = bias;
    layer.attention = Attention { kv_heads, bias: [bias; 3], out_bias: bias, ..layer.attention };
    let parallel = config.flag("parallel_attn", true)?;
    let norms = config.whole("num_ln_in_parallel_attn", if newer { 2 } else { 1 })?;
    layer.norms = if !parallel || norms == 2 { 2 } else { 1 };
    stack(cx, &trunk, &layer, |_| ())
}
