//! Asks a verb as a user would, and finds a figure in its answer.

use std::collections::HashMap;

use maat_advise::{AdviseRequest, JobRequest, SizeRequest, World};
use maat_base::Fault;
use maat_catalogue::{ListRequest, ShowRequest, Terms};
use maat_economics::rent_or_buy::{RentOrBuyRequest, rent_or_buy};
use maat_economics::{
    CommitRequest, ElectricityRequest, PerTflopRequest, WaitRequest, commit, electricity, per_tflop, wait,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Answers by question, so that each is computed once.
pub struct Engine<'a> {
    world: World<'a>,
    terms: Terms,
    known: HashMap<String, Result<Value, Fault>>,
}

impl<'a> Engine<'a> {
    /// An engine that answers in dollars, as the guides count.
    pub fn new(world: &World<'a>) -> Self {
        let world = World { currency: None, explain: false, ..*world };
        let terms = Terms { as_of: world.as_of, currency: None, exchange: world.exchange() };
        Self { world, terms, known: HashMap::new() }
    }

    /// The answer of a verb.
    ///
    /// # Errors
    /// Those of the verb; `guide-verb-unknown`.
    pub fn ask(&mut self, verb: &str, request: &Value) -> Result<Value, Fault> {
        let key = format!("{verb} {request}");
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let answer = self.answer(verb, request);
        self.known.insert(key, answer.clone());
        answer
    }

    fn answer(&self, verb: &str, request: &Value) -> Result<Value, Fault> {
        let (world, catalogue, terms) = (&self.world, self.world.catalogue, &self.terms);
        match verb {
            "size" => value(maat_advise::size(&read::<SizeRequest>(request)?, world)?),
            "advise" => value(maat_advise::advise(&read::<AdviseRequest>(request)?, world)?),
            "cost job" => value(maat_advise::job(&read::<JobRequest>(request)?, world)?),
            "cost per-tflop" => value(per_tflop(&read::<PerTflopRequest>(request)?, catalogue, terms)?),
            "cost electricity" => {
                value(electricity(&read::<ElectricityRequest>(request)?, catalogue, terms)?)
            }
            "cost rent-or-buy" => {
                value(rent_or_buy(&read::<RentOrBuyRequest>(request)?, None, catalogue, terms)?)
            }
            "cost wait" => value(wait(&read::<WaitRequest>(request)?, catalogue, terms)?),
            "cost commit" => value(commit(&read::<CommitRequest>(request)?, catalogue, terms)?),
            "catalogue show" => {
                value(maat_catalogue::show(&read::<ShowRequest>(request)?, catalogue, terms)?)
            }
            "catalogue list" => value(maat_catalogue::list(&read::<ListRequest>(request)?, catalogue)?),
            "doctor" => {
                let request = read::<Doctor>(request)?;
                let request = maat_doctor::DoctorRequest {
                    can: request.can,
                    gpu: request.gpu,
                    driver: request.driver,
                    ..maat_doctor::DoctorRequest::default()
                };
                value(maat_doctor::doctor(&request, &[], None)?)
            }
            other => Err(Fault::content("guide-verb-unknown").with("given", other)),
        }
    }
}

/// The questions of `doctor` that need no machine.
#[derive(Default, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Doctor {
    can: Option<String>,
    gpu: Option<String>,
    driver: Option<String>,
}

fn read<T: DeserializeOwned>(request: &Value) -> Result<T, Fault> {
    let request = if request.is_null() { Value::Object(serde_json::Map::new()) } else { request.clone() };
    serde_json::from_value(request).map_err(|error| wrong(&error))
}

fn value(answer: impl Serialize) -> Result<Value, Fault> {
    serde_json::to_value(answer).map_err(|error| wrong(&error))
}

fn wrong(error: &serde_json::Error) -> Fault {
    Fault::content("guide-facts-unreadable").with("given", error.to_string()).at("guides/checks.toml")
}

/// What stands at a pointer: names of fields, places in lists, `[field=value]` for the first of a list whose field is
/// so, `#` for how many there are.
pub fn at(answer: &Value, pointer: &str) -> Option<Value> {
    let mut found = answer.clone();
    for step in pointer.split('/').skip(1) {
        found = match &found {
            Value::Array(items) if step == "#" => Value::from(items.len()),
            Value::Array(items) => match step.strip_prefix('[').and_then(|step| step.strip_suffix(']')) {
                Some(wanted) => {
                    let (field, word) = wanted.split_once('=')?;
                    items.iter().find(|item| matches(item.get(field), word))?.clone()
                }
                None => items.get(step.parse::<usize>().ok()?)?.clone(),
            },
            Value::Object(fields) => fields.get(step)?.clone(),
            _ => return None,
        };
    }
    Some(found)
}

fn matches(field: Option<&Value>, word: &str) -> bool {
    match field {
        Some(Value::String(text)) => text == word,
        _ => false,
    }
}

/// A number that an answer holds: plain, or as text.
pub fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    }
}

/// The command that asks the same.
pub fn command(verb: &str, request: &Value) -> String {
    let mut words: Vec<String> = vec!["maat".to_owned()];
    words.extend(verb.split(' ').map(str::to_owned));
    let mut fields = request.as_object().cloned().unwrap_or_default();
    if let Some(Value::String(name)) = fields.remove("name") {
        words.push(name);
    }
    words.extend(maat_advise::argv("", &Value::Object(fields)).into_iter().skip(2));
    maat_advise::shell_line(&words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn pointers_find_fields_places_rows_and_counts() {
        let answer = json!({"rows": [{"name": "A", "rank": 2}, {"name": "B", "rank": 1}], "fits": false});
        assert_eq!(at(&answer, "/rows/[name=B]/rank"), Some(json!(1)));
        assert_eq!(at(&answer, "/rows/0/name"), Some(json!("A")));
        assert_eq!(at(&answer, "/rows/#"), Some(json!(2)));
        assert_eq!(at(&answer, "/fits"), Some(json!(false)));
        assert_eq!(at(&answer, "/rows/[name=C]/rank"), None);
    }

    #[test]
    fn commands_are_those_that_a_user_types() {
        let request = json!({"model": "7B", "task": "full", "gpu": ["H100 SXM"]});
        assert_eq!(command("size", &request), "maat size 7B --task full --gpu \"H100 SXM\"");
        assert_eq!(
            command("catalogue show", &json!({"name": "RTX 4090"})),
            "maat catalogue show \"RTX 4090\""
        );
    }
}
