//! Every configuration of the shared samples against the exact count of the library's own class.

use std::path::{Path, PathBuf};

use maat_model::{Options, Part, open};

fn shared(path: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    path.exists().then_some(path)
}

/// Compares each row of a table; returns the rows that differ.
fn compare(table: &Path, config: impl Fn(&str) -> PathBuf) -> (usize, Vec<String>) {
    let text = std::fs::read_to_string(table).unwrap();
    let mut wrong = Vec::new();
    let mut rows = 0;
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let (total, routed): (u64, u64) = (cells[2].parse().unwrap(), cells[3].parse().unwrap());
        rows += 1;
        match open(config(cells[0]).to_str().unwrap(), &Options::default()) {
            Err(fault) => wrong.push(format!("{}: {fault}", cells[0])),
            Ok(model) => {
                let is = (model.params_total(), model.params_by_part()[&Part::RoutedExperts]);
                if is != (total, routed) {
                    let off = is.0 as i64 - total as i64;
                    wrong.push(format!("{}: {is:?} and not {:?}: {off:+}", cells[0], (total, routed)));
                }
            }
        }
    }
    (rows, wrong)
}

#[test]
fn families_are_exact() {
    let Some(folder) = shared("samples/families") else { return };
    let (rows, wrong) = compare(&folder.join("PARAMETERS.csv"), |name| folder.join(format!("{name}.json")));
    assert!(wrong.is_empty(), "{} of {rows} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn published_models_are_exact() {
    let Some(folder) = shared("samples/models") else { return };
    let (rows, wrong) = compare(&folder.join("PARAMETERS.csv"), |name| folder.join(name));
    assert!(wrong.is_empty(), "{} of {rows} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
