//! `maat model`.

use insta::assert_snapshot;

use crate::context::TestContext;

#[test]
fn a_dense_model() {
    let context = TestContext::new();
    assert_snapshot!(context.run(&["model", "llama-3.1-8b"]));
    assert_snapshot!(context.run(&["model", "llama-3.1-8b", "--lang", "nl"]));
}

/// A small configuration of our own: 2 layers of width 64, 4 heads of 16 with 2 KV heads, feed-forward 128, 100 rows of
/// vocabulary, nothing tied.
#[test]
fn a_configuration_of_ones_own() {
    let context = TestContext::new();
    context.file(
        "tiny/config.json",
        r#"{"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 64,
            "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 128,
            "vocab_size": 100, "tie_word_embeddings": false, "torch_dtype": "bfloat16",
            "max_position_embeddings": 256, "rms_norm_eps": 1e-5}"#,
    );
    let json = context.run(&["model", "tiny", "--json"]).json();
    let layer = 64 * (64 + 32 + 32 + 64) + 3 * 64 * 128 + 2 * 64;
    let total = 2 * 100 * 64 + 2 * layer + 64;
    assert_eq!(json["model"]["params_total"], total);
    assert_eq!(json["model"]["weights_bytes"], 2 * total);
    // Keys and values, 2 heads of 16, 2 bytes, 2 layers.
    assert_eq!(json["model"]["kv_kinds"][0]["bytes_per_token"], 2.0 * 2.0 * 16.0 * 2.0 * 2.0);
}

#[test]
fn a_file_that_is_no_configuration_is_exit_1_with_its_place() {
    let context = TestContext::new();
    context.file("broken/config.json", "{\"model_type\": ");
    let outcome = context.run(&["model", "broken", "--json"]);
    assert_eq!(outcome.exit, 1);
    assert!(outcome.json()["error"]["where"].as_str().unwrap().contains("config.json"));
}

#[test]
fn models_side_by_side() {
    let context = TestContext::new();
    assert_snapshot!(context.run(&["model", "gpt-oss-20b", "llama-3.1-8b"]));
    let json = context.run(&["model", "gpt-oss-20b", "llama-3.1-8b", "--json"]).json();
    assert_eq!(json["models"][1]["model"]["params_total"], 8_030_261_248_u64);
    assert_eq!(json["rows"][0]["same"], false);
    let many = ["model", "7B", "7B", "7B", "7B", "7B", "7B", "7B", "7B", "7B"];
    assert_eq!(context.run(&many).exit, 2);
}

#[test]
fn a_folder_tells_its_licence() {
    let context = TestContext::new();
    let config = r#"{"model_type": "bert"}"#;
    context.file("tiny/config.json", config);
    context.file("tiny/README.md", "---\nlicense: mit\n---\n# Tiny\n");
    assert_eq!(context.run(&["model", "tiny", "--json"]).json()["licence"], "mit");
}
