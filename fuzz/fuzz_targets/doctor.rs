//! Any bytes: pasted text is read, judged and written as an answer.
#![no_main]

use libfuzzer_sys::fuzz_target;
use maat_doctor::{DoctorRequest, doctor};

fuzz_target!(|bytes: &[u8]| {
    let redact = bytes.first().is_some_and(|byte| byte % 2 == 0);
    let request = DoctorRequest { redact, ..DoctorRequest::default() };
    if let Ok(answer) = doctor(&request, &[("input".to_owned(), bytes.to_vec())], None) {
        let _ = serde_json::to_string(&answer);
    }
});
