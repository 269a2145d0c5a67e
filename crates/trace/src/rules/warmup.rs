//! The first step is slow, as first steps are.

use maat_base::{Arg, Severity};

use super::{Case, Cause, Rule, remove_idle, time_and_share};
use crate::measure::median_of;
use crate::{Micros, RankComparison, RankReport};

pub(super) const RULE: Rule =
    Rule { code: "warmup-jit", severity: Severity::Info, source: "pytorch-compile", find, remove };

/// The first step over the median of the others.
fn first_over_others(report: &RankReport) -> Option<f64> {
    let (first, others) = report.step_list.split_first()?;
    let median = median_of(others.iter().map(|step| step.split.span_us.ns()).collect())?;
    (median > 0).then(|| first.split.span_us.ns() as f64 / median as f64)
}

/// Idle while code was compiled or loaded, and while the first step alone allocated memory.
fn preparing(report: &RankReport) -> Micros {
    let allocating = if report.marks.later_steps_allocating == 0 && report.step_list.len() > 1 {
        report.waits.allocation_us
    } else {
        Micros::default()
    };
    let parts = [report.waits.compile_us, report.waits.module_us, allocating];
    Micros::from_ns(parts.iter().fold(0, |sum, part| sum.saturating_add(part.ns())))
}

fn find(case: &Case<'_>) -> Option<Cause> {
    let (report, limits) = (case.report, case.limits);
    let slow_first = first_over_others(report).filter(|factor| *factor >= limits.warmup_factor);
    let preparing = preparing(report);
    let prepares = case.share(preparing) >= limits.waiting_share && report.marks.later_steps_compiling == 0;
    if slow_first.is_none() && !prepares {
        return None;
    }
    let excess = slow_first.and_then(|factor| {
        let first = report.step_list.first()?.split.span_us;
        Some(case.share(first) * (1.0 - 1.0 / factor))
    });
    let share = excess.unwrap_or_else(|| case.share(preparing));
    let times = slow_first.map_or_else(|| "-".to_owned(), |factor| format!("{factor:.2}"));
    let mut found = Cause::new("trace-warmup", "trace-warmup-fix", share)
        .with("preparing", Arg::Share(case.share(preparing)))
        .signal("step_list[0] / median of the others", times, slow_first.is_some())
        .signal("waits.compile_us + waits.module_us", time_and_share(report, preparing), prepares)
        .refuted_by("trace-warmup-refuted");
    found.at_most = Some(share.clamp(0.0, 1.0));
    Some(found)
}

fn remove(report: &mut RankReport, _: Option<&RankComparison>) {
    remove_idle(report, preparing(report));
    report.waits.compile_us = Micros::default();
    report.waits.module_us = Micros::default();
    report.step_list.truncate(0);
}
