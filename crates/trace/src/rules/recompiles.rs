//! Code is compiled again and again.

use maat_base::Severity;

use super::{Case, Cause, Rule, remove_idle, time_and_share};
use crate::{Micros, RankComparison, RankReport};

pub(super) const RULE: Rule =
    Rule { code: "recompiles", severity: Severity::Warning, source: "pytorch-dynamo", find, remove };

fn find(case: &Case<'_>) -> Option<Cause> {
    let (report, limits) = (case.report, case.limits);
    let later = report.marks.later_steps_compiling;
    let share = case.share(report.waits.compile_us);
    if (later as f64) < limits.recompile_steps || share < limits.waiting_share {
        return None;
    }
    Some(
        Cause::new("trace-recompiles", "trace-recompiles-fix", share)
            .with("steps", later)
            .signal("marks.later_steps_compiling", later.to_string(), true)
            .signal("waits.compile_us", time_and_share(report, report.waits.compile_us), true)
            .refuted_by("trace-recompiles-refuted"),
    )
}

fn remove(report: &mut RankReport, _: Option<&RankComparison>) {
    remove_idle(report, report.waits.compile_us);
    report.waits.compile_us = Micros::default();
    report.marks.later_steps_compiling = 0;
}
