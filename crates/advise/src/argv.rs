//! A request as the command that asks it.

use serde::Serialize;
use serde_json::Value;

/// The words of `maat VERB MODEL --flag value …` that fill the same request. Fields become flags in the order of the
/// request; what is not set is left out.
pub fn argv(verb: &str, request: &impl Serialize) -> Vec<String> {
    let mut words = vec!["maat".to_owned(), verb.to_owned()];
    let Ok(Value::Object(fields)) = serde_json::to_value(request) else { return words };
    if let Some(model) = fields.get("model").and_then(Value::as_str) {
        words.push(model.to_owned());
    }
    for (name, value) in fields.iter().filter(|(name, _)| *name != "model") {
        let Some(text) = flag_value(value) else { continue };
        words.push(format!("--{}", name.replace('_', "-")));
        if !text.is_empty() {
            words.push(text);
        }
    }
    words
}

/// What stands behind a flag: `None` for a field that is not set, an empty text for a switch.
fn flag_value(value: &Value) -> Option<String> {
    match value {
        Value::Null | Value::Bool(false) | Value::Object(_) => None,
        Value::Bool(true) => Some(String::new()),
        // A whole number without its useless decimal: 280, not 280.0.
        Value::Number(number) => Some(match number.as_f64() {
            Some(float) if number.is_f64() => float.to_string(),
            _ => number.to_string(),
        }),
        Value::String(text) => Some(text.clone()),
        Value::Array(items) if items.is_empty() => None,
        Value::Array(items) => Some(items.iter().filter_map(flag_value).collect::<Vec<_>>().join(",")),
    }
}

/// One word as a shell takes it: quoted where it holds anything but plain characters.
pub fn shell_word(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,=+%@".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    if word.contains(['"', '$', '`', '\\', '!']) {
        format!("'{}'", word.replace('\'', r"'\''"))
    } else {
        format!("\"{word}\"")
    }
}

/// The words as one line to copy.
pub fn shell_line(words: &[String]) -> String {
    words.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::{CountOrAuto, WorkRequest};

    #[derive(Serialize)]
    struct Request {
        model: &'static str,
        gpu: Vec<&'static str>,
        #[serde(flatten)]
        work: WorkRequest,
    }

    #[test]
    fn only_what_is_set_becomes_a_flag() {
        let work = WorkRequest {
            users: Some(8),
            gpu_layers: Some(CountOrAuto::Auto),
            kv_precision: Some("q8_0".to_owned()),
            ..WorkRequest::default()
        };
        let words = argv("size", &Request { model: "llama", gpu: vec!["2x RTX 4090"], work });
        assert_eq!(
            shell_line(&words),
            "maat size llama --gpu \"2x RTX 4090\" --users 8 --kv-precision q8_0 --gpu-layers auto"
        );
    }

    #[test]
    fn odd_words_are_quoted() {
        assert_eq!(shell_word("a$b"), "'a$b'");
        assert_eq!(shell_word(""), "\"\"");
        assert_eq!(shell_word("it's$"), r"'it'\''s$'");
    }
}
