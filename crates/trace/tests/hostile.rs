//! Files from strangers: cut, nested, huge, wrong. Each gives an answer or a clear fault, never a panic, in bounded
//! memory and time.
#![expect(clippy::unwrap_used, reason = "a test stops at the first trouble")]

mod support;

use std::io::{self, Read};

use maat_trace::{Confidence, Input, Limits, Options, TraceReport, analyse, answer, judge, looks_like_trace};
use proptest::prelude::*;
use support::{Trace, gzip, input, steps};

/// The code and place of the fault.
fn fault(text: &[u8]) -> (String, String) {
    let fault = analyse(vec![input(text)], &Options::default()).unwrap_err();
    assert!(fault.hint.is_some());
    (fault.code.to_string(), fault.place.unwrap())
}

fn code(text: &[u8]) -> String {
    fault(text).0
}

fn sample() -> Trace {
    let mut trace = Trace::new().gpu("NVIDIA A100", 8, 0).rank(0, 2);
    steps(&mut trace, 2, 4, 50.0, 100.0, |trace, at| {
        trace.host("user_annotation", "enumerate(DataLoader)#X.__next__", at, 90.0);
    });
    trace
}

/// Everything that an answer can be asked for.
fn exercise(report: TraceReport) {
    let answer = answer(report);
    serde_json::to_string(&answer).unwrap();
}

/// What is wrong with a text, and how many events were read before that.
fn damage(text: &[u8]) -> (String, u64) {
    match analyse(vec![input(text)], &Options::default()) {
        Ok(report) => {
            let rank = &report.ranks[0];
            let found = (rank.damage.unwrap().code.to_owned(), rank.numbers.events);
            assert!(rank.numbers.events > 0);
            let judgement = judge(&report);
            assert_eq!(judgement.verdict.code, "trace-incomplete");
            assert_eq!(judgement.findings[0].code, "trace-incomplete");
            assert!(judgement.ranking.iter().all(|row| row.confidence == Confidence::Low));
            exercise(report);
            found
        }
        Err(fault) => (fault.code.to_string(), 0),
    }
}

#[test]
fn a_trace_cut_anywhere_gives_what_came_before() {
    let text = sample().json();
    let mut before = 0;
    for end in 1..text.len() {
        let (code, events) = damage(&text.as_bytes()[..end]);
        assert_eq!(code, "trace-ends-early", "cut at {end}");
        assert_eq!(events, text[..end].matches("}}").count() as u64, "whole events before {end}");
        assert!(events >= before);
        before = events;
    }
    assert_eq!(before, 20, "all of them");
    assert_eq!(code(b""), "trace-empty");
    assert_eq!(code(b" \n\t"), "trace-empty");
}

#[test]
fn a_compressed_trace_cut_anywhere_gives_what_came_before() {
    let whole = gzip(sample().json().as_bytes());
    for end in (3..whole.len()).step_by(7) {
        let (code, _) = damage(&whole[..end]);
        assert!(
            ["trace-ends-early", "trace-compression-damaged"].contains(&code.as_str()),
            "{code} at {end}"
        );
    }
    let mut damaged = whole.clone();
    let middle = damaged.len() / 2;
    damaged[middle..middle + 8].fill(0xff);
    // Damaged bytes may unpack to nonsense before the decoder notices.
    assert!(["trace-compression-damaged", "trace-not-json"].contains(&damage(&damaged).0.as_str()));
    // Many members, the last of them cut: the ones before are read.
    let text = sample().json();
    let (front, back) = text.as_bytes().split_at(text.len() / 2);
    let members = [gzip(front), gzip(back)].concat();
    let (code, events) = damage(&members[..members.len() - 12]);
    assert!(events > 8 && ["trace-ends-early", "trace-compression-damaged"].contains(&code.as_str()));
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    assert_eq!(
        fault(b"{\"traceEvents\":[}"),
        ("trace-not-json".to_owned(), "trace.json: byte 16".to_owned())
    );
    assert_eq!(code(b"hello"), "trace-not-json");
    assert_eq!(code(b"{}"), "trace-without-events");
    assert_eq!(code(b"{\"a\":1}"), "trace-without-events");
    assert_eq!(code(b"{\"traceEvents\":[],\"traceEvents\":[]}"), "trace-two-event-arrays");
    assert_eq!(code(b"{\"traceEvents\":[]} {}"), "trace-not-json");
    assert_eq!(code(b"{\"traceEvents\":{}}"), "trace-not-json");
    assert_eq!(code(b"\x28\xb5\x2f\xfd1234567"), "trace-compression-unknown");
    assert_eq!(code(b"PK\x03\x04zip"), "trace-compression-unknown");
}

#[test]
fn two_hundred_thousand_levels() {
    for open in ["[", "{\"a\":"] {
        let deep = open.repeat(200_000);
        assert_eq!(code(format!("{{\"x\":{deep}").as_bytes()), "trace-nested-too-deep");
        assert_eq!(
            code(format!("{{\"traceEvents\":[{{\"args\":{{\"y\":{deep}").as_bytes()),
            "trace-nested-too-deep"
        );
    }
    assert_eq!(code("[".repeat(200_000).as_bytes()), "trace-nested-too-deep");
}

#[test]
fn sloppy_but_readable_json_is_read() {
    let mut text = String::from("\u{feff}\n{ \"schemaVersion\" : 1,\r\n \"INFO\": [\"a\\\"]}\", NaN, -inf],");
    text.push_str("\"traceEvents\": [ {\"ph\":\"X\", \"cat\":\"kernel\", \"name\":\"a\tb\", \"ts\":1, \"dur\":2, \"args\":{\"est\":nan}}, ] , }\n\n");
    let report = support::measured(text.as_bytes());
    assert_eq!((report.numbers.events, report.numbers.device_kernels), (1, 1));
}

/// Endless text of one kind, never in memory as a whole.
struct Endless(&'static [u8], usize);

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        for byte in buffer.iter_mut() {
            *byte = self.0[self.1 % self.0.len()];
            self.1 += 1;
        }
        Ok(buffer.len())
    }
}

fn endless(start: &'static [u8], then: &'static [u8], limits: Limits) -> String {
    let input = Input { label: "x".to_owned(), reader: Box::new(start.chain(Endless(then, 0))) };
    match analyse(vec![input], &Options { redact: false, limits }) {
        Ok(report) => report.ranks[0].damage.unwrap().code.to_owned(),
        Err(fault) => fault.code.to_string(),
    }
}

#[test]
fn sizes_are_bounded() {
    let limits = Limits { text_bytes: 64 << 20, kept_events: 10_000 };
    assert_eq!(endless(b"{\"x\":\"", b"long ", limits), "trace-too-large");
    assert_eq!(endless(b"{\"", b"k", limits), "trace-too-large");
    assert_eq!(endless(b"[{\"ts\":", b"9", limits), "trace-too-large");
    assert_eq!(endless(b"", b" ", limits), "trace-too-large");
    let kernel = b"{\"ph\":\"X\",\"cat\":\"kernel\",\"ts\":1,\"dur\":1},";
    assert_eq!(endless(b"[", kernel, limits), "trace-too-many-events");
    assert_eq!(Limits::default().text_bytes, 32 << 30);
}

#[test]
fn a_reader_that_fails_is_a_fault() {
    struct Failing;
    impl Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("no"))
        }
    }
    for start in [&b""[..], b"{\"traceEvents\":["] {
        let input = Input { label: "x".to_owned(), reader: Box::new(start.chain(Failing)) };
        assert_eq!(analyse(vec![input], &Options::default()).unwrap_err().code, "trace-unreadable");
    }
}

#[test]
fn times_at_the_ends_of_the_range() {
    let mut trace = Trace::new();
    for (ts, dur) in
        [("-4e15", "4e14"), ("4e15", "4.9e14"), ("-4000000000000000", "0"), ("9.3e15", "1"), ("0", "4e15")]
    {
        for category in
            ["kernel", "gpu_memcpy", "cuda_runtime", "cpu_op", "user_annotation", "mtia_ccp_events"]
        {
            trace.raw(&format!(
                r#"{{"ph":"X","cat":"{category}","name":"ProfilerStep#1","ts":{ts},"dur":{dur}}}"#
            ));
        }
    }
    let text = trace.json();
    exercise(analyse(vec![input(text.as_bytes())], &Options::default()).unwrap());
}

#[test]
fn many_names_threads_and_streams() {
    let mut trace = Trace::new();
    for number in 0..20_000 {
        trace.raw(&format!(
            r#"{{"ph":"X","cat":"kernel","name":"k{number}","pid":{number},"tid":"t{number}","ts":{number},"dur":1,"args":{{"stream":{number},"correlation":{number}}}}}"#
        ));
    }
    let report = trace.report();
    assert_eq!(report.kernel_names, 20_000);
    assert!(report.kernels.len() < 100 && report.streams.len() < 100);
}

fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let edits = proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0_u8..4), 1..12);
    (any::<bool>(), edits).prop_map(|(list, edits)| {
        let mut text = if list { sample().list() } else { sample().json() }.into_bytes();
        for (at, byte, way) in edits {
            let at = at.index(text.len().max(1)).min(text.len().saturating_sub(1));
            match way {
                0 => text[at] = byte,
                1 => text.insert(at, byte),
                2 => drop(text.remove(at)),
                _ => text.truncate(text.len() - text.len().min(usize::from(byte) / 16).min(text.len() - 1)),
            }
        }
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn mutated_traces_never_panic(text in mutated(), redact in any::<bool>()) {
        looks_like_trace(&text);
        if let Ok(report) = analyse(vec![input(&text)], &Options { redact, ..Options::default() }) {
            exercise(report);
        }
    }

    #[test]
    fn any_bytes_never_panic(text in proptest::collection::vec(any::<u8>(), 0..400)) {
        looks_like_trace(&text);
        if let Ok(report) = analyse(vec![input(&text)], &Options::default()) {
            exercise(report);
        }
    }

    /// Idle time is divided without rest, whatever overlaps whatever.
    #[test]
    fn parts_add_up(events in proptest::collection::vec((0_usize..8, 0_u32..500, 0_u32..60, 0_u32..20), 0..60)) {
        const KINDS: [(&str, &str); 8] = [
            ("kernel", "sgemm"), ("kernel", "ncclAllReduce"), ("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)"),
            ("gpu_memset", "Memset"), ("cuda_runtime", "cudaLaunchKernel"), ("cuda_runtime", "cudaStreamSynchronize"),
            ("cpu_op", "aten::mm"), ("user_annotation", "enumerate(DataLoader)#X.__next__"),
        ];
        let mut trace = Trace::new();
        for (kind, ts, dur, correlation) in events {
            let (category, name) = KINDS[kind];
            trace.event(category, name, (f64::from(ts), f64::from(dur)), (1, 1), &format!(r#""correlation":{correlation}"#));
        }
        let report = trace.report();
        if let Some(split) = report.split {
            let parts = split.compute_us.ns() + split.exposed_comm_us.ns() + split.exposed_memcpy_us.ns() + split.idle_us.ns();
            prop_assert_eq!(parts, split.span_us.ns());
            prop_assert_eq!(report.waits.total(), split.idle_us);
            let kinds = report.idle;
            prop_assert_eq!(kinds.host_wait_us.ns() + kinds.kernel_wait_us.ns() + kinds.other_us.ns(), split.idle_us.ns());
            let n = &report.numbers;
            let busy = n.compute_us.unwrap().ns() + n.exposed_comm_us.unwrap().ns() + n.exposed_memcpy_us.unwrap().ns();
            prop_assert_eq!(n.busy_us.unwrap().ns(), busy);
        }
    }
}
