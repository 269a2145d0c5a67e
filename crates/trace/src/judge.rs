//! From numbers to a verdict: causes ranked, ranked again without the first, or what is missing to say anything.

use maat_base::{Arg, Finding, Gain, Severity, Text, Verdict};
use serde::Serialize;

use crate::rules::{Case, Cause, RULES, Rule};
use crate::tables::{FixKind, fixes, thresholds};
use crate::{RankReport, TraceReport};

/// How sure a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// Something speaks against it.
    Low,
    /// One signal.
    Medium,
    /// Two independent signals or more, and nothing against it.
    High,
}

impl Confidence {
    fn of(cause: &Cause) -> Self {
        match (cause.supports(), cause.against) {
            (2.., 0) => Self::High,
            (_, 0) => Self::Medium,
            _ => Self::Low,
        }
    }

    /// What a share counts in the ranking.
    const fn weight(self) -> f64 {
        match self {
            Self::Low => 0.5,
            Self::Medium => 0.75,
            Self::High => 1.0,
        }
    }

    const fn message(self) -> &'static str {
        match self {
            Self::Low => "trace-confidence-low",
            Self::Medium => "trace-confidence-medium",
            Self::High => "trace-confidence-high",
        }
    }
}

/// A place in the ranking.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ranked {
    /// Code of the finding.
    pub code: &'static str,
    /// The share of the time that goes away at most; `None` where no bound can be given.
    pub at_most: Option<f64>,
    /// How sure it is.
    pub confidence: Confidence,
    /// Signals that speak for it.
    pub signals: u32,
    /// Signals that speak against it.
    pub against: u32,
}

/// Why a trace says nothing on what to improve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lack {
    /// Only the host was recorded.
    NoAccelerator,
    /// Work of an accelerator that is not divided into kernels.
    OtherAccelerator,
    /// So few or so alike kernels that it is a microbenchmark.
    Microbenchmark,
    /// The accelerator did next to nothing.
    NoLoad,
    /// One gap is most of the time.
    SingleGap,
    /// The accelerator stood still, and the trace does not show why.
    Unexplained,
}

/// The judgement on a job.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judgement {
    /// The verdict: the first finding's, `healthy`, or `not-enough-data`.
    pub verdict: Verdict,
    /// The findings, ranked.
    #[serde(skip)]
    pub findings: Vec<Finding>,
    /// The ranking that the findings follow.
    pub ranking: Vec<Ranked>,
    /// The ranking that would hold if the first cause were gone.
    pub after_first: Vec<Ranked>,
    /// What is missing, when the verdict is `not-enough-data`.
    pub lack: Option<Lack>,
    /// What to record, when the verdict is `not-enough-data`.
    pub ask: Vec<Text>,
}

struct Found<'a> {
    rule: &'static Rule,
    cause: Cause,
    report: &'a RankReport,
}

impl Found<'_> {
    fn score(&self) -> f64 {
        let gain = self.cause.likely.or(self.cause.at_most).unwrap_or(0.0);
        gain * Confidence::of(&self.cause).weight()
    }

    fn ranked(&self) -> Ranked {
        Ranked {
            code: self.rule.code,
            at_most: self.cause.at_most,
            confidence: Confidence::of(&self.cause),
            signals: self.cause.supports(),
            against: self.cause.against,
        }
    }
}

/// What holds the work back, ranked; empty for a healthy trace and for one that says nothing.
pub fn findings(report: &TraceReport) -> Vec<Finding> {
    judge(report).findings
}

/// Judges the traces of a job.
pub fn judge(report: &TraceReport) -> Judgement {
    let found = ranked(report);
    let warns = found.iter().any(|found| found.rule.severity > Severity::Info);
    let lack = report.ranks.iter().map(|rank| lack(rank, warns)).min_by_key(Option::is_some).flatten();
    let mut judgement = match lack {
        Some(lack) => not_enough(report, lack),
        None => caused(report, &found),
    };
    let damaged: Vec<Finding> = report.ranks.iter().filter_map(|rank| incomplete(report, rank)).collect();
    if let Some(first) = damaged.first() {
        judgement.verdict = Verdict { ok: Some(true), code: first.code.clone(), text: first.message.clone() };
        judgement.findings.splice(0..0, damaged);
    }
    judgement
}

/// A trace that is damaged: the numbers hold for what was read of it. Profilers write the work of accelerators last,
/// so that the rest may look idle.
fn incomplete(report: &TraceReport, rank: &RankReport) -> Option<Finding> {
    let damage = rank.damage?;
    let mut finding = Finding::new("trace-incomplete", Severity::Warning, subject(report, rank))
        .with("why", Text::named(format!("fault-{}", damage.code)))
        .with("events", rank.numbers.events)
        .because("damage.byte", damage.byte.to_string(), rank.label.as_str());
    finding.fix = Some(Text::new(damage.hint));
    Some(finding)
}

fn caused(report: &TraceReport, found: &[Found<'_>]) -> Judgement {
    let ranking: Vec<Ranked> = found.iter().map(Found::ranked).collect();
    let after_first = found.first().map(|first| after(report, first.rule)).unwrap_or_default();
    let findings: Vec<Finding> = found.iter().map(|found| finding(report, found)).collect();
    let verdict = verdict(report, &findings, after_first.first());
    Judgement { verdict, findings, ranking, after_first, lack: None, ask: Vec::new() }
}

/// Every cause at its worst rank, warnings before notes, the most that can be gained first.
fn ranked(report: &TraceReport) -> Vec<Found<'_>> {
    let mut found: Vec<Found<'_>> = RULES
        .iter()
        .filter_map(|rule| {
            report
                .ranks
                .iter()
                .filter_map(|rank| {
                    let mut cause = (rule.find)(&Case::new(rank, report.comparison.as_ref()))?;
                    cause.against += u32::from(rank.damage.is_some());
                    Some(Found { rule, cause, report: rank })
                })
                .reduce(|worst, next| if next.score() > worst.score() { next } else { worst })
        })
        .collect();
    found.sort_by(|a, b| b.rule.severity.cmp(&a.rule.severity).then(b.score().total_cmp(&a.score())));
    found
}

/// The ranking without the first cause: its time is taken out of every rank, and all rules look again.
fn after(report: &TraceReport, first: &Rule) -> Vec<Ranked> {
    let mut rest = report.clone();
    for rank in &mut rest.ranks {
        (first.remove)(rank, report.comparison.as_ref());
    }
    if first.code == "straggler-rank" {
        rest.comparison = None;
    }
    ranked(&rest).iter().filter(|found| found.rule.code != first.code).map(Found::ranked).collect()
}

fn finding(report: &TraceReport, found: &Found<'_>) -> Finding {
    let Found { rule, cause, report: rank } = found;
    let mut finding = Finding::new(rule.code, rule.severity, subject(report, rank));
    finding.message = cause.message.clone().with("confidence", Text::new(Confidence::of(cause).message()));
    for signal in &cause.signals {
        finding = finding.because(signal.field, signal.value.as_str(), rank.label.as_str());
    }
    let lines = |kind| fixes(rule.code).filter(move |fix| fix.kind == kind).map(|fix| fix.text.clone());
    let code: Vec<String> = lines(FixKind::Code).collect();
    finding.fix = Some(cause.fix.clone().with("code", code.join("; ")));
    finding.commands = lines(FixKind::Command).collect();
    finding.refuted_by.clone_from(&cause.refuted_by);
    finding.gain = cause.at_most.map(|at_most| Gain { at_most });
    finding.source = Some(rule.source.to_owned());
    finding
}

/// The rank among several, else the input.
fn subject(report: &TraceReport, rank: &RankReport) -> String {
    match rank.rank {
        Some(number) if report.ranks.len() > 1 => format!("rank {number}"),
        _ => rank.label.clone(),
    }
}

fn verdict(report: &TraceReport, findings: &[Finding], second: Option<&Ranked>) -> Verdict {
    let Some(first) = findings.first() else {
        return Verdict { ok: Some(true), code: "healthy".into(), text: healthy(report) };
    };
    let ok = Some(first.severity < Severity::Error);
    let text = match (&first.gain, second.and_then(|second| second.at_most)) {
        (Some(gain), Some(then)) if second.is_some_and(|second| second.code != first.code) => {
            Text::new("trace-verdict-gain-then")
                .with("gain", Arg::Share(gain.at_most))
                .with("then", Arg::Share(then))
                .with("next", Text::named(format!("trace-cause-{}", second.map_or("", |second| second.code))))
        }
        (Some(gain), _) => Text::new("trace-verdict-gain").with("gain", Arg::Share(gain.at_most)),
        (None, _) => Text::new("trace-verdict-plain"),
    };
    Verdict { ok, code: first.code.clone(), text: text.with("finding", first.message.clone()) }
}

fn healthy(report: &TraceReport) -> Text {
    let busy =
        report.ranks.iter().map(|rank| 1.0 - rank.split.map_or(0.0, |split| rank.share(split.idle_us)));
    Text::new("trace-verdict-healthy").with("busy", Arg::Share(busy.fold(1.0, f64::min)))
}

/// Why a trace says nothing; `None` when it says enough.
fn lack(rank: &RankReport, warns: bool) -> Option<Lack> {
    let limits = thresholds();
    let Some(split) = rank.split else {
        let other = rank.marks.other_accelerator_events > 0;
        return Some(if other { Lack::OtherAccelerator } else { Lack::NoAccelerator });
    };
    let busy = 1.0 - rank.share(split.idle_us);
    let unclear = rank.share(rank.waits.queued_us) + rank.share(rank.waits.unexplained_us);
    let few = (rank.numbers.device_kernels as f64) < limits.kernels_at_least
        || (rank.kernel_names as f64) < limits.kernel_names_at_least;
    if few && !rank.launches.is_mostly_graphs() {
        Some(Lack::Microbenchmark)
    } else if unclear >= limits.profile_gap_share
        && rank.share(rank.marks.longest_gap_us) >= limits.profile_gap_share
    {
        Some(Lack::SingleGap)
    } else if busy < limits.busy_at_least && !warns {
        Some(Lack::NoLoad)
    } else if unclear >= limits.idle_notable && !warns {
        Some(Lack::Unexplained)
    } else {
        None
    }
}

fn not_enough(report: &TraceReport, lack: Lack) -> Judgement {
    let kernels = report.ranks.iter().map(|rank| rank.numbers.device_kernels).sum::<u64>();
    let (text, ask) = match lack {
        Lack::NoAccelerator => ("trace-lack-no-accelerator", "trace-ask-accelerator"),
        Lack::OtherAccelerator => ("trace-lack-other-accelerator", "trace-ask-other-accelerator"),
        Lack::Microbenchmark if (kernels as f64) >= thresholds().kernels_at_least => {
            ("trace-lack-alike", "trace-ask-steps")
        }
        Lack::Microbenchmark => ("trace-lack-microbenchmark", "trace-ask-steps"),
        Lack::NoLoad => ("trace-lack-no-load", "trace-ask-steps"),
        Lack::SingleGap => ("trace-lack-single-gap", "trace-ask-steps"),
        Lack::Unexplained => ("trace-lack-unexplained", "trace-ask-stack"),
    };
    let names = report.ranks.iter().map(|rank| rank.kernel_names).max().unwrap_or(0);
    let text = Text::named(text.to_owned()).with("kernels", kernels).with("names", names);
    let other = report
        .ranks
        .iter()
        .map(|rank| rank.marks.other_accelerator_busy_us.share_of(rank.marks.other_accelerator_window_us));
    let text = text.with("busy", Arg::Share(other.fold(0.0, f64::max)));
    Judgement {
        verdict: Verdict { ok: None, code: "not-enough-data".into(), text },
        findings: Vec::new(),
        ranking: Vec::new(),
        after_first: Vec::new(),
        lack: Some(lack),
        ask: vec![Text::named(ask.to_owned())],
    }
}
