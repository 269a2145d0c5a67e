//! What no parameter may break: floors, monotonicity, scaling.

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

mod common;

use common::{Case, accelerator};
use maat_catalogue::{Accelerator, FormFactor};
use maat_estimate::{Engine, Pass, Profile, Speed, explain};
use maat_model::{Options, open};
use proptest::prelude::*;

const ARCHITECTURES: [(&str, &str); 5] =
    [("Hopper", "HBM3"), ("Ada", "GDDR6X"), ("Ampere", "HBM2e"), ("RDNA3", "GDDR6"), ("Abacus", "beads")];

fn card(which: usize, bandwidth: f64, flops: f64) -> Accelerator {
    let (architecture, memory) = ARCHITECTURES[which % ARCHITECTURES.len()];
    Accelerator { form: FormFactor::Pcie, ..accelerator(architecture, memory, bandwidth, flops) }
}

fn speed(case: &Case) -> Speed {
    case.speed().unwrap()
}

fn engine(which: usize) -> Engine {
    [Engine::Vllm, Engine::Sglang, Engine::Trtllm, Engine::Llamacpp, Engine::Transformers][which % 5]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// A step reads every weight but the embedding once and the cache of all sequences (Llama-3.1-8B: 7.505e9 weights,
    /// 32 layers x 8 heads x 256 x 2 bytes a token): no faster than the bandwidth; and no more than the peak.
    #[test]
    fn never_below_the_physical_floor(
        which in 0usize..5, engine_of in 0usize..5, users in 1u64..200, input in 1u64..8000, output in 2u64..2000,
    ) {
        let (bandwidth, flops) = (2e12, 400e12);
        let mut case = Case::new(card(which, bandwidth, flops));
        case.plan.serve.engine = engine(engine_of);
        case.work.users = users;
        case.work.input = input;
        case.work.output = output;
        let found = speed(&case);
        let cache = users as f64 * input as f64 * 131_072.0;
        let floor = (7.505e9 * 2.0 + cache) / bandwidth;
        prop_assert!(found.tpot_s.unwrap().likely >= floor, "{:?} below {floor}", found.tpot_s);
        let prompt_floor = 2.0 * 6.979e9 * input as f64 / flops;
        prop_assert!(found.ttft_s.unwrap().likely >= prompt_floor);
        for range in [found.ttft_s, found.tpot_s, found.throughput_tokens_per_s, found.prefill_tokens_per_s] {
            prop_assert!(range.unwrap().is_sound());
        }
    }

    #[test]
    fn more_bandwidth_or_arithmetic_is_never_slower(
        which in 0usize..5, engine_of in 0usize..5, users in 1u64..100, input in 1u64..8000, factor in 1.0f64..4.0,
    ) {
        let at = |bandwidth, flops| {
            let mut case = Case::new(card(which, bandwidth, flops));
            case.plan.serve.engine = engine(engine_of);
            case.work.users = users;
            case.work.input = input;
            speed(&case)
        };
        let slow = at(1e12, 100e12);
        for fast in [at(1e12 * factor, 100e12), at(1e12, 100e12 * factor)] {
            prop_assert!(fast.ttft_s.unwrap().likely <= slow.ttft_s.unwrap().likely * 1.000_001);
            prop_assert!(fast.tpot_s.unwrap().likely <= slow.tpot_s.unwrap().likely * 1.000_001);
            let (fast, slow) = (fast.throughput_tokens_per_s.unwrap(), slow.throughput_tokens_per_s.unwrap());
            prop_assert!(fast.likely >= slow.likely * 0.999_999);
        }
    }

    #[test]
    fn more_users_never_lower_throughput(
        which in 0usize..5, engine_of in 0usize..5, users in 1u64..300, more in 1u64..100, input in 1u64..5000,
        output in 1u64..2000,
    ) {
        let at = |users| {
            let mut case = Case::new(card(which, 2e12, 400e12));
            case.plan.serve.engine = engine(engine_of);
            (case.work.users, case.work.input, case.work.output) = (users, input, output);
            speed(&case).throughput_tokens_per_s.unwrap().likely
        };
        prop_assert!(at(users + more) >= at(users) * 0.999_999, "{} {}", at(users), at(users + more));
    }

    /// Every user gets `output` tokens in each of its cycles, however many copies there are: idle ones write nothing.
    #[test]
    fn throughput_is_that_of_the_users(
        which in 0usize..5, engine_of in 0usize..5, users in 1u64..40, replicas in 1u32..20, output in 1u64..500,
    ) {
        let mut case = Case::new(card(which, 2e12, 400e12));
        case.plan.serve.engine = engine(engine_of);
        (case.work.users, case.work.output) = (users, output);
        case.plan.parallel.replicas = replicas;
        case.machine.slots[0].count = replicas;
        let found = speed(&case);
        let later = found.tpot_s.map_or(0.0, |tpot| tpot.likely) * (output as f64 - 1.0);
        let expected = users as f64 * output as f64 / (found.ttft_s.unwrap().likely + later);
        let throughput = found.throughput_tokens_per_s.unwrap().likely;
        prop_assert!((throughput / expected - 1.0).abs() < 1e-9, "{throughput} {expected}");
        let steps = explain(&case.job(), &maat_estimate::Memory::default());
        let explained = steps.iter().find(|step| step.name == "throughput_tokens_per_s").unwrap().value;
        prop_assert!((explained / expected - 1.0).abs() < 1e-9, "{explained} {expected}");
    }

    /// A copy more never lowers throughput, and never delays a token.
    #[test]
    fn more_copies_are_never_slower(users in 1u64..40, replicas in 1u32..20, output in 1u64..500) {
        let at = |replicas| {
            let mut case = Case::new(card(0, 2e12, 400e12));
            (case.work.users, case.work.output) = (users, output);
            case.plan.parallel.replicas = replicas;
            case.machine.slots[0].count = replicas;
            speed(&case)
        };
        let (few, more) = (at(replicas), at(replicas + 1));
        let rate = |speed: &Speed| speed.throughput_tokens_per_s.unwrap().likely;
        prop_assert!(rate(&more) >= rate(&few) * 0.999_999);
        prop_assert!(more.ttft_s.unwrap().likely <= few.ttft_s.unwrap().likely * 1.000_001);
    }

    #[test]
    fn a_longer_prompt_is_never_sooner_answered(which in 0usize..5, input in 1u64..30_000, more in 1u64..10_000) {
        let at = |input| {
            let mut case = Case::new(card(which, 2e12, 400e12));
            case.work.input = input;
            speed(&case)
        };
        let (short, long) = (at(input), at(input + more));
        prop_assert!(long.ttft_s.unwrap().likely >= short.ttft_s.unwrap().likely * 0.999_999);
        prop_assert!(long.tpot_s.unwrap().likely >= short.tpot_s.unwrap().likely * 0.999_999);
    }
}

/// Two copies serve twice the users of one at the same speed for each.
#[test]
fn replicas_divide_the_users() {
    let mut case = Case::new(card(0, 2e12, 400e12));
    case.work.users = 8;
    let one = speed(&case);
    case.work.users = 16;
    case.plan.parallel.replicas = 2;
    case.machine.slots[0].count = 2;
    let two = speed(&case);
    assert_eq!(one.tpot_s, two.tpot_s);
    let ratio = two.throughput_tokens_per_s.unwrap().likely / one.throughput_tokens_per_s.unwrap().likely;
    assert!((ratio - 2.0).abs() < 1e-12);
}

/// Tensor parallelism shortens a step of a large model, and never by more than its ranks.
#[test]
fn tensor_parallelism_helps_by_at_most_its_ranks() {
    let at = |tp| {
        let mut case = Case::new(card(0, 3.35e12, 989e12));
        case.model = open("meta-llama/Llama-3.1-70B", &Options::default()).unwrap();
        case.plan.parallel.tp = tp;
        case.machine.slots[0].count = tp;
        speed(&case).tpot_s.unwrap().likely
    };
    let gain = at(1) / at(4);
    assert!(gain > 2.0 && gain < 4.0, "{gain}");
}

/// By hand: Llama-3.1-8B has 6,979,321,856 weights in products of its layers and 128,256 x 4,096 in its head. Of 100
/// tokens read by one sequence all pass the layers and one the head.
#[test]
fn operations_of_products_are_counted() {
    let case = Case::new(card(0, 2e12, 400e12));
    let profile = Profile::new(&case.model, &case.rules.efficiencies);
    let pass = Pass::prefill(1.0, 100.0, 0.0);
    let list = profile.operations(pass, &case.plan.parallel, &case.plan.serve, &case.rules.efficiencies);
    let products: f64 =
        list.iter().filter(|op| op.arithmetic.is_some()).map(|op| op.flops * op.repeat as f64).sum();
    assert_eq!(products, 2.0 * (100.0 * 6_979_321_856.0 + 128_256.0 * 4_096.0));
    // Attention: 32 layers x 32 heads x (128 + 128) x 2 for each of 100 x 101 / 2 pairs.
    let attention: f64 = list
        .iter()
        .filter(|op| op.kernel == maat_estimate::Kernel::Attention)
        .map(|op| op.flops * op.repeat as f64)
        .sum();
    assert_eq!(attention, 32.0 * 32.0 * 256.0 * 2.0 * 5050.0);
}

/// An explanation's terms add up to what it explains.
#[test]
fn explanations_add_up() {
    let mut case = Case::new(card(0, 2e12, 400e12));
    case.work.users = 16;
    let steps = explain(&case.job(), &maat_estimate::Memory::default());
    let value = |name: &str| steps.iter().find(|step| step.name == name).unwrap().value;
    let parts = ["step_compute_s", "step_memory_s", "step_network_s", "step_launch_s"];
    assert!((parts.iter().map(|part| value(part)).sum::<f64>() / value("step_s") - 1.0).abs() < 1e-9);
    let found = speed(&case);
    assert_eq!(value("tpot_s"), found.tpot_s.unwrap().likely);
    assert_eq!(value("ttft_s"), found.ttft_s.unwrap().likely);
}

/// 8 cores x 4 GHz x 32 operations and 40e9 bytes/s: 8.03e9 weights in FP32 read at full bandwidth give 1.3 tokens/s
/// at most; a good share of it is reached.
#[test]
fn a_processor_reads_its_memory() {
    let mut case = Case::new(card(0, 1.0, 1.0));
    case.model = open("meta-llama/Llama-3.1-8B", &Options { precision: Some("fp32".to_owned()) }).unwrap();
    case.machine.slots.clear();
    case.machine.host.processor = Some(common::processor(8, 4e9, 40e9));
    let rate = speed(&case).decode_tokens_per_s.unwrap();
    assert!(rate.likely < 1.34 && rate.likely > 0.6, "{rate:?}");
}
