//! The training of a request, with what was not said filled in.

use maat_base::{Fault, Text};
use maat_economics::Tokens;
use maat_estimate::{Adapters, Targets, Task, TrainPrecision, Training, sequences_of_item};
use maat_model::Role;

use crate::notes::{Notes, default_why};
use crate::request::WorkRequest;
use crate::request::named;

/// Tokens of a sequence, where nothing is said.
const SEQUENCE: u64 = 2048;
/// Rank of adapters, where nothing is said.
const RANK: u64 = 16;
/// Most of any count that is taken for meant.
const MOST: u64 = 1_000_000_000_000;

/// Whether a task trains a language model.
pub fn trains(task: Task) -> bool {
    matches!(
        task,
        Task::Pretrain | Task::Full | Task::Lora | Task::Qlora | Task::Dpo | Task::Ppo | Task::Grpo
    )
}

/// The training that a request describes.
pub fn training(request: &WorkRequest, notes: &mut Notes) -> Result<Training, Fault> {
    let task = request.task.unwrap_or_default();
    let asked = &request.training;
    let serving = [
        ("users", request.users.is_some()),
        ("input", request.input.is_some()),
        ("output", request.output.is_some()),
        ("context", request.context.is_some()),
        ("kv-precision", request.kv_precision.is_some()),
        ("engine", request.engine.is_some()),
    ];
    if let Some((flag, _)) = serving.into_iter().find(|(_, given)| *given) {
        return Err(Fault::usage("flag-of-serving").with("flag", flag).with("task", task.name()));
    }
    for (flag, value) in [
        ("seq", asked.seq),
        ("micro-batch", asked.micro_batch),
        ("global-batch", asked.global_batch),
        ("items", asked.items),
        ("epochs", asked.epochs),
        ("steps", asked.steps),
        ("lora-rank", asked.lora_rank),
        ("response", asked.response),
    ] {
        match value {
            Some(0) => return Err(Fault::usage("count-zero").with("flag", flag)),
            Some(n) if n > MOST => return Err(Fault::usage("count-too-large").with("flag", flag)),
            _ => {}
        }
    }
    let sequence = asked.seq.unwrap_or_else(|| {
        notes.assume("seq", SEQUENCE, Text::new("assumed-seq").with("n", SEQUENCE), default_why());
        SEQUENCE
    });
    let generates = matches!(task, Task::Ppo | Task::Grpo);
    let response = asked.response.unwrap_or(if generates { sequence / 2 } else { 0 });
    if response > sequence {
        return Err(Fault::usage("response-beyond-sequence")
            .with("response", response)
            .with("seq", sequence)
            .at("--response"));
    }
    if generates && asked.response.is_none() {
        notes.assume("response", response, Text::new("assumed-response").with("n", response), default_why());
    }
    Ok(Training {
        task,
        sequence,
        response,
        global_batch: asked.global_batch,
        adapters: adapters(request, task, notes)?,
        tokens: tokens(request, sequence)?,
    })
}

/// Adapters of `lora` and `qlora`, and of the other tasks where a rank is given.
fn adapters(request: &WorkRequest, task: Task, notes: &mut Notes) -> Result<Option<Adapters>, Fault> {
    let asked = &request.training;
    let by_task = matches!(task, Task::Lora | Task::Qlora);
    let by_flag = asked.lora_rank.is_some() || asked.lora_targets.is_some() || asked.base_precision.is_some();
    if !by_task && (!by_flag || matches!(task, Task::Pretrain | Task::Full)) {
        if by_flag {
            return Err(Fault::usage("adapters-not-for-task").with("task", task.name()));
        }
        return Ok(None);
    }
    let rank = asked.lora_rank.unwrap_or_else(|| {
        notes.assume("lora_rank", RANK, Text::new("assumed-lora-rank").with("n", RANK), default_why());
        RANK
    });
    let targets = if let Some(text) = asked.lora_targets.as_deref() {
        targets(text)?
    } else {
        notes.assume("lora_targets", "all-linear", Text::new("assumed-lora-targets"), default_why());
        Targets::AllLinear
    };
    Ok(Some(Adapters { rank, targets }))
}

/// Names that people give projections, with what they do.
const NAMES: [(&str, &[Role]); 12] = [
    ("q", &[Role::Query, Role::Qkv]),
    ("k", &[Role::Key]),
    ("v", &[Role::Value]),
    ("qkv", &[Role::Qkv, Role::Query, Role::Key, Role::Value]),
    ("o", &[Role::AttentionOut]),
    ("out", &[Role::AttentionOut]),
    ("gate", &[Role::Gate, Role::GateUp]),
    ("up", &[Role::Up, Role::GateUp]),
    ("down", &[Role::Down]),
    ("fc1", &[Role::Up]),
    ("fc2", &[Role::Down]),
    ("mlp", &[Role::Gate, Role::Up, Role::GateUp, Role::Down]),
];

fn targets(text: &str) -> Result<Targets, Fault> {
    match text.trim().to_ascii_lowercase().as_str() {
        "all-linear" | "all" => return Ok(Targets::AllLinear),
        "attention" => return Ok(Targets::Attention),
        _ => {}
    }
    let mut roles = Vec::new();
    for word in text.split([',', ' ']).filter(|word| !word.is_empty()) {
        let short = word.trim().to_ascii_lowercase();
        let short = short.strip_suffix("_proj").unwrap_or(&short);
        let known = NAMES.iter().find(|(name, _)| *name == short);
        let (_, found) = known.ok_or_else(|| {
            Fault::usage("lora-target-unknown")
                .with("given", word)
                .with("known", NAMES.map(|(name, _)| name).join(" "))
                .at("--lora-targets")
        })?;
        roles.extend_from_slice(found);
    }
    if roles.is_empty() {
        return Err(Fault::usage("lora-target-unknown").with("given", text).with("known", "all-linear"));
    }
    Ok(Targets::Roles(roles))
}

/// Tokens of the whole job: as given, or from sequences and passes, or from steps of a known batch.
fn tokens(request: &WorkRequest, sequence: u64) -> Result<Option<f64>, Fault> {
    let asked = &request.training;
    let ways = [asked.tokens.is_some(), asked.items.is_some(), asked.steps.is_some()];
    if ways.into_iter().filter(|given| *given).count() > 1 {
        return Err(Fault::usage("job-length-twice").at("--tokens"));
    }
    if asked.epochs.is_some() && asked.items.is_none() && asked.tokens.is_none() {
        return Err(Fault::usage("epochs-of-nothing").at("--epochs"));
    }
    let sequence = sequence as f64 * sequences_of_item(request.task.unwrap_or_default());
    let passes = asked.epochs.unwrap_or(1) as f64;
    if let Some(Tokens(tokens)) = asked.tokens {
        return Ok(Some(tokens * passes));
    }
    if let Some(items) = asked.items {
        return Ok(Some(items as f64 * sequence * passes));
    }
    // A step without a batch has as many tokens as the plan makes it: resolved when the plan is known.
    Ok(asked.steps.zip(asked.global_batch).map(|(steps, batch)| steps as f64 * batch as f64 * sequence))
}

/// What products are computed in.
pub fn precision(request: &WorkRequest, notes: &mut Notes) -> Result<TrainPrecision, Fault> {
    let Some(text) = request.precision.as_deref() else {
        notes.assume("precision", "bf16", Text::new("assumed-train-precision"), default_why());
        return Ok(TrainPrecision::Bf16);
    };
    named(text).map_err(|_| {
        Fault::usage("train-precision-unknown")
            .with("given", text)
            .with("known", "fp32 tf32 bf16 fp16 fp8 mxfp8 nvfp4 pure-bf16")
            .at("--precision")
    })
}

/// Precision that the weights are stored in: packed for a frozen base, else 16 bits.
pub fn base_precision(request: &WorkRequest, task: Task) -> String {
    let given = request.training.base_precision.clone();
    given.unwrap_or_else(|| if task == Task::Qlora { "nf4".to_owned() } else { "bf16".to_owned() })
}
