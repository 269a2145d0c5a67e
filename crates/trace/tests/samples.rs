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

/// The verdict on public traces whose cause is known, and on those that say nothing.
#[test]
fn verdicts_on_known_traces() {
    let Some(shared) = shared() else { return };
    let verdict = |file: &str| {
        let path = shared.join("samples/diagnose").join(file);
        let input = Input { label: file.to_owned(), reader: Box::new(File::open(path).unwrap()) };
        maat_trace::judge(&analyse(vec![input], &Options::default()).unwrap())
    };
    // The loader takes 39.6 and 24.4 % of the step without workers and 1.0 % with four.
    let code = |file: &str| verdict(file).verdict.code.to_string();
    assert_eq!(
        code("kineto/kineto_resnet50_num_workers_0__worker0.1623143089861_769c3eb.json.gz"),
        "data-loader-wait"
    );
    assert_eq!(code("kineto/kineto_resnet50_num_workers_0__worker0_2d19c63.json.gz"), "data-loader-wait");
    let four = verdict("kineto/kineto_resnet50_num_workers_4__worker0.1623212756351_234cf25.json.gz");
    assert!(four.ranking.iter().all(|row| row.code != "data-loader-wait"), "{:?}", four.ranking);
    assert_eq!(code("cases/04-host-sync-item/trace.json.gz"), "host-device-sync");
    for silent in ["hta__triton_example__triton_example", "hta__mtia_inference_trace__mtia_inference_rank_0"]
    {
        assert_eq!(code(&format!("kineto/{silent}.json.gz")), "not-enough-data", "{silent}");
    }
}
