//! Work without a neural network, the whole server, and the commands that start a plan: whole answers in both languages.

use insta::assert_snapshot;

use crate::context::TestContext;

const LLAMA: &str = "meta-llama/Llama-3.1-8B";

#[test]
fn a_processor_is_enough() {
    let context = TestContext::new();
    let args = ["advise", "--task", "tabular", "--rows", "1M", "--columns", "30"];
    assert_snapshot!("data-tabular", context.run(&args));
    assert_snapshot!("data-tabular-nl", context.run(&[args.as_slice(), &["--lang", "nl"]].concat()));
}

#[test]
fn vectors_that_a_card_answers() {
    let context = TestContext::new();
    let args =
        ["advise", "--task", "vector-search", "--vectors", "5M", "--queries", "300k/s", "--lang", "nl"];
    assert_snapshot!("data-vectors-nl", context.run(&args));
}

#[test]
fn a_table_on_a_machine_with_both() {
    let context = TestContext::new();
    let args = ["size", "--task", "tabular", "--rows", "10M", "--gpu", "RTX 4090", "--cpu", "Ryzen 9 7950X"];
    assert_snapshot!("data-size", context.run(&args));
}

#[test]
fn a_whole_server() {
    let context = TestContext::new();
    let args = [
        "size",
        LLAMA,
        "--gpu",
        "4x RTX 4090",
        "--tp",
        "4",
        "--cpu",
        "Ryzen 9 7950X",
        "--ram",
        "64GB",
        "--disk",
        "20GB",
        "--psu",
        "1600W",
        "--lang",
        "nl",
    ];
    assert_snapshot!("server-mistakes-nl", context.run(&args));
}

#[test]
fn what_starts_a_plan() {
    let context = TestContext::new();
    let train = ["advise", LLAMA, "--gpu", "H100 SXM", "--deploy"];
    let full = ["torchrun", "--task", "full", "--tokens", "1000M", "--zero", "3"];
    assert_snapshot!("deploy-torchrun", context.run(&[train.as_slice(), &full].concat()));
    let pretrain = ["megatron", "--task", "pretrain", "--tokens", "1000M", "--lang", "nl"];
    assert_snapshot!("deploy-megatron-nl", context.run(&[train.as_slice(), &pretrain].concat()));
    assert_snapshot!("deploy-compose", context.run(&[train.as_slice(), &["compose"]].concat()));
}

/// Exactly one part is the limiting one, the others have their slack, and growth becomes a date.
#[test]
fn the_contract_of_the_json() {
    let context = TestContext::new();
    let json = context.run(&["advise", LLAMA, "--users", "10", "--growth", "2x/year", "--json"]).json();
    let server = &json["server"];
    assert!(server["limiting"].is_string());
    assert!(server["slack"].as_array().unwrap().iter().all(|slack| slack["part"] != server["limiting"]));
    assert_eq!(server["fits_until"].as_str().unwrap().len(), "2028-01-01".len());
    let json = context.run(&["advise", "--task", "etl", "--rows", "10M", "--json"]).json();
    assert_eq!(json["model"], serde_json::Value::Null);
    assert_eq!(json["cpu_or_gpu"]["answer"], "cpu");
    assert_eq!(json["cpu_or_gpu"]["crossing"]["quantity"], "rows");
    assert_eq!(json["verdict"]["code"], "cpu-is-enough");
}
