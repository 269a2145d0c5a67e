//! Inputs by what they hold: traces and text, plain or compressed.

use std::borrow::Cow;
use std::io::Read;

use maat_readings::INPUT_LIMIT_BYTES;

/// As much of a file as is looked at to know a trace.
const HEAD_BYTES: usize = 64 << 10;

/// Whether a content is a profiler's trace.
pub fn is_trace(bytes: &[u8]) -> bool {
    maat_trace::looks_like_trace(&bytes[..bytes.len().min(HEAD_BYTES)])
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
