//! Outputs of real machines, where they are at hand: each is recognised and gives samples.

use std::path::{Path, PathBuf};

use maat_readings::{Input, monitor};

fn files(folder: &Path, into: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, into);
        } else {
            into.push(path);
        }
    }
}

#[test]
fn every_sample_is_read() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/samples/diagnose");
    let mut paths = Vec::new();
    files(&root, &mut paths);
    paths.retain(|path| {
        let name = path.to_string_lossy();
        !name.ends_with(".gz")
            && !name.ends_with(".md")
            && !name.ends_with(".toml")
            && !name.ends_with("profiler_table.txt")
    });
    paths.sort();
    for path in paths {
        let name = path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
        let samples = monitor::read(&Input::new(&name, &std::fs::read(&path).unwrap()), None);
        let found: Vec<String> =
            samples.blocks.iter().map(|block| format!("{}:{}", block.kind, block.items)).collect();
        assert!(samples.blocks.iter().any(|block| block.items > 0), "{name}: {found:?}");
    }
}
