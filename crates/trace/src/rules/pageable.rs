//! Batches are copied from memory that is not pinned.

use maat_base::Severity;

use super::{Case, Cause, Rule, minus, remove_idle, time_and_share};
use crate::{Micros, RankComparison, RankReport};

pub(super) const RULE: Rule =
    Rule { code: "h2d-pageable", severity: Severity::Warning, source: "pytorch-pinned", find, remove };

/// Exposed copying that is from pageable memory, and the preparing of it.
fn gain(report: &RankReport) -> (Micros, Micros) {
    let pageable = report.numbers.h2d_pageable_us.unwrap_or_default();
    let exposed = report.split.map(|split| split.exposed_memcpy_us).unwrap_or_default().min(pageable);
    (exposed, report.waits.staging_us)
}

fn find(case: &Case<'_>) -> Option<Cause> {
    let (report, limits) = (case.report, case.limits);
    let pageable = report.numbers.h2d_pageable_us?;
    let (exposed, staging) = gain(report);
    let share = case.share(exposed) + case.share(staging);
    if case.share(pageable) < limits.pageable_share || share < limits.pageable_share {
        return None;
    }
    let blocks = case.share(staging) >= limits.pageable_share;
    Some(
        Cause::new("trace-pageable", "trace-pageable-fix", share)
            .signal("h2d_pageable_us", time_and_share(report, pageable), true)
            .signal("waits.staging_us", time_and_share(report, staging), blocks)
            .refuted_by("trace-pageable-refuted"),
    )
}

fn remove(report: &mut RankReport, _: Option<&RankComparison>) {
    let (exposed, staging) = gain(report);
    remove_idle(report, staging);
    report.waits.staging_us = Micros::default();
    report.numbers.h2d_pageable_us = Some(Micros::default());
    if let Some(split) = &mut report.split {
        split.exposed_memcpy_us = minus(split.exposed_memcpy_us, exposed);
        split.span_us = minus(split.span_us, exposed);
    }
}
