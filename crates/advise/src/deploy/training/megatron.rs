//! Megatron-LM: `pretrain_gpt.py` (megatron/training/arguments.py; Megatron-FSDP: docs of Megatron Core). What a family
//! of models needs beside its sizes stands in `facts/engines/megatron.csv`.

use maat_base::{Fault, Text};
use maat_estimate::{Offload, Optimizer, Recompute, TrainPrecision};
use maat_model::{Model, Part, Role, Weight};

use super::{Start, Training};
use crate::deploy::flag;

/// The command of a plan.
pub(super) fn with_flags(start: &Start) -> Result<Training, Fault> {
    let model = &start.case.model;
    let family = start.world.rules.engines.megatron_flags(&model.family);
    let shape = family.and_then(|family| shape(model).map(|shape| (family, shape)));
    let (family, shape) = shape.ok_or_else(|| {
        Fault::usage("deploy-megatron-shape").with("family", model.family.as_str()).at("--deploy")
    })?;
    let mut words = start.torchrun();
    words.push("pretrain_gpt.py".to_owned());
    words.extend(shape);
    words.extend(family.split_whitespace().map(str::to_owned));
    words.extend(division(start));
    words.extend(batch(start));
    words.extend(arithmetic(start)?);
    words.extend(memory(start));
    words.extend(flag("--tokenizer-type", "HuggingFaceTokenizer"));
    words.extend(flag("--tokenizer-model", &model.name));
    words.extend(flag("--data-path", "DATASET"));
    words.extend(flag("--save", "checkpoints"));
    words.extend(flag("--lr", "3e-4"));
    words.extend(flag("--log-interval", 10));
    words.push("--log-throughput".to_owned());
    let mut confirm =
        vec![Text::new("deploy-confirm-megatron-data"), Text::new("deploy-confirm-megatron-log")];
    if family.contains("rope") {
        confirm.insert(1, Text::new("deploy-confirm-rotary-base"));
    }
    Ok(Training {
        program: start.program("megatron", "Megatron Core"),
        before: Vec::new(),
        words,
        files: Vec::new(),
        confirm,
    })
}

/// The weights of the decoder's layers.
fn weights(model: &Model) -> impl Iterator<Item = &Weight> {
    model.decoder().into_iter().flat_map(|stack| &stack.layers).flat_map(|layer| &layer.weights)
}

/// Outputs of the first matrix of an MLP.
fn width(weight: &Weight) -> Option<u64> {
    let (rows, _) = weight.rows_cols();
    match weight.role {
        Role::Up | Role::Gate => Some(rows),
        Role::GateUp => Some(rows / 2),
        _ => None,
    }
}

/// The sizes as flags; `None` where one is not known, or not every layer has the same.
fn shape(model: &Model) -> Option<Vec<String>> {
    let summary = model.summary();
    let stack = model.decoder()?;
    if stack.kinds().count() != 1 {
        return None;
    }
    let dense = weights(model).find(|weight| weight.part == Part::Mlp).and_then(width);
    let routed = weights(model).find(|weight| weight.part == Part::RoutedExperts && width(weight).is_some());
    let (heads, kv_heads) = (summary.heads?, summary.kv_heads?);
    let mut words = Vec::new();
    words.extend(flag("--num-layers", summary.layers?));
    words.extend(flag("--hidden-size", summary.hidden?));
    words.extend(flag("--ffn-hidden-size", dense.or_else(|| width(routed?))?));
    words.extend(flag("--num-attention-heads", heads));
    words.extend(flag("--kv-channels", summary.head_dim?));
    if kv_heads != heads {
        words.push("--group-query-attention".to_owned());
        words.extend(flag("--num-query-groups", kv_heads));
    }
    words.extend(flag("--max-position-embeddings", summary.context_max?));
    if let Some(routed) = routed {
        let active =
            (routed.copies as f64 * routed.active_params() as f64 / routed.params().max(1) as f64).round();
        words.extend(flag("--num-experts", routed.copies));
        words.extend(flag("--moe-router-topk", active as u64));
        words.extend(flag("--moe-ffn-hidden-size", width(routed)?));
        words.push("--moe-grouped-gemm".to_owned());
        words.extend(flag("--moe-token-dispatcher-type", "alltoall"));
    }
    let tied = !stack.after.iter().any(|weight| weight.role == Role::Head);
    if !tied {
        words.push("--untie-embeddings-and-output-weights".to_owned());
    }
    words.extend(flag("--attention-dropout", 0));
    words.extend(flag("--hidden-dropout", 0));
    Some(words)
}

fn division(start: &Start) -> Vec<String> {
    let plan = &start.judged.plan;
    let parallel = &plan.parallel;
    let mut words = Vec::new();
    for (name, ranks) in [
        ("--tensor-model-parallel-size", parallel.tp),
        ("--pipeline-model-parallel-size", parallel.pp),
        ("--context-parallel-size", parallel.cp),
        ("--expert-model-parallel-size", parallel.ep),
    ] {
        words.extend(flag(name, ranks.max(1)));
    }
    if plan.sequence_parallel {
        words.push("--sequence-parallel".to_owned());
    }
    if parallel.pp > 1 && plan.virtual_stages > 1 {
        let layers = start.case.model.decoder().map_or(1, |stack| stack.order.len() as u64);
        let chunk = layers / (u64::from(parallel.pp) * u64::from(plan.virtual_stages));
        words.extend(flag("--num-layers-per-virtual-pipeline-stage", chunk.max(1)));
    }
    words.extend(sharding(plan.zero));
    words
}

/// What the data-parallel ranks divide: the distributed optimiser is ZeRO-1, Megatron-FSDP the stages above it.
fn sharding(zero: u8) -> Vec<String> {
    let strategy = match zero {
        0 => return Vec::new(),
        1 => {
            let flags = ["--use-distributed-optimizer", "--overlap-grad-reduce", "--overlap-param-gather"];
            return flags.map(str::to_owned).to_vec();
        }
        2 => "optim_grads",
        _ => "optim_grads_params",
    };
    let mut words = vec!["--use-distributed-optimizer".to_owned(), "--use-megatron-fsdp".to_owned()];
    words.extend(flag("--data-parallel-sharding-strategy", strategy));
    words.push("--no-gradient-accumulation-fusion".to_owned());
    words.push("--init-model-with-meta-device".to_owned());
    words.extend(flag("--ckpt-format", "fsdp_dtensor"));
    words
}

fn batch(start: &Start) -> Vec<String> {
    let plan = &start.judged.plan;
    let mut words = flag("--seq-length", start.case.work.sequence).to_vec();
    words.extend(flag("--micro-batch-size", plan.micro_batch));
    words.extend(flag("--global-batch-size", start.case.global_batch()));
    match start.steps() {
        Some(steps) => words.extend(flag("--train-iters", steps)),
        None => words.extend(flag("--train-iters", "STEPS")),
    }
    words
}

fn arithmetic(start: &Start) -> Result<Vec<String>, Fault> {
    let plan = &start.judged.plan;
    let mut words = match plan.precision {
        TrainPrecision::Bf16 => vec!["--bf16".to_owned()],
        TrainPrecision::Fp16 => vec!["--fp16".to_owned()],
        TrainPrecision::Fp32 | TrainPrecision::Tf32 => Vec::new(),
        TrainPrecision::Fp8 | TrainPrecision::Mxfp8 => {
            let scaled_in_blocks = plan.precision == TrainPrecision::Mxfp8;
            let (format, recipe) = if scaled_in_blocks { ("e4m3", "mxfp8") } else { ("hybrid", "delayed") };
            let mut words = vec!["--bf16".to_owned()];
            words.extend(flag("--fp8-format", format));
            words.extend(flag("--fp8-recipe", recipe));
            words
        }
        other => return Err(Fault::usage("deploy-precision").with("precision", other.name()).at("--deploy")),
    };
    match plan.optimizer {
        Optimizer::Adamw => words.extend(flag("--optimizer", "adam")),
        Optimizer::Sgd => words.extend(flag("--optimizer", "sgd")),
        Optimizer::Muon => words.extend(flag("--optimizer", "muon")),
        other => {
            return Err(Fault::usage("deploy-optimizer").with("optimizer", other.name()).at("--deploy"));
        }
    }
    if plan.flash_attention {
        words.extend(flag("--attention-backend", "flash"));
    }
    Ok(words)
}

fn memory(start: &Start) -> Vec<String> {
    let plan = &start.judged.plan;
    let mut words = Vec::new();
    match plan.recompute {
        Recompute::None => {}
        Recompute::Selective => words.extend(flag("--recompute-granularity", "selective")),
        Recompute::Full => {
            words.extend(flag("--recompute-granularity", "full"));
            words.extend(flag("--recompute-method", "uniform"));
            words.extend(flag("--recompute-num-layers", 1));
        }
    }
    if plan.offload != Offload::None {
        words.push("--optimizer-cpu-offload".to_owned());
        words.push("--overlap-cpu-optimizer-d2h-h2d".to_owned());
        words.push("--use-precision-aware-optimizer".to_owned());
    }
    words
}
