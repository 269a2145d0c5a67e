//! Faults to text and JSON.

use maat_base::{Fault, SCHEMA_VERSION};
use serde_json::{Value, json};

use crate::Localiser;
use crate::argument::clean;

/// A fault in a language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultView {
    /// Stable code.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// File, line or byte, field.
    pub place: Option<String>,
    /// What to do.
    pub hint: Option<String>,
}

impl FaultView {
    /// The fault's sentences. Without a hint of its own it gets `hint-CODE`, where there is such a message.
    pub fn new(local: &Localiser, fault: &Fault) -> Self {
        let general = format!("hint-{}", fault.code);
        let hint = match &fault.hint {
            Some(hint) => Some(local.text(hint)),
            None if local.has(&general) => {
                let mut text = fault.message.clone();
                text.id = general.into();
                Some(local.text(&text))
            }
            None => None,
        };
        Self {
            code: fault.code,
            message: local.text(&fault.message),
            place: fault.place.as_deref().map(clean),
            hint,
        }
    }

    /// The message for standard error: what, where, what to do.
    pub fn text(&self, local: &Localiser) -> String {
        let mut out = format!("{}: {}", local.label("error-label"), self.message);
        if let Some(place) = &self.place {
            out.push_str("\n  ");
            out.push_str(&local.label("error-where"));
            out.push_str(": ");
            out.push_str(place);
        }
        if let Some(hint) = &self.hint {
            out.push_str("\n  ");
            out.push_str(hint);
        }
        out.push('\n');
        out
    }

    /// The JSON for standard output.
    pub fn json(&self) -> Value {
        json!({
            "schema_version": SCHEMA_VERSION,
            "error": { "code": self.code, "message": self.message, "where": self.place, "hint": self.hint },
        })
    }
}
