//! Decoders that need a block or a rule of their own, each in few models.

use maat_base::Fault;

use super::plain::{BASE, BIASED, Plain, Switch, attention};
use super::windows::{Windows, kinds};
use super::{deepseek, moe};
use crate::assemble::{Context, Draft, Trunk};
use crate::blocks::{
    Attention, DeltaNet, KimiDelta, Mla, Mlp, Moe, QkNorm, Shared, mlp, recurrence, softmax,
};
use crate::config::Config;
use crate::parts::{Norm, Parts};
use crate::{CacheKind, Compute, Mixer, Part, Role, Shape, Stack, StackKind, Storage};

/// Apertus: a plain MLP whose activation learns two numbers.
pub(super) const APERTUS: Plain = Plain {
    gated: Switch::No,
    mlp_bias: Switch::Key("mlp_bias", false),
    qk_norm: (Switch::Yes, QkNorm::Head(Norm::Rms)),
    windows: Windows::None,
    more: Some(apertus_activation),
    ..BIASED
};
/// NanoChat: no learned norms at all.
pub(super) const NANOCHAT: Plain =
    Plain { norm: Norm::Bare, gated: Switch::No, windows: Windows::None, ..BIASED };
/// Jais 2: layer norms, a plain MLP, biases.
pub(super) const JAIS2: Plain = Plain {
    norm: Norm::Layer,
    qkv_bias: Switch::Key("attention_bias", true),
    out_bias: Switch::Key("attention_bias", true),
    mlp_bias: Switch::Key("mlp_bias", true),
    gated: Switch::No,
    windows: Windows::None,
    ..BASE
};
/// Solar Open: GLM-4.5 with experts everywhere.
pub(super) const SOLAR: Plain = Plain {
    qkv_bias: Switch::Key("attention_bias", false),
    sparse: Some(moe::glm4),
    windows: Windows::None,
    ..BASE
};
const EUROBERT: Plain = Plain {
    mlp_bias: Switch::Key("mlp_bias", false),
    head_bias: Switch::Key("mlp_bias", false),
    windows: Windows::None,
    ..BIASED
};

/// EuroBERT: Llama that sees both sides, with the labels of BERT.
pub(super) fn eurobert(cx: &Context) -> Result<Vec<Stack>, Fault> {
    use super::encoder::dense;
    use crate::class::Head;
    let labelled = matches!(cx.head, Head::Sequence | Head::Token);
    let inner = cx.of(cx.config.clone(), if labelled { Head::None } else { cx.head });
    let mut stacks = EUROBERT.describe(&inner)?;
    for stack in &mut stacks {
        stack.kind = StackKind::Encoder;
        for mixer in stack.layers.iter_mut().flat_map(|layer| &mut layer.mixers) {
            mixer.caches.clear();
            if let Compute::Attention { causal, .. } = &mut mixer.compute {
                *causal = false;
            }
        }
        let mut parts = cx.parts();
        if cx.head == Head::Sequence {
            dense(&mut parts, "dense", stack.hidden, stack.hidden);
        }
        if labelled {
            dense(&mut parts, "classifier", stack.hidden, cx.labels()?);
        }
        stack.after.extend(parts.done());
    }
    Ok(stacks)
}

#[expect(clippy::unnecessary_wraps, reason = "the shape that every addition to a layer has")]
fn apertus_activation(_: &Config, parts: &mut Parts) -> Result<(), Fault> {
    parts.vector(Role::Other, "mlp.act_fn", 2);
    Ok(())
}

/// Hunyuan 3: normalised heads, dense first layers, a shared expert.
pub(super) fn hy_v3(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk::of(config)?;
    let bias = config.flag("attention_bias", false)?;
    let base =
        Attention { bias: [bias; 3], out_bias: bias, qk_norm: QkNorm::Head(Norm::Rms), ..attention(config)? };
    let mlp_bias = config.flag("mlp_bias", false)?;
    let dense =
        Mlp { hidden: trunk.hidden, inner: config.int("intermediate_size")?, gated: true, bias: mlp_bias };
    let inner = config.int("moe_intermediate_size")?;
    let shared = inner.saturating_mul(config.whole("num_shared_experts", 1)?);
    let experts = Moe {
        bias: mlp_bias,
        correction: true,
        shared: Some(Shared { name: "shared_experts", inner: shared, weighed: false }),
        ..Moe::new(trunk.hidden, inner, config.int("num_experts")?, config.int("num_experts_per_tok")?)
    };
    let feeds = kinds(config, "mlp_layer_types", trunk.layers)?;
    let stack = trunk.build(cx, |parts, layer| {
        parts.norm(Norm::Rms, "input_layernorm", trunk.hidden);
        let mixer = base.describe(parts);
        parts.norm(Norm::Rms, "post_attention_layernorm", trunk.hidden);
        if feeds.as_ref().map_or(layer == 0, |feeds| feeds[layer as usize] == "dense") {
            mlp(parts, "mlp", dense);
        } else {
            experts.describe(parts);
        }
        Ok(vec![mixer])
    })?;
    Ok(vec![stack])
}

/// XGLM: positions are computed, everything else as in GPT-2.
pub(super) fn xglm(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk { norm: Norm::Layer, ..Trunk::of(config)? };
    let heads = config.int("num_attention_heads")?;
    let block = Attention { causal: true, ..Attention::encoder(trunk.hidden, heads) };
    let dense = Mlp { hidden: trunk.hidden, inner: config.int("ffn_dim")?, gated: false, bias: true };
    let stack = trunk.build(cx, |parts, _| {
        parts.norm(Norm::Layer, "self_attn_layer_norm", trunk.hidden);
        let mixer = block.describe(parts);
        parts.norm(Norm::Layer, "final_layer_norm", trunk.hidden);
        mlp(parts, "mlp", dense);
        Ok(vec![mixer])
    })?;
    Ok(vec![stack])
}

/// Persimmon: fused queries, normalised heads, a plain MLP, biases everywhere.
pub(super) fn persimmon(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk { norm: Norm::Layer, ..Trunk::of(config)? };
    let heads = config.int("num_attention_heads")?;
    let normed = config.flag("qk_layernorm", true)?;
    let block = Attention {
        causal: true,
        fused: true,
        qk_norm: if normed { QkNorm::Head(Norm::Layer) } else { QkNorm::None },
        ..Attention::encoder(trunk.hidden, heads)
    };
    let inner = config.int("intermediate_size")?;
    let dense = Mlp { hidden: trunk.hidden, inner, gated: false, bias: true };
    let stack = trunk.build(cx, |parts, _| {
        parts.norm(Norm::Layer, "input_layernorm", trunk.hidden);
        parts.norm(Norm::Layer, "post_attention_layernorm", trunk.hidden);
        let mixer = block.describe(parts);
        mlp(parts, "mlp", dense);
        Ok(vec![mixer])
    })?;
    Ok(vec![stack])
}

/// JetMoE: experts for queries and outputs of attention as well.
pub(super) fn jetmoe(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk::of(config)?;
    let hidden = trunk.hidden;
    let (experts, chosen) = (config.int("num_experts")?, config.int("num_experts_per_tok")?);
    let (kv_heads, width) = (config.int("num_key_value_heads")?, config.int("kv_channels")?);
    let inner = config.int("intermediate_size")?;
    let kv = kv_heads * width;
    let stack = trunk.build(cx, |parts, _| {
        parts.norm(Norm::Rms, "input_layernorm", hidden);
        parts.norm(Norm::Rms, "post_attention_layernorm", hidden);
        parts.matmul(Role::Key, "self_attention.kv_proj", hidden, 2 * kv);
        // The library's class files these, and not those of the feed-forward block, under `experts`.
        for (role, name, inputs, outputs) in [
            (Role::Query, "self_attention.experts.input_linear", hidden, kv),
            (Role::AttentionOut, "self_attention.experts.output_linear", kv, hidden),
        ] {
            parts.matmul(role, name, inputs, outputs).times(experts, chosen).in_part(Part::RoutedExperts);
        }
        let router = parts.matmul(Role::Router, "self_attention.experts.router", hidden, experts);
        router.in_part(Part::RoutedExperts);
        parts.vector(Role::Other, "self_attention.experts.bias", hidden).in_part(Part::RoutedExperts);
        parts.matmul(Role::Router, "mlp.router", hidden, experts);
        parts.vector(Role::Other, "mlp.bias", hidden).in_part(Part::Mlp);
        parts.matmul(Role::GateUp, "mlp.input_linear", hidden, 2 * inner).times(experts, chosen);
        parts.matmul(Role::Down, "mlp.output_linear", inner, hidden).times(experts, chosen);
        Ok(vec![softmax(kv_heads * chosen, kv_heads, (width, width), None)])
    })?;
    Ok(vec![stack])
}

/// LongCat-Flash: two attentions and two dense blocks a layer, and experts beside them, some of which do nothing.
pub(super) fn longcat(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk::of_depth(config, "num_layers")?;
    let hidden = trunk.hidden;
    let mut latent = deepseek::latent(config)?;
    latent.query_width = config.maybe("qk_head_dim")?;
    let dense = Mlp { hidden, inner: config.int("ffn_hidden_size")?, gated: true, bias: false };
    let inner = config.int("expert_ffn_hidden_size")?;
    let experts = config.int("n_routed_experts")?;
    let idle = config.whole("zero_expert_num", 0)?;
    let chosen = config.int("moe_topk")?;
    let router_bias = config.flag("router_bias", false)?;
    let stack = trunk.build(cx, |parts, _| {
        let mut mixers = Vec::new();
        for _ in 0..2 {
            parts.norm(Norm::Rms, "input_layernorm", hidden);
            mixers.push(latent.describe(parts));
            parts.norm(Norm::Rms, "post_attention_layernorm", hidden);
            mlp(parts, "mlps", dense);
        }
        let all = experts + idle;
        parts.matmul(Role::Router, "mlp.router.classifier", hidden, all).biased(router_bias);
        parts.within(Part::RoutedExperts, |parts| {
            // The library makes room for the idle experts in the fused matrix, though nothing uses it.
            parts.matmul(Role::GateUp, "mlp.experts.*.gate_up_proj", hidden, 2 * inner).times(all, chosen);
            parts.matmul(Role::Down, "mlp.experts.*.down_proj", inner, hidden).times(experts, chosen);
        });
        Ok(mixers)
    })?;
    Ok(vec![stack])
}

/// Bailing hybrid (Ling 2.5): Kimi's delta layers with gates of full rank, gated latent attention each so many layers.
pub(super) fn bailing(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk { ties: false, ..Trunk::of(config)? };
    let hidden = trunk.hidden;
    let either = |own: &str, usual: &str| {
        if config.stated(own).is_some() { config.int(own) } else { config.int(usual) }
    };
    let delta = KimiDelta {
        hidden,
        heads: either("linear_num_heads", "num_attention_heads")?,
        head_dim: either("linear_head_dim", "head_dim")?,
        kernel: either("linear_conv_kernel_dim", "short_conv_kernel_size")?,
        full: true,
    };
    let latent = deepseek::latent(config)?;
    let inner = config.int("moe_intermediate_size")?;
    let shared = inner.saturating_mul(config.whole("num_shared_experts", 1)?);
    let experts = Moe {
        correction: true,
        shared: Some(Shared { name: "shared_experts", inner: shared, weighed: false })
            .filter(|s| s.inner > 0),
        ..Moe::new(hidden, inner, config.int("num_experts")?, config.int("num_experts_per_tok")?)
    };
    let dense = Mlp { hidden, inner: config.int("intermediate_size")?, gated: true, bias: false };
    let first = config.whole("first_k_dense_replace", 0)?;
    let period = config.int_or("layer_group_size", 1)?;
    let types = kinds(config, "layer_types", trunk.layers)?;
    let feeds = kinds(config, "mlp_layer_types", trunk.layers)?;
    let stack = trunk.build(cx, |parts, layer| {
        let index = layer as usize;
        parts.norm(Norm::Rms, "input_layernorm", hidden);
        let full = types.as_ref().map_or((layer + 1) % period == 0, |types| types[index] == "full_attention");
        let mixer = if full { gated_latent(parts, latent) } else { delta.describe(parts) };
        parts.norm(Norm::Rms, "post_attention_layernorm", hidden);
        if feeds.as_ref().map_or(layer < first, |feeds| feeds[index] == "dense") {
            mlp(parts, "mlp", dense);
        } else {
            experts.describe(parts);
        }
        Ok(vec![mixer])
    })?;
    Ok(vec![stack])
}

fn gated_latent(parts: &mut Parts, latent: Mla) -> Mixer {
    let mixer = latent.describe(parts);
    parts.matmul(Role::Other, "self_attn.g_proj", latent.hidden, latent.heads).in_part(Part::Attention);
    mixer
}

/// OLMo hybrid: gated delta nets with a gate of their own, and OLMo 2's attention each fourth layer.
pub(super) fn olmo_hybrid(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk::of(config)?;
    let hidden = trunk.hidden;
    let bias = config.flag("attention_bias", false)?;
    let base = Attention {
        bias: [bias; 3],
        out_bias: bias,
        qk_norm: QkNorm::Whole(Norm::Rms),
        ..attention(config)?
    };
    let key_heads = config.int_or("linear_num_key_heads", base.heads)?;
    let key_dim = config.int_or("linear_key_head_dim", (3 * hidden / 4) / key_heads.max(1))?;
    let delta = DeltaNet {
        hidden,
        key_heads,
        key_dim,
        value_heads: config.int_or("linear_num_value_heads", base.heads)?,
        value_dim: config.int_or("linear_value_head_dim", 2 * key_dim)?,
        kernel: config.int("linear_conv_kernel_dim")?,
        fused: false,
    };
    let dense = Mlp { hidden, inner: config.int("intermediate_size")?, gated: true, bias: false };
    let types = kinds(config, "layer_types", trunk.layers)?;
    let layers = trunk.layers;
    let stack = trunk.build(cx, |parts, layer| {
        let usual = layer % 4 == 3 || (layers < 4 && layer + 1 == layers);
        let full = types.as_ref().map_or(usual, |types| types[layer as usize] == "full_attention");
        parts.norm(Norm::Rms, "post_attention_layernorm", hidden);
        parts.norm(Norm::Rms, if full { "post_feedforward_layernorm" } else { "input_layernorm" }, hidden);
        let mixer = if full { base.describe(parts) } else { delta.describe(parts) };
        mlp(parts, "mlp", dense);
        Ok(vec![mixer])
    })?;
    Ok(vec![stack])
}

/// xLSTM: matrix memories only.
pub(super) fn xlstm(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let either = |one: &'static str, other: &'static str| -> Result<&'static str, Fault> {
        Ok(if config.maybe(one)?.is_some() { one } else { other })
    };
    let hidden = config.int(either("hidden_size", "embedding_dim")?)?;
    let width = config.int(either("embedding_dim", "hidden_size")?)?;
    let trunk = Trunk {
        hidden,
        vocabulary: config.int("vocab_size")?,
        layers: config.layers(either("num_blocks", "num_hidden_layers")?)?,
        path: "backbone.blocks",
        norm: Norm::Rms,
        head_bias: false,
        embedding: None,
        ties: false,
    };
    let heads = config.int("num_heads")?;
    let rounded = |key: &str, usual: f64, multiple: u64| -> Result<u64, Fault> {
        let width = (hidden as f64 * config.float(key, usual)?).max(0.0) as u64;
        Ok(width.min(1 << 32).div_ceil(multiple) * multiple)
    };
    let (keys, values) = (rounded("qk_dim_factor", 0.5, 64)?, rounded("v_dim_factor", 1.0, 64)?);
    let inner = rounded("ffn_proj_factor", 2.667, config.int_or("ffn_round_up_to_multiple_of", 64)?)?;
    let bias = config.flag("use_bias", false)?;
    let norm = if bias { Norm::Layer } else { Norm::Rms };
    let stack = trunk.build(cx, |parts, _| {
        parts.norm(norm, "norm_mlstm", hidden);
        parts.within(Part::StateSpace, |parts| {
            let inputs = [("q", keys), ("k", keys), ("v", values), ("ogate_preact", values)];
            for (name, width) in inputs {
                parts.matmul(Role::StateIn, format!("mlstm_layer.{name}"), hidden, width).biased(bias);
            }
            for name in ["igate_preact", "fgate_preact"] {
                parts.matmul(Role::StateIn, format!("mlstm_layer.{name}"), hidden, heads).biased(true);
            }
            parts.norm(norm, "mlstm_layer.multihead_norm", values);
            parts.matmul(Role::StateOut, "mlstm_layer.out_proj", values, hidden).biased(bias);
        });
        parts.norm(norm, "norm_ffn", hidden);
        mlp(parts, "ffn", Mlp { hidden, inner, gated: true, bias });
        Ok(vec![recurrence(CacheKind::Linear, heads, keys * (values / heads), 0, 5)])
    })?;
    let mut stack = stack;
    if let Some(table) = stack.before.first_mut() {
        table.shape = Shape::Table { rows: trunk.vocabulary, width };
    }
    Ok(vec![stack])
}

/// RWKV 4: attention without softmax, as a recurrence over channels.
pub(super) fn rwkv(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk { path: "rwkv.blocks", norm: Norm::Layer, ..Trunk::of(config)? };
    let hidden = trunk.hidden;
    let width = config.int_or("attention_hidden_size", hidden)?;
    let inner = config.int_or("intermediate_size", 4 * hidden)?;
    let stack = trunk.build(cx, |parts, layer| {
        if layer == 0 {
            parts.norm(Norm::Layer, "pre_ln", hidden);
        }
        parts.norm(Norm::Layer, "ln1", hidden);
        parts.norm(Norm::Layer, "ln2", hidden);
        parts.within(Part::StateSpace, |parts| {
            parts.vector(Role::Other, "attention.time_decay", width);
            parts.vector(Role::Other, "attention.time_first", width);
            parts.vector(Role::Other, "attention.time_mix", 3 * hidden);
            for name in ["attention.key", "attention.value", "attention.receptance"] {
                parts.matmul(Role::StateIn, name, hidden, width);
            }
            parts.matmul(Role::StateOut, "attention.output", width, hidden);
        });
        parts.vector(Role::Other, "feed_forward.time_mix", 2 * hidden);
        parts.matmul(Role::Up, "feed_forward.key", hidden, inner);
        parts.matmul(Role::Other, "feed_forward.receptance", hidden, hidden).in_part(Part::Mlp);
        parts.matmul(Role::Down, "feed_forward.value", inner, hidden);
        // Numerator, denominator and maximum of the average, and the last token twice.
        Ok(vec![recurrence(CacheKind::Linear, 1, 5 * width, 0, 4)])
    })?;
    Ok(vec![stack])
}

/// ModernBERT as a decoder: queries, keys and values apart, the head behind a dense layer.
pub(super) fn modernbert_decoder(cx: &Context) -> Result<Vec<Stack>, Fault> {
    use crate::class::Head;
    let config = &cx.config;
    let trunk = Trunk::of(config)?;
    let hidden = trunk.hidden;
    let norm = if config.flag("norm_bias", false)? { Norm::Layer } else { Norm::Rms };
    let attention_bias = config.flag("attention_bias", false)?;
    let heads = config.int("num_attention_heads")?;
    let block = Attention {
        at: "attn",
        bias: [attention_bias; 3],
        out_bias: attention_bias,
        ..Attention::new(hidden, heads, heads, hidden / heads)
    };
    let inner = config.int("intermediate_size")?;
    let dense = Mlp { hidden, inner, gated: true, bias: config.flag("mlp_bias", false)? };
    let period = config.int_or("global_attn_every_n_layers", 3)?;
    let types = kinds(config, "layer_types", trunk.layers)?;
    let window = config.length("local_attention")?;
    let mut draft = Draft::decoder(cx, "model.layers", hidden);
    draft.before.table("model.embeddings.tok_embeddings", trunk.vocabulary, hidden);
    draft.before.norm(norm, "model.embeddings.norm", hidden);
    draft.layers(cx, trunk.layers, |parts, layer| {
        if layer > 0 {
            parts.norm(norm, "attn_norm", hidden);
        }
        let local = match &types {
            Some(types) => types[layer as usize] == "sliding_attention",
            None => layer % period != 0,
        };
        let mixer = Attention { window: window.filter(|_| local), ..block }.describe(parts);
        parts.norm(norm, "mlp_norm", hidden);
        mlp(parts, "mlp", dense);
        Ok(vec![mixer])
    })?;
    draft.after.norm(norm, "model.final_norm", hidden);
    if cx.head != Head::None {
        let bias = config.flag("classifier_bias", false)?;
        draft.after.matmul(Role::Head, "lm_head.dense", hidden, hidden).biased(bias);
        draft.after.norm(norm, "lm_head.norm", hidden);
    }
    match cx.head {
        Head::None => {}
        Head::Language => {
            let tied = config.flag("tie_word_embeddings", true)?;
            let head = draft.after.matmul(Role::Head, "decoder", hidden, trunk.vocabulary);
            head.stored(if tied { Storage::Shared(0) } else { Storage::Own });
            if config.flag("decoder_bias", true)? {
                draft.after.vector(Role::Head, "decoder.bias", trunk.vocabulary);
            }
        }
        _ => {
            let bias = config.flag("classifier_bias", false)?;
            draft.after.matmul(Role::Head, "classifier", hidden, cx.labels()?).biased(bias);
        }
    }
    Ok(vec![draft.done()])
}
