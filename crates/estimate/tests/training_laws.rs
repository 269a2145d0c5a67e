//! What training may never break, whatever the model and the plan.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

use maat_estimate::{
    AcceleratorMemory, Adapters, Framework, Memory, Offload, Optimizer, Parallel, Placement, Recompute,
    Rules, Targets, Task, TrainJob, TrainPlan, TrainPrecision, Training, training_memory,
};
use maat_model::{Model, Options, Storage, open};
use proptest::prelude::*;

/// Plain, grouped, biased, tied, gated and not; mixtures, latents, recurrences, encoders, towers.
const MODELS: [&str; 16] = [
    "openai-community/gpt2",
    "meta-llama/Llama-3.1-8B",
    "Qwen/Qwen2.5-0.5B",
    "Qwen/Qwen3-8B",
    "google/gemma-2-9b",
    "bigscience/bloom-7b1",
    "tiiuae/falcon-7b",
    "mistralai/Mixtral-8x7B-v0.1",
    "deepseek-ai/DeepSeek-V2-Lite",
    "deepseek-ai/DeepSeek-V3",
    "Qwen/Qwen3-30B-A3B",
    "ai21labs/Jamba-v0.1",
    "state-spaces/mamba-2.8b-hf",
    "google/flan-t5-xl",
    "google-bert/bert-base-uncased",
    "Qwen/Qwen2.5-VL-3B-Instruct",
];

static RULES: LazyLock<Rules> = LazyLock::new(|| Rules::built_in().unwrap());
static OPENED: LazyLock<Mutex<HashMap<(usize, &str), &'static Model>>> = LazyLock::new(Mutex::default);

fn model(which: usize, precision: &'static str) -> &'static Model {
    let which = which % MODELS.len();
    let mut opened = OPENED.lock().unwrap();
    opened.entry((which, precision)).or_insert_with(|| {
        let options = Options { precision: Some(precision.into()) };
        Box::leak(Box::new(open(MODELS[which], &options).unwrap()))
    })
}

fn plan() -> TrainPlan {
    TrainPlan {
        base_precision: "bf16".into(),
        parallel: Parallel { tp: 1, pp: 1, dp: 1, ep: 1, cp: 1, replicas: 1, stages: None },
        zero: 0,
        micro_batch: 1,
        recompute: Recompute::None,
        offload: Offload::None,
        optimizer: Optimizer::Adamw,
        precision: TrainPrecision::Bf16,
        framework: Framework::Torch,
        flash_attention: true,
        sequence_parallel: false,
        chunked_loss: false,
        compiled: false,
        compiled_loss: false,
        offload_activations: false,
        update_in_backward: false,
        virtual_stages: 1,
        roles: Placement::Colocated,
        rollout: None,
    }
}

fn work(task: Task, sequence: u64, global_batch: u64) -> Training {
    let adapters = matches!(task, Task::Lora | Task::Qlora);
    Training {
        task,
        sequence,
        response: sequence / 2,
        global_batch: Some(global_batch),
        adapters: adapters.then_some(Adapters { rank: 16, targets: Targets::AllLinear }),
        tokens: None,
    }
}

fn memory(model: &Model, work: &Training, plan: &TrainPlan) -> Memory {
    training_memory(&TrainJob { model, work, machine: None, plan, rules: &RULES })
}

fn one(model: &Model, work: &Training, plan: &TrainPlan) -> AcceleratorMemory {
    memory(model, work, plan).per_accelerator
}

fn task(which: usize) -> Task {
    [Task::Pretrain, Task::Full, Task::Lora, Task::Dpo, Task::Ppo, Task::Grpo][which % 6]
}

/// 16 bytes for every parameter that the class counts, of every kind of model; what is stored and no parameter stays.
#[test]
fn states_are_sixteen_bytes_a_parameter() {
    for (which, name) in MODELS.iter().enumerate() {
        let model = model(which, "bf16");
        let one = one(model, &work(Task::Pretrain, 512, 1), &plan());
        let buffers = model.weights().filter(|(weight, _)| weight.storage == Storage::Buffer);
        let buffers: u64 = buffers.map(|(weight, count)| weight.bytes().0 * count).sum();
        let states = one.weights_bytes + one.gradients_bytes + one.optimizer_bytes;
        assert_eq!(states.0, 16 * model.params_total() + buffers, "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    /// Parts sum to the total, which lies in its range; nothing is lost in dividing a model.
    #[test]
    fn parts_sum_and_nothing_is_lost(
        which in 0usize..16, of in 0usize..6, tp in 0u32..3, pp in 0u32..3, dp in 0u32..4, zero in 0u8..4,
        sequence in 64u64..9000,
    ) {
        let model = model(which, "bf16");
        let parallel = Parallel { tp: 1 << tp, pp: 1 << pp, dp: 1 << dp, ..plan().parallel };
        let ranks = u64::from(parallel.tp * parallel.pp * parallel.dp);
        let all = memory(model, &work(task(of), sequence, 64), &TrainPlan { parallel, zero, ..plan() });
        let one = &all.per_accelerator;
        let parts = [one.weights_bytes, one.kv_cache_bytes, one.state_bytes, one.activations_bytes,
            one.gradients_bytes, one.optimizer_bytes, one.adapters_bytes, one.reference_bytes,
            one.workspace_bytes, one.framework_bytes];
        prop_assert_eq!(parts.into_iter().sum::<maat_base::Bytes>(), one.total_bytes);
        prop_assert!(one.total_bytes_range[0] <= one.total_bytes && one.total_bytes <= one.total_bytes_range[1]);
        prop_assert!(one.logits_bytes.unwrap() <= one.activations_bytes);
        if pp == 0 {
            prop_assert!(one.weights_bytes.0 * ranks >= 2 * model.params_total() * 99 / 100);
        }
        prop_assert!(all.total_bytes.0 >= 2 * model.params_total());
        prop_assert!(all.total_bytes <= one.total_bytes * ranks);
    }

    /// A further stage of ZeRO holds less of weights, gradients and states; more ranks never hold more.
    #[test]
    fn sharding_divides_states(which in 0usize..16, of in 0usize..6, dp in 1u32..7, zero in 0u8..3) {
        let model = model(which, "bf16");
        let at = |dp: u32, zero: u8| {
            let parallel = Parallel { dp: 1 << dp, ..plan().parallel };
            let one = one(model, &work(task(of), 512, 1024), &TrainPlan { parallel, zero, ..plan() });
            one.weights_bytes + one.gradients_bytes + one.optimizer_bytes + one.adapters_bytes
        };
        prop_assert!(at(dp, zero + 1) < at(dp, zero));
        prop_assert!(at(dp + 1, zero) <= at(dp, zero));
    }

    /// Adapters never need more than full training, a packed base no more than a wide one; a data-parallel rank holds
    /// the whole base.
    #[test]
    fn adapters_and_packed_bases_need_less(
        which in 0usize..16, sequence in 64u64..9000, micro_batch in 1u64..5, recompute in 0usize..3, dp in 0u32..4,
    ) {
        let recompute = [Recompute::None, Recompute::Selective, Recompute::Full][recompute];
        let parallel = Parallel { dp: 1 << dp, ..plan().parallel };
        let plan = TrainPlan { micro_batch, recompute, parallel, ..plan() };
        let wide = one(model(which, "bf16"), &work(Task::Lora, sequence, 64), &plan);
        let full = one(model(which, "bf16"), &work(Task::Full, sequence, 64), &plan);
        let packed = one(model(which, "nf4"), &work(Task::Qlora, sequence, 64), &plan);
        prop_assert!(wide.total_bytes <= full.total_bytes);
        prop_assert!(packed.weights_bytes < wide.weights_bytes);
        let alone = TrainPlan { parallel: Parallel { dp: 1, ..plan.parallel.clone() }, ..plan.clone() };
        let alone = one(model(which, "nf4"), &work(Task::Qlora, sequence, 64), &alone);
        prop_assert_eq!(alone.weights_bytes, packed.weights_bytes);
    }

    /// More recomputation, smaller micro-batches, shorter sequences and fewer kept logits never need more; the same
    /// tokens in longer sequences need the same where attention keeps no scores.
    #[test]
    fn activations_follow_the_tokens(
        which in 0usize..16, of in 0usize..6, sequence in 32u64..4000, micro_batch in 1u64..5, compiled: bool,
        megatron: bool, accumulated: bool,
    ) {
        let model = model(which, "bf16");
        let framework = if megatron { Framework::Megatron } else { Framework::Torch };
        let base = TrainPlan { micro_batch, compiled, framework, ..plan() };
        let batch = if accumulated { 256 } else { micro_batch };
        let at = |plan: &TrainPlan, sequence| one(model, &work(task(of), sequence, batch), plan).total_bytes;
        let by = [Recompute::None, Recompute::Selective, Recompute::Full];
        let by = by.map(|recompute| at(&TrainPlan { recompute, ..base.clone() }, sequence));
        prop_assert!(by[0] >= by[1] && by[1] >= by[2], "{:?}", by);
        prop_assert!(at(&base, 2 * sequence) >= at(&base, sequence));
        let chunked = TrainPlan { chunked_loss: true, ..base.clone() };
        prop_assert!(at(&chunked, sequence) <= at(&base, sequence));
        let scores = TrainPlan { flash_attention: false, ..base.clone() };
        prop_assert!(at(&scores, sequence) >= at(&base, sequence));
        let twice = TrainPlan { micro_batch: 2 * micro_batch, ..base.clone() };
        if accumulated && which != 13 && which != 15 {
            prop_assert_eq!(at(&twice, sequence), at(&base, 2 * sequence));
        }
    }

    /// Narrower optimisers hold less, and what lies in the host's memory does not lie on the card.
    #[test]
    fn optimisers_and_offload(which in 0usize..16, dp in 0u32..4, zero in 2u8..4) {
        let model = model(which, "bf16");
        let parallel = Parallel { dp: 1 << dp, ..plan().parallel };
        let base = TrainPlan { parallel, zero, ..plan() };
        let with = |optimizer| {
            one(model, &work(Task::Full, 512, 64), &TrainPlan { optimizer, ..base.clone() }).optimizer_bytes
        };
        let order = [Optimizer::Sgd, Optimizer::Adafactor, Optimizer::Lion, Optimizer::Muon, Optimizer::Adamw].map(with);
        prop_assert!(order.is_sorted(), "{:?}", order);
        prop_assert!(with(Optimizer::Adamw8bit) < with(Optimizer::Lion));
        let [none, some, all] = [Offload::None, Offload::Optimizer, Offload::All]
            .map(|offload| memory(model, &work(Task::Full, 512, 64), &TrainPlan { offload, ..base.clone() }));
        let card = |memory: &Memory| memory.per_accelerator.total_bytes;
        prop_assert!(card(&some) < card(&none));
        prop_assert!(all.per_accelerator.weights_bytes < some.per_accelerator.weights_bytes);
        prop_assert!(none.host_ram_bytes < some.host_ram_bytes && some.host_ram_bytes < all.host_ram_bytes);
    }

    /// Ranks that divide matrices, layers, sequences or experts never hold more.
    #[test]
    fn dividing_never_holds_more(which in 0usize..16, way in 0usize..4, ranks in 1u32..3) {
        let model = model(which, "bf16");
        let at = |ranks: u32| {
            let mut parallel = Parallel { dp: 8, ..plan().parallel };
            match way {
                0 => parallel.tp = ranks,
                1 => parallel.pp = ranks,
                2 => parallel.cp = ranks,
                _ => parallel.ep = ranks,
            }
            let plan = TrainPlan { parallel, framework: Framework::Megatron, zero: 1, sequence_parallel: way == 0, ..plan() };
            one(model, &work(Task::Pretrain, 4096, 1024), &plan)
        };
        let (one, many) = (at(1), at(2u32.pow(ranks)));
        prop_assert!(many.weights_bytes <= one.weights_bytes);
        prop_assert!(many.optimizer_bytes <= one.optimizer_bytes);
        if way != 1 {
            prop_assert!(many.activations_bytes <= one.activations_bytes);
        }
    }
}
