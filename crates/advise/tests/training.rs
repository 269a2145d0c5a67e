//! Training: questions that people asked in public and that were settled, and what a planner must keep to.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up fails")]

use maat_advise::{AdviseRequest, SizeBody, SizeRequest, TrainingRequest, WorkRequest, World, advise, size};
use maat_base::{Answer, Fault};
use maat_catalogue::{Catalogue, HardwareRequest};
use maat_estimate::{Recompute, Rules, Task};

fn work(task: Task, training: TrainingRequest) -> WorkRequest {
    WorkRequest { task: Some(task), training, ..WorkRequest::default() }
}

fn ask(model: &str, gpu: &str, work: WorkRequest) -> Result<Answer<SizeBody>, Fault> {
    let (catalogue, rules) = (Catalogue::builtin(), Rules::built_in().unwrap());
    let world = world(&catalogue, &rules);
    let gpu = if gpu.is_empty() { Vec::new() } else { vec![gpu.to_owned()] };
    let hardware = HardwareRequest { gpu, ..HardwareRequest::default() };
    size(&SizeRequest { model: Some(model.into()), work, hardware }, &world)
}

fn world<'a>(catalogue: &'a Catalogue, rules: &'a Rules) -> World<'a> {
    World { catalogue, rules, as_of: None, currency: None, explain: false, eur_per_usd: None }
}

fn fits(model: &str, gpu: &str, work: WorkRequest) -> bool {
    ask(model, gpu, work).unwrap().body.fits.unwrap()
}

fn gb(model: &str, gpu: &str, work: WorkRequest) -> f64 {
    ask(model, gpu, work).unwrap().body.memory.per_accelerator.total_bytes.as_f64() / 1e9
}

const LLAMA_7B: &str = "meta-llama/Llama-2-7b-hf";
const LLAMA_13B: &str = "meta-llama/Llama-2-13b-hf";
const LLAMA_70B: &str = "meta-llama/Llama-2-70b-hf";

/// llama-cookbook 413: no full fine-tuning of 7B on one 80 GB card. stanford_alpaca 56: two do. LLaMA2-Accessory 26: two
/// do not for 13B. Megatron-LLM 52: eight do not for 70B.
#[test]
fn full_fine_tuning() {
    let full = || work(Task::Full, TrainingRequest { seq: Some(512), ..TrainingRequest::default() });
    assert!(!fits(LLAMA_7B, "A100 80GB", full()));
    assert!(fits(LLAMA_7B, "2x A100 80GB", full()));
    assert!(!fits(LLAMA_13B, "2x A100 80GB", full()));
    assert!(!fits(LLAMA_70B, "8x A100 80GB", full()));
}

/// llama-cookbook 100: 29 GB reserved on each of four A100 40 GB with FSDP and 7B, 27 with flash attention.
#[test]
fn sharded_fine_tuning_of_7b() {
    let training =
        TrainingRequest { zero: Some(3), recompute: Some(Recompute::None), ..TrainingRequest::default() };
    let each = gb(LLAMA_7B, "4x A100 40GB", work(Task::Full, TrainingRequest { seq: Some(512), ..training }));
    assert!((27.0 * 0.9..37.0).contains(&each), "{each}");
}

/// LLaMA-Factory 4559 and 1878: data-parallel ranks each hold the whole packed base, so that more small cards do not help
/// unless the base is divided, which is said.
#[test]
fn packed_bases_are_whole_on_each_card() {
    let qlora = |zero| work(Task::Qlora, TrainingRequest { zero, ..TrainingRequest::default() });
    assert!(!fits("meta-llama/Llama-3.1-70B", "4x A10G", qlora(Some(0))));
    assert!(!fits("mistralai/Mixtral-8x7B-v0.1", "2x RTX 4090", qlora(Some(0))));
    let divided = ask("meta-llama/Llama-3.1-70B", "4x A10G", qlora(None)).unwrap();
    let told = divided.findings.iter().any(|finding| finding.code == "qlora-needs-sharded-base");
    assert!(told || divided.body.fits == Some(false));
}

/// Qwen3 813: LoRA of 72B needs at least about 160 GB in all, with LLaMA-Factory, which computes activations again.
#[test]
fn lora_of_72b() {
    let training = TrainingRequest { recompute: Some(Recompute::Full), ..TrainingRequest::default() };
    let answer = ask("Qwen/Qwen2.5-72B", "", work(Task::Lora, training)).unwrap();
    let total = answer.body.memory.per_accelerator.total_bytes.as_f64() / 1e9;
    assert!((145.0..200.0).contains(&total), "{total}");
}

/// What was given stays, fits or not; what was not is listed.
#[test]
fn given_plans_are_kept() {
    let training = TrainingRequest {
        zero: Some(0),
        recompute: Some(Recompute::None),
        micro_batch: Some(8),
        ..TrainingRequest::default()
    };
    let answer = ask(LLAMA_7B, "8x H100 SXM", work(Task::Full, training)).unwrap();
    let plan = &answer.body.plan;
    assert_eq!((plan.zero, plan.recompute, plan.micro_batch), (Some(0), Some("none"), Some(8)));
    assert_eq!(answer.body.fits, Some(false));
    assert!(!answer.body.nearest.is_empty());
    let names: Vec<_> = answer.assumed.iter().map(|assumed| assumed.name).collect();
    assert!(names.contains(&"optimizer") && names.contains(&"seq") && !names.contains(&"zero"));
}

/// Every nearest change is a command that fits when it is asked.
#[test]
fn nearest_changes_fit() {
    let answer = ask(
        LLAMA_13B,
        "RTX 4090",
        work(Task::Lora, TrainingRequest { seq: Some(8192), ..TrainingRequest::default() }),
    )
    .unwrap();
    assert_eq!(answer.body.fits, Some(false));
    assert!(!answer.body.nearest.is_empty());
}

#[test]
fn impossible_training_is_a_usage_fault() {
    let fault = |work| ask(LLAMA_7B, "RTX 4090", work).unwrap_err().code.to_string();
    let zero = TrainingRequest { micro_batch: Some(0), ..TrainingRequest::default() };
    assert_eq!(fault(work(Task::Full, zero)), "count-zero");
    let twice = TrainingRequest { items: Some(5), steps: Some(5), ..TrainingRequest::default() };
    assert_eq!(fault(work(Task::Full, twice)), "job-length-twice");
    let odd = TrainingRequest { lora_targets: Some("knee".into()), ..TrainingRequest::default() };
    assert_eq!(fault(work(Task::Lora, odd)), "lora-target-unknown");
    let rank = TrainingRequest { lora_rank: Some(8), ..TrainingRequest::default() };
    assert_eq!(fault(work(Task::Pretrain, rank)), "adapters-not-for-task");
    let long = TrainingRequest { response: Some(4096), ..TrainingRequest::default() };
    assert_eq!(fault(work(Task::Grpo, long)), "response-beyond-sequence");
    let narrow =
        WorkRequest { precision: Some("fp7".into()), ..work(Task::Full, TrainingRequest::default()) };
    assert_eq!(fault(narrow), "train-precision-unknown");
}

/// The cheapest machine for a job is cheaper than every other listed one, and keeps to the deadline.
#[test]
fn jobs_are_ranked_by_their_cost() {
    let (catalogue, rules) = (Catalogue::builtin(), Rules::built_in().unwrap());
    let training = TrainingRequest { tokens: Some("40M".parse().unwrap()), ..TrainingRequest::default() };
    let mut request = AdviseRequest {
        model: Some("meta-llama/Llama-3.1-8B".into()),
        work: work(Task::Lora, training),
        ..AdviseRequest::default()
    };
    request.limits.deadline = Some("2h".parse().unwrap());
    let answer = advise(&request, &world(&catalogue, &rules)).unwrap();
    let jobs: Vec<f64> =
        answer.body.candidates.iter().map(|one| one.cost.per_job.unwrap().as_f64()).collect();
    assert!(jobs.len() > 5 && jobs.is_sorted(), "{jobs:?}");
    let late = answer.body.candidates.iter().any(|one| one.speed.time_to_finish_s.unwrap().likely > 7200.0);
    assert!(!late);
}

/// Two checkpoints of 112 GB do not go on a disk of 200 GB, and do on one of 300.
#[test]
fn checkpoints_need_room() {
    let told = |disk: &str| {
        let (catalogue, rules) = (Catalogue::builtin(), Rules::built_in().unwrap());
        let hardware = HardwareRequest {
            gpu: vec!["8x H100 SXM".into()],
            disk: Some(disk.parse().unwrap()),
            ..HardwareRequest::default()
        };
        let work = work(Task::Full, TrainingRequest::default());
        let request = SizeRequest { model: Some("meta-llama/Llama-3.1-8B".into()), work, hardware };
        let answer = size(&request, &world(&catalogue, &rules)).unwrap();
        answer.findings.iter().any(|finding| finding.code == "checkpoint-no-room")
    };
    assert!(told("200GB") && !told("300GB"));
}
