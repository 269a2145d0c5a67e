//! What holds the work back. One rule is one file and one line in [`RULES`].
//!
//! A rule looks at a measured trace and says which share of the time goes to its cause, on which signals that rests and
//! what speaks against it. It never sees the trace itself.

mod allocator;
mod checkpoint;
mod communication;
mod launch;
mod loader;
mod memory;
mod pageable;
mod pipeline;
mod recompiles;
mod straggler;
mod sync;
mod tensor;
mod warmup;

use maat_base::{Arg, Severity, Text};

use crate::tables::{Thresholds, thresholds};
use crate::{Micros, RankComparison, RankReport};

/// One rule.
pub(crate) struct Rule {
    /// Code of the finding.
    pub code: &'static str,
    pub severity: Severity,
    /// Where the rule comes from.
    pub source: &'static str,
    pub find: fn(&Case<'_>) -> Option<Cause>,
    /// Takes the cause's time out of a report, to see what would be next.
    pub remove: fn(&mut RankReport, Option<&RankComparison>),
}

/// Every rule.
#[rustfmt::skip] // one a line, so that additions do not collide
pub(crate) const RULES: &[Rule] = &[
    loader::RULE,
    sync::RULE,
    launch::RULE,
    pageable::RULE,
    communication::RULE,
    straggler::RULE,
    pipeline::RULE,
    recompiles::RULE,
    checkpoint::RULE,
    allocator::RULE,
    tensor::RULE,
    memory::RULE,
    warmup::RULE,
];

/// What a rule looks at.
pub(crate) struct Case<'a> {
    pub report: &'a RankReport,
    pub comparison: Option<&'a RankComparison>,
    pub limits: &'static Thresholds,
}

impl<'a> Case<'a> {
    pub(crate) fn new(report: &'a RankReport, comparison: Option<&'a RankComparison>) -> Self {
        Self { report, comparison, limits: thresholds() }
    }

    /// A time over the span.
    fn share(&self, time: Micros) -> f64 {
        self.report.share(time)
    }
}

/// One observation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Signal {
    /// The field of the answer that shows it.
    pub field: &'static str,
    pub value: String,
    /// Whether it speaks for the cause, and is not only a figure to know.
    pub counts: bool,
}

/// What a rule found.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cause {
    /// The share of the time that goes away at most, 0 to 1; `None` where no bound can be given.
    pub at_most: Option<f64>,
    /// What is likely, where that is less than the bound.
    pub likely: Option<f64>,
    pub signals: Vec<Signal>,
    /// Observations against it.
    pub against: u32,
    pub message: Text,
    pub fix: Text,
    pub refuted_by: Vec<Text>,
}

impl Cause {
    /// A cause with its message, whose arguments `share` and `span` every rule's message may use.
    fn new(message: &'static str, fix: &'static str, share: f64) -> Self {
        Self {
            at_most: Some(share.clamp(0.0, 1.0)),
            likely: None,
            signals: Vec::new(),
            against: 0,
            message: Text::new(message).with("share", Arg::Share(share)),
            fix: Text::new(fix),
            refuted_by: Vec::new(),
        }
    }

    /// Adds an argument to the message.
    fn with(mut self, name: &'static str, arg: impl Into<Arg>) -> Self {
        self.message = self.message.with(name, arg);
        self
    }

    /// Adds an observation; it counts as a signal when `counts` is true.
    fn signal(mut self, field: &'static str, value: impl Into<String>, counts: bool) -> Self {
        self.signals.push(Signal { field, value: value.into(), counts });
        self
    }

    /// Notes that something speaks against it.
    fn against(mut self, speaks: bool) -> Self {
        self.against += u32::from(speaks);
        self
    }

    /// Says what would refute it.
    fn refuted_by(mut self, message: &'static str) -> Self {
        self.refuted_by.push(Text::new(message));
        self
    }

    /// How many signals speak for it.
    pub(crate) fn supports(&self) -> u32 {
        u32::try_from(self.signals.iter().filter(|signal| signal.counts).count()).unwrap_or(u32::MAX)
    }
}

/// `12.5 us (3.2 %)`: a time and its share of the span.
fn time_and_share(report: &RankReport, time: Micros) -> String {
    format!("{} us ({:.1} %)", time.us(), 100.0 * report.share(time))
}

/// `12.5 %`.
fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A median or mean that may be missing.
fn or_dash(value: Option<impl std::fmt::Display>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

/// Takes idle time of one cause out of a report.
fn remove_idle(report: &mut RankReport, time: Micros) {
    if let Some(split) = &mut report.split {
        split.idle_us = minus(split.idle_us, time);
        split.span_us = minus(split.span_us, time);
    }
}

fn minus(whole: Micros, part: Micros) -> Micros {
    Micros::from_ns((whole.ns() - part.ns()).max(0))
}
