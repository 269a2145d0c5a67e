//! Decoders with a geometry of their own: MiMo, Step.

use maat_base::Fault;

use super::plain::attention;
use super::windows::kinds;
use crate::assemble::{Context, Trunk};
use crate::blocks::{Attention, Mlp, Moe, QkNorm, Shared, mlp};
use crate::parts::Norm;
use crate::{Part, Role, Stack};

/// MiMo-V2-Flash: windowed layers have twice the heads of keys and values, and sinks.
pub(super) fn mimo_v2(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk::of(config)?;
    let hidden = trunk.hidden;
    let bias = config.flag("attention_bias", false)?;
    let base =
        Attention { bias: [bias; 3], value_dim: Some(config.int("v_head_dim")?), ..attention(config)? };
    let window = config.length("sliding_window")?;
    let types = kinds(config, "layer_types", trunk.layers)?;
    let feeds = kinds(config, "mlp_layer_types", trunk.layers)?;
    let dense = Mlp { hidden, inner: config.int("intermediate_size")?, gated: true, bias: false };
    let experts = Moe { correction: true, ..super::deepseek::experts(config)? };
    let stack = trunk.build(cx, |parts, layer| {
        let index = layer as usize;
        let full = types
            .as_ref()
            .map_or(layer == 0 || (layer + 1) % 6 == 0, |types| types[index] == "full_attention");
        parts.norm(Norm::Rms, "input_layernorm", hidden);
        let mixer = if full {
            base.describe(parts)
        } else {
            Attention { kv_heads: 2 * base.kv_heads, sinks: true, window, ..base }.describe(parts)
        };
        parts.norm(Norm::Rms, "post_attention_layernorm", hidden);
        if feeds.as_ref().map_or(layer == 0, |feeds| feeds[index] == "dense") {
            mlp(parts, "mlp", dense);
        } else {
            experts.describe(parts);
        }
        Ok(vec![mixer])
    })?;
    Ok(vec![stack])
}

/// Step 3.5 and 3.7: windowed layers may have more query heads; attention's output is gated for each head.
pub(super) fn step(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk::of(config)?;
    let hidden = trunk.hidden;
    let bias = config.flag("attention_bias", false)?;
    let base =
        Attention { bias: [bias; 3], out_bias: bias, qk_norm: QkNorm::Head(Norm::Rms), ..attention(config)? };
    let local_heads = config.int_or("num_sliding_attention_heads", base.heads)?;
    let window = config.length("sliding_window")?;
    let types = kinds(config, "layer_types", trunk.layers)?;
    let feeds = kinds(config, "mlp_layer_types", trunk.layers)?;
    let bias = config.flag("mlp_bias", false)?;
    let dense = Mlp { hidden, inner: config.int("intermediate_size")?, gated: true, bias };
    let inner = config.int("moe_intermediate_size")?;
    let experts = Moe {
        bias,
        correction: true,
        shared: Some(Shared {
            name: "shared_experts",
            inner: config.int("share_expert_dim")?,
            weighed: false,
        }),
        ..Moe::new(hidden, inner, config.int("num_experts")?, config.int("num_experts_per_tok")?)
    };
    let per_head = config.text("gating").is_none_or(|gating| gating == "per-head");
    let stack = trunk.build(cx, |parts, layer| {
        let local = types.as_ref().is_some_and(|types| types[layer as usize] == "sliding_attention");
        let heads = if local { local_heads } else { base.heads };
        parts.norm(Norm::Rms, "input_layernorm", hidden);
        let mixer = Attention { heads, window: window.filter(|_| local), ..base }.describe(parts);
        let gates = if per_head { heads } else { heads * base.head_dim };
        parts.matmul(Role::Other, "self_attn.g_proj", hidden, gates).in_part(Part::Attention);
        parts.norm(Norm::Rms, "post_attention_layernorm", hidden);
        if feeds.as_ref().map_or(layer < 3, |feeds| feeds[layer as usize] == "dense") {
            mlp(parts, "mlp", dense);
        } else {
            experts.describe(parts);
        }
        Ok(vec![mixer])
    })?;
    Ok(vec![stack])
}
