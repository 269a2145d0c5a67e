//! Removes from a text what says who and where, for answers that are shown in public: host names, users, private
//! paths, identifiers of devices, addresses, tokens and keys.
//!
//! Names are learned first (from prompts, home folders, log prefixes) and then removed wherever they stand, so that a
//! name that is plain in one line does not leak through another. What a stack is judged by stays: versions, package
//! names, system folders and the part of a path below `site-packages`.

mod names;
mod path;
mod secret;
mod word;

use std::collections::BTreeSet;

/// What stands for something private; such a mark is not looked into again.
const MARKS: &[&str] =
    &["<key>", "<user>", "<host>", "<path>", "<token>", "<uuid>", "<secret>", "<mac>", "<ip>"];

fn starts_with_mark(text: &str) -> bool {
    MARKS.iter().any(|mark| text.starts_with(mark))
}

/// The text without what says who and where; names are learned from the same text.
pub fn redact(text: &str) -> String {
    let mut redactor = Redactor::default();
    redactor.learn(text);
    redactor.redact(text)
}

/// Knows the names that were seen, and removes them and everything that shows by its form.
#[derive(Clone, Debug, Default)]
pub struct Redactor {
    users: BTreeSet<String>,
    hosts: BTreeSet<String>,
}

impl Redactor {
    /// Takes in the user and host names that a text gives away.
    pub fn learn(&mut self, text: &str) {
        for line in text.lines() {
            names::learn(line, &mut self.users, &mut self.hosts);
        }
    }

    /// Takes in a user's name that was read elsewhere.
    pub fn know_user(&mut self, name: &str) {
        names::keep(name, &mut self.users);
    }

    /// Takes in a host's name that was read elsewhere.
    pub fn know_host(&mut self, name: &str) {
        names::keep(name, &mut self.hosts);
    }

    /// The text with everything private replaced by a word in angle brackets.
    pub fn redact(&self, text: &str) -> String {
        let mut clean = String::with_capacity(text.len());
        let mut in_key = false;
        for (index, line) in text.split('\n').enumerate() {
            let begins = line.contains("-----BEGIN") && line.contains("KEY");
            let ends = line.contains("-----END");
            if begins && !in_key {
                separate(&mut clean, index);
                clean.push_str("<key>");
            } else if !in_key {
                separate(&mut clean, index);
                self.redact_line(line, &mut clean);
            }
            in_key = (begins || in_key) && !ends;
        }
        clean
    }

    fn redact_line(&self, line: &str, clean: &mut String) {
        let mut rest = line;
        let mut context = word::Context::default();
        while !rest.is_empty() {
            if let Some(mark) = MARKS.iter().find(|mark| rest.starts_with(**mark)) {
                clean.push_str(mark);
                context.pass_word(mark);
                rest = &rest[mark.len()..];
                continue;
            }
            let gap = rest
                .char_indices()
                .find(|(at, c)| !word::is_delimiter(*c) || starts_with_mark(&rest[*at..]) && *at > 0)
                .map_or(rest.len(), |(at, _)| at);
            context.pass_delimiters(&rest[..gap]);
            clean.push_str(&rest[..gap]);
            rest = &rest[gap..];
            let end = rest.find(word::is_delimiter).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            if !word.is_empty() {
                let replaced = word::replace(word, &context);
                self.without_names(&replaced, clean);
                context.pass_word(word);
            }
            rest = after;
        }
    }

    /// Replaces learned names where they stand as whole words.
    fn without_names(&self, word: &str, clean: &mut String) {
        if self.users.is_empty() && self.hosts.is_empty() {
            clean.push_str(word);
            return;
        }
        let is_part = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
        let mut rest = word;
        while !rest.is_empty() {
            let gap = rest.find(is_part).unwrap_or(rest.len());
            clean.push_str(&rest[..gap]);
            rest = &rest[gap..];
            let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            let (part, after) = rest.split_at(end);
            let key = part.to_lowercase();
            match (self.users.contains(&key), self.hosts.contains(&key)) {
                (true, _) => clean.push_str("<user>"),
                (_, true) => clean.push_str("<host>"),
                _ => clean.push_str(part),
            }
            rest = after;
        }
    }
}

fn separate(clean: &mut String, index: usize) {
    if index > 0 {
        clean.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each private word of this text, and what must not be lost.
    const SECRETS: &str = include_str!("../../tests/secrets.txt");
    const PRIVATE: &str = include_str!("../../tests/secrets-private.txt");
    const KEPT: &str = include_str!("../../tests/secrets-kept.txt");

    #[test]
    fn nothing_private_is_left() {
        let clean = redact(SECRETS);
        for word in PRIVATE.lines().filter(|line| !line.is_empty()) {
            assert!(SECRETS.contains(word), "`{word}` is not in the text, so its absence proves nothing");
            assert!(!clean.to_lowercase().contains(&word.to_lowercase()), "`{word}` is left in:\n{clean}");
        }
    }

    #[test]
    fn what_a_stack_is_judged_by_stays() {
        let clean = redact(SECRETS);
        for word in KEPT.lines().filter(|line| !line.is_empty()) {
            assert!(clean.contains(word), "`{word}` was lost from:\n{clean}");
        }
    }

    #[test]
    fn redacting_twice_changes_nothing_more() {
        let once = redact(SECRETS);
        assert_eq!(redact(&once), once);
    }

    proptest::proptest! {
        #[test]
        fn total_on_any_text(text in "\\PC{0,200}") {
            let _ = redact(&text);
        }

        #[test]
        fn an_address_never_survives(a in 1u8..=254, b: u8, c: u8, d in 1u8..=254) {
            let address = format!("{a}.{b}.{c}.{d}");
            let clean = redact(&format!("connect to {address}:29500 failed"));
            proptest::prop_assert!(!clean.contains(&address));
        }
    }
}
