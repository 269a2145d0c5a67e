//! What vLLM's start-up logs say, within 5 % of the pool or the stated error.

use maat_base::{Bytes, GIB};
use maat_estimate::{Engine, Memory};

use crate::build::*;
use crate::common::Case;

fn on_h100(version: &str) -> Case {
    let mut case = case();
    case.plan.serve.version = Some(version.to_owned());
    case
}

fn gib(bytes: Bytes) -> f64 {
    (bytes.as_gib() * 100.0).round() / 100.0
}

fn near(memory: Option<Bytes>, expected_gib: f64, relative: f64) {
    let found = memory.unwrap_or_default().0 as f64 / GIB as f64;
    assert!((found / expected_gib - 1.0).abs() < relative, "{found} GiB, logged {expected_gib}");
}

/// vLLM 0.11.0 on an H100 with 0.9 of it: Llama-3.1-8B, activations 4.76 GiB, weights 14.99, pool 51.38 GiB.
#[test]
fn llama_8b_on_an_h100() {
    let case = on_h100("0.11.0");
    let memory = memory_of(&case);
    near(memory.kv_pool_bytes, 51.38, 0.005);
    near(memory.reserved_bytes, 0.9 * 79.18, 0.0005);
    // What the log does not see: context and graphs.
    let rank = &memory.per_accelerator;
    near(Some(rank.workspace_bytes), 4.76 + 0.28, 0.01);
    assert_eq!(memory.kv_pool_tokens.map(|tokens| tokens % 16), Some(0));
}

/// vLLM 0.6.4 (2024-12) on the same: max_num_seqs 256, one step of 8192 tokens: activations 1.26 GiB.
#[test]
fn fewer_sequences_need_a_smaller_sampler() {
    let mut case = on_h100("0.6.4");
    case.plan.serve.max_num_seqs = Some(256);
    let graphs = 0.28;
    near(Some(memory_of(&case).per_accelerator.workspace_bytes), 1.26 + graphs, 0.03);
    // Divided over two cards it stays: every rank samples all logits.
    on(&mut case, h100(), 2);
    case.plan.parallel.tp = 2;
    near(Some(memory_of(&case).per_accelerator.workspace_bytes), 1.26 + graphs, 0.03);
}

/// vLLM 0.6 on an RTX 3090: Llama-3.1-8B, one step of 20,000 and 29,000 tokens. Torch's peak less the weights is 2.07
/// and 2.99 GiB: two bytes for three hidden states and three MLP widths of each token.
#[test]
fn long_steps_need_their_widest_layer() {
    let card = || part("RTX 3090", "NVIDIA", "8.6", Bytes::mib(24576));
    for (tokens, logged, pool) in [(20000, 2.07, 3.81), (29000, 2.99, 2.89)] {
        let mut case = on_h100("0.6.0");
        on(&mut case, card(), 1);
        case.plan.serve.max_batched_tokens = Some(tokens);
        let memory = memory_of(&case);
        near(Some(memory.per_accelerator.workspace_bytes), logged + 0.28, 0.01);
        near(memory.reserved_bytes, 0.9 * 23.58, 0.001);
        // The log has 0.35 GiB outside of torch, later versions 0.13.
        near(memory.kv_pool_bytes, pool + 0.35 - 0.13, 0.02);
    }
}

/// A vocabulary and 1024 sequences decide: (vocabulary, hidden, GiB of activations) of vLLM 0.11.0's logs.
#[test]
fn activations_of_other_models() {
    let logged = [
        (201088, 2880, 7.38),
        (151936, 1024, 5.56),
        (151936, 5120, 5.64),
        (128256, 4096, 4.76),
        (128256, 8192, 4.84),
    ];
    for (vocabulary, hidden, activations) in logged {
        let mut case = on_h100("0.11.0");
        case.model = model(&[(1, full(1, 1))]);
        case.model.vocabulary = Some(vocabulary);
        case.model.stacks[0].hidden = hidden;
        let workspace = memory_of(&case).per_accelerator.workspace_bytes;
        let graphs = 0.28;
        assert!((gib(workspace) - graphs - activations).abs() < 0.03, "{vocabulary} {hidden}: {workspace:?}");
    }
}

/// Mistral-Small-3.2-24B: 28.20 GiB of pool are 184,832 tokens of 163,840 B (blocks of 128 there, of 16 here).
#[test]
fn a_pool_in_tokens() {
    let mut case = case();
    case.model = model(&[(40, full(8, 128))]);
    let memory = memory_of(&case);
    let pool = memory.kv_pool_bytes.unwrap_or_default();
    assert_eq!(memory.kv_pool_tokens, Some(pool.0 / (163840 * 16) * 16));
    assert_eq!(memory.kv_cache_bytes_per_token, Some(Bytes(163840)));
    assert_eq!((28.20_f64 * GIB as f64 / 163840.0 / 100.0).round(), 1848.0);
}

/// The total and what is free make the capacity, on every engine.
#[test]
fn total_and_free_are_the_capacity() {
    for engine in Engine::ALL {
        let mut case = case();
        case.plan.serve.engine = engine;
        let Memory { per_accelerator: rank, .. } = memory_of(&case);
        let free = rank.free_bytes.unwrap_or_default();
        assert_eq!(i128::from(rank.total_bytes.0) + i128::from(free), i128::from(81559u64 << 20), "{engine}");
        let parts = rank.weights_bytes
            + rank.kv_cache_bytes
            + rank.state_bytes
            + rank.workspace_bytes
            + rank.framework_bytes;
        assert_eq!(parts, rank.total_bytes);
        assert!(
            rank.total_bytes_range[0] <= rank.total_bytes && rank.total_bytes <= rank.total_bytes_range[1]
        );
    }
}

/// SGLang's share holds weights and pool; TensorRT-LLM's is of what is free after weights and activations.
#[test]
fn engines_size_their_pool_by_their_own_rule() {
    let pool = |engine| {
        let mut case = case();
        case.plan.serve.engine = engine;
        let memory = memory_of(&case);
        let rank = memory.per_accelerator.clone();
        (memory.kv_pool_bytes.unwrap_or_default(), rank, memory.reserved_bytes.unwrap_or_default())
    };
    let (sglang, rank, reserved) = pool(Engine::Sglang);
    assert!(sglang + rank.weights_bytes < reserved);
    assert!(sglang + rank.weights_bytes + Bytes::gib(1) > reserved);
    let (trtllm, rank, _) = pool(Engine::Trtllm);
    let fixed = rank.weights_bytes + rank.workspace_bytes + rank.framework_bytes;
    assert_eq!(trtllm, (Bytes::mib(81559) - fixed) * 0.9);
}

/// Pools of vLLM 0.11.0 on H100 with 0.9 of the memory, in GiB, within 1 %.
#[test]
fn pools_of_whole_models() {
    let logged = [
        ("meta-llama/Llama-3.1-8B", 1, 51.38),
        ("Qwen/Qwen3-0.6B", 1, 64.45),
        ("Qwen/Qwen3-32B", 1, 4.45),
        ("Qwen/Qwen3-32B", 2, 34.49),
    ];
    for (name, cards, pool) in logged {
        let mut case = on_h100("0.11.0");
        case.model = maat_model::open(name, &maat_model::Options::default())
            .unwrap_or_else(|fault| panic!("{name}: {fault}"));
        on(&mut case, h100(), cards);
        case.plan.parallel.tp = cards;
        near(memory_of(&case).kv_pool_bytes, pool, 0.01);
    }
}

/// gpt-oss-120b on one H100 does not start with 0.9 of it in vLLM 0.10 (the log: -2.14 GiB for the cache), and does
/// with 0.95 in 0.11 (3.33 GiB for the cache, here within half a GiB: its kernels' layout is not modelled to the byte).
#[test]
fn fit_depends_on_version_and_fraction() {
    let mut case = on_h100("0.10.0");
    case.model = maat_model::open("openai/gpt-oss-120b", &maat_model::Options::default())
        .unwrap_or_else(|fault| panic!("{fault}"));
    "mxfp4".clone_into(&mut case.plan.precision);
    let job = case.job();
    assert!(maat_estimate::fit(&job, &memory_of(&case)).is_some());
    case.plan.serve.version = Some("0.11.0".to_owned());
    case.plan.serve.memory_fraction = Some(0.95);
    let pool = memory_of(&case).kv_pool_bytes.unwrap_or_default();
    assert!((gib(pool) - 3.33).abs() < 0.5, "{pool:?}");
}
