//! Feeds mutated files to a reader and looks for panics, slow answers and memory:
//! `cargo run -p maat-model --example mutate -- json|safetensors|gguf MINUTES [SEED]`.
//!
//! Seeds of the corpus are small files of our own: the variants of the tests, and headers that are written here. A build
//! with debug assertions also stops at sums that overflow.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example that prints")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use maat_model::{Options, describe};

/// The generator `SplitMix64` (Steele, Lea, Flood 2014): small and the same everywhere.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

/// Words of JSON that a file may have where another is meant.
const WORDS: [&str; 18] = [
    "0",
    "1",
    "-1",
    "1e308",
    "1e999",
    "NaN",
    "Infinity",
    "null",
    "true",
    "\"\"",
    "[]",
    "{}",
    "18446744073709551615",
    "9223372036854775807",
    "4294967296",
    "0.5",
    "[[[[[[]]]]]]",
    "\"full_attention\"",
];

/// Numbers that lengths and counts break at.
const NUMBERS: [u64; 12] =
    [0, 1, 2, 31, 32, 255, 65_535, 0x7FFF_FFFF, 0xFFFF_FFFF, 1 << 32, i64::MAX as u64, u64::MAX];

fn mutate(random: &mut Random, seed: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() + 1);
        let end = (at + random.below(24)).min(bytes.len());
        match random.below(8) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 => bytes.truncate(at),
            2 => drop(bytes.drain(at..end)),
            3 => {
                let piece = bytes[at..end].to_vec();
                let to = random.below(bytes.len() + 1);
                bytes.splice(to..to, piece);
            }
            4 => {
                let number = NUMBERS[random.below(NUMBERS.len())].to_le_bytes();
                let width = [1, 4, 8][random.below(3)];
                let end = (at + width).min(bytes.len());
                bytes.splice(at..end, number[..width].iter().copied());
            }
            5 => {
                let from = random.below(other.len() + 1);
                let to = (from + random.below(64)).min(other.len());
                bytes.splice(at..end, other[from..to].iter().copied());
            }
            _ => replace_value(random, &mut bytes),
        }
    }
    bytes
}

/// Puts a word of JSON in the place of the value after some colon or comma.
fn replace_value(random: &mut Random, bytes: &mut Vec<u8>) {
    let start = random.below(bytes.len() + 1);
    let Some(found) = bytes[start..].iter().position(|byte| matches!(byte, b':' | b',' | b'[')) else {
        return;
    };
    let at = start + found + 1;
    let length = bytes[at..].iter().position(|byte| matches!(byte, b',' | b'}' | b']')).unwrap_or(0);
    let word = WORDS[random.below(WORDS.len())];
    bytes.splice(at..at + length, word.bytes());
}

fn configurations() -> Vec<Vec<u8>> {
    let text = include_str!("../tests/variants.jsonl");
    let configuration =
        |line: &str| line.split_once("\"raw\": ").map(|(_, rest)| rest[..rest.len() - 1].into());
    text.lines().filter_map(configuration).collect()
}

fn safetensors() -> Vec<Vec<u8>> {
    let files = ["BF16", "F32", "F8_E4M3", "F4", "U8"].map(|dtype| {
        let bits = match dtype {
            "BF16" => 16,
            "F32" => 32,
            "F4" => 4,
            _ => 8,
        };
        let mut at = 0;
        let entries: Vec<String> =
            ["model.layers.0.mlp.up_proj.weight", "lm_head.weight", "model.embed_tokens.weight"]
                .iter()
                .map(|name| {
                    let from = at;
                    at += 8 * 4 * bits / 8;
                    format!(
                        "\"{name}\":{{\"dtype\":\"{dtype}\",\"shape\":[8,4],\"data_offsets\":[{from},{at}]}}"
                    )
                })
                .collect();
        let header = format!("{{\"__metadata__\":{{\"format\":\"pt\"}},{}}}", entries.join(","));
        let mut file = (header.len() as u64).to_le_bytes().to_vec();
        file.extend(header.as_bytes());
        file.resize(file.len() + at, 0);
        file
    });
    files.to_vec()
}

fn string(bytes: &mut Vec<u8>, text: &str) {
    bytes.extend((text.len() as u64).to_le_bytes());
    bytes.extend(text.as_bytes());
}

fn gguf() -> Vec<Vec<u8>> {
    let of = |architecture: &str| {
        let mut body = Vec::new();
        string(&mut body, "general.architecture");
        body.extend(8_u32.to_le_bytes());
        string(&mut body, architecture);
        let keys = [
            ("block_count", 2_u32),
            ("embedding_length", 256),
            ("context_length", 4096),
            ("attention.head_count", 4),
            ("attention.key_length", 64),
            ("attention.sliding_window", 512),
            ("attention.kv_lora_rank", 64),
            ("expert_count", 4),
            ("ssm.state_size", 16),
            ("ssm.inner_size", 512),
            ("ssm.conv_kernel", 4),
            ("ssm.group_count", 1),
            ("ssm.time_step_rank", 8),
        ];
        for (key, value) in keys {
            string(&mut body, &format!("{architecture}.{key}"));
            body.extend(4_u32.to_le_bytes());
            body.extend(value.to_le_bytes());
        }
        string(&mut body, &format!("{architecture}.attention.head_count_kv"));
        body.extend(9_u32.to_le_bytes());
        body.extend(5_u32.to_le_bytes());
        body.extend(2_u64.to_le_bytes());
        body.extend([2, 0, 0, 0, 1, 0, 0, 0]);
        let tensors =
            ["token_embd.weight", "blk.0.attn_q.weight", "blk.1.ffn_up_exps.weight", "output.weight"];
        for (tensor, kind) in tensors.iter().zip([12_u32, 14, 39, 0]) {
            string(&mut body, tensor);
            body.extend(2_u32.to_le_bytes());
            body.extend(256_u64.to_le_bytes());
            body.extend(64_u64.to_le_bytes());
            body.extend(kind.to_le_bytes());
            body.extend(0_u64.to_le_bytes());
        }
        let mut file = b"GGUF".to_vec();
        file.extend(3_u32.to_le_bytes());
        file.extend((tensors.len() as u64).to_le_bytes());
        file.extend((keys.len() as u64 + 2).to_le_bytes());
        file.extend(body);
        file
    };
    ["llama", "gemma3", "deepseek2", "jamba", "mamba2", "qwen3next", "gpt-oss", "clip"].map(of).to_vec()
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let minutes = arguments.get(1).and_then(|text| text.parse::<f64>().ok());
    let corpus = match arguments.first().map(String::as_str) {
        Some("json") => configurations(),
        Some("safetensors") => safetensors(),
        Some("gguf") => gguf(),
        _ => Vec::new(),
    };
    let (Some(minutes), false) = (minutes, corpus.is_empty()) else {
        eprintln!("mutate json|safetensors|gguf MINUTES [SEED]");
        return;
    };
    let seed = arguments.get(2).and_then(|text| text.parse().ok()).unwrap_or(1);
    let ending = &arguments[0];
    let folder = std::env::temp_dir().join(format!("maat-mutate-{ending}-{}", std::process::id()));
    if let Err(error) = std::fs::create_dir_all(&folder) {
        eprintln!("{}: {error}", folder.display());
        return;
    }
    run(&corpus, &folder, ending, Duration::from_secs_f64(minutes * 60.0), Random(seed));
}

/// Runs until the time is over; what fails stays in the folder.
fn run(corpus: &[Vec<u8>], folder: &Path, ending: &str, time: Duration, mut random: Random) {
    std::panic::set_hook(Box::new(|_| {}));
    let path = folder.join(format!("model.{ending}"));
    let began = Instant::now();
    let (mut files, mut read, mut failures, mut slowest) = (0_u64, 0_u64, 0_u64, Duration::ZERO);
    while began.elapsed() < time && failures < 100 {
        let (one, other) = (&corpus[random.below(corpus.len())], &corpus[random.below(corpus.len())]);
        let bytes = mutate(&mut random, one, other);
        if std::fs::write(&path, &bytes).is_err() {
            break;
        }
        let start = Instant::now();
        let answer = catch_unwind(AssertUnwindSafe(|| {
            describe(&path.to_string_lossy(), &Options::default())
                .map(|answer| serde_json::to_value(answer).is_ok())
        }));
        let took = start.elapsed();
        files += 1;
        slowest = slowest.max(took);
        read += u64::from(matches!(answer, Ok(Ok(_))));
        if answer.is_err() || took > Duration::from_secs(1) {
            failures += 1;
            let kept: PathBuf = folder.join(format!("failure-{failures}.{ending}"));
            println!("{} ({took:?}): {}", if answer.is_err() { "panic" } else { "slow" }, kept.display());
            let _ = std::fs::write(kept, &bytes);
        }
    }
    println!(
        "{ending}: {files} files, {read} read as models, {failures} failures, slowest {slowest:?}, {}",
        memory()
    );
}

/// The most memory that the process has held, where the system tells.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("memory not known").to_owned()
}
