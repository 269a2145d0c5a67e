//! From inputs to the answer.

use std::sync::Arc;

use maat_base::{Answer, Fault, Source, Text};
use maat_readings::{Input, monitor};
use maat_trace::{Lack, RankComparison, RankReport, Ranked, TraceDiff};
use serde::{Deserialize, Serialize};

use crate::ask::{self, Ask};
use crate::found::Confidence;
use crate::inputs::{Content, Opened};
use crate::merge::merge;
use crate::traces::{self, Traces};
use crate::verdict::verdict;
use crate::view::View;
use crate::{facts, hosts, inputs, private, rules};

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
    /// What traces show.
    #[serde(flatten)]
    pub traces: TracePart,
}

/// What traces show; nothing without traces.
#[derive(Clone, Debug, Default, Serialize)]
pub struct TracePart {
    /// The first rank, or the only trace.
    pub trace: Option<RankReport>,
    /// The other ranks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ranks: Vec<RankReport>,
    /// The ranks beside each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comparison: Option<RankComparison>,
    /// The ranking of the trace's own findings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ranking: Vec<Ranked>,
    /// The ranking that would hold if the first of them were gone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub after_first: Vec<Ranked>,
    /// What changed since an earlier trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<TraceDiff>,
    /// Why the traces alone say nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lack: Option<Lack>,
}

impl From<Traces> for TracePart {
    fn from(traces: Traces) -> Self {
        let mut ranks = traces.report.ranks;
        let others = ranks.split_off(ranks.len().min(1));
        Self {
            trace: ranks.pop(),
            ranks: others,
            comparison: traces.report.comparison,
            ranking: traces.judgement.ranking,
            after_first: traces.judgement.after_first,
            lack: traces.judgement.lack,
            diff: traces.diff,
        }
    }
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
    pub code: String,
    /// How sure.
    pub confidence: Confidence,
    /// Independent signals that say so.
    pub signals: usize,
}

/// Says what holds a machine back. Inputs are names and contents of files, in any mix and of any kind: outputs of
/// tools, logs, traces, plain or compressed.
///
/// Fails when none of the inputs is recognised, when a trace is damaged, or when the kind that was asked for does not
/// exist.
pub fn diagnose(
    request: &DiagnoseRequest,
    inputs: Vec<(String, Vec<u8>)>,
) -> Result<Answer<DiagnoseBody>, Fault> {
    diagnose_with(request, inputs, monitor::Samples::default()).map(|(answer, _)| answer)
}

/// The same with samples that were taken of the running machine; gives back all samples as text that can be read
/// again, redacted when the answer is.
pub fn diagnose_with(
    request: &DiagnoseRequest,
    inputs: Vec<(String, impl Into<Content>)>,
    watched: monitor::Samples,
) -> Result<(Answer<DiagnoseBody>, String), Fault> {
    diagnose_against(request, inputs, Vec::<(String, Content)>::new(), watched)
}

/// The same, and what changed since earlier traces of the same work.
///
/// Fails as well when there are earlier inputs and either side holds no trace.
pub fn diagnose_against(
    request: &DiagnoseRequest,
    inputs: Vec<(String, impl Into<Content>)>,
    before: Vec<(String, impl Into<Content>)>,
    watched: monitor::Samples,
) -> Result<(Answer<DiagnoseBody>, String), Fault> {
    let is_known = |kind: &str| kind == inputs::TRACE || monitor::kinds().any(|own| own == kind);
    if let Some(kind) = request.kind.as_deref().filter(|kind| !is_known(kind)) {
        let names: Vec<&str> = monitor::kinds().chain([inputs::TRACE]).collect();
        return Err(Fault::usage("kind-unknown").with("given", kind).with("expected", names).at("--kind"));
    }
    let mut read = Read::of(request, inputs)?;
    hosts::assign(&mut read.samples, &read.names);
    read.add_watched(watched);
    if read.files.iter().all(|file| file.items == 0 && file.kinds.is_empty()) && read.traces.is_empty() {
        let names: Vec<&str> = monitor::kinds().chain([inputs::TRACE]).collect();
        let place = read.files.iter().map(|file| file.name.as_str()).collect::<Vec<_>>().join(", ");
        return Err(Fault::content("input-not-recognised").with("expected", names).at(place));
    }
    let earlier = earlier(request, before)?;
    if read.traces.is_empty() && !earlier.is_empty() {
        return Err(Fault::usage("against-needs-traces").at("FILE"));
    }
    let traces = traces::read(read.traces, earlier, request.redact)?;
    let mut answer = judge(&read.samples, read.files, traces);
    let mut recording = read.samples.recording();
    if request.redact {
        let redactor = private::redactor(&read.texts, &read.samples);
        answer.findings.iter_mut().for_each(|finding| private::clean(finding, &redactor));
        recording = redactor.redact(&recording);
    }
    Ok((answer, recording))
}

/// The earlier traces; anything else is of no use there.
fn earlier(
    request: &DiagnoseRequest,
    inputs: Vec<(String, impl Into<Content>)>,
) -> Result<traces::Named, Fault> {
    let mut traces = Vec::new();
    for ((name, content), number) in inputs.into_iter().zip(1..) {
        let name = if request.redact { anonymous("before", number, &name) } else { name };
        match inputs::open(&name, content.into(), None)? {
            Opened::Trace(reader) => traces.push((name, reader)),
            Opened::Text(_) => return Err(Fault::usage("against-needs-traces").at(name)),
        }
    }
    Ok(traces)
}

/// What an input goes by where its name may say who or where; the rank in a name of a trace is kept.
fn anonymous(kind: &str, number: usize, name: &str) -> String {
    match maat_trace::rank_in_name(name) {
        Some(rank) => format!("{kind}-{number}-rank-{rank}"),
        None => format!("{kind}-{number}"),
    }
}

/// What the inputs hold.
struct Read {
    files: Vec<ReadFile>,
    samples: monitor::Samples,
    texts: Vec<Input>,
    traces: traces::Named,
    /// The name that places carry, and the true one.
    names: Vec<(String, String)>,
}

impl Read {
    fn add_watched(&mut self, watched: monitor::Samples) {
        if !watched.is_empty() {
            let items = watched.rows.len();
            self.files.push(ReadFile { name: "/proc".to_owned(), kinds: vec!["watch"], items });
            self.samples.append(watched);
        }
    }

    fn of(request: &DiagnoseRequest, inputs: Vec<(String, impl Into<Content>)>) -> Result<Self, Fault> {
        let mut read = Self {
            files: Vec::new(),
            samples: monitor::Samples::default(),
            texts: Vec::new(),
            traces: Vec::new(),
            names: Vec::new(),
        };
        for ((name, content), number) in inputs.into_iter().zip(1..) {
            // By number instead of by name where nothing may say who and where.
            let given = name;
            let name = if request.redact { anonymous("input", number, &given) } else { given.clone() };
            read.names.push((name.clone(), given));
            match inputs::open(&name, content.into(), request.kind.as_deref())? {
                Opened::Trace(reader) => {
                    read.files.push(ReadFile { name: name.clone(), kinds: vec!["trace"], items: 1 });
                    read.traces.push((name, reader));
                }
                Opened::Text(bytes) => read.add_text(request, name, &bytes),
            }
        }
        Ok(read)
    }

    fn add_text(&mut self, request: &DiagnoseRequest, name: String, bytes: &[u8]) {
        let input = Input::new(&name, &inputs::plain(bytes));
        let own = monitor::read(&input, request.kind.as_deref());
        let mut kinds: Vec<&'static str> = own.blocks.iter().map(|block| block.kind).collect();
        kinds.dedup();
        let items = own.blocks.iter().map(|block| block.items).sum();
        self.files.push(ReadFile { name, kinds, items });
        self.samples.append(own);
        if request.redact {
            self.texts.push(input);
        }
    }
}

fn judge(samples: &monitor::Samples, files: Vec<ReadFile>, traces: Option<Traces>) -> Answer<DiagnoseBody> {
    let parts = hosts::split(samples);
    let views: Vec<_> = parts.iter().map(|(host, own)| (Arc::clone(host), View::new(own))).collect();
    let whole = View::new(samples);
    let mut found = if views.is_empty() { rules::all(&whole) } else { hosts::rules(samples, &views) };
    // Of several machines, one that leaves something open says what is missing.
    let open = |view: &&View<'_>| !verdict(view, &[], traces.as_ref()).code.eq("healthy");
    let all = || views.iter().map(|(_, view)| view);
    let view = all().find(open).or_else(|| all().next()).unwrap_or(&whole);
    if let Some(traces) = &traces {
        traces.explain(&mut found);
    }
    let wanted = traces.as_ref().map_or(&[][..], |traces| &traces.judgement.ask);
    let unsure = found.clone();
    let (findings, causes) = merge(found, traces.as_ref(), view.vendor());
    let mut verdict = verdict(view, &findings, traces.as_ref());
    if let Some(diff) = traces.as_ref().and_then(|traces| traces.diff.as_ref()) {
        verdict.text =
            Text::new("diagnose-against").with("diff", diff.text.clone()).with("now", verdict.text);
    }
    let ask = ask::next(view, &unsure, verdict.code == "not-enough-data", wanted);
    let traces = traces.map(TracePart::from).unwrap_or_default();
    let mut answer = Answer::new("diagnose", verdict, DiagnoseBody { files, causes, ask, traces });
    let mut sources: Vec<Source> = Vec::new();
    for source in findings.iter().filter_map(|finding| facts::source(finding.source.as_deref()?)) {
        if !sources.contains(&source) {
            sources.push(source);
        }
    }
    answer.findings = findings;
    answer.sources = sources;
    answer
}
