//! Configurations that vary a key of each family, against the counts of the library's own classes.
//!
//! `variants.jsonl` holds a few for each family; a folder in `MAAT_VARIANTS` may hold many more.

#![expect(clippy::unwrap_used, reason = "a test stops at the first thing that is not as it must be")]

use std::fs;
use std::path::{Path, PathBuf};

use maat_model::{Options, Part, open};
use serde_json::Value;

fn files() -> Vec<PathBuf> {
    match std::env::var_os("MAAT_VARIANTS") {
        None => vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/variants.jsonl")],
        Some(folder) => fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect(),
    }
}

#[test]
fn variants_are_exact() {
    let mut files = files();
    files.sort();
    let folder = std::env::temp_dir().join(format!("maat-variants-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join("config.json");
    let (mut rows, mut wrong) = (0, Vec::new());
    for file in files {
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        for line in fs::read_to_string(&file).unwrap().lines() {
            // The configuration stands last, and may hold numbers that only Python reads.
            let (head, config) = line.split_once(", \"raw\": ").unwrap();
            let row: Value = serde_json::from_str(&format!("{head}}}")).unwrap();
            fs::write(&path, config.strip_suffix('}').unwrap()).unwrap();
            rows += 1;
            let expected = (row["total"].as_u64().unwrap(), row["exp"].as_u64().unwrap());
            let what = format!("{name} {}", row["mut"]);
            match open(path.to_str().unwrap(), &Options::default()) {
                Err(fault) => wrong.push(format!("{what}: {fault}")),
                Ok(model) => {
                    let is = (model.params_total(), model.params_by_part()[&Part::RoutedExperts]);
                    if is != expected {
                        let off = i128::from(is.0) - i128::from(expected.0);
                        wrong.push(format!("{what}: {is:?} and not {expected:?}: {off:+}"));
                    }
                }
            }
        }
    }
    fs::remove_dir_all(&folder).unwrap();
    assert!(wrong.is_empty(), "{} of {rows} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
