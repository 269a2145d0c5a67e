//! What people asked, and what turned out. The sources stand in each case.

use maat_base::{Bytes, GB, MIB};
use maat_catalogue::Accelerator;
use maat_estimate::{Engine, fit, memory};
use maat_model::{Options, open};

use crate::build::*;
use crate::common::Case;

fn stored(model: &str, precision: &str, engine: Engine) -> Case {
    let mut case = case();
    case.model = open(model, &Options { precision: Some(precision.to_owned()) })
        .unwrap_or_else(|fault| panic!("{fault}"));
    precision.clone_into(&mut case.plan.precision);
    case.plan.serve.engine = engine;
    case
}

fn fits(case: &Case) -> bool {
    let job = case.job();
    fit(&job, &memory(&job)).is_none()
}

fn nvidia(isa: &str, mib: u64) -> Accelerator {
    part("card", "NVIDIA", isa, Bytes(mib * MIB))
}

/// llama.cpp with 1,024 tokens (github.com/XiongjieDai/GPU-Benchmarks-on-LLM-Inference, 2024-05): what ran out of memory,
/// and what the same table shows running.
#[test]
fn a_table_of_llama_3_on_llamacpp() {
    const SEVENTY: &str = "meta-llama/Llama-3.1-70B";
    const EIGHT: &str = "meta-llama/Llama-3.1-8B";
    let asked = [
        (SEVENTY, "q4_K", nvidia("8.6", 24576), 1, false),
        (SEVENTY, "fp16", nvidia("8.0", 81920), 1, false),
        (SEVENTY, "fp16", nvidia("8.9", 24564), 4, false),
        (SEVENTY, "fp16", part("M3 Max", "Apple", "metal", Bytes::gib(48)), 1, false),
        (EIGHT, "fp16", nvidia("8.6", 10240), 1, false),
        (SEVENTY, "q4_K", nvidia("8.6", 24576), 2, true),
        (SEVENTY, "q4_K", nvidia("8.0", 81920), 1, true),
        (SEVENTY, "fp16", nvidia("8.0", 81920), 4, true),
        (EIGHT, "q4_K", nvidia("8.6", 8192), 1, true),
        (EIGHT, "fp16", nvidia("8.9", 24564), 1, true),
    ];
    for (model, precision, card, count, expected) in asked {
        let mut case = stored(model, precision, Engine::Llamacpp);
        let words =
            format!("{model} {precision} on {count}x {} of {}", card.name, card.capacity.value.as_gib());
        on(&mut case, card, count);
        case.plan.parallel.pp = count;
        (case.work.input, case.work.output, case.work.context) = (1, 1023, 1024);
        assert_eq!(fits(&case), expected, "{words}");
    }
}

/// Llama-3-70B in bf16 needs two cards of 80 GB, not four (basetenlabs/truss-examples PR 279), at vLLM's own settings.
#[test]
fn seventy_billion_on_two_cards() {
    let mut case = stored("meta-llama/Llama-3.1-70B", "bf16", Engine::Vllm);
    on(&mut case, h100(), 2);
    case.plan.parallel.tp = 2;
    assert!(fits(&case));
}

/// Llama-3.1-8B on an L4 with a length of 1,024, but not with its own of 131,072 (vllm-project/vllm issue 6689).
#[test]
fn eight_billion_on_an_l4() {
    let mut case = stored("meta-llama/Llama-3.1-8B", "bf16", Engine::Vllm);
    on(&mut case, nvidia("8.9", 23034), 1);
    (case.work.input, case.work.output, case.work.context) = (768, 256, 1024);
    assert!(fits(&case));
    case.work.context = 131072;
    assert!(!fits(&case));
}

/// Llama-2-70B in four bits: about 40 GB to load and 42 at least (turboderp/exllama issue 186); never on 16 GB. The
/// 70B of Llama-3 has 1.6e9 parameters more, kept in 16 bits as embedding and head.
#[test]
fn seventy_billion_in_four_bits() {
    let mut case = stored("meta-llama/Llama-3.1-70B", "gptq", Engine::Transformers);
    on(&mut case, nvidia("8.0", 81920), 1);
    (case.work.input, case.work.output, case.work.context) = (512, 512, 1024);
    let total = memory_of(&case).total_bytes.as_f64() / GB as f64;
    assert!((total / 42.0 - 1.0).abs() < 0.15, "{total} GB");
    on(&mut case, nvidia("7.5", 16384), 1);
    assert!(!fits(&case));
}

/// Qwen2.5-7B in `q4_K_M` with 262,144 tokens in q8_0 on two Tesla P40: nvidia-smi shows 6,097 + 5,419 MiB (ollama/ollama
/// issue 10128). 28 layers of 4 heads of 128; here the weights are one layer's share of 4.68 GB less the embedding.
#[test]
fn a_long_packed_cache_on_two_old_cards() {
    let mut case = case();
    case.model = model(&[(28, full(4, 128))]);
    case.model.vocabulary = Some(152064);
    case.model.stacks[0].hidden = 3584;
    case.plan.serve.engine = Engine::Llamacpp;
    let q8_0 = blocks("q8_0", 32, 272);
    case.plan.serve.kv_precision = kv(&q8_0, &q8_0);
    (case.work.input, case.work.output, case.work.context) = (200000, 1000, 262144);
    on(&mut case, nvidia("6.1", 24576), 2);
    case.plan.parallel.pp = 2;
    let weights = 4_680_000_000_u64 - 152064 * 3584 * 144 / 256;
    // nvidia-smi leaves out what the driver keeps: 425 MiB of each card.
    let total = (memory_of(&case).total_bytes + Bytes(weights) - Bytes(2 * 425 * MIB)).as_f64();
    let shown = ((6097 + 5419) * MIB) as f64;
    assert!((total / shown - 1.0).abs() < 0.15, "{} MiB", total / MIB as f64);
}

/// gpt-oss-120b's experts: 36 layers x 128 of 5760 x 2880 and 2880 x 2880 in MXFP4. vLLM stores their width of 2880 as
/// 3072; with the 4,334,742,144 B of the rest its log says 64.38 GiB, where the files have 60.77.
#[test]
fn experts_in_mxfp4_are_padded() {
    let mxfp4 = blocks("mxfp4", 32, 136);
    let expert = |name, role, rows, cols| maat_model::Weight {
        part: maat_model::Part::RoutedExperts,
        copies: 128,
        active: 4,
        encoding: mxfp4.clone(),
        ..crate::shards::weight(name, role, rows, cols)
    };
    let weights = vec![
        expert("gate_up_proj", maat_model::Role::GateUp, 5760, 2880),
        expert("down_proj", maat_model::Role::Down, 2880, 2880),
    ];
    let mut case = case();
    case.model = model_of(vec![(36, vec![full(8, 64)], weights)]);
    let rest = 65_248_815_744 - 114_661_785_600 * 17 / 32;
    let held = memory_of(&case).per_accelerator.weights_bytes + Bytes(rest);
    assert!((held.as_gib() / 64.38 - 1.0).abs() < 0.005, "{}", held.as_gib());
    case.plan.serve.engine = Engine::Llamacpp;
    let held = memory_of(&case).per_accelerator.weights_bytes + Bytes(rest);
    assert_eq!(held, Bytes(65_248_815_744));
}
