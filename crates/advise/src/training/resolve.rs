//! A training request as a case.

use std::sync::Arc;

use maat_base::{Fault, Text};
use maat_catalogue::Machine;
use maat_estimate::{Engine, Framework, Offload, Profile, Recompute, Task, TrainPlan};
use maat_model::Model;

use super::case::{TrainCase, TrainFixed};
use super::work;
use crate::notes::{Notes, default_why};
use crate::plans::WHOLE;
use crate::request::{Switch, WorkRequest};
use crate::resolve::fixed;
use crate::world::World;

/// Opens the model with its weights as training stores them.
pub fn model(name: Option<&str>, request: &WorkRequest, notes: &mut Notes) -> Result<Arc<Model>, Fault> {
    let name = name.ok_or_else(|| Fault::usage("model-missing").hint(Text::new("hint-model-missing")))?;
    let task = request.task.unwrap_or_default();
    let opened = maat_model::open(name, &maat_model::Options::default())?;
    opened.check_heads()?;
    let base = work::base_precision(request, task);
    if opened.is_gguf() {
        return Err(Fault::usage("training-gguf").with("model", name));
    }
    if !opened.caches_known {
        return Err(Fault::usage("training-shapes-unknown").with("model", name));
    }
    if !maat_estimate::trains_tokens(&opened) {
        return Err(Fault::usage("training-not-tokens").with("model", name));
    }
    let stored = opened.at_precision(&base)?;
    if request.training.base_precision.is_none() {
        let text = Text::new("assumed-base-precision").with("precision", base.as_str());
        notes.assume("base_precision", base, text, default_why());
    }
    for assumed in &stored.assumed {
        notes.assumed.push(assumed.clone());
    }
    Ok(Arc::new(stored))
}

/// The case of a model on a machine.
pub fn case(
    request: &WorkRequest,
    model: Arc<Model>,
    machine: Option<Machine>,
    world: &World,
    notes: &mut Notes,
) -> Result<TrainCase, Fault> {
    let asked = &request.training;
    let training = work::training(request, notes)?;
    let precision = work::precision(request, notes)?;
    let optimizer = asked.optimizer.unwrap_or_default();
    if asked.optimizer.is_none() {
        notes.assume("optimizer", "adamw", Text::new("assumed-optimizer"), default_why());
    }
    let micro_batch = asked.micro_batch.unwrap_or_else(|| {
        notes.assume("micro_batch", 1, Text::new("assumed-micro-batch").with("n", 1u64), default_why());
        1
    });
    let profile = Arc::new(Profile::new(&model, &world.rules.efficiencies));
    let parallel = fixed(request)?;
    Ok(TrainCase {
        plan: TrainPlan {
            base_precision: model.precision.clone(),
            parallel: WHOLE,
            zero: asked.zero.unwrap_or(0),
            micro_batch,
            recompute: asked.recompute.unwrap_or(Recompute::None),
            offload: asked.offload.unwrap_or(Offload::None),
            optimizer,
            precision,
            framework: asked.framework.unwrap_or(Framework::Torch),
            flash_attention: request.flash_attention != Some(Switch::Off),
            sequence_parallel: false,
            chunked_loss: asked.chunked_loss,
            compiled: asked.compile,
            compiled_loss: asked.compile,
            offload_activations: false,
            update_in_backward: false,
            virtual_stages: 1,
            roles: asked.roles.unwrap_or_default(),
            rollout: rollout(request, training.task)?,
        },
        fixed: TrainFixed {
            parallel,
            zero: asked.zero,
            recompute: asked.recompute,
            offload: asked.offload,
            framework: asked.framework,
            steps: asked.steps,
        },
        model,
        work: training,
        machine,
        profile,
    })
}

/// What generates responses.
fn rollout(request: &WorkRequest, task: Task) -> Result<Option<Engine>, Fault> {
    let generates = matches!(task, Task::Ppo | Task::Grpo);
    match request.training.rollout_engine.as_deref() {
        Some("none") => Ok(None),
        Some(name) => name.parse().map(Some),
        None => Ok(generates.then_some(Engine::Vllm)),
    }
}

/// Lists the parts of the plan that nobody fixed.
pub fn assume_plan(case: &TrainCase, plan: &TrainPlan, notes: &mut Notes) {
    let fixed = &case.fixed;
    let first = || Text::new("why-first-that-fits");
    if fixed.zero.is_none() && case.devices().total() > 1 {
        notes.assume("zero", plan.zero, Text::new("assumed-zero").with("n", u64::from(plan.zero)), first());
    }
    if fixed.recompute.is_none() {
        let which = plan.recompute.name();
        notes.assume("recompute", which, Text::new("assumed-recompute").with("which", which), first());
    }
    if fixed.offload.is_none() && plan.offload != Offload::None {
        let what = plan.offload.name();
        notes.assume("offload", what, Text::new("assumed-offload").with("what", what), first());
    }
    if fixed.framework.is_none() {
        let name = plan.framework.name();
        notes.assume(
            "framework",
            name,
            Text::new("assumed-framework").with("framework", name),
            default_why(),
        );
    }
    let parallel = &plan.parallel;
    for (name, given, value, id) in [
        ("tp", fixed.parallel.tp, parallel.tp, "assumed-tp"),
        ("pp", fixed.parallel.pp, parallel.pp, "assumed-pp"),
        ("dp", fixed.parallel.dp, parallel.dp, "assumed-dp"),
    ] {
        if given.is_none() && value > 1 {
            notes.assume(name, value, Text::new(id).with("n", value), first());
        }
    }
    if case.work.global_batch.is_none() {
        let batch = case.global_batch();
        let text = Text::new("assumed-global-batch").with("n", batch);
        notes.assume("global_batch", batch, text, default_why());
    }
}
