//! Errors: one message on standard error, the same for programs on standard output, the contract's exit codes.

use insta::assert_snapshot;

use crate::context::TestContext;

#[test]
fn an_unknown_model_names_the_nearest() {
    let context = TestContext::new();
    let english = context.run(&["model", "meta-llama/Llama-3.1-8C"]);
    assert_eq!(english.exit, 1);
    assert!(english.stdout.is_empty());
    let lines: Vec<&str> = english.stderr.lines().collect();
    assert_eq!(lines[0], "error: There is no file or built-in model meta-llama/Llama-3.1-8C.");
    assert!(lines[1].contains("meta-llama/Llama-3.1-8B"), "{}", lines[1]);
    let dutch = context.run(&["model", "meta-llama/Llama-3.1-8C", "--lang", "nl", "--json"]);
    assert!(dutch.json()["error"]["hint"].as_str().unwrap().starts_with("Namen die erop lijken: "));
}

#[test]
fn usage_is_exit_2_and_says_what_to_do() {
    let context = TestContext::new();
    for (name, args) in [
        ("no-verb", vec![]),
        ("verb-unknown", vec!["modle"]),
        ("verb-planned", vec!["serve", "--json"]),
        ("flag-unknown", vec!["model", "--presision", "bf16"]),
        ("flag-unknown-nl", vec!["--lang=nl", "model", "--presision", "bf16"]),
        ("value-invalid", vec!["model", "x", "--lang", "de"]),
        ("value-missing", vec!["model", "x", "--lang"]),
        ("argument-missing", vec!["model"]),
        ("flags-conflict", vec!["model", "x", "--json", "--format", "md"]),
        ("date-malformed", vec!["model", "x", "--as-of", "9 November"]),
        ("rate-not-positive", vec!["model", "x", "--fx", "0,92"]),
        ("currency-unknown", vec!["model", "x", "--currency", "GBP"]),
    ] {
        let outcome = context.run(&args);
        assert_eq!(outcome.exit, 2, "{name}");
        assert_snapshot!(name, outcome);
    }
}

#[test]
fn json_of_a_fault_has_its_four_fields() {
    let outcome = TestContext::new().run(&["model", "no such model", "--json"]);
    assert_eq!(outcome.exit, 1);
    let json = outcome.json();
    assert_eq!(json["schema_version"], 1);
    assert_eq!(json["error"]["code"], "model-unknown");
    assert!(json["error"]["message"].as_str().unwrap().contains("no such model"));
    assert!(json["error"]["where"].is_null());
    assert!(json["error"]["hint"].is_string());
    assert!(outcome.stderr.starts_with("error: "));
}

#[test]
fn arguments_that_are_not_text_are_a_usage_error() {
    use std::os::unix::ffi::OsStrExt;
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_maat"))
        .args([std::ffi::OsStr::new("model"), std::ffi::OsStr::from_bytes(b"\xff\xfe")])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
}
