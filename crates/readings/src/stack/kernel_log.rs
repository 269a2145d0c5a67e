//! Xids in the kernel log.

use std::collections::BTreeMap;

use super::{Found, hearsay};
use crate::{Input, Key, Place, Reader, Reading};

/// The reader's line in the registry.
pub const READER: Reader = Reader { kind: "kernel-log", recognises, read };

fn recognises(input: &Input) -> bool {
    input.text().contains("Xid")
}

fn read(input: &Input) -> Reading {
    let mut found = Found::default();
    let mut numbers: BTreeMap<u32, Place> = BTreeMap::new();
    for (place, line) in input.lines() {
        for number in xids(line) {
            found.sign_with("xid", Some(number.to_string()), line, &place);
            numbers.entry(number).or_insert_with(|| place.clone());
        }
    }
    if let Some(place) = numbers.values().next() {
        let list: Vec<String> = numbers.keys().map(ToString::to_string).collect();
        found.printed(Key::Xids, list.join(","), place);
    }
    Reading::Stack(found)
}

/// The Xids that a line reports: `NVRM: Xid (PCI:0000:9c:00): 79, …` of the kernel's log, and `Xid 79` in a person's or
/// a tool's words, unless these only talk about it.
fn xids(line: &str) -> Vec<u32> {
    let found = line.match_indices("Xid").filter_map(|(at, _)| {
        let number = number_at(line, at)?;
        let reported =
            is_log_line(line, at) || !hearsay::is_talk_of_number(line, at) && !is_denied(&line[..at]);
        reported.then_some(number)
    });
    let mut numbers: Vec<u32> = found.collect();
    numbers.dedup();
    numbers
}

/// Whether the kernel itself wrote the line: only a time, a host and a mark of a quotation may stand before `NVRM:`.
fn is_log_line(line: &str, at: usize) -> bool {
    let Some(before) = line[..at].trim_end().strip_suffix("NVRM:") else { return false };
    let before = before.trim().trim_start_matches(['>', '|', '$', '+', '*', '-', '#', '`', '"']).trim();
    before.is_empty()
        || before.ends_with("kernel:")
        || before.ends_with(']')
        || before.ends_with("kern:")
        || is_stamp(before)
}

/// `2026-03-01T10:00:00 host kernel` and the like: mostly digits.
fn is_stamp(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit()) && text.split_whitespace().count() <= 4
}

fn number_at(line: &str, at: usize) -> Option<u32> {
    if line[..at].ends_with(char::is_alphanumeric) {
        return None;
    }
    let rest = &line[at + "Xid".len()..];
    let rest = match rest.trim_start().strip_prefix('(') {
        Some(inner) => inner.split_once(')')?.1.trim_start().strip_prefix(':')?,
        None => rest.trim_start_matches([':', '=', '#']),
    };
    let rest = rest.trim_start();
    let digits = &rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())];
    let ends_well = !rest[digits.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
    digits.parse().ok().filter(|number| (1..400).contains(number) && ends_well)
}

/// `No Xid 79 in dmesg`: a person says that it was not seen. What is said after a comma or a "but" is another statement.
fn is_denied(before: &str) -> bool {
    let lower = before.to_ascii_lowercase();
    let clause = lower.rsplit(['.', ';', ':', ',']).next().unwrap_or(&lower);
    let clause = [" but ", " only ", " however ", " instead "]
        .iter()
        .fold(clause, |clause, word| clause.rsplit(word).next().unwrap_or(clause));
    let mut words = clause.split(|c: char| !c.is_alphanumeric() && c != '\'');
    words.any(|word| {
        ["no", "not", "without", "never", "nor", "neither", "isn't", "don't", "didn't", "wasn't", "haven't"]
            .contains(&word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_every_notation() {
        assert_eq!(xids("[1.0] NVRM: Xid (PCI:0000:9c:00): 79, pid=1, GPU has fallen"), [79]);
        assert_eq!(xids("NVRM: Xid (PCI:0000:9c:00 GPU-I:02): 48, DBE"), [48]);
        assert_eq!(xids("Mar 01 10:00:00 node7 kernel: NVRM: Xid (PCI:0000:9c:00): 31, pid=1"), [31]);
        assert_eq!(xids("the log shows Xid 63 twice"), [63]);
        assert_eq!(xids("It does not start. The log shows Xid 79"), [79]);
        for line in ["NVRM: Xid (PCI:0000:9c:00", "SXid (PCI:0000:9c:00): 12028", "Xid errors"] {
            assert!(xids(line).is_empty(), "{line}");
        }
    }

    #[test]
    fn what_is_denied_and_what_is_not() {
        assert!(xids("No Xid 79 in dmesg").is_empty());
        assert_eq!(xids("no Xid 79 here, dmesg has NVRM: Xid (PCI:0000:9c:00): 119, Timeout"), [119]);
        assert_eq!(xids("we don't see Xid 79 but Xid 31"), [31]);
        assert_eq!(xids("[1.0] NVRM: Xid (PCI:0000:9c:00): 31, pid=1, not 79"), [31]);
    }

    /// Documentation, advice and the past are no report of this machine.
    #[test]
    fn what_is_only_talked_about() {
        for line in [
            "Xid 79 means that the GPU has fallen off the bus.",
            "If you see `NVRM: Xid (PCI:0000:00:00): 79` in dmesg, reseat the card.",
            "Last week we saw Xid 79 on another node, that card was replaced.",
            "Xid 48 indicates a double bit ECC error",
            "See https://docs.nvidia.com/deploy/xid-errors/ for Xid 79",
            "someone on the forum had Xid 79 with the same board",
        ] {
            assert!(xids(line).is_empty(), "{line}");
        }
    }
}
