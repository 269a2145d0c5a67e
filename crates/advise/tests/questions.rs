//! Questions that people asked in public and what turned out, as whole requests: the second suite, which runs where the
//! list of questions lies beside the repository. Here stand the settings; the right values come from the list.
//!
//! Fits must be exact, memory within 15 %, speeds within 30 %; nine in ten must be right.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeMap;
use std::path::Path;

use maat_advise::{SizeBody, SizeRequest, World, size};
use maat_catalogue::Catalogue;
use maat_estimate::Rules;
use serde_json::{Value, json};

/// What of the answer the question asks for.
#[derive(Clone, Copy)]
enum Asked {
    Fits,
    /// Tokens per second of one user.
    Decode,
    /// Memory of all accelerators in units of 10^9 bytes.
    TotalGb,
    /// Memory of one accelerator in units of 10^9 bytes.
    EachGb,
    /// The same in units of 2^30.
    EachGib,
    /// Weights on one accelerator in units of 10^9 bytes.
    WeightsEachGb,
    /// The cache of one sequence in units of 2^30.
    CacheGib,
}

/// The setting of a question: model, accelerators, precision, and what else was said.
struct Question {
    id: &'static str,
    asked: Asked,
    request: Value,
}

fn llamacpp(id: &'static str, asked: Asked, model: &str, gpu: &str, precision: &str) -> Question {
    let request = json!({
        "model": model, "gpu": [gpu], "precision": precision, "engine": "llamacpp",
        "input": 1, "output": 1023, "context": 1024
    });
    Question { id, asked, request }
}

fn question(id: &'static str, asked: Asked, request: Value) -> Question {
    Question { id, asked, request }
}

const EIGHT: &str = "meta-llama/Meta-Llama-3-8B";
const SEVENTY: &str = "meta-llama/Meta-Llama-3-70B";

fn questions() -> Vec<Question> {
    let mut all = of_llamacpp();
    all.extend(of_other_engines());
    all
}

/// One table of measured speeds and of what ran out of memory.
fn of_llamacpp() -> Vec<Question> {
    use Asked::{Decode, Fits};
    vec![
        llamacpp("Q052", Fits, SEVENTY, "RTX 3090", "q4_K_M"),
        llamacpp("Q053", Decode, SEVENTY, "2x RTX 3090", "q4_K_M"),
        llamacpp("Q054", Decode, SEVENTY, "2x RTX 4090", "q4_K_M"),
        llamacpp("Q055", Decode, SEVENTY, "RTX A6000", "q4_K_M"),
        llamacpp("Q056", Decode, SEVENTY, "L40S", "q4_K_M"),
        llamacpp("Q057", Decode, SEVENTY, "A100 PCIe 80GB", "q4_K_M"),
        llamacpp("Q058", Fits, SEVENTY, "A100 PCIe 80GB", "f16"),
        llamacpp("Q059", Decode, SEVENTY, "4x A100 PCIe 80GB", "f16"),
        llamacpp("Q060", Decode, SEVENTY, "6x RTX 3090", "f16"),
        llamacpp("Q061", Fits, SEVENTY, "4x RTX 4090", "f16"),
        llamacpp("Q062", Decode, EIGHT, "RTX 4080", "f16"),
        llamacpp("Q063", Fits, EIGHT, "RTX 3080", "f16"),
        llamacpp("Q064", Decode, EIGHT, "L40S", "q4_K_M"),
        llamacpp("Q065", Decode, EIGHT, "4x L40S", "q4_K_M"),
        llamacpp("Q066", Decode, SEVENTY, "M2 Ultra 192GB", "q4_K_M"),
        llamacpp("Q067", Fits, SEVENTY, "M3 Max 64GB", "f16"),
    ]
}

fn of_other_engines() -> Vec<Question> {
    use Asked::{CacheGib, Decode, EachGb, EachGib, Fits, TotalGb, WeightsEachGb};
    vec![
        question(
            "Q048",
            TotalGb,
            json!({"model": "meta-llama/Llama-2-70b-hf", "precision": "gptq",
            "gpu": ["A100 80GB"], "engine": "transformers", "context": 1024}),
        ),
        question(
            "Q049",
            EachGb,
            json!({"model": "meta-llama/Llama-2-7b-chat-hf", "precision": "fp16",
            "gpu": ["RTX 4080"], "engine": "transformers", "context": 512}),
        ),
        question(
            "Q050",
            EachGib,
            json!({"model": "huggyllama/llama-13b", "precision": "int8", "users": 12,
            "gpu": ["RTX 3090 Ti"], "engine": "transformers", "context": 256}),
        ),
        question("Q069", Fits, json!({"model": SEVENTY, "gpu": ["2x H100 SXM"], "tp": 2})),
        question(
            "Q071",
            EachGb,
            json!({"model": "huggyllama/llama-13b", "precision": "fp16",
            "gpu": ["V100 32GB"], "engine": "transformers", "context": 512}),
        ),
        question(
            "Q072",
            Fits,
            json!({"model": "meta-llama/Llama-3.1-405B", "precision": "fp8",
            "gpu": ["8x A100 80GB"], "context": 4096}),
        ),
        question(
            "Q073",
            WeightsEachGb,
            json!({"model": "meta-llama/Llama-3.1-405B", "precision": "fp8",
            "gpu": ["8x H100 SXM"], "tp": 8}),
        ),
        question("Q075", Fits, json!({"model": "meta-llama/Llama-3.1-8B", "gpu": ["L4"], "context": 1024})),
        question("Q076", CacheGib, json!({"model": "meta-llama/Llama-3.1-70B", "context": 128_000})),
        question("Q077", CacheGib, json!({"model": "meta-llama/Llama-3.1-405B", "context": 128_000})),
        question(
            "Q207",
            Decode,
            json!({"model": "huggyllama/llama-7b", "precision": "q4_0", "cpu": "Ryzen 7 5700G",
            "ram": "32GB", "threads": 6}),
        ),
        question(
            "Q208",
            Decode,
            json!({"model": EIGHT, "precision": "fp32", "cpu": "8 cores",
            "cpu_bandwidth": "40GB/s", "ram": "64GB"}),
        ),
        question(
            "Q213",
            Decode,
            json!({"model": "meta-llama/Llama-2-7b-hf", "precision": "q4_0",
            "gpu": ["Jetson AGX Orin 64GB"], "engine": "llamacpp"}),
        ),
    ]
}

/// The right values by id: the first number of `40-42`, `22.5 / 13.3 / 3.0` and the like, with the last of a range.
fn right_values() -> Option<BTreeMap<String, (String, f64, f64)>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/facts/questions.csv");
    let text = std::fs::read_to_string(path).ok()?;
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let headers = reader.headers().unwrap().clone();
    let column = |name: &str| headers.iter().position(|header| header == name).unwrap();
    let (id, value) = (column("id"), column("value"));
    let rows = reader.records().map(|row| {
        let row = row.unwrap();
        let words = row[value].split('/').next().unwrap_or_default().trim().to_owned();
        let mut numbers = words.split('-').filter_map(|number| number.trim().parse::<f64>().ok());
        let low = numbers.next().unwrap_or(f64::NAN);
        (row[id].to_owned(), (words.clone(), low, numbers.next().unwrap_or(low)))
    });
    Some(rows.collect())
}

/// The figure that was asked for; for fits 1 or 0.
fn figure(body: &SizeBody, asked: Asked) -> Option<f64> {
    let each = &body.memory.per_accelerator;
    Some(match asked {
        Asked::Fits => f64::from(u8::from(body.fits?)),
        Asked::Decode => body.speed.as_ref()?.decode_tokens_per_s?.likely,
        Asked::TotalGb => body.memory.total_bytes.as_gb(),
        Asked::EachGb => each.total_bytes.as_gb(),
        Asked::EachGib => each.total_bytes.as_gib(),
        Asked::WeightsEachGb => each.weights_bytes.as_gb(),
        Asked::CacheGib => body.memory.kv_cache_bytes_per_sequence?.as_gib(),
    })
}

/// Whether a figure is right: fits exactly, speeds within 30 %, the rest within 15 % of the value or range.
fn is_right(asked: Asked, got: f64, words: &str, low: f64, high: f64) -> bool {
    match asked {
        Asked::Fits => (got > 0.5) == (words == "yes"),
        Asked::Decode => got >= low / 1.3 && got <= high * 1.3,
        _ => got >= low * 0.85 && got <= high * 1.15,
    }
}

#[test]
fn questions_that_people_asked() {
    let Some(right) = right_values() else { return };
    let (catalogue, rules) = (Catalogue::builtin(), Rules::built_in().unwrap());
    let world = World {
        catalogue: &catalogue,
        rules: &rules,
        as_of: None,
        currency: None,
        explain: false,
        eur_per_usd: None,
    };
    let mut wrong = Vec::new();
    let questions = questions();
    for Question { id, asked, request } in &questions {
        let (words, low, high) = &right[*id];
        let request: SizeRequest = serde_json::from_value(request.clone()).unwrap();
        match size(&request, &world) {
            Ok(answer) => match figure(&answer.body, *asked) {
                Some(got) if is_right(*asked, got, words, *low, *high) => {}
                got => wrong.push(format!("{id}: {got:?}, right is {words}")),
            },
            Err(fault) => wrong.push(format!("{id}: {fault}")),
        }
    }
    println!("{} of {} right; wrong: {wrong:#?}", questions.len() - wrong.len(), questions.len());
    assert!(wrong.len() * 10 <= questions.len(), "{wrong:#?}");
}
