//! Settled cases of other people, where they are at hand: the verdict stands first or second, and what must not be
//! named first is not.

use std::path::{Path, PathBuf};

use maat_diagnose::{DiagnoseRequest, diagnose};

fn shared(below: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/samples/diagnose").join(below)
}

fn words(table: &toml::Table, key: &str) -> Vec<String> {
    let list = table.get(key).and_then(toml::Value::as_array).cloned().unwrap_or_default();
    list.iter().filter_map(toml::Value::as_str).map(|word| word.replace('_', "-")).collect()
}

#[test]
fn settled_cases() {
    let Ok(folders) = std::fs::read_dir(shared("cases")) else { return };
    let mut wrong = Vec::new();
    for folder in folders.flatten().map(|entry| entry.path()) {
        let Ok(text) = std::fs::read_to_string(folder.join("expected.toml")) else { continue };
        let expected: toml::Table = text.parse().unwrap();
        let files: Vec<(String, Vec<u8>)> = expected["files"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(toml::Value::as_str)
            .map(|file| (file.to_owned(), std::fs::read(folder.join(file)).unwrap()))
            .collect();
        let answer = diagnose(&DiagnoseRequest::default(), files).unwrap();
        let mut named: Vec<String> = answer.findings.iter().map(|finding| finding.code.to_string()).collect();
        if answer.verdict.code == "healthy" {
            named.insert(0, "healthy".to_owned());
        }
        let verdict = expected["verdict"].as_str().unwrap().replace('_', "-");
        let mut right = words(&expected, "also_allowed");
        right.push(verdict);
        let good = named.iter().take(2).any(|code| right.contains(code));
        let bad = named.first().is_some_and(|code| words(&expected, "must_not_name_first").contains(code));
        if !good || bad {
            wrong.push(format!("{}: {named:?}, not {right:?}", folder.display()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
