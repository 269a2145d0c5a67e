//! Rows of training as jobs.

use maat_catalogue::{Machine, NumberType};
use maat_estimate::{
    Adapters, Framework, Offload, Optimizer, Parallel, Placement, Recompute, Targets, Task, TrainPlan,
    TrainPrecision, Training,
};
use maat_model::Role;

use crate::case::{Quantity, Skip, Train, Unit};
use crate::model::Opened;
use crate::row::Row;

/// Tokens of a sequence in torchtitan's configurations of Llama 3, where a row does not say.
const TORCHTITAN_SEQUENCE: f64 = 8192.0;

/// A framework with the recipe that its rows share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Recipe {
    Foundry,
    Megatron,
    Titan,
    Tune,
    Lit,
    Other,
}

impl Recipe {
    fn of(row: &Row) -> Self {
        let text = format!("{} {}", row.text("software"), row.text("benchmark")).to_ascii_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
        match () {
            () if has(&["llm-foundry", "composer"]) => Self::Foundry,
            () if has(&["nemo", "megatron"]) => Self::Megatron,
            () if has(&["torchtitan"]) => Self::Titan,
            () if has(&["torchtune"]) => Self::Tune,
            () if has(&["litgpt", "lit-gpt"]) => Self::Lit,
            () => Self::Other,
        }
    }
}

/// Whether a row measures training.
pub fn is_training(row: &Row) -> bool {
    let metric = row.text("metric");
    row.text("family").starts_with('B')
        || metric.starts_with("train_")
        || metric.starts_with("finetune_")
        || metric == "peak_memory_per_gpu"
}

/// Precisions that the weights of a row are stored in.
pub fn base(row: &Row) -> Vec<String> {
    let narrow = row.text("precision").to_ascii_lowercase().contains("nf4");
    vec![if narrow { "nf4" } else { "bf16" }.to_owned()]
}

/// The work of a row and its quantity.
pub fn case(row: &Row, opened: &Opened, machine: &Machine) -> Result<(Train, Quantity, Unit), Skip> {
    let recipe = Recipe::of(row);
    let note = row.text("note");
    let count = row.count("count").unwrap_or(1);
    knowable(row, recipe, count)?;
    let sequence = row.number("input_len").or((recipe == Recipe::Titan).then_some(TORCHTITAN_SEQUENCE));
    let sequence = sequence.filter(|tokens| *tokens >= 1.0).ok_or(Skip::WorkUnknown)?;
    let plan = plan(row, recipe, count)?;
    let adapters =
        note.contains("LoRA") || row.text("benchmark").contains("LoRA") || row.text("model").contains("LoRA");
    let dp = u64::from(plan.parallel.dp);
    let stated = row
        .number("batch_or_concurrency")
        .filter(|_| !note.contains("local_batch") && !matches!(recipe, Recipe::Tune | Recipe::Lit));
    let accumulated = plan.micro_batch * dp * row.noted_count("grad_accum").unwrap_or(1);
    let work = Training {
        task: if adapters { Task::Lora } else { Task::Pretrain },
        sequence: sequence as u64,
        response: 0,
        global_batch: Some(stated.map_or(accumulated, |batch| batch.max(1.0) as u64)),
        adapters: adapters.then(|| adapters_of(recipe)),
        tokens: None,
    };
    let (quantity, unit) = quantity(row, opened, machine, &work)?;
    Ok((Train { work, plan }, quantity, unit))
}

/// Rows whose work is not what an estimate is of.
fn knowable(row: &Row, recipe: Recipe, count: u32) -> Result<(), Skip> {
    let note = row.text("note");
    let other = note.contains("adapter") || note.contains("generate");
    let unstated = row.text("benchmark").contains("cumulative");
    let loading = row.text("metric") == "peak_memory_per_gpu" && recipe == Recipe::Lit && count > 1;
    if other || unstated || loading { Err(Skip::WorkUnknown) } else { Ok(()) }
}

fn quantity(
    row: &Row,
    opened: &Opened,
    machine: &Machine,
    work: &Training,
) -> Result<(Quantity, Unit), Skip> {
    let count = f64::from(row.count("count").unwrap_or(1));
    Ok(match row.text("metric") {
        "peak_memory_per_gpu" => {
            let unit = if row.text("unit").starts_with("GiB") { 1024f64.powi(3) } else { 1e9 };
            (Quantity::Memory, Unit::times(1.0 / unit))
        }
        "train_tokens_per_s_per_gpu" => (Quantity::Train, Unit::per(1.0)),
        "train_tokens_per_s" | "finetune_tokens_per_s" => (Quantity::Train, Unit::per(count)),
        "model_tflops_per_gpu" => (Quantity::Train, Unit::per(flops_per_token(opened, work) / 1e12)),
        "mfu_percent" => {
            let peak = peak(machine, precision(row, Recipe::of(row))).ok_or(Skip::NoSpeed)?;
            (Quantity::Train, Unit::per(100.0 * flops_per_token(opened, work) / peak))
        }
        _ => return Err(Skip::MetricUnknown),
    })
}

/// Operations of a token, as frameworks count them: six for each active parameter of a product, and attention's over
/// half of the sequence.
fn flops_per_token(opened: &Opened, work: &Training) -> f64 {
    let attention: f64 = opened
        .model
        .decoder()
        .map_or(0.0, |stack| stack.order.len() as f64 * stack.hidden as f64 * work.sequence as f64 * 6.0);
    6.0 * opened.model.params_active() as f64 + attention
}

/// The dense peak that shares of a peak are of.
fn peak(machine: &Machine, precision: TrainPrecision) -> Option<f64> {
    let number = match precision {
        TrainPrecision::Fp8 | TrainPrecision::Mxfp8 => NumberType::Fp8,
        TrainPrecision::Nvfp4 => NumberType::Fp4,
        _ => NumberType::Bf16,
    };
    let part = &machine.slots.first()?.accelerator;
    Some(part.dense(number)?.flop_per_s.value)
}

/// Ranks and targets of the frameworks' recipes: torchtune's `lora_single_device` (rank 8, attention and MLP), litgpt's
/// defaults (rank 8, queries and values), NeMo's (rank 16, all).
fn adapters_of(recipe: Recipe) -> Adapters {
    match recipe {
        Recipe::Lit => {
            Adapters { rank: 8, targets: Targets::Roles(vec![Role::Query, Role::Value, Role::Qkv]) }
        }
        Recipe::Tune => Adapters { rank: 8, targets: Targets::AllLinear },
        _ => Adapters { rank: 16, targets: Targets::AllLinear },
    }
}

fn precision(row: &Row, recipe: Recipe) -> TrainPrecision {
    let text = row.text("precision").to_ascii_lowercase();
    match recipe {
        Recipe::Tune | Recipe::Lit => TrainPrecision::PureBf16,
        _ if text.contains("mxfp8") || text.contains("fp8-mx") => TrainPrecision::Mxfp8,
        _ if text.contains("nvfp4") => TrainPrecision::Nvfp4,
        _ if text.contains("fp8") => TrainPrecision::Fp8,
        // NeMo's tables of 25.09 leave the precision out; their text says FP8.
        Recipe::Megatron if text.is_empty() => TrainPrecision::Fp8,
        _ => TrainPrecision::Bf16,
    }
}

fn plan(row: &Row, recipe: Recipe, count: u32) -> Result<TrainPlan, Skip> {
    let note = row.text("note");
    let ranks = |column: &str| row.count(column).unwrap_or(1);
    let (tp, pp, ep) = (ranks("tp"), ranks("pp"), ranks("ep"));
    let cp = row.noted_count("CP").unwrap_or(1) as u32;
    let dp = count / (tp.saturating_mul(pp).saturating_mul(cp)).max(1);
    if dp == 0 {
        return Err(Skip::PlanUnknown);
    }
    let noted = ["microbatch", "MBS", "local_batch"].iter().find_map(|key| row.noted_count(key));
    let own = row
        .count("batch_or_concurrency")
        .filter(|_| matches!(recipe, Recipe::Tune | Recipe::Lit))
        .map(u64::from);
    let micro_batch = noted.or(own).ok_or(Skip::PlanUnknown)?;
    let several = matches!(recipe, Recipe::Tune | Recipe::Lit) && count > 1;
    Ok(TrainPlan {
        base_precision: "bf16".into(),
        parallel: Parallel { tp, pp, dp, ep, cp, replicas: 1, stages: None },
        zero: zero(row, recipe, several),
        micro_batch,
        recompute: recompute(note, recipe, several),
        // torchtune's `fsdp_cpu_offload` moves parameters too.
        offload: match recipe {
            _ if !note.contains("offload") || note.contains("cpu_offload=False") => Offload::None,
            Recipe::Tune => Offload::All,
            _ => Offload::Optimizer,
        },
        optimizer: if recipe == Recipe::Tune && !note.contains("LoRA") {
            Optimizer::PagedAdamw8bit
        } else {
            Optimizer::Adamw
        },
        precision: precision(row, recipe),
        framework: if recipe == Recipe::Megatron { Framework::Megatron } else { Framework::Torch },
        flash_attention: true,
        sequence_parallel: tp > 1,
        chunked_loss: recipe == Recipe::Tune,
        compiled: note.contains("compile"),
        // torchtitan and torchtune compile the loss with the model, torchtitan not in 2024; llm-foundry has a fused one.
        compiled_loss: note.contains("compile") && row.text("date") >= "2025"
            || matches!(recipe, Recipe::Tune | Recipe::Foundry),
        update_in_backward: recipe == Recipe::Tune && count == 1 && note.contains("Full"),
        virtual_stages: row.noted_count("VP").unwrap_or(1) as u32,
        roles: Placement::Colocated,
        rollout: None,
    })
}

fn zero(row: &Row, recipe: Recipe, several: bool) -> u8 {
    let note = row.text("note");
    let empty = note.contains("FSDP=;");
    let fsdp = note.contains("FSDP") && !empty && row.noted("FSDP").is_none_or(|ranks| ranks != "0");
    if recipe == Recipe::Titan || several || note.contains("FULL_SHARD") || fsdp {
        3
    } else if note.contains("SHARD_GRAD_OP") {
        2
    } else {
        1
    }
}

fn recompute(note: &str, recipe: Recipe, several: bool) -> Recompute {
    let has = |words: &[&str]| words.iter().any(|word| note.contains(word));
    let full = has(&["act_ckpt=True", "full activation", "full AC"]);
    match recipe {
        _ if full => Recompute::Full,
        Recipe::Tune => Recompute::Full,
        Recipe::Lit if several => Recompute::Full,
        Recipe::Titan | Recipe::Megatron => Recompute::Selective,
        _ if has(&["selective", "SAC"]) => Recompute::Selective,
        _ => Recompute::None,
    }
}
