//! A pasted text or file, made readable line by line.

use std::borrow::Cow;
use std::sync::Arc;

use crate::Place;

/// More of a file than this is not looked at: the middle is left out, the beginning and the end are kept.
pub const INPUT_LIMIT_BYTES: usize = 64 << 20;

/// What was handed over under a name: a file's content, a paste, standard input.
#[derive(Clone, Debug)]
pub struct Input {
    /// The name that places carry.
    pub name: Arc<str>,
    /// The content as text: UTF-8 or UTF-16, invalid bytes replaced, colour codes removed.
    text: String,
    /// Start of each line in `text`.
    starts: Vec<usize>,
    /// Whether the middle of the content was left out.
    pub cut: bool,
}

impl Input {
    /// Makes bytes readable. Never fails.
    pub fn new(name: &str, bytes: &[u8]) -> Self {
        let half = INPUT_LIMIT_BYTES / 2;
        let cut = bytes.len() > INPUT_LIMIT_BYTES;
        let text = if cut {
            let mut both = bytes[..half].to_vec();
            both.push(b'\n');
            both.extend_from_slice(&bytes[bytes.len() - half..]);
            plain_text(&both)
        } else {
            plain_text(bytes)
        };
        let starts =
            std::iter::once(0).chain(memchr::memchr_iter(b'\n', text.as_bytes()).map(|i| i + 1)).collect();
        Self { name: Arc::from(name), text, starts, cut }
    }

    /// The whole text, lines divided by a line feed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The lines with their places, without line ends.
    pub fn lines(&self) -> impl Iterator<Item = (Place, &str)> {
        self.text
            .split('\n')
            .enumerate()
            .map(|(index, line)| (self.place(index), line.trim_end_matches('\r')))
    }

    /// The place of a byte offset in [`Self::text`].
    pub fn place_at(&self, offset: usize) -> Place {
        self.place(self.starts.partition_point(|&start| start <= offset).saturating_sub(1))
    }

    /// The line in which a byte offset stands.
    pub fn line_at(&self, offset: usize) -> &str {
        let index = self.starts.partition_point(|&start| start <= offset).saturating_sub(1);
        let start = self.starts.get(index).copied().unwrap_or(0);
        let end = self.starts.get(index + 1).map_or(self.text.len(), |next| next - 1);
        self.text.get(start..end).unwrap_or("")
    }

    /// The place of a byte offset, its line, and the offset within that.
    pub fn line_around(&self, offset: usize) -> (Place, &str, usize) {
        let index = self.starts.partition_point(|&start| start <= offset).saturating_sub(1);
        let start = self.starts.get(index).copied().unwrap_or(0);
        (self.place(index), self.line_at(offset), offset.saturating_sub(start))
    }

    fn place(&self, index: usize) -> Place {
        Place { file: Arc::clone(&self.name), line: u32::try_from(index + 1).unwrap_or(u32::MAX) }
    }
}

fn plain_text(bytes: &[u8]) -> String {
    let text = match bytes {
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    };
    without_controls(&text).into_owned()
}

fn utf16(bytes: &[u8], from: fn([u8; 2]) -> u16) -> String {
    let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| from([pair[0], pair[1]])).collect();
    String::from_utf16_lossy(&units)
}

/// Drops terminal escape sequences, keeps the last state of a line that a carriage return rewrote, and turns other
/// control characters into spaces.
fn without_controls(text: &str) -> Cow<'_, str> {
    let unusual = |c: char| c.is_control() && c != '\n' || c == '\u{a0}';
    if !text.chars().any(unusual) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '\u{1b}' => skip_escape(&mut characters),
            '\r' if characters.peek() != Some(&'\n') => plain.push('\n'),
            '\r' => {}
            c if unusual(c) => plain.push(' '),
            c => plain.push(c),
        }
    }
    Cow::Owned(plain)
}

fn skip_escape(characters: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    match characters.peek() {
        Some('[') => {
            characters.next();
            while characters.peek().is_some_and(|c| !c.is_ascii_alphabetic() && *c != '\n') {
                characters.next();
            }
            if characters.peek().is_some_and(char::is_ascii_alphabetic) {
                characters.next();
            }
        }
        Some(c) if *c != '\n' => {
            characters.next();
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf16_colours_and_rewritten_lines_become_plain_lines() {
        let utf16: Vec<u8> =
            [0xFF, 0xFE].into_iter().chain("a\r\nb".encode_utf16().flat_map(u16::to_le_bytes)).collect();
        let input = Input::new("x", &utf16);
        assert_eq!(input.lines().map(|(_, line)| line.to_owned()).collect::<Vec<_>>(), ["a", "b"]);
        let input = Input::new("x", b"\x1b[31mred\x1b[0m\r50%\r\n100%\tdone");
        assert_eq!(input.text(), "red\n50%\n100% done");
    }

    #[test]
    fn offsets_have_lines() {
        let input = Input::new("x", b"one\ntwo\n\nfour");
        assert_eq!(input.place_at(0).line, 1);
        assert_eq!(input.place_at(4).line, 2);
        assert_eq!(input.place_at(9).line, 4);
        assert_eq!(input.line_at(5), "two");
        assert_eq!(input.line_at(12), "four");
    }
}
