//! What stops a job first.

use std::sync::Arc;

use maat_base::Bytes;
use maat_estimate::{Engine, Limit, LimitPart, Support, fit, memory};

use crate::build::*;
use crate::common::Case;

fn limit(case: &Case) -> Option<Limit> {
    let job = case.job();
    fit(&job, &memory(&job))
}

fn part_of(case: &Case) -> Option<LimitPart> {
    limit(case).map(|limit| limit.part)
}

#[test]
fn a_small_model_fits() {
    for engine in [Engine::Vllm, Engine::Sglang, Engine::Trtllm, Engine::Transformers] {
        let mut case = case();
        case.plan.serve.engine = engine;
        assert_eq!(limit(&case), None, "{engine}");
    }
}

/// Without a machine there is nothing to fit.
#[test]
fn no_machine_no_limit() {
    let case = case();
    let mut job = case.job();
    job.machine = None;
    let memory = memory(&job);
    assert_eq!(fit(&job, &memory), None);
    assert_eq!(memory.per_accelerator.free_bytes, None);
    assert_eq!(memory.reserved_bytes, None);
    assert_eq!(memory.kv_pool_bytes, None);
}

/// 16.06 GB of weights on a 16 GiB card of which 0.92 may be taken.
#[test]
fn weights_are_over_the_card() {
    let mut case = case();
    on(&mut case, part("T4", "NVIDIA", "8.0", Bytes::gib(16)), 1);
    let found = limit(&case).unwrap();
    assert_eq!(found.part, LimitPart::Accelerator);
    let [need, have, short] =
        [found.need_bytes, found.have_bytes, found.short_bytes].map(Option::unwrap_or_default);
    assert_eq!(need, have + short);
    assert!(need > Bytes(2 * 8030261248) && have < Bytes::gib(16));
}

/// An L4 holds Llama-3.1-8B with 1,024 tokens and not with the 131,072 of its configuration, whose cache is 17.2 GB.
#[test]
fn the_context_decides_on_an_l4() {
    let mut case = case();
    on(&mut case, part("L4", "NVIDIA", "8.9", Bytes::mib(23034)), 1);
    (case.work.input, case.work.output, case.work.context) = (768, 256, 1024);
    assert_eq!(limit(&case), None);
    case.work.context = 131072;
    let found = limit(&case).unwrap();
    assert_eq!(found.part, LimitPart::KvPoolOneSequence);
    assert_eq!(found.need_bytes, Some(Bytes(131072 * 131072)));
}

/// An H100's pool of 51 GiB holds 300 sequences of 1,280 tokens (131,072 B each token), not 400.
#[test]
fn users_at_once_need_the_pool() {
    let mut case = case();
    case.work.users = 300;
    assert_eq!(limit(&case), None);
    case.work.users = 400;
    let found = limit(&case).unwrap();
    assert_eq!(found.part, LimitPart::KvPoolUsers);
    assert_eq!(found.need_bytes, Some(Bytes(400 * 1280 * 131072)));
    // Room for a longer context is needed once, not for each user.
    case.work.users = 300;
    case.work.context = 8192;
    assert_eq!(limit(&case), None);
    case.plan.serve.max_num_seqs = Some(256);
    assert_eq!(part_of(&case), Some(LimitPart::KvPoolUsers));
    // Two replicas serve half each.
    on(&mut case, h100(), 2);
    case.plan.parallel.replicas = 2;
    assert_eq!(limit(&case), None);
}

/// llama.cpp keeps the whole context for each user.
#[test]
fn llamacpp_keeps_the_context_for_every_user() {
    let mut case = case();
    case.plan.serve.engine = Engine::Llamacpp;
    case.work.users = 20;
    case.work.context = 8192;
    let memory = memory_of(&case);
    assert_eq!(memory.per_accelerator.kv_cache_bytes, Bytes(20 * 8192 * 131072));
    assert_eq!(limit(&case), None);
    case.work.users = 80;
    assert_eq!(part_of(&case), Some(LimitPart::Accelerator));
}

#[test]
fn divisions_that_do_not_exist() {
    let mut case = case();
    on(&mut case, h100(), 8);
    for tp in [3, 5, 6] {
        case.plan.parallel.tp = tp;
        assert_eq!(part_of(&case), Some(LimitPart::Parallel), "32 heads over {tp}");
    }
    case.plan.parallel.tp = 8;
    assert_eq!(limit(&case), None);
    case.plan.parallel.replicas = 2;
    assert_eq!(part_of(&case), Some(LimitPart::Parallel), "16 ranks on 8 cards");
    case.plan.parallel.replicas = 1;
    case.plan.parallel.tp = 1;
    case.plan.parallel.pp = 8;
    case.plan.parallel.stages = Some(vec![5; 8]);
    assert_eq!(part_of(&case), Some(LimitPart::Parallel), "40 of 32 layers");
    case.plan.parallel.stages = None;
    case.plan.parallel.pp = 1;
    case.plan.parallel.dp = 8;
    case.plan.parallel.ep = 8;
    assert_eq!(part_of(&case), Some(LimitPart::Parallel), "no experts");
}

#[test]
fn announced_parts_never_fit() {
    let mut case = case();
    on(&mut case, maat_catalogue::Accelerator { announced: true, ..h100() }, 1);
    assert_eq!(part_of(&case), Some(LimitPart::Accelerator));
    assert_eq!(limit(&case).unwrap().text.id, "limit-announced");
}

#[test]
fn engines_know_their_parts() {
    let mut case = case();
    on(&mut case, part("M3 Max", "Apple", "metal", Bytes::gib(96)), 1);
    assert_eq!(part_of(&case), Some(LimitPart::Engine));
    case.plan.serve.engine = Engine::Llamacpp;
    assert_eq!(limit(&case), None);
    // Volta left vLLM's support with 0.20.
    on(&mut case, part("V100 32GB", "NVIDIA", "7.0", Bytes::mib(32768)), 1);
    case.plan.serve.engine = Engine::Vllm;
    case.plan.precision = "fp16".to_owned();
    assert_eq!(part_of(&case), Some(LimitPart::Engine));
    case.plan.serve.version = Some("0.11.0".to_owned());
    assert_eq!(limit(&case), None);
    case.plan.precision = "bf16".to_owned();
    assert_eq!(part_of(&case), Some(LimitPart::Precision));
}

#[test]
fn formats_are_native_converted_or_refused() {
    let case = case();
    let support = |isa: &str, format: &str| {
        let part = part("card", "NVIDIA", isa, Bytes::gib(80));
        case.rules.engines.format_support(Engine::Vllm, None, Some(&part), format)
    };
    assert_eq!(support("9.0", "fp8"), Support::Native);
    assert_eq!(support("8.0", "fp8"), Support::WeightOnly, "Marlin on A100");
    assert_eq!(support("10.0", "nvfp4"), Support::Native);
    assert_eq!(support("8.6", "nvfp4"), Support::WeightOnly);
    assert_eq!(support("12.0", "int8"), Support::No);
    assert_eq!(support("8.0", "q4_K_M"), Support::WeightOnly);
    assert_eq!(support("8.0", "no-such-format"), Support::No);
    let engines = &case.rules.engines;
    assert_eq!(engines.format_support(Engine::Llamacpp, None, None, "Q4_K_M"), Support::WeightOnly);
    assert_eq!(engines.format_support(Engine::Llamacpp, None, None, "nvfp4"), Support::No);
    assert!(!engines.supports_part(Engine::Trtllm, None, None));
}

/// Experts in host memory need it; where the host's memory is not known, it does not decide.
#[test]
fn host_memory_decides_where_known() {
    let mut case = case();
    case.plan.serve.engine = Engine::Llamacpp;
    case.plan.serve.gpu_layers = Some(0);
    assert_eq!(limit(&case), None);
    case.machine.host.ram = Some(Bytes::gib(15));
    assert_eq!(part_of(&case), Some(LimitPart::HostRam));
    case.machine.host.ram = Some(Bytes::gib(32));
    assert_eq!(limit(&case), None);
}

/// A processor's memory is its accelerator.
#[test]
fn a_processor_is_limited_by_its_memory() {
    let mut case = case();
    cpu(&mut case, Bytes::gib(15));
    case.plan.precision = "fp16".to_owned();
    assert_eq!(part_of(&case), Some(LimitPart::Accelerator));
    case.machine.host.ram = Some(Bytes::gib(32));
    assert_eq!(limit(&case), None);
    assert!(memory_of(&case).per_accelerator.free_bytes.is_some_and(|free| free > 0));
    // What it has is not known: nothing says that it does not fit, and nothing how much is left.
    case.machine.host.ram = None;
    let memory = memory_of(&case);
    assert_eq!(limit(&case), None);
    assert_eq!(memory.per_accelerator.free_bytes, None);
    assert_eq!(memory.sequences_at_context, None);
    assert!(memory.per_accelerator.total_bytes > Bytes::gib(14));
}

/// Of cards that differ, the one that is too small decides.
#[test]
fn the_smallest_card_decides() {
    let mut case = case();
    on(&mut case, part("big", "NVIDIA", "9.0", Bytes::gib(80)), 1);
    case.machine.slots.push(maat_catalogue::Slot {
        accelerator: Arc::new(part("small", "NVIDIA", "9.0", Bytes::gib(8))),
        count: 1,
    });
    case.plan.parallel.tp = 2;
    let found = limit(&case).unwrap();
    assert_eq!(found.part, LimitPart::Accelerator);
    assert!(found.have_bytes.unwrap() <= Bytes::gib(8));
}

#[test]
fn caches_are_kept_in_types_the_engine_has() {
    let q8_0 = blocks("q8_0", 32, 272);
    let mut case = case();
    case.plan.serve.kv_precision = kv(&q8_0, &q8_0);
    assert_eq!(part_of(&case), Some(LimitPart::Precision));
    assert_eq!(limit(&case).unwrap().text.id, "limit-cache-precision");
    case.plan.serve.engine = Engine::Llamacpp;
    assert_eq!(limit(&case), None);
    case.plan.serve.flash_attention = false;
    assert_eq!(limit(&case).unwrap().text.id, "limit-cache-flash");
}

/// Blocks of 128 that share a scale cannot be cut: an expert of 1536 over eight ranks, but whole experts can be dealt
/// out.
#[test]
fn blocks_with_one_scale_are_not_cut() {
    let mut case = case();
    let scales = vec![maat_model::Scale { rows: 128, cols: 128, bits: 32 }];
    let fp8 = maat_model::Encoding { scales, ..maat_model::Encoding::plain("fp8", 8) };
    let down = maat_model::Weight {
        part: maat_model::Part::RoutedExperts,
        copies: 128,
        active: 8,
        split: maat_model::Split::Row,
        encoding: Arc::new(fp8),
        ..crate::shards::weight("down_proj", maat_model::Role::Down, 4096, 1536)
    };
    case.model = model_of(vec![(1, vec![full(8, 128)], vec![down])]);
    on(&mut case, h100(), 8);
    case.plan.parallel.tp = 4;
    assert_eq!(limit(&case), None);
    case.plan.parallel.tp = 8;
    assert_eq!(part_of(&case), Some(LimitPart::Parallel));
    case.plan.parallel.ep = 8;
    assert_eq!(limit(&case), None);
}

/// vLLM and SGLang give each rank ceil(90 / 8) = 12 of the 90 blocks of 32 of an expert of gpt-oss (2880 wide) and pad
/// (`per_rank_intermediate_size_block` in their gpt_oss.py); vLLM stores 384 as 512, SGLang's Triton path as 384.
#[test]
fn blocks_that_the_engine_pads_divide() {
    let scales = vec![maat_model::Scale { rows: 1, cols: 32, bits: 8 }];
    let mxfp4 = maat_model::Encoding { scales, ..maat_model::Encoding::plain("mxfp4", 4) };
    let down = maat_model::Weight {
        part: maat_model::Part::RoutedExperts,
        copies: 128,
        active: 4,
        split: maat_model::Split::Row,
        encoding: Arc::new(mxfp4),
        ..crate::shards::weight("down_proj", maat_model::Role::Down, 2880, 2880)
    };
    let mut case = case();
    case.model = model_of(vec![(1, vec![full(8, 64)], vec![down])]);
    case.plan.precision = "mxfp4".to_owned();
    for (engine, tp, width) in [
        (Engine::Vllm, 8, 512),
        (Engine::Vllm, 4, 768),
        (Engine::Sglang, 8, 384),
        (Engine::Sglang, 4, 736),
        (Engine::Trtllm, 8, 384),
    ] {
        on(&mut case, h100(), 8);
        case.plan.serve.engine = engine;
        case.plan.parallel.tp = tp;
        assert_eq!(limit(&case), None, "{engine} {tp}");
        let bytes = 128 * 2880 * (width / 2 + width / 32);
        assert_eq!(memory_of(&case).per_accelerator.weights_bytes, Bytes(bytes), "{engine} {tp}");
    }
}

/// A copy on four cards cannot span nodes of two without a network; two copies of two cards need none.
#[test]
fn nodes_without_a_network_hold_whole_copies() {
    let mut case = case();
    on(&mut case, h100(), 2);
    case.machine.nodes = 2;
    case.plan.parallel.tp = 4;
    let found = limit(&case).unwrap();
    assert_eq!(found.part, LimitPart::Parallel);
    assert_eq!(found.text.id, "limit-nodes");
    (case.plan.parallel.tp, case.plan.parallel.pp) = (2, 2);
    assert_eq!(limit(&case).unwrap().text.id, "limit-nodes");
    (case.plan.parallel.pp, case.plan.parallel.replicas) = (1, 2);
    assert_eq!(limit(&case), None);
    (case.plan.parallel.tp, case.plan.parallel.pp, case.plan.parallel.replicas) = (4, 1, 1);
    case.machine.network = Some(maat_catalogue::Network { name: "400Gb".to_owned(), bytes_per_s: 5e10 });
    assert_eq!(limit(&case), None);
    // Nodes of three hold one copy of two cards each: a third copy would lie across both.
    on(&mut case, h100(), 3);
    case.machine.nodes = 2;
    (case.plan.parallel.tp, case.plan.parallel.replicas) = (2, 3);
    assert_eq!(limit(&case).unwrap().text.id, "limit-nodes");
    case.plan.parallel.replicas = 2;
    assert_eq!(limit(&case), None);
}

/// Of no share nothing can be held: it is short by all that must be held.
#[test]
fn a_share_of_nothing_holds_nothing() {
    for engine in [Engine::Vllm, Engine::Sglang, Engine::Trtllm] {
        for share in [0.0, -1.0, f64::NAN] {
            let mut case = case();
            case.plan.serve.engine = engine;
            case.plan.serve.memory_fraction = Some(share);
            let found = limit(&case).unwrap();
            assert!(found.need_bytes > Some(Bytes(0)), "{engine} {share}");
            assert_eq!(found.short_bytes, Some(found.need_bytes.unwrap() - found.have_bytes.unwrap()));
            let memory = memory_of(&case);
            assert_eq!(memory.kv_pool_bytes, Some(Bytes(0)), "{engine} {share}");
            assert_eq!(memory.sequences_at_context, Some(0), "{engine} {share}");
        }
    }
}
