//! Flags that every verb takes.

use crate::context::TestContext;

const MODEL: &str = "meta-llama/Llama-3.1-8B";

#[test]
fn common_flags_stand_before_or_after_the_verb() {
    let context = TestContext::new();
    let before = context.run(&["--lang", "nl", "--json", "model", MODEL]);
    let after = context.run(&["model", MODEL, "--json", "--lang", "nl"]);
    assert_eq!(before.exit, 0);
    assert_eq!(before.stdout, after.stdout);
    assert_eq!(before.json()["verb"], "model");
}

#[test]
fn the_environment_chooses_the_language_unless_a_flag_does() {
    let dutch = "heeft 8,03 miljard parameters";
    let context = TestContext::new().with("LANG", "nl_NL.UTF-8");
    assert!(context.run(&["model", MODEL]).stdout.contains(dutch));
    assert!(!context.run(&["model", MODEL, "--lang", "en"]).stdout.contains(dutch));
    let context = context.with("LC_ALL", "C");
    assert!(!context.run(&["model", MODEL]).stdout.contains(dutch));
}

#[test]
fn colours_only_where_asked_when_output_is_no_terminal() {
    let context = TestContext::new();
    let escapes = |args: &[&str]| context.run(args).stdout.contains('\u{1b}');
    assert!(!escapes(&["model", MODEL]));
    assert!(escapes(&["model", MODEL, "--color", "always"]));
    assert!(!escapes(&["model", MODEL, "--color", "always", "--json"]));
    assert!(!escapes(&["--help"]));
}

#[test]
fn json_is_the_same_whatever_the_looks() {
    let context = TestContext::new().with("COLUMNS", "40");
    let plain = context.run(&["model", MODEL, "--json"]);
    let other = context.run(&["model", MODEL, "--format", "json", "--width", "120", "--no-unicode", "-q"]);
    assert_eq!(plain.stdout, other.stdout);
}

#[test]
fn every_line_keeps_to_the_width() {
    for width in ["60", "80", "100"] {
        let context = TestContext::new().with("COLUMNS", width);
        for lang in ["en", "nl"] {
            let outcome = context.run(&["model", MODEL, "--lang", lang]);
            let most: usize = width.parse().unwrap();
            for line in outcome.stdout.lines().skip(1) {
                assert!(line.chars().count() <= most, "{width}: {line}");
            }
        }
    }
}

#[test]
fn plain_letters_on_request() {
    assert!(TestContext::new().run(&["model", MODEL, "--no-unicode"]).stdout.is_ascii());
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    assert_eq!(TestContext::new().run_and_leave(&["completion", "bash"]), Some(0));
}

#[test]
fn tables_for_programs() {
    let context = TestContext::new();
    let csv = context.run(&["model", MODEL, "--format", "csv", "--lang", "nl"]).stdout;
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(rows[0], "part,params,share,precision");
    // 128,256 rows of 4,096.
    assert!(rows[1].starts_with("embedding,525336576,0.06"), "{}", rows[1]);
    let md = context.run(&["model", MODEL, "--format", "md"]).stdout;
    assert!(md.contains("| embeddings | 525,336,576 | 6.5% |"), "{md}");
    let html = context.run(&["model", MODEL, "--format", "html"]).stdout;
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("<td class=\"number\">525,336,576</td>"));
}

#[test]
fn markdown_has_reasons_and_the_next_command() {
    let context = TestContext::new();
    let md = context.run(&["size", MODEL, "--gpu", "RTX 4090", "--format", "md"]).stdout;
    assert!(md.starts_with("**Fits on "), "{md}");
    assert!(md.contains("\n- The weights take 16.1 GB in bf16."), "{md}");
    assert!(md.contains("\n    maat advise meta-llama/Llama-3.1-8B\n"), "{md}");
    let html = context.run(&["size", MODEL, "--gpu", "RTX 4090", "--format", "html"]).stdout;
    assert!(html.contains("<li>The weights take 16.1 GB in bf16.</li>"), "{html}");
}
