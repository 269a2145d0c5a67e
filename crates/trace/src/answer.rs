//! The answer on traces, as `diagnose` gives it.

use maat_base::{Answer, Text};
use serde::Serialize;

use crate::{Judgement, Lack, RankComparison, RankReport, Ranked, TraceReport, judge};

/// What the answer holds beside verdict and findings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TraceBody {
    /// The first rank, or the only trace.
    pub trace: Option<RankReport>,
    /// The other ranks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ranks: Vec<RankReport>,
    /// The ranks beside each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<RankComparison>,
    /// The ranking that the findings follow.
    pub ranking: Vec<Ranked>,
    /// The ranking that would hold if the first cause were gone.
    pub after_first: Vec<Ranked>,
    /// Why nothing can be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lack: Option<Lack>,
    /// What to record, when there is not enough data.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ask: Vec<Text>,
}

impl TraceBody {
    /// The body of a report and what was judged of it.
    pub fn new(report: TraceReport, judgement: Judgement) -> Self {
        let mut ranks = report.ranks;
        let others = ranks.split_off(ranks.len().min(1));
        Self {
            trace: ranks.pop(),
            ranks: others,
            comparison: report.comparison,
            ranking: judgement.ranking,
            after_first: judgement.after_first,
            lack: judgement.lack,
            ask: judgement.ask,
        }
    }
}

/// Judges a report and wraps it up.
pub fn answer(report: TraceReport) -> Answer<TraceBody> {
    let mut judgement = judge(&report);
    let findings = std::mem::take(&mut judgement.findings);
    let verdict = judgement.verdict.clone();
    let mut answer = Answer::new("diagnose", verdict, TraceBody::new(report, judgement));
    answer.findings = findings;
    answer
}
