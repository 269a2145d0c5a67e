//! How a speed came about, term by term.

use serde::Serialize;

use super::serving::{Runner, busy_replicas};
use super::time::Seconds;
use crate::job::Job;
use crate::memory::Memory;
use crate::operation::{Pass, Profile};

/// A number that went into a step of an explanation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Input {
    /// What it is, such as `bytes_per_s`.
    pub name: &'static str,
    /// Its value, in the unit that its name ends in.
    pub value: f64,
}

/// One term of an explanation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Step {
    /// What it gives, such as `decode_memory_s`.
    pub name: &'static str,
    /// The result, in the unit that its name ends in.
    pub value: f64,
    /// The formula over the inputs' names.
    pub formula: &'static str,
    /// The inputs.
    pub inputs: Vec<Input>,
    /// Where its parameters stand.
    pub source: &'static str,
}

const EFFICIENCIES: &str = "facts/speed/efficiencies.csv";
const OPERATIONS: &str = "operations";

/// How time to first token, time per token and throughput came about; empty where there is no speed.
pub fn explain(job: &Job, memory: &Memory) -> Vec<Step> {
    let profile = Profile::new(job.model, &job.rules.efficiencies);
    steps(&profile, job, memory).unwrap_or_default()
}

fn steps(profile: &Profile, job: &Job, memory: &Memory) -> Option<Vec<Step>> {
    let runner = Runner::new(job, profile, job.plan.serve.engine.name())?;
    let times = runner.closed_loop(memory)?;
    let output = job.work.output.max(1) as f64;
    let mut all = parts(&PROMPT, times.prompt);
    all.extend(parts(&STEP, times.step));
    all.extend(volumes(&runner, times.running));
    all.push(step(
        "ttft_s",
        times.ttft_s,
        "request_s + prompt_s + queue_s + step_s / 2 * (running - 1) / running, plus (users / running - 1) cycles",
        &[
            ("request_s", runner.engine.request_s),
            ("prompt_s", times.prompt.total()),
            ("queue_s", times.queue_s),
            ("running", times.running),
            ("step_s", times.step.total()),
            ("users", times.users),
        ],
        EFFICIENCIES,
    ));
    if let Some(tpot) = times.tpot_s {
        all.push(step(
            "tpot_s",
            tpot,
            "step_s + ((running - 1) * shared_prompt_s - queue_s) / (output - 1)",
            &[
                ("step_s", times.step.total()),
                ("queue_s", times.queue_s),
                ("running", times.running),
                ("shared_prompt_s", times.shared_prompt_s),
                ("output", output),
            ],
            EFFICIENCIES,
        ));
    }
    let (users, busy) = (job.work.users.max(1) as f64, busy_replicas(job));
    all.push(step(
        "throughput_tokens_per_s",
        users * output / times.cycle_s,
        "users_of_all * output / cycle_s, where cycle_s is that of users_of_all / busy_replicas users",
        &[("users_of_all", users), ("busy_replicas", busy), ("output", output), ("cycle_s", times.cycle_s)],
        OPERATIONS,
    ));
    Some(all)
}

/// Names of the parts of a pass.
struct Names {
    compute: &'static str,
    memory: &'static str,
    network: &'static str,
    launch: &'static str,
    total: &'static str,
}

const PROMPT: Names = Names {
    compute: "prompt_compute_s",
    memory: "prompt_memory_s",
    network: "prompt_network_s",
    launch: "prompt_launch_s",
    total: "prompt_s",
};

const STEP: Names = Names {
    compute: "step_compute_s",
    memory: "step_memory_s",
    network: "step_network_s",
    launch: "step_launch_s",
    total: "step_s",
};

fn parts(names: &Names, seconds: Seconds) -> Vec<Step> {
    let part = |name, value, formula| step(name, value, formula, &[], EFFICIENCIES);
    vec![
        part(
            names.compute,
            seconds.compute,
            "sum over operations bound by arithmetic: flops / (peak * share)",
        ),
        part(
            names.memory,
            seconds.memory,
            "sum over operations bound by reading: bytes / (bandwidth * share)",
        ),
        part(
            names.network,
            seconds.network,
            "sum over collectives: hops * latency_s + volume / (rate * share)",
        ),
        part(names.launch, seconds.launch, "kernels * kernel_s + step_s + sequences * sequence_s"),
        step(names.total, seconds.total(), "compute + memory + network + launch", &[], OPERATIONS),
    ]
}

/// What a decode step moves and computes on one accelerator.
fn volumes(runner: &Runner, running: f64) -> Vec<Step> {
    let job = runner.job;
    let past = job.work.input as f64 + job.work.output as f64 / 2.0;
    let list = runner.profile.operations(
        Pass::decode(running, past),
        &job.plan.parallel,
        &job.plan.serve,
        &job.rules.efficiencies,
    );
    let sum =
        |of: &dyn Fn(&crate::Operation) -> f64| list.iter().map(|op| of(op) * op.repeat as f64).sum::<f64>();
    let inputs = [("running", running), ("past_tokens", past)];
    vec![
        step("step_bytes", sum(&|op| op.bytes.as_f64()), "sum over operations", &inputs, OPERATIONS),
        step("step_flops", sum(&|op| op.flops), "sum over operations", &inputs, OPERATIONS),
        step("step_kernels", sum(&|op| f64::from(op.kernels)), "sum over operations", &inputs, OPERATIONS),
    ]
}

fn step(
    name: &'static str,
    value: f64,
    formula: &'static str,
    inputs: &[(&'static str, f64)],
    source: &'static str,
) -> Step {
    let inputs = inputs.iter().map(|&(name, value)| Input { name, value }).collect();
    Step { name, value, formula, inputs, source }
}
