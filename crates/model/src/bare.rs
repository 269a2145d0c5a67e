//! A bare size, such as `7B`: a typical dense shape of that many parameters. `8x7B` gives such a model with experts.

use maat_base::{Arg, Assumed, Basis, Fault, Text};
use serde_json::{Value, json};

use crate::{Model, from_config};

/// Shapes of dense models as published, by their size: width, inner width, layers, query heads, key-value heads. Layers
/// are what is varied to reach a size in between.
const SHAPES: &[(f64, [u64; 5])] = &[
    // Qwen2.5-0.5B, Llama-3.2-1B and 3B, Llama-3.1-8B, Qwen2.5-14B and 32B, Llama-3.1-70B, Mistral-Large, Llama-3.1-405B
    (0.5e9, [896, 4864, 24, 14, 2]),
    (1.2e9, [2048, 8192, 16, 32, 8]),
    (3.2e9, [3072, 8192, 28, 24, 8]),
    (8.0e9, [4096, 14336, 32, 32, 8]),
    (14.8e9, [5120, 13824, 48, 40, 8]),
    (32.8e9, [5120, 27648, 64, 40, 8]),
    (70.6e9, [8192, 28672, 80, 64, 8]),
    (122.6e9, [12288, 28672, 88, 96, 8]),
    (405.9e9, [16384, 53248, 126, 128, 8]),
];
const VOCABULARY: u64 = 128256;

/// Experts and parameters of a bare size; `None` where the text is none.
pub(crate) fn parse(text: &str) -> Option<(u64, f64)> {
    let text = text.trim().to_ascii_lowercase();
    let (experts, size) = match text.split_once('x') {
        Some((experts, size)) => (experts.parse().ok().filter(|n| (2..=1024).contains(n))?, size),
        None => (1, text.as_str()),
    };
    let unit = match size.chars().last()? {
        'b' => 1e9,
        'm' => 1e6,
        't' => 1e12,
        _ => return None,
    };
    let number = &size[..size.len() - 1];
    let plain = number.chars().all(|c| c.is_ascii_digit() || c == '.') && !number.is_empty();
    let params = number.parse::<f64>().ok().filter(|_| plain)? * unit;
    (1e6..=1e13).contains(&params).then_some((experts, params))
}

/// A model of a bare size; `None` where the text is none.
pub(crate) fn open(text: &str) -> Option<Result<Model, Fault>> {
    let (experts, params) = parse(text)?;
    Some(build(text, experts, params))
}

fn build(text: &str, experts: u64, params: f64) -> Result<Model, Fault> {
    let near = |size: &f64| (size.ln() - params.ln()).abs();
    let shape = SHAPES.iter().min_by(|a, b| near(&a.0).total_cmp(&near(&b.0)));
    let [hidden, inner, _, heads, kv_heads] = shape.map_or([4096, 14336, 32, 32, 8], |(_, shape)| *shape);
    let head_dim = (hidden / heads) as f64;
    let (width, wide) = (hidden as f64, inner as f64);
    let attention = 2.0 * width * head_dim * (heads + kv_heads) as f64;
    // Small models share embedding and head.
    let tied = params < 4e9;
    let around = width * VOCABULARY as f64 * if tied { 1.0 } else { 2.0 };
    let of_layer = attention + 3.0 * width * wide;
    let layers = ((params - around) / of_layer).round().max(1.0);
    // What is left goes into the inner width, in steps of 64.
    let rest = (params - around) / layers - attention;
    let inner = ((rest / (3.0 * width) / 64.0).round() * 64.0).max(64.0) as u64;
    let (class, model_type) =
        if experts > 1 { ("MixtralForCausalLM", "mixtral") } else { ("LlamaForCausalLM", "llama") };
    let config = json!({
        "architectures": [class], "model_type": model_type, "dtype": "bfloat16", "hidden_size": hidden,
        "intermediate_size": inner, "num_hidden_layers": layers as u64, "num_attention_heads": heads,
        "num_key_value_heads": kv_heads, "vocab_size": VOCABULARY, "max_position_embeddings": 131072,
        "tie_word_embeddings": tied, "num_local_experts": experts, "num_experts_per_tok": 2.min(experts),
        "sliding_window": 0,
    });
    let Value::Object(map) = config else { return Err(Fault::content("facts-unreadable")) };
    let mut model = from_config::model(text, &map, text, None)?;
    model.basis = Basis::Estimated;
    let words = Text::new("model-assumed-shape").with("layers", layers as u64).with("hidden", hidden);
    let words = words.with("heads", heads).with("kv_heads", Arg::Count(kv_heads));
    let why = Text::new("model-assumed-shape-why");
    model.assumed = vec![Assumed { name: "model", value: Value::String(text.to_owned()), text: words, why }];
    Ok(model)
}

/// Shapes of mixtures of experts as published, by their active parameters: width, layers, query heads, key-value heads.
const MIXTURES: &[(f64, [u64; 4])] = &[
    // Qwen3-30B-A3B, Mixtral-8x7B, Qwen3-235B-A22B, DeepSeek-V3
    (3.3e9, [2048, 48, 32, 4]),
    (12.9e9, [4096, 32, 32, 8]),
    (22.0e9, [4096, 94, 64, 4]),
    (37.0e9, [7168, 61, 128, 8]),
];
/// Experts that each token visits.
const VISITED: u64 = 8;

/// A typical mixture of experts of which only the sizes are known: eight experts a token, as many as the total asks for.
///
/// # Errors
/// None that a reasonable size gives; what a configuration gives otherwise.
pub fn mixture(name: &str, params: f64, active: f64) -> Result<Model, Fault> {
    let near = |size: &f64| (size.ln() - active.ln()).abs();
    let shape = MIXTURES.iter().min_by(|a, b| near(&a.0).total_cmp(&near(&b.0)));
    let [hidden, layers, heads, kv_heads] = shape.map_or([4096, 32, 32, 8], |(_, shape)| *shape);
    let width = hidden as f64;
    let fixed =
        2.0 * width * 128.0 * (heads + kv_heads) as f64 * layers as f64 + 2.0 * width * VOCABULARY as f64;
    let visited = (active - fixed).max(0.2 * active);
    let inner = (visited / (VISITED as f64 * layers as f64 * 3.0 * width) / 64.0).round().max(1.0) * 64.0;
    let expert = 3.0 * width * inner * layers as f64;
    let experts = ((params - fixed) / expert).round().clamp(VISITED as f64, 1024.0);
    let config = json!({
        "architectures": ["Qwen3MoeForCausalLM"], "model_type": "qwen3_moe", "dtype": "bfloat16",
        "hidden_size": hidden, "intermediate_size": inner as u64, "moe_intermediate_size": inner as u64,
        "num_hidden_layers": layers, "num_attention_heads": heads, "num_key_value_heads": kv_heads,
        "head_dim": 128, "vocab_size": VOCABULARY, "max_position_embeddings": 131072,
        "tie_word_embeddings": false, "num_experts": experts as u64, "num_experts_per_tok": VISITED,
        "decoder_sparse_step": 1, "mlp_only_layers": [], "norm_topk_prob": true,
    });
    let Value::Object(map) = config else { return Err(Fault::content("facts-unreadable")) };
    let mut model = from_config::model(name, &map, name, None)?;
    model.basis = Basis::Estimated;
    Ok(model)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_met() {
        for (text, params) in [("7B", 7e9), ("0.5b", 0.5e9), ("70B", 70e9), ("350M", 350e6), ("13b", 13e9)] {
            let model = open(text).unwrap().unwrap();
            let off = model.params_total() as f64 / params - 1.0;
            assert!(off.abs() < 0.02, "{text}: {}", model.params_total());
            assert_eq!(model.basis, Basis::Estimated);
        }
    }

    /// Mixtral-8x7B has 46.7 billion, not 56: attention is shared.
    #[test]
    fn experts_share_attention() {
        let params = open("8x7B").unwrap().unwrap().params_total() as f64;
        assert!((38e9..50e9).contains(&params), "{params}");
    }

    /// Sizes as published for Qwen3-30B-A3B, DeepSeek-V3, Kimi K2 and GLM-4.5-Air.
    #[test]
    fn mixtures_meet_their_sizes() {
        for (params, active) in [(30.5e9, 3.3e9), (671e9, 37e9), (1026e9, 32e9), (106e9, 12e9)] {
            let model = mixture("mixture", params, active).unwrap();
            let off = model.params_total() as f64 / params - 1.0;
            assert!(off.abs() < 0.05, "{params}: {}", model.params_total());
            let off = model.params_active() as f64 / active - 1.0;
            assert!(off.abs() < 0.15, "{active}: {}", model.params_active());
        }
    }

    #[test]
    fn other_texts_are_none() {
        for text in ["llama", "7", "b", "x7B", "1e9b", "-7B", "nanB", "0x7B", "7 B"] {
            assert!(open(text).is_none(), "{text}");
        }
    }
}
