//! A finding: the one shape of lints, of what the doctor and the diagnosis find, of catalogue faults and of claims.

use std::borrow::Cow;

use serde::Serialize;

use crate::Text;

/// A stable code of a verdict or a finding: fixed in a rule's code, or read from a data row.
pub type Code = Cow<'static, str>;

/// How much a finding matters, least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Good to know; never decides a verdict.
    Info,
    /// Costs something, or will.
    Warning,
    /// Does not work, or is wrong.
    Error,
}

/// Something that was found, with what proves it and what to do about it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Finding {
    /// Stable code, listed in `facts/findings.csv`.
    pub code: Code,
    /// How much it matters.
    pub severity: Severity,
    /// What it is about: a part, a file, a row.
    pub subject: String,
    /// What was found: by convention the message `finding-CODE`.
    pub message: Text,
    /// What proves it.
    pub evidence: Vec<Evidence>,
    /// What would show that it is not so.
    pub refuted_by: Vec<Text>,
    /// What to do: by convention the message `fix-CODE`.
    pub fix: Option<Text>,
    /// Commands to run, ready to copy.
    pub commands: Vec<String>,
    /// What the fix can gain at most.
    pub gain: Option<Gain>,
    /// Tag of the source that states the rule, in `facts/sources.csv`.
    pub source: Option<String>,
}

/// One observation that a finding rests on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evidence {
    /// What was looked at, such as `driver` or `price_date`.
    pub what: String,
    /// What it was.
    pub value: String,
    /// Where it was read: `file:line`, a path, a table and key.
    #[serde(rename = "where")]
    pub place: String,
}

/// The bound of what a fix can gain.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gain {
    /// At most this share of the time (0 to 1) goes away.
    pub at_most: f64,
}

impl Finding {
    /// A finding with the conventional message `finding-CODE` and nothing else.
    pub fn new(code: impl Into<Code>, severity: Severity, subject: impl Into<String>) -> Self {
        let code = code.into();
        Self {
            severity,
            subject: subject.into(),
            message: Text::named(format!("finding-{code}")),
            code,
            evidence: Vec::new(),
            refuted_by: Vec::new(),
            fix: None,
            commands: Vec::new(),
            gain: None,
            source: None,
        }
    }

    /// Adds an argument to the message.
    #[must_use]
    pub fn with(mut self, name: &'static str, arg: impl Into<crate::Arg>) -> Self {
        self.message = self.message.with(name, arg);
        self
    }

    /// Adds an observation.
    #[must_use]
    pub fn because(
        mut self,
        what: impl Into<String>,
        value: impl Into<String>,
        place: impl Into<String>,
    ) -> Self {
        self.evidence.push(Evidence { what: what.into(), value: value.into(), place: place.into() });
        self
    }

    /// Says what to do: the conventional message `fix-CODE`.
    #[must_use]
    pub fn fixable(mut self) -> Self {
        self.fix = Some(Text::named(format!("fix-{}", self.code)));
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn fix(mut self, fix: Text) -> Self {
        self.fix = Some(fix);
        self
    }

    /// Adds a command to copy.
    #[must_use]
    pub fn command(mut self, command: impl Into<String>) -> Self {
        self.commands.push(command.into());
        self
    }
}
