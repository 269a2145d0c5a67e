//! Measured rows of training as jobs.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use maat_catalogue::{Machine, Network};
use maat_estimate::{
    Adapters, Framework, Offload, Optimizer, Parallel, Placement, Profile, Recompute, Rules, Targets, Task,
    TrainPlan, TrainPrecision, Training,
};
use maat_model::{Model, Options, open};

use crate::hardware::{Parts, table};

/// A row that can be predicted.
pub struct Case {
    pub id: String,
    pub family: &'static str,
    pub model_name: String,
    pub hardware: String,
    /// Tokens per second and accelerator.
    pub measured: f64,
    pub model: Arc<Model>,
    pub profile: Arc<Profile>,
    pub machine: Machine,
    pub work: Training,
    pub plan: TrainPlan,
    pub label: String,
    pub scored: bool,
}

type Row = HashMap<String, String>;
type Opened = Result<(Arc<Model>, Arc<Profile>), String>;

pub struct Reader<'a> {
    pub parts: &'a Parts,
    pub rules: &'a Rules,
    pub folder: &'a Path,
    names: HashMap<String, String>,
    models: HashMap<(String, String), Opened>,
}

fn text<'a>(row: &'a Row, key: &str) -> &'a str {
    row.get(key).map_or("", |value| value.trim())
}

/// A number, the first of `1 (2)`.
fn number(row: &Row, key: &str) -> Option<f64> {
    row.get(key)?.split_whitespace().next()?.parse().ok()
}

/// The value of `key=value;` in a note.
fn noted<'a>(note: &'a str, key: &str) -> Option<&'a str> {
    let at = note.find(&format!("{key}="))? + key.len() + 1;
    note[at..].split([';', ',', ' ']).next().filter(|value| !value.is_empty())
}

fn whole(note: &str, key: &str) -> Option<u64> {
    noted(note, key)?.parse().ok()
}

impl<'a> Reader<'a> {
    pub fn new(parts: &'a Parts, rules: &'a Rules, folder: &'a Path) -> Self {
        let pair = |mut row: Row| Some((row.remove("measured")?, row.remove("model")?));
        let names = table(&folder.join("names.csv")).into_iter().filter_map(pair).collect();
        Self { parts, rules, folder, names, models: HashMap::new() }
    }

    pub fn case(&mut self, row: &Row) -> Result<Case, String> {
        let (count, sequence) = (number(row, "count").unwrap_or(1.0), number(row, "input_len"));
        let benchmark = text(row, "benchmark");
        let (family, framework) = family(benchmark, text(row, "model"))?;
        let batch = number(row, "batch_or_concurrency");
        let value = number(row, "value").ok_or("no value")?;
        let (measured, sequence) = match text(row, "metric") {
            "peak_memory_per_gpu" => {
                let unit = if text(row, "unit").starts_with("GiB") { 1024f64.powi(3) } else { 1e9 };
                (value * unit, sequence)
            }
            "train_tokens_per_s_per_gpu" => (value, sequence),
            "finetune_tokens_per_s" => (value / count, sequence),
            "train_samples_per_s" => return Err("parallelism hidden".into()),
            other => return Err(format!("metric {other}")),
        };
        let note = text(row, "note");
        unknown(row)?;
        let sequence = sequence.or((family == "torchtitan").then_some(8192.0)).ok_or("no sequence length")?;
        let base = if text(row, "precision").starts_with("NF4") || text(row, "precision").contains("nf4") {
            "nf4"
        } else {
            "bf16"
        };
        let (model, profile) = self.model(text(row, "model"), base)?;
        let machine = self.machine(row, count as u32)?;
        let plan = plan(row, framework, count as u32, note, family)?;
        let micro = plan.micro_batch;
        let dp = u64::from(plan.parallel.dp);
        let accumulate = whole(note, "grad_accum").unwrap_or(1);
        let global = batch
            .filter(|_| !note.contains("local_batch") && family != "torchtune" && family != "litgpt")
            .map(|b| b as u64);
        let adapters = note.contains("LoRA") || benchmark.contains("LoRA");
        let work = Training {
            task: if adapters { Task::Lora } else { Task::Pretrain },
            sequence: sequence as u64,
            response: 0,
            global_batch: Some(global.unwrap_or(micro * dp * accumulate)),
            adapters: adapters.then(|| adapters_of(family)),
            tokens: None,
        };
        let p = &plan.parallel;
        let label = format!(
            "{} {} {}x{} tp{} pp{} dp{} cp{} ep{} mbs{micro} gbs{:?} seq{sequence} {:?} {} | {note}",
            text(row, "model"),
            text(row, "precision"),
            count,
            text(row, "hardware"),
            p.tp,
            p.pp,
            p.dp,
            p.cp,
            p.ep,
            work.global_batch,
            plan.recompute,
            text(row, "software"),
        );
        Ok(Case {
            id: text(row, "id").to_owned(),
            family,
            model_name: text(row, "model").to_owned(),
            hardware: text(row, "hardware").to_owned(),
            measured,
            model,
            profile,
            machine,
            work,
            plan,
            label,
            scored: text(row, "trust") != "C",
        })
    }

    fn machine(&self, row: &Row, count: u32) -> Result<Machine, String> {
        let hardware = text(row, "hardware");
        let domain = if hardware.starts_with("GB") { 72 } else { 8 };
        let per_node = count.min(domain);
        let machine = self.parts.machine(hardware, per_node, true);
        let mut machine = machine.ok_or_else(|| format!("hardware {hardware}"))?;
        machine.nodes = count.div_ceil(per_node);
        let reported = text(row, "hardware_as_reported");
        let cap = reported.split(" W cap").next().filter(|rest| rest.len() < reported.len());
        machine.power_limit_w = cap.and_then(|rest| rest.rsplit(' ').next()?.parse().ok());
        // Cards of training clusters have a 400 Gb/s port each, those of the first A100 clusters 200.
        let port = if hardware.starts_with("A100") { 25e9 } else { 50e9 };
        machine.network = Some(Network { name: String::new(), bytes_per_s: port * f64::from(per_node) });
        Ok(machine)
    }

    fn model(&mut self, name: &str, precision: &str) -> Opened {
        let known = self.names.get(name).ok_or_else(|| format!("model {name}"))?.clone();
        let (folder, rules) = (self.folder, self.rules);
        let make = || {
            let path = folder.join(format!("{known}.json"));
            let path = if path.exists() { path.display().to_string() } else { known.clone() };
            let options = Options { precision: Some(precision.to_owned()) };
            let model = open(&path, &options).map_err(|why| format!("{known}: {why}"))?;
            let profile = Profile::new(&model, &rules.efficiencies);
            Ok((Arc::new(model), Arc::new(profile)))
        };
        self.models.entry((known.clone(), precision.to_owned())).or_insert_with(make).clone()
    }
}

/// Why a row cannot be predicted, whatever was measured.
fn unknown(row: &Row) -> Result<(), String> {
    let (note, benchmark) = (text(row, "note"), text(row, "benchmark"));
    let why = if note.contains("adapter") || note.contains("generate") {
        "not this kind of training"
    } else if text(row, "metric") == "peak_memory_per_gpu"
        && benchmark.starts_with("litgpt")
        && text(row, "count") != "1"
    {
        "peak while loading, before weights are divided"
    } else if benchmark.starts_with("torchtune cumulative") {
        "sequence and batch not stated"
    } else {
        return Ok(());
    };
    Err(why.into())
}

fn family(benchmark: &str, model: &str) -> Result<(&'static str, Framework), String> {
    let moe = ["DeepSeek", "GPT OSS", "Qwen3_30B", "Nemotron_3"].iter().any(|name| model.starts_with(name));
    match benchmark {
        "MPT pretraining throughput" => Ok(("llm-foundry", Framework::Torch)),
        _ if benchmark.starts_with("NeMo") && moe => Ok(("nemo-moe", Framework::Megatron)),
        _ if benchmark.starts_with("NeMo") => Ok(("nemo-dense", Framework::Megatron)),
        _ if benchmark.starts_with("torchtitan") => Ok(("torchtitan", Framework::Torch)),
        _ if benchmark.starts_with("litgpt") => Ok(("litgpt", Framework::Torch)),
        _ if benchmark.starts_with("torchtune") => Ok(("torchtune", Framework::Torch)),
        other => Err(format!("benchmark {other}")),
    }
}

/// Ranks and targets of the frameworks' recipes: torchtune's `lora_single_device` (rank 8, attention and MLP), litgpt's
/// defaults (rank 8, queries and values), NeMo's (rank 32 here 16, all).
fn adapters_of(family: &str) -> Adapters {
    use maat_model::Role;
    match family {
        "litgpt" => Adapters { rank: 8, targets: Targets::Roles(vec![Role::Query, Role::Value, Role::Qkv]) },
        "torchtune" => Adapters { rank: 8, targets: Targets::AllLinear },
        _ => Adapters { rank: 16, targets: Targets::AllLinear },
    }
}

fn precision(text: &str) -> TrainPrecision {
    match text.to_ascii_lowercase().as_str() {
        t if t.contains("mxfp8") || t.contains("fp8-mx") => TrainPrecision::Mxfp8,
        t if t.contains("nvfp4") => TrainPrecision::Nvfp4,
        t if t.contains("fp8") => TrainPrecision::Fp8,
        _ => TrainPrecision::Bf16,
    }
}

fn plan(row: &Row, framework: Framework, count: u32, note: &str, family: &str) -> Result<TrainPlan, String> {
    let tp = number(row, "tp").map_or(1, |n| n as u32).max(1);
    let pp = number(row, "pp").map_or(1, |n| n as u32).max(1);
    let ep = number(row, "ep").map_or(1, |n| n as u32).max(1);
    let cp = whole(note, "CP").map_or(1, |n| n as u32).max(1);
    let dp = count / (tp * pp * cp);
    if dp == 0 {
        return Err("fewer accelerators than ranks".into());
    }
    let micro = whole(note, "microbatch").or(whole(note, "MBS")).or(whole(note, "local_batch"));
    let micro = micro.or(number(row, "batch_or_concurrency")
        .filter(|_| matches!(family, "torchtune" | "litgpt"))
        .map(|n| n as u64));
    let micro = micro.ok_or("no micro-batch")?;
    let shards_always = family == "torchtitan" || matches!(family, "torchtune" | "litgpt") && count > 1;
    let sharded = shards_always
        || note.contains("FULL_SHARD")
        || note.contains("FSDP")
            && noted(note, "FSDP").is_none_or(|n| !matches!(n, "0"))
            && !(note.contains("FSDP=;"));
    let recompute = if note.contains("act_ckpt=True")
        || note.contains("full activation")
        || note.contains("full AC")
        || family == "torchtune"
        || family == "litgpt" && count > 1
    {
        Recompute::Full
    } else if note.contains("selective")
        || note.contains("SAC")
        || family == "torchtitan"
        || framework == Framework::Megatron
    {
        Recompute::Selective
    } else {
        Recompute::None
    };
    let mut numbers = precision(text(row, "precision"));
    // NeMo's tables of 25.09 leave the precision out; their text says FP8.
    if text(row, "precision").is_empty() && framework == Framework::Megatron {
        numbers = TrainPrecision::Fp8;
    }
    Ok(TrainPlan {
        base_precision: "bf16".into(),
        parallel: Parallel { tp, pp, dp, ep, cp, replicas: 1, stages: None },
        zero: if sharded {
            3
        } else if note.contains("SHARD_GRAD_OP") {
            2
        } else {
            1
        },
        micro_batch: micro,
        recompute,
        // torchtune's `fsdp_cpu_offload` moves parameters too.
        offload: if note.contains("offload") && !note.contains("cpu_offload=False") {
            if family == "torchtune" { Offload::All } else { Offload::Optimizer }
        } else {
            Offload::None
        },
        optimizer: if family == "torchtune" && !note.contains("LoRA") {
            Optimizer::PagedAdamw8bit
        } else {
            Optimizer::Adamw
        },
        precision: if matches!(family, "torchtune" | "litgpt") { TrainPrecision::PureBf16 } else { numbers },
        framework,
        flash_attention: true,
        sequence_parallel: tp > 1,
        chunked_loss: family == "torchtune",
        compiled: note.contains("compile"),
        // torchtitan and torchtune compile the loss with the model, torchtitan not in 2024; llm-foundry has a fused one.
        compiled_loss: note.contains("compile") && text(row, "date") >= "2025"
            || matches!(family, "torchtune" | "llm-foundry"),
        offload_activations: false,
        update_in_backward: family == "torchtune" && count == 1 && note.contains("Full"),
        virtual_stages: whole(note, "VP").map_or(1, |n| n as u32).max(1),
        roles: Placement::Colocated,
        rollout: None,
    })
}
