//! The numbers of public traces, where the collection is at hand; skipped otherwise.

#![expect(clippy::unwrap_used, reason = "a test stops at the first trouble")]

use std::fs::File;
use std::path::{Path, PathBuf};

use maat_trace::{Input, Options, analyse};
use serde_json::Value;

fn shared() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    folder.join("samples/diagnose/kineto").is_dir().then_some(folder)
}

/// A trace measured as JSON.
fn measured(path: &Path) -> Value {
    let input = Input { label: path.display().to_string(), reader: Box::new(File::open(path).unwrap()) };
    let report = analyse(vec![input], &Options::default())
        .unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
    serde_json::to_value(&report.ranks[0]).unwrap()
}

/// Equal to within 1e-6 relative and 0.001, as the definitions of the numbers ask.
fn equal(expected: &Value, got: &Value) -> bool {
    match (expected.as_f64(), got.as_f64()) {
        (Some(expected), Some(got)) => (expected - got).abs() <= 1e-6 * expected.abs() + 0.001,
        _ => expected == got,
    }
}

#[test]
fn numbers_equal_the_published_ones() {
    let Some(shared) = shared() else { return };
    let text = std::fs::read_to_string(shared.join("facts/diagnose/trace_expected.json")).unwrap();
    let expected: Vec<Value> = serde_json::from_str(&text).unwrap();
    let mut wrong = Vec::new();
    for row in &expected {
        let file = row["file"].as_str().unwrap();
        let got = measured(&shared.join("samples/diagnose/kineto").join(file));
        for (name, value) in row["exact"].as_object().unwrap() {
            let name = if name == "trace_events" { "events" } else { name };
            if !equal(value, &got[name]) {
                wrong.push(format!("{file}: {name} is {value}, read {}", got[name]));
            }
        }
    }
    assert!(expected.len() >= 18 && wrong.is_empty(), "{}", wrong.join("\n"));
}
