//! Memory is allocated and freed within the steps.

use maat_base::Severity;

use super::{Case, Cause, Rule, remove_idle, time_and_share};
use crate::{Micros, RankComparison, RankReport};

pub(super) const RULE: Rule =
    Rule { code: "allocator-thrash", severity: Severity::Warning, source: "pytorch-allocator", find, remove };

fn find(case: &Case<'_>) -> Option<Cause> {
    let (report, limits) = (case.report, case.limits);
    let share = case.share(report.waits.allocation_us);
    let (later, steps) = (report.marks.later_steps_allocating, report.step_list.len());
    // What only the first step allocates is a warm-up.
    if share < limits.allocation_share || (steps > 1 && later == 0) {
        return None;
    }
    Some(
        Cause::new("trace-allocator", "trace-allocator-fix", share)
            .signal("waits.allocation_us", time_and_share(report, report.waits.allocation_us), true)
            .signal("marks.later_steps_allocating", later.to_string(), later > 0)
            .refuted_by("trace-allocator-refuted"),
    )
}

fn remove(report: &mut RankReport, _: Option<&RankComparison>) {
    remove_idle(report, report.waits.allocation_us);
    report.waits.allocation_us = Micros::default();
}
