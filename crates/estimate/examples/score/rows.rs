//! Measured rows as jobs.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use maat_catalogue::Machine;
use maat_estimate::{Engine, KvPrecision, Parallel, Plan, Profile, Rules, ServePlan, Serving, Task};
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
    pub scored: bool,
}

pub struct Reader<'a> {
    pub parts: &'a Parts,
    pub rules: &'a Rules,
    pub folder: &'a Path,
    names: HashMap<String, String>,
    models: HashMap<(String, String), Result<(Arc<Model>, Arc<Profile>), String>>,
}

type Row = HashMap<String, String>;

fn number(row: &Row, key: &str) -> Option<f64> {
    row.get(key)?.trim().parse().ok()
}

impl<'a> Reader<'a> {
    pub fn new(parts: &'a Parts, rules: &'a Rules, folder: &'a Path) -> Self {
        let pair = |mut row: Row| Some((row.remove("measured")?, row.remove("model")?));
        let names = table(&folder.join("names.csv")).into_iter().filter_map(pair).collect();
        Self { parts, rules, folder, names, models: HashMap::new() }
    }

    pub fn case(&mut self, row: &Row) -> Result<Case, String> {
        let text = |key: &str| row.get(key).map_or("", |value| value.trim());
        let whole = |key: &str| number(row, key).unwrap_or(1.0).max(1.0) as u32;
        if text("family") != "A-inference" {
            return Err("not inference".into());
        }
        let note = text("note");
        if ["disaggregated", "implausible", "several replicas"].iter().any(|odd| note.contains(odd)) {
            return Err("odd by its note".into());
        }
        // Hosts and boards that the table itself doubts.
        let doubtful = ["inf-00709", "inf-00722", "inf-00753", "inf-00771"];
        let scored = text("trust") != "C" && !doubtful.contains(&text("id"));
        let (family, engine, engine_key) = family(text("benchmark"), text("software"))?;
        let value = number(row, "value").filter(|value| *value > 0.0).ok_or("no value")?;
        let count = whole("count");
        let given = |key: &str, default: f64| number(row, key).unwrap_or(default);
        let output = given("output_len", 200.0);
        let (metric, measured) = match text("metric") {
            "tpot" => (Metric::Tpot, value / 1e3),
            "ttft" => (Metric::Ttft, value / 1e3),
            "decode_tokens_per_s" | "decode_tokens_per_s_short_ctx" | "decode_tokens_per_s_full_ctx" => {
                (Metric::Tpot, number(row, "batch_or_concurrency").unwrap_or(1.0) / value)
            }
            "prefill_tokens_per_s"
                if number(row, "batch_or_concurrency").is_some_and(|batch| batch > 1.0) =>
            {
                return Err("several prompts at once".into());
            }
            "prefill_tokens_per_s" => (Metric::Prompt, given("input_len", 512.0) / value),
            "output_tokens_per_s" => (Metric::Throughput, 1.0 / value),
            "output_tokens_per_s_per_gpu" => (Metric::Throughput, 1.0 / value / f64::from(count)),
            other => return Err(format!("metric {other}")),
        };
        let bench = text("benchmark");
        let input = match (metric, text("metric")) {
            (_, "decode_tokens_per_s_short_ctx") => 128.0,
            (_, "decode_tokens_per_s_full_ctx") => 1920.0,
            _ => given("input_len", 64.0),
        };
        let users = number(row, "batch_or_concurrency");
        let precision = precision(text("precision"), text("model"), engine_key);
        let (model, profile) = self.model(text("model"), &precision)?;
        let nvlink = !note.contains("no NVLink");
        let machine = self
            .parts
            .machine(text("hardware"), count, nvlink)
            .ok_or_else(|| format!("hardware {}", text("hardware")))?;
        let mut machine = machine;
        let room: f64 =
            machine.slots.iter().map(|s| s.accelerator.capacity.value.as_f64() * f64::from(s.count)).sum();
        if room > 0.0 && profile.weight_bytes().as_f64() > room {
            return Err("weights do not fit the accelerators".into());
        }
        if let (Some(host), Some(at)) =
            (machine.host.processor.as_mut(), text("hardware_as_reported").find(" threads"))
        {
            let words = &text("hardware_as_reported")[..at];
            host.threads = words.rsplit(' ').next().and_then(|n| n.parse().ok());
        }
        if bench == "ollama bench"
            && machine.slots.is_empty()
            && text("hardware_as_reported").contains("[GPU]")
        {
            return Err("host and accelerator not told apart".into());
        }
        let dp = note.split("attention_dp=").nth(1).and_then(|rest| rest.split(';').next()?.parse().ok());
        let layers = matches!(engine, Engine::Llamacpp) || engine_key == "exllama";
        let (tp, pp) = if layers {
            (1, count)
        } else {
            (number(row, "tp").map_or(count, |tp| tp.max(1.0) as u32), whole("pp"))
        };
        let dp: u32 = dp.unwrap_or(1).min(count);
        let tp = if dp > 1 { (count / dp).max(1) } else { tp.min(count) };
        let ep = whole("ep").min(count);
        let kv = if family == "serving" && precision.starts_with("bf16")
            || family != "serving" && family != "max-throughput"
        {
            Encoding::plain("fp16", 16)
        } else {
            Encoding::plain("fp8", 8)
        };
        let kv = Arc::new(kv);
        Ok(Case {
            id: text("id").to_owned(),
            family,
            model_name: self.names.get(text("model")).cloned().unwrap_or_default(),
            hardware: text("hardware").to_owned(),
            engine_key,
            metric,
            measured,
            model,
            profile,
            machine,
            plan: Plan {
                precision,
                parallel: Parallel { tp, pp, dp, ep, cp: 1, replicas: 1, stages: None },
                serve: ServePlan {
                    engine,
                    version: None,
                    kv_precision: KvPrecision { keys: kv.clone(), values: kv },
                    memory_fraction: None,
                    max_batched_tokens: None,
                    max_num_seqs: None,
                    ubatch: None,
                    flash_attention: engine_key != "llamacpp" && engine_key != "exllama",
                    gpu_layers: None,
                    experts_on_cpu: false,
                    kv_on_cpu: false,
                },
            },
            work: Serving {
                task: Task::Chat,
                users: users.unwrap_or(1.0) as u64,
                input: input as u64,
                output: output as u64,
                context: (input + output) as u64,
            },
            pool: text("batch_or_concurrency") == "max",
            label: format!(
                "{} {} {}x{} tp{tp} pp{pp} dp{dp} ep{ep} b{} {}/{} {}",
                text("model"),
                text("precision"),
                count,
                text("hardware"),
                text("batch_or_concurrency"),
                input,
                output,
                text("software")
            ),
            scored,
        })
    }

    fn model(&mut self, name: &str, precision: &str) -> Result<(Arc<Model>, Arc<Profile>), String> {
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
        "nvfp4" | "fp4" if model.to_ascii_lowercase().contains("gpt-oss") => "mxfp4",
        "fp8" | "fp8_block" if model.to_ascii_lowercase().contains("gpt-oss") => "mxfp4",
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
        "exl2" => "gptq",
        "gptq" => "gptq",
        "bnb.nf4" | "bnb.nf4-dq" => "nf4",
        "int4" if lower.contains("awq") => "awq",
        "int4" if engine == "llamacpp" => "q4_K",
        "int4" => "gptq",
        other => other,
    };
    name.to_owned()
}
