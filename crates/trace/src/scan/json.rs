//! Just enough JSON: the next sign, a string, a number, and how to skip a value.

use memchr::{memchr, memchr2};

use super::{Cause, Source, Trouble};

/// Brackets within brackets that are followed; profilers write fewer than ten levels.
const DEPTH_LIMIT: usize = 1024;

/// What is kept of a string or number; the rest is skipped.
const TEXT_LIMIT: usize = 16 << 10;

/// Reads values of a [`Source`] one after the other.
pub(crate) struct Scanner<'a> {
    source: Source<'a>,
    /// Holds a text that crosses the end of the buffer or has escapes.
    scratch: Vec<u8>,
}

impl<'a> Scanner<'a> {
    /// A scanner at the start of the text.
    pub(crate) fn new(source: Source<'a>) -> Self {
        Self { source, scratch: Vec::new() }
    }

    /// Trouble at the present place.
    #[cold]
    pub(crate) fn trouble(&self, cause: Cause) -> Trouble {
        self.source.trouble(cause)
    }

    /// The next byte that is not white space, without consuming it; `None` at the end.
    #[inline]
    pub(crate) fn peek(&mut self) -> Result<Option<u8>, Trouble> {
        loop {
            let window = self.source.window()?;
            if window.is_empty() {
                return Ok(None);
            }
            let blank = window.iter().take_while(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t')).count();
            let next = window.get(blank).copied();
            self.source.advance(blank);
            if next.is_some() {
                return Ok(next);
            }
        }
    }

    /// The same where something must follow.
    #[inline]
    pub(crate) fn next(&mut self) -> Result<u8, Trouble> {
        self.peek()?.ok_or_else(|| self.trouble(Cause::EndsEarly))
    }

    /// Consumes the byte that [`Self::next`] showed.
    #[inline]
    pub(crate) fn take(&mut self) {
        self.source.advance(1);
    }

    /// Consumes one given sign.
    #[inline]
    pub(crate) fn expect(&mut self, sign: u8) -> Result<(), Trouble> {
        if self.next()? != sign {
            return Err(self.trouble(Cause::Syntax));
        }
        self.take();
        Ok(())
    }

    /// After a member or element: whether another follows; consumes the comma or the closing bracket.
    #[inline]
    pub(crate) fn another(&mut self, close: u8) -> Result<bool, Trouble> {
        match self.next()? {
            b',' => {
                self.take();
                // A comma before the closing bracket is forgiven: some exporters write it.
                if self.next()? == close {
                    self.take();
                    return Ok(false);
                }
                Ok(true)
            }
            byte if byte == close => {
                self.take();
                Ok(false)
            }
            _ => Err(self.trouble(Cause::Syntax)),
        }
    }

    /// Consumes the opening bracket; whether there is a first member or element.
    #[inline]
    pub(crate) fn open(&mut self, open: u8, close: u8) -> Result<bool, Trouble> {
        self.expect(open)?;
        if self.next()? == close {
            self.take();
            return Ok(false);
        }
        Ok(true)
    }

    /// Reads a key and its colon, and makes something of the key.
    #[inline]
    pub(crate) fn key<T>(&mut self, make: impl FnOnce(&[u8]) -> T) -> Result<T, Trouble> {
        if self.next()? != b'"' {
            return Err(self.trouble(Cause::Syntax));
        }
        let result = self.string(make)?;
        self.expect(b':')?;
        Ok(result)
    }

    /// Reads a string whose opening quote is next, and makes something of its text.
    #[inline]
    pub(crate) fn string<T>(&mut self, make: impl FnOnce(&[u8]) -> T) -> Result<T, Trouble> {
        self.take();
        let window = self.source.window()?;
        if let Some(end) = memchr2(b'"', b'\\', window)
            && window[end] == b'"'
        {
            let result = make(&window[..end.min(TEXT_LIMIT)]);
            self.source.advance(end + 1);
            return Ok(result);
        }
        self.gather()?;
        Ok(make(&self.scratch))
    }

    /// Collects a string with escapes, or one that the buffer holds only a part of.
    #[cold]
    fn gather(&mut self) -> Result<(), Trouble> {
        self.scratch.clear();
        loop {
            let window = self.source.window()?;
            if window.is_empty() {
                return Err(self.trouble(Cause::EndsEarly));
            }
            let plain = memchr2(b'"', b'\\', window).unwrap_or(window.len());
            let room = TEXT_LIMIT.saturating_sub(self.scratch.len());
            self.scratch.extend_from_slice(&window[..plain.min(room)]);
            let sign = window.get(plain).copied();
            self.source.advance(plain + usize::from(sign.is_some()));
            match sign {
                Some(b'"') => return Ok(()),
                Some(_) => self.escape()?,
                None => {}
            }
        }
    }

    fn byte(&mut self) -> Result<u8, Trouble> {
        match self.source.window()?.first().copied() {
            Some(byte) => {
                self.source.advance(1);
                Ok(byte)
            }
            None => Err(self.trouble(Cause::EndsEarly)),
        }
    }

    fn escape(&mut self) -> Result<(), Trouble> {
        let character = match self.byte()? {
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'u' => self.escaped_unit()?,
            other => char::from(other),
        };
        if self.scratch.len() + 4 <= TEXT_LIMIT {
            self.scratch.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        }
        Ok(())
    }

    /// Four hexadecimal digits. Halves of a pair become a replacement character, and so does what is no such escape
    /// (a path of Windows that was not escaped): no name depends on them.
    fn escaped_unit(&mut self) -> Result<char, Trouble> {
        let mut unit = 0;
        for _ in 0..4 {
            let next = self.source.window()?.first().copied();
            let Some(digit) = next.and_then(|byte| char::from(byte).to_digit(16)) else {
                return Ok(char::REPLACEMENT_CHARACTER);
            };
            self.source.advance(1);
            unit = unit * 16 + digit;
        }
        Ok(char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    /// Reads a number or another bare word, and makes something of its text.
    #[inline]
    pub(crate) fn word<T>(&mut self, make: impl FnOnce(&[u8]) -> T) -> Result<T, Trouble> {
        let window = self.source.window()?;
        let length = window.iter().take_while(|byte| !ends_word(**byte)).count();
        if length > 0 && length < window.len() {
            let result = make(&window[..length]);
            self.source.advance(length);
            return Ok(result);
        }
        self.gather_word()?;
        Ok(make(&self.scratch))
    }

    #[cold]
    fn gather_word(&mut self) -> Result<(), Trouble> {
        self.scratch.clear();
        loop {
            let window = self.source.window()?;
            let length = window.iter().take_while(|byte| !ends_word(**byte)).count();
            let room = TEXT_LIMIT.saturating_sub(self.scratch.len());
            self.scratch.extend_from_slice(&window[..length.min(room)]);
            let ends = length < window.len() || window.is_empty();
            self.source.advance(length);
            if ends {
                break;
            }
        }
        if self.scratch.is_empty() { Err(self.trouble(Cause::Syntax)) } else { Ok(()) }
    }

    /// Makes something of the text of a string or of a bare word; `None` for an object or array, which is skipped.
    #[inline]
    pub(crate) fn scalar<T>(&mut self, make: impl FnOnce(&[u8]) -> T) -> Result<Option<T>, Trouble> {
        match self.next()? {
            b'"' => self.string(make).map(Some),
            b'{' | b'[' => self.skip().map(|()| None),
            _ => self.word(make).map(Some),
        }
    }

    /// Skips the next value, whatever it is.
    pub(crate) fn skip(&mut self) -> Result<(), Trouble> {
        match self.next()? {
            b'"' => {
                self.take();
                self.skip_string()
            }
            b'{' | b'[' => self.skip_brackets(),
            _ => self.word(|_| ()),
        }
    }

    /// Skips to the end of a string whose opening quote was consumed.
    #[inline]
    fn skip_string(&mut self) -> Result<(), Trouble> {
        loop {
            let window = self.source.window()?;
            if window.is_empty() {
                return Err(self.trouble(Cause::EndsEarly));
            }
            match memchr2(b'"', b'\\', window) {
                Some(end) if window[end] == b'"' => {
                    self.source.advance(end + 1);
                    return Ok(());
                }
                Some(escape) => {
                    self.source.advance(escape + 1);
                    self.byte()?;
                }
                None => {
                    let whole = window.len();
                    self.source.advance(whole);
                }
            }
        }
    }

    fn skip_brackets(&mut self) -> Result<(), Trouble> {
        let mut brackets = Brackets::default();
        loop {
            let window = self.source.window()?;
            if window.is_empty() {
                return Err(self.trouble(Cause::EndsEarly));
            }
            let (consumed, state) = brackets.walk(window);
            self.source.advance(consumed);
            match state {
                Walk::More => {}
                Walk::Closed => return Ok(()),
                Walk::InString => self.skip_string()?,
                Walk::Wrong(cause) => return Err(self.trouble(cause)),
            }
        }
    }
}

fn ends_word(byte: u8) -> bool {
    matches!(byte, b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t' | b':' | b'{' | b'[' | b'"')
}

/// Open brackets: one bit a level says which kind.
struct Brackets {
    depth: usize,
    objects: [u64; DEPTH_LIMIT / 64],
}

impl Default for Brackets {
    fn default() -> Self {
        Self { depth: 0, objects: [0; DEPTH_LIMIT / 64] }
    }
}

/// How far a walk came.
enum Walk {
    /// The window is used up.
    More,
    /// The last bracket closed.
    Closed,
    /// A string began and does not end plainly within the window.
    InString,
    /// Something is wrong.
    Wrong(Cause),
}

impl Brackets {
    /// Walks over a window; returns how many bytes were consumed.
    fn walk(&mut self, window: &[u8]) -> (usize, Walk) {
        let mut at = 0;
        while let Some(byte) = window.get(at) {
            at += 1;
            match byte {
                b'"' => match window.get(at..).and_then(plain_end) {
                    Some(end) => at += end + 1,
                    None => return (at, Walk::InString),
                },
                b'{' | b'[' if self.opened(*byte == b'{') => {}
                b'{' | b'[' => return (at, Walk::Wrong(Cause::TooDeep)),
                b'}' | b']' => {
                    if !self.closed(*byte == b'}') {
                        return (at, Walk::Wrong(Cause::Syntax));
                    }
                    if self.depth == 0 {
                        return (at, Walk::Closed);
                    }
                }
                _ => {}
            }
        }
        (at, Walk::More)
    }

    fn opened(&mut self, object: bool) -> bool {
        let Some(word) = self.objects.get_mut(self.depth / 64) else { return false };
        let bit = 1 << (self.depth % 64);
        if object {
            *word |= bit;
        } else {
            *word &= !bit;
        }
        self.depth += 1;
        true
    }

    fn closed(&mut self, object: bool) -> bool {
        let Some(level) = self.depth.checked_sub(1) else { return false };
        self.depth = level;
        (self.objects[level / 64] >> (level % 64) & 1 == 1) == object
    }
}

/// The end of a string without escapes that lies within the window.
#[inline]
fn plain_end(window: &[u8]) -> Option<usize> {
    let end = memchr(b'"', window)?;
    // Most strings are short; a backslash before the quote sends the string to the careful path.
    if memchr(b'\\', &window[..end]).is_some() { None } else { Some(end) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scanner(text: &[u8]) -> Scanner<'_> {
        Scanner::new(Source::new(text, u64::MAX).unwrap())
    }

    #[test]
    fn strings_are_unescaped() {
        let mut scanner = scanner(br#""a\"b\\cA\n""#);
        assert_eq!(scanner.scalar(<[u8]>::to_vec).unwrap().unwrap(), b"a\"b\\cA\n");
    }

    #[test]
    fn escapes_that_are_none_do_not_end_a_string() {
        let mut scanner = scanner(br#""C:\users\x" 7"#);
        assert_eq!(scanner.scalar(<[u8]>::to_vec).unwrap().unwrap(), "C:\u{fffd}sersx".as_bytes());
        assert_eq!(scanner.scalar(<[u8]>::to_vec).unwrap().unwrap(), b"7");
    }

    #[test]
    fn values_are_skipped_whole() {
        for text in [r#"{"a":[1,{"b":"}]\"\\"}],"c":nan}"#, "[]", "12.5", "\"x\\\\\"", "-inf", "null"] {
            let padded = format!(" {text} ,");
            let mut scanner = scanner(padded.as_bytes());
            scanner.skip().unwrap();
            assert_eq!(scanner.next().unwrap(), b',', "{text}");
        }
    }

    #[test]
    fn long_texts_are_cut_but_consumed() {
        let text = format!("\"{}\":{} ", "x".repeat(1 << 20), "9".repeat(1 << 20));
        let mut scanner = scanner(text.as_bytes());
        assert_eq!(scanner.scalar(<[u8]>::len).unwrap(), Some(TEXT_LIMIT));
        scanner.expect(b':').unwrap();
        assert_eq!(scanner.scalar(<[u8]>::len).unwrap(), Some(TEXT_LIMIT));
        assert_eq!(scanner.peek().unwrap(), None);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let cause = |text: &[u8]| scanner(text).skip().unwrap_err().cause;
        assert_eq!(cause(b"{\"a\":1"), Cause::EndsEarly);
        assert_eq!(cause(b"\"abc"), Cause::EndsEarly);
        assert_eq!(cause(b"\"abc\\"), Cause::EndsEarly);
        assert_eq!(cause(b"[}"), Cause::Syntax);
        assert_eq!(cause(b"}"), Cause::Syntax);
        assert_eq!(cause("[".repeat(200_000).as_bytes()), Cause::TooDeep);
    }
}
