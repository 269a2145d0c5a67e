//! The accelerator's memory is the limit: nothing is wrong, but more arithmetic would not help.

use maat_base::{Arg, Severity};

use super::{Case, Cause, Rule, percent};
use crate::{RankComparison, RankReport};

pub(super) const RULE: Rule =
    Rule { code: "memory-bandwidth", severity: Severity::Info, source: "roofline", find, remove };

fn find(case: &Case<'_>) -> Option<Cause> {
    let (report, limits) = (case.report, case.limits);
    let share = report.tensor_cores.memory_bound_share;
    let idle = case.share(report.split?.idle_us);
    if share < limits.memory_family_share || idle > limits.memory_idle_at_most {
        return None;
    }
    let mut found = Cause::new("trace-memory", "trace-memory-fix", share)
        .with("idle", Arg::Share(idle))
        .signal("tensor_cores.memory_bound_share", percent(share), true)
        .signal("split.idle_us", percent(idle), idle <= limits.idle_notable)
        .refuted_by("trace-memory-refuted");
    found.at_most = None;
    Some(found)
}

fn remove(report: &mut RankReport, _: Option<&RankComparison>) {
    report.tensor_cores.memory_bound_share = 0.0;
}
