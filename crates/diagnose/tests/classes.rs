//! One input for each class that proves it and one that refutes it, and machines on which nothing is wrong.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::path::Path;

use maat_base::Severity;
use maat_diagnose::{DiagnoseRequest, diagnose, facts};

/// Classes that only a trace shows; the crate of traces tests them.
const OF_TRACES: [&str; 7] = [
    "h2d-pageable",
    "exposed-communication",
    "straggler-rank",
    "pipeline-bubble",
    "launch-bound",
    "host-device-sync",
    "healthy",
];

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/classes"))
}

/// Codes of the findings in order, and the verdict.
fn named(path: &Path) -> (Vec<String>, String) {
    let input = (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(path).unwrap());
    let answer = diagnose(&DiagnoseRequest::default(), vec![input])
        .unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
    (
        answer.findings.iter().map(|finding| finding.code.to_string()).collect(),
        answer.verdict.code.to_string(),
    )
}

#[test]
fn each_class_is_found_and_refuted() {
    let mut wrong = Vec::new();
    for class in facts::classes().iter().filter(|class| !OF_TRACES.contains(&class.code.as_str())) {
        let (codes, verdict) = named(&folder().join(&class.code).join("proves.txt"));
        if !codes.iter().take(2).any(|code| *code == class.code) {
            wrong.push(format!("{} is not found first or second: {codes:?}, {verdict}", class.code));
        }
        let (codes, _) = named(&folder().join(&class.code).join("refutes.txt"));
        if codes.contains(&class.code) {
            wrong.push(format!("{} is found in what refutes it", class.code));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn healthy_machines_are_left_alone() {
    for entry in std::fs::read_dir(folder().join("healthy")).unwrap() {
        let path = entry.unwrap().path();
        let input = ("input".to_owned(), std::fs::read(&path).unwrap());
        let answer = diagnose(&DiagnoseRequest::default(), vec![input]).unwrap();
        let loud: Vec<_> =
            answer.findings.iter().filter(|finding| finding.severity > Severity::Info).collect();
        assert!(loud.is_empty(), "{path:?}: {loud:#?}");
        assert_eq!(answer.verdict.code, "healthy", "{path:?}");
    }
}
