//! `maat catalogue`.

use insta::assert_snapshot;

use crate::context::TestContext;

#[test]
fn parts_beside_each_other() {
    let context = TestContext::new();
    assert_snapshot!("compare", context.run(&["catalogue", "compare", "H100 SXM", "MI300X", "L40S"]));
    assert_snapshot!("show-nl", context.run(&["catalogue", "show", "RTX 4090", "--lang", "nl"]));
}

#[test]
fn lists_for_programs_are_whole() {
    let csv = TestContext::new().run(&["catalogue", "list", "--format", "csv"]).stdout;
    assert!(csv.starts_with("id,name,memory_label_bytes,capacity_bytes,"));
    assert!(csv.lines().count() > 200, "a page lists a few, CSV all");
    let row = csv.lines().find(|row| row.starts_with("nvidia-h100-sxm-80gb,")).unwrap();
    assert!(row.contains(",85899345920,"), "a label's 80 GB is 80 x 2^30: {row}");
}

#[test]
fn facts_of_ones_own_lie_over_the_built_in_ones() {
    let context = TestContext::new();
    let exported = context.run(&["catalogue", "export", "offers/lambda.csv", "-q"]).stdout;
    let rows: Vec<&str> = exported.lines().skip_while(|line| !line.contains(',')).collect();
    context.file("own/offers/lambda.csv", format!("{}\n", rows[0]));
    let count = |args: &[&str]| {
        let args = [&["catalogue", "offers", "--provider", "lambda", "--json"], args].concat();
        let outcome = context.run(&args);
        if outcome.exit == 0 { outcome.json()["offers"].as_array().unwrap().len() } else { 0 }
    };
    assert!(count(&[]) > 0);
    assert_eq!(count(&["--facts", "own"]), 0);
}

#[test]
fn a_broken_folder_of_facts_names_file_and_line() {
    let context = TestContext::new();
    context.file("own/offers/own.csv", "provider,offer\nx\n");
    let outcome = context.run(&["catalogue", "list", "--facts", "own", "--json"]);
    assert_eq!(outcome.exit, 1);
    assert!(outcome.json()["error"]["where"].as_str().unwrap().contains("offers/own.csv:"));
}
