//! Training against published figures and laws.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

use maat_catalogue::{Catalogue, HardwareRequest, Machine};
use maat_estimate::{
    Adapters, Framework, Memory, Offload, Optimizer, Parallel, Placement, Profile, Recompute, Rules, Targets,
    Task, TrainJob, TrainPlan, TrainPrecision, Training, train_step, training_memory,
};
use maat_model::{Model, Options, Role, open};

const GIB: f64 = 1024.0 * 1024.0 * 1024.0;

fn model(name: &str) -> Model {
    open(name, &Options { precision: Some("bf16".into()) }).unwrap()
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

fn work(task: Task) -> Training {
    let adapters = matches!(task, Task::Lora | Task::Qlora);
    Training {
        task,
        sequence: 2048,
        response: 0,
        global_batch: None,
        adapters: adapters.then_some(Adapters { rank: 16, targets: Targets::AllLinear }),
        tokens: None,
    }
}

fn memory(model: &Model, work: &Training, plan: &TrainPlan) -> Memory {
    let rules = Rules::built_in().unwrap();
    training_memory(&TrainJob { model, work, machine: None, plan, rules: &rules })
}

fn machine(gpu: &str, nodes: u32) -> Machine {
    let network = (nodes > 1).then(|| "8x400Gb".to_owned());
    let request =
        HardwareRequest { gpu: vec![gpu.into()], nodes: Some(nodes), network, ..HardwareRequest::default() };
    let (spec, _) = maat_catalogue::machine(&request, &Catalogue::builtin()).unwrap();
    spec.unwrap().machines().next().unwrap()
}

/// 16 bytes a parameter in mixed precision with 16-bit gradients, 18 where Megatron accumulates them in FP32
/// (Megatron-LM, theoretical_memory_usage.py; Llama-2-70B has 68,976,648,192 parameters).
#[test]
fn states_of_mixed_precision_to_the_byte() {
    let model = model("meta-llama/Llama-2-70b-hf");
    assert_eq!(model.params_total(), 68_976_648_192);
    for (framework, right) in [
        (Framework::Torch, 1_103_626_371_072),
        (Framework::Deepspeed, 1_103_626_371_072),
        (Framework::Megatron, 1_241_579_667_456u64),
    ] {
        let one = memory(&model, &work(Task::Full), &TrainPlan { framework, ..plan() }).per_accelerator;
        assert_eq!((one.weights_bytes + one.gradients_bytes + one.optimizer_bytes).0, right, "{framework:?}");
    }
}

/// 4,194,304 for rank 8 on queries and values of a 7B Llama (alpaca-lora), 41,943,040 for rank 16 on every product of
/// Llama-3-8B (published logs of fine-tuning libraries print both).
#[test]
fn trainable_parameters_of_adapters_are_exact() {
    let cases = [
        ("meta-llama/Llama-2-7b-hf", 8, Targets::Roles(vec![Role::Query, Role::Value]), 4_194_304),
        ("meta-llama/Llama-3.1-8B", 16, Targets::AllLinear, 41_943_040u64),
    ];
    for (name, rank, targets, right) in cases {
        let work = Training { adapters: Some(Adapters { rank, targets }), ..work(Task::Lora) };
        let one = memory(&model(name), &work, &plan()).per_accelerator;
        assert_eq!(one.adapters_bytes.0, 2 * right, "{name}");
        assert_eq!(one.optimizer_bytes.0, 12 * right, "{name}");
    }
}

/// GPT models of Korthikanti et al. 2022 (table 3, figures 1 and 8): activations without recomputation and with sequence
/// parallelism and selective recomputation, weights and optimiser, in GiB as the paper's formulas give them. Dropout's
/// masks, 2 of 34 bytes and a fifth of the scores' five, are not counted here.
#[test]
fn activations_of_the_paper() {
    let cases = [
        // hidden, layers, heads, pp, v, micro-batch, no recompute, selective with sequence parallelism
        (6144u64, 48u64, 64u64, 1u32, 1u32, 4u64, 59.25, 9.5625),
        (20480, 105, 128, 35, 3, 1, 114.02, 23.08),
        (25600, 128, 160, 64, 1, 1, 131.25, 26.56),
    ];
    for (hidden, layers, heads, pp, virtual_stages, micro_batch, none, selective) in cases {
        let folder = std::env::temp_dir().join(format!("maat-train-{}-{hidden}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let config = serde_json::json!({
            "model_type": "gpt_neox", "architectures": ["GPTNeoXForCausalLM"], "hidden_size": hidden,
            "intermediate_size": 4 * hidden, "num_hidden_layers": layers, "num_attention_heads": heads,
            "vocab_size": 51200, "max_position_embeddings": 2048, "dtype": "float16"
        });
        let path = folder.join("config.json");
        std::fs::write(&path, config.to_string()).unwrap();
        let model = open(&path.display().to_string(), &Options::default()).unwrap();
        let base = TrainPlan {
            parallel: Parallel { tp: 8, pp, ..plan().parallel },
            framework: Framework::Megatron,
            flash_attention: false,
            virtual_stages,
            micro_batch,
            ..plan()
        };
        let work = Training { global_batch: Some(10_000), ..work(Task::Pretrain) };
        let gib =
            |plan: &TrainPlan| memory(&model, &work, plan).per_accelerator.activations_bytes.as_f64() / GIB;
        // Logits and the layer at work stand beside what the formulas count.
        let all = gib(&base);
        assert!((all / none - 1.0).abs() < 0.12, "{hidden}: {all} for {none}");
        let few =
            gib(&TrainPlan { recompute: Recompute::Selective, sequence_parallel: true, ..base.clone() });
        assert!((few / selective - 1.0).abs() < 0.2, "{hidden}: {few} for {selective}");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

/// What more sharding, more recomputation, fewer trained weights and narrower bases change, and nothing else.
#[test]
fn memory_falls_where_it_should() {
    let model = model("meta-llama/Llama-3.1-8B");
    let eight = Parallel { dp: 8, ..plan().parallel };
    let total = |work: &Training, plan: &TrainPlan| memory(&model, work, plan).per_accelerator.total_bytes;
    for task in [Task::Full, Task::Lora, Task::Dpo, Task::Ppo, Task::Grpo] {
        let by_stage: Vec<_> = (1..=3)
            .map(|zero| total(&work(task), &TrainPlan { zero, parallel: eight.clone(), ..plan() }))
            .collect();
        assert!(by_stage.is_sorted_by(|a, b| a >= b), "{task}: {by_stage:?}");
        let by_recompute: Vec<_> = [Recompute::None, Recompute::Selective, Recompute::Full]
            .map(|recompute| total(&work(task), &TrainPlan { recompute, ..plan() }))
            .to_vec();
        assert!(by_recompute.is_sorted_by(|a, b| a >= b), "{task}: {by_recompute:?}");
    }
    assert!(total(&work(Task::Lora), &plan()) < total(&work(Task::Full), &plan()));
    let packed = open("meta-llama/Llama-3.1-8B", &Options { precision: Some("nf4".into()) }).unwrap();
    let narrow = memory(&packed, &work(Task::Qlora), &plan()).per_accelerator;
    let wide = memory(&model, &work(Task::Lora), &plan()).per_accelerator;
    assert!(narrow.weights_bytes < wide.weights_bytes && narrow.adapters_bytes == wide.adapters_bytes);
    // Each data-parallel rank holds the whole base.
    let two = memory(
        &packed,
        &work(Task::Qlora),
        &TrainPlan { parallel: Parallel { dp: 2, ..plan().parallel }, ..plan() },
    );
    assert_eq!(two.per_accelerator.weights_bytes, narrow.weights_bytes);
    // The same tokens in longer sequences: with flash attention memory stays.
    let long = Training { sequence: 4096, ..work(Task::Full) };
    let short = TrainPlan { micro_batch: 2, ..plan() };
    assert_eq!(total(&long, &plan()), total(&work(Task::Full), &short));
}

/// More cards never make a job slower; recomputation trades time for memory; a narrower link never helps.
#[test]
fn time_follows_the_plan() {
    let rules = Rules::built_in().unwrap();
    let model = model("meta-llama/Llama-3.1-8B");
    let profile = Profile::new(&model, &rules.efficiencies);
    let work = Training { global_batch: Some(512), ..work(Task::Full) };
    let step = |machine: &Machine, plan: &TrainPlan| {
        let job = TrainJob { model: &model, work: &work, machine: Some(machine), plan, rules: &rules };
        train_step(&profile, &job).unwrap()
    };
    let mut last = f64::INFINITY;
    for nodes in [1, 2, 4, 8] {
        let plan = TrainPlan { zero: 3, parallel: Parallel { dp: 8 * nodes, ..plan().parallel }, ..plan() };
        let step = step(&machine("8x H100 SXM", nodes), &plan);
        assert!(step.times.total() < last && step.mfu > 0.2 && step.mfu < 0.7, "{nodes}: {step:?}");
        assert!((step.tokens - 512.0 * 2048.0).abs() < 1.0);
        last = step.times.total();
    }
    let eight = machine("8x H100 SXM", 1);
    let with = |recompute| {
        let plan =
            TrainPlan { zero: 3, recompute, parallel: Parallel { dp: 8, ..plan().parallel }, ..plan() };
        step(&eight, &plan).times.total()
    };
    assert!(
        with(Recompute::None) <= with(Recompute::Selective)
            && with(Recompute::Selective) < with(Recompute::Full)
    );
}

/// torchtune's published series for Llama 3.2 3B (README, table of what each switch saves; AdamW in BF16, batches of two
/// sequences of 4,096 tokens), in GiB of PyTorch's allocator. The last two have adapters of rank 8 beside all products.
#[test]
fn what_each_switch_saves_in_torchtune() {
    let wide = model("meta-llama/Llama-3.2-3B");
    let packed = open("meta-llama/Llama-3.2-3B", &Options { precision: Some("nf4".into()) }).unwrap();
    let all = Training { sequence: 4096, ..work(Task::Full) };
    let adapters = Some(Adapters { rank: 8, targets: Targets::AllLinear });
    let beside = Training { adapters, task: Task::Lora, ..all.clone() };
    let eager = TrainPlan { precision: TrainPrecision::PureBf16, micro_batch: 2, ..plan() };
    let compiled = TrainPlan { compiled: true, compiled_loss: true, ..eager.clone() };
    let chunked = TrainPlan { chunked_loss: true, ..compiled.clone() };
    let recomputed = TrainPlan { recompute: Recompute::Full, ..chunked.clone() };
    let fused = TrainPlan { update_in_backward: true, ..recomputed.clone() };
    let offloaded = TrainPlan { offload_activations: true, ..fused.clone() };
    let eight_bit = TrainPlan { optimizer: Optimizer::Adamw8bit, ..offloaded.clone() };
    let adapted = TrainPlan { update_in_backward: false, ..offloaded.clone() };
    for (model, work, plan, right) in [
        (&wide, &all, &eager, 60.0),
        (&wide, &all, &compiled, 51.0),
        (&wide, &all, &chunked, 42.9),
        (&wide, &all, &recomputed, 24.9),
        (&wide, &all, &fused, 23.1),
        (&wide, &all, &offloaded, 21.8),
        (&wide, &all, &eight_bit, 17.6),
        (&wide, &beside, &adapted, 8.5),
        (&packed, &beside, &adapted, 4.6),
    ] {
        let one = memory(model, work, plan).per_accelerator;
        let gib = (one.total_bytes - one.framework_bytes).as_f64() / GIB;
        assert!((gib / right - 1.0).abs() < 0.15, "{gib} for {right}");
    }
}

/// A pair is two sequences, which the reference reads as well: a forward pass of the three of training, four of computing
/// activations again. PPO reads a reference and a reward model and reads and trains a critic.
#[test]
fn models_beside_take_their_time() {
    let rules = Rules::built_in().unwrap();
    let model = model("meta-llama/Llama-3.1-8B");
    let profile = Profile::new(&model, &rules.efficiencies);
    let machine = machine("8x H100 SXM", 1);
    let at = |task, recompute, global_batch| {
        let plan =
            TrainPlan { zero: 3, recompute, parallel: Parallel { dp: 8, ..plan().parallel }, ..plan() };
        let work = Training { global_batch: Some(global_batch), ..work(task) };
        let job =
            TrainJob { model: &model, work: &work, machine: Some(&machine), plan: &plan, rules: &rules };
        train_step(&profile, &job).unwrap()
    };
    for (recompute, share) in [(Recompute::None, 1.0 / 3.0), (Recompute::Full, 0.25)] {
        let (full, pairs) = (at(Task::Full, recompute, 2048), at(Task::Dpo, recompute, 1024));
        assert!((pairs.tokens / full.tokens - 1.0).abs() < 1e-9);
        // What the trained model computes; the exchange of its weights and gradients is its own.
        let times = &pairs.times;
        let own = times.products + times.attention + times.elementwise + times.loss;
        let took = pairs.times.beside / own;
        assert!(took > 0.9 * share && took < 1.01 * share, "{took} of {share}: {:?}", pairs.times);
        let (grpo, ppo) = (at(Task::Grpo, recompute, 2048).times, at(Task::Ppo, recompute, 2048).times);
        assert!(grpo.total() > full.times.total() && ppo.total() > 1.5 * grpo.total());
    }
}
