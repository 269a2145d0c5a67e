//! Every configuration of the shared samples against the exact count of the library's own class.

#![expect(clippy::unwrap_used, reason = "a test stops at the first thing that is not as it must be")]

use std::path::{Path, PathBuf};

use maat_model::{Options, Part, open};

fn shared(path: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared").join(path);
    path.exists().then_some(path)
}

/// Compares each row of a table; returns the rows that differ.
fn compare(table: &Path, config: impl Fn(&str) -> PathBuf) -> (usize, Vec<String>) {
    let text = std::fs::read_to_string(table).unwrap();
    let mut wrong = Vec::new();
    let mut rows = 0;
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let (total, routed): (u64, u64) = (cells[2].parse().unwrap(), cells[3].parse().unwrap());
        rows += 1;
        match open(config(cells[0]).to_str().unwrap(), &Options::default()) {
            Err(fault) => wrong.push(format!("{}: {fault}", cells[0])),
            Ok(model) => {
                let is = (model.params_total(), model.params_by_part()[&Part::RoutedExperts]);
                if is != (total, routed) {
                    let off = i128::from(is.0) - i128::from(total);
                    wrong.push(format!("{}: {is:?} and not {:?}: {off:+}", cells[0], (total, routed)));
                }
            }
        }
    }
    (rows, wrong)
}

#[test]
fn families_are_exact() {
    let Some(folder) = shared("samples/families") else { return };
    let (rows, wrong) = compare(&folder.join("PARAMETERS.csv"), |name| folder.join(format!("{name}.json")));
    assert!(wrong.is_empty(), "{} of {rows} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn published_models_are_exact() {
    let Some(folder) = shared("samples/models") else { return };
    let (rows, wrong) = compare(&folder.join("PARAMETERS.csv"), |name| folder.join(name));
    assert!(wrong.is_empty(), "{} of {rows} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Bytes and parameters that published tools state for whole checkpoints.
#[test]
fn stored_bytes_are_exact() {
    let Some(folder) = shared("samples/models") else { return };
    let model = |name: &str| open(folder.join(name).to_str().unwrap(), &Options::default()).unwrap();
    // safetensors total of gpt-oss-120b (hf-mem, issue 60).
    assert_eq!(model("openai--gpt-oss-120b").weights_bytes().0, 65_248_815_744);
    // DeepSeek-V3: parameters, router biases, prediction layer and block scales of the file.
    let v3 = model("deepseek-ai--DeepSeek-V3");
    assert_eq!(v3.params_mtp(), 13_463_426_304);
    assert_eq!(v3.params_active(), 37_552_282_624);
    let (mut elements, mut scales) = (0, 0);
    for (weight, n) in v3.stacks.iter().flat_map(maat_model::Stack::weights) {
        let (rows, cols) = weight.rows_cols();
        elements += weight.stored_elements() * n;
        let blocks = |scale: &maat_model::Scale| rows.div_ceil(scale.rows) * cols.div_ceil(scale.cols);
        scales += weight.encoding.scales.iter().map(blocks).sum::<u64>() * weight.copies * n;
    }
    assert_eq!(elements, 671_026_404_352 + 14_848 + 13_463_426_304);
    assert_eq!(scales, 41_540_496);
}

/// Bytes of caches and states of the published hard cases.
#[test]
fn hard_cases_are_exact() {
    use maat_model::CacheKind::{Full, Linear, Mla, Ssm, Window};
    let Some(folder) = shared("samples/models") else { return };
    let model = |name: &str| open(folder.join(name).to_str().unwrap(), &Options::default()).unwrap();
    let kinds = |model: &maat_model::Model| {
        let of_kind = |kind: maat_model::KvKind| {
            (
                kind.kind,
                kind.bytes_per_token.unwrap_or(0.0),
                kind.window,
                kind.state_bytes.map_or(0, |bytes| bytes.0),
            )
        };
        model.kv_kinds().into_iter().map(of_kind).collect::<Vec<_>>()
    };
    assert_eq!(kinds(&model("deepseek-ai--DeepSeek-V3")), [(Mla, 70272.0, None, 0)]);
    let gemma3 = kinds(&open("google/gemma-3-27b-it", &Options::default()).unwrap());
    assert_eq!(gemma3, [(Window, 52.0 * 8192.0, Some(1024), 0), (Full, 10.0 * 8192.0, None, 0)]);
    let gemma4 = kinds(&model("google--gemma-4-26B-A4B"));
    assert_eq!(gemma4, [(Window, 25.0 * 8192.0, Some(1024), 0), (Full, 5.0 * 4096.0, None, 0)]);
    let oss = kinds(&model("openai--gpt-oss-120b"));
    assert_eq!(oss, [(Window, 18.0 * 2048.0, Some(128), 0), (Full, 18.0 * 2048.0, None, 0)]);
    let qwen = kinds(&model("Qwen--Qwen3.5-27B"));
    assert_eq!(qwen, [(Linear, 0.0, None, 153_944_064), (Full, 16.0 * 4096.0, None, 0)]);
    let nemotron = kinds(&model("nvidia--Nemotron-H-56B-Base-8K"));
    assert_eq!(nemotron, [(Ssm, 0.0, None, 912_605_184), (Full, 335_544_320.0 / 8192.0, None, 0)]);
    assert_eq!(kinds(&model("Qwen--Qwen3-0.6B")), [(Full, 114_688.0, None, 0)]);
    assert_eq!(model("meta-llama--Meta-Llama-3.1-8B").context_max, Some(131_072));
    let tied = open("meta-llama/Llama-3.2-1B", &Options::default()).unwrap();
    assert_eq!(tied.params_total(), 1_235_814_400);
}

/// A checkpoint that asks for its cache in FP8 (as NVIDIA's NVFP4 ones do) keeps the convolution's window in the type it
/// computes in: vLLM takes it from the model for `mamba_cache_dtype` auto, not from the cache's type.
#[test]
fn a_cache_in_fp8_leaves_states_alone() {
    let mut model = open("nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16", &Options::default()).unwrap();
    let states = |model: &maat_model::Model| {
        model.kv_kinds().into_iter().filter_map(|kind| kind.state_bytes).collect::<Vec<_>>()
    };
    let whole = states(&model);
    assert!(!whole.is_empty());
    model.kv_default = Some(std::sync::Arc::new(maat_model::Encoding::plain("fp8", 8)));
    assert_eq!(states(&model), whole);
}

/// DeepSeek-V3.2: 61 layers x (latent 576 x 2 B + indexer 128 B in FP8 + a scale of 4 B).
#[test]
fn an_indexer_keeps_fp8_and_a_scale() {
    let Some(folder) = shared("samples/models") else { return };
    let path = folder.join("deepseek-ai--DeepSeek-V3.2");
    if !path.exists() {
        return;
    }
    let model = open(path.to_str().unwrap(), &Options::default()).unwrap();
    let bytes: f64 = model.kv_kinds().iter().filter_map(|kind| kind.bytes_per_token).sum();
    assert!((bytes - f64::from(61 * (1152 + 132))).abs() < 0.5, "{bytes}");
}
