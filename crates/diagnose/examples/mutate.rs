//! Changes inputs at random and lets the diagnosis read them, without a nightly compiler: `mutate SECONDS FILE…`. A
//! panic stops it and says which change of which file it was; `mutate SECONDS --from N FILE…` begins there.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program")]

use std::io::Read as _;
use std::time::{Duration, Instant};

use maat_diagnose::{DiagnoseRequest, diagnose, diagnose_against};
use maat_readings::monitor::Samples;

/// Longer inputs are cut, so that there are many tries.
const LENGTH: usize = 60_000;

/// SplitMix64: good enough to choose bytes, and the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }
}

/// What breaks readers: signs of JSON, numbers at the ends of their ranges, names with a meaning.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "\"",
    "\\",
    ",",
    ":",
    "\\ud800",
    "\0",
    "\u{feff}",
    "-",
    ".",
    "e",
    "NaN",
    "-Infinity",
    "null",
    "true",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "1e308",
    "1e-400",
    "-0",
    "0.0000001",
    "99999999999999999999999999999999999999999",
    "4e15",
    "-4e15",
    "\"dur\":-1",
    "\"dur\":0",
    "\"ts\":\"7\"",
    "\"ph\":\"X\"",
    "\"cat\":\"kernel\"",
    "\"cat\":\"gpu_memcpy\"",
    "\"cat\":\"cuda_runtime\"",
    "\"cat\":\"overhead\"",
    "\"name\":\"ProfilerStep#1\"",
    "\"name\":\"cudaStreamSynchronize\"",
    "\"name\":\"ncclDevKernel\"",
    "\"name\":\"Memcpy HtoD (Pageable)\"",
    "\"correlation\":1",
    "\"stream\":-1",
    "\"traceEvents\":[",
    "\"deviceProperties\":[",
    "\"distributedInfo\":{\"rank\":-1}",
];

fn mutated(text: &[u8], random: &mut Random) -> Vec<u8> {
    let start = random.below(text.len().saturating_sub(LENGTH / 2));
    let head = &text[..text.len().min(2_000)];
    let body = &text[start..text.len().min(start + LENGTH)];
    let mut text =
        if start < 2_000 { text[..text.len().min(LENGTH)].to_vec() } else { [head, body].concat() };
    for _ in 0..=random.below(8) {
        let at = random.below(text.len());
        let piece = PIECES[random.below(PIECES.len())].as_bytes();
        match random.below(7) {
            0 if !text.is_empty() => text[at] = random.next() as u8,
            1 => drop(text.splice(at..at, piece.iter().copied())),
            2 => drop(text.splice(at..(at + piece.len()).min(text.len()), piece.iter().copied())),
            3 => drop(text.drain(at..(at + random.below(40)).min(text.len()))),
            4 => text.truncate(at),
            5 => {
                let again = text[at..(at + random.below(2_000)).min(text.len())].to_vec();
                let to = random.below(text.len());
                drop(text.splice(to..to, again));
            }
            _ => number(&mut text, at, random),
        }
    }
    text
}

/// Puts another number in the place of the next one.
fn number(text: &mut Vec<u8>, at: usize, random: &mut Random) {
    let Some(first) = text[at..].iter().position(u8::is_ascii_digit).map(|step| at + step) else { return };
    let length = text[first..].iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    let value = match random.below(4) {
        0 => random.next().cast_signed().to_string(),
        1 => (random.next() % 1000).to_string(),
        2 => format!("{}.{}", random.next() % 100, random.next()),
        _ => format!("{:e}", f64::from_bits(random.next())),
    };
    drop(text.splice(first..first + length, value.into_bytes()));
}

fn try_one(text: Vec<u8>, other: &[u8], random: &mut Random) {
    let request = DiagnoseRequest { redact: random.below(2) == 0, ..DiagnoseRequest::default() };
    let answer = if random.below(3) == 0 {
        let inputs = vec![("after".to_owned(), text)];
        let before = vec![("before".to_owned(), mutated(other, random))];
        diagnose_against(&request, inputs, before, Samples::default()).map(|(answer, _)| answer)
    } else {
        diagnose(&request, vec![("input".to_owned(), text)])
    };
    match answer {
        Ok(answer) => drop(serde_json::to_string(&answer)),
        Err(fault) => drop(format!("{fault}")),
    }
}

fn main() {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let mut from = 0;
    if let Some(at) = words.iter().position(|word| word == "--from") {
        from = words.get(at + 1).and_then(|word| word.parse().ok()).unwrap_or(0);
        words.drain(at..(at + 2).min(words.len()));
    }
    let seconds = words.first().and_then(|word| word.parse().ok()).unwrap_or(10);
    let texts: Vec<(String, Vec<u8>)> = words
        .into_iter()
        .skip(1)
        .filter_map(|name| {
            let bytes = std::fs::read(&name).ok()?;
            let mut text = Vec::new();
            if bytes.starts_with(&[0x1f, 0x8b]) {
                flate2::read::MultiGzDecoder::new(&bytes[..]).take(4 << 20).read_to_end(&mut text).ok()?;
            } else {
                text = bytes;
            }
            Some((name, text))
        })
        .collect();
    if texts.is_empty() {
        eprintln!("mutate SECONDS [--from N] FILE…");
        return;
    }
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut tries = from;
    while Instant::now() < end {
        let mut random = Random(tries);
        let (name, text) = &texts[random.below(texts.len())];
        let (_, other) = &texts[random.below(texts.len())];
        let input = mutated(text, &mut random);
        let outcome = std::panic::catch_unwind(move || try_one(input, &other.clone(), &mut random));
        assert!(outcome.is_ok(), "a panic in try {tries}, of {name}");
        tries += 1;
    }
    println!("{} tries without a panic", tries - from);
}
