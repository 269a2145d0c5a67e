//! What traces add: findings of their own, and how long the loader was waited for.

use std::io::Read;

use maat_base::{Evidence, Fault, Finding};
use maat_trace::{Judgement, RankReport, TraceDiff, TraceReport};

use crate::facts::limit;
use crate::found::Found;
use crate::rules;
use crate::show::percent;

/// Traces, measured and judged.
pub struct Traces {
    /// The numbers.
    pub report: TraceReport,
    /// What they say.
    pub judgement: Judgement,
    /// Findings, ranked.
    pub findings: Vec<Finding>,
    /// What changed since an earlier trace.
    pub diff: Option<TraceDiff>,
}

/// Traces by name.
pub type Named = Vec<(String, Box<dyn Read>)>;

/// Reads traces, and earlier ones to compare them with; nothing when there are none.
pub fn read(inputs: Named, before: Named, redact: bool) -> Result<Option<Traces>, Fault> {
    if inputs.is_empty() {
        return Ok(None);
    }
    let list = |named: Named| {
        named.into_iter().map(|(label, reader)| maat_trace::Input { label, reader }).collect::<Vec<_>>()
    };
    let options = maat_trace::Options { redact, ..Default::default() };
    let (earlier, report) = maat_trace::analyse_both(list(before), list(inputs), &options)?;
    let diff = pair(&earlier, &report).map(|(before, after)| maat_trace::compare(before, after));
    let mut judgement = maat_trace::judge(&report);
    let findings = std::mem::take(&mut judgement.findings);
    Ok(Some(Traces { report, judgement, findings, diff }))
}

/// The same rank of both jobs: the first that both have, else the first of each.
fn pair<'a>(before: &'a TraceReport, after: &'a TraceReport) -> Option<(&'a RankReport, &'a RankReport)> {
    let same = after.ranks.iter().filter(|rank| rank.rank.is_some()).find_map(|rank| {
        before.ranks.iter().find(|earlier| earlier.rank == rank.rank).map(|earlier| (earlier, rank))
    });
    same.or_else(|| before.ranks.first().zip(after.ranks.first()))
}

impl Traces {
    /// How long the loader was waited for, as evidence, where it is long enough to matter.
    fn loader(&self) -> Option<Evidence> {
        self.report
            .ranks
            .iter()
            .filter_map(|rank| Some((rank.numbers.dataloader_share_of_steps?, rank)))
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .filter(|(share, _)| *share >= limit("loader_share"))
            .map(|(share, rank)| Evidence {
                what: "dataloader_share_of_steps".to_owned(),
                value: percent(share),
                place: rank.label.clone(),
            })
    }

    /// Adds the loader's share to the causes that explain it; without another cause, and where the trace itself could
    /// not be judged, it is a finding.
    pub fn explain(&self, found: &mut Vec<Found>) {
        let Some(evidence) = self.loader() else { return };
        // Where the accelerator was seen, the trace itself tells whether it waited: a loader may well be busy behind it.
        let seen = self.report.ranks.iter().any(|rank| rank.numbers.device_kernels > 0);
        let judged = self.findings.iter().any(|finding| finding.code == "data-loader-wait");
        if seen && !judged {
            return;
        }
        for code in rules::LOADER_CAUSES {
            if let Some(found) = found.iter_mut().find(|found| found.code == code) {
                found.prove("trace", evidence.clone());
                // The loader is measured: what was only information before is its cause.
                found.severity = None;
                found.variant = None;
            }
        }
        if !judged {
            let mut new = Found::new("data-loader-wait", "");
            new.prove("trace", evidence);
            // The loader's share of the step is measured, not inferred.
            new.decide();
            match found.iter_mut().find(|found| found.code == new.code) {
                Some(own) => own.absorb(new),
                None => found.push(new),
            }
        }
    }
}
