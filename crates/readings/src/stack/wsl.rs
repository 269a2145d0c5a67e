//! `wsl -l -v` of Windows: the version of WSL that the default or a running distribution has.

use super::Found;
use crate::fact::Strength;
use crate::{Input, Key, Reader, Reading};

/// The reader's line in the registry.
pub const READER: Reader = Reader { kind: "wsl", recognises, read };

fn is_header(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    words == ["NAME", "STATE", "VERSION"]
}

fn recognises(input: &Input) -> bool {
    input.lines().any(|(_, line)| is_header(line))
}

fn read(input: &Input) -> Reading {
    let mut found = Found::default();
    let mut lines = input.lines().skip_while(|(_, line)| !is_header(line)).skip(1);
    // The default distribution has a star; it decides.
    let rows = lines.by_ref().map_while(|(place, line)| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let version = words.last().copied().filter(|version| matches!(*version, "1" | "2"))?;
        (words.len() >= 3).then(|| (place, version, words[0] == "*"))
    });
    let rows: Vec<_> = rows.collect();
    if let Some((place, version, _)) = rows.iter().find(|row| row.2).or_else(|| rows.first()) {
        found.fact(Key::Wsl, *version, place, Strength::Exact);
    }
    Reading::Stack(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_distribution_decides() {
        let text = "  NAME      STATE           VERSION\n  Debian    Stopped         2\n* Ubuntu    Running         1\n";
        let Reading::Stack(found) = read(&Input::new("t", text.as_bytes())) else { panic!() };
        assert_eq!(found.facts[0].value, "1");
        assert!(!recognises(&Input::new("t", b"NAME and STATE")));
    }
}
