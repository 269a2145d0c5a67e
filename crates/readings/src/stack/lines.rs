//! Lines with a known meaning, as data: `facts/doctor/signs.csv`.
//!
//! A row names a sign, the facts that it sets, how far to trust them, and the pattern ([`super::pattern`]). What a row
//! sets is `key={hole}`, several divided by `;`. A hole may be changed on the way: `{x|mm}` is major and minor,
//! `{x|api}` the driver interface's number, `{x|sm}` a capability, `{x|cu}` a tag such as `cu128`, `{x|win}` the number
//! that Windows shows.

use std::sync::LazyLock;

use super::pattern::{Haystack, Match, Pattern};
use super::{Found, hearsay, versions};
use crate::fact::Strength;
use crate::{Fact, Input, Key, Reader, Reading};

/// The reader's line in the registry.
pub const READER: Reader = Reader { kind: "log", recognises, read };

/// The rows' text.
const SIGNS: &str = include_str!("../../../../facts/doctor/signs.csv");
/// A line that stands a thousand times in a log is evidence once; more than this of one row is not kept.
const MATCHES_LIMIT: usize = 32;

/// A row of `facts/doctor/signs.csv`.
#[derive(Debug)]
pub struct Row {
    /// The sign's name; empty for a row that only sets facts.
    pub sign: String,
    sets: Vec<(Key, String)>,
    strength: Strength,
    pattern: Pattern,
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| parse(SIGNS).unwrap_or_default());

/// All rows.
pub fn rows() -> &'static [Row] {
    &ROWS
}

/// Reads rows; says which one is wrong.
pub fn parse(text: &str) -> Result<Vec<Row>, String> {
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    reader
        .records()
        .map(|row| {
            let row = row.map_err(|error| error.to_string())?;
            let cell = |index: usize| row.get(index).unwrap_or("").trim();
            Ok(Row {
                sign: cell(0).to_owned(),
                sets: parse_sets(cell(1))?,
                strength: parse_strength(cell(2))?,
                pattern: Pattern::parse(cell(3))?,
            })
        })
        .collect()
}

fn parse_sets(text: &str) -> Result<Vec<(Key, String)>, String> {
    text.split(';')
        .filter(|part| !part.is_empty())
        .map(|part| {
            let (key, value) = part.split_once('=').ok_or_else(|| format!("`{part}` sets nothing"))?;
            let key = Key::ALL
                .iter()
                .find(|known| known.name() == key)
                .ok_or_else(|| format!("`{key}` is no key"))?;
            Ok((*key, value.to_owned()))
        })
        .collect()
}

fn parse_strength(text: &str) -> Result<Strength, String> {
    match text {
        "implied" => Ok(Strength::Implied),
        "told" => Ok(Strength::Told),
        "" | "printed" => Ok(Strength::Printed),
        "exact" => Ok(Strength::Exact),
        other => Err(format!("`{other}` is no strength")),
    }
}

fn recognises(input: &Input) -> bool {
    let haystack = Haystack::new(input.text());
    rows().iter().any(|row| row.pattern.find_at(&haystack, 0).is_some())
}

fn read(input: &Input) -> Reading {
    let haystack = Haystack::new(input.text());
    let mut found = Found::default();
    for row in rows() {
        for hit in row.pattern.find_all(&haystack).take(MATCHES_LIMIT) {
            take(row, &hit, input, &mut found);
        }
    }
    Reading::Stack(found)
}

fn take(row: &'static Row, hit: &Match<'_>, input: &Input, found: &mut Found) {
    let (place, line, column) = input.line_around(hit.start);
    let reports = row.strength == Strength::Printed && !row.sign.is_empty();
    if reports && hearsay::is_hearsay(line, column) {
        return;
    }
    if !row.sign.is_empty() {
        let value = hit.get("value").or_else(|| hit.captures.first().map(|(_, value)| *value));
        found.sign_with(&row.sign, value.map(str::to_owned), line, &place);
    }
    for (key, template) in &row.sets {
        if let Some(value) = fill(template, hit) {
            found.facts.push(Fact::printed(*key, value, place.clone()).with_strength(row.strength));
        }
    }
}

fn fill(template: &str, hit: &Match<'_>) -> Option<String> {
    let mut filled = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let (hole, after) = after.split_once('}')?;
        let (name, change) = hole.split_once('|').unwrap_or((hole, ""));
        let value = hit.get(name)?;
        filled.push_str(&match change {
            "mm" => versions::major_minor(value)?,
            "api" => versions::of_api_number(value)?,
            "sm" => versions::capability_of_sm(value)?,
            "cu" => versions::of_cu_tag(value)?,
            "win" => versions::of_windows_driver(value)?,
            "sms" => sm_list(value)?,
            "file" => value.rsplit('/').next()?.to_owned(),
            _ => value.to_owned(),
        });
        rest = after;
    }
    filled.push_str(rest);
    (!filled.is_empty()).then_some(filled)
}

/// `sm_70 sm_75 compute_90` is `70,75,compute_90`.
fn sm_list(text: &str) -> Option<String> {
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || ",;'\"[]".contains(c))
        .map(|word| word.trim_end_matches('.'))
        .filter(|word| word.starts_with("sm_") || word.starts_with("compute_"))
        .filter(|word| versions::capability_of_sm(word).is_some())
        .map(|word| word.trim_start_matches("sm_"))
        .collect();
    (!words.is_empty()).then(|| words.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_parses() {
        let rows = parse(SIGNS).unwrap();
        assert!(rows.len() > 100, "only {} rows", rows.len());
    }

    fn stack(text: &str) -> Found {
        let Reading::Stack(found) = read(&Input::new("t", text.as_bytes())) else { panic!() };
        found
    }

    fn value(text: &str, key: Key) -> Option<String> {
        stack(text).facts.into_iter().find(|fact| fact.key == key).map(|fact| fact.value)
    }

    #[test]
    fn facts_of_lines() {
        let list = "The current PyTorch install supports CUDA capabilities sm_50 sm_60 compute_60.";
        assert_eq!(value(list, Key::WheelArchs).as_deref(), Some("50,60,compute_60"));
        assert_eq!(value("(found version 12080)", Key::DriverCuda).as_deref(), Some("12.8"));
        assert_eq!(value("Error 802: system not yet initialized", Key::CudaError).as_deref(), Some("802"));
        assert_eq!(value("driver 570.86.10.", Key::Driver).as_deref(), Some("570.86.10"));
    }
}
