//! Decoders that mix recurrences with attention, or have recurrences only.

use maat_base::Fault;

use super::plain::{BIASED, attention, dense_width, granite_shared_mlp};
use super::windows::kinds;
use super::{deepseek, moe};
use crate::assemble::{Context, Draft, Trunk};
use crate::blocks::{Attention, DeltaNet, KimiDelta, Mamba1, Mamba2, Mlp, Moe, QkNorm, mlp, recurrence};
use crate::config::Config;
use crate::parts::{Norm, Parts};
use crate::{CacheKind, Length, Mixer, Part, Role, Stack, StackKind};

/// Whether a word of `layer_types` (or of an older list) means attention.
pub(super) fn is_attention(kind: &str) -> bool {
    matches!(kind, "full_attention" | "attention" | "sliding_attention")
}

/// Qwen3-Next and Qwen3.5: three gated delta nets for one gated attention.
fn qwen_next(cx: &Context, fused: bool, experts: bool) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk::of(config)?;
    let bias = config.flag("attention_bias", false)?;
    let base = attention(config)?;
    let base = Attention {
        bias: [bias; 3],
        out_bias: bias,
        qk_norm: QkNorm::Head(Norm::Rms),
        gate: base.heads * base.head_dim,
        ..base
    };
    let delta = DeltaNet {
        hidden: trunk.hidden,
        key_heads: config.int("linear_num_key_heads")?,
        key_dim: config.int("linear_key_head_dim")?,
        value_heads: config.int("linear_num_value_heads")?,
        value_dim: config.int("linear_value_head_dim")?,
        kernel: config.int("linear_conv_kernel_dim")?,
        fused,
    };
    let sparse = if experts { Some(moe::qwen(config)?) } else { None };
    let inner = dense_width(config, sparse.as_ref())?;
    let dense = Mlp { hidden: trunk.hidden, inner, gated: true, bias: false };
    let period = config.int_or("full_attention_interval", 4)?;
    let kinds = kinds(config, "layer_types", trunk.layers)?;
    let describe = |parts: &mut Parts, layer: u64| -> Result<Vec<Mixer>, Fault> {
        let full = match &kinds {
            Some(kinds) => is_attention(&kinds[layer as usize]),
            None => (layer + 1).is_multiple_of(period),
        };
        parts.norm(Norm::Rms, "input_layernorm", trunk.hidden);
        let mixer = if full { base.describe(parts) } else { delta.describe(parts) };
        parts.norm(Norm::Rms, "post_attention_layernorm", trunk.hidden);
        match &sparse {
            Some(sparse) if sparse.layers[layer as usize] => sparse.experts.describe(parts),
            _ => mlp(parts, "mlp", dense),
        }
        Ok(vec![mixer])
    };
    let mut stacks = vec![trunk.build(cx, describe)?];
    let predicted = config.layers("mtp_num_hidden_layers")?;
    if predicted > 0 {
        stacks.push(qwen_prediction(cx, &trunk, predicted, |parts| {
            parts.norm(Norm::Rms, "input_layernorm", trunk.hidden);
            let mixer = base.describe(parts);
            parts.norm(Norm::Rms, "post_attention_layernorm", trunk.hidden);
            match &sparse {
                Some(sparse) => sparse.experts.describe(parts),
                None => mlp(parts, "mlp", dense),
            }
            mixer
        })?);
    }
    Ok(stacks)
}

/// Qwen's multi-token prediction: attention layers behind one matrix that joins stream and embedding; embedding and
/// head are the main model's.
fn qwen_prediction(
    cx: &Context,
    trunk: &Trunk,
    count: u64,
    describe: impl Fn(&mut Parts) -> Mixer,
) -> Result<Stack, Fault> {
    let hidden = trunk.hidden;
    let mut draft = Draft::other(cx, StackKind::Mtp, "mtp.layers", hidden, Length::Tokens);
    draft.before.norm(Norm::Rms, "mtp.pre_fc_norm_hidden", hidden);
    draft.before.norm(Norm::Rms, "mtp.pre_fc_norm_embedding", hidden);
    draft.before.matmul(Role::Other, "mtp.fc", 2 * hidden, hidden);
    draft.layers(cx, count, |parts, _| Ok(vec![describe(parts)]))?;
    draft.after.norm(Norm::Rms, "mtp.norm", hidden);
    Ok(draft.done())
}

pub(super) fn qwen3_next(cx: &Context) -> Result<Vec<Stack>, Fault> {
    qwen_next(cx, true, true)
}

pub(super) fn qwen3_5(cx: &Context) -> Result<Vec<Stack>, Fault> {
    qwen_next(cx, false, false)
}

pub(super) fn qwen3_5_moe(cx: &Context) -> Result<Vec<Stack>, Fault> {
    qwen_next(cx, false, true)
}

/// Mamba and FalconMamba: state spaces only.
pub(super) fn mamba(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk { path: "backbone.layers", ..Trunk::of(config)? };
    let mixer = Mamba1 {
        at: "mixer",
        hidden: trunk.hidden,
        inner: config.int_or("intermediate_size", config.int("expand")?.saturating_mul(trunk.hidden))?,
        state: config.int("state_size")?,
        kernel: config.int("conv_kernel")?,
        rank: rank(config, "time_step_rank", trunk.hidden)?,
        bias: config.flag("use_bias", false)?,
        conv_bias: config.flag("use_conv_bias", true)?,
        normed: false,
    };
    let stack = trunk.build(cx, |parts, _| {
        parts.norm(Norm::Rms, "norm", trunk.hidden);
        Ok(vec![mixer.describe(parts)])
    })?;
    Ok(vec![stack])
}

/// The rank of the time step: stated, or a sixteenth of the width.
fn rank(config: &Config, key: &str, hidden: u64) -> Result<u64, Fault> {
    match config.stated(key) {
        Some(value) if value.is_number() => config.int(key),
        _ => Ok(hidden.div_ceil(16)),
    }
}

pub(super) fn mamba2(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk { path: "backbone.layers", ..Trunk::of(config)? };
    let bias = config.flag("use_bias", false)?;
    let mixer = Mamba2 {
        at: "mixer",
        hidden: trunk.hidden,
        heads: config.int("num_heads")?,
        inner: times(trunk.hidden, config.float("expand", 2.0)?),
        groups: config.int("n_groups")?,
        state: config.int("state_size")?,
        kernel: config.int("conv_kernel")?,
        bias,
        out_bias: bias,
        conv_bias: config.flag("use_conv_bias", true)?,
        normed: true,
    };
    let stack = trunk.build(cx, |parts, _| {
        parts.norm(Norm::Rms, "norm", trunk.hidden);
        Ok(vec![mixer.describe(parts)])
    })?;
    Ok(vec![stack])
}

/// A width times a factor that need not be whole, as Python's `int` rounds it.
fn times(width: u64, factor: f64) -> u64 {
    ((width as f64 * factor) as u64).min(1 << 32)
}

/// Jamba: attention every so many layers, experts every so many others.
pub(super) fn jamba(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk::of(config)?;
    let hidden = trunk.hidden;
    let base = attention(config)?;
    let state = Mamba1 {
        at: "mamba",
        hidden,
        inner: config.int("mamba_expand")?.saturating_mul(hidden),
        state: config.int("mamba_d_state")?,
        kernel: config.int("mamba_d_conv")?,
        rank: rank(config, "mamba_dt_rank", hidden)?,
        bias: config.flag("mamba_proj_bias", false)?,
        conv_bias: config.flag("mamba_conv_bias", true)?,
        normed: true,
    };
    let inner = config.int("intermediate_size")?;
    let dense = Mlp { hidden, inner, gated: true, bias: false };
    let count = config.int("num_experts")?;
    let experts = Moe {
        at: "feed_forward",
        router: "router",
        ..Moe::new(hidden, inner, count, config.int("num_experts_per_tok")?)
    };
    let every = |period: &str, offset: &str| Ok((config.int(period)?, config.whole(offset, 0)?));
    let (attention_period, attention_offset) = every("attn_layer_period", "attn_layer_offset")?;
    let (expert_period, expert_offset) = every("expert_layer_period", "expert_layer_offset")?;
    let stack = trunk.build(cx, |parts, layer| {
        parts.norm(Norm::Rms, "input_layernorm", hidden);
        let full = layer % attention_period == attention_offset;
        let mixer = if full { base.describe(parts) } else { state.describe(parts) };
        parts.norm(Norm::Rms, "pre_ff_layernorm", hidden);
        if count > 1 && layer % expert_period == expert_offset {
            experts.describe(parts);
        } else {
            mlp(parts, "feed_forward", dense);
        }
        Ok(vec![mixer])
    })?;
    Ok(vec![stack])
}

/// Mamba-2 under the names of Bamba, Granite 4 and Falcon-H1.
fn mamba2_named(config: &Config, hidden: u64) -> Result<Mamba2, Fault> {
    let bias = config.flag("mamba_proj_bias", false)?;
    Ok(Mamba2 {
        at: "mamba",
        hidden,
        heads: config.int("mamba_n_heads")?,
        inner: config.int("mamba_expand")?.saturating_mul(hidden),
        groups: config.int("mamba_n_groups")?,
        state: config.int("mamba_d_state")?,
        kernel: config.int("mamba_d_conv")?,
        bias,
        out_bias: bias,
        conv_bias: config.flag("mamba_conv_bias", true)?,
        normed: true,
    })
}

pub(super) fn bamba(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk::of(config)?;
    let base = BIASED.attention(config)?;
    let state = mamba2_named(config, trunk.hidden)?;
    let bias = config.flag("mlp_bias", false)?;
    let dense = Mlp { hidden: trunk.hidden, inner: config.int("intermediate_size")?, gated: true, bias };
    let full = config.numbers("attn_layer_indices")?.unwrap_or_default();
    let stack = trunk.build(cx, |parts, layer| {
        parts.norm(Norm::Rms, "input_layernorm", trunk.hidden);
        let mixer = if full.contains(&layer) { base.describe(parts) } else { state.describe(parts) };
        parts.norm(Norm::Rms, "pre_ff_layernorm", trunk.hidden);
        mlp(parts, "feed_forward", dense);
        Ok(vec![mixer])
    })?;
    Ok(vec![stack])
}

/// Granite 4: Mamba-2 with some attention, experts or none, and a shared MLP.
pub(super) fn granite_hybrid(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk::of(config)?;
    let base = BIASED.attention(config)?;
    let state = mamba2_named(config, trunk.hidden)?;
    let sparse = if config.whole("num_experts", 0)? > 0 { Some(moe::granite(config)?) } else { None };
    let types = kinds(config, "layer_types", trunk.layers)?;
    let types = if types.is_some() { types } else { kinds(config, "layers_block_type", trunk.layers)? };
    let stack = trunk.build(cx, |parts, layer| {
        parts.norm(Norm::Rms, "input_layernorm", trunk.hidden);
        let full = types.as_ref().is_some_and(|types| is_attention(&types[layer as usize]));
        let mixer = if full { base.describe(parts) } else { state.describe(parts) };
        parts.norm(Norm::Rms, "post_attention_layernorm", trunk.hidden);
        if let Some(sparse) = &sparse {
            sparse.experts.describe(parts);
        }
        granite_shared_mlp(config, parts)?;
        Ok(vec![mixer])
    })?;
    Ok(vec![stack])
}

/// Falcon-H1: attention and Mamba-2 side by side in every layer.
pub(super) fn falcon_h1(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk::of(config)?;
    let base = BIASED.attention(config)?;
    let mut state = mamba2_named(config, trunk.hidden)?;
    state.inner = config.int_or("mamba_d_ssm", state.inner)?;
    state.normed = config.flag("mamba_rms_norm", false)?;
    state.out_bias = config.flag("projectors_bias", false)?;
    let bias = config.flag("mlp_bias", false)?;
    let dense = Mlp { hidden: trunk.hidden, inner: config.int("intermediate_size")?, gated: true, bias };
    let stack = trunk.build(cx, |parts, _| {
        parts.norm(Norm::Rms, "input_layernorm", trunk.hidden);
        let mixers = vec![state.describe(parts), base.describe(parts)];
        parts.norm(Norm::Rms, "pre_ff_layernorm", trunk.hidden);
        mlp(parts, "feed_forward", dense);
        Ok(mixers)
    })?;
    Ok(vec![stack])
}

/// LFM2: short convolutions and attention.
pub(super) fn lfm2(cx: &Context) -> Result<Vec<Stack>, Fault> {
    lfm2_like(cx, lfm2_inner(&cx.config)?, None)
}

/// LFM2 with experts in all but the first layers.
pub(super) fn lfm2_moe(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let correction = config.flag("use_expert_bias", true)?;
    let experts = Moe { at: "feed_forward", correction, ..deepseek::experts(config)? };
    let first = config.whole("num_dense_layers", 2)?;
    lfm2_like(cx, config.int("intermediate_size")?, Some((experts, first)))
}

fn lfm2_like(cx: &Context, inner: u64, sparse: Option<(Moe, u64)>) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let tied = config.flag("tie_embedding", true)?;
    let tied = config.flag("tie_word_embeddings", tied)?;
    let cx = &Context { tied: cx.tied.or(Some(tied)), ..cx.of(config.clone(), cx.head) };
    let trunk = Trunk::of(config)?;
    let hidden = trunk.hidden;
    let base = Attention { qk_norm: QkNorm::Head(Norm::Rms), ..attention(config)? };
    let dense = Mlp { hidden, inner, gated: true, bias: false };
    let (kernel, bias) = (config.int("conv_L_cache")?, config.flag("conv_bias", false)?);
    let types = kinds(config, "layer_types", trunk.layers)?;
    let full = config.numbers("full_attn_idxs")?;
    let stack = trunk.build(cx, |parts, layer| {
        parts.norm(Norm::Rms, "operator_norm", hidden);
        parts.norm(Norm::Rms, "ffn_norm", hidden);
        let attends = match (&types, &full) {
            (Some(types), _) => types[layer as usize] != "conv",
            (None, Some(full)) => full.contains(&layer),
            (None, None) => true,
        };
        let mixer = if attends {
            base.describe(parts)
        } else {
            parts.within(Part::StateSpace, |parts| {
                parts.matmul(Role::StateIn, "conv.in_proj", hidden, 3 * hidden).biased(bias);
                parts.conv("conv.conv", 1, hidden, kernel).biased(bias);
                parts.matmul(Role::StateOut, "conv.out_proj", hidden, hidden).biased(bias);
            });
            recurrence(CacheKind::Linear, hidden, 0, hidden * kernel.saturating_sub(1), 0)
        };
        match &sparse {
            Some((experts, first)) if layer >= *first => experts.describe(parts),
            _ => mlp(parts, "feed_forward", dense),
        }
        Ok(vec![mixer])
    })?;
    Ok(vec![stack])
}

/// The width of LFM2's MLP: two thirds, times a factor, rounded up.
fn lfm2_inner(config: &Config) -> Result<u64, Fault> {
    let inner = config.int("intermediate_size")?;
    if !config.flag("block_auto_adjust_ff_dim", true)? {
        return Ok(inner);
    }
    let inner = 2 * inner / 3;
    if config.stated("block_ffn_dim_multiplier").is_none() && config.maybe("block_multiple_of")?.is_none() {
        return Ok(inner);
    }
    let inner = times(inner, config.float("block_ffn_dim_multiplier", 1.0)?);
    let multiple = config.int_or("block_multiple_of", 1)?;
    Ok(inner.div_ceil(multiple) * multiple)
}

/// MiniMax-Text-01: lightning attention and full attention in turn, experts everywhere.
pub(super) fn minimax(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk::of(config)?;
    let hidden = trunk.hidden;
    let base = attention(config)?;
    let width = base.heads * base.head_dim;
    let sparse = moe::mixtral(config)?;
    let types = kinds(config, "layer_types", trunk.layers)?;
    let stack = trunk.build(cx, |parts, layer| {
        parts.norm(Norm::Rms, "input_layernorm", hidden);
        let full = match &types {
            Some(types) => is_attention(&types[layer as usize]),
            None => layer % 2 == 1,
        };
        let mixer = if full {
            base.describe(parts)
        } else {
            parts.within(Part::StateSpace, |parts| {
                parts.matmul(Role::StateIn, "self_attn.qkv_proj", hidden, 3 * width);
                parts.norm(Norm::Rms, "self_attn.norm", width);
                parts.matmul(Role::StateIn, "self_attn.output_gate", hidden, width);
                parts.matmul(Role::StateOut, "self_attn.out_proj", width, hidden);
            });
            recurrence(CacheKind::Linear, base.heads, width.saturating_mul(base.head_dim), 0, 5)
        };
        parts.norm(Norm::Rms, "post_attention_layernorm", hidden);
        sparse.experts.describe(parts);
        Ok(vec![mixer])
    })?;
    Ok(vec![stack])
}

/// Kimi Linear: three delta layers for one of latent attention.
pub(super) fn kimi_linear(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk { ties: false, ..Trunk::of(config)? };
    let hidden = trunk.hidden;
    let inner = config.inside("linear_attn_config")?;
    let either = |own: &str, inside: &str| {
        if inner.stated(inside).is_some() { inner.int(inside) } else { config.int(own) }
    };
    let delta = KimiDelta {
        hidden,
        heads: either("linear_num_heads", "num_heads")?,
        head_dim: either("linear_head_dim", "head_dim")?,
        kernel: either("linear_conv_kernel_dim", "short_conv_kernel_size")?,
        full: false,
    };
    let latent = deepseek::latent(config)?;
    let experts = Moe { correction: true, ..deepseek::experts(config)? };
    let dense = Mlp { hidden, inner: config.int("intermediate_size")?, gated: true, bias: false };
    let first = config.whole("first_k_dense_replace", 1)?;
    let types = kinds(config, "layer_types", trunk.layers)?;
    let feeds = kinds(config, "mlp_layer_types", trunk.layers)?;
    let stated = inner.numbers("full_attn_layers")?;
    let stack = trunk.build(cx, |parts, layer| {
        parts.norm(Norm::Rms, "input_layernorm", hidden);
        let full = match (&types, &stated) {
            (Some(types), _) => is_attention(&types[layer as usize]),
            // The checkpoint's list counts from 1.
            (None, Some(stated)) => stated.contains(&(layer + 1)),
            (None, None) => layer > 0 && layer % 4 == 0,
        };
        let mixer = if full { latent.describe(parts) } else { delta.describe(parts) };
        parts.norm(Norm::Rms, "post_attention_layernorm", hidden);
        let is_dense = feeds.as_ref().map_or(layer < first, |feeds| feeds[layer as usize] == "dense");
        if is_dense {
            mlp(parts, "mlp", dense);
        } else {
            experts.describe(parts);
        }
        Ok(vec![mixer])
    })?;
    Ok(vec![stack])
}

/// RecurrentGemma: two gated linear recurrences for one windowed attention.
pub(super) fn recurrent_gemma(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk::of(config)?;
    let hidden = trunk.hidden;
    let heads = config.int("num_attention_heads")?;
    let width = config.int_or("lru_width", hidden)?;
    let kernel = config.int("conv1d_width")?;
    let bias = config.flag("attention_bias", false)?;
    let base = Attention {
        bias: [bias; 3],
        out_bias: true,
        window: config.length("attention_window_size")?,
        ..attention(config)?
    };
    let dense = Mlp { hidden, inner: config.int("intermediate_size")? / 2, gated: true, bias: true };
    let types = config.words("block_types")?;
    let usual = ["recurrent", "recurrent", "attention"].map(str::to_owned).to_vec();
    let types = types.filter(|types| !types.is_empty()).unwrap_or(usual);
    let stack = trunk.build(cx, |parts, layer| {
        parts.norm(Norm::Rms, "temporal_pre_norm", hidden);
        parts.norm(Norm::Rms, "channel_pre_norm", hidden);
        let mixer = if types[layer as usize % types.len()] == "attention" {
            base.describe(parts)
        } else {
            parts.within(Part::StateSpace, |parts| {
                parts.matmul(Role::StateIn, "temporal_block.linear_y", hidden, width).biased(true);
                parts.matmul(Role::StateIn, "temporal_block.linear_x", hidden, width).biased(true);
                parts.matmul(Role::StateOut, "temporal_block.linear_out", width, hidden).biased(true);
                parts.conv("temporal_block.conv_1d", 1, width, kernel).biased(true);
                parts.vector(Role::Other, "temporal_block.rg_lru.recurrent_param", width);
                let block = width / heads;
                for name in ["input_gate", "recurrent_gate"] {
                    let name = format!("temporal_block.rg_lru.{name}");
                    parts.matmul(Role::Other, name, block, block).biased(true).times(heads, heads);
                }
            });
            recurrence(CacheKind::Linear, heads, width, width.saturating_mul(kernel.saturating_sub(1)), 6)
        };
        mlp(parts, "mlp_block", dense);
        Ok(vec![mixer])
    })?;
    Ok(vec![stack])
}
