//! Measured rows as jobs.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use maat_catalogue::{Machine, Slot};
use maat_estimate::{
    Efficiencies, Engine, KvPrecision, Parallel, Pass, Plan, Profile, Rules, ServePlan, Serving, Task,
};
use maat_model::{Encoding, Model, Options, open};

use crate::hardware::{Parts, table};

/// What a row measured, as a time: rates are turned about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Metric {
    Tpot,
    Ttft,
    Prompt,
    Throughput,
}

/// A row that can be predicted.
pub struct Case {
    pub id: String,
    pub family: &'static str,
    pub model_name: String,
    pub hardware: String,
    pub engine_key: &'static str,
    pub metric: Metric,
    /// Seconds for a token, a prompt, or of a cycle for each output token.
    pub measured: f64,
    pub model: Arc<Model>,
    pub profile: Arc<Profile>,
    pub machine: Machine,
    pub plan: Plan,
    pub work: Serving,
    pub pool: bool,
    pub label: String,
    /// The run that a row belongs to: its time to first token and time per token share it.
    pub run: String,
    /// Runs of one model on one part with one version of an engine.
    pub sweep: String,
    pub scored: bool,
}

type Opened = Result<(Arc<Model>, Arc<Profile>), String>;

pub struct Reader<'a> {
    pub parts: &'a Parts,
    pub rules: &'a Rules,
    pub folder: &'a Path,
    names: HashMap<String, String>,
    models: HashMap<(String, String), Opened>,
}

type Row = HashMap<String, String>;

/// Words of notes that set a row apart.
const ODD: [&str; 3] = ["disaggregated", "implausible", "several replicas"];

/// Rows whose host or board is not told.
const DOUBTED: [&str; 4] = ["inf-00709", "inf-00722", "inf-00753", "inf-00771"];

fn text<'a>(row: &'a Row, key: &str) -> &'a str {
    row.get(key).map_or("", |value| value.trim())
}

fn whole(row: &Row, key: &str) -> u32 {
    number(row, key).unwrap_or(1.0).max(1.0) as u32
}

fn number(row: &Row, key: &str) -> Option<f64> {
    row.get(key)?.trim().parse().ok()
}

impl<'a> Reader<'a> {
    pub fn new(parts: &'a Parts, rules: &'a Rules, folder: &'a Path) -> Self {
        let pair = |mut row: Row| Some((row.remove("measured")?, row.remove("model")?));
        let names = table(&folder.join("names.csv")).into_iter().filter_map(pair).collect();
        Self { parts, rules, folder, names, models: HashMap::new() }
    }

    /// The row as a job, or why not.
    pub fn case(&mut self, row: &Row) -> Result<Case, String> {
        if text(row, "family") != "A-inference" {
            return Err("not inference".into());
        }
        let note = text(row, "note");
        if ODD.iter().any(|odd| note.contains(odd)) {
            return Err("odd by its note".into());
        }
        let (family, engine, engine_key) = family(text(row, "benchmark"), text(row, "software"))?;
        let (metric, measured) = measured(row)?;
        let precision = precision(text(row, "precision"), text(row, "model"), engine_key);
        let (model, profile) = self.model(text(row, "model"), &precision)?;
        let machine = self.machine(row, &profile)?;
        let parallel = parallel(row, engine_key);
        let whole_scores = ["llamacpp", "exllama"].contains(&engine_key);
        let serve = serve(engine, cache(family, &precision), !whole_scores);
        let batch = text(row, "batch_or_concurrency");
        let work = work(row, metric);
        let label = format!(
            "{} {} {}x{} tp{} pp{} dp{} ep{} b{batch} {}/{} {}",
            text(row, "model"),
            text(row, "precision"),
            whole(row, "count"),
            text(row, "hardware"),
            parallel.tp,
            parallel.pp,
            parallel.dp,
            parallel.ep,
            work.input,
            work.output,
            text(row, "software")
        );
        Ok(Case {
            id: text(row, "id").to_owned(),
            family,
            model_name: self.names.get(text(row, "model")).cloned().unwrap_or_default(),
            hardware: text(row, "hardware").to_owned(),
            engine_key,
            metric,
            measured,
            model,
            profile,
            machine,
            plan: Plan { precision, parallel, serve },
            work,
            pool: batch == "max",
            label,
            run: text(row, "source_path").to_owned(),
            sweep: ["model", "hardware", "software"].map(|key| text(row, key)).join(" "),
            scored: text(row, "trust") != "C" && !DOUBTED.contains(&text(row, "id")),
        })
    }

    fn machine(&self, row: &Row, profile: &Profile) -> Result<Machine, String> {
        let hardware = text(row, "hardware");
        let peers = !text(row, "note").contains("no NVLink");
        let machine = self.parts.machine(hardware, whole(row, "count"), peers);
        let mut machine = machine.ok_or_else(|| format!("hardware {hardware}"))?;
        let room = |slot: &Slot| slot.accelerator.capacity.value.as_f64() * f64::from(slot.count);
        let room: f64 = machine.slots.iter().map(room).sum();
        if room > 0.0 && profile.weight_bytes().as_f64() > room {
            return Err("weights do not fit the accelerators".into());
        }
        let reported = text(row, "hardware_as_reported");
        if let (Some(host), Some(at)) = (machine.host.processor.as_mut(), reported.find(" threads")) {
            host.threads = reported[..at].rsplit(' ').next().and_then(|n| n.parse().ok());
        }
        if machine.slots.is_empty() && reported.contains("[GPU]") {
            return Err("host and accelerator not told apart".into());
        }
        Ok(machine)
    }

    fn model(&mut self, name: &str, precision: &str) -> Opened {
        let known = self.names.get(name).ok_or_else(|| format!("model {name}"))?.clone();
        let (folder, rules) = (self.folder, self.rules);
        let make = || {
            let path = folder.join(format!("{known}.json"));
            let options = Options { precision: Some(precision.to_owned()) };
            let model =
                open(&path.display().to_string(), &options).map_err(|why| format!("{known}: {why}"))?;
            let profile = Profile::new(&model, &rules.efficiencies);
            Ok((Arc::new(model), Arc::new(profile)))
        };
        self.models.entry((known.clone(), precision.to_owned())).or_insert_with(make).clone()
    }
}

/// Share of a part's dense peak that prompts cannot exceed: assumed, above what large products usually reach.
const MOST_OF_PEAK: f64 = 0.75;

/// Takes out sweeps in which a run read its prompts faster than arithmetic allows, and says why for each row: every user
/// reads a prompt in each cycle, and the products of all prompts take that many operations. What is faster has
/// probably read repeated prompts from a cache.
pub fn leave_cached_prompts(cases: &mut Vec<Case>) -> Vec<String> {
    let mut runs: HashMap<&str, (Option<&Case>, Option<&Case>)> = HashMap::new();
    for case in cases.iter().filter(|case| case.family == "serving") {
        let run = runs.entry(&case.run).or_default();
        match case.metric {
            Metric::Ttft => run.0 = Some(case),
            _ => run.1 = Some(case),
        }
    }
    let both = runs.into_values().filter_map(|(first, later)| first.zip(later));
    let cached: HashSet<String> = both
        .filter(|(first, later)| {
            let cycle = first.measured + later.measured * (later.work.output as f64 - 1.0);
            least_prompts_s(later) > MOST_OF_PEAK * cycle
        })
        .map(|(first, _)| first.sweep.clone())
        .collect();
    let before = cases.len();
    cases.retain(|case| !cached.contains(&case.sweep));
    vec!["prompts faster than arithmetic allows: probably cached".to_owned(); before - cases.len()]
}

/// Seconds that the products of all users' prompts take at the highest dense peak of all accelerators.
fn least_prompts_s(case: &Case) -> f64 {
    let pass = Pass::prefill(1.0, case.work.input as f64, 0.0);
    let one = Parallel { tp: 1, pp: 1, dp: 1, ep: 1, cp: 1, replicas: 1, stages: None };
    let rules = Efficiencies::built_in().unwrap_or_default();
    let list = case.profile.operations(pass, &one, &case.plan.serve, &rules);
    let flops: f64 = list.iter().filter(|op| op.weights > 0.0).map(|op| op.flops * op.repeat as f64).sum();
    let peak: f64 = case
        .machine
        .slots
        .iter()
        .map(|slot| {
            let rates = slot.accelerator.rates.iter().filter(|rate| !rate.sparse);
            rates.map(|rate| rate.flop_per_s.value).fold(0.0, f64::max) * f64::from(slot.count)
        })
        .sum();
    case.work.users as f64 * flops / peak
}

/// What a row measured, as seconds.
fn measured(row: &Row) -> Result<(Metric, f64), String> {
    let value = number(row, "value").filter(|value| *value > 0.0).ok_or("no value")?;
    let batch = number(row, "batch_or_concurrency").unwrap_or(1.0);
    let count = f64::from(whole(row, "count"));
    match text(row, "metric") {
        "tpot" => Ok((Metric::Tpot, value / 1e3)),
        "ttft" => Ok((Metric::Ttft, value / 1e3)),
        "decode_tokens_per_s" | "decode_tokens_per_s_short_ctx" | "decode_tokens_per_s_full_ctx" => {
            Ok((Metric::Tpot, batch / value))
        }
        "prefill_tokens_per_s" if batch > 1.0 => Err("several prompts at once".into()),
        "prefill_tokens_per_s" => Ok((Metric::Prompt, number(row, "input_len").unwrap_or(512.0) / value)),
        "output_tokens_per_s" => Ok((Metric::Throughput, 1.0 / value)),
        "output_tokens_per_s_per_gpu" => Ok((Metric::Throughput, 1.0 / value / count)),
        other => Err(format!("metric {other}")),
    }
}

/// Lengths and users; a row without them is of one user with a short prompt.
fn work(row: &Row, metric: Metric) -> Serving {
    let input = match text(row, "metric") {
        "decode_tokens_per_s_short_ctx" => 128.0,
        "decode_tokens_per_s_full_ctx" => 1920.0,
        _ if metric == Metric::Prompt => number(row, "input_len").unwrap_or(512.0),
        _ => number(row, "input_len").unwrap_or(64.0),
    } as u64;
    let output = number(row, "output_len").unwrap_or(200.0) as u64;
    let users = number(row, "batch_or_concurrency").unwrap_or(1.0) as u64;
    Serving { task: Task::Chat, users, input, output, context: input + output }
}

fn parallel(row: &Row, engine_key: &str) -> Parallel {
    let count = whole(row, "count");
    let note = text(row, "note");
    let ranks = note.split("attention_dp=").nth(1).and_then(|rest| rest.split(';').next()?.parse().ok());
    let dp: u32 = ranks.unwrap_or(1).min(count);
    let tp = number(row, "tp").map_or(count, |tp| tp.max(1.0) as u32);
    let (tp, pp) = match engine_key {
        "llamacpp" | "exllama" => (1, count),
        _ if dp > 1 => ((count / dp).max(1), whole(row, "pp")),
        _ => (tp.min(count), whole(row, "pp")),
    };
    let ep = whole(row, "ep").min(count);
    Parallel { tp, pp, dp, ep, cp: 1, replicas: 1, stages: None }
}

/// Serving rows of narrow numbers keep narrow caches; the tables do not say so.
fn cache(family: &str, precision: &str) -> Encoding {
    let narrow = family == "max-throughput" || family == "serving" && !precision.starts_with("bf16");
    if narrow { Encoding::plain("fp8", 8) } else { Encoding::plain("fp16", 16) }
}

fn serve(engine: Engine, cache: Encoding, flash_attention: bool) -> ServePlan {
    let cache = Arc::new(cache);
    ServePlan {
        engine,
        version: None,
        kv_precision: KvPrecision { keys: cache.clone(), values: cache },
        memory_fraction: None,
        max_batched_tokens: None,
        max_num_seqs: None,
        ubatch: None,
        flash_attention,
        gpu_layers: None,
        experts_on_cpu: false,
        kv_on_cpu: false,
    }
}

fn family(benchmark: &str, software: &str) -> Result<(&'static str, Engine, &'static str), String> {
    let lower = software.to_ascii_lowercase();
    let serving = || {
        if lower.starts_with("vllm") {
            Some((Engine::Vllm, "vllm"))
        } else if lower.starts_with("sglang") {
            Some((Engine::Sglang, "sglang"))
        } else if lower.starts_with("trtllm") || lower.starts_with("tensorrt") {
            Some((Engine::Trtllm, "trtllm"))
        } else {
            None
        }
    };
    let of = |family, (engine, key)| Ok((family, engine, key));
    match benchmark {
        "serving TTFT/TPOT at fixed concurrency" => of("serving", serving().ok_or("engine")?),
        "TensorRT-LLM max throughput" => of("max-throughput", (Engine::Trtllm, "trtllm")),
        "TensorRT-LLM static batch" => of("static-batch", (Engine::Trtllm, "trtllm")),
        "TensorRT-LLM first token latency" => of("first-token", (Engine::Trtllm, "trtllm")),
        "llama-bench" => of("llama-bench", (Engine::Llamacpp, "llamacpp")),
        "llama-bench CPU" if lower.starts_with("ik_") => Err("a fork".into()),
        "llama-bench CPU" => of("cpu", (Engine::Llamacpp, "llamacpp")),
        "ollama bench" => of("ollama", (Engine::Llamacpp, "llamacpp")),
        "exllama" => of("exllama", (Engine::Transformers, "exllama")),
        "exllamav2" => of("exllamav2", (Engine::Transformers, "exllamav2")),
        "gpt-fast" => of("gpt-fast", (Engine::Transformers, "gpt-fast")),
        "AutoAWQ" => of("autoawq", (Engine::Transformers, "autoawq")),
        "litgpt resource tables" => of("litgpt", (Engine::Transformers, "transformers")),
        "FasterTransformer 13B" => of("fastertransformer", (Engine::Trtllm, "trtllm")),
        "llm-perf-bench" => match lower.trim() {
            "mlc-llm" | "mlc llm" => of("llm-perf-bench", (Engine::Transformers, "mlc")),
            "llama.cpp" => of("llm-perf-bench", (Engine::Llamacpp, "llamacpp")),
            "exllama" => of("llm-perf-bench", (Engine::Transformers, "exllama")),
            "exllama v2" => of("llm-perf-bench", (Engine::Transformers, "exllamav2")),
            "vllm" => of("llm-perf-bench", (Engine::Vllm, "vllm")),
            other => Err(format!("engine {other}")),
        },
        other => Err(format!("benchmark {other}")),
    }
}

fn precision(text: &str, model: &str, engine: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let first = lower.split(['/', ' ']).next().unwrap_or("");
    let name = match first {
        "" if model.contains("MiniMax") => "fp8",
        // The experts of gpt-oss are published in MXFP4 and run in it, whatever the table calls the activations.
        "nvfp4" | "fp4" | "fp8" | "fp8_block" if model.to_ascii_lowercase().contains("gpt-oss") => "mxfp4",
        "fp4" | "nvfp4" => "nvfp4",
        "fp8" | "fp8_block" => "fp8",
        "q4_k_m" | "q4_k" => "q4_K",
        "q2_k" => "q2_K",
        "q3_k" => "q3_K",
        "q5_k" => "q5_K",
        "q6_k" => "q6_K",
        "f16" | "fp16" => "fp16",
        "bf16" => "bf16",
        "int8" => "int8",
        "bnb.nf4" | "bnb.nf4-dq" => "nf4",
        "int4" if lower.contains("awq") => "awq",
        "int4" if engine == "llamacpp" => "q4_K",
        "int4" | "exl2" | "gptq" => "gptq",
        other => other,
    };
    name.to_owned()
}
