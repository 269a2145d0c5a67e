//! Names that do not belong into a repository that stands on its own.

use super::tree::Tree;

/// Paths of somebody's machine, and what a file may name all the same.
const FORBIDDEN: &[&str] = &["/work/", "/root/", "/home/runner"];

/// Paths of files that hold such names for good reason: samples of what people paste.
const SAMPLES: &[&str] = &["tests/", "xtask/src/tidy/names.rs", "redact/", "messages/"];

/// The optional second suite's inputs: only tests and the script that runs them may know where they are.
const SHARED: &str = concat!("../", "shared");
const KNOW_SHARED: &[&str] = &["/tests/", "tests.rs", ".ci/"];

/// Lines with names of other places.
pub fn check(tree: &Tree) -> Vec<String> {
    let mut faults = Vec::new();
    for file in &tree.files {
        let is = |parts: &[&str]| parts.iter().any(|part| file.path.contains(part));
        let mut in_tests = false;
        for (place, line) in file.text.lines().enumerate() {
            in_tests |= line.contains("#[cfg(test)]");
            let foreign = !is(SAMPLES) && FORBIDDEN.iter().any(|name| line.contains(name));
            let shared = !in_tests && !is(KNOW_SHARED) && line.contains(SHARED);
            if foreign || shared {
                faults.push(format!("{}:{}: {}", file.path, place + 1, line.trim()));
            }
        }
    }
    faults
}
