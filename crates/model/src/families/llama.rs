//! Llama and what differs from it by a bias, a norm or a window.

use maat_base::Fault;

use crate::Stack;
use crate::assemble::{Context, Trunk};
use crate::blocks::{Attention, Mlp, Moe, QkNorm, mlp};
use crate::config::Config;
use crate::parts::Norm;

/// Head counts and widths under their usual names: a head is `head_dim` wide or `hidden / heads`, and there are as many
/// heads of keys as of queries where nothing else is said.
pub(crate) fn attention(config: &Config) -> Result<Attention, Fault> {
    let hidden = config.int("hidden_size")?;
    let heads = config.int("num_attention_heads")?;
    let kv_heads = config.int_or("num_key_value_heads", heads)?;
    let head_dim = config.int_or("head_dim", hidden / heads)?;
    Ok(Attention::new(hidden, heads, kv_heads, head_dim))
}

/// The window of each layer, from `layer_types` where stated.
pub(crate) fn windows(config: &Config, layers: u64) -> Result<Vec<Option<u64>>, Fault> {
    let window = config.length("sliding_window")?.filter(|n| *n > 0);
    match config.words("layer_types")? {
        None => Ok(vec![window; layers as usize]),
        Some(kinds) if kinds.len() as u64 == layers => {
            Ok(kinds.iter().map(|kind| if kind == "sliding_attention" { window } else { None }).collect())
        }
        Some(kinds) => {
            let fault = config.fault("layer_types", "config-list-length");
            Err(fault.with("length", kinds.len()).with("layers", layers))
        }
    }
}

/// Llama, Mistral, Qwen 2 and 3: RMS norms, gated MLP.
pub(super) fn plain(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk::of(config)?;
    let base = attention(config)?;
    let block = Mlp {
        hidden: trunk.hidden,
        inner: config.int("intermediate_size")?,
        gated: true,
        bias: config.flag("mlp_bias", false)?,
    };
    let (bias, out_bias, qk_norm) = match config.text("model_type").as_deref() {
        Some("qwen2") => (true, false, QkNorm::None),
        Some("qwen3") => {
            let bias = config.flag("attention_bias", false)?;
            (bias, bias, QkNorm::Head(Norm::Rms))
        }
        Some("mistral" | "ministral3") => (false, false, QkNorm::None),
        _ => {
            let bias = config.flag("attention_bias", false)?;
            (bias, bias, QkNorm::None)
        }
    };
    let windows = qwen_windows(config, trunk.layers)?;
    let stack = trunk.build(cx, |parts, layer| {
        parts.norm(Norm::Rms, "input_layernorm", trunk.hidden);
        let window = windows[layer as usize];
        let mixer = Attention { bias: [bias; 3], out_bias, qk_norm, window, ..base }.describe(parts);
        parts.norm(Norm::Rms, "post_attention_layernorm", trunk.hidden);
        mlp(parts, "mlp", block);
        Ok(vec![mixer])
    })?;
    Ok(vec![stack])
}

/// Qwen's windows begin at a layer, and only where they are switched on.
fn qwen_windows(config: &Config, layers: u64) -> Result<Vec<Option<u64>>, Fault> {
    if config.map().get("use_sliding_window").is_none() {
        return windows(config, layers);
    }
    if !config.flag("use_sliding_window", false)? {
        return Ok(vec![None; layers as usize]);
    }
    if config.stated("layer_types").is_some() {
        return windows(config, layers);
    }
    let window = config.length("sliding_window")?;
    let first = config.whole("max_window_layers", 28)?;
    Ok((0..layers).map(|layer| window.filter(|_| layer >= first)).collect())
}

/// Mixtral: Mistral with experts.
pub(super) fn mixtral(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk::of(config)?;
    let base = attention(config)?;
    let experts = Moe {
        at: "block_sparse_moe",
        ..Moe::new(
            trunk.hidden,
            config.int("intermediate_size")?,
            config.int("num_experts")?,
            config.int("num_experts_per_tok")?,
        )
    };
    let windows = windows(config, trunk.layers)?;
    let stack = trunk.build(cx, |parts, layer| {
        parts.norm(Norm::Rms, "input_layernorm", trunk.hidden);
        let mixer = Attention { window: windows[layer as usize], ..base }.describe(parts);
        parts.norm(Norm::Rms, "post_attention_layernorm", trunk.hidden);
        experts.describe(parts);
        Ok(vec![mixer])
    })?;
    Ok(vec![stack])
}
