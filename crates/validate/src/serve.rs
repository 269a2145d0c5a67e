//! Rows of inference as jobs.

use std::sync::Arc;

use maat_catalogue::{Machine, NumberType};
use maat_estimate::{Engine, Job, KvPrecision, Memory, Parallel, Plan, Rules, ServePlan, Serving, Task};
use maat_model::{Encoding, Part};

use crate::case::{Attempt, Load, Quantity, Serve, Skip, Unit};
use crate::files::reading;
use crate::model::Opened;
use crate::row::Row;
use crate::software::{Program, Programs};

/// Tokens of a prompt and of an answer where the row does not say: a question and its answer.
const INPUT: f64 = 64.0;
const OUTPUT: f64 = 200.0;
/// Prompt of a rate of reading where the row does not say: llama-bench's default.
const PROMPT: f64 = 512.0;
/// Lengths of a context that is called short or full, in a model of 2,048 tokens (exllama's README).
const SHORT: f64 = 128.0;
const FULL: f64 = 1920.0;

/// Most sequences that a copy is given.
const MOST_SEQUENCES: f64 = 4096.0;
/// Steps between numbers of users that are tried where a submitter chose them.
const STEP: f64 = 1.3;

/// A row of `benchmarks.csv`.
#[derive(Clone, Debug, Default)]
struct Benchmark {
    name: String,
    scenario: String,
    cache: String,
}

/// A row of `datasets.csv`: lengths and limits of MLPerf's tasks.
#[derive(Clone, Debug)]
struct Dataset {
    model: String,
    input: f64,
    output: f64,
    server_s: Option<f64>,
    interactive_s: Option<f64>,
    /// Answers that are written beside each other of which the best is kept.
    beams: f64,
}

/// What rows of inference are read with.
#[derive(Debug)]
pub struct Serves {
    benchmarks: Vec<Benchmark>,
    datasets: Vec<Dataset>,
    programs: Programs,
}

impl Serves {
    /// Reads the tables.
    pub fn new() -> Self {
        let cell = |row: &csv::StringRecord, at: usize| row.get(at).unwrap_or_default().to_owned();
        let number = |row: &csv::StringRecord, at: usize| row.get(at).and_then(|cell| cell.parse().ok());
        let benchmark = |row: csv::StringRecord| Benchmark {
            name: cell(&row, 0),
            scenario: cell(&row, 1),
            cache: cell(&row, 2),
        };
        let dataset = |row: csv::StringRecord| {
            Some(Dataset {
                model: cell(&row, 0),
                input: number(&row, 1)?,
                output: number(&row, 2)?,
                server_s: number(&row, 3),
                interactive_s: number(&row, 4),
                beams: number(&row, 5).unwrap_or(1.0),
            })
        };
        Self {
            benchmarks: reading("benchmarks").into_iter().map(benchmark).collect(),
            datasets: reading("datasets").into_iter().filter_map(dataset).collect(),
            programs: Programs::new(),
        }
    }

    /// The benchmark of a row: the table's whose words begin the row's.
    fn benchmark(&self, row: &Row) -> Benchmark {
        let name = row.text("benchmark");
        self.benchmarks.iter().find(|known| name.starts_with(&known.name)).cloned().unwrap_or_default()
    }

    /// The program of a row: of its software, or else of its benchmark, which is often named after one.
    pub fn program(&self, row: &Row, machine: &Machine) -> Result<Program, Skip> {
        let submission = self.benchmark(row).scenario == "submission";
        let of = |column: &str| self.programs.find(row.text(column), row.text("date"));
        let found = of("software").or_else(|| of("benchmark")).ok_or(Skip::SoftwareUnknown)?;
        // What MLPerf calls PyTorch on processors is not its eager mode.
        if submission && machine.slots.is_empty() && found.engine == Engine::Transformers {
            return Ok(Program { key: "ipex".into(), ..found });
        }
        Ok(found)
    }

    /// Precisions that a row names, the first that there is to be taken; none for the checkpoint's own.
    pub fn precisions(&self, row: &Row, machine: &Machine, program: &Program) -> Vec<String> {
        let text = row.text("precision");
        if !text.is_empty() {
            return precisions(text, program.engine);
        }
        if self.benchmark(row).scenario == "submission" {
            vec![narrowest(machine).to_owned()]
        } else {
            Vec::new()
        }
    }

    /// The work of a row and its quantity.
    pub fn case(
        &self,
        row: &Row,
        opened: &Opened,
        machine: &Machine,
        program: &Program,
        rules: &Rules,
    ) -> Result<(Serve, Quantity, Unit), Skip> {
        if !opened
            .model
            .decoder()
            .is_some_and(|stack| stack.layers.iter().any(|layer| !layer.mixers.is_empty()))
            || opened.model.vocabulary.is_none()
        {
            return Err(Skip::NotALanguageModel);
        }
        let benchmark = self.benchmark(row);
        if benchmark.scenario == "unknown" {
            return Err(Skip::WorkUnknown);
        }
        let submission = benchmark.scenario == "submission";
        // What a submission's task is must be known, as no row states its lengths.
        let dataset = self.datasets.iter().find(|set| *set.model == *opened.id);
        if submission && dataset.is_none() && row.number("input_len").is_none() {
            return Err(Skip::NotALanguageModel);
        }
        let load = load(row, &benchmark, dataset);
        let work = work(row, if submission { dataset } else { None });
        let (quantity, mut unit) = quantity(row, &work, opened, load)?;
        let by_tokens = row.text("unit").to_ascii_lowercase().starts_with("token");
        if let Some(set) = dataset.filter(|_| submission && quantity == Quantity::Throughput && by_tokens) {
            unit.factor /= set.beams;
        }
        if row.number("batch_or_concurrency").is_none()
            && matches!(load, Load::Users)
            && quantity == Quantity::Throughput
        {
            return Err(Skip::WorkUnknown);
        }
        if opened.profile.weight_bytes().as_f64() > room(machine) {
            return Err(Skip::DoesNotFit);
        }
        let serve = settings(&benchmark, opened, program);
        let divisions = if submission && row.count("tp").is_none() && !machine.slots.is_empty() {
            copies(machine, opened)
        } else {
            vec![division(row, program.engine, machine)]
        };
        let plan =
            |parallel| Plan { precision: opened.model.precision.clone(), parallel, serve: serve.clone() };
        let attempts = divisions
            .into_iter()
            .map(|parallel| attempt(plan(parallel), &work, load, opened, machine, rules))
            .collect();
        Ok((Serve { work, attempts, engine: program.key.clone(), load }, quantity, unit))
    }
}

/// How a row's machine is loaded.
fn load(row: &Row, benchmark: &Benchmark, dataset: Option<&Dataset>) -> Load {
    let metric = row.text("metric");
    let within =
        |limit: fn(&Dataset) -> Option<f64>| Load::Within(dataset.and_then(limit).unwrap_or(f64::INFINITY));
    if row.text("batch_or_concurrency") == "max" {
        return Load::Full;
    }
    match benchmark.scenario.as_str() {
        "batch" => Load::Batch,
        "submission" if metric.contains("singlestream") => Load::Users,
        "submission" if metric.contains("server") => within(|set| set.server_s),
        "submission" if metric.contains("interactive") => within(|set| set.interactive_s),
        "submission" | "full" => Load::Full,
        _ if row.text("note").contains("static batch") => Load::Batch,
        _ => Load::Users,
    }
}

/// The narrowest numbers that a part multiplies in: MLPerf's submissions take them where the row does not say.
fn narrowest(machine: &Machine) -> &'static str {
    let has = |number: NumberType| machine.slots.iter().all(|slot| slot.accelerator.dense(number).is_some());
    if machine.slots.is_empty() {
        "int8"
    } else if has(NumberType::Fp4) {
        "nvfp4"
    } else if has(NumberType::Fp8) {
        "fp8"
    } else {
        "int8"
    }
}

/// Lengths and users of a row.
fn work(row: &Row, dataset: Option<&Dataset>) -> Serving {
    let metric = row.text("metric");
    let stated = row.number("input_len").or(dataset.map(|set| set.input));
    let input = match metric {
        "decode_tokens_per_s_short_ctx" => SHORT,
        "decode_tokens_per_s_full_ctx" => FULL,
        _ if metric.starts_with("prefill") => stated.unwrap_or(PROMPT),
        _ => stated.unwrap_or(INPUT),
    } as u64;
    let noted = row.noted("tokens/sample").and_then(|n| n.parse().ok());
    // Every beam is written.
    let of_set = dataset.map(|set| set.output * set.beams);
    let output = row.number("output_len").or(noted).or(of_set).unwrap_or(OUTPUT) as u64;
    let users = row.number("batch_or_concurrency").unwrap_or(1.0).max(1.0) as u64;
    Serving { task: Task::Chat, users, input, output, context: (input + output).max(1) }
}

/// Seconds of a time as the row writes it.
fn seconds(row: &Row) -> Unit {
    let unit = row.text("unit").to_ascii_lowercase();
    Unit::times(if unit.starts_with("ms") || unit.contains("(ms)") {
        1e3
    } else if unit.starts_with("us") || unit.starts_with('µ') {
        1e6
    } else if unit.starts_with('s') {
        1.0
    } else {
        1e3
    })
}

/// What the metric is of the work.
fn quantity(row: &Row, work: &Serving, opened: &Opened, load: Load) -> Result<(Quantity, Unit), Skip> {
    let (users, input, output) = (work.users as f64, work.input as f64, work.output as f64);
    let count = f64::from(row.count("count").unwrap_or(1));
    let metric = row.text("metric");
    // Rates of samples are rates of tokens over the tokens of one.
    let per_sample = if row.text("unit").to_ascii_lowercase().starts_with("sample") { output } else { 1.0 };
    Ok(match metric {
        _ if metric.ends_with("tpot_mean") || metric.starts_with("tpot") => (Quantity::Tpot, seconds(row)),
        _ if metric.ends_with("ttft_mean") || metric.starts_with("ttft") => (Quantity::Ttft, seconds(row)),
        "achieved_weight_bandwidth" => {
            (Quantity::Tpot, Unit::per(opened.profile.weight_bytes().as_f64() / 1e9 / count))
        }
        _ if metric.starts_with("decode_tokens_per_s") => {
            let share = if metric.ends_with("_per_gpu") { count } else { 1.0 };
            (Quantity::Tpot, Unit::per(users / share))
        }
        _ if metric.starts_with("prefill_tokens_per_s") => {
            let share = if metric.ends_with("_per_gpu") { count } else { 1.0 };
            (Quantity::Prompt, Unit::per(users * input / share))
        }
        "output_tokens_per_s_per_gpu" => (Quantity::Throughput, Unit::per(1.0 / count)),
        "output_tokens_per_s" => (Quantity::Throughput, Unit::per(1.0)),
        "requests_per_s" | "request_throughput" => (Quantity::Throughput, Unit::per(1.0 / output)),
        "total_tokens_per_s" => (Quantity::Throughput, Unit::per((input + output) / output)),
        "e2e_latency" => (Quantity::Request, seconds(row)),
        _ if metric.starts_with("mlperf") && metric.ends_with("throughput") && load != Load::Users => {
            (Quantity::Throughput, Unit::per(1.0 / per_sample))
        }
        _ if metric.starts_with("mlperf_singlestream") => (Quantity::Request, seconds(row)),
        _ => return Err(Skip::MetricUnknown),
    })
}

/// A plan with the users to try and, where a pool may be too small for them, what it needs.
fn attempt(
    plan: Plan,
    work: &Serving,
    load: Load,
    opened: &Opened,
    machine: &Machine,
    rules: &Rules,
) -> Attempt {
    let one = matches!(load, Load::Batch) || load == Load::Users && work.users <= 1;
    let memory = if one {
        Memory::default()
    } else {
        let job = Job { model: &opened.model, work, machine: Some(machine), plan: &plan, rules };
        maat_estimate::memory(&job)
    };
    let users = match load {
        Load::Users | Load::Batch => vec![work.users],
        Load::Full => vec![full(&memory, work, &plan)],
        Load::Within(_) => {
            let most = full(&memory, work, &plan);
            let fewer = std::iter::successors(Some(most as f64), |users| Some(users / STEP));
            fewer
                .map(|users| users as u64)
                .take_while(|users| *users >= u64::from(plan.parallel.replicas.max(1)))
                .collect()
        }
    };
    // What a machine was filled with fits by how it was counted.
    let memory = if load == Load::Users { memory } else { Memory::default() };
    Attempt { plan, users, memory }
}

/// Sequences that fill the pools of all copies: half of an answer stands in them on average.
fn full(memory: &Memory, work: &Serving, plan: &Plan) -> u64 {
    let each = work.input as f64 + 0.5 * work.output as f64;
    let held = memory.kv_pool_tokens.map_or(MOST_SEQUENCES, |tokens| tokens as f64 / each.max(1.0));
    (f64::from(plan.parallel.replicas.max(1)) * held.clamp(1.0, MOST_SEQUENCES)) as u64
}

/// Bytes of all accelerators together; of a processor's memory nothing is known.
fn room(machine: &Machine) -> f64 {
    if machine.slots.is_empty() {
        return f64::INFINITY;
    }
    let room = |slot: &maat_catalogue::Slot| slot.accelerator.capacity.value.as_f64() * f64::from(slot.count);
    machine.slots.iter().map(room).sum::<f64>() * f64::from(machine.nodes.max(1))
}

/// How the model is divided: as the row says, else each matrix over all accelerators; by layers in llama.cpp and ExLlama.
/// A host's processors share one copy.
fn division(row: &Row, engine: Engine, machine: &Machine) -> Parallel {
    let count = if machine.slots.is_empty() { 1 } else { row.count("count").unwrap_or(1) };
    let pp = row.count("pp").unwrap_or(1).min(count);
    let ep = row.count("ep").unwrap_or(1).min(count);
    let tp = row.count("tp").map(|tp| tp.min(count));
    let note = row.text("note");
    let noted = row.noted_count("attention_dp").map(|ranks| (ranks as u32).min(count));
    let by_experts = (tp.is_none() && ep > 1 && note.contains("attention-DP")).then_some((count / pp).max(1));
    let dp = noted.or(by_experts).unwrap_or(1);
    let by_layers = engine == Engine::Llamacpp && count > 1;
    let (tp, pp, dp) = match tp {
        _ if by_layers => (1, count, 1),
        _ if dp > 1 => ((count / dp / pp).max(1), pp, dp),
        Some(tp) => (tp, pp, 1),
        None => ((count / pp).max(1), pp, 1),
    };
    Parallel { tp, pp, dp, ep, cp: 1, replicas: (count / (tp * pp * dp)).max(1), stages: None }
}

/// Divisions of a submission: each copy over 1, 2, 4 … accelerators, and with experts also over all with attention in
/// parallel copies.
fn copies(machine: &Machine, opened: &Opened) -> Vec<Parallel> {
    let count = machine.accelerators().max(1);
    let each = room(machine) / f64::from(count);
    let fits = |tp: u32| opened.profile.weight_bytes().as_f64() < 0.85 * each * f64::from(tp);
    let widths = (0..).map(|power| 1 << power).take_while(|tp| *tp <= machine.per_node().max(1));
    let whole =
        |tp: u32| Parallel { tp, pp: 1, dp: 1, ep: 1, cp: 1, replicas: (count / tp).max(1), stages: None };
    let mut all: Vec<Parallel> =
        widths.filter(|tp| count.is_multiple_of(*tp) && fits(*tp)).map(whole).collect();
    let experts = opened.model.params_by_part().get(&Part::RoutedExperts).is_some_and(|n| *n > 0);
    if experts {
        let node = machine.per_node().clamp(1, 8);
        let ranks = Parallel {
            tp: 1,
            pp: 1,
            dp: node,
            ep: node,
            cp: 1,
            replicas: (count / node).max(1),
            stages: None,
        };
        all.extend((node > 1 && fits(node)).then_some(ranks));
    }
    if all.is_empty() { vec![whole(count)] } else { all }
}

fn settings(benchmark: &Benchmark, opened: &Opened, program: &Program) -> ServePlan {
    let narrow = opened
        .model
        .weights()
        .any(|(weight, _)| weight.part != Part::Embedding && weight.encoding.bits_per_element() < 12.0);
    let fp8 = benchmark.cache == "fp8" || benchmark.cache == "as-weights" && narrow;
    let cache = Arc::new(if fp8 { Encoding::plain("fp8", 8) } else { Encoding::plain("fp16", 16) });
    let whole_scores = ["llamacpp", "ollama", "exllama", "ik-llamacpp"].contains(&&*program.key);
    ServePlan {
        engine: program.engine,
        version: None,
        kv_precision: KvPrecision { keys: cache.clone(), values: cache },
        memory_fraction: None,
        max_batched_tokens: None,
        max_num_seqs: None,
        ubatch: None,
        flash_attention: !whole_scores,
        gpu_layers: None,
        experts_on_cpu: false,
        kv_on_cpu: false,
    }
}

/// Names of precisions that a row's words may mean, the likeliest first.
fn precisions(text: &str, engine: Engine) -> Vec<String> {
    let lower = text.to_ascii_lowercase();
    let plain: String = lower.replace(" - ", "_");
    let first = plain.split(['/', ' ']).next().unwrap_or("").to_owned();
    let gguf = first.starts_with(['q', 'i', 'u']) && engine == Engine::Llamacpp;
    let mut names = match first.as_str() {
        "fp4" | "nvfp4" => vec!["nvfp4"],
        "fp8_block" | "fp8-cs" | "e4m3" | "fp8" => vec!["fp8"],
        "mxfp4" => vec!["mxfp4"],
        "f16" if engine == Engine::Llamacpp => vec!["f16"],
        "f16" | "fp16" | "half" => vec!["fp16"],
        "fp32" | "f32" | "float32" => vec!["fp32"],
        "bfloat16" | "bf16" => vec!["bf16"],
        "bnb.nf4" | "bnb.nf4-dq" | "nf4" => vec!["nf4"],
        "bnb.int8" | "w8a8" | "int8" => vec!["int8"],
        _ if lower.contains("awq") => vec!["awq"],
        "int4" | "spinquant" | "qlora" | "w4a16" | "uint4" | "4-bit" | "4bit"
            if engine == Engine::Llamacpp =>
        {
            vec!["q4_K_M", "q4_K"]
        }
        "exl2" | "exl3" => exl2(&lower),
        "int4" | "gptq" | "w4a16" | "uint4" | "4-bit" | "4bit" => vec!["gptq"],
        _ => Vec::new(),
    };
    let small = plain.split(' ').next().unwrap_or("").replace("_small", "_s").replace("_medium", "_m");
    let own = [small.as_str(), first.as_str()];
    if gguf || names.is_empty() {
        names.splice(0..0, own);
    }
    names.into_iter().map(str::to_owned).collect()
}

/// The stored type that is nearest to so many bits a weight.
fn exl2(text: &str) -> Vec<&'static str> {
    let bits: f64 = text.split(' ').find_map(|word| word.parse().ok()).unwrap_or(4.0);
    vec![match bits {
        b if b < 2.8 => "q2_K",
        b if b < 3.6 => "q3_K",
        b if b < 4.7 => "gptq",
        b if b < 5.8 => "q5_K",
        b if b < 7.2 => "q6_K",
        _ => "q8_0",
    }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn precisions_of_words() {
        assert_eq!(precisions("Q4_K_M (ollama default)", Engine::Llamacpp)[0], "q4_k_m");
        assert_eq!(precisions("Q3_K - Small", Engine::Llamacpp)[0], "q3_k_s");
        assert_eq!(precisions("nvfp4/nvfp4", Engine::Trtllm), ["nvfp4"]);
        assert_eq!(precisions("INT4 AWQ g128 GEMM", Engine::Transformers), ["awq"]);
        assert_eq!(precisions("EXL2 5.0 bpw", Engine::Transformers), ["q5_K"]);
        assert_eq!(precisions("F16", Engine::Llamacpp), ["f16"]);
    }
}
