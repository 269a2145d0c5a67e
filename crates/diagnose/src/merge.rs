//! Findings of samples and of traces in one order.

use maat_base::{Finding, Severity};

use crate::answer::Cause;
use crate::facts::{self, Vendor};
use crate::found::{Confidence, Found};
use crate::traces::Traces;

/// A finding with how sure it is and where it belongs.
struct Placed {
    finding: Finding,
    cause: Cause,
    /// Whether it only informs, then its rank.
    order: (bool, u32),
}

/// Orders all findings. Those of a trace keep their order among each other, by what can be gained; they come after
/// faults, missing capacity and the cause of a slow loader, and before what only hints.
pub fn merge(found: Vec<Found>, traces: Option<&Traces>, vendor: Vendor) -> (Vec<Finding>, Vec<Cause>) {
    let mut placed: Vec<Placed> = found.into_iter().map(|found| of_samples(found, vendor)).collect();
    let loader =
        traces.is_some_and(|traces| traces.findings.iter().any(|finding| finding.code == "data-loader-wait"));
    if let Some(traces) = traces {
        let floor = facts::class("data-loader-wait").map_or(94, |class| class.stage * 2);
        if !traces.findings.is_empty() && !loader {
            // A trace that shows other causes speaks against the loader's.
            for own in
                placed.iter_mut().filter(|own| crate::rules::LOADER_CAUSES.contains(&&*own.finding.code))
            {
                own.order.1 += floor;
            }
        }
        for (at, finding) in traces.findings.iter().enumerate() {
            of_trace(&mut placed, finding, traces, floor, at);
        }
    }
    placed.sort_by_key(|own| own.order);
    placed.into_iter().map(|own| (own.finding, own.cause)).unzip()
}

fn of_samples(found: Found, vendor: Vendor) -> Placed {
    let order = (found.severity() == Severity::Info, found.rank());
    let cause =
        Cause { code: found.code.to_owned(), confidence: found.confidence(), signals: found.signals() };
    Placed { finding: found.finding(vendor), cause, order }
}

fn of_trace(placed: &mut Vec<Placed>, finding: &Finding, traces: &Traces, floor: u32, at: usize) {
    let ranked = traces.judgement.ranking.iter().find(|ranked| finding.code == ranked.code);
    let confidence = match ranked.map(|ranked| ranked.confidence) {
        Some(maat_trace::Confidence::High) => Confidence::High,
        _ => Confidence::Likely,
    };
    let signals = ranked.map_or(1, |ranked| ranked.signals as usize);
    let order = (finding.severity == Severity::Info, floor + u32::try_from(at).unwrap_or(u32::MAX).min(1000));
    if let Some(own) = placed.iter_mut().find(|own| own.finding.code == finding.code) {
        // The trace measured what the samples only show; both prove it.
        let mut both = finding.clone();
        both.evidence.extend(own.finding.evidence.iter().cloned());
        own.finding = both;
        own.cause.confidence = own.cause.confidence.max(confidence);
        own.cause.signals += signals;
        own.order = own.order.min(order);
        return;
    }
    let cause = Cause { code: finding.code.to_string(), confidence, signals };
    placed.push(Placed { finding: finding.clone(), cause, order });
}
