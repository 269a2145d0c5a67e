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

    #[test]
    fn other_texts_are_none() {
        for text in ["llama", "7", "b", "x7B", "1e9b", "-7B", "nanB", "0x7B", "7 B"] {
            assert!(open(text).is_none(), "{text}");
        }
    }
}
