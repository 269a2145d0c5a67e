//! The envelope of every answer.

use serde::Serialize;
use serde_json::Value;

use crate::{Code, Finding, Text};

/// Version of the JSON that answers are written in.
pub const SCHEMA_VERSION: u32 = 1;

/// What every verb gives back: a verdict, what was assumed, what was found, where the facts come from, and the verb's
/// own part.
#[derive(Clone, Debug, Serialize)]
pub struct Answer<T> {
    /// Version of the shape.
    pub schema_version: u32,
    /// The verb that was asked, such as `size`.
    pub verb: &'static str,
    /// The answer in one word and one sentence.
    pub verdict: Verdict,
    /// Every input that nobody gave.
    pub assumed: Vec<Assumed>,
    /// What to mind, most severe first.
    pub findings: Vec<Finding>,
    /// The sources that the figures rest on.
    pub sources: Vec<Source>,
    /// What the verb itself answers.
    #[serde(flatten)]
    pub body: T,
}

impl<T> Answer<T> {
    /// An answer of this schema without assumptions, findings or sources yet.
    pub fn new(verb: &'static str, verdict: Verdict, body: T) -> Self {
        Self {
            schema_version: SCHEMA_VERSION,
            verb,
            verdict,
            assumed: Vec::new(),
            findings: Vec::new(),
            sources: Vec::new(),
            body,
        }
    }
}

/// The answer in one word and one sentence.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    /// Whether the exit code is 0; `None` when there was not enough data to say.
    pub ok: Option<bool>,
    /// Stable code, such as `fits`.
    pub code: Code,
    /// The sentence.
    pub text: Text,
}

/// An input that was not given and was therefore assumed or chosen.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Assumed {
    /// Name of the request's field.
    pub name: &'static str,
    /// The value that was taken, as the field would hold it.
    pub value: Value,
    /// The value in words, for the line of assumptions ("1,024 tokens in").
    pub text: Text,
    /// Why this value.
    pub why: Text,
}

/// A source that figures of the answer rest on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Source {
    /// Tag, as figures name it.
    pub tag: String,
    /// What it is.
    pub what: String,
    /// Where it can be found.
    #[serde(rename = "where")]
    pub place: String,
    /// Its version or date.
    pub date: String,
}
