//! What to run next, so that more can be said.

use maat_base::Text;
use serde::Serialize;

use crate::facts;
use crate::found::{Confidence, Found};
use crate::view::{Load, View};

/// A command that would tell more.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ask {
    /// What it would tell.
    pub text: Text,
    /// The command.
    pub command: String,
}

impl Ask {
    fn of(need: &str) -> Self {
        Self { text: Text::named(format!("diagnose-ask-{need}")), command: facts::ask(need) }
    }
}

/// What unsure findings need, what a waiting accelerator leaves open, and what a trace lacks.
pub fn next(view: &View<'_>, found: &[Found], undecided: bool, traces: &[Text]) -> Vec<Ask> {
    let mut asks: Vec<Ask> = Vec::new();
    let mut add = |ask: Ask| {
        if !asks.contains(&ask) {
            asks.push(ask);
        }
    };
    for found in found.iter().filter(|found| found.confidence() == Confidence::Likely) {
        found.asks.iter().for_each(|need| add(Ask::of(need)));
    }
    if undecided {
        for text in traces {
            add(Ask { text: text.clone(), command: facts::ask("trace") });
        }
        let needs: &[&str] = match view.load {
            Load::Waiting(_) => &["host", "disk", "trace"],
            Load::Glance => &["gpu", "host", "disk"],
            _ if traces.is_empty() => &["gpu", "host", "disk", "pressure"],
            _ => &[],
        };
        for need in needs {
            add(Ask::of(need));
        }
    }
    asks
}
