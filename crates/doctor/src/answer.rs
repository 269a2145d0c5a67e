//! The entry: a request and inputs to an answer.

use std::collections::BTreeMap;

use maat_base::{Answer, Fault, Severity, Source, Text, Verdict};
use maat_readings::fact::Strength;
use maat_readings::stack::{Found, Live};
use maat_readings::{Input, stack};
use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::rules::{self, Hit};
use crate::{ask, codes, health, question, redaction};

/// What is asked of the doctor.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct DoctorRequest {
    /// Remove names, addresses, identifiers and secrets from the answer.
    pub redact: bool,
    /// Only the facts; judge nothing.
    pub facts_only: bool,
    /// "Would this work here?": a package, a version and a build, such as `torch 2.11 cu130`.
    pub can: Option<String>,
    /// "Which build do I install?": a package such as `torch` or `vllm`.
    pub wheel: Option<String>,
    /// The card that `can` and `wheel` are asked for; else the one of the inputs.
    pub gpu: Option<String>,
    /// The driver that `can` and `wheel` are asked for; else the one of the inputs.
    pub driver: Option<String>,
}

/// The doctor's own part of the answer.
#[derive(Clone, Debug, Default, Serialize)]
pub struct DoctorBody {
    /// One value for each key that is known.
    pub facts: BTreeMap<&'static str, String>,
    /// Every statement, with where it was read.
    pub facts_read: Vec<FactRead>,
    /// What was handed over and what it was taken for.
    pub inputs: Vec<InputRead>,
    /// What to paste or run next, when there was not enough.
    pub ask: Vec<Ask>,
    /// What could not be seen on the running machine.
    pub not_seen: Vec<NotSeen>,
    /// The answer to `can` and `wheel`.
    pub install: Option<Install>,
    /// Whether the page shows the facts: when they were asked for, or are all that there is to show.
    #[serde(skip)]
    pub show_facts: bool,
}

/// A statement of an input.
#[derive(Clone, Debug, Serialize)]
pub struct FactRead {
    /// The key.
    pub key: &'static str,
    /// Its value here.
    pub value: String,
    /// File and line.
    #[serde(rename = "where")]
    pub place: String,
    /// How far it is trusted.
    pub strength: Strength,
}

/// An input and what it was recognised as.
#[derive(Clone, Debug, Serialize)]
pub struct InputRead {
    /// Its name.
    pub name: String,
    /// The readers that saw something of theirs.
    pub kinds: Vec<&'static str>,
}

/// Something to paste or run next.
#[derive(Clone, Debug, Serialize)]
pub struct Ask {
    /// What it would show.
    pub text: Text,
    /// The command.
    pub command: String,
}

/// Something that could not be seen on the running machine.
#[derive(Clone, Debug, Serialize)]
pub struct NotSeen {
    /// The file or tool.
    pub what: String,
    /// Why.
    pub why: Text,
}

/// A build of a package, what it needs and how to get it.
#[derive(Clone, Debug, Serialize)]
pub struct Install {
    /// The package.
    pub package: String,
    /// Its version.
    pub version: String,
    /// The CUDA version that the build is made for.
    pub cuda: String,
    /// The least driver on Linux.
    pub driver_min_linux: Option<String>,
    /// The least driver on Windows.
    pub driver_min_windows: Option<String>,
    /// SM numbers compiled in, where known.
    pub archs: Vec<String>,
    /// The least glibc, where known.
    pub glibc_min: Option<String>,
    /// How to install it.
    pub command: String,
}

/// Judges inputs, each a name and its bytes, and what was read on the running machine.
///
/// Any bytes are an answer; a fault is only a question (`can`, `wheel`) that makes no sense.
pub fn doctor(
    request: &DoctorRequest,
    inputs: &[(String, Vec<u8>)],
    live: Option<Live>,
) -> Result<Answer<DoctorBody>, Fault> {
    // By number instead of by name where nothing may say who and where.
    let named = |(name, number): (&String, usize)| {
        if request.redact { format!("input-{number}") } else { name.clone() }
    };
    let inputs: Vec<Input> = inputs
        .iter()
        .zip(1..)
        .map(|((name, bytes), number)| Input::new(&named((name, number)), bytes))
        .collect();
    let mut found = Found::default();
    let mut not_seen = Vec::new();
    let mut hardware_listed = false;
    if let Some(live) = live {
        found.append(live.found);
        not_seen = live.not_seen;
        hardware_listed = live.hardware_listed;
    }
    let mut read = Vec::new();
    for input in &inputs {
        let (more, kinds) = stack::read_with_kinds(input);
        found.append(more);
        read.push(InputRead { name: input.name.to_string(), kinds });
    }
    let case = Case::new(found);
    let mut body = body(&case, read);
    body.not_seen = not_seen
        .into_iter()
        .map(|(what, why)| NotSeen { what, why: Text::named(format!("doctor-not-seen-{why}")) })
        .collect();
    let mut answer = if request.can.is_some() || request.wheel.is_some() {
        question::answer(request, &case, body)?
    } else if request.facts_only {
        body.show_facts = true;
        let count = body.facts.len();
        Answer::new(
            "doctor",
            verdict("not-enough-data", Text::new("verdict-doctor-facts").with("count", count)),
            body,
        )
    } else {
        judge(&case, &inputs, hardware_listed, body)
    };
    if request.redact {
        redaction::apply(&mut answer, &inputs);
    }
    Ok(answer)
}

pub(crate) fn verdict(code: &'static str, text: Text) -> Verdict {
    let ok = if code == "not-enough-data" { None } else { Some(code == "healthy") };
    Verdict { ok, code: code.into(), text }
}

fn body(case: &Case, inputs: Vec<InputRead>) -> DoctorBody {
    let facts_read = case.found().facts.iter().map(|fact| FactRead {
        key: fact.key.name(),
        value: fact.value.clone(),
        place: fact.place.to_string(),
        strength: fact.strength,
    });
    DoctorBody {
        facts: case.values().into_iter().map(|(key, value)| (key.name(), value)).collect(),
        facts_read: facts_read.collect(),
        inputs,
        ..DoctorBody::default()
    }
}

fn judge(case: &Case, inputs: &[Input], hardware_listed: bool, mut body: DoctorBody) -> Answer<DoctorBody> {
    let hits = in_order(rules::judge(case));
    let decides = hits.first().filter(|hit| hit.finding.severity > Severity::Info).map(|hit| &hit.finding);
    let verdict = match decides {
        Some(finding) => Verdict {
            ok: Some(finding.severity < Severity::Error),
            code: finding.code.clone(),
            text: Text::new("verdict-doctor-finding").with("what", finding.message.clone()),
        },
        None => match health::judge(case, inputs, hardware_listed) {
            health::Health::Healthy(text) => verdict("healthy", text),
            health::Health::Unknown(text) => {
                body.ask = ask::next(case);
                verdict("not-enough-data", text)
            }
        },
    };
    body.show_facts = hits.is_empty();
    let mut answer = Answer::new("doctor", verdict, body);
    answer.sources = sources(&hits);
    answer.findings = hits.into_iter().map(|hit| hit.finding).collect();
    answer
}

/// Most severe first; of equals what was reported before what was inferred, then causes before consequences. What
/// another finding explains is left out.
pub(crate) fn in_order(hits: Vec<Hit>) -> Vec<Hit> {
    let mut ordered: Vec<Hit> = Vec::new();
    let order = |hit: &Hit| {
        let row = codes::code(&hit.finding.code);
        (std::cmp::Reverse(hit.finding.severity), !hit.proven, row.map_or(u32::MAX, |row| row.order))
    };
    let mut hits = hits;
    hits.sort_by_key(order);
    for hit in hits {
        let explained = ordered.iter().any(|other| {
            let same = other.finding.code == hit.finding.code;
            let row = codes::code(&other.finding.code);
            same || row.is_some_and(|row| row.explains.iter().any(|code| *code == *hit.finding.code))
        });
        if !explained {
            ordered.push(hit);
        }
    }
    ordered
}

fn sources(hits: &[Hit]) -> Vec<Source> {
    hits.iter()
        .filter_map(|hit| {
            let row = codes::code(&hit.finding.code)?;
            let (place, date) = row.source.rsplit_once(" (").unwrap_or((&row.source, ""));
            Some(Source {
                tag: row.code.clone(),
                what: place.to_owned(),
                place: "facts/doctor/codes.csv".to_owned(),
                date: date.trim_end_matches(')').to_owned(),
            })
        })
        .collect()
}
