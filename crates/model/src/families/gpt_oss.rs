//! gpt-oss: alternating windows, sinks, experts with biases.

use maat_base::Fault;

use crate::Stack;
use crate::assemble::{Context, Trunk};
use crate::blocks::{Attention, Moe};
use crate::families::llama::{attention, windows};
use crate::parts::Norm;

pub(super) fn describe(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk::of(config)?;
    let bias = config.flag("attention_bias", true)?;
    let base = Attention { bias: [bias; 3], out_bias: bias, sinks: true, ..attention(config)? };
    let inner = config.int("intermediate_size")?;
    let experts = Moe {
        router: "router",
        bias: true,
        router_bias: true,
        ..Moe::new(trunk.hidden, inner, config.int("num_experts")?, config.int("num_experts_per_tok")?)
    };
    let mut windows = windows(config, trunk.layers)?;
    if config.stated("layer_types").is_none() {
        // GptOssConfig: sliding, full, sliding, full …
        windows.iter_mut().skip(1).step_by(2).for_each(|window| *window = None);
    }
    let stack = trunk.build(cx, |parts, layer| {
        parts.norm(Norm::Rms, "input_layernorm", trunk.hidden);
        let mixer = Attention { window: windows[layer as usize], ..base }.describe(parts);
        parts.norm(Norm::Rms, "post_attention_layernorm", trunk.hidden);
        experts.describe(parts);
        Ok(vec![mixer])
    })?;
    Ok(vec![stack])
}
