//! Rows of training as jobs.

use maat_catalogue::{Machine, NumberType};
use maat_estimate::{
    Adapters, Framework, Offload, Optimizer, Parallel, Placement, Recompute, Rules, Targets, Task, TrainJob,
    TrainPlan, TrainPrecision, Training,
};
use maat_model::Role;

use crate::case::{Quantity, Skip, Train, Unit};
use crate::model::Opened;
use crate::published::{self, Converged};
use crate::row::Row;

/// Tokens of a sequence in torchtitan's configurations of Llama 3, where a row does not say.
const TORCHTITAN_SEQUENCE: f64 = 8192.0;

/// Tokens of a sequence, two to a batch, in torchtune's table of what each switch saves.
const TORCHTUNE_SEQUENCE: f64 = 4096.0;

/// The switches of that table, each beside those before it.
const TORCHTUNE_SWITCHES: [&str; 9] = [
    "+ Packed Dataset",
    "+ Compile",
    "+ Chunked Cross Entropy",
    "+ Activation Checkpointing",
    "+ Fuse optimizer step into backward",
    "+ Activation Offloading",
    "+ 8-bit AdamW",
    "LoRA",
    "QLoRA",
];

/// A framework with the recipe that its rows share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Recipe {
    Foundry,
    Megatron,
    Titan,
    Tune,
    Lit,
    /// Submissions to MLPerf, whose plans are not in their tables.
    Mlperf,
    Other,
}

impl Recipe {
    fn of(row: &Row) -> Self {
        let text = format!("{} {}", row.text("software"), row.text("benchmark")).to_ascii_lowercase();
        let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
        match () {
            () if has(&["mlperf training"]) => Self::Mlperf,
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

/// Precisions that the weights of a row are stored in; MLPerf's submissions keep a frozen base in 8 bits.
pub fn base(row: &Row) -> Vec<String> {
    let narrow =
        row.text("precision").to_ascii_lowercase().contains("nf4") || row.text("note").contains("QLoRA");
    let eight = Recipe::of(row) == Recipe::Mlperf && row.text("model").contains("LoRA");
    vec![
        if narrow {
            "nf4"
        } else if eight {
            "fp8"
        } else {
            "bf16"
        }
        .to_owned(),
    ]
}

/// The work of a row and its quantity.
pub fn case(
    row: &Row,
    opened: &Opened,
    machine: &Machine,
    rules: &Rules,
    table: &[Converged],
) -> Result<(Train, Quantity, Unit), Skip> {
    let recipe = Recipe::of(row);
    let note = row.text("note");
    let count = published::accelerators(row);
    let whole = published::is_whole(row);
    knowable(row, recipe, count)?;
    let sequence = row.number("input_len").or((recipe == Recipe::Titan).then_some(TORCHTITAN_SEQUENCE));
    let sequence = sequence.or(cumulative(row).map(|_| TORCHTUNE_SEQUENCE));
    let sequence = sequence.or(whole.then(|| published::usual_sequence(opened)));
    let sequence = sequence.filter(|tokens| *tokens >= 1.0).ok_or(Skip::WorkUnknown)?;
    let plan = plan(row, recipe, count)?;
    let adapters =
        note.contains("LoRA") || row.text("benchmark").contains("LoRA") || row.text("model").contains("LoRA");
    let dp = u64::from(plan.parallel.dp);
    let stated = row
        .number("batch_or_concurrency")
        .filter(|_| !note.contains("local_batch") && !matches!(recipe, Recipe::Tune | Recipe::Lit));
    let stated =
        stated.or((whole && recipe != Recipe::Mlperf).then(|| published::usual_batch(sequence) as f64));
    let accumulated = plan.micro_batch * dp * row.noted_count("grad_accum").unwrap_or(1);
    let work = Training {
        task: if adapters { Task::Lora } else { Task::Pretrain },
        sequence: sequence as u64,
        response: 0,
        global_batch: Some(stated.map_or(accumulated, |batch| batch.max(1.0) as u64)),
        adapters: adapters.then(|| adapters_of(recipe)),
        tokens: None,
    };
    if whole {
        let (quantity, unit) = published::quantity(row, table, opened, &work)?;
        let plan = published::fastest(plan, &work, opened, machine, rules, count);
        return Ok((Train { work, plan, chosen: true }, quantity, unit));
    }
    let (quantity, unit) = quantity(row, opened, machine, &work)?;
    let open = open_plans(row, recipe, &plan);
    let first = open.into_iter().find(|plan| {
        let job = TrainJob { model: &opened.model, work: &work, machine: Some(machine), plan, rules };
        let one = maat_estimate::training_memory(&job).per_accelerator;
        // A recipe's defaults have room; a submission is tuned until it fits.
        let need = if recipe == Recipe::Mlperf { one.total_bytes_range[0] } else { one.total_bytes };
        machine.slots.first().is_none_or(|slot| need <= slot.accelerator.capacity.value)
    });
    Ok((Train { work, plan: first.unwrap_or(plan), chosen: false }, quantity, unit))
}

/// What a row leaves open, the least first: of torchtune's recipes whether activations are computed again, of MLPerf's
/// how many ranks share a sequence beyond those that its batch leaves, and whether they divide matrices too.
fn open_plans(row: &Row, recipe: Recipe, plan: &TrainPlan) -> Vec<TrainPlan> {
    match recipe {
        Recipe::Tune if cumulative(row).is_none() => [Recompute::None, Recompute::Full]
            .map(|recompute| TrainPlan { recompute, ..plan.clone() })
            .to_vec(),
        Recipe::Mlperf => {
            let least = plan.parallel.cp;
            let shared = (0..4u32).map(|more| least.saturating_mul(1 << more));
            shared
                .flat_map(|ranks| (0..4u32).map(move |tp| (1 << tp, ranks >> tp)))
                .filter(|(_, cp)| *cp > 0)
                .map(|(tp, cp)| {
                    let dp = (plan.parallel.dp * least / (tp * cp)).max(1);
                    let parallel = Parallel { tp, cp, dp, ..plan.parallel.clone() };
                    TrainPlan { parallel, sequence_parallel: tp > 1, ..plan.clone() }
                })
                .collect()
        }
        _ => Vec::new(),
    }
}

/// How many of torchtune's switches a row of its table of them has on, in the order of the table. The last two rows
/// leave out those of the optimiser.
fn cumulative(row: &Row) -> Option<usize> {
    let switch = row.text("note").strip_prefix("cumulative: ")?;
    TORCHTUNE_SWITCHES.iter().position(|name| *name == switch)
}

/// Rows whose work is not what an estimate is of.
fn knowable(row: &Row, recipe: Recipe, count: u32) -> Result<(), Skip> {
    let note = row.text("note");
    let other = note.contains("adapter") || note.contains("generate");
    let unstated = row.text("benchmark").contains("cumulative") && cumulative(row).is_none();
    let measured = row.text("metric") == "peak_memory_per_gpu";
    let loading = measured && recipe == Recipe::Lit && count > 1;
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
            // What MLPerf's logs call GB is GiB: a base of 70 billion parameters in 8 bits would not be in them else.
            let binary = row.text("unit").starts_with("GiB") || row.text("unit").contains("as logged");
            let unit = if binary { 1024f64.powi(3) } else { 1e9 };
            (Quantity::Memory, Unit::times(1.0 / unit))
        }
        "train_tokens_per_s_per_gpu" => (Quantity::Train, Unit::per(1.0)),
        "train_tokens_per_s" | "finetune_tokens_per_s" => (Quantity::Train, Unit::per(count)),
        "model_tflops_per_gpu" => (Quantity::Train, Unit::per(flops_per_token(opened, work, true) / 1e12)),
        "mfu_percent" => {
            let peak = peak(machine, precision(row, Recipe::of(row))).ok_or(Skip::NoSpeed)?;
            (Quantity::Train, Unit::per(100.0 * flops_per_token(opened, work, false) / peak))
        }
        _ => return Err(Skip::MetricUnknown),
    })
}

/// Operations of a token, as frameworks count them: six for each active parameter, four where only adapters are
/// trained, and attention's over the whole sequence (llm-foundry) or the half that is looked at (Megatron).
fn flops_per_token(opened: &Opened, work: &Training, half: bool) -> f64 {
    let each = if half { 6.0 } else { 12.0 };
    let attention = opened
        .model
        .decoder()
        .map_or(0.0, |stack| stack.order.len() as f64 * stack.hidden as f64 * work.sequence as f64 * each);
    let backward = if work.adapters.is_some() { 2.0 / 3.0 } else { 1.0 };
    backward * (6.0 * opened.model.params_active() as f64 + attention)
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
/// defaults (rank 8, queries and values), MLPerf's rules (rank 16, attention), NeMo's (rank 16, all).
fn adapters_of(recipe: Recipe) -> Adapters {
    match recipe {
        Recipe::Lit => {
            Adapters { rank: 8, targets: Targets::Roles(vec![Role::Query, Role::Value, Role::Qkv]) }
        }
        Recipe::Tune => Adapters { rank: 8, targets: Targets::AllLinear },
        Recipe::Mlperf => Adapters { rank: 16, targets: Targets::Attention },
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
        Recipe::Megatron | Recipe::Mlperf if text.is_empty() => TrainPrecision::Fp8,
        _ => TrainPrecision::Bf16,
    }
}

fn plan(row: &Row, recipe: Recipe, count: u32) -> Result<TrainPlan, Skip> {
    let note = row.text("note");
    let ranks = |column: &str| row.count(column).unwrap_or(1);
    let (tp, pp, ep) = (ranks("tp"), ranks("pp"), ranks("ep"));
    let batch = row.count("batch_or_concurrency");
    // MLPerf's submissions take one sequence a pass: ranks beyond those that a step's sequences keep busy share them.
    let shared = batch.filter(|_| recipe == Recipe::Mlperf).map(|batch| (count / batch.max(1)).max(1));
    let cp = shared.unwrap_or_else(|| row.noted_count("CP").unwrap_or(1) as u32);
    let dp = count / (tp.saturating_mul(pp).saturating_mul(cp)).max(1);
    if dp == 0 {
        return Err(Skip::PlanUnknown);
    }
    let noted = ["microbatch", "MBS", "local_batch"].iter().find_map(|key| row.noted_count(key));
    let own = batch.filter(|_| matches!(recipe, Recipe::Tune | Recipe::Lit)).map(u64::from);
    let switches = cumulative(row);
    let chosen = shared.is_some() || published::is_whole(row);
    let known = noted.or(own).or(chosen.then_some(1)).or(switches.map(|_| 2));
    let micro_batch = known.ok_or(Skip::PlanUnknown)?;
    // Of the table's last rows, adapters, those that are no switches of an optimiser of all weights.
    let on = |name: &str| {
        let at = TORCHTUNE_SWITCHES.iter().position(|switch| *switch == name);
        switches.is_some_and(|last| at.is_some_and(|at| at <= last))
    };
    let adapted = note.contains("LoRA");
    let several = matches!(recipe, Recipe::Tune | Recipe::Lit) && count > 1;
    Ok(TrainPlan {
        base_precision: "bf16".into(),
        parallel: Parallel { tp, pp, dp, ep, cp, replicas: 1, stages: None },
        zero: zero(row, recipe, several),
        micro_batch,
        recompute: match switches {
            Some(_) if on("+ Activation Checkpointing") => Recompute::Full,
            Some(_) => Recompute::None,
            None => recompute(note, recipe, several),
        },
        // torchtune's `fsdp_cpu_offload` moves parameters too.
        offload: match recipe {
            _ if !note.contains("offload") || note.contains("cpu_offload=False") => Offload::None,
            Recipe::Tune => Offload::All,
            _ => Offload::Optimizer,
        },
        optimizer: match switches {
            Some(_) if on("+ 8-bit AdamW") && !adapted => Optimizer::Adamw8bit,
            None if recipe == Recipe::Tune && !adapted => Optimizer::PagedAdamw8bit,
            _ => Optimizer::Adamw,
        },
        precision: precision(row, recipe),
        framework: match recipe {
            Recipe::Megatron | Recipe::Mlperf => Framework::Megatron,
            _ if published::is_whole(row) => Framework::Megatron,
            _ => Framework::Torch,
        },
        flash_attention: true,
        sequence_parallel: tp > 1,
        chunked_loss: recipe == Recipe::Tune && (switches.is_none() || on("+ Chunked Cross Entropy")),
        compiled: note.contains("compile") || on("+ Compile"),
        // torchtitan and torchtune compile the loss with the model, torchtitan not in 2024; llm-foundry has a fused one.
        compiled_loss: note.contains("compile") && row.text("date") >= "2025"
            || recipe == Recipe::Tune && (switches.is_none() || on("+ Compile"))
            || recipe == Recipe::Foundry,
        offload_activations: on("+ Activation Offloading"),
        update_in_backward: recipe == Recipe::Tune && count == 1 && note.contains("Full")
            || on("+ Fuse optimizer step into backward") && !adapted,
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
