//! DeepSeek: latent attention, shared and routed experts, dense first layers.

use maat_base::Fault;

use crate::assemble::{Context, Draft, Trunk};
use crate::blocks::{Mla, Mlp, Moe, Shared, mlp};
use crate::config::Config;
use crate::parts::{Norm, Parts};
use crate::{Length, Mixer, Role, Stack, StackKind};

/// Latent attention under its usual names.
pub(crate) fn latent(config: &Config) -> Result<Mla, Fault> {
    Ok(Mla {
        hidden: config.int("hidden_size")?,
        heads: config.int("num_attention_heads")?,
        query_rank: config.maybe("q_lora_rank")?.filter(|n| *n > 0),
        latent: config.int("kv_lora_rank")?,
        plain: config.int("qk_nope_head_dim")?,
        rotary: config.int("qk_rope_head_dim")?,
        value: config.int("v_head_dim")?,
        bias: config.flag("attention_bias", false)?,
        indexer: None,
    })
}

/// Routed and shared experts under DeepSeek's names.
pub(crate) fn experts(config: &Config) -> Result<Moe, Fault> {
    let inner = config.int("moe_intermediate_size")?;
    let shared = config.whole("n_shared_experts", 0)?;
    let shared = Shared { name: "shared_experts", inner: inner.saturating_mul(shared), weighed: false };
    Ok(Moe {
        shared: Some(shared).filter(|shared| shared.inner > 0),
        ..Moe::new(
            config.int("hidden_size")?,
            inner,
            config.int("num_experts")?,
            config.int("num_experts_per_tok")?,
        )
    })
}

/// DeepSeek-V3 and R1.
pub(super) fn v3(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let trunk = Trunk::of(config)?;
    let attention = latent(config)?;
    let experts = Moe { correction: true, ..experts(config)? };
    let dense =
        Mlp { hidden: trunk.hidden, inner: config.int("intermediate_size")?, gated: true, bias: false };
    let first = config.whole("first_k_dense_replace", 0)?;
    let describe = |parts: &mut Parts, layer: u64| -> Result<Vec<Mixer>, Fault> {
        parts.norm(Norm::Rms, "input_layernorm", trunk.hidden);
        let mixer = attention.describe(parts);
        parts.norm(Norm::Rms, "post_attention_layernorm", trunk.hidden);
        if layer < first {
            mlp(parts, "mlp", dense);
        } else {
            experts.describe(parts);
        }
        Ok(vec![mixer])
    };
    let mut stacks = vec![trunk.build(cx, describe)?];
    let predicted = config.layers("num_nextn_predict_layers")?;
    if predicted > 0 {
        let (start, own) = (trunk.layers, true);
        stacks.push(prediction(cx, &trunk, predicted, own, |parts, layer| describe(parts, start + layer))?);
    }
    Ok(stacks)
}

/// Multi-token prediction as DeepSeek-V3 stores it: each layer joins the embedding of the next token to the stream
/// (arXiv 2412.19437 section 2.2), with `own` copies of embedding and head or those of the main model.
pub(crate) fn prediction(
    cx: &Context,
    trunk: &Trunk,
    count: u64,
    own: bool,
    mut describe: impl FnMut(&mut Parts, u64) -> Result<Vec<Mixer>, Fault>,
) -> Result<Stack, Fault> {
    let hidden = trunk.hidden;
    let mut draft = Draft::other(cx, StackKind::Mtp, trunk.path, hidden, Length::Tokens);
    draft.layers(cx, count, |parts, layer| {
        if own {
            parts.table("embed_tokens", trunk.vocabulary, hidden);
            parts.matmul(Role::Head, "shared_head.head", hidden, trunk.vocabulary);
        }
        parts.norm(Norm::Rms, "enorm", hidden);
        parts.norm(Norm::Rms, "hnorm", hidden);
        parts.matmul(Role::Other, "eh_proj", 2 * hidden, hidden);
        parts.norm(Norm::Rms, "shared_head.norm", hidden);
        describe(parts, layer)
    })?;
    Ok(draft.done())
}
