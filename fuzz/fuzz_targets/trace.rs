//! Any bytes: a trace is read, judged and written as an answer, or a fault says what is wrong.
#![no_main]

use libfuzzer_sys::fuzz_target;
use maat_trace::{Input, Limits, Options, analyse, answer, compare, looks_like_trace};

fuzz_target!(|bytes: &[u8]| {
    looks_like_trace(bytes);
    let redact = bytes.first().is_some_and(|byte| byte % 2 == 0);
    let options = Options { redact, limits: Limits { text_bytes: 1 << 24, kept_events: 1 << 16 } };
    let input = Input { label: "trace".to_owned(), reader: Box::new(bytes) };
    if let Ok(report) = analyse(vec![input], &options) {
        let other = report.ranks.first().zip(report.ranks.last()).map(|(first, last)| compare(first, last));
        let _ = (serde_json::to_string(&other), serde_json::to_string(&answer(report)));
    }
});
