//! The one error of all library crates.
//!
//! Errors are read by people in their own language and by programs as `{code, message, where, hint}`, so they carry a
//! [`Text`] and not a formatted string; the kind decides the exit code.

use std::fmt;

use crate::Text;

/// What kind of failure it is; the command line maps it to an exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// The request makes no sense: a wrong flag, an impossible value. Exit 2.
    Usage,
    /// Something given cannot be read or is not known. Exit 1.
    Content,
    /// Data are missing or too old, and the user asked to be strict. Exit 4.
    Missing,
}

/// What is wrong, where, and what to do about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// Which exit code it leads to.
    pub kind: FaultKind,
    /// Stable identifier for programs, such as `model-unknown`.
    pub code: &'static str,
    /// What is wrong: the message `fault-CODE`.
    pub message: Text,
    /// File, line or byte, field.
    pub place: Option<String>,
    /// What to do: the message `hint-CODE`, or another.
    pub hint: Option<Text>,
}

impl Fault {
    /// A failure of the request itself.
    pub fn usage(code: &'static str) -> Self {
        Self::of(FaultKind::Usage, code)
    }

    /// A failure of something that was read.
    pub fn content(code: &'static str) -> Self {
        Self::of(FaultKind::Content, code)
    }

    /// Data that are needed under `--strict` and are not there.
    pub fn missing(code: &'static str) -> Self {
        Self::of(FaultKind::Missing, code)
    }

    fn of(kind: FaultKind, code: &'static str) -> Self {
        Self { kind, code, message: Text::named(format!("fault-{code}")), place: None, hint: None }
    }

    /// Adds an argument to the message.
    #[must_use]
    pub fn with(mut self, name: &'static str, arg: impl Into<crate::Arg>) -> Self {
        self.message = self.message.with(name, arg);
        self
    }

    /// Names the place.
    #[must_use]
    pub fn at(mut self, place: impl Into<String>) -> Self {
        self.place = Some(place.into());
        self
    }

    /// Says what to do.
    #[must_use]
    pub fn hint(mut self, hint: Text) -> Self {
        self.hint = Some(hint);
        self
    }
}

/// For logs and tests; people get the message in their language from `maat-report`.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.code)?;
        for (name, arg) in &self.message.args {
            write!(f, " {name}={arg:?}")?;
        }
        match &self.place {
            Some(place) => write!(f, " at {place}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Fault {}
