//! What to run next, so that more can be said.

use maat_base::Text;
use maat_readings::monitor::{Part, Signal};
use serde::Serialize;

use crate::facts::{self, Vendor};
use crate::found::{Confidence, Found};
use crate::view::{GpuPhase, Load, View};

/// A command that would tell more.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ask {
    /// What it would tell.
    pub text: Text,
    /// The command, or the code to put into a program; empty where there is none that would help.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub command: String,
}

impl Ask {
    fn of(need: &str, vendor: Vendor) -> Self {
        Self { text: Text::named(format!("diagnose-ask-{need}")), command: facts::ask(need, vendor) }
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
        found.asks.iter().for_each(|need| add(Ask::of(need, view.vendor())));
    }
    if undecided {
        for text in traces {
            add(Ask { text: text.clone(), command: facts::ask(&text.id, view.vendor()) });
        }
        for need in special(view) {
            add(Ask::of(need, view.vendor()));
        }
        let needs: &[&str] = match view.load {
            Load::Waiting(_) => &["host", "disk", "trace"],
            Load::Glance => &["gpu", "host", "disk"],
            Load::Busy => &["gpu", "profile"],
            _ if traces.is_empty() => &["gpu", "host", "disk", "pressure"],
            _ => &[],
        };
        for need in needs {
            add(Ask::of(need, view.vendor()));
        }
    }
    asks
}

/// What an input leaves open that no other tool would tell.
fn special(view: &View<'_>) -> Vec<&'static str> {
    let mut needs = Vec::new();
    let preempted = view.last(Part::Server, Signal::Preemptions).is_some_and(|(count, _)| count > 0.0);
    if preempted || view.has("preemption") {
        needs.push("preemption");
    }
    if view.gpus.iter().any(GpuPhase::hides_work) {
        needs.push("slices");
    }
    if !view.samples.peers.is_empty() {
        needs.push("peers");
    }
    needs
}
