//! The accelerator communicates and computes nothing meanwhile.

use maat_base::Severity;

use super::{Case, Cause, Rule, minus, or_dash, percent, pipeline, straggler, time_and_share};
use crate::{Micros, RankComparison, RankReport};

pub(super) const RULE: Rule = Rule {
    code: "exposed-communication",
    severity: Severity::Warning,
    source: "tensorboard-plugin",
    find,
    remove,
};

/// Exposed communication without what belongs to a pipeline's sends and receives, and without waiting for a straggler.
fn exposed(report: &RankReport, comparison: Option<&RankComparison>) -> Micros {
    let exposed = report.split.map(|split| split.exposed_comm_us).unwrap_or_default();
    minus(minus(exposed, pipeline::exposed(report)), straggler::explained(report, comparison))
}

fn find(case: &Case<'_>) -> Option<Cause> {
    let (report, limits) = (case.report, case.limits);
    let exposed = exposed(report, case.comparison);
    let share = case.share(exposed);
    if share <= limits.exposed_communication_share {
        return None;
    }
    let overlap = report.numbers.overlap_pct_of_comm;
    let poor = overlap.is_some_and(|percent| percent < 100.0 * limits.overlap_low);
    let largest = report.collectives.first();
    let mut found = Cause::new("trace-communication", "trace-communication-fix", share)
        .signal("exposed_comm_us", time_and_share(report, exposed), true)
        .signal("overlap_pct_of_comm", or_dash(overlap), poor)
        .refuted_by("trace-communication-refuted");
    if let Some(largest) = largest {
        let text = format!("{} {}", largest.kind.word(), percent(largest.share));
        found = found.signal("collectives", text, false);
    }
    Some(found)
}

fn remove(report: &mut RankReport, comparison: Option<&RankComparison>) {
    let exposed = exposed(report, comparison);
    if let Some(split) = &mut report.split {
        split.exposed_comm_us = minus(split.exposed_comm_us, exposed);
        split.span_us = minus(split.span_us, exposed);
    }
}
