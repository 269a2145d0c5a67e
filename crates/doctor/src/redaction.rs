//! `--redact`: nothing private is left anywhere in the answer.

use maat_base::{Answer, Arg, Text};
use maat_readings::Input;
use maat_readings::redact::Redactor;

use crate::answer::DoctorBody;

/// Cleans every string of an answer that came from outside. Names are learned from the inputs, so that one that is plain
/// in a prompt does not leak through another line.
pub fn apply(answer: &mut Answer<DoctorBody>, inputs: &[Input]) {
    let mut redactor = Redactor::default();
    for input in inputs {
        redactor.learn(input.text());
    }
    let clean = |text: &mut String| *text = redactor.redact(text);
    clean_text(&mut answer.verdict.text, &clean);
    for finding in &mut answer.findings {
        clean(&mut finding.subject);
        clean_text(&mut finding.message, &clean);
        for evidence in &mut finding.evidence {
            clean(&mut evidence.value);
            clean(&mut evidence.place);
        }
        finding.refuted_by.iter_mut().chain(finding.fix.as_mut()).for_each(|text| clean_text(text, &clean));
        finding.commands.iter_mut().for_each(clean);
    }
    let body = &mut answer.body;
    // A version with three dots would read as an address; keys of versions hold nothing else.
    for (key, value) in &mut body.facts {
        if !is_version(key, value) {
            clean(value);
        }
    }
    for fact in &mut body.facts_read {
        if !is_version(fact.key, &fact.value) {
            clean(&mut fact.value);
        }
        clean(&mut fact.place);
    }
    body.inputs.iter_mut().for_each(|input| clean(&mut input.name));
    body.not_seen.iter_mut().for_each(|seen| clean(&mut seen.what));
}

fn is_version(key: &str, value: &str) -> bool {
    matches!(key, "cudnn" | "cudnn_built_with" | "nccl")
        && value.chars().all(|c| c.is_ascii_digit() || ".,".contains(c))
}

fn clean_text(text: &mut Text, clean: &impl Fn(&mut String)) {
    text.args.iter_mut().for_each(|(_, arg)| clean_arg(arg, clean));
}

fn clean_arg(arg: &mut Arg, clean: &impl Fn(&mut String)) {
    match arg {
        Arg::Str(text) => clean(text),
        Arg::Text(text) => clean_text(text, clean),
        Arg::List(list) => list.iter_mut().for_each(|arg| clean_arg(arg, clean)),
        _ => {}
    }
}
