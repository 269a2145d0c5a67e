//! The step waits for the next batch.

use maat_base::Severity;

use super::{Case, Cause, Rule, percent, remove_idle, time_and_share};
use crate::{Micros, RankComparison, RankReport};

pub(super) const RULE: Rule = Rule {
    code: "data-loader-wait",
    severity: Severity::Warning,
    source: "tensorboard-plugin",
    find,
    remove,
};

fn find(case: &Case<'_>) -> Option<Cause> {
    let (report, limits) = (case.report, case.limits);
    let idle = case.share(report.waits.loader_us);
    let of_steps = report.numbers.dataloader_share_of_steps.unwrap_or(0.0);
    let in_steps = of_steps > limits.loader_share;
    if idle < limits.waiting_share {
        return None;
    }
    Some(
        Cause::new("trace-loader", "trace-loader-fix", idle)
            .signal("dataloader_share_of_steps", percent(of_steps), in_steps)
            .signal("waits.loader_us", time_and_share(report, report.waits.loader_us), true)
            .refuted_by("trace-loader-refuted"),
    )
}

fn remove(report: &mut RankReport, _: Option<&RankComparison>) {
    remove_idle(report, report.waits.loader_us);
    report.waits.loader_us = Micros::default();
    report.numbers.dataloader_share_of_steps = Some(0.0);
}
