//! Predicts the rows of a table of measurements and prints how far off it is.
//!
//! `score FILE [--rows OUT.csv] [--fit PARAMETERS [--write TABLE]] [--leave-out PARAMETERS] [--models DIR]`
//!
//! PARAMETERS is such as `parameters.csv` beside this file; TABLE is `facts/speed/efficiencies.csv`. DIR holds
//! configurations of the measured models, and `names.csv` and `parts.csv` with the names that measurements use.
#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    missing_docs,
    reason = "a tool that prints, and stops where it cannot go on"
)]

mod fit;
mod hardware;
mod rows;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use maat_estimate::{Job, Memory, Rules, Times, times};

use hardware::{Parts, table};
use rows::{Case, Metric, Reader};

/// The natural logarithm of predicted over measured.
pub fn error(case: &Case, rules: &Rules) -> Option<f64> {
    predicted(case, rules).map(|predicted| (predicted / case.measured).ln())
}

pub fn predicted(case: &Case, rules: &Rules) -> Option<f64> {
    predicted_parts(case, rules).map(|(seconds, _)| seconds)
}

/// The prediction, and in words what its step and prompt are spent on.
fn predicted_parts(case: &Case, rules: &Rules) -> Option<(f64, Times)> {
    let mut job =
        Job { model: &case.model, work: &case.work, machine: Some(&case.machine), plan: &case.plan, rules };
    let mut memory = Memory::default();
    let mut work = case.work.clone();
    if case.pool {
        let tokens = pool_tokens(case)?;
        work.users = (tokens / (work.input as f64 + 0.5 * work.output as f64)).min(4096.0) as u64;
        memory.kv_pool_tokens = Some(work.users * (work.input + work.output));
        job.work = &work;
    }
    if case.family == "serving" {
        memory.kv_pool_tokens = pool_tokens(case).map(|tokens| tokens as u64);
    }
    let times = times(&case.profile, &job, &memory, case.engine_key)?;
    let seconds = match case.metric {
        Metric::Tpot => times.tpot_s?,
        Metric::Ttft => times.ttft_s,
        Metric::Prompt => times.prompt_s,
        Metric::Throughput => times.cycle_s / (job.work.users as f64 * job.work.output as f64),
    };
    Some((seconds, times))
}

/// Tokens that fit beside the weights.
fn pool_tokens(case: &Case) -> Option<f64> {
    let capacity = case.machine.slots.first()?.accelerator.capacity.value.as_f64()
        * f64::from(case.machine.accelerators());
    let free = 0.9 * capacity - case.profile.weight_bytes().as_f64();
    let kv = case.plan.serve.kv_precision.keys.bits_per_element() / 8.0;
    let shards = f64::from(case.plan.parallel.tp);
    let per_token: f64 = case
        .model
        .decoder()?
        .kinds()
        .map(|(layer, n)| {
            let caches = layer.mixers.iter().flat_map(|mixer| &mixer.caches);
            let one: f64 = caches
                .map(|cache| {
                    let seen = (case.work.input + case.work.output) as f64;
                    let kept = cache.window.map_or(1.0, |w| (w as f64 / seen).min(1.0));
                    let copies = if cache.heads < case.plan.parallel.tp.into() {
                        shards / cache.heads as f64
                    } else {
                        1.0
                    };
                    kept * copies * (cache.heads * (cache.key + cache.value)) as f64 * kv
                })
                .sum();
            one * n as f64
        })
        .sum();
    (free > 0.0).then(|| free / per_token)
}

fn quantile(sorted: &[f64], q: f64) -> f64 {
    if sorted.is_empty() { f64::NAN } else { sorted[((sorted.len() - 1) as f64 * q).round() as usize] }
}

fn report(cases: &[Case], errors: &[Option<f64>], rules: &Rules) {
    let mut groups: BTreeMap<(&str, Metric), Vec<(&Case, f64)>> = BTreeMap::new();
    for (case, error) in cases.iter().zip(errors).filter(|(case, _)| case.scored) {
        if let Some(error) = error {
            groups.entry((case.family, case.metric)).or_default().push((case, *error));
        }
    }
    let width = |case: &Case| {
        let (class, metric) = range_of(case);
        rules.efficiencies.width(class, metric, true)
    };
    println!(
        "{:<20}{:<12}{:>6}{:>9}{:>9}{:>9}{:>9}",
        "family", "metric", "rows", "median", "p90", "bias", "cover80"
    );
    for ((family, metric), rows) in groups {
        let inside = |(case, error): &&(&Case, f64)| {
            let width = width(case);
            -error >= -width.below.ln() && -error <= width.above.ln()
        };
        let covered = rows.iter().filter(inside).count() as f64 / rows.len() as f64;
        let errors: Vec<f64> = rows.iter().map(|row| row.1).collect();
        let mut sizes: Vec<f64> = errors.iter().map(|e| e.abs()).collect();
        sizes.sort_by(f64::total_cmp);
        let mut signed = errors.clone();
        signed.sort_by(f64::total_cmp);
        println!(
            "{family:<20}{:<12}{:>6}{:>9.3}{:>9.3}{:>9.3}{covered:>9.2}",
            format!("{metric:?}"),
            errors.len(),
            quantile(&sizes, 0.5),
            quantile(&sizes, 0.9),
            quantile(&signed, 0.5)
        );
    }
}

fn model(case: &Case) -> &str {
    &case.model_name
}

fn hardware(case: &Case) -> &str {
    &case.hardware
}

/// The class and metric of `ranges.csv` that a row tells about.
fn range_of(case: &Case) -> (&'static str, &'static str) {
    let class = match case.engine_key {
        _ if case.machine.slots.is_empty() => "processor",
        "vllm" | "sglang" | "trtllm" => "serving",
        "llamacpp" => "llamacpp",
        _ => "transformers",
    };
    let metric = match case.metric {
        Metric::Tpot => "tpot",
        Metric::Throughput => "throughput",
        Metric::Ttft if case.work.users > 1 => "ttft",
        Metric::Ttft | Metric::Prompt => "prefill",
    };
    (class, metric)
}

/// Factors that hold 80 % of the rows, each row weighing the same; of few groups of model and hardware the tails are
/// widened for their number.
fn widths(cases: &[Case], errors: &[Option<f64>], seen: &str) {
    let mut rows: BTreeMap<(&str, &str), Vec<(&Case, f64)>> = BTreeMap::new();
    for (case, error) in cases.iter().zip(errors).filter(|(case, _)| case.scored) {
        let Some(error) = error else { continue };
        let (class, metric) = range_of(case);
        rows.entry((class, metric)).or_default().push((case, -error));
        rows.entry(("default", metric)).or_default().push((case, -error));
    }
    for ((class, metric), rows) in rows {
        let groups: BTreeSet<_> = rows.iter().map(|(case, _)| (&case.model_name, &case.hardware)).collect();
        if groups.len() < 5 {
            continue;
        }
        let mut errors: Vec<f64> = rows.iter().map(|row| row.1).collect();
        errors.sort_by(f64::total_cmp);
        let tail = (0.1 * (1.0 - 2.0 / groups.len() as f64)).max(0.02);
        let (low, high) = (quantile(&errors, tail), quantile(&errors, 1.0 - tail));
        let (below, above) = ((-low).max(0.02).exp(), high.max(0.02).exp());
        println!(
            "{class},{metric},{seen},{below:.2},{above:.2},\"left-out {}, {} rows of {} groups of model and hardware\"",
            if seen == "yes" { "models" } else { "hardware" },
            errors.len(),
            groups.len()
        );
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let value = |flag: &str| args.iter().position(|arg| arg == flag).and_then(|at| args.get(at + 1));
    let file = PathBuf::from(&args[0]);
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/score/models");
    let folder = PathBuf::from(value("--models").map_or(own, String::as_str));
    let mut rules = Rules::built_in().expect("built-in facts");
    let parts = Parts::read(&folder.join("parts.csv"));
    let mut reader = Reader::new(&parts, &rules, &folder);
    let mut skipped: BTreeMap<String, usize> = BTreeMap::new();
    let mut cases = Vec::new();
    for row in table(&file) {
        match reader.case(&row) {
            Ok(case) => cases.push(case),
            Err(why) => *skipped.entry(why).or_default() += 1,
        }
    }
    for case in rows::leave_cached_prompts(&mut cases) {
        *skipped.entry(case).or_default() += 1;
    }
    for (why, rows) in &skipped {
        println!("skipped {rows:>5} {why}");
    }
    if let Some(what) = value("--fit") {
        fit::fit(&cases, &mut rules, what, value("--write").map(String::as_str));
    }
    let errors: Vec<Option<f64>> = cases.iter().map(|case| error(case, &rules)).collect();
    report(&cases, &errors, &rules);
    if let Some(spec) = value("--leave-out") {
        for (name, group) in [("models", model as fn(&Case) -> &str), ("hardware", hardware)] {
            println!("\nleft out: {name}");
            let errors = fit::leave_out(&cases, &rules, spec, group);
            report(&cases, &errors, &rules);
            widths(&cases, &errors, if name == "models" { "yes" } else { "no" });
        }
    }
    if let Some(path) = value("--rows") {
        let mut out = csv::Writer::from_path(path).expect("writable");
        for (case, error) in cases.iter().zip(&errors) {
            let part = |s: maat_estimate::Seconds| {
                format!(
                    "c{:.2} m{:.2} n{:.2} l{:.2}",
                    s.compute * 1e3,
                    s.memory * 1e3,
                    s.network * 1e3,
                    s.launch * 1e3
                )
            };
            let parts = predicted_parts(case, &rules)
                .map(|(p, t)| format!("pred {:.2} step {} prompt {}", p * 1e3, part(t.step), part(t.prompt)))
                .unwrap_or_default();
            let error = error.map_or(String::new(), |e| format!("{e:.3}"));
            out.write_record([
                &case.id,
                case.family,
                &format!("{:?}", case.metric),
                &case.model_name,
                &case.hardware,
                &error,
                &format!("{:.6}", case.measured),
                &case.label,
                &parts,
            ])
            .expect("writable");
        }
    }
}
