//! Training stands still while a checkpoint is written or the model is evaluated.

use maat_base::Severity;

use super::{Case, Cause, Rule, remove_idle, time_and_share};
use crate::{Micros, RankComparison, RankReport};

pub(super) const RULE: Rule = Rule {
    code: "checkpoint-eval-stall",
    severity: Severity::Warning,
    source: "pytorch-checkpoint",
    find,
    remove,
};

/// What the host says it spent on it.
fn named(report: &RankReport) -> Micros {
    Micros::from_ns(report.waits.checkpoint_us.ns().saturating_add(report.waits.evaluation_us.ns()))
}

fn find(case: &Case<'_>) -> Option<Cause> {
    let (report, limits) = (case.report, case.limits);
    let named = named(report);
    let beside = report.marks.gaps_beside_d2h_us;
    let copies = report.numbers.d2h_us.unwrap_or_default();
    // Without a name only large copies to the host can speak for a checkpoint; reading a value back is small.
    let bulk = copies.share_of(beside) >= limits.checkpoint_copy_share && beside.ns() > 0;
    let share =
        if case.share(named) >= limits.checkpoint_share { case.share(named) } else { case.share(beside) };
    let told = case.share(named) >= limits.checkpoint_share;
    if share < limits.checkpoint_share || !(told || bulk) {
        return None;
    }
    Some(
        Cause::new("trace-checkpoint", "trace-checkpoint-fix", share)
            .signal("waits.checkpoint_us + waits.evaluation_us", time_and_share(report, named), told)
            .signal("marks.gaps_beside_d2h_us", time_and_share(report, beside), bulk)
            .signal("d2h_us", time_and_share(report, copies), false)
            .refuted_by("trace-checkpoint-refuted"),
    )
}

fn remove(report: &mut RankReport, _: Option<&RankComparison>) {
    let named = named(report);
    let gone = if named.ns() > 0 { named } else { report.marks.gaps_beside_d2h_us };
    remove_idle(report, gone);
    report.waits.checkpoint_us = Micros::default();
    report.waits.evaluation_us = Micros::default();
    report.marks.gaps_beside_d2h_us = Micros::default();
}
