//! The host waits for the accelerator, and then the accelerator for the host.

use maat_base::Severity;

use super::{Case, Cause, Rule, or_dash, remove_idle, time_and_share};
use crate::{Micros, RankComparison, RankReport};

pub(super) const RULE: Rule =
    Rule { code: "host-device-sync", severity: Severity::Warning, source: "pytorch-tuning", find, remove };

fn find(case: &Case<'_>) -> Option<Cause> {
    let (report, limits) = (case.report, case.limits);
    let idle = case.share(report.waits.sync_us);
    if idle < limits.sync_share {
        return None;
    }
    let marks = &report.marks;
    let reads = marks.value_reads > 0 && marks.value_reads.saturating_mul(2) >= marks.gaps_after_sync;
    let dry = report.launches.queue_median.is_some_and(|median| median <= limits.queue_short);
    Some(
        Cause::new("trace-sync", "trace-sync-fix", idle)
            .with("gaps", marks.gaps_after_sync)
            .signal("waits.sync_us", time_and_share(report, report.waits.sync_us), true)
            .signal("marks.gaps_after_sync", marks.gaps_after_sync.to_string(), false)
            .signal("marks.value_reads", marks.value_reads.to_string(), reads)
            .signal("launches.queue_median", or_dash(report.launches.queue_median), dry)
            .refuted_by("trace-sync-refuted"),
    )
}

fn remove(report: &mut RankReport, _: Option<&RankComparison>) {
    remove_idle(report, report.waits.sync_us);
    report.waits.sync_us = Micros::default();
}
