//! Whether bytes are a trace, from the first of them.

use std::io::Read;

use flate2::read::MultiGzDecoder;
use memchr::memmem;

/// So much of the text is looked at.
const HEAD_BYTES: u64 = 64 << 10;

/// What the profiler writes before the events.
const HEAD_KEYS: [&[u8]; 4] =
    [b"\"deviceProperties\"", b"\"distributedInfo\"", b"\"traceEvents\"", b"\"traceName\""];

/// Whether the first bytes of a file, plain or gzip, look like a profiler's trace: an object with the profiler's keys,
/// or a list of events. The more bytes are handed over the better; 64 KiB are enough.
pub fn looks_like_trace(first_bytes: &[u8]) -> bool {
    if first_bytes.starts_with(&[0x1f, 0x8b]) {
        let mut text = Vec::new();
        // The end is missing, which the decoder minds only after it has given all that it has.
        let _ = MultiGzDecoder::new(first_bytes).take(HEAD_BYTES).read_to_end(&mut text);
        return is_trace_text(&text);
    }
    is_trace_text(&first_bytes[..first_bytes.len().min(HEAD_BYTES as usize)])
}

fn is_trace_text(text: &[u8]) -> bool {
    let text = text.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(text).trim_ascii_start();
    let has = |key: &[u8]| memmem::find(text, key).is_some();
    match text.first() {
        Some(b'{') => {
            has(b"\"traceEvents\"") || has(b"\"schemaVersion\"") && HEAD_KEYS.iter().any(|key| has(key))
        }
        Some(b'[') => {
            let object = text[1..].trim_ascii_start().first() == Some(&b'{');
            has(b"\"ph\"") && (object || has(b"\"name\""))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn traces_are_recognised_and_other_json_is_not() {
        let trace: &[u8] = b"\n{\"schemaVersion\": 1, \"deviceProperties\": []";
        assert!(looks_like_trace(trace));
        assert!(looks_like_trace(&gzip(trace)[..20]) || looks_like_trace(&gzip(trace)));
        assert!(looks_like_trace(b"[ {\"ph\": \"X\", \"name\": \"a\"}"));
        assert!(looks_like_trace(b"[null, {\"ph\": \"X\", \"name\": \"a\"}"));
        assert!(looks_like_trace(b"{\"traceEvents\":[]}"));
        for other in [
            &b"{\"architectures\": [\"LlamaForCausalLM\"]}"[..],
            b"[1, 2]",
            b"",
            b"timestamp, name",
            b"{",
            b"[{\"gpu\":1}]",
        ] {
            assert!(!looks_like_trace(other));
        }
    }
}
