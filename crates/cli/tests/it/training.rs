//! `maat size` and `maat advise` for training: whole answers in both languages.

use insta::assert_snapshot;

use crate::context::TestContext;

const LLAMA: &str = "meta-llama/Llama-3.1-8B";

#[test]
fn adapters_on_two_cards() {
    let context = TestContext::new();
    let args =
        ["size", LLAMA, "--task", "qlora", "--seq", "4096", "--micro-batch", "2", "--gpu", "2x RTX 4090"];
    assert_snapshot!("training-qlora", context.run(&args));
    assert_snapshot!("training-qlora-nl", context.run(&[args.as_slice(), &["--lang", "nl"]].concat()));
}

#[test]
fn all_weights_do_not_fit() {
    let context = TestContext::new();
    let args = ["size", LLAMA, "--task", "full", "--gpu", "H100", "--lang", "nl"];
    assert_snapshot!("training-does-not-fit-nl", context.run(&args));
}

#[test]
fn a_job_with_its_cost() {
    let context = TestContext::new();
    let args = ["advise", LLAMA, "--task", "lora", "--tokens", "40M"];
    assert_snapshot!("training-advise", context.run(&args));
}

/// Parts of memory sum to the total, and with what is free to the capacity; a plan of training has its own fields.
#[test]
fn the_contract_of_the_json() {
    let context = TestContext::new();
    let args = ["size", LLAMA, "--task", "full", "--gpu", "8x H100 SXM", "--tokens", "1000M", "--json"];
    let json = context.run(&args).json();
    let memory = &json["memory"]["per_accelerator"];
    let parts: u64 = memory
        .as_object()
        .unwrap()
        .iter()
        .filter(|(name, _)| {
            name.ends_with("_bytes")
                && !matches!(name.as_str(), "total_bytes" | "free_bytes" | "logits_bytes")
        })
        .map(|(_, bytes)| bytes.as_u64().unwrap())
        .sum();
    assert_eq!(memory["total_bytes"], parts);
    let capacity = json["machine"]["capacity_bytes"].as_i64().unwrap();
    assert_eq!(memory["free_bytes"].as_i64().unwrap() + i64::try_from(parts).unwrap(), capacity);
    assert_eq!(json["plan"]["zero"], 2);
    assert_eq!(json["training"]["trainable_params"], 8_030_261_248u64);
    for field in
        ["train_tokens_per_s", "train_tokens_per_s_per_accelerator", "mfu", "step_s", "time_to_finish_s"]
    {
        assert!(json["speed"][field]["likely"].as_f64().unwrap() > 0.0, "{field}");
    }
    assert!(json["power"]["energy_job_kwh"]["likely"].as_f64().unwrap() > 1.0);
    assert_eq!(json["speed"]["ttft_s"], serde_json::Value::Null);
}
