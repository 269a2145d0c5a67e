//! Predicts the rows of training of a table of measurements and prints how far off it is.
//!
//! `train FILE [--rows OUT.csv] [--fit PARAMETERS [--write TABLE]] [--leave-out PARAMETERS]`
#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    dead_code,
    missing_docs,
    reason = "a tool that prints, and stops where it cannot go on"
)]

mod fit;
#[path = "../score/hardware.rs"]
mod hardware;
mod rows;

use std::collections::BTreeMap;
use std::path::PathBuf;

use maat_estimate::{Rules, TrainJob, TrainStep, train_step};

use hardware::{Parts, table};
use rows::{Case, Reader};

pub fn step(case: &Case, rules: &Rules) -> Option<TrainStep> {
    let job = TrainJob {
        model: &case.model,
        work: &case.work,
        machine: Some(&case.machine),
        plan: &case.plan,
        rules,
    };
    train_step(&case.profile, &job)
}

/// The natural logarithm of predicted over measured, as seconds.
pub fn error(case: &Case, rules: &Rules) -> Option<f64> {
    let step = step(case, rules)?;
    let rate = step.tokens / step.times.total() / step.accelerators;
    Some((case.measured / rate).ln())
}

fn quantile(sorted: &[f64], q: f64) -> f64 {
    if sorted.is_empty() { f64::NAN } else { sorted[((sorted.len() - 1) as f64 * q).round() as usize] }
}

fn report(cases: &[Case], errors: &[Option<f64>]) {
    let mut groups: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (case, error) in cases.iter().zip(errors).filter(|(case, _)| case.scored) {
        if let Some(error) = error {
            groups.entry(case.family).or_default().push(*error);
        }
    }
    println!("{:<14}{:>5}{:>9}{:>9}{:>9}", "family", "rows", "median", "p90", "bias");
    for (family, mut errors) in groups {
        errors.sort_by(f64::total_cmp);
        let mut sizes: Vec<f64> = errors.iter().map(|e| e.abs()).collect();
        sizes.sort_by(f64::total_cmp);
        println!(
            "{family:<14}{:>5}{:>9.3}{:>9.3}{:>9.3}",
            errors.len(),
            quantile(&sizes, 0.5),
            quantile(&sizes, 0.9),
            quantile(&errors, 0.5)
        );
    }
}

/// Factors that hold 80 % of the rows of dense models and of mixtures; groups of model and hardware weigh the same.
fn widths(cases: &[Case], errors: &[Option<f64>]) {
    for class in ["training", "training-moe"] {
        let mut groups: BTreeMap<(&str, &str), Vec<f64>> = BTreeMap::new();
        for (case, error) in cases.iter().zip(errors).filter(|(case, _)| case.scored) {
            let moe = case.family.ends_with("moe");
            if let Some(error) = error.filter(|_| moe == class.ends_with("moe")) {
                groups.entry((&case.model_name, &case.hardware)).or_default().push(-error);
            }
        }
        let mut all: Vec<(f64, f64)> = groups
            .values()
            .flat_map(|errors| errors.iter().map(|e| (*e, 1.0 / errors.len() as f64)))
            .collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let total: f64 = all.iter().map(|row| row.1).sum();
        let tail = 0.1 * (1.0 - 2.0 / groups.len() as f64);
        let at = |share: f64| {
            let mut sum = 0.0;
            all.iter()
                .find(|row| {
                    sum += row.1;
                    sum >= share * total
                })
                .map_or(f64::NAN, |row| row.0)
        };
        let (below, above) = ((-at(tail)).exp(), at(1.0 - tail).exp());
        println!("{class}: {} rows of {} groups: below {below:.2} above {above:.2}", all.len(), groups.len());
    }
}

/// Predicted peaks of PyTorch's allocator, which knows nothing of contexts and collectives, beside the measured.
fn memory(cases: &[Case], rules: &Rules) {
    let mut sizes = Vec::new();
    for case in cases {
        let job = TrainJob {
            model: &case.model,
            work: &case.work,
            machine: Some(&case.machine),
            plan: &case.plan,
            rules,
        };
        let one = maat_estimate::training_memory(&job).per_accelerator;
        let loose = (one.activations_bytes + one.workspace_bytes).as_f64();
        let likely = (one.total_bytes - one.framework_bytes).as_f64() + 0.05 * loose;
        let error = (likely / case.measured).ln();
        sizes.push(error.abs());
        println!(
            "{:<6}{error:>7.3} {:>6.2} of {:>6.2} GB: w {:.2} g {:.2} o {:.2} ad {:.2} act {:.2} buf {:.2} | {}",
            case.family,
            likely / 1e9,
            case.measured / 1e9,
            one.weights_bytes.as_f64() / 1e9,
            one.gradients_bytes.as_f64() / 1e9,
            one.optimizer_bytes.as_f64() / 1e9,
            one.adapters_bytes.as_f64() / 1e9,
            one.activations_bytes.as_f64() / 1e9,
            one.workspace_bytes.as_f64() / 1e9,
            &case.label[..case.label.len().min(140)]
        );
    }
    sizes.sort_by(f64::total_cmp);
    println!("{} rows: median {:.3} p90 {:.3}", sizes.len(), quantile(&sizes, 0.5), quantile(&sizes, 0.9));
}

/// Runs whose speed was measured fitted on their machines: what is said of their memory.
fn fits(cases: &[Case], rules: &Rules) {
    let (mut likely, mut low) = (0, 0);
    for case in cases {
        let job = TrainJob {
            model: &case.model,
            work: &case.work,
            machine: Some(&case.machine),
            plan: &case.plan,
            rules,
        };
        let one = maat_estimate::training_memory(&job).per_accelerator;
        let capacity = case.machine.slots[0].accelerator.capacity.value.as_f64();
        let share = one.total_bytes.as_f64() / capacity;
        likely += usize::from(share <= 1.0);
        low += usize::from(one.total_bytes_range[0].as_f64() <= capacity);
        if share > 1.0 {
            println!(
                "{:.2} low {:.2} w {:.1} g {:.1} o {:.1} act {:.1} logits {:.1} buf {:.1} | {}",
                share,
                one.total_bytes_range[0].as_f64() / capacity,
                one.weights_bytes.as_f64() / 1e9,
                one.gradients_bytes.as_f64() / 1e9,
                one.optimizer_bytes.as_f64() / 1e9,
                one.activations_bytes.as_f64() / 1e9,
                one.logits_bytes.map_or(0.0, |b| b.as_f64() / 1e9),
                one.workspace_bytes.as_f64() / 1e9,
                &case.label[..case.label.len().min(170)]
            );
        }
    }
    println!("{} runs: {likely} fit, {low} by the low end", cases.len());
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let value = |flag: &str| args.iter().position(|arg| arg == flag).and_then(|at| args.get(at + 1));
    let file = PathBuf::from(&args[0]);
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/score/models");
    let folder = PathBuf::from(own);
    let mut rules = Rules::built_in().expect("built-in facts");
    let parts = Parts::read(&folder.join("parts.csv"));
    let mut reader = Reader::new(&parts, &rules, &folder);
    let mut skipped: BTreeMap<String, usize> = BTreeMap::new();
    let mut cases = Vec::new();
    for row in table(&file) {
        let wanted = if args.iter().any(|arg| arg == "--memory") {
            row["metric"] == "peak_memory_per_gpu"
        } else {
            ["train_tokens_per_s_per_gpu", "finetune_tokens_per_s"].contains(&row["metric"].as_str())
        };
        if !wanted {
            continue;
        }
        match reader.case(&row) {
            Ok(case) => cases.push(case),
            Err(why) => *skipped.entry(why).or_default() += 1,
        }
    }
    for (why, rows) in &skipped {
        println!("skipped {rows:>5} {why}");
    }
    if args.iter().any(|arg| arg == "--memory") {
        return memory(&cases, &rules);
    }
    if args.iter().any(|arg| arg == "--fits") {
        return fits(&cases, &rules);
    }
    if let Some(what) = value("--fit") {
        fit::fit(&cases, &mut rules, what, value("--write").map(String::as_str));
    }
    let errors: Vec<Option<f64>> = cases.iter().map(|case| error(case, &rules)).collect();
    report(&cases, &errors);
    if let Some(spec) = value("--leave-out") {
        for (name, group) in
            [("models", (|case| &case.model_name) as fn(&Case) -> &str), ("hardware", |case| &case.hardware)]
        {
            println!("\nleft out: {name}");
            let errors = fit::leave_out(&cases, &rules, spec, group);
            report(&cases, &errors);
            widths(&cases, &errors);
        }
    }
    if let Some(path) = value("--rows") {
        let mut out = csv::Writer::from_path(path).expect("writable");
        for (case, error) in cases.iter().zip(&errors) {
            let error = error.map_or(String::new(), |e| format!("{e:.3}"));
            let parts = step(case, &rules).map_or(String::new(), |step| {
                let all = serde_json::to_value(step.times).expect("plain");
                let total = step.times.total();
                let parts = all.as_object().expect("fields").iter();
                let share = |v: &serde_json::Value| v.as_f64().unwrap_or(0.0) / total * 100.0;
                let parts: Vec<_> = parts
                    .filter(|(_, v)| share(v) >= 1.0)
                    .map(|(k, v)| format!("{k} {:.0}", share(v)))
                    .collect();
                format!("{total:.2}s mfu {:.3}: {}", step.mfu, parts.join(" "))
            });
            out.write_record([
                case.family,
                &case.id,
                &error,
                &format!("{}", case.measured),
                &parts,
                &case.label,
            ])
            .expect("writable");
        }
    }
}
