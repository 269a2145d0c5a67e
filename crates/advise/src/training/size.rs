//! `size` for training: does it fit, how fast, what would have to change.

use std::sync::Arc;

use maat_base::{Answer, Arg, Bytes, Code, Fault, Finding, Severity, Text, Verdict};
use maat_catalogue::MachineSpec;
use maat_estimate::{Bound, Task};
use maat_model::Model;

use super::case::{TrainCase, TrainJudged};
use super::nearest::nearest;
use super::resolve;
use crate::answer::{Alternative, MachineView, PlanView, SizeBody, Smallest, TrainView, Tried};
use crate::notes::Notes;
use crate::request::{AdviseRequest, SizeRequest, WorkRequest};
use crate::world::World;

/// Answers whether a model can be trained on a machine and how fast; without a machine, what it needs.
///
/// # Errors
/// A model, part or precision that is not known, or a request that makes no sense.
pub fn size(request: &SizeRequest, world: &World) -> Result<Answer<SizeBody>, Fault> {
    let mut notes = Notes::default();
    let model = resolve::model(request.model.as_deref(), &request.work, &mut notes)?;
    let spec = crate::resolve::machine(request, world, &mut notes)?;
    let (case, all, tried) = match spec {
        None => {
            let case = resolve::case(&request.work, model, None, world, &mut notes)?;
            let all = case.judge_all(world.rules);
            (case, all, Vec::new())
        }
        Some(spec) => on_machine(request, &model, &spec, world, &mut notes)?,
    };
    let best = all.first().ok_or_else(|| Fault::usage("no-division"))?;
    resolve::assume_plan(&case, &best.plan, &mut notes);
    let mut body = body(&case, &all, tried);
    body.power = case.power(best, world.rules);
    if case.machine.is_some() {
        let (host, network) = case.needs(best, world.rules);
        (body.host, body.network) = (Some(host), Some(network));
    }
    if case.machine.is_none() {
        body.smallest = smallest(&case, world);
    } else if !best.fits() {
        body.nearest = nearest(request, &case, world);
    }
    if best.fits() {
        let look = |whole: &crate::server::Whole| whole.view(None, world.rules);
        body.server = case.on_server(best, None, world.rules, look).flatten();
    }
    body.reasons = reasons(&case, &all);
    notes.findings.extend(body.machine.as_ref().and_then(|machine| {
        crate::server::too_little_memory(&machine.name, body.limit.as_ref(), body.nearest.first())
    }));
    body.advise_argv = crate::argv::argv("advise", &without_machine(request));
    notes.findings.extend(findings(&case, best));
    let of_server = |whole: &crate::server::Whole| crate::server::findings(whole, world);
    notes.findings.extend(case.on_server(best, None, world.rules, of_server).unwrap_or_default());
    let mut answer = Answer::new("size", verdict(&case, best, &body), body);
    answer.sources = world.sources(
        case.machine.iter().flat_map(|machine| &machine.slots).map(|slot| slot.accelerator.sources.as_str()),
    );
    answer.assumed = notes.assumed;
    answer.findings = crate::lints::sorted(notes.findings);
    Ok(answer)
}

/// The command that looks for other hardware for the same work.
fn without_machine(request: &SizeRequest) -> AdviseRequest {
    let work = WorkRequest {
        tp: None,
        pp: None,
        dp: None,
        ep: None,
        cp: None,
        replicas: None,
        ..request.work.clone()
    };
    AdviseRequest { model: request.model.clone(), work, ..AdviseRequest::default() }
}

/// The case on the machine of a specification; an open count is tried upwards until it fits.
fn on_machine(
    request: &SizeRequest,
    model: &Arc<Model>,
    spec: &MachineSpec,
    world: &World,
    notes: &mut Notes,
) -> Result<(TrainCase, Vec<TrainJudged>, Vec<Tried>), Fault> {
    let mut tried = Vec::new();
    let mut last = None;
    for machine in spec.machines() {
        let mut these = notes.clone();
        let case = resolve::case(&request.work, model.clone(), Some(machine), world, &mut these)?;
        let all = case.judge_all(world.rules);
        let fits = all.first().is_some_and(TrainJudged::fits);
        if spec.count_is_open() {
            let limit = all.first().and_then(|best| best.limit.clone());
            tried.push(Tried { count: case.devices().per_node, fits, limit });
        }
        last = Some((case, all, these));
        if fits {
            break;
        }
    }
    let (case, all, these) = last.ok_or_else(|| Fault::usage("no-machine"))?;
    *notes = these;
    Ok((case, all, tried))
}

fn body(case: &TrainCase, all: &[TrainJudged], tried: Vec<Tried>) -> SizeBody {
    let best = &all[0];
    SizeBody {
        item: None,
        model: Some(case.model.summary()),
        plan: PlanView::from(&best.plan),
        machine: case.machine.as_ref().map(MachineView::from),
        memory: best.memory.clone(),
        fits: case.machine.as_ref().map(|_| best.fits()),
        limit: best.limit.clone(),
        nearest: Vec::new(),
        alternatives: alternatives(all),
        speed: best.speed.clone(),
        power: None,
        host: None,
        network: None,
        training: Some(view(case, best)),
        tried,
        smallest: Vec::new(),
        reasons: Vec::new(),
        advise_argv: Vec::new(),
        explain: Vec::new(),
        comparisons: Vec::new(),
        server: None,
        cpu_or_gpu: None,
    }
}

fn view(case: &TrainCase, best: &TrainJudged) -> TrainView {
    let trainable = match &case.work.adapters {
        Some(adapters) => case
            .model
            .stacks
            .iter()
            .flat_map(|stack| stack.kinds().map(move |k| (stack, k)))
            .fold(0u64, |sum, (stack, (layer, count))| {
                let runs =
                    matches!(stack.kind, maat_model::StackKind::Decoder | maat_model::StackKind::Encoder);
                let targets = layer.weights.iter().filter(|weight| runs && adapters.targets.takes(weight));
                let one: u64 = targets
                    .map(|weight| {
                        let (rows, cols) = weight.rows_cols();
                        adapters.rank * (rows + cols) * weight.copies
                    })
                    .sum();
                sum.saturating_add(one.saturating_mul(count))
            }),
        None => case.model.params_total(),
    };
    let step = best.step.as_ref();
    TrainView {
        framework: best.plan.framework.name(),
        optimizer: best.plan.optimizer.name(),
        trainable_params: trainable,
        tokens_per_step: step.map(|step| step.tokens),
        steps: step.zip(case.work.tokens).map(|(step, tokens)| (tokens / step.tokens).ceil()),
        checkpoints: best.checkpoints,
        step_parts_s: step.map(|step| step.times),
    }
}

/// The other plans, the fastest of each kind of division among them.
fn alternatives(all: &[TrainJudged]) -> Vec<Alternative> {
    all.iter()
        .skip(1)
        .take(3)
        .map(|judged| Alternative {
            plan: PlanView::from(&judged.plan),
            tpot_s: None,
            throughput_tokens_per_s: judged.speed.as_ref().and_then(|speed| speed.train_tokens_per_s),
            fits: judged.fits(),
        })
        .collect()
}

/// The smallest cards, and numbers of them, that hold the job.
fn smallest(case: &TrainCase, world: &World) -> Vec<Smallest> {
    let mut found: Vec<(Bytes, Smallest)> = Vec::new();
    for part in world.catalogue.accelerators().iter().filter(|part| part.rankable()) {
        let fitting = [1u32, 2, 4, 8].into_iter().find_map(|count| {
            let tried = case.on(Some(maat_catalogue::Machine::of(part, count, 1)));
            let best = tried.best(world.rules).filter(TrainJudged::fits)?;
            // Host memory that is not known does not count as there.
            (best.plan.offload == maat_estimate::Offload::None).then(|| Smallest {
                name: part.name.clone(),
                count,
                capacity_bytes: part.capacity.value,
                free_bytes: best.memory.per_accelerator.free_bytes.unwrap_or_default(),
            })
        });
        if let Some(one) = fitting {
            found.push((one.capacity_bytes * u64::from(one.count), one));
        }
    }
    found.sort_by(|a, b| {
        a.0.cmp(&b.0).then_with(|| a.1.count.cmp(&b.1.count)).then_with(|| a.1.name.cmp(&b.1.name))
    });
    found.dedup_by_key(|(_, one)| (one.capacity_bytes, one.count));
    let mut counts = Vec::new();
    let mut least: Vec<Smallest> = Vec::new();
    for (_, one) in found {
        if !counts.contains(&one.count) || least.len() < 2 {
            counts.push(one.count);
            least.push(one);
        }
        if least.len() == 5 {
            break;
        }
    }
    least
}

/// The reasons, the most telling first: what fills the memory, what holds a step back, what a faster plan would be.
pub(super) fn reasons(case: &TrainCase, all: &[TrainJudged]) -> Vec<Text> {
    let Some(best) = all.first() else { return Vec::new() };
    let one = &best.memory.per_accelerator;
    let states = one.weights_bytes + one.gradients_bytes + one.optimizer_bytes + one.adapters_bytes;
    let id = if case.work.adapters.is_some() { "reason-train-adapters" } else { "reason-train-states" };
    let mut reasons = vec![
        Text::new(id)
            .with("states", states)
            .with("weights", one.weights_bytes)
            .with("trained", view(case, best).trainable_params)
            .with("activations", one.activations_bytes)
            .with("tokens", best.plan.micro_batch * case.work.sequence),
    ];
    if one.reference_bytes > Bytes::ZERO {
        reasons.push(Text::new("reason-train-reference").with("bytes", one.reference_bytes));
    }
    if let Some(bound) = best.speed.as_ref().and_then(|speed| speed.bound.step) {
        let id = match bound {
            Bound::Compute => "reason-step-compute",
            Bound::Memory => "reason-step-memory",
            Bound::Network => "reason-step-network",
            Bound::Launch => "reason-step-launch",
            Bound::Cpu | Bound::Storage => "reason-step-host",
        };
        let mfu = best.speed.as_ref().and_then(|speed| speed.mfu).map_or(0.0, |mfu| mfu.likely);
        reasons.push(Text::new(id).with("mfu", Arg::Share(mfu)));
    }
    let known = best.speed.as_ref().is_some_and(|speed| speed.time_to_finish_s.is_some());
    if let Some(saved) = best.checkpoints.filter(|saved| known && saved.stretch > 1.01) {
        reasons.push(
            Text::new("reason-train-failures")
                .with("every", Arg::Seconds(saved.failure_every_s))
                .with("interval", Arg::Seconds(saved.interval_s))
                .with("longer", Arg::Share(saved.stretch - 1.0)),
        );
    }
    let faster = all.iter().skip(1).find(|other| other.fits() && other.rate() > 1.1 * best.rate());
    if let Some(other) = faster.filter(|_| best.fits()) {
        let parallel = &other.plan.parallel;
        reasons.push(
            Text::new("reason-train-split-faster")
                .with("tp", parallel.tp)
                .with("pp", parallel.pp)
                .with("ep", parallel.ep)
                .with("gain", Arg::Share(other.rate() / best.rate() - 1.0)),
        );
    }
    reasons
}

pub(super) fn findings(case: &TrainCase, best: &TrainJudged) -> Vec<Finding> {
    let subject = || case.machine.as_ref().map_or_else(String::new, |machine| machine.name.clone());
    let mut all = Vec::new();
    if case.work.task == Task::Qlora && best.plan.zero >= 3 {
        all.push(
            Finding::new("qlora-needs-sharded-base", Severity::Warning, subject())
                .because("zero", "3", "plan")
                .fixable(),
        );
    }
    if let (Some(step), true) = (&best.step, best.fits()) {
        let share = step.times.network_share();
        if share > 0.3 {
            all.push(
                Finding::new("network-slow-for-split", Severity::Warning, subject())
                    .with("share", Arg::Share(share))
                    .because("share_of_step", format!("{share:.2}"), "speed")
                    .fixable(),
            );
        }
    }
    if matches!(case.work.task, Task::Ppo | Task::Grpo) && best.speed.is_some() {
        let task = case.work.task.name();
        all.push(
            Finding::new("generation-not-counted", Severity::Warning, subject())
                .because("task", task, "--task")
                .fixable(),
        );
    }
    all.extend(unused(case, best));
    all.extend(no_room_for_checkpoints(case, best));
    let ram = case.machine.as_ref().and_then(|machine| machine.host.ram);
    if ram.is_none() && best.plan.offload != maat_estimate::Offload::None {
        let need = best.memory.host_ram_bytes.unwrap_or_default();
        all.push(
            Finding::new("host-ram-not-stated", Severity::Warning, subject())
                .with("need", need)
                .because("host_ram_bytes", need.0.to_string(), "memory")
                .fixable(),
        );
    }
    all
}

/// Accelerators that a chosen plan leaves idle.
fn unused(case: &TrainCase, best: &TrainJudged) -> Option<Finding> {
    let (devices, parallel) = (case.devices(), &best.plan.parallel);
    let used = [parallel.tp, parallel.pp, parallel.cp, parallel.dp].into_iter().fold(1, u32::saturating_mul);
    if used >= devices.total() || case.fixed.parallel.dp.is_some() || !best.fits() {
        return None;
    }
    let batch = case.work.global_batch.unwrap_or(0);
    let why = match batch {
        _ if devices.nodes > 1 && !devices.joined => "network",
        0 => "division",
        _ => "batch",
    };
    let finding = Finding::new("accelerators-unused", Severity::Warning, case.machine.as_ref()?.name.clone())
        .with("used", used)
        .with("total", devices.total())
        .with("batch", batch)
        .with("why", why);
    Some(finding.because("accelerators", used.to_string(), "plan").fixable())
}

fn verdict(case: &TrainCase, best: &TrainJudged, body: &SizeBody) -> Verdict {
    let one = &best.memory.per_accelerator;
    let task = Text::named(format!("task-{}", case.work.task.name()));
    let Some(machine) = &case.machine else {
        let text = Text::new("size-train-no-hardware")
            .with("task", task)
            .with("model", case.model.name.as_str())
            .with("total", one.total_bytes)
            .with("card", body.smallest.first().map_or(String::new(), Smallest::label));
        return Verdict { ok: Some(true), code: Code::Borrowed("no-hardware-given"), text };
    };
    let capacity = crate::view::capacity(machine);
    let [low, high] = one.total_bytes_range;
    let code = match (best.fits(), capacity) {
        (true, Some(room)) if high > room => "fits-tight",
        (true, _) => "fits",
        (false, Some(room)) if low <= room && one.total_bytes > room => "does-not-fit-tight",
        (false, _) => "does-not-fit",
    };
    let text = match &best.limit {
        Some(limit) => {
            let next = body.nearest.first().map_or_else(|| Text::new("nothing"), |next| next.text.clone());
            let text = Text::new("size-train-does-not-fit").with("task", task);
            text.with("machine", machine.name.as_str()).with("why", limit.text.clone()).with("next", next)
        }
        None => fits_text(best, task, &machine.name, code == "fits-tight"),
    };
    Verdict { ok: Some(best.fits()), code: Code::Borrowed(code), text }
}

fn fits_text(best: &TrainJudged, task: Text, machine: &str, tight: bool) -> Text {
    let one = &best.memory.per_accelerator;
    let Some(free) = one.free_bytes else {
        let rate = best.speed.as_ref().and_then(|speed| speed.train_tokens_per_s);
        return Text::new("size-room-unknown")
            .with("machine", machine)
            .with("need", one.total_bytes)
            .with("speed-known", if rate.is_some() { "yes" } else { "no" })
            .with("speed", Arg::TokensPerSecond(rate.map_or(0.0, |rate| rate.likely)));
    };
    let spare = u64::try_from(free).unwrap_or(0);
    let known = |known: bool| if known { "yes" } else { "no" };
    let speed = best.speed.as_ref().and_then(|speed| speed.train_tokens_per_s);
    let time = best.speed.as_ref().and_then(|speed| speed.time_to_finish_s);
    Text::new(if tight { "size-train-fits-tight" } else { "size-train-fits" })
        .with("task", task)
        .with("machine", machine)
        .with("spare", Bytes(spare))
        .with("speed", Arg::TokensPerSecond(speed.map_or(0.0, |rate| rate.likely)))
        .with("speed-known", known(speed.is_some()))
        .with("time", Arg::Seconds(time.map_or(0.0, |time| time.likely)))
        .with("time-known", known(time.is_some()))
}

/// A checkpoint is written before the one before it is deleted: there must be room for two, shared by the nodes.
fn no_room_for_checkpoints(case: &TrainCase, best: &TrainJudged) -> Option<Finding> {
    let machine = case.machine.as_ref()?;
    let room = machine.host.disk? * u64::from(machine.nodes.max(1));
    let one = best.memory.disk_bytes?;
    (one * 2 > room).then(|| {
        Finding::new("checkpoint-no-room", Severity::Warning, machine.name.clone())
            .with("one", one)
            .with("room", room)
            .because("disk_bytes", one.0.to_string(), "memory")
            .fixable()
    })
}
