//! `maat diagnose`.

use insta::assert_snapshot;
use serde_json::Value;

use crate::context::TestContext;

/// An own input of the diagnosis.
macro_rules! own {
    ($name:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../diagnose/tests/classes/", $name))
    };
}

#[test]
fn a_cause_with_its_proofs_in_both_languages() {
    let context = TestContext::new();
    context.file("paste.txt", own!("cpu-oversubscription/proves.txt"));
    assert_snapshot!(context.run(&["diagnose", "paste.txt"]));
    assert_snapshot!(context.run(&["diagnose", "paste.txt", "--lang", "nl"]));
}

#[test]
fn errors_are_exit_5_and_say_where_they_were_read() {
    let context = TestContext::new();
    let outcome = context.run_with_input(
        &["diagnose", "-", "--json"],
        own!("vram-insufficient-offload/proves.txt").as_bytes(),
    );
    assert_eq!(outcome.exit, 5);
    let json = outcome.json();
    assert_eq!(json["verdict"]["code"], "vram-insufficient-offload");
    assert_eq!(json["verdict"]["ok"], false);
    let finding = &json["findings"][0];
    assert_eq!(finding["severity"], "error");
    let places: Vec<&str> =
        finding["evidence"].as_array().unwrap().iter().filter_map(|one| one["where"].as_str()).collect();
    assert!(places.contains(&"-:5"), "{places:?}");
    for field in ["subject", "message", "refuted_by", "fix", "commands", "source"] {
        assert!(!finding[field].is_null(), "{field}");
    }
    assert_eq!(
        context
            .run_with_input(
                &["diagnose", "-", "--fail-on", "never"],
                own!("vram-insufficient-offload/proves.txt").as_bytes()
            )
            .exit,
        0
    );
}

#[test]
fn too_little_data_is_exit_0_and_says_what_to_run() {
    let context = TestContext::new();
    context.file("numactl.txt", "available: 1 nodes (0)\nnode 0 cpus: 0 1\nnode 0 size: 21209 MB\n");
    let outcome = context.run(&["diagnose", "numactl.txt", "--json"]);
    assert_eq!(outcome.exit, 0);
    let json = outcome.json();
    assert_eq!(json["verdict"]["code"], "not-enough-data");
    assert_eq!(json["verdict"]["ok"], Value::Null);
    let commands: Vec<&str> =
        json["ask"].as_array().unwrap().iter().filter_map(|ask| ask["command"].as_str()).collect();
    assert!(commands.iter().any(|command| command.starts_with("nvidia-smi --query-gpu=")), "{commands:?}");
    assert!(commands.iter().any(|command| command.starts_with("vmstat")), "{commands:?}");
}

#[test]
fn nothing_wrong_is_healthy_and_silent() {
    let context = TestContext::new();
    context.file("idle.txt", own!("healthy/idle-p8-gen1.txt"));
    let json = context.run(&["diagnose", "idle.txt", "--json"]).json();
    assert_eq!(json["verdict"]["code"], "healthy");
    assert_eq!(json["verdict"]["ok"], true);
    assert_eq!(json["findings"], Value::Array(Vec::new()));
    // An info finding does not make the verdict.
    context.file("decode.txt", own!("memory-bandwidth/proves.txt"));
    let json = context.run(&["diagnose", "decode.txt", "--json"]).json();
    assert_eq!(
        (json["verdict"]["code"].as_str(), json["findings"][0]["code"].as_str()),
        (Some("healthy"), Some("memory-bandwidth"))
    );
}

#[test]
fn unknown_content_is_exit_1_and_no_file_is_exit_2() {
    let context = TestContext::new();
    context.file("noise", [0u8, 159, 146, 150, 1, 2, 3]);
    let outcome = context.run(&["diagnose", "noise", "--json"]);
    assert_eq!(outcome.exit, 1);
    assert_eq!(outcome.json()["error"]["code"], "input-not-recognised");
    assert_eq!(context.run(&["diagnose"]).exit, 2);
    assert_eq!(context.run(&["diagnose", "--kind", "nonsense", "noise"]).exit, 2);
    assert_eq!(context.run(&["diagnose", "missing.txt"]).exit, 1);
}

#[test]
fn a_watch_can_be_kept_and_read_again() {
    let context = TestContext::new();
    let outcome = context.run(&[
        "diagnose",
        "--watch",
        "300ms",
        "--record",
        "kept.txt",
        "--json",
        "--fail-on",
        "never",
    ]);
    assert_eq!(outcome.exit, 0, "{}", outcome.stderr);
    assert_eq!(outcome.json()["files"][0]["kinds"][0], "watch");
    let again = context.run(&["diagnose", "kept.txt", "--json"]).json();
    assert_eq!(again["files"][0]["kinds"][0], "maat-samples");
}
