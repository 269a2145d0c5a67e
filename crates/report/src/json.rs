//! Answers to JSON: every text becomes the sentence of the language, all else stays as it is.

use maat_base::Text;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Localiser;

/// The JSON of an answer. Keys stand in the order of the types; numbers always have a point; what is not a number
/// (infinite, undefined) or cannot be written is null.
pub fn json(local: &Localiser, answer: &impl Serialize) -> Value {
    let mut value = serde_json::to_value(answer).unwrap_or(Value::Null);
    replace(local, &mut value);
    value
}

/// Puts a sentence in the place of every serialised [`Text`]. Strings are never looked into.
fn replace(local: &Localiser, value: &mut Value) {
    match value {
        Value::Object(fields) if fields.contains_key("$text") => {
            if let Ok(text) = Text::deserialize(&*value) {
                *value = Value::String(local.text(&text));
            }
        }
        Value::Object(fields) => fields.values_mut().for_each(|field| replace(local, field)),
        Value::Array(items) => items.iter_mut().for_each(|item| replace(local, item)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lang;
    use maat_base::Arg;
    use serde_json::json as literal;

    #[test]
    fn texts_become_sentences_and_strings_stay() {
        let answer = literal!({
            "text": Text::new("list-and").with("first", "a").with("last", Arg::Text(Box::new(Text::new("unit-hour")))),
            "name": "{\"$text\":\"list-and\"}",
            "share": 0.5,
        });
        let written = json(&Localiser::new(Lang::Nl), &answer);
        assert_eq!(
            written.to_string(),
            r#"{"text":"a en uur","name":"{\"$text\":\"list-and\"}","share":0.5}"#
        );
    }
}
