//! JSON of monitoring tools; which tool is told by its keys.

use serde_json::Value;

use super::{Block, Format, Line, Samples, amd_json, fio, sysstat_json};

/// JSON documents.
pub const FORMAT: Format = Format {
    kind: "json",
    begins: |lines, at| opens(lines[at].text, lines.get(at + 1).map(|line| line.text)),
    length: Some(length),
    read,
    holds_logs: false,
};

fn opens(line: &str, next: Option<&str>) -> bool {
    let next = next.unwrap_or("").trim_start();
    match line.trim_end() {
        "{" => next.starts_with(['"', '}']),
        "[" => next.starts_with(['{', '[']),
        text => {
            text.starts_with("{\"")
                || text.starts_with("[{")
                || text.starts_with("{ \"")
                || text.starts_with("[ {")
        }
    }
}

/// The lines up to the end of the value; all, when it does not end.
fn length(lines: &[Line<'_>]) -> usize {
    let (mut depth, mut quoted, mut escaped) = (0_i64, false, false);
    for (at, line) in lines.iter().enumerate() {
        for byte in line.text.bytes() {
            match byte {
                _ if escaped => escaped = false,
                b'\\' if quoted => escaped = true,
                b'"' => quoted = !quoted,
                b'{' | b'[' if !quoted => depth += 1,
                b'}' | b']' if !quoted => depth -= 1,
                _ => {}
            }
        }
        if depth <= 0 {
            return at + 1;
        }
    }
    lines.len()
}

fn read(block: &Block<'_>, samples: &mut Samples) {
    let text = block.text();
    let parsed = serde_json::from_str::<Value>(&text).ok();
    let Some(document) = parsed.or_else(|| serde_json::from_str(&closed(&text)?).ok()) else { return };
    amd_json::read(block, &document, samples);
    fio::read(block, &document, samples);
    sysstat_json::read(block, &document, samples);
}

/// A document that was cut off, without what stood open at its end; nothing where no value was complete.
fn closed(text: &str) -> Option<String> {
    let (mut closers, mut quoted, mut escaped) = (Vec::new(), false, false);
    let mut whole: Option<(usize, usize)> = None;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'{' => closers.push('}'),
            b'[' => closers.push(']'),
            b'}' | b']' => {
                closers.pop()?;
                whole = Some((at + 1, closers.len()));
            }
            b',' => whole = Some((at, closers.len())),
            _ => {}
        }
    }
    // Since the last complete value, values were only opened: the outer ones are the first.
    let (end, depth) = whole?;
    let mut document = text.get(..end)?.to_owned();
    document.extend(closers.get(..depth)?.iter().rev());
    Some(document)
}

/// The line in which a key stands, for evidence; the first line when it is not found.
pub fn line_of<'a>(block: &Block<'a>, key: &str) -> Option<Line<'a>> {
    let quoted = format!("\"{key}\"");
    block.lines.iter().find(|line| line.text.contains(&quoted)).or_else(|| block.lines.first()).copied()
}
