//! Xids in the kernel log.

use std::collections::BTreeMap;

use super::Found;
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
        let Some(number) = xid(line) else { continue };
        found.sign_with("xid", Some(number.to_string()), line, &place);
        numbers.entry(number).or_insert(place);
    }
    if let Some(place) = numbers.values().next() {
        let list: Vec<String> = numbers.keys().map(ToString::to_string).collect();
        found.printed(Key::Xids, list.join(","), place);
    }
    Reading::Stack(found)
}

/// `NVRM: Xid (PCI:0000:9c:00): 79, …`, and `Xid 79` in a person's or a tool's words.
fn xid(line: &str) -> Option<u32> {
    let at = line.find("Xid")?;
    let before = line[..at].chars().next_back();
    if before.is_some_and(char::is_alphanumeric) {
        return None;
    }
    let rest = &line[at + 3..];
    if !line.contains("NVRM") && is_denied(&line[..at]) {
        return None;
    }
    let rest = match rest.trim_start().strip_prefix('(') {
        Some(inner) => inner.split_once(')')?.1.trim_start().strip_prefix(':')?,
        None => rest.trim_start_matches([':', '=', '#']),
    };
    let rest = rest.trim_start();
    let digits = &rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())];
    let ends_well = !rest[digits.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
    digits.parse().ok().filter(|number| (1..400).contains(number) && ends_well)
}

/// `No Xid 79 in dmesg`: a person says that it was not seen.
fn is_denied(before: &str) -> bool {
    let clause = before.rsplit(['.', ';', ':']).next().unwrap_or(before).to_ascii_lowercase();
    let mut words = clause.split(|c: char| !c.is_alphanumeric() && c != '\'');
    words.any(|word| {
        ["no", "not", "without", "never", "nor", "neither", "isn't", "don't", "didn't"].contains(&word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_every_notation() {
        assert_eq!(xid("[1.0] NVRM: Xid (PCI:0000:9c:00): 79, pid=1, GPU has fallen"), Some(79));
        assert_eq!(xid("NVRM: Xid (PCI:0000:9c:00 GPU-I:02): 48, DBE"), Some(48));
        assert_eq!(xid("the log shows Xid 63 twice"), Some(63));
        assert_eq!(xid("NVRM: Xid (PCI:0000:9c:00"), None);
        assert_eq!(xid("SXid (PCI:0000:9c:00): 12028"), None);
        assert_eq!(xid("Xid errors"), None);
        assert_eq!(xid("No Xid 79 in dmesg"), None);
        assert_eq!(xid("It does not start. The log shows Xid 79"), Some(79));
    }
}
