//! Stages of a pipeline wait for each other.

use maat_base::Severity;

use super::{Case, Cause, Rule, minus, percent, remove_idle, time_and_share};
use crate::{Collective, Micros, RankComparison, RankReport};

pub(super) const RULE: Rule =
    Rule { code: "pipeline-bubble", severity: Severity::Info, source: "megatron", find, remove };

/// Exposed communication of sends and receives: a receive that waits looks like communication. All-to-all is made of
/// the same kernels, so that this is nothing unless the host says that it sends to a single rank.
pub(super) fn exposed(report: &RankReport) -> Micros {
    let share = report
        .collectives
        .iter()
        .find(|row| row.kind == Collective::SendReceive)
        .map_or(0.0, |row| row.share);
    let exposed = report.split.map(|split| split.exposed_comm_us).unwrap_or_default();
    if report.marks.point_to_point {
        Micros::from_ns((exposed.ns() as f64 * share) as i64)
    } else {
        Micros::default()
    }
}

/// Idle time in which the host had nothing to do either.
fn idle(report: &RankReport) -> Micros {
    Micros::from_ns(report.waits.queued_us.ns().saturating_add(report.waits.unexplained_us.ns()))
}

fn find(case: &Case<'_>) -> Option<Cause> {
    let (report, limits) = (case.report, case.limits);
    if !report.marks.point_to_point {
        return None;
    }
    let (exposed, idle) = (exposed(report), idle(report));
    let share = case.share(exposed) + case.share(idle);
    if share < limits.bubble_share {
        return None;
    }
    Some(
        Cause::new("trace-pipeline", "trace-pipeline-fix", share)
            .signal("marks.point_to_point", "true", true)
            .signal("exposed_comm_us", time_and_share(report, exposed), exposed > idle)
            .signal("waits.queued_us + waits.unexplained_us", time_and_share(report, idle), idle >= exposed)
            .signal("split.idle_us", percent(case.share(report.split?.idle_us)), false)
            .refuted_by("trace-pipeline-refuted"),
    )
}

fn remove(report: &mut RankReport, _: Option<&RankComparison>) {
    let (exposed, idle) = (exposed(report), idle(report));
    remove_idle(report, idle);
    report.waits.queued_us = Micros::default();
    report.waits.unexplained_us = Micros::default();
    if let Some(split) = &mut report.split {
        split.exposed_comm_us = minus(split.exposed_comm_us, exposed);
        split.span_us = minus(split.span_us, exposed);
    }
}
