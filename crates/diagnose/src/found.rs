//! A cause with its proofs.

use maat_base::{Evidence, Finding, Gain, Severity, Text};
use maat_readings::monitor::{Event, Observation, Signal};
use serde::Serialize;

use crate::facts;
use crate::show::show;
use crate::view::Series;

/// How sure a cause is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Confidence {
    /// One signal; the measurement that would settle it is asked for.
    Likely,
    /// At least two independent signals.
    High,
}

/// A cause under judgement: what kind of signal says so, and where.
#[derive(Clone, Debug)]
pub struct Found {
    /// The class.
    pub code: &'static str,
    /// What it is about.
    pub subject: String,
    /// Its severity, where it is not that of the class.
    pub severity: Option<Severity>,
    /// The share of the time that the fix can gain at most.
    pub gain: Option<f64>,
    /// A milder form of the class, with sentences of its own.
    pub variant: Option<&'static str>,
    /// What data would settle it, when it is not yet sure.
    pub asks: Vec<&'static str>,
    /// Whether it follows from what belongs to no single machine.
    pub of_all: bool,
    proofs: Vec<(&'static str, Evidence)>,
    /// Whether one signal is enough: a log line that says so itself.
    decisive: bool,
    /// Whether several signals are not enough, since none tells this cause from another.
    doubtful: bool,
}

impl Found {
    /// A cause without proof yet.
    pub fn new(code: &'static str, subject: impl Into<String>) -> Self {
        Self {
            code,
            subject: subject.into(),
            severity: None,
            gain: None,
            variant: None,
            asks: Vec::new(),
            of_all: true,
            proofs: Vec::new(),
            decisive: false,
            doubtful: false,
        }
    }

    /// Adds evidence; `group` says which kind of signal it is: only different kinds are independent.
    pub fn prove(&mut self, group: &'static str, evidence: Evidence) {
        let count = self.proofs.iter().filter(|(own, _)| *own == group).count();
        if count < 4 && !self.proofs.iter().any(|(_, own)| *own == evidence) {
            self.proofs.push((group, evidence));
        }
    }

    /// Adds the middle of a series as evidence.
    pub fn series(&mut self, group: &'static str, series: &Series<'_>) {
        self.prove(group, series.evidence());
    }

    /// Adds a value of a row as evidence.
    pub fn value(&mut self, group: &'static str, row: &Observation, signal: Signal) {
        if let Some(value) = row.get(signal) {
            let what = if row.name.is_empty() {
                signal.name().to_owned()
            } else {
                format!("{}.{}", row.name, signal.name())
            };
            self.prove(group, Evidence { what, value: show(signal, value), place: row.place.to_string() });
        }
    }

    /// Adds a line of a log as evidence.
    pub fn event(&mut self, group: &'static str, event: &Event) {
        let value = event.text.clone();
        self.prove(group, Evidence { what: event.kind.to_string(), value, place: event.place.to_string() });
    }

    /// Says that one signal settles it.
    pub fn decide(&mut self) {
        self.decisive = true;
    }

    /// Says that the signals cannot tell it from another cause.
    pub fn doubt(&mut self) {
        self.doubtful = true;
    }

    /// Whether anything proves it.
    pub fn has(&self, group: &str) -> bool {
        self.proofs.iter().any(|(own, _)| *own == group)
    }

    /// The number of independent signals.
    pub fn signals(&self) -> usize {
        let mut groups: Vec<&str> = self.proofs.iter().map(|(group, _)| *group).collect();
        groups.sort_unstable();
        groups.dedup();
        groups.len()
    }

    /// How sure it is.
    pub fn confidence(&self) -> Confidence {
        let enough = self.signals() as f64 >= facts::limit("two_signals");
        if (enough || self.decisive) && !self.doubtful { Confidence::High } else { Confidence::Likely }
    }

    /// Its severity.
    pub fn severity(&self) -> Severity {
        self.severity
            .or_else(|| facts::class(self.code).map(|class| class.severity))
            .unwrap_or(Severity::Warning)
    }

    /// When it is judged; what is only likely comes later.
    pub fn rank(&self) -> u32 {
        let class = facts::class(self.code);
        let stage = class.map_or(98, |class| class.stage);
        // What matters less than its class usually does comes after what is as it is.
        let milder =
            class.is_some_and(|class| self.severity() < class.severity && self.severity() == Severity::Info);
        let stage = if milder { stage + 50 } else { stage };
        stage * 2 + if self.confidence() == Confidence::High { 0 } else { 60 }
    }

    /// Adds the evidence of another of the same class.
    pub fn absorb(&mut self, other: Self) {
        for (group, evidence) in other.proofs {
            self.prove(group, evidence);
        }
        self.gain = match (self.gain, other.gain) {
            (Some(a), Some(b)) => Some(a.max(b)),
            (a, b) => a.or(b),
        };
        self.severity = match (self.severity, other.severity) {
            (Some(a), Some(b)) => Some(a.max(b)),
            _ => None,
        };
        self.variant = self.variant.and(other.variant);
        self.decisive |= other.decisive;
        self.doubtful &= other.doubtful;
        if self.subject != other.subject && self.subject.len() < 60 && !other.subject.is_empty() {
            self.subject = format!("{}, {}", self.subject, other.subject);
        }
    }

    /// What it says; what is not sure says so.
    pub fn sentence(&self) -> Text {
        let sentence = match self.variant {
            Some(variant) => Text::named(format!("diagnose-{variant}")),
            None => Text::named(format!("finding-{}", self.code)),
        };
        match self.confidence() {
            Confidence::High => sentence,
            Confidence::Likely => Text::new("diagnose-likely").with("sentence", sentence),
        }
    }

    /// The finding.
    pub fn finding(self, vendor: facts::Vendor) -> Finding {
        let severity = self.severity();
        let sentence = self.sentence();
        let code = self.code;
        let mut finding = Finding::new(code, severity, self.subject);
        finding.message = sentence;
        finding.evidence = varied(self.proofs);
        finding.refuted_by = vec![Text::named(format!("refuted-{code}"))];
        finding.fix = Some(match self.variant {
            Some(variant) => Text::named(format!("diagnose-fix-{variant}")),
            None => Text::named(format!("fix-{code}")),
        });
        finding.commands = facts::commands(code, vendor);
        finding.gain = self.gain.filter(|gain| *gain > 0.0).map(|at_most| Gain { at_most: at_most.min(1.0) });
        finding.source = facts::class(code).map(|class| class.source.clone());
        finding
    }
}

/// Evidence such that each kind of signal comes once before any comes twice: a page shows the first few.
fn varied(proofs: Vec<(&'static str, Evidence)>) -> Vec<Evidence> {
    let mut ranked: Vec<(usize, Evidence)> = Vec::with_capacity(proofs.len());
    let mut seen: Vec<&'static str> = Vec::new();
    for (group, evidence) in proofs {
        ranked.push((seen.iter().filter(|own| **own == group).count(), evidence));
        seen.push(group);
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, evidence)| evidence).collect()
}
