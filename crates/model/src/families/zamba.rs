//! Zamba and Zamba2: recurrences everywhere, and a few transformer blocks that many layers share.

use maat_base::Fault;

use super::windows::kinds;
use crate::assemble::{Context, Trunk};
use crate::blocks::{Attention, Mamba2, Mlp, mlp, recurrence};
use crate::config::Config;
use crate::parts::{Norm, Parts};
use crate::{CacheKind, Mixer, Part, Role, Stack, Storage};

/// Zamba: the first Mamba in several heads, one transformer block shared by all hybrid layers.
pub(super) fn zamba(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk::of(config)?;
    let hidden = trunk.hidden;
    let state = ZambaState::read(config, hidden)?;
    let types = match kinds(config, "layers_block_type", trunk.layers)? {
        Some(types) => Some(types),
        None => kinds(config, "layer_types", trunk.layers)?,
    };
    let period = config.int_or("attn_layer_period", 6)?;
    let offset = config.whole("attn_layer_offset", 4)?;
    let tied = config.flag("tie_word_embeddings", true)?;
    let mut seen = false;
    let mut draft = trunk.start(cx);
    draft.layers(cx, trunk.layers, |parts, layer| {
        let usual = layer == 2 || (layer > 2 && (layer - 3) % period == offset);
        let hybrid = types.as_ref().map_or(usual, |types| types[layer as usize] == "hybrid");
        parts.norm(Norm::Rms, "input_layernorm", hidden);
        let mut mixers = vec![state.describe(parts)];
        if hybrid {
            parts.matmul(Role::Other, "linear", hidden, hidden);
            mixers.push(zamba_shared(config, parts, hidden, tied && std::mem::replace(&mut seen, true))?);
        }
        Ok(mixers)
    })?;
    Ok(vec![trunk.finish(cx, draft)?])
}

/// Zamba's Mamba.
struct ZambaState {
    hidden: u64,
    inner: u64,
    heads: u64,
    state: u64,
    kernel: u64,
    rank: u64,
    bias: bool,
    conv_bias: bool,
}

impl ZambaState {
    fn read(config: &Config, hidden: u64) -> Result<Self, Fault> {
        let rank = config.stated("mamba_dt_rank").is_some_and(serde_json::Value::is_number);
        Ok(Self {
            hidden,
            inner: config.int("mamba_expand")?.saturating_mul(hidden),
            heads: config.int("n_mamba_heads")?,
            state: config.int("mamba_d_state")?,
            kernel: config.int("mamba_d_conv")?,
            rank: if rank { config.int("mamba_dt_rank")? } else { hidden.div_ceil(16) },
            bias: config.flag("mamba_proj_bias", false)?,
            conv_bias: config.flag("mamba_conv_bias", true)?,
        })
    }

    fn describe(&self, parts: &mut Parts) -> Mixer {
        let Self { hidden, inner, heads, state, kernel, rank, .. } = *self;
        let each = inner / heads;
        parts.within(Part::StateSpace, |parts| {
            parts.matmul(Role::StateIn, "mamba.in_proj", hidden, 2 * inner).biased(self.bias);
            parts.conv("mamba.conv1d", 1, inner, kernel).biased(self.conv_bias);
            parts.matmul(Role::Other, "mamba.x_proj_weight", each, rank + 2 * state).times(heads, heads);
            let step = parts.matmul(Role::Other, "mamba.dt_proj_weight", rank, each);
            step.biased(true).times(heads, heads);
            parts.vector(Role::Other, "mamba.A_log", inner * state);
            parts.vector(Role::Other, "mamba.D", inner);
            parts.matmul(Role::StateOut, "mamba.out_proj", inner, hidden).biased(self.bias);
        });
        recurrence(CacheKind::Ssm, inner, inner * state, inner * kernel.saturating_sub(1), 6)
    }
}

fn zamba_shared(config: &Config, parts: &mut Parts, hidden: u64, again: bool) -> Result<Mixer, Fault> {
    let heads = config.int("num_attention_heads")?;
    let wide = config.int_or("attention_hidden_size", 2 * hidden)?;
    let kv_heads = config.int_or("num_key_value_heads", heads)?;
    let mut shared = Parts::like(parts);
    shared.norm(Norm::Rms, "shared_transf.input_layernorm", wide);
    shared.norm(Norm::Rms, "shared_transf.pre_ff_layernorm", hidden);
    let block = Attention {
        at: "shared_transf.self_attn",
        out_width: Some(hidden),
        ..Attention::new(wide, heads, kv_heads, config.int_or("attention_head_dim", wide / heads)?)
    };
    let mixer = block.describe(&mut shared);
    let dense = Mlp { hidden, inner: config.int("intermediate_size")?, gated: true, bias: false };
    mlp(&mut shared, "shared_transf.feed_forward", dense);
    if again {
        shared.share(1);
    }
    for weight in shared.done() {
        parts.add(weight);
    }
    Ok(mixer)
}

/// Zamba2: Mamba-2 everywhere, and before some layers one of a few shared transformer blocks with adapters of its own.
pub(super) fn zamba2(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk::of(config)?;
    let hidden = trunk.hidden;
    let bias = config.flag("add_bias_linear", false)?;
    let state = Mamba2 {
        at: "mamba",
        hidden,
        heads: config.int("n_mamba_heads")?,
        inner: config.int("mamba_expand")?.saturating_mul(hidden),
        groups: config.int("mamba_ngroups")?,
        state: config.int("mamba_d_state")?,
        kernel: config.int("mamba_d_conv")?,
        bias,
        out_bias: bias,
        conv_bias: true,
        normed: true,
    };
    let usual = || -> Vec<String> {
        let mamba = |n| std::iter::repeat_n("mamba", n);
        let six = mamba(5).chain(["hybrid"]);
        let all = mamba(1).chain(std::iter::repeat_n(six, 7).flatten());
        let all = all.chain(mamba(4)).chain(["hybrid"]).chain(mamba(3)).chain(["hybrid"]).chain(mamba(2));
        all.map(str::to_owned).collect()
    };
    let types = match kinds(config, "layers_block_type", trunk.layers)? {
        Some(types) => types,
        None => kinds(config, "layer_types", trunk.layers)?.unwrap_or_else(usual),
    };
    let blocks = config.int("num_mem_blocks")?;
    // The library unties the blocks together with the head.
    let tied = config.flag("tie_word_embeddings", true)?;
    let uses = types.iter().filter(|kind| *kind == "hybrid").count() as u64;
    let mut seen = 0;
    let stack = trunk.build(cx, |parts, layer| {
        parts.norm(Norm::Rms, "input_layernorm", hidden);
        let mut mixers = vec![state.describe(parts)];
        if types.get(layer as usize).is_some_and(|kind| kind == "hybrid") {
            parts.matmul(Role::Other, "linear", hidden, hidden);
            let again = (tied && seen >= blocks).then_some(seen % blocks);
            let of_block = (uses + blocks - 1 - seen % blocks) / blocks;
            let adapters = if tied { 1 } else { of_block };
            mixers.push(zamba2_shared(config, parts, (hidden, adapters), again)?);
            seen += 1;
        }
        Ok(mixers)
    })?;
    Ok(vec![stack])
}

/// One use of a shared block; `again` numbers the block when its storage was counted already.
fn zamba2_shared(
    config: &Config,
    parts: &mut Parts,
    (hidden, adapters): (u64, u64),
    again: Option<u64>,
) -> Result<Mixer, Fault> {
    let heads = config.int("num_attention_heads")?;
    let wide = config.int_or("attention_hidden_size", 2 * hidden)?;
    let inner = config.int_or("intermediate_size", 4 * hidden)?;
    let rank = config.int("adapter_rank")?;
    let bias = config.flag("add_bias_linear", false)?;
    let kv_heads = config.int_or("num_key_value_heads", heads)?;
    let mut shared = Parts::like(parts);
    shared.norm(Norm::Rms, "shared_transformer.input_layernorm", wide);
    shared.norm(Norm::Rms, "shared_transformer.pre_ff_layernorm", hidden);
    let mut block = Attention {
        at: "shared_transformer.self_attn",
        ..Attention::new(wide, heads, kv_heads, config.int_or("attention_head_dim", wide / heads)?)
    };
    block.out_width = Some(hidden);
    let mixer = block.describe(&mut shared);
    shared
        .matmul(Role::GateUp, "shared_transformer.feed_forward.gate_up_proj", hidden, 2 * inner)
        .biased(bias);
    shared.matmul(Role::Down, "shared_transformer.feed_forward.down_proj", inner, hidden).biased(bias);
    let storage = again.map_or(Storage::Own, |block| Storage::Shared(1 + block as u16));
    for mut weight in shared.done() {
        weight.storage = storage;
        parts.add(weight);
    }
    parts.matmul(Role::Other, "gate_up_adapter.0", hidden, rank).times(adapters, 1);
    parts.matmul(Role::Other, "gate_up_adapter.1", rank, 2 * inner).times(adapters, 1);
    if config.flag("use_shared_attention_adapter", false)? {
        for name in ["q", "k", "v"] {
            parts
                .matmul(Role::Other, format!("linear_{name}_adapter.0"), wide, rank)
                .times(adapters, 1)
                .in_part(Part::Attention);
            parts
                .matmul(Role::Other, format!("linear_{name}_adapter.1"), rank, wide)
                .times(adapters, 1)
                .in_part(Part::Attention);
        }
    }
    Ok(mixer)
}
