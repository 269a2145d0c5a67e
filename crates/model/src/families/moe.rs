//! The experts of families that are plain otherwise.

use maat_base::Fault;

use super::plain::Sparse;
use crate::blocks::{Moe, Shared};
use crate::config::Config;

/// Experts of `inner` width; the number chosen under its usual name.
fn experts(config: &Config, inner: &str) -> Result<Moe, Fault> {
    Ok(Moe::new(
        config.int("hidden_size")?,
        config.int(inner)?,
        config.whole("num_experts", 0)?,
        config.int("num_experts_per_tok")?,
    ))
}

/// Experts in the layers for which `has` holds.
fn sparse(config: &Config, experts: Moe, has: impl Fn(u64) -> bool) -> Result<Sparse, Fault> {
    let layers = config.depth("num_hidden_layers")?;
    Ok(Sparse { experts, layers: (0..layers).map(has).collect(), dense: "intermediate_size" })
}

/// Qwen 2 and 3: experts in every so-many-th layer but some.
pub(super) fn qwen(config: &Config) -> Result<Sparse, Fault> {
    let mut block = experts(config, "moe_intermediate_size")?;
    let inner = config.whole("shared_expert_intermediate_size", 0)?;
    if inner > 0 {
        block.shared = Some(Shared { name: "shared_expert", inner, weighed: true });
    }
    let step = config.int_or("decoder_sparse_step", 1)?;
    let dense = config.numbers("mlp_only_layers")?.unwrap_or_default();
    sparse(config, block, |layer| block.experts > 0 && (layer + 1) % step == 0 && !dense.contains(&layer))
}

pub(super) fn mixtral(config: &Config) -> Result<Sparse, Fault> {
    let block = Moe { at: "block_sparse_moe", ..experts(config, "intermediate_size")? };
    sparse(config, block, |_| true)
}

pub(super) fn phimoe(config: &Config) -> Result<Sparse, Fault> {
    let block = Moe { at: "block_sparse_moe", ..experts(config, "intermediate_size")? };
    sparse(config, block, |_| true)
}

pub(super) fn minimax_m2(config: &Config) -> Result<Sparse, Fault> {
    let correction = config.flag("use_routing_bias", true)?;
    let block = Moe { at: "block_sparse_moe", correction, ..experts(config, "intermediate_size")? };
    sparse(config, block, |_| true)
}

pub(super) fn olmoe(config: &Config) -> Result<Sparse, Fault> {
    sparse(config, experts(config, "intermediate_size")?, |_| true)
}

pub(super) fn granite(config: &Config) -> Result<Sparse, Fault> {
    let block = Moe { at: "block_sparse_moe", router: "router", ..experts(config, "intermediate_size")? };
    sparse(config, block, |_| true)
}

pub(super) fn gpt_oss(config: &Config) -> Result<Sparse, Fault> {
    let block = Moe {
        router: "router",
        expert_bias: true,
        router_bias: true,
        ..experts(config, "intermediate_size")?
    };
    sparse(config, block, |_| true)
}

/// GLM-4.5: dense first layers, a shared expert, DeepSeek-V3's correction.
pub(super) fn glm4(config: &Config) -> Result<Sparse, Fault> {
    let block = Moe { correction: true, ..super::deepseek::experts(config)? };
    let first = config.whole("first_k_dense_replace", 0)?;
    sparse(config, block, |layer| layer >= first)
}

/// ERNIE 4.5: experts in every so-many-th layer from one to another; the correction is a parameter here.
pub(super) fn ernie(config: &Config) -> Result<Sparse, Fault> {
    let mut block = experts(config, "moe_intermediate_size")?;
    let bias = config.flag("use_bias", false)?;
    block = Moe { bias, correction_learned: true, ..block };
    let inner =
        config.int("moe_intermediate_size")?.saturating_mul(config.whole("moe_num_shared_experts", 0)?);
    if inner > 0 {
        block.shared = Some(Shared { name: "shared_experts", inner, weighed: false });
    }
    let step = config.int_or("moe_layer_interval", 1)?;
    let first = config.whole("moe_layer_start_index", 0)?;
    let layers = config.depth("num_hidden_layers")?;
    let last = match config.stated("moe_layer_end_index").and_then(serde_json::Value::as_i64) {
        Some(last) if last >= 0 => last as u64,
        _ => layers.saturating_sub(1),
    };
    sparse(config, block, |layer| (layer + 1) % step == 0 && layer >= first && layer <= last)
}

/// Llama 4: experts in every so-many-th layer, with a shared one; the dense ones have a width of their own.
pub(super) fn llama4(config: &Config) -> Result<Sparse, Fault> {
    let mut block = Moe { at: "feed_forward", router: "router", ..experts(config, "intermediate_size")? };
    block.shared = Some(Shared { name: "shared_expert", inner: block.inner, weighed: false });
    let step = config.int_or("interleave_moe_layer_step", 1)?;
    let stated = config.numbers("moe_layers")?;
    let has = |layer| stated.as_ref().map_or((layer + 1) % step == 0, |stated| stated.contains(&layer));
    Ok(Sparse { dense: "intermediate_size_mlp", ..sparse(config, block, has)? })
}
