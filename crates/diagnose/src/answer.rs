//! From inputs to the answer.

use maat_base::{Answer, Fault, Severity, Source, Text, Verdict};
use maat_readings::{Input, monitor};
use serde::{Deserialize, Serialize};

use crate::facts;
use crate::found::{Confidence, Found};
use crate::rules;
use crate::view::{Load, View};

/// What is asked, as a flag of each name gives it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct DiagnoseRequest {
    /// Read all inputs as this kind.
    pub kind: Option<String>,
    /// Take hosts, users, paths, addresses and identifiers out of the answer.
    pub redact: bool,
}

/// What the verb answers.
#[derive(Clone, Debug, Serialize)]
pub struct DiagnoseBody {
    /// What was read.
    pub files: Vec<ReadFile>,
    /// How sure each finding is, in the order of the findings.
    pub causes: Vec<Cause>,
    /// What to run next, so that more can be said.
    pub ask: Vec<Ask>,
}

/// An input and what was seen in it.
#[derive(Clone, Debug, Serialize)]
pub struct ReadFile {
    /// Its name.
    pub name: String,
    /// The kinds of output in it; none when it was not recognised.
    pub kinds: Vec<&'static str>,
    /// Observations and events.
    pub items: usize,
}

/// How sure a finding is.
#[derive(Clone, Debug, Serialize)]
pub struct Cause {
    /// The finding's code.
    pub code: &'static str,
    /// How sure.
    pub confidence: Confidence,
    /// Independent signals that say so.
    pub signals: usize,
}

/// A command that would tell more.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ask {
    /// What it would tell.
    pub why: Text,
    /// The command.
    pub command: String,
}

/// Says what holds a machine back. Inputs are names and contents of files, in any mix and of any kind.
///
/// Fails when none of the inputs is recognised, or the kind that was asked for does not exist.
pub fn diagnose(request: &DiagnoseRequest, inputs: &[(String, Vec<u8>)]) -> Result<Answer<DiagnoseBody>, Fault> {
    if let Some(kind) = &request.kind
        && !monitor::kinds().any(|own| own == kind)
    {
        let names: Vec<&str> = monitor::kinds().collect();
        return Err(Fault::usage("kind-unknown").with("given", kind.as_str()).with("expected", names).at("--kind"));
    }
    let mut samples = monitor::Samples::default();
    let mut files = Vec::new();
    for (name, bytes) in inputs {
        let own = monitor::read(&Input::new(name, bytes), request.kind.as_deref());
        let mut kinds: Vec<&'static str> = own.blocks.iter().map(|block| block.kind).collect();
        kinds.dedup();
        let items = own.blocks.iter().map(|block| block.items).sum();
        files.push(ReadFile { name: name.clone(), kinds, items });
        samples.append(own);
    }
    if files.iter().all(|file| file.items == 0) {
        let names: Vec<&str> = monitor::kinds().collect();
        let place = files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>().join(", ");
        return Err(Fault::content("input-not-recognised").with("expected", names).at(place));
    }
    let view = View::new(&samples);
    Ok(answer(&view, rules::all(&view), files))
}

fn answer(view: &View<'_>, mut found: Vec<Found>, files: Vec<ReadFile>) -> Answer<DiagnoseBody> {
    found.sort_by_key(|found| (found.severity() == Severity::Info, found.rank()));
    let verdict = verdict(view, &found);
    let ask = asks(view, &found, verdict.code == "not-enough-data");
    let causes = found
        .iter()
        .map(|found| Cause { code: found.code, confidence: found.confidence(), signals: found.signals() })
        .collect();
    let mut answer = Answer::new("diagnose", verdict, DiagnoseBody { files, causes, ask });
    answer.findings = found.into_iter().map(Found::finding).collect();
    let mut sources: Vec<Source> = Vec::new();
    for source in answer.findings.iter().filter_map(|finding| facts::source(finding.source.as_deref()?)) {
        if !sources.contains(&source) {
            sources.push(source);
        }
    }
    answer.sources = sources;
    answer
}

/// The first finding that is more than information; else whether enough was seen to call the machine healthy.
fn verdict(view: &View<'_>, found: &[Found]) -> Verdict {
    if let Some(first) = found.iter().find(|found| found.severity() != Severity::Info) {
        let sentence = Text::named(format!("diagnose-{}", first.code));
        let text = if first.confidence() == Confidence::High {
            sentence
        } else {
            Text::new("diagnose-likely").with("sentence", sentence)
        };
        let ok = Some(!found.iter().any(|found| found.severity() == Severity::Error));
        return Verdict { ok, code: first.code.into(), text };
    }
    let note = found.first().map(|found| Text::named(format!("diagnose-{}", found.code)));
    let text = match (view.load, note) {
        (_, Some(note)) => Text::new("diagnose-healthy-but").with("note", note),
        (Load::Busy, None) => Text::new("diagnose-healthy-busy"),
        (Load::Idle, None) => Text::new("diagnose-healthy-idle"),
        (Load::Unknown, None) if host_was_seen(view) => Text::new("diagnose-healthy-host"),
        _ => return Verdict { ok: None, code: "not-enough-data".into(), text: missing(view) },
    };
    Verdict { ok: Some(true), code: "healthy".into(), text }
}

/// Whether there are figures of the machine at work, and not only of how it is built.
fn host_was_seen(view: &View<'_>) -> bool {
    use maat_readings::monitor::{Part, Signal};
    [Signal::CpuIdle, Signal::DiskUtilization, Signal::RunQueue, Signal::PressureCpuSome]
        .iter()
        .any(|signal| view.highest(Part::Host, *signal).or(view.highest(Part::Disk, *signal)).is_some())
}

fn missing(view: &View<'_>) -> Text {
    match view.load {
        Load::Waiting(idle) => {
            Text::new("diagnose-waits-for-unknown").with("idle", maat_base::Arg::Share(idle))
        }
        Load::Glance => Text::new("diagnose-one-look"),
        _ => Text::new("diagnose-not-enough-data"),
    }
}

/// What to run next: what the unsure findings need, and what a waiting accelerator leaves open.
fn asks(view: &View<'_>, found: &[Found], undecided: bool) -> Vec<Ask> {
    let mut needs: Vec<&'static str> = Vec::new();
    for found in found.iter().filter(|found| found.confidence() == Confidence::Likely) {
        needs.extend(&found.asks);
    }
    if undecided {
        needs.extend(match view.load {
            Load::Waiting(_) => &["host", "disk", "trace"][..],
            Load::Glance => &["gpu", "host", "disk"],
            _ => &["gpu", "host", "disk", "pressure"],
        });
    }
    let mut asks: Vec<Ask> = Vec::new();
    for need in needs {
        let ask = Ask { why: Text::named(format!("diagnose-ask-{need}")), command: facts::ask(need) };
        if !asks.contains(&ask) {
            asks.push(ask);
        }
    }
    asks
}
