//! DeepSpeed: its JSON (deepspeed.ai/docs/config-json) under the Trainer of Transformers, whose values fill every `auto`.

use maat_base::Fault;
use maat_estimate::{Offload, TrainPrecision};
use serde_json::{Value, json};

use super::{DeployFile, Start, Training, transformers};
use crate::deploy::flag;

/// The file of DeepSpeed's settings.
const FILE: &str = "ds_config.json";

/// The launcher, the script and the JSON.
pub(super) fn with_json(start: &Start) -> Result<Training, Fault> {
    let (per_node, nodes) = start.ranks();
    let mut script = transformers::script(start, false)?;
    // The launcher has a flag of its own for modules.
    let module = script.first().is_some_and(|word| word == "-m");
    if module {
        script.remove(0);
    }
    let mut words = vec!["deepspeed".to_owned()];
    if nodes > 1 {
        words.extend(flag("--hostfile", "hostfile"));
        words.extend(flag("--num_nodes", nodes));
    }
    words.extend(flag("--num_gpus", per_node));
    if module {
        words.push("--module".to_owned());
    }
    words.extend(script);
    words.extend(flag("--deepspeed", FILE));
    let mut files =
        vec![DeployFile { name: FILE.to_owned(), content: transformers::pretty(&settings(start)) }];
    if nodes > 1 {
        let lines = (1..=nodes).map(|node| format!("NODE_{node} slots={per_node}\n"));
        files.push(DeployFile { name: "hostfile".to_owned(), content: lines.collect() });
    }
    Ok(Training {
        program: transformers::programs(start, &[("deepspeed", "DeepSpeed")]),
        before: transformers::before(start),
        words,
        files,
        confirm: transformers::confirm(start),
    })
}

/// The settings of the plan; what the command line says stands as `auto`, so that it is said once.
fn settings(start: &Start) -> Value {
    let plan = &start.judged.plan;
    let mut zero = json!({"stage": plan.zero});
    if plan.zero > 0 {
        zero["overlap_comm"] = json!(true);
        zero["contiguous_gradients"] = json!(true);
        zero["reduce_bucket_size"] = json!("auto");
    }
    if plan.zero == 3 {
        zero["stage3_prefetch_bucket_size"] = json!("auto");
        zero["stage3_param_persistence_threshold"] = json!("auto");
        zero["stage3_gather_16bit_weights_on_model_save"] = json!(true);
    }
    if plan.offload != Offload::None {
        zero["offload_optimizer"] = json!({"device": "cpu", "pin_memory": true});
    }
    if plan.offload == Offload::All && plan.zero == 3 {
        zero["offload_param"] = json!({"device": "cpu", "pin_memory": true});
    }
    let mut all = json!({
        "train_batch_size": "auto",
        "train_micro_batch_size_per_gpu": "auto",
        "gradient_accumulation_steps": "auto",
        "gradient_clipping": "auto",
        "zero_optimization": zero,
    });
    match plan.precision {
        TrainPrecision::Fp16 => all["fp16"] = json!({"enabled": "auto"}),
        TrainPrecision::Fp32 | TrainPrecision::Tf32 => {}
        _ => all["bf16"] = json!({"enabled": "auto"}),
    }
    all
}
