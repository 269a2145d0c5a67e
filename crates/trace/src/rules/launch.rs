//! The host cannot launch as fast as the accelerator works.

use maat_base::{Arg, Severity};

use super::{Case, Cause, Rule, or_dash, percent, remove_idle, time_and_share};
use crate::{Micros, RankComparison, RankReport};

pub(super) const RULE: Rule =
    Rule { code: "launch-bound", severity: Severity::Warning, source: "hta", find, remove };

fn find(case: &Case<'_>) -> Option<Cause> {
    let (report, limits) = (case.report, case.limits);
    let idle = case.share(report.waits.launch_us);
    let launches = &report.launches;
    let median = launches.kernel_median_us?;
    if idle < limits.launch_share || median.us() > limits.long_kernel_us {
        return None;
    }
    let short = median.us() < limits.short_kernel_us;
    let dry = launches.queue_median.is_some_and(|queue| queue <= limits.queue_short);
    let kernels = report.numbers.device_kernels.max(1);
    let short_share = report.numbers.short_kernels_lt_10us as f64 / kernels as f64;
    let mut found = Cause::new("trace-launch", "trace-launch-fix", idle)
        .with("median", Arg::Seconds(median.seconds()))
        .signal("waits.launch_us", time_and_share(report, report.waits.launch_us), true)
        .signal("launches.kernel_median_us", median.us().to_string(), short)
        .signal("short_kernels_lt_10us", percent(short_share), false)
        .signal("launches.queue_median", or_dash(launches.queue_median), dry)
        .against(!dry && launches.queue_median.is_some())
        .refuted_by("trace-launch-refuted");
    if report.marks.python_functions > 0 {
        found = found.refuted_by("trace-launch-stacks");
    }
    Some(found)
}

fn remove(report: &mut RankReport, _: Option<&RankComparison>) {
    remove_idle(report, report.waits.launch_us);
    report.waits.launch_us = Micros::default();
}
