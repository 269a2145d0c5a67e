//! The tables that a person may correct: what names mean and when a number becomes a finding.
//!
//! They are compiled in; nothing in this crate decides by a name that is not in one of them.

mod fixes;
mod names;
mod pattern;
mod thresholds;

use std::collections::HashSet;
use std::sync::LazyLock;

pub use fixes::{Fix, FixKind, fixes};
pub use names::{Bound, Collective, Family, Vendor};
pub(crate) use names::{CallClass, Category, CopyClass, KernelClass, SpanClass, TensorUse};
pub use thresholds::{Thresholds, thresholds};

use names::Tables;

/// Every file of this crate, by its path under `facts/`.
pub(crate) const FILES: &[(&str, &str)] = &[
    ("trace/architectures.csv", include_str!("../../../../facts/trace/architectures.csv")),
    ("trace/calls.csv", include_str!("../../../../facts/trace/calls.csv")),
    ("trace/categories.csv", include_str!("../../../../facts/trace/categories.csv")),
    ("trace/collectives.csv", include_str!("../../../../facts/trace/collectives.csv")),
    ("trace/copies.csv", include_str!("../../../../facts/trace/copies.csv")),
    ("trace/kernels.csv", include_str!("../../../../facts/trace/kernels.csv")),
    ("trace/spans.csv", include_str!("../../../../facts/trace/spans.csv")),
    ("trace/tensor-cores.csv", include_str!("../../../../facts/trace/tensor-cores.csv")),
    ("trace/vendors.csv", include_str!("../../../../facts/trace/vendors.csv")),
    ("trace/vocabulary.csv", include_str!("../../../../facts/trace/vocabulary.csv")),
    ("diagnose/trace-fixes.csv", include_str!("../../../../facts/diagnose/trace-fixes.csv")),
    ("diagnose/trace-thresholds.csv", include_str!("../../../../facts/diagnose/trace-thresholds.csv")),
];

/// The rows of a file, each with its fields by position; a row that is too short gives empty fields.
fn rows(path: &str) -> Vec<Vec<String>> {
    let text = FILES.iter().find(|(name, _)| *name == path).map_or("", |(_, text)| *text);
    csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .flexible(true)
        .from_reader(text.as_bytes())
        .into_records()
        .filter_map(Result::ok)
        .map(|record| record.iter().map(str::to_owned).collect())
        .collect()
}

/// The words that a redacted name may be made of.
pub(crate) fn vocabulary() -> &'static HashSet<String> {
    static WORDS: LazyLock<HashSet<String>> = LazyLock::new(|| {
        rows("trace/vocabulary.csv").into_iter().filter_map(|row| row.into_iter().next()).collect()
    });
    &WORDS
}

/// The tables of names.
pub(crate) fn tables() -> &'static Tables {
    static TABLES: LazyLock<Tables> = LazyLock::new(Tables::read);
    &TABLES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_is_forgotten() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../facts");
        let mut listed: Vec<&str> =
            FILES.iter().map(|(path, _)| *path).filter(|path| path.starts_with("trace/")).collect();
        listed.sort_unstable();
        let mut present: Vec<String> = std::fs::read_dir(format!("{root}/trace"))
            .unwrap()
            .map(|entry| format!("trace/{}", entry.unwrap().file_name().to_str().unwrap()))
            .collect();
        present.sort_unstable();
        assert_eq!(listed, present);
    }

    #[test]
    fn every_row_is_whole() {
        for (path, text) in FILES {
            let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
            let columns = reader.headers().unwrap().len();
            for record in reader.records() {
                let record = record.unwrap_or_else(|error| panic!("{path}: {error}"));
                assert_eq!(record.len(), columns, "{path}: {record:?}");
            }
        }
    }
}
