//! Inputs by what they hold: traces and text, plain or compressed.

use std::borrow::Cow;
use std::io::{Cursor, Read};

use maat_base::Fault;
use maat_readings::INPUT_LIMIT_BYTES;

/// As much of a file as is looked at to know a trace.
const HEAD_BYTES: u64 = 64 << 10;

/// The kind that is no text.
pub const TRACE: &str = "trace";

/// More of a text than this is not read.
const TEXT_LIMIT_BYTES: u64 = 4 << 30;

/// The content of an input.
pub enum Content {
    /// As it is.
    Bytes(Vec<u8>),
    /// To be read: a trace never is in memory as a whole.
    Stream(Box<dyn Read>),
}

impl From<Vec<u8>> for Content {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes)
    }
}

/// An input by what it holds.
pub enum Opened {
    /// A profiler's trace, not yet read.
    Trace(Box<dyn Read>),
    /// Anything else, read.
    Text(Vec<u8>),
}

/// Looks at the beginning of an input; what is no trace is read whole. `kind` is what the input is said to be.
pub fn open(name: &str, content: Content, kind: Option<&str>) -> Result<Opened, Fault> {
    let mut rest: Box<dyn Read> = match content {
        Content::Bytes(bytes) => Box::new(Cursor::new(bytes)),
        Content::Stream(stream) => stream,
    };
    let unreadable = |error: std::io::Error| {
        Fault::content("file-unreadable").with("why", error.to_string()).at(name.to_owned())
    };
    let mut bytes = Vec::new();
    rest.by_ref().take(HEAD_BYTES).read_to_end(&mut bytes).map_err(unreadable)?;
    if kind.map_or_else(|| maat_trace::looks_like_trace(&bytes), |kind| kind == TRACE) {
        return Ok(Opened::Trace(Box::new(Cursor::new(bytes).chain(rest))));
    }
    rest.take(TEXT_LIMIT_BYTES).read_to_end(&mut bytes).map_err(unreadable)?;
    Ok(Opened::Text(bytes))
}

/// The content without compression; at most as much as a reader of text looks at.
pub fn plain(bytes: &[u8]) -> Cow<'_, [u8]> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Cow::Borrowed(bytes);
    }
    let mut text = Vec::new();
    // A damaged end leaves what could be read.
    let _ = flate2::read::MultiGzDecoder::new(bytes).take(INPUT_LIMIT_BYTES as u64).read_to_end(&mut text);
    Cow::Owned(text)
}
