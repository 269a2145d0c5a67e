//! Products and convolutions run on the plain cores although there are tensor cores.

use maat_base::{Arg, Severity};

use super::{Case, Cause, Rule, minus, percent};
use crate::{Micros, RankComparison, RankReport};

pub(super) const RULE: Rule = Rule {
    code: "tensor-cores-unused",
    severity: Severity::Warning,
    source: "tensorboard-plugin",
    find,
    remove,
};

fn find(case: &Case<'_>) -> Option<Cause> {
    let (report, limits) = (case.report, case.limits);
    let cores = &report.tensor_cores;
    let capability = cores.capability?;
    let used = cores.used_share?;
    if (capability as f64) < limits.tensor_capability
        || cores.eligible_share < limits.tensor_eligible_share
        || used > limits.tensor_used_low
    {
        return None;
    }
    let share = cores.eligible_share * case.share(report.split?.compute_us);
    let dominates = cores.eligible_share >= 2.0 * limits.tensor_eligible_share;
    let mut found = Cause::new("trace-tensor", "trace-tensor-fix", share)
        .with("eligible", Arg::Share(cores.eligible_share))
        .signal("tensor_cores.used_share", percent(used), true)
        .signal("tensor_cores.eligible_share", percent(cores.eligible_share), dominates)
        .signal("tensor_cores.capability", capability.to_string(), false)
        .refuted_by("trace-tensor-refuted");
    found.likely = Some(share * limits.tensor_kernel_gain);
    Some(found)
}

fn remove(report: &mut RankReport, _: Option<&RankComparison>) {
    let gain = case_gain(report);
    report.tensor_cores.used_share = Some(1.0);
    if let Some(split) = &mut report.split {
        let gone = Micros::from_ns((split.compute_us.ns() as f64 * gain) as i64);
        split.compute_us = minus(split.compute_us, gone);
        split.span_us = minus(split.span_us, gone);
    }
}

/// The likely gain as a share of computing.
fn case_gain(report: &RankReport) -> f64 {
    report.tensor_cores.eligible_share * crate::thresholds().tensor_kernel_gain.min(1.0)
}
