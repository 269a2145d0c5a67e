//! llama.cpp's start-up logs: caches within 0.1 %, buffers of plain layouts to 0.1 %.

use std::path::PathBuf;
use std::sync::Arc;

use maat_base::{Bytes, MIB};
use maat_estimate::{Engine, Memory};
use maat_model::{CacheKind, Encoding};

use crate::build::*;
use crate::common::Case;

/// A dense or MoE model as its buffers depend on it.
struct Shape {
    layers: u64,
    hidden: u64,
    vocabulary: u64,
    heads: u64,
    head: u64,
}

const LLAMA_8B: Shape = Shape { layers: 32, hidden: 4096, vocabulary: 128256, heads: 8, head: 128 };
const QWEN_30B: Shape = Shape { layers: 48, hidden: 2048, vocabulary: 151936, heads: 4, head: 128 };
const QWEN_235B: Shape = Shape { layers: 94, hidden: 4096, vocabulary: 151936, heads: 4, head: 128 };

fn llamacpp(shape: &Shape, context: u64, flash: bool) -> Case {
    let mut case = case();
    case.model = model(&[(shape.layers, full(shape.heads, shape.head))]);
    case.model.vocabulary = Some(shape.vocabulary);
    case.model.stacks[0].hidden = shape.hidden;
    case.plan.serve.engine = Engine::Llamacpp;
    case.plan.serve.flash_attention = flash;
    case.work.context = context;
    case
}

fn assert_mib(bytes: Bytes, logged: f64) {
    let mib = bytes.as_f64() / MIB as f64;
    assert!((mib / logged - 1.0).abs() < 0.001, "{mib} MiB, logged {logged}");
}

/// `CUDA0 compute buffer size`: ubatch 512 x 4 B x (vocabulary + 2 x hidden).
#[test]
fn buffers_of_one_card() {
    let logged = [
        (&LLAMA_8B, 1024, false, 266.50),
        (&QWEN_30B, 32768, true, 304.75),
        (&QWEN_235B, 16384, true, 312.75),
    ];
    for (shape, context, flash, mib) in logged {
        assert_mib(memory_of(&llamacpp(shape, context, flash)).per_accelerator.workspace_bytes, mib);
    }
}

/// `CPU compute buffer size`: ubatch 512 x 4 B x (vocabulary + hidden).
#[test]
fn buffers_of_a_processor() {
    for (shape, context, flash, mib) in [(&QWEN_30B, 4096, true, 300.75), (&QWEN_235B, 16384, true, 304.75)] {
        let mut case = llamacpp(shape, context, flash);
        cpu(&mut case, Bytes::gib(256));
        assert_mib(memory_of(&case).per_accelerator.workspace_bytes, mib);
    }
}

/// `CUDA_Host compute buffer size`: the mask in FP32 and the embedded tokens: 4 B x 512 x (context + hidden).
#[test]
fn inputs_lie_in_host_memory() {
    for (shape, context, mib) in [(&LLAMA_8B, 1024, 10.01), (&QWEN_30B, 32768, 68.01)] {
        let memory = memory_of(&llamacpp(shape, context, true));
        let process = 300_000_000;
        assert_mib(memory.host_ram_bytes.unwrap_or_default() - Bytes(process), mib);
    }
}

fn encoding(name: &str) -> Option<Arc<Encoding>> {
    let (elements, bits) = match name {
        "f16" => (1, 16),
        "q8_0" => (32, 272),
        "iq4_nl" | "q4_0" => (32, 144),
        _ => return None,
    };
    Some(blocks(name, elements, bits))
}

/// A line such as `K (q8_0): 799.00 MiB, V (q8_0): 799.00 MiB` to names and storage.
fn parts(detail: &str) -> Vec<(String, Arc<Encoding>)> {
    let part = |text: &str| {
        let (name, rest) = text.trim().split_once(" (")?;
        Some((name.to_owned(), encoding(rest.split_once(')')?.0)?))
    };
    detail.split(',').filter_map(part).collect()
}

fn logged_case(row: &dyn Fn(&str) -> String) -> Option<(Case, f64)> {
    let number = |name: &str| row(name).parse::<f64>().ok();
    let parts = parts(&row("kv_detail"));
    let layers = number("n_layer")? as u64;
    let mixer = match parts.first()?.0.as_str() {
        // The latent and the rotary part; some versions keep the latent's transpose besides.
        "c^KV" => {
            let transposed = if parts.len() > 1 { 512 } else { 0 };
            cache(CacheKind::Mla, 1, 512 + 64, transposed, None)
        }
        _ => cache(CacheKind::Full, 1, number("n_embd_k_gqa")? as u64, number("n_embd_v_gqa")? as u64, None),
    };
    let mut case = llamacpp(&LLAMA_8B, number("n_ctx")? as u64, true);
    case.model = model(&[(layers, mixer)]);
    case.plan.serve.kv_precision = kv(&parts[0].1, &parts.last()?.1);
    Some((case, number("kv_self_mib")?))
}

/// Every row whose context belongs to its cache and whose shapes are in the log.
#[test]
fn caches_of_the_logs() {
    let path = PathBuf::from(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../shared/facts/measurements/llamacpp_memory_logs_dev.csv"
    ));
    let Ok(mut reader) = csv::Reader::from_path(path) else { return };
    let headers = reader.headers().cloned().unwrap_or_default();
    let mut checked = 0;
    for (line, record) in reader.records().enumerate() {
        let Ok(record) = record else { continue };
        let row = |name: &str| {
            let index = headers.iter().position(|header| header == name);
            index.and_then(|index| record.get(index)).unwrap_or("").to_owned()
        };
        if row("n_ctx_consistent") != "yes" {
            continue;
        }
        let Some((case, logged)) = logged_case(&row) else { panic!("row {line}: {}", row("kv_detail")) };
        let Memory { per_accelerator: rank, .. } = memory_of(&case);
        let mib = rank.kv_cache_bytes.as_f64() / MIB as f64;
        assert!((mib / logged - 1.0).abs() < 0.001, "row {line}: {mib} MiB, logged {logged}");
        checked += 1;
    }
    assert_eq!(checked, 81);
}

/// Rows of one class with a model whose shapes are known: the largest buffer logged and computed, in MiB.
fn buffers(row: &dyn Fn(&str) -> String) -> Option<(&'static str, f64, f64)> {
    let number = |name: &str| row(name).parse::<u64>().ok();
    let (name, class) = match (row("arch").as_str(), number("n_layer")?) {
        ("qwen3moe", 94) => ("Qwen/Qwen3-235B-A22B", "grouped-query"),
        ("qwen3moe", 48) => ("Qwen/Qwen3-30B-A3B", "grouped-query"),
        ("llama", 32) => ("meta-llama/Llama-3.1-8B", "grouped-query"),
        ("deepseek2", 61) => ("deepseek-ai/DeepSeek-V3", "latent"),
        _ => return None,
    };
    let text = row("compute_buffers_mib").replace(['{', '}', '"', ' '], "");
    let pairs = text.split(',').filter_map(|pair| pair.split_once(':'));
    let logged: Vec<(String, f64)> =
        pairs.filter_map(|(place, mib)| Some((place.to_owned(), mib.parse().ok()?))).collect();
    let cards = logged.iter().filter(|(place, _)| place.starts_with("CUDA") && !place.contains("Host"));
    let (cards, largest) = cards.fold((0, 0.0), |(n, most), (_, mib)| (n + 1, f64::max(most, *mib)));
    let mut case = case();
    case.model = maat_model::open(name, &maat_model::Options::default()).ok()?;
    on(&mut case, h100(), cards.max(1));
    case.plan.serve.engine = Engine::Llamacpp;
    case.plan.parallel.pp = cards.max(1);
    case.plan.serve.flash_attention = row("flash_attn") == "1";
    case.plan.serve.ubatch = number("n_ubatch");
    case.work.context = number("n_ctx")?;
    case.plan.serve.gpu_layers = row("offloaded").split_once('/').and_then(|(n, _)| n.parse().ok());
    let (class, largest) = match (cards, class) {
        (0, _) => {
            cpu(&mut case, Bytes::gib(2048));
            (
                if class == "latent" { "processor, latent" } else { "processor, grouped-query" },
                logged.first()?.1,
            )
        }
        (1, "latent") => ("one card, latent", largest),
        (1, _) => ("one card, grouped-query", largest),
        (_, "latent") => ("several cards, latent", largest),
        _ => ("several cards, grouped-query", largest),
    };
    let memory = memory_of(&case);
    let all = memory.accelerators.iter().chain([&memory.per_accelerator]).map(|rank| rank.workspace_bytes);
    Some((class, largest, all.max()?.as_f64() / MIB as f64))
}

/// Median and ninetieth percentile of the error of the largest compute buffer, as `docs/memory.md` has them.
#[test]
fn errors_of_compute_buffers() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../../shared/facts/measurements/llamacpp_memory_logs_dev.csv"
    );
    let Ok(mut reader) = csv::Reader::from_path(path) else { return };
    let headers = reader.headers().cloned().unwrap_or_default();
    let mut errors = std::collections::BTreeMap::<_, Vec<f64>>::new();
    for record in reader.records().flatten() {
        let row = |name: &str| {
            let index = headers.iter().position(|header| header == name);
            index.and_then(|index| record.get(index)).unwrap_or("").to_owned()
        };
        if let Some((class, logged, computed)) = buffers(&row).filter(|(_, logged, _)| *logged > 0.0) {
            errors.entry(class).or_default().push((computed / logged - 1.0) * 100.0);
        }
    }
    let mut found = Vec::new();
    for (class, list) in &mut errors {
        let signed = {
            list.sort_by(f64::total_cmp);
            list[list.len() / 2]
        };
        let mut size: Vec<f64> = list.iter().map(|error| error.abs()).collect();
        size.sort_by(f64::total_cmp);
        let at = |share: usize| size[(size.len() - 1) * share / 100].round();
        found.push(format!("| {class} | {} | {signed:.0} % | {} % | {} % |", size.len(), at(50), at(90)));
    }
    assert_eq!(found.len(), 6);
    let docs = include_str!("../../../../docs/memory.md");
    for line in &found {
        assert!(docs.contains(line.as_str()), "docs/memory.md lacks:\n{}", found.join("\n"));
    }
}
