//! `maat size` and `maat advise`: whole answers in both languages.

use insta::assert_snapshot;

use crate::context::TestContext;

const LLAMA: &str = "meta-llama/Llama-3.1-8B";

#[test]
fn fits() {
    let context = TestContext::new();
    let args = ["size", LLAMA, "--gpu", "RTX 4090", "--users", "8", "--context", "8192"];
    assert_snapshot!("size-fits", context.run(&args));
    assert_snapshot!("size-fits-nl", context.run(&[args.as_slice(), &["--lang", "nl"]].concat()));
}

#[test]
fn does_not_fit() {
    let context = TestContext::new();
    let args = ["size", LLAMA, "--gpu", "RTX 3060", "--lang", "nl"];
    assert_snapshot!("size-does-not-fit-nl", context.run(&args));
}

#[test]
fn the_first_answer_is_short() {
    let context = TestContext::new();
    let is_detail =
        |line: &str| ["Assumed:", "  note:", "  warning:"].iter().any(|label| line.starts_with(label));
    for args in [vec!["size", LLAMA, "--gpu", "RTX 4090"], vec!["advise", LLAMA, "--users", "20"]] {
        let outcome = context.run(&args);
        let details = outcome.stdout.lines().position(is_detail).unwrap();
        assert!(details <= 28, "{args:?}: {details} lines before findings and what was assumed");
        assert!(outcome.stdout.contains("Next:\n"), "{args:?}");
        let widest = outcome.stdout.lines().skip(1).map(|line| line.chars().count()).max().unwrap();
        let commands = |line: &&str| !line.starts_with("    maat ");
        let widest_text =
            outcome.stdout.lines().skip(1).filter(commands).map(|line| line.chars().count()).max();
        assert!(widest_text.unwrap() <= 80, "{args:?}: a line of {widest}");
    }
}

#[test]
fn a_plan_that_cannot_be_is_a_usage_error_that_says_what_to_do() {
    let context = TestContext::new();
    for (args, code) in [
        (vec!["size", LLAMA, "--task", "vision-train"], "task-not-available"),
        (vec!["size", LLAMA, "--users", "0"], "count-zero"),
        (vec!["size", LLAMA, "--users", "-3"], "number-negative"),
        (vec!["size", LLAMA, "--users", "many"], "value-invalid"),
        (vec!["size", LLAMA, "--users", "1", "--users", "2"], "flag-repeated"),
        (vec!["catalogue", "list", "--supports", "fp9"], "number-type-unknown"),
        (vec!["catalogue", "offers", "--kind", "free"], "offer-kind-unknown"),
        (vec!["size", LLAMA, "--engine", "tgi"], "engine-unknown"),
        (vec!["size", LLAMA, "--precision", "int3"], "precision-unknown"),
        (vec!["size", LLAMA, "--ram", "1,5GB"], "number-decimal-comma"),
        (vec!["size", LLAMA, "--optimizer", "adamw"], "flag-of-training"),
        (vec!["size"], "model-missing"),
    ] {
        let outcome = context.run(&[args.as_slice(), &["--json"]].concat());
        assert_eq!(outcome.exit, 2, "{args:?}: {outcome}");
        let json = outcome.json();
        assert_eq!(json["error"]["code"], code, "{args:?}");
        assert!(json["error"]["hint"].is_string(), "{args:?}: {outcome}");
    }
}
