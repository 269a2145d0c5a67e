//! Takes out of an answer what says who and where.

use maat_base::{Evidence, Finding};
use maat_readings::Input;
use maat_readings::monitor::{Label, Samples};
use maat_readings::redact::Redactor;

/// Learns the names that inputs give away, by their form and by the column they stand in.
pub fn redactor(texts: &[Input], samples: &Samples) -> Redactor {
    let mut redactor = Redactor::default();
    for text in texts {
        redactor.learn(text.text());
    }
    for row in &samples.rows {
        if let Some(user) = row.label(Label::User) {
            redactor.know_user(user);
        }
    }
    for host in crate::hosts::named(samples) {
        redactor.know_host(&host);
    }
    for event in samples.events.iter().filter(|event| event.text.contains(" NCCL ")) {
        if let Some((host, _)) = event.text.split_once(':') {
            redactor.know_host(host);
        }
    }
    redactor
}

/// Redacts what of a finding comes from the inputs.
pub fn clean(finding: &mut Finding, redactor: &Redactor) {
    finding.subject = redactor.redact(&finding.subject);
    for Evidence { what, value, place } in &mut finding.evidence {
        // A user's name can be any word; it stands only here.
        *value = if what == "user" { "<user>".to_owned() } else { redactor.redact(value) };
        *what = redactor.redact(what);
        *place = redactor.redact(place);
    }
}
