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
