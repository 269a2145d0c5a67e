//! Decoders whose layers a search has shaped one by one: Nemotron-NAS (Llama-Nemotron Super and Ultra), DeciLM.

use maat_base::Fault;
use serde_json::Value;

use crate::assemble::{Context, Trunk};
use crate::blocks::{Attention, Mlp, mlp};
use crate::config::Config;
use crate::parts::{Norm, Parts};
use crate::{Mixer, Role, Stack};

/// What stands in one of the two places of a layer.
enum Block<T> {
    /// Nothing, without a norm either.
    Gone,
    /// One square matrix.
    Linear,
    /// The block itself.
    Whole(T),
}

/// A layer: the heads of keys, and the inner width of its MLP.
struct Searched {
    kv_heads: Block<u64>,
    inner: Block<u64>,
}

/// `block_configs` as the authors' `modeling_decilm.py` reads them, or `num_key_value_heads_per_layer` of DeciLM-7B.
pub(super) fn decilm(cx: &Context) -> Result<Vec<Stack>, Fault> {
    let config = &cx.config;
    let heads = config.int("num_attention_heads")?;
    let trunk = Trunk::of(config)?;
    let layers = searched(config, heads, &trunk)?;
    let bias = config.flag("attention_bias", false)?;
    let head_dim = config.head_dim(trunk.hidden, heads)?;
    let base =
        Attention { bias: [bias; 3], out_bias: bias, ..Attention::new(trunk.hidden, heads, heads, head_dim) };
    let mlp_bias = config.flag("mlp_bias", false)?;
    let stack = trunk.build(cx, |parts, layer| {
        Ok(layers.get(layer as usize).map_or_else(Vec::new, |layer| describe(parts, layer, base, mlp_bias)))
    })?;
    Ok(vec![stack])
}

fn describe(parts: &mut Parts, layer: &Searched, base: Attention, bias: bool) -> Vec<Mixer> {
    let hidden = base.hidden;
    let mut mixers = Vec::new();
    match layer.kv_heads {
        Block::Gone => {}
        Block::Linear => linear(parts, ("input_layernorm", "self_attn.linear_attn"), hidden),
        Block::Whole(kv_heads) => {
            parts.norm(Norm::Rms, "input_layernorm", hidden);
            mixers.push(Attention { kv_heads, ..base }.describe(parts));
        }
    }
    match layer.inner {
        Block::Gone => {}
        Block::Linear => linear(parts, ("post_attention_layernorm", "mlp.linear_mlp"), hidden),
        Block::Whole(inner) => {
            parts.norm(Norm::Rms, "post_attention_layernorm", hidden);
            mlp(parts, "mlp", Mlp { hidden, inner, gated: true, bias });
        }
    }
    mixers
}

fn linear(parts: &mut Parts, (norm, name): (&'static str, &'static str), hidden: u64) {
    parts.norm(Norm::Rms, norm, hidden);
    parts.matmul(Role::Other, name, hidden, hidden);
}

fn searched(config: &Config, heads: u64, trunk: &Trunk) -> Result<Vec<Searched>, Fault> {
    if let Some(Value::Array(blocks)) = config.stated("block_configs") {
        if blocks.len() as u64 != trunk.layers {
            let fault = config.fault("block_configs", "config-list-length");
            return Err(fault.with("length", blocks.len()).with("layers", trunk.layers));
        }
        return blocks.iter().map(|block| one(config, block, heads, trunk.hidden)).collect();
    }
    let inner = config.int("intermediate_size")?;
    let kv_heads = if config.is_list("num_key_value_heads_per_layer") {
        config.per_layer("num_key_value_heads_per_layer", trunk.layers)?
    } else {
        vec![config.int_or("num_key_value_heads", heads)?; trunk.layers as usize]
    };
    let layer = |kv_heads| Searched { kv_heads: Block::Whole(kv_heads), inner: Block::Whole(inner) };
    Ok(kv_heads.into_iter().map(layer).collect())
}

fn one(config: &Config, block: &Value, heads: u64, hidden: u64) -> Result<Searched, Fault> {
    let Value::Object(block) = block else {
        let fault = config.fault("block_configs", "config-not-an-object");
        return Err(fault.with("value", "[…]"));
    };
    let block = Config::new(block, "config.json: block_configs");
    let (attention, feed) = (block.inside("attention")?, block.inside("ffn")?);
    let kv_heads = place(&attention, |attention| {
        if attention.stated("num_key_value_heads").is_some() {
            return attention.int("num_key_value_heads");
        }
        let group = attention.int("n_heads_in_group")?;
        Ok((heads / group).max(1))
    })?;
    let inner = place(&feed, |feed| {
        if feed.stated("intermediate_size").is_some() {
            return feed.int("intermediate_size");
        }
        if feed.stated("ffn_mult").is_none() {
            return Err(feed.fault("ffn_mult", "config-key-missing"));
        }
        Ok(widened(feed.float("ffn_mult", 0.0)?, hidden))
    })?;
    Ok(Searched { kv_heads, inner })
}

/// The inner width: two thirds of the widening, rounded up to a multiple of 256 (`_ffn_mult_to_intermediate_size`).
fn widened(times: f64, hidden: u64) -> u64 {
    let inner = (2.0 * times * hidden as f64 / 3.0).clamp(0.0, 1e9) as u64;
    inner.div_ceil(256) * 256
}

fn place<T>(config: &Config, whole: impl FnOnce(&Config) -> Result<T, Fault>) -> Result<Block<T>, Fault> {
    if config.flag("no_op", false)? {
        Ok(Block::Gone)
    } else if config.flag("replace_with_linear", false)? {
        Ok(Block::Linear)
    } else {
        whole(config).map(Block::Whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Llama 3.3 70B, which Super was searched from: 5.25 of 8192 is its width of 28672. DeciLM-style 3.28 rounds up.
    #[test]
    fn widening() {
        assert_eq!(widened(5.25, 8192), 28672);
        assert_eq!(widened(3.28125, 8192), 17920);
        assert_eq!(widened(1.0, 1000), 768);
    }

    /// A layer without attention, one with a matrix in place of it, and a whole one.
    #[test]
    fn layers_have_shapes_of_their_own() {
        let config = serde_json::json!({
            "model_type": "nemotron-nas", "architectures": ["DeciLMForCausalLM"], "hidden_size": 768,
            "num_attention_heads": 12, "num_hidden_layers": 3, "vocab_size": 100, "num_key_value_heads": null,
            "intermediate_size": null, "dtype": "bfloat16", "block_configs": [
                {"attention": {"no_op": true, "n_heads_in_group": null}, "ffn": {"ffn_mult": 1.0}},
                {"attention": {"replace_with_linear": true}, "ffn": {"no_op": true}},
                {"attention": {"n_heads_in_group": 4}, "ffn": {"ffn_mult": 2.0}},
            ]
        });
        let model = crate::from_config::model("x", config.as_object().unwrap(), "x", None).unwrap();
        let whole = 2 * 768 * 768 + 2 * 768 * 192;
        let expected = 2 * 100 * 768 + 768 // embedding, head, last norm
            + 768 + 3 * 768 * 512 // two thirds of 768 are 512
            + 768 + 768 * 768
            + 768 + whole + 768 + 3 * 768 * 1024;
        assert_eq!(model.params_total(), expected);
        assert!((model.kv_kinds()[0].bytes_per_token.unwrap() - 2.0 * 192.0 * 2.0).abs() < 1e-9);
    }
}
