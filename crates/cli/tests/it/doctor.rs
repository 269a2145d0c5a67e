//! `maat doctor`.

use insta::assert_snapshot;

use crate::context::TestContext;

/// Driver 570 meets the minimum of CUDA 12 (525.60.13), not that of CUDA 13 (580).
const TOO_OLD: &str = "RuntimeError: The NVIDIA driver on your system is too old (found version 12080).\n\
    torch 2.13.0+cu130, driver 570.86.10, RTX 4090\n";

#[test]
fn a_pasted_error() {
    let context = TestContext::new();
    context.file("log.txt", TOO_OLD);
    assert_snapshot!(context.run(&["doctor", "log.txt"]));
    assert_snapshot!(context.run(&["doctor", "log.txt", "--lang", "nl"]));
}

#[test]
fn an_error_is_exit_5_and_too_little_is_exit_0_without_a_verdict() {
    let context = TestContext::new();
    context.file("log.txt", TOO_OLD);
    context.file("little.txt", "my training is slow\n");
    let outcome = context.run(&["doctor", "log.txt", "--json"]);
    assert_eq!(outcome.exit, 5);
    let json = outcome.json();
    assert_eq!(json["verdict"]["code"], "driver-too-old");
    assert_eq!(json["facts"]["driver"], "570.86.10");
    assert_eq!(json["findings"][0]["evidence"][0]["where"], "log.txt:2");
    let outcome = context.run(&["doctor", "little.txt", "--json"]);
    assert_eq!(outcome.exit, 0);
    let json = outcome.json();
    assert_eq!(json["verdict"]["code"], "not-enough-data");
    assert!(json["verdict"]["ok"].is_null());
    assert!(!json["ask"].as_array().unwrap().is_empty());
}

#[test]
fn which_build_to_install() {
    let context = TestContext::new();
    assert_snapshot!(context.run(&["doctor", "--wheel", "torch", "--gpu", "RTX 5090", "--driver", "570"]));
    let outcome = context.run(&["doctor", "--can", "nonsense"]);
    assert_eq!(outcome.exit, 1);
    let outcome = context.run(&["doctor", "no-such-file.txt"]);
    assert_eq!(outcome.exit, 1);
}
