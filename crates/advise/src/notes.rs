//! What was assumed and found on the way to an answer.

use maat_base::{Assumed, Finding, Severity, Text};
use serde_json::Value;

/// Collects assumptions and findings.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// Inputs that nobody gave.
    pub assumed: Vec<Assumed>,
    /// What to mind.
    pub findings: Vec<Finding>,
}

impl Notes {
    /// Notes that a field was not given; a field is noted once.
    pub fn assume(&mut self, name: &'static str, value: impl Into<Value>, text: Text, why: Text) {
        if self.assumed.iter().all(|assumed| assumed.name != name) {
            self.assumed.push(Assumed { name, value: value.into(), text, why });
        }
    }

    /// Says which of what was given the task does not use.
    pub fn unused(&mut self, given: &[&str], task: &'static str) {
        if !given.is_empty() {
            let finding = Finding::new("flags-not-used", Severity::Info, task).with("flags", given.to_vec());
            self.findings.push(finding.with("task", task).because("task", task, "--task"));
        }
    }
}

/// The usual reason of an assumption: nobody said otherwise.
pub fn default_why() -> Text {
    Text::new("why-default")
}
