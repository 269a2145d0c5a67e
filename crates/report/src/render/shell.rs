//! Commands to copy.

/// A word as a POSIX shell must see it.
pub fn word(text: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_./:=,@%+".contains(&b);
    if !text.is_empty() && text.bytes().all(plain) {
        text.to_owned()
    } else if text.contains(['"', '$', '`', '\\', '!']) {
        format!("'{}'", text.replace('\'', "'\\''"))
    } else {
        format!("\"{text}\"")
    }
}

/// A command of words.
pub fn command<S: AsRef<str>>(words: impl IntoIterator<Item = S>) -> String {
    let words: Vec<String> = words.into_iter().map(|one| word(one.as_ref())).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_needs_quotes_gets_them() {
        assert_eq!(command(["maat", "size", "--gpu", "2x RTX 4090"]), "maat size --gpu \"2x RTX 4090\"");
        assert_eq!(word("a$b"), "'a$b'");
        assert_eq!(word(""), "\"\"");
        assert_eq!(word("?x H100"), "\"?x H100\"");
    }
}
