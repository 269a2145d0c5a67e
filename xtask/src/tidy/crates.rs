//! The map of crates.

use std::collections::BTreeSet;

use super::tree::Tree;

/// Every crate has its line in crates/README.md and takes the workspace's lints; every line has its crate.
pub fn check(tree: &Tree) -> Vec<String> {
    let crates: BTreeSet<&str> = tree
        .files
        .iter()
        .filter_map(|file| file.path.strip_prefix("crates/")?.strip_suffix("/Cargo.toml"))
        .filter(|name| !name.contains('/'))
        .collect();
    let listed: BTreeSet<&str> = tree
        .text("crates/README.md")
        .lines()
        .filter_map(|line| line.strip_prefix("- `")?.split('`').next())
        .collect();
    let mut faults = Vec::new();
    for name in crates.difference(&listed) {
        faults.push(format!("crates/README.md does not say what {name} is for"));
    }
    for name in listed.difference(&crates) {
        faults.push(format!("crates/README.md lists {name}, which is not there"));
    }
    for name in crates {
        let path = format!("crates/{name}/Cargo.toml");
        if !tree.text(&path).contains("[lints]\nworkspace = true") {
            faults.push(format!("{path} does not take the workspace's lints"));
        }
    }
    faults
}
