//! Plain decoders of later years: a row of data each, and what only one of them has.

use maat_base::Fault;

use super::moe;
use super::plain::{ARCEE, BIASED, COHERE2, EXAONE4, GEMMA2, GLM4_MOE, LLAMA, OLMO2, Plain, Sparse, Switch};
use super::windows::{Windows, kinds};
use crate::blocks::{Moe, QkNorm, Shared};
use crate::config::Config;
use crate::parts::{Norm, Parts};
use crate::{Part, Role};

const HEAD_NORM: (Switch, QkNorm) = (Switch::Yes, QkNorm::Head(Norm::Rms));

/// Nemotron 3 and 4 and Minitron: layer norms, a squared ReLU without a gate.
pub(super) const NEMOTRON: Plain = Plain { norm: Norm::Layer, ..ARCEE };
/// HyperCLOVA X: Llama with norms behind the blocks too.
pub(super) const HYPERCLOVAX: Plain = Plain { more: Some(hyperclovax_norms), ..LLAMA };
/// CWM: Llama with windows.
pub(super) const CWM: Plain = Plain { windows: Windows::FullEvery(4, None), ..LLAMA };
/// EXAONE 4 with experts.
pub(super) const EXAONE_MOE: Plain = Plain { sparse: Some(deepseek_like), ..EXAONE4 };
/// dots.llm1: Qwen 3's attention, DeepSeek-V3's experts.
pub(super) const DOTS1: Plain =
    Plain { qk_norm: HEAD_NORM, windows: Windows::Switched, sparse: Some(deepseek_like), ..BIASED };
pub(super) const HUNYUAN: Plain = Plain { qk_norm: HEAD_NORM, windows: Windows::None, ..BIASED };
pub(super) const HUNYUAN_MOE: Plain = Plain { sparse: Some(hunyuan), ..HUNYUAN };
pub(super) const FLEX_OLMO: Plain = Plain { sparse: Some(moe::olmoe), ..OLMO2 };
pub(super) const MELLUM: Plain = Plain { qk_norm: HEAD_NORM, sparse: Some(mellum), ..BIASED };
pub(super) const COHERE2_MOE: Plain = Plain { sparse: Some(cohere2), ..COHERE2 };
/// Arcee's Trinity: four norms, attention gated by as much as it gives.
pub(super) const AFMOE: Plain = Plain {
    qk_norm: HEAD_NORM,
    windows: Windows::FullEvery(4, Some("global_attn_every_n_layers")),
    sparse: Some(afmoe),
    more: Some(attention_gate),
    ..GEMMA2
};
pub(super) const DIFFLLAMA: Plain = Plain { windows: Windows::None, more: Some(difference_scales), ..BIASED };
pub(super) const SARVAM_MOE: Plain = GLM4_MOE;

fn hyperclovax_norms(config: &Config, parts: &mut Parts) -> Result<(), Fault> {
    if config.flag("use_post_norm", true)? {
        for name in ["post_norm1", "post_norm2"] {
            parts.norm(Norm::Rms, name, config.int("hidden_size")?);
        }
    }
    Ok(())
}

/// Differential attention's learned scalars: four vectors of a head's width.
fn difference_scales(config: &Config, parts: &mut Parts) -> Result<(), Fault> {
    let width = super::plain::attention(config)?.head_dim;
    parts.vector(Role::Other, "self_attn.lambda", 4 * width).in_part(Part::Attention);
    Ok(())
}

fn attention_gate(config: &Config, parts: &mut Parts) -> Result<(), Fault> {
    let attention = super::plain::attention(config)?;
    let width = attention.heads * attention.head_dim;
    parts.matmul(Role::Other, "self_attn.gate_proj", attention.hidden, width).in_part(Part::Attention);
    Ok(())
}

/// For each layer, whether it has experts: as `mlp_layer_types` says, or all but the first so many.
fn sparse_layers(config: &Config, first: u64) -> Result<Vec<bool>, Fault> {
    let layers = config.depth("num_hidden_layers")?;
    Ok(match kinds(config, "mlp_layer_types", layers)? {
        Some(kinds) => kinds.iter().map(|kind| kind != "dense").collect(),
        None => (0..layers).map(|layer| layer >= first).collect(),
    })
}

fn deepseek_like(config: &Config) -> Result<Sparse, Fault> {
    let experts = Moe { correction: true, ..super::deepseek::experts(config)? };
    let layers = sparse_layers(config, config.whole("first_k_dense_replace", 0)?)?;
    Ok(Sparse { experts, layers, dense: "intermediate_size" })
}

fn mellum(config: &Config) -> Result<Sparse, Fault> {
    let experts = super::deepseek::experts(config)?;
    Ok(Sparse { experts, layers: sparse_layers(config, 0)?, dense: "intermediate_size" })
}

/// Hunyuan: one expert beside the routed ones; keys may hold a list with a number for each layer, all the same.
fn hunyuan(config: &Config) -> Result<Sparse, Fault> {
    let first = |key: &str| -> Result<Option<u64>, Fault> {
        if config.is_list(key) {
            return Ok(config.numbers(key)?.unwrap_or_default().first().copied());
        }
        config.maybe(key)
    };
    let (hidden, inner) = (config.int("hidden_size")?, config.int("intermediate_size")?);
    let chosen = first("num_experts_per_tok")?.unwrap_or(1);
    let count = first("num_experts")?.unwrap_or(1);
    let shared = Some(Shared { name: "shared_mlp", inner, weighed: false });
    let experts = Moe { router: "gate.wg", shared, ..Moe::new(hidden, inner, count, chosen) };
    Ok(Sparse { experts, layers: sparse_layers(config, 0)?, dense: "intermediate_size" })
}

fn cohere2(config: &Config) -> Result<Sparse, Fault> {
    let (hidden, inner) = (config.int("hidden_size")?, config.int("intermediate_size")?);
    let beside = inner.saturating_mul(config.whole("num_shared_experts", 0)?);
    let experts = Moe {
        shared: Some(Shared { name: "shared_experts", inner: beside, weighed: false })
            .filter(|shared| shared.inner > 0),
        ..Moe::new(hidden, inner, config.int("num_experts")?, config.int("num_experts_per_tok")?)
    };
    let layers = sparse_layers(config, config.whole("first_k_dense_replace", 0)?)?;
    Ok(Sparse { experts, layers, dense: "prefix_dense_intermediate_size" })
}

fn afmoe(config: &Config) -> Result<Sparse, Fault> {
    let experts =
        Moe { router: "router.gate", correction_learned: true, ..super::deepseek::experts(config)? };
    let layers = sparse_layers(config, config.whole("num_dense_layers", 1)?)?;
    Ok(Sparse { experts, layers, dense: "intermediate_size" })
}
