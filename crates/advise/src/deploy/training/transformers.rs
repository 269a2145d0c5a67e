//! Scripts on the Trainer of Transformers: those of TRL, and `run_clm.py` for pretraining. FSDP by `fsdp_config`
//! (huggingface.co/docs/transformers/fsdp, huggingface.co/docs/trl/clis).

use maat_base::{Fault, Text};
use maat_estimate::{Offload, Optimizer, Recompute, Targets, Task, TrainPrecision};
use maat_model::Role;
use serde_json::json;

use super::{DeployFile, Start, Training};
use crate::deploy::flag;

/// The file of FSDP's settings.
const FSDP: &str = "fsdp.json";

/// `torchrun` and FSDP2; plain data parallelism where nothing is divided.
pub(super) fn with_fsdp(start: &Start) -> Result<Training, Fault> {
    let plan = &start.judged.plan;
    if plan.offload == Offload::Optimizer {
        return Err(Fault::usage("deploy-offload-optimizer").at("--deploy"));
    }
    let mut words = start.torchrun();
    let sharded = plan.zero > 1 || plan.offload != Offload::None;
    words.extend(script(start, sharded)?);
    let mut files = Vec::new();
    if sharded {
        words.push("--fsdp".to_owned());
        words.extend(flag("--fsdp_config", FSDP));
        let settings = json!({
            "version": 2,
            "reshard_after_forward": plan.zero == 3,
            "cpu_offload": plan.offload == Offload::All,
            "activation_checkpointing": plan.recompute == Recompute::Full,
            "cpu_ram_efficient_loading": true,
            "state_dict_type": "SHARDED_STATE_DICT",
        });
        files.push(DeployFile { name: FSDP.to_owned(), content: pretty(&settings) });
    }
    Ok(Training {
        program: programs(start, &[]),
        before: before(start),
        words,
        files,
        confirm: confirm(start),
    })
}

/// A JSON file as people write it.
pub(super) fn pretty(value: &serde_json::Value) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

/// The programs with their versions; what runs them comes first.
pub(super) fn programs(start: &Start, first: &[(&str, &str)]) -> String {
    let pretrains = start.case.work.task == Task::Pretrain;
    let trl = (!pretrains).then_some(("trl", "TRL"));
    let all = first.iter().copied().chain(trl).chain([("transformers", "Transformers")]);
    all.map(|(key, name)| start.program(key, name)).collect::<Vec<_>>().join(", ")
}

/// Lines before the command: the script that no package holds.
pub(super) fn before(start: &Start) -> Vec<String> {
    if start.case.work.task != Task::Pretrain {
        return Vec::new();
    }
    let version = start.world.rules.engines.program_version("transformers");
    let tag = version.map_or_else(|| "main".to_owned(), |version| format!("v{}", version.value));
    vec![format!(
        "curl -O https://raw.githubusercontent.com/huggingface/transformers/{tag}/examples/pytorch/language-modeling/run_clm.py"
    )]
}

/// What to fill in.
pub(super) fn confirm(start: &Start) -> Vec<Text> {
    let mut all = vec![Text::new("deploy-confirm-dataset")];
    if start.judged.plan.recompute == Recompute::Selective {
        all.push(Text::new("deploy-confirm-selective"));
    }
    if start.case.work.task == Task::Grpo {
        all.push(Text::new("deploy-confirm-reward"));
    }
    all
}

/// The script with its flags, without those of what divides the model.
pub(super) fn script(start: &Start, sharded: bool) -> Result<Vec<String>, Fault> {
    let (case, plan) = (start.case, &start.judged.plan);
    let mut words: Vec<String> = Vec::new();
    match case.work.task {
        Task::Pretrain => {
            words.push("run_clm.py".to_owned());
            words.extend(flag("--config_name", &case.model.name));
            words.extend(flag("--tokenizer_name", &case.model.name));
            words.push("--do_train".to_owned());
            words.extend(flag("--block_size", case.work.sequence));
        }
        task => {
            let name = match task {
                Task::Dpo => "dpo",
                Task::Grpo => "grpo",
                _ => "sft",
            };
            words.extend(["-m".to_owned(), format!("trl.scripts.{name}")]);
            words.extend(flag("--model_name_or_path", &case.model.name));
            words.extend(lengths(start));
            words.extend(flag("--dtype", stored_type(start)));
        }
    }
    words.extend(flag("--dataset_name", "DATASET"));
    words.extend(flag("--output_dir", "output"));
    words.extend(flag("--per_device_train_batch_size", plan.micro_batch));
    words.extend(flag("--gradient_accumulation_steps", start.accumulation()));
    words.extend(computed_in(plan.precision, case.work.task)?);
    words.extend(flag("--optim", optimizer(plan.optimizer)?));
    words.extend(recomputation(case.work.task, plan.recompute == Recompute::Full && !sharded));
    if case.work.adapters.is_some() {
        words.extend(adapters(start, plan.zero > 2));
    }
    if plan.compiled {
        words.push("--torch_compile".to_owned());
    }
    if plan.chunked_loss {
        match case.work.task {
            Task::Pretrain => words.push("--use_liger_kernel".to_owned()),
            Task::Dpo | Task::Grpo => {}
            _ => words.extend(flag("--loss_type", "chunked_nll")),
        }
    }
    if let Some(steps) = start.steps() {
        words.extend(flag("--max_steps", steps));
    }
    words.extend(flag("--logging_steps", 10));
    Ok(words)
}

/// Whether the script computes activations again. TRL has the flag's older name, and does it unless told otherwise; FSDP
/// does it by its own settings.
fn recomputation(task: Task, again: bool) -> Vec<String> {
    match (task, again) {
        (Task::Pretrain, true) => vec!["--activation_checkpointing".to_owned()],
        (Task::Pretrain, false) => Vec::new(),
        (_, again) => flag("--gradient_checkpointing", if again { "True" } else { "False" }).to_vec(),
    }
}

/// Tokens of a sequence; of prompt and response apart where responses are generated.
fn lengths(start: &Start) -> Vec<String> {
    let (work, plan) = (&start.case.work, &start.judged.plan);
    if work.task != Task::Grpo {
        let mut words = flag("--max_length", work.sequence).to_vec();
        if work.task != Task::Dpo {
            words.push("--packing".to_owned());
        }
        return words;
    }
    let mut words = flag("--max_completion_length", work.response).to_vec();
    if plan.rollout.is_some() {
        words.push("--use_vllm".to_owned());
        words.extend(flag("--vllm_mode", "colocate"));
    }
    words.extend(flag("--reward_funcs", "REWARD"));
    words
}

/// What the weights are loaded in: trained ones with their master copy in FP32, frozen ones as they are stored.
fn stored_type(start: &Start) -> &'static str {
    let frozen = start.case.work.adapters.is_some();
    match start.judged.plan.precision {
        TrainPrecision::PureBf16 => "bfloat16",
        TrainPrecision::Fp16 if frozen => "float16",
        _ if frozen => "bfloat16",
        _ => "float32",
    }
}

/// TRL computes in BF16 unless told otherwise.
fn computed_in(precision: TrainPrecision, task: Task) -> Result<Vec<String>, Fault> {
    let not_bf16 = || match task {
        Task::Pretrain => Vec::new(),
        _ => flag("--bf16", "False").to_vec(),
    };
    match precision {
        TrainPrecision::Bf16 | TrainPrecision::PureBf16 => Ok(vec!["--bf16".to_owned()]),
        TrainPrecision::Fp16 => Ok(vec!["--fp16".to_owned()]),
        TrainPrecision::Tf32 => Ok([not_bf16(), flag("--tf32", "True").to_vec()].concat()),
        TrainPrecision::Fp32 => Ok([not_bf16(), flag("--tf32", "False").to_vec()].concat()),
        other => Err(Fault::usage("deploy-precision").with("precision", other.name()).at("--deploy")),
    }
}

/// The Trainer's name of an optimiser.
fn optimizer(optimizer: Optimizer) -> Result<&'static str, Fault> {
    match optimizer {
        Optimizer::Adamw => Ok("adamw_torch_fused"),
        Optimizer::Adamw8bit => Ok("adamw_bnb_8bit"),
        Optimizer::PagedAdamw8bit => Ok("paged_adamw_8bit"),
        Optimizer::Adafactor => Ok("adafactor"),
        Optimizer::Lion => Ok("lion_32bit"),
        Optimizer::Sgd => Ok("sgd"),
        Optimizer::Muon => {
            Err(Fault::usage("deploy-optimizer").with("optimizer", optimizer.name()).at("--deploy"))
        }
    }
}

fn adapters(start: &Start, sharded: bool) -> Vec<String> {
    let Some(adapters) = &start.case.work.adapters else { return Vec::new() };
    let mut words = vec!["--use_peft".to_owned()];
    words.extend(flag("--lora_r", adapters.rank));
    words.extend(flag("--lora_alpha", adapters.rank.saturating_mul(2)));
    words.push("--lora_target_modules".to_owned());
    words.extend(targets(&adapters.targets));
    match start.judged.plan.base_precision.as_str() {
        "nf4" => {
            words.push("--load_in_4bit".to_owned());
            words.extend(flag("--bnb_4bit_quant_type", "nf4"));
            // Weights are divided only where all are stored in one type.
            if sharded {
                words.extend(flag("--bnb_4bit_quant_storage", "bfloat16"));
            }
        }
        "int8" => words.push("--load_in_8bit".to_owned()),
        _ => {}
    }
    words
}

/// Modules by the names that most families give them.
fn targets(targets: &Targets) -> Vec<String> {
    let names: Vec<&str> = match targets {
        Targets::AllLinear => vec!["all-linear"],
        Targets::Attention => vec!["q_proj", "k_proj", "v_proj", "o_proj"],
        Targets::Roles(roles) => roles.iter().filter_map(|role| module(*role)).collect(),
    };
    let mut seen: Vec<String> = Vec::new();
    for name in names {
        if seen.iter().all(|known| known != name) {
            seen.push(name.to_owned());
        }
    }
    seen
}

const fn module(role: Role) -> Option<&'static str> {
    match role {
        Role::Query => Some("q_proj"),
        Role::Key => Some("k_proj"),
        Role::Value => Some("v_proj"),
        Role::AttentionOut => Some("o_proj"),
        Role::Gate => Some("gate_proj"),
        Role::Up => Some("up_proj"),
        Role::Down => Some("down_proj"),
        _ => None,
    }
}
