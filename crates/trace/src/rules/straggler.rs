//! One rank is slower than the others, and all wait for it.

use maat_base::{Arg, Severity};

use super::{Case, Cause, Rule, minus, percent};
use crate::{Micros, RankComparison, RankReport, RankRow};

pub(super) const RULE: Rule =
    Rule { code: "straggler-rank", severity: Severity::Warning, source: "traceml", find, remove };

fn find(case: &Case<'_>) -> Option<Cause> {
    let comparison = case.comparison?;
    let slowest = comparison.slowest?;
    let over = comparison.slowest_over_median;
    // The finding is about the straggler, not about those that wait for it.
    if case.report.rank != Some(slowest)
        || over < case.limits.straggler_warning
        || comparison.slowest_share_of_steps < case.limits.straggler_steps
    {
        return None;
    }
    let row = comparison.ranks.iter().find(|row| row.rank == slowest)?;
    let number = u64::try_from(slowest).unwrap_or(0);
    Some(
        Cause::new("trace-straggler", "trace-straggler-fix", comparison.extra_share_of_step)
            .with("rank", Arg::Str(number.to_string()))
            .with("over", Arg::Share(over))
            .signal("comparison.slowest_over_median", percent(over), true)
            .signal("comparison.ranks.own_us", row.own_us.us().to_string(), false)
            .signal(
                "comparison.ranks.exposed_comm_us",
                row.exposed_comm_us.us().to_string(),
                waits_least(comparison, row),
            )
            .signal("comparison.slowest_share_of_steps", percent(comparison.slowest_share_of_steps), false)
            .refuted_by("trace-straggler-refuted"),
    )
}

/// Whoever is waited for waits least: its communication is the shortest of all.
fn waits_least(comparison: &RankComparison, slowest: &RankRow) -> bool {
    comparison
        .ranks
        .iter()
        .all(|row| row.rank == slowest.rank || row.exposed_comm_us.ns() > slowest.exposed_comm_us.ns())
}

/// Waiting of a rank that the straggler explains: what would not be communication without it.
pub(super) fn explained(report: &RankReport, comparison: Option<&RankComparison>) -> Micros {
    let limits = crate::thresholds();
    let (Some(split), Some(comparison)) = (report.split, comparison) else { return Micros::default() };
    let is_straggler = comparison.slowest_over_median >= limits.straggler_warning
        && comparison.slowest_share_of_steps >= limits.straggler_steps;
    if !is_straggler || report.rank == comparison.slowest {
        return Micros::default();
    }
    let extra = Micros::from_ns((split.span_us.ns() as f64 * comparison.extra_share_of_step) as i64);
    extra.min(split.exposed_comm_us)
}

fn remove(report: &mut RankReport, comparison: Option<&RankComparison>) {
    let waiting = explained(report, comparison);
    if let Some(split) = &mut report.split {
        split.exposed_comm_us = minus(split.exposed_comm_us, waiting);
        split.span_us = minus(split.span_us, waiting);
    }
}
