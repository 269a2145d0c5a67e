//! Memory is allocated and freed within the steps.

use maat_base::Severity;

use super::{Case, Cause, Rule, remove_idle, time_and_share};
use crate::{Micros, RankComparison, RankReport};

pub(super) const RULE: Rule =
    Rule { code: "allocator-thrash", severity: Severity::Warning, source: "pytorch-allocator", find, remove };

fn find(case: &Case<'_>) -> Option<Cause> {
    let (report, limits) = (case.report, case.limits);
    let share = case.share(report.waits.allocation_us);
    if share < limits.allocation_share {
        return None;
    }
    Some(
        Cause::new("trace-allocator", "trace-allocator-fix", share)
            .signal("waits.allocation_us", time_and_share(report, report.waits.allocation_us), true)
            .refuted_by("trace-allocator-refuted"),
    )
}

fn remove(report: &mut RankReport, _: Option<&RankComparison>) {
    remove_idle(report, report.waits.allocation_us);
    report.waits.allocation_us = Micros::default();
}
