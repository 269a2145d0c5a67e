//! Any bytes: outputs of tools are read, judged and written as an answer, or a fault says what is wrong.
#![no_main]

use libfuzzer_sys::fuzz_target;
use maat_diagnose::{DiagnoseRequest, diagnose};

fuzz_target!(|bytes: &[u8]| {
    let redact = bytes.first().is_some_and(|byte| byte % 2 == 0);
    let request = DiagnoseRequest { redact, ..DiagnoseRequest::default() };
    if let Ok(answer) = diagnose(&request, vec![("input".to_owned(), bytes.to_vec())]) {
        let _ = serde_json::to_string(&answer);
    }
});
