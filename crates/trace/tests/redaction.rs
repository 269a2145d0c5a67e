//! With `redact`, nothing of hosts, users, paths and tokens reaches an answer or a fault, wherever it was planted.
#![expect(clippy::unwrap_used, reason = "a test stops at the first trouble")]

mod support;

use maat_trace::{Input, Options, analyse, answer};
use support::{Trace, steps};

const SECRETS: [&str; 9] = [
    "alice",
    "node17.corp.example",
    "/home/alice/secret/train.py",
    "hf_aBcDeFgHiJkLmNoPqRsTuVwXyZ012345",
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a",
    "sk-proj-Zx81Qp",
    "10.20.30.40",
    "AKIAIOSFODNN7EXAMPLE",
    "correct-horse-battery",
];

/// Pieces that may not be seen either.
const PIECES: [&str; 8] = ["alice", "node17", "corp", "secret", "hf_", "ghp_", "AKIA", "horse"];

/// A trace with a secret in every field that a profiler or its user can fill.
fn planted(secret: &str) -> Trace {
    let mut trace = Trace::new()
        .head(&format!(r#""deviceProperties":[{{"id":0,"name":"{secret}","computeMajor":7,"computeMinor":0}}]"#))
        .head(&format!(r#""distributedInfo":{{"rank":0,"world_size":2,"backend":"{secret}","pg_config":[{{"pg_name":"{secret}"}}]}}"#))
        .head(&format!(r#""host_name":"{secret}","username":"{secret}","traceName":"{secret}","{secret}":"{secret}""#))
        .head(&format!(r#""environment":{{"HF_TOKEN":"{secret}","PATH":["{secret}"]}}"#));
    steps(&mut trace, 4, 40, 50.0, 700.0, |trace, at| {
        trace
            .host("user_annotation", &format!("enumerate(DataLoader)#{secret}.__next__"), at, 400.0)
            .host("user_annotation", secret, at, 500.0)
            .host("cpu_op", secret, at, 500.0)
            .host("python_function", &format!("torch/serialization.py({secret}): save {secret}"), at + 400.0, 290.0)
            .host(secret, secret, at, 1.0)
            .event("cuda_runtime", &format!("cudaLaunchKernel_{secret}"), (at, 1.0), (1, 1), &format!(r#""kernel":"{secret}""#))
            .event("kernel", &format!("ncclDevKernel_{secret}"), (at + 1.0, 30.0), (0, 20), &format!(r#""stream":"{secret}","device":"{secret}","x":"{secret}""#))
            .event("kernel", &format!("volta_sgemm_{secret}"), (at + 40.0, 30.0), (0, 7), "")
            .event("gpu_memcpy", &format!("Memcpy HtoD (Pageable {secret})"), (at + 80.0, 200.0), (0, 7), "")
            .raw(&format!(r#"{{"ph":"M","name":"process_name","pid":"{secret}","tid":"{secret}","args":{{"name":"{secret}"}}}}"#))
            .raw(&format!(r#"{{"ph":"X","cat":"kernel","name":"{secret}","pid":"{secret}","tid":"{secret}","ts":{at},"dur":2}}"#));
    });
    trace
}

fn redacted(text: &[u8], label: &str) -> Result<String, String> {
    let input = Input { label: label.to_owned(), reader: Box::new(text) };
    match analyse(vec![input], &Options { redact: true, ..Options::default() }) {
        Ok(report) => Ok(format!("{0} {0:?}", serde_json::to_string(&answer(report)).unwrap())),
        Err(fault) => Err(format!("{fault} {fault:?}")),
    }
}

fn assert_clean(output: &str, secret: &str) {
    assert!(!output.contains(secret), "{secret}");
    for piece in PIECES {
        assert!(!output.contains(piece), "{piece} of {secret}");
    }
}

#[test]
fn nothing_planted_comes_out() {
    for secret in SECRETS {
        let output = redacted(planted(secret).json().as_bytes(), secret).unwrap();
        assert_clean(&output, secret);
        assert!(output.contains("trace-1") && output.contains("data-loader-wait"), "the answer is still one");
        // The plain names of kernels stay readable.
        assert!(output.contains("sm80_xmma_gemm_bf16bf16_bf16f32_f32_tn_n") || output.contains("gemm #1"));
    }
}

#[test]
fn faults_show_nothing_either() {
    for secret in SECRETS {
        let text = planted(secret).json();
        for end in (1..text.len()).step_by(1009) {
            let (Ok(output) | Err(output)) = redacted(&text.as_bytes()[..end], secret);
            assert_clean(&output, secret);
        }
        let wrong = text.replacen(secret, &format!("\" {secret}"), 1);
        assert_clean(&redacted(wrong.as_bytes(), secret).unwrap_err(), secret);
    }
}

#[test]
fn what_stands_beside_the_events_never_comes_out() {
    let secret = "node17.corp.example";
    let text = Trace::new()
        .head(&format!(r#""host_name":"{secret}","environment":{{"TOKEN":"{secret}"}},"INFO":["{secret}"]"#))
        .rank(0, 1)
        .json();
    let input = Input { label: "trace.json".to_owned(), reader: Box::new(text.as_bytes()) };
    let report = analyse(vec![input], &Options::default()).unwrap();
    assert!(!serde_json::to_string(&answer(report)).unwrap().contains("node17"));
}
