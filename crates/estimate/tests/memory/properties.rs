//! Laws that hold for every job.

use maat_base::Bytes;
use maat_estimate::{Engine, Memory, memory};
use maat_model::{Options, open};
use proptest::prelude::*;

use crate::build::*;
use crate::common::Case;

const ENGINES: [Engine; 5] =
    [Engine::Vllm, Engine::Sglang, Engine::Trtllm, Engine::Llamacpp, Engine::Transformers];

/// What varies of a job on 64 H100.
#[derive(Clone, Debug)]
struct Sketch {
    engine: usize,
    users: u64,
    lengths: [u64; 3],
    division: [u32; 3],
    flash: bool,
    kv_on_cpu: bool,
}

impl Sketch {
    fn case(&self) -> Case {
        let mut case = case();
        on(&mut case, h100(), 64);
        case.plan.serve.engine = ENGINES[self.engine];
        case.work.users = self.users;
        let [input, output, room] = self.lengths;
        (case.work.input, case.work.output, case.work.context) = (input, output, input + output + room);
        [case.plan.parallel.tp, case.plan.parallel.pp, case.plan.parallel.replicas] = self.division;
        case.plan.serve.flash_attention = self.flash;
        case.plan.serve.kv_on_cpu = self.kv_on_cpu;
        case
    }
}

fn any_case() -> impl Strategy<Value = Sketch> {
    let shape = (0usize..5, 1u64..600, 1u64..40000, 1u64..4000, 0u64..40000);
    let division = (0u32..5, 1u32..5, 1u32..4, any::<bool>(), any::<bool>());
    (shape, division).prop_map(
        |((engine, users, input, output, room), (tp, pp, replicas, flash, kv_on_cpu))| {
            let division = [1 << tp, pp, replicas];
            Sketch { engine, users, lengths: [input, output, room], division, flash, kv_on_cpu }
        },
    )
}

fn everywhere(memory: &Memory) -> Bytes {
    memory.total_bytes + memory.host_ram_bytes.unwrap_or_default()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn more_work_never_needs_less(sketch in any_case(), more in 1u64..5000) {
        let mut case = sketch.case();
        let before = memory_of(&case);
        case.work.context += more;
        let longer = memory_of(&case);
        prop_assert!(everywhere(&longer) >= everywhere(&before));
        prop_assert!(longer.per_accelerator.total_bytes >= before.per_accelerator.total_bytes);
        case.work.users += more;
        let fuller = memory_of(&case);
        prop_assert!(everywhere(&fuller) >= everywhere(&longer));
        prop_assert!(fuller.per_accelerator.total_bytes >= longer.per_accelerator.total_bytes);
    }

    #[test]
    fn dividing_never_adds_weights_to_a_rank_and_never_loses_any(sketch in any_case()) {
        let mut case = sketch.case();
        prop_assume!(case.plan.serve.engine != Engine::Llamacpp);
        case.plan.parallel.pp = 1;
        case.plan.parallel.tp = 1;
        let whole = memory_of(&case).per_accelerator.weights_bytes;
        let mut last = whole;
        for tp in [2, 3, 4, 8, 16, 32, 64] {
            case.plan.parallel.tp = tp;
            let rank = memory_of(&case).per_accelerator.weights_bytes;
            prop_assert!(rank <= last, "{}", tp);
            prop_assert!(rank * u64::from(tp) >= whole, "{}", tp);
            last = rank;
        }
    }

    #[test]
    fn stages_hold_the_whole_model(sketch in any_case(), pp in 1u32..33) {
        let mut case = sketch.case();
        case.plan.parallel.tp = 1;
        case.plan.parallel.pp = pp;
        let memory = memory_of(&case);
        let ranks: Bytes = if memory.accelerators.is_empty() {
            memory.per_accelerator.weights_bytes * u64::from(pp)
        } else {
            memory.accelerators.iter().map(|rank| rank.weights_bytes).sum()
        };
        let on_host = if case.plan.serve.engine == Engine::Llamacpp { 128256 * 4096 * 2 } else { 0 };
        prop_assert_eq!(ranks, Bytes(2 * 8030261248 - on_host));
    }

    #[test]
    fn ranges_are_in_order(sketch in any_case()) {
        let memory = memory_of(&sketch.case());
        for rank in memory.accelerators.iter().chain([&memory.per_accelerator]) {
            let [low, high] = rank.total_bytes_range;
            prop_assert!(low <= rank.total_bytes && rank.total_bytes <= high);
        }
    }

    #[test]
    fn any_numbers_are_answered(
        numbers in proptest::array::uniform6(any::<u64>()),
        ranks in proptest::array::uniform6(any::<u32>()),
        engine in 0usize..5,
    ) {
        let mut case = case();
        on(&mut case, h100(), 8);
        case.plan.serve.engine = ENGINES[engine];
        [case.work.users, case.work.input, case.work.output, case.work.context, ..] = numbers;
        case.plan.serve.ubatch = Some(numbers[4]);
        case.plan.serve.max_batched_tokens = Some(numbers[5]);
        case.plan.serve.gpu_layers = Some(numbers[4]);
        let parallel = &mut case.plan.parallel;
        [parallel.tp, parallel.pp, parallel.dp, parallel.ep, parallel.cp, parallel.replicas] = ranks;
        let job = case.job();
        let memory = memory(&job);
        maat_estimate::fit(&job, &memory);
    }
}

/// Fewer bits never need more memory.
#[test]
fn fewer_bits_need_less() {
    for engine in ENGINES {
        let mut last = Bytes(u64::MAX);
        for precision in ["fp32", "bf16", "fp8", "int4"] {
            let mut case = case();
            case.plan.serve.engine = engine;
            case.model = open("meta-llama/Llama-3.1-8B", &Options { precision: Some(precision.to_owned()) })
                .unwrap_or_else(|fault| panic!("{fault}"));
            let rank = memory_of(&case).per_accelerator;
            assert!(rank.weights_bytes < last, "{engine} {precision}");
            last = rank.weights_bytes;
        }
    }
}

/// Llama-3.1-8B keeps 131,072 bytes a token (32 layers x 8 heads x 128 x 2 x 2 B): 131 PB for a million million tokens,
/// far below what a count of bytes holds.
#[test]
fn a_million_million_tokens_are_counted() {
    let tokens = 1_000_000_000_000;
    for engine in ENGINES {
        let mut case = case();
        case.plan.serve.engine = engine;
        (case.work.input, case.work.context) = (tokens, tokens + 256);
        let memory = memory_of(&case);
        let cache = memory.kv_cache_bytes_per_sequence.unwrap();
        assert!(
            cache >= Bytes(131072 * (tokens + 256)) && cache < Bytes(131072 * (tokens + 1024)),
            "{engine}"
        );
        let total = memory.per_accelerator.total_bytes;
        assert!(total > cache && total < Bytes(u64::MAX / 16), "{engine}: {total:?}");
        assert!(memory.per_accelerator.free_bytes.is_some_and(|free| free < -100_000_000_000_000_000));
        let found = maat_estimate::fit(&case.job(), &memory).unwrap();
        assert_eq!(found.need_bytes.unwrap() - found.have_bytes.unwrap(), found.short_bytes.unwrap());
    }
}

/// The largest numbers saturate and never panic.
#[test]
fn the_largest_numbers_do_not_overflow() {
    for engine in ENGINES {
        for flash in [true, false] {
            let mut case = case();
            case.plan.serve.engine = engine;
            case.plan.serve.flash_attention = flash;
            (case.work.input, case.work.output, case.work.context) = (u64::MAX, u64::MAX, u64::MAX);
            case.work.users = u64::MAX;
            case.plan.serve.max_batched_tokens = Some(u64::MAX);
            case.plan.serve.max_num_seqs = Some(u64::MAX);
            case.plan.serve.ubatch = Some(u64::MAX);
            let memory = memory_of(&case);
            assert!(memory.per_accelerator.total_bytes > Bytes::gib(1 << 30), "{engine}");
            assert!(maat_estimate::fit(&case.job(), &memory).is_some(), "{engine}");
            case.plan.parallel.pp = 2;
            case.plan.parallel.stages = Some(vec![u64::MAX, u64::MAX]);
            let memory = memory_of(&case);
            assert!(maat_estimate::fit(&case.job(), &memory).is_some(), "{engine}");
        }
    }
}
