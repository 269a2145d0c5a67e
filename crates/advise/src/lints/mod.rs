//! What to mind about a plan. One lint a file, one line here.

mod announced;
mod context_beyond_model;
mod growth_room;
mod quantisation_loss;
mod slow_links;
mod split_heads;
mod unsure_part;
mod weight_only;

use maat_base::Finding;

use crate::case::{Case, Judged};
use crate::world::World;

/// A lint looks at a judged case and finds something or nothing.
type Lint = fn(&Case, &Judged, &World) -> Option<Finding>;

/// All of them.
const LINTS: [Lint; 8] = [
    announced::lint,
    split_heads::lint,
    context_beyond_model::lint,
    slow_links::lint,
    weight_only::lint,
    quantisation_loss::lint,
    growth_room::lint,
    unsure_part::lint,
];

/// Everything that is to be minded about a judged case.
pub fn all(case: &Case, judged: &Judged, world: &World) -> Vec<Finding> {
    LINTS.iter().filter_map(|lint| lint(case, judged, world)).collect()
}

/// Findings with the most severe first, in a stable order otherwise.
pub fn sorted(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    findings
}
