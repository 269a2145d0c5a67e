//! Help, completion and manual pages.

use insta::assert_snapshot;

use crate::context::TestContext;

#[test]
fn help_begins_with_examples() {
    let context = TestContext::new();
    let verbs = ["model", "size", "advise", "catalogue", "doctor", "diagnose", "completion", "man"];
    let of_verbs = verbs.iter().map(|verb| vec![*verb, "--help"]);
    for args in of_verbs.chain([vec!["--help"], vec!["-h"], vec!["catalogue", "show", "--help"]]) {
        let outcome = context.run(&args);
        assert_eq!(outcome.exit, 0);
        let lines: Vec<&str> = outcome.stdout.lines().take(4).collect();
        assert_eq!(lines[0], "Examples:", "{args:?}");
        assert!(lines[1..].iter().all(|line| line.starts_with("  ") && line.contains("maat ")), "{args:?}");
    }
}

#[test]
fn help_of_model() {
    assert_snapshot!(TestContext::new().run(&["model", "--help"]));
}

#[test]
fn completion_knows_the_verbs_for_every_shell() {
    let context = TestContext::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let outcome = context.run(&["completion", shell]);
        assert_eq!(outcome.exit, 0, "{shell}");
        assert!(outcome.stdout.contains("model"), "{shell}");
    }
}

#[test]
fn manual_pages_are_roff() {
    let context = TestContext::new();
    for args in [vec!["man"], vec!["man", "model"]] {
        let outcome = context.run(&args);
        assert_eq!(outcome.exit, 0);
        assert!(outcome.stdout.contains(".TH"), "{}", outcome.stdout);
    }
    assert_eq!(context.run(&["man", "nothing"]).exit, 2);
}
