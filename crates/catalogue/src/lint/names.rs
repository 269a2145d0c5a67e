//! Names that mean several parts.

use maat_base::{Finding, Severity};

use super::Facts;
use crate::names::Index;

/// Names of several parts of which not exactly one is preferred.
pub(super) fn clashes(facts: &Facts<'_>) -> Vec<Finding> {
    let catalogue = facts.catalogue;
    of(catalogue.accelerator_names()).into_iter().chain(of(catalogue.cpu_names())).collect()
}

fn of(index: &Index) -> Vec<Finding> {
    let mut found = Vec::new();
    for (key, names) in index.shared() {
        let mut preferred: Vec<&str> =
            names.iter().filter(|name| name.preferred).map(|name| name.part.as_str()).collect();
        preferred.sort_unstable();
        preferred.dedup();
        if preferred.len() == 1 {
            continue;
        }
        let finding = Finding::new("alias-clash", Severity::Error, key).with("name", names[0].name.as_str());
        found.push(names.iter().fold(finding, |finding, name| {
            finding.because(name.name.as_str(), name.part.as_str(), name.place())
        }));
    }
    found
}
