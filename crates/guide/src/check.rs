//! A check: figures of answers against what a guide says.

use maat_base::{Arg, Fault, Text};
use serde::Serialize;
use serde_json::Value;

use crate::ask::{Engine, at, command, number};
use crate::facts::{Check, Judgement, Probe, Unit};

/// A figure that was computed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Probed {
    /// The command that shows it.
    pub command: String,
    /// The figure, in its unit: a number, a word, yes or no.
    pub value: Value,
    /// What the guide says of it.
    pub claimed: Value,
    /// Whether that holds.
    pub holds: bool,
    /// Figure and claim in words.
    pub text: Text,
    /// The figure as an argument of sentences.
    #[serde(skip)]
    pub arg: Arg,
}

/// Computes a check: each figure, and what the claim is by them.
///
/// # Errors
/// Those of the verbs; `guide-figure-missing` where an answer does not hold the figure.
pub fn check(check: &Check, engine: &mut Engine<'_>) -> Result<(Judgement, Vec<Probed>), Fault> {
    let probed: Vec<Probed> =
        check.probes.iter().map(|probe| one(probe, engine)).collect::<Result<_, _>>()?;
    let holding = probed.iter().filter(|one| one.holds).count();
    let judgement = match holding {
        all if all == probed.len() => check.holds,
        0 => check.fails,
        _ => check.mixed,
    };
    Ok((judgement, probed))
}

fn one(probe: &Probe, engine: &mut Engine<'_>) -> Result<Probed, Fault> {
    let missing = |pointer: &str| Fault::content("guide-figure-missing").with("given", pointer);
    let answer = engine.ask(&probe.verb, &probe.request)?;
    let found = at(&answer, &probe.pointer).ok_or_else(|| missing(&probe.pointer))?;
    let command = command(&probe.verb, &probe.request);
    // A word, or yes and no: it is what the guide says, or it is not.
    if let Some(claimed @ (Value::String(_) | Value::Bool(_))) = &probe.claimed {
        let arg = word(&found);
        let text = Text::new("guide-computed").with("value", arg.clone()).with("claimed", word(claimed));
        let holds = found == *claimed;
        return Ok(Probed { command, value: found, claimed: claimed.clone(), holds, text, arg });
    }
    let mut value = number(&found).ok_or_else(|| missing(&probe.pointer))? * probe.scale;
    if let Some(over) = &probe.over {
        let answer = match &over.request {
            None => answer,
            Some(request) => engine.ask(over.verb.as_deref().unwrap_or(&probe.verb), request)?,
        };
        let divisor = at(&answer, &over.pointer).as_ref().and_then(number);
        value /= divisor.filter(|divisor| *divisor != 0.0).ok_or_else(|| missing(&over.pointer))?;
    }
    let (low, high) = bounds(probe);
    let arg = written(value, probe.unit);
    let ends = [low, high].map(|end| written(end, probe.unit));
    let text = match (&probe.claimed, low.is_finite(), high.is_finite()) {
        (Some(claimed), ..) => Text::new("guide-computed")
            .with("claimed", written(number(claimed).unwrap_or_default(), probe.unit)),
        (None, true, true) => {
            let [low, high] = ends;
            Text::new("guide-computed-between").with("low", low).with("high", high)
        }
        (None, true, false) => Text::new("guide-computed-least").with("low", ends[0].clone()),
        (None, ..) => Text::new("guide-computed-most").with("high", ends[1].clone()),
    };
    let claimed = probe.claimed.clone().unwrap_or_else(|| {
        let end = |end: f64| if end.is_finite() { Value::from(end) } else { Value::Null };
        Value::Array(vec![end(low), end(high)])
    });
    Ok(Probed {
        command,
        value: Value::from(value),
        claimed,
        holds: value >= low && value <= high,
        text: text.with("value", arg.clone()),
        arg,
    })
}

/// Between which figures the claim holds.
fn bounds(probe: &Probe) -> (f64, f64) {
    match probe.claimed.as_ref().and_then(number) {
        Some(claimed) => {
            let slack = claimed.abs() * probe.tolerance;
            (claimed - slack, claimed + slack)
        }
        None => (probe.min.unwrap_or(f64::NEG_INFINITY), probe.max.unwrap_or(f64::INFINITY)),
    }
}

fn word(value: &Value) -> Arg {
    match value {
        Value::Bool(true) => Arg::from(Text::new("guide-yes")),
        Value::Bool(false) => Arg::from(Text::new("guide-no")),
        Value::String(text) => Arg::from(text.as_str()),
        other => Arg::from(other.to_string()),
    }
}

fn written(value: f64, unit: Unit) -> Arg {
    match unit {
        Unit::Number if value.fract() == 0.0 && (0.0..1e15).contains(&value) => Arg::Count(value as u64),
        Unit::Number => Arg::Number(value),
        // Prices of a TFLOP are far below a cent.
        Unit::Usd if value.abs() < 0.1 => Arg::from(Text::new("guide-usd").with("n", Arg::Number(value))),
        Unit::Usd => Arg::Money(value, "USD".to_owned()),
        Unit::Bytes => Arg::Bytes(value.max(0.0) as u64),
        Unit::Share => Arg::Share(value),
        Unit::Seconds => Arg::Seconds(value),
        Unit::Watts => Arg::Watts(value),
    }
}
