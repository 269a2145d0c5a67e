//! Patterns of lines that tools print, written as data: literal text with typed holes.
//!
//! `NVRM: Xid (PCI:{:word}): {xid:int}` matches wherever the literal parts stand, whatever their case; a space matches
//! any white space, a line's end included, so that a pasted text may be wrapped. `*` stands for anything within a line,
//! as little as possible. A pattern begins with a literal. It matches whole words at both ends; a leading `~` lifts that
//! at the beginning.

/// What may stand in a hole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// Digits.
    Int,
    /// Digits and dots, at least one dot: `12.8`, `570.86.10`.
    Dotted,
    /// A driver's version: three digits, and groups after dots if any.
    Driver,
    /// A version with letters: `2.7.0.dev20250101+cu128`.
    Version,
    /// Up to white space, a quote or a bracket.
    Word,
    /// Up to a comma, a bracket, a bar or the line's end.
    Name,
    /// To the line's end.
    Rest,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Literal(Vec<u8>),
    Space,
    Anything,
    Hole(Option<String>, Class),
}

/// How far a `*` may reach.
const ANYTHING_LIMIT: usize = 160;

/// A parsed pattern.
#[derive(Clone, Debug)]
pub struct Pattern {
    pieces: Vec<Piece>,
    first: memchr::memmem::Finder<'static>,
    whole_word: bool,
}

/// Where a pattern matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match<'a> {
    /// Byte offset of the first character.
    pub start: usize,
    /// Byte offset after the last character.
    pub end: usize,
    /// The named holes with what stood in them.
    pub captures: Vec<(&'a str, &'a str)>,
}

impl Match<'_> {
    /// What stood in a hole.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.captures.iter().find(|(hole, _)| *hole == name).map(|(_, value)| *value)
    }
}

/// A text that patterns are looked for in: as it is, and in lower case (ASCII letters only, so that offsets agree).
#[derive(Clone, Debug)]
pub struct Haystack<'a> {
    text: &'a str,
    lower: String,
}

impl<'a> Haystack<'a> {
    /// Prepares a text.
    pub fn new(text: &'a str) -> Self {
        Self { text, lower: text.to_ascii_lowercase() }
    }

    /// The text as it is.
    pub fn text(&self) -> &'a str {
        self.text
    }
}

impl Pattern {
    /// Parses a pattern; says what is wrong with it.
    pub fn parse(source: &str) -> Result<Self, String> {
        let whole_word = !source.starts_with('~');
        let source = source.trim_start_matches('~');
        let mut pieces = Vec::new();
        let mut rest = source;
        while let Some(c) = rest.chars().next() {
            match c {
                ' ' => {
                    pieces.push(Piece::Space);
                    rest = rest.trim_start();
                }
                '*' => {
                    pieces.push(Piece::Anything);
                    rest = &rest[1..];
                }
                '{' => {
                    let (hole, after) =
                        rest[1..].split_once('}').ok_or_else(|| format!("`{source}`: no `}}`"))?;
                    pieces.push(parse_hole(hole)?);
                    rest = after;
                }
                _ => {
                    let end = rest.find([' ', '*', '{']).unwrap_or(rest.len());
                    pieces.push(Piece::Literal(rest[..end].to_ascii_lowercase().into_bytes()));
                    rest = &rest[end..];
                }
            }
        }
        match pieces.first() {
            Some(Piece::Literal(literal)) => {
                let first = memchr::memmem::Finder::new(literal).into_owned();
                Ok(Self { pieces, first, whole_word })
            }
            _ => Err(format!("`{source}` does not begin with a literal")),
        }
    }

    /// The first match at or after an offset.
    pub fn find_at<'a>(&'a self, haystack: &Haystack<'a>, from: usize) -> Option<Match<'a>> {
        let bytes = haystack.lower.as_bytes();
        let mut offset = from;
        while let Some(found) = self.first.find(bytes.get(offset..)?) {
            let start = offset + found;
            offset = start + 1;
            if self.whole_word && !at_boundary(bytes, start) {
                continue;
            }
            let mut captures = Vec::new();
            if let Some(end) = walk(&self.pieces, haystack, start, &mut captures)
                && at_boundary(bytes, end)
            {
                return Some(Match { start, end, captures });
            }
        }
        None
    }

    /// All matches, one after the other.
    pub fn find_all<'a>(&'a self, haystack: &'a Haystack<'a>) -> impl Iterator<Item = Match<'a>> {
        let mut from = 0;
        std::iter::from_fn(move || {
            let found = self.find_at(haystack, from)?;
            from = found.end.max(found.start + 1);
            Some(found)
        })
    }
}

fn parse_hole(hole: &str) -> Result<Piece, String> {
    let (name, class) = hole.split_once(':').unwrap_or((hole, "word"));
    let class = match class {
        "int" => Class::Int,
        "dotted" => Class::Dotted,
        "driver" => Class::Driver,
        "version" => Class::Version,
        "word" => Class::Word,
        "name" => Class::Name,
        "rest" => Class::Rest,
        other => return Err(format!("`{other}` is no class of hole")),
    };
    Ok(Piece::Hole((!name.is_empty()).then(|| name.to_owned()), class))
}

/// The driver breaks its messages into lines of the kernel log, each with a time and `NVRM:` before it: the white space
/// that ran over a line's end takes these with it.
fn skip_driver_prefix(bytes: &[u8], from: usize, end: usize) -> usize {
    const MARK: &[u8] = b"nvrm:";
    const STAMP_LIMIT: usize = 80;
    if memchr::memchr(b'\n', &bytes[from..end]).is_none() {
        return end;
    }
    let window = &bytes[end..bytes.len().min(end + STAMP_LIMIT)];
    let line = &window[..memchr::memchr(b'\n', window).unwrap_or(window.len())];
    let Some(at) = memchr::memmem::find(line, MARK) else { return end };
    let is_stamp = at == 0 || line[0] == b'[' || memchr::memmem::find(&line[..at], b"kernel:").is_some();
    if is_stamp { skip_space(bytes, end + at + MARK.len()) } else { end }
}

/// Whether no word runs through an offset.
fn at_boundary(bytes: &[u8], offset: usize) -> bool {
    let word = |index: usize| bytes.get(index).is_some_and(u8::is_ascii_alphanumeric);
    offset == 0 || !word(offset - 1) || !word(offset)
}

/// Matches the pieces at an offset; the end of the match. Captures are left in order.
fn walk<'a>(
    pieces: &'a [Piece],
    haystack: &Haystack<'a>,
    at: usize,
    captures: &mut Vec<(&'a str, &'a str)>,
) -> Option<usize> {
    let Some((piece, rest)) = pieces.split_first() else { return Some(at) };
    let bytes = haystack.lower.as_bytes();
    match piece {
        Piece::Literal(literal) => {
            bytes.get(at..)?.starts_with(literal).then_some(())?;
            walk(rest, haystack, at + literal.len(), captures)
        }
        Piece::Space => {
            let end = skip_driver_prefix(bytes, at, skip_space(bytes, at));
            (end > at).then_some(())?;
            walk(rest, haystack, end, captures)
        }
        Piece::Anything => {
            let limit = (at + ANYTHING_LIMIT).min(bytes.len());
            let line = bytes.get(at..limit)?;
            let length = memchr::memchr(b'\n', line).unwrap_or(line.len());
            let kept = captures.len();
            (at..=at + length).find_map(|next| {
                captures.truncate(kept);
                walk(rest, haystack, next, captures)
            })
        }
        Piece::Hole(name, class) => {
            let value = hole_value(haystack.text.get(at..)?, *class)?;
            if let Some(name) = name {
                captures.push((name, value));
            }
            walk(rest, haystack, at + value.len(), captures)
        }
    }
}

/// Skips white space, at most one line's end in it.
fn skip_space(bytes: &[u8], at: usize) -> usize {
    let mut end = at;
    let mut wrapped = false;
    while let Some(byte) = bytes.get(end) {
        match byte {
            b'\n' if wrapped => break,
            b'\n' => wrapped = true,
            b' ' | b'\t' => {}
            _ => break,
        }
        end += 1;
    }
    end
}

fn hole_value(text: &str, class: Class) -> Option<&str> {
    let run = |fits: fn(char) -> bool| &text[..text.find(|c| !fits(c)).unwrap_or(text.len())];
    let value = match class {
        Class::Int => run(|c| c.is_ascii_digit()),
        Class::Dotted | Class::Driver => run(|c| c.is_ascii_digit() || c == '.').trim_end_matches('.'),
        Class::Version => {
            run(|c| c.is_ascii_alphanumeric() || ".+_-".contains(c)).trim_end_matches(['.', '-', '_', '+'])
        }
        Class::Word => {
            run(|c| !c.is_whitespace() && !"\"'`()<>[]{},;|".contains(c)).trim_end_matches(['.', ':'])
        }
        Class::Name => run(|c| !",;()[]{}|\n\"'`".contains(c)).trim_end(),
        Class::Rest => run(|c| c != '\n').trim_end(),
    };
    let begins_with_digit = value.starts_with(|c: char| c.is_ascii_digit());
    let fits = match class {
        Class::Dotted | Class::Version => begins_with_digit && value.contains('.'),
        Class::Driver => {
            let branch = value.split('.').next().unwrap_or("");
            branch.len() == 3 && branch >= "300" && !value.contains("..")
        }
        _ => !value.is_empty(),
    };
    fits.then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pattern: &str, text: &str) -> Option<Vec<(String, String)>> {
        let pattern = Pattern::parse(pattern).unwrap();
        let haystack = Haystack::new(text);
        let found = pattern.find_at(&haystack, 0)?;
        Some(found.captures.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }

    fn value(pattern: &str, text: &str) -> Option<String> {
        found(pattern, text)?.pop().map(|(_, value)| value)
    }

    #[test]
    fn holes_take_what_their_class_allows() {
        assert_eq!(
            value("Xid (PCI:{:word}): {xid:int}", "NVRM: Xid (PCI:0000:9c:00): 79, pid").as_deref(),
            Some("79")
        );
        assert_eq!(value("driver {d:driver}", "the driver 570.86.10.").as_deref(), Some("570.86.10"));
        assert_eq!(value("driver {d:driver}", "driver 12.8"), None);
        assert_eq!(value("torch=={t:version}", "torch==2.7.0+cu128, x").as_deref(), Some("2.7.0+cu128"));
        assert_eq!(value("GPU: {g:name}", "GPU: GB10 (DGX Spark)").as_deref(), Some("GB10"));
    }

    #[test]
    fn matches_whole_words_across_a_wrap() {
        assert!(found("torch 2", "pytorch 2").is_none());
        assert!(found("~torch 2", "pytorch 2").is_some());
        assert!(
            found("not compatible with the current", "is not compatible\n  with the CURRENT one").is_some()
        );
        assert!(found("not compatible", "not\n\ncompatible").is_none());
    }

    #[test]
    fn anything_stays_in_its_line() {
        assert!(found("module * not found", "Module nvidia is not found").is_some());
        assert!(found("module * not found", "Module nvidia\nis not found").is_none());
    }

    #[test]
    fn bad_patterns_say_why() {
        assert!(Pattern::parse("{x:int} y").is_err());
        assert!(Pattern::parse("x {y").is_err());
        assert!(Pattern::parse("x {y:colour}").is_err());
    }

    proptest::proptest! {
        #[test]
        fn total_on_any_text(text in "(\\PC|\n){0,200}", pattern in "[a-z]{1,3}[ *a-z]{0,6}") {
            let pattern = Pattern::parse(&pattern).unwrap();
            let haystack = Haystack::new(&text);
            for found in pattern.find_all(&haystack) {
                proptest::prop_assert!(text.get(found.start..found.end).is_some());
            }
        }
    }
}
