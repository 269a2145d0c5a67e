//! Predictions: the same estimates as `size` gives, of a quantity and as the row writes it.

use maat_base::Range;
use maat_estimate::{Rules, Serving, TrainJob, Width};

use crate::case::{Attempt, Case, Job, Load, Quantity, Serve, Skip, Train};

/// The likely quantity of a case; `None` where there is no speed.
pub fn likely(case: &Case, rules: &Rules) -> Option<f64> {
    let found = match &case.job {
        Job::Serve(serve) => serving(case, serve, rules)?,
        Job::Train(train) => training(case, train, rules)?,
    };
    (found.is_finite() && found > 0.0).then_some(found)
}

/// The natural logarithm of predicted over measured, both as the row's quantity.
pub fn error(case: &Case, rules: &Rules) -> Option<f64> {
    likely(case, rules).map(|likely| (likely / case.measured).ln())
}

/// The prediction with its range, as the row writes its number.
pub fn predicted(case: &Case, rules: &Rules) -> Result<Range, Skip> {
    let likely = likely(case, rules).ok_or(Skip::NoSpeed)?;
    let range = width(case, rules).about(likely);
    Ok(if case.unit.rate { range.inverted(case.unit.factor) } else { range.scaled(case.unit.factor) })
}

/// The width of a case's range: that of its speed.
pub fn width(case: &Case, rules: &Rules) -> Width {
    match &case.job {
        Job::Serve(serve) => {
            let metric = range_metric(case, serve);
            maat_estimate::width_of(
                &case.opened.profile,
                &serve_job(case, serve, rules),
                &serve.engine,
                metric,
            )
        }
        Job::Train(_) => {
            let class = maat_estimate::training_class(&case.opened.profile);
            let metric = if case.quantity == Quantity::Memory { "memory" } else { "train" };
            rules.efficiencies.width(class, metric, seen(case, rules))
        }
    }
}

/// The width of a case's range where its classes were seen, or not.
pub fn width_where(case: &Case, rules: &Rules, seen: bool) -> Width {
    let (classes, metric) = crate::fit::classes(case);
    let own = classes.iter().rev().find_map(|class| rules.efficiencies.width_of(class, metric, seen));
    own.unwrap_or_else(|| rules.efficiencies.width("default", metric, seen))
}

/// Whether the classes that a case rests on were fitted to measurements.
pub fn seen(case: &Case, rules: &Rules) -> bool {
    match &case.job {
        Job::Serve(serve) => {
            let metric = range_metric(case, serve);
            maat_estimate::seen_of(
                &case.opened.profile,
                &serve_job(case, serve, rules),
                &serve.engine,
                metric,
            )
        }
        Job::Train(_) if case.quantity == Quantity::Memory => true,
        Job::Train(train) => {
            let step = maat_estimate::train_step(&case.opened.profile, &train_job(case, train, rules));
            step.is_some_and(|step| step.seen)
        }
    }
}

fn serve_job<'a>(case: &'a Case, serve: &'a Serve, rules: &'a Rules) -> maat_estimate::Job<'a> {
    maat_estimate::Job {
        model: &case.opened.model,
        work: &serve.work,
        machine: Some(&case.machine),
        plan: &serve.attempts[0].plan,
        rules,
    }
}

/// The metric of `ranges.csv` that a case's range is of.
pub fn range_metric(case: &Case, serve: &Serve) -> &'static str {
    match case.quantity {
        Quantity::Ttft if serve.work.users > 1 && serve.load == Load::Users => "ttft",
        Quantity::Ttft | Quantity::Prompt => "prefill",
        Quantity::Throughput => "throughput",
        _ => "tpot",
    }
}

/// The likely quantity of inference: of the plan and users with the most throughput, where there are several to try.
fn serving(case: &Case, serve: &Serve, rules: &Rules) -> Option<f64> {
    let limit = if let Load::Within(limit) = serve.load { limit } else { f64::INFINITY };
    let mut best: Option<(f64, f64)> = None;
    for attempt in &serve.attempts {
        for users in &attempt.users {
            let Some([quantity, each, tpot]) = at(case, serve, attempt, *users, rules) else { continue };
            // Where none keeps to the limit, the one that comes nearest.
            let cost = if tpot <= limit { each } else { 1e6 * tpot };
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, quantity));
            }
        }
    }
    best.map(|(_, quantity)| quantity)
}

/// The quantity, the seconds for each output token and the time per token at so many users.
fn at(case: &Case, serve: &Serve, attempt: &Attempt, users: u64, rules: &Rules) -> Option<[f64; 3]> {
    let work = Serving { users, ..serve.work.clone() };
    let plan = &attempt.plan;
    let job = maat_estimate::Job {
        model: &case.opened.model,
        work: &work,
        machine: Some(&case.machine),
        plan,
        rules,
    };
    let times = maat_estimate::times(&case.opened.profile, &job, &attempt.memory, &serve.engine)?;
    let batch = serve.load == Load::Batch;
    let output = work.output as f64;
    let tpot = if batch { Some(times.step.total()) } else { times.tpot_s };
    let cycle =
        if batch { times.prompts_s + (output - 1.0).max(0.0) * times.step.total() } else { times.cycle_s };
    let each = cycle / (users.max(1) as f64 * output.max(1.0));
    let quantity = match case.quantity {
        Quantity::Tpot => tpot?,
        Quantity::Ttft if batch => times.prompts_s,
        // Requests that come one by one wait for no burst, only for the step that runs.
        Quantity::Ttft if matches!(serve.load, Load::Within(_)) => times.prompt_s + times.step.total(),
        Quantity::Ttft => times.ttft_s,
        Quantity::Prompt => times.prompts_s,
        Quantity::Throughput => each,
        Quantity::Request => cycle,
        Quantity::Train | Quantity::Memory => return None,
    };
    Some([quantity, each, tpot.unwrap_or(0.0)])
}

fn train_job<'a>(case: &'a Case, train: &'a Train, rules: &'a Rules) -> TrainJob<'a> {
    TrainJob {
        model: &case.opened.model,
        work: &train.work,
        machine: Some(&case.machine),
        plan: &train.plan,
        rules,
    }
}

/// Seconds of a step for each token of an accelerator, or bytes at its peak.
fn training(case: &Case, train: &Train, rules: &Rules) -> Option<f64> {
    let job = train_job(case, train, rules);
    if case.quantity == Quantity::Memory {
        // What the framework's allocator counts: nothing of contexts and collectives, and part of what it rounds.
        let one = maat_estimate::training_memory(&job).per_accelerator;
        let loose = (one.activations_bytes + one.workspace_bytes).as_f64();
        return Some((one.total_bytes - one.framework_bytes).as_f64() + 0.05 * loose);
    }
    let step = maat_estimate::train_step(&case.opened.profile, &job)?;
    Some(step.times.total() * step.accelerators / step.tokens)
}
