//! Reading of files from strangers: regular files only, and no more than a limit.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use maat_base::Fault;
use serde_json::Value;

/// Largest JSON file that is read: the largest published indexes have some 15 MB.
const LARGEST_JSON: u64 = 32 << 20;

/// Most values that a JSON file may hold: the largest indexes name some 200,000 tensors, and a value takes far more memory
/// than the two bytes that it may be written in.
const MOST_VALUES: usize = 600_000;

/// Most objects in a JSON file that is not a header of tensors: configurations have some hundreds.
const MOST_OBJECTS: usize = 50_000;

/// Refuses text of JSON that would take far more memory than it is long.
pub(crate) fn check_values(bytes: &[u8], place: &str) -> Result<(), Fault> {
    let values = bytes.iter().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
    if values > MOST_VALUES {
        let fault = Fault::content("file-too-many-values").with("count", values).with("limit", MOST_VALUES);
        return Err(fault.at(place.to_owned()));
    }
    Ok(())
}

/// Opens a regular file, and says how long it is. Pipes and devices are refused before they are opened: opening some
/// of them already waits.
pub(crate) fn open(path: &Path) -> Result<(File, u64), Fault> {
    let unreadable = |error: std::io::Error| {
        Fault::content("file-unreadable").with("why", error.to_string()).at(path.display().to_string())
    };
    let about = std::fs::metadata(path).map_err(unreadable)?;
    if !about.is_file() {
        return Err(Fault::content("file-not-regular").at(path.display().to_string()));
    }
    Ok((File::open(path).map_err(unreadable)?, about.len()))
}

/// Reads a JSON file.
pub(crate) fn json(path: &Path) -> Result<Value, Fault> {
    let (file, length) = open(path)?;
    let place = path.display().to_string();
    if length > LARGEST_JSON {
        return Err(Fault::content("file-too-large").with("limit", maat_base::Bytes(LARGEST_JSON)).at(place));
    }
    let mut bytes = Vec::new();
    file.take(LARGEST_JSON).read_to_end(&mut bytes).map_err(|error| {
        Fault::content("file-unreadable").with("why", error.to_string()).at(place.clone())
    })?;
    parse(&bytes, &place)
}

/// Parses JSON; nesting is limited by the parser to 128 levels. `NaN` and `Infinity`, which Python writes into
/// configurations, become words, so that they are refused only where a number is needed.
pub(crate) fn parse(bytes: &[u8], place: &str) -> Result<Value, Fault> {
    check_values(bytes, place)?;
    // An object takes some 600 bytes, however small it is.
    let objects = bytes.iter().fold(0, |sum, byte| sum + usize::from(*byte == b'{'));
    if objects > MOST_OBJECTS {
        let fault = Fault::content("file-too-many-values").with("count", objects).with("limit", MOST_OBJECTS);
        return Err(fault.at(place.to_owned()));
    }
    serde_json::from_slice(bytes).or_else(|first| {
        let quoted = quote_python_numbers(bytes);
        let again = quoted.as_deref().map(serde_json::from_slice);
        again.and_then(Result::ok).ok_or_else(|| {
            let place = format!("{place}: line {}, column {}", first.line(), first.column());
            Fault::content("file-not-json").with("why", first.to_string()).at(place)
        })
    })
}

/// Puts quotes around Python's numbers that JSON does not have; `None` where there are none.
fn quote_python_numbers(bytes: &[u8]) -> Option<Vec<u8>> {
    const WORDS: [&[u8]; 3] = [b"NaN", b"-Infinity", b"Infinity"];
    let mut quoted = Vec::with_capacity(bytes.len() + 16);
    let (mut in_string, mut at, mut found) = (false, 0, false);
    while at < bytes.len() {
        let word = WORDS.iter().find(|word| !in_string && bytes[at..].starts_with(word));
        if let Some(word) = word {
            quoted.push(b'"');
            quoted.extend_from_slice(word);
            quoted.push(b'"');
            (at, found) = (at + word.len(), true);
            continue;
        }
        if in_string && bytes[at] == b'\\' && at + 1 < bytes.len() {
            quoted.push(bytes[at]);
            at += 1;
        } else if bytes[at] == b'"' {
            in_string = !in_string;
        }
        quoted.push(bytes[at]);
        at += 1;
    }
    found.then_some(quoted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn python_writes_numbers_that_json_lacks() {
        let text = br#"{"time_step_limit": [0.0, Infinity], "name": "a \" NaN"}"#;
        let value = parse(text, "config.json").unwrap();
        assert_eq!(value["time_step_limit"][1], "Infinity");
        assert_eq!(value["name"], "a \" NaN");
    }

    #[test]
    fn values_are_bounded() {
        let text = format!("[{}0]", "0,".repeat(MOST_VALUES));
        assert_eq!(parse(text.as_bytes(), "wide").unwrap_err().code, "file-too-many-values");
    }

    #[test]
    fn nesting_is_bounded() {
        let text = "[".repeat(200_000);
        assert_eq!(parse(text.as_bytes(), "deep").unwrap_err().code, "file-not-json");
    }
}
