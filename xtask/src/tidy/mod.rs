//! What a compiler does not check: sizes of files and functions, the map of crates, registered facts, names that do
//! not belong here.

mod crates;
mod facts;
mod functions;
mod names;
mod tree;

use std::path::Path;
use std::process::ExitCode;

use tree::Tree;

/// A check looks at the tree and says what is wrong, one line each.
type Check = fn(&Tree) -> Vec<String>;

/// All of them.
const CHECKS: &[(&str, Check)] = &[
    ("files of at most 600 lines", functions::files),
    ("functions of at most 80 lines", functions::functions),
    ("every crate in crates/README.md, with the workspace's lints", crates::check),
    ("every file of facts is compiled in or tested", facts::registered),
    ("facts/findings.csv is in order", facts::findings),
    ("no names of other places", names::check),
];

/// Runs all checks on the repository that this tool stands in.
pub fn run() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let tree = Tree::read(&root);
    let mut wrong = 0;
    for (name, check) in CHECKS {
        let faults = check(&tree);
        println!("{} {name}", if faults.is_empty() { "ok  " } else { "FAIL" });
        for fault in &faults {
            eprintln!("     {fault}");
        }
        wrong += faults.len();
    }
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
