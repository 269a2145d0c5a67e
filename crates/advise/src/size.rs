//! `size`: does it fit on this machine, and how fast?

use std::sync::Arc;

use maat_base::{Answer, Code, Fault, Text, Verdict};
use maat_catalogue::MachineSpec;

use crate::answer::{Alternative, MachineView, PlanView, SizeBody, Smallest, Tried};
use crate::argv::argv;
use crate::case::{Case, Judged};
use crate::limits::Limits;
use crate::nearest::nearest;
use crate::notes::Notes;
use crate::request::{AdviseRequest, LimitRequest, SizeRequest, WorkRequest};
use crate::server::Whole;
use crate::smallest::smallest;
use crate::world::World;
use crate::{lints, reasons, resolve};

/// Answers whether a model fits on a machine and how fast it is there; without a machine, what it needs.
///
/// # Errors
/// A model, part or precision that is not known, or a request that makes no sense.
pub fn size(request: &SizeRequest, world: &World) -> Result<Answer<SizeBody>, Fault> {
    if crate::trains(request.work.task.unwrap_or_default()) {
        return crate::training::size(request, world);
    }
    if crate::data::is_data(request.work.task.unwrap_or_default()) {
        return crate::data::size(request, world);
    }
    let mut notes = Notes::default();
    let model = resolve::any_model(request.model.as_deref(), &request.work, &mut notes)?;
    if crate::items::is_items(request.work.task, &model) {
        return crate::items::size(request, &model, world, notes);
    }
    resolve::writes_tokens(&model, &request.work, &mut notes)?;
    let spec = resolve::machine(request, world, &mut notes)?;
    let (case, all, tried) = match spec {
        None => {
            let case = resolve::case(&request.work, model, None, world, &mut notes)?;
            let all = case.judge_all(world.rules);
            (case, all, Vec::new())
        }
        Some(spec) => on_machine(request, &model, &spec, world, &mut notes)?,
    };
    let best = all.first().ok_or_else(|| Fault::usage("no-division"))?;
    resolve::assume_division(&case, &best.plan.parallel, &mut notes);
    notes.assumed.extend(case.engine_settings(best, world.rules));
    let mut body = body(&case, &all, world)?;
    body.tried = tried;
    if case.machine.is_none() {
        body.smallest = smallest(&case, world);
    } else if !best.fits() {
        body.nearest = nearest(request, &case, world);
    }
    if case.machine.is_some() {
        body.comparisons = crate::compare::of_size(&case, &all, world);
    }
    let limits = Limits::of(&LimitRequest::default(), case.work.task, &mut Notes::default());
    let look = |whole: &Whole| whole.view(None, world.rules);
    body.server = case.on_server(best, &limits, world.rules, look).flatten();
    let of_server = |whole: &Whole| crate::server::findings(whole, world);
    notes.findings.extend(case.on_server(best, &limits, world.rules, of_server).unwrap_or_default());
    body.reasons = reasons::of_size(&case, &all, &body);
    notes.findings.extend(body.machine.as_ref().and_then(|machine| {
        crate::server::too_little_memory(&machine.name, body.limit.as_ref(), body.nearest.first())
    }));
    body.advise_argv = advise_argv(request);
    notes.findings.extend(lints::all(&case, best, world));
    let mut answer = Answer::new("size", verdict(&case, best, &body), body);
    answer.sources = world.sources(
        case.machine.iter().flat_map(|machine| &machine.slots).map(|slot| slot.accelerator.sources.as_str()),
    );
    answer.assumed = notes.assumed;
    answer.findings = lints::sorted(notes.findings);
    Ok(answer)
}

/// The command that looks for other hardware for the same work.
fn advise_argv(request: &SizeRequest) -> Vec<String> {
    let work = WorkRequest {
        tp: None,
        pp: None,
        dp: None,
        ep: None,
        cp: None,
        replicas: None,
        engine: None,
        gpu_layers: None,
        experts: None,
        kv: None,
        ..request.work.clone()
    };
    argv("advise", &AdviseRequest { model: request.model.clone(), work, ..AdviseRequest::default() })
}

/// The case on the machine of a specification; an open count is tried upwards until it fits.
fn on_machine(
    request: &SizeRequest,
    model: &Arc<maat_model::Model>,
    spec: &MachineSpec,
    world: &World,
    notes: &mut Notes,
) -> Result<(Case, Vec<Judged>, Vec<Tried>), Fault> {
    let mut tried = Vec::new();
    let mut last = None;
    for machine in spec.machines() {
        let mut these = notes.clone();
        let case = resolve::case(&request.work, model.clone(), Some(machine), world, &mut these)?;
        let all = case.judge_all(world.rules);
        let limit = all.first().and_then(|best| best.limit.clone());
        let fits = all.first().is_some_and(Judged::fits);
        if spec.count_is_open() {
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

/// The answer's own part without what needs the whole.
fn body(case: &Case, all: &[Judged], world: &World) -> Result<SizeBody, Fault> {
    let best = all.first().ok_or_else(|| Fault::usage("no-division"))?;
    let needs = case.needs(best, world.rules);
    let (power, host, network) =
        needs.map_or((None, None, None), |needs| (Some(needs.power), Some(needs.host), Some(needs.network)));
    Ok(SizeBody {
        model: Some(case.model.summary()),
        plan: PlanView::from(&best.plan),
        machine: case.machine.as_ref().map(MachineView::from),
        memory: best.memory.clone(),
        fits: case.machine.as_ref().map(|_| best.fits()),
        limit: best.limit.clone(),
        nearest: Vec::new(),
        alternatives: alternatives(all),
        speed: best.speed.clone(),
        power,
        host,
        network,
        training: None,
        item: None,
        tried: Vec::new(),
        smallest: Vec::new(),
        reasons: Vec::new(),
        advise_argv: Vec::new(),
        explain: if world.explain { case.explain(best, world.rules) } else { Vec::new() },
        comparisons: Vec::new(),
        server: None,
        cpu_or_gpu: None,
    })
}

/// The other divisions, with the most replicas and the widest split among them.
fn alternatives(all: &[Judged]) -> Vec<Alternative> {
    if all.len() < 2 {
        return Vec::new();
    }
    let most_replicas = (0..all.len()).max_by_key(|&i| all[i].plan.parallel.replicas);
    let widest = (0..all.len()).max_by_key(|&i| (all[i].plan.parallel.tp, all[i].plan.parallel.pp));
    let mut chosen: Vec<usize> = (1..all.len().min(4)).collect();
    chosen.extend(most_replicas.into_iter().chain(widest));
    chosen.sort_unstable();
    chosen.dedup();
    chosen
        .into_iter()
        .map(|i| Alternative {
            plan: PlanView::from(&all[i].plan),
            tpot_s: all[i].speed.as_ref().and_then(|speed| speed.tpot_s),
            throughput_tokens_per_s: all[i].speed.as_ref().and_then(|speed| speed.throughput_tokens_per_s),
            fits: all[i].fits(),
        })
        .collect()
}

/// The verdict in one sentence.
fn verdict(case: &Case, best: &Judged, body: &SizeBody) -> Verdict {
    let Some(machine) = &case.machine else {
        let text = Text::new("size-no-hardware")
            .with("model", case.model.name.as_str())
            .with("total", body.memory.per_accelerator.total_bytes)
            .with("card", body.smallest.first().map_or(String::new(), Smallest::label));
        return Verdict { ok: Some(true), code: Code::Borrowed("no-hardware-given"), text };
    };
    let tightness = Tightness::of(case, best);
    let text = match (&best.limit, tightness) {
        (None, _) => reasons::fits_sentence(case, best, machine, tightness == Tightness::HighEndDoesNot),
        (Some(limit), _) => Text::new("size-does-not-fit")
            .with("machine", machine.name.as_str())
            .with("why", limit.text.clone())
            .with(
                "next",
                body.nearest.first().map_or_else(|| Text::new("nothing"), |next| next.text.clone()),
            ),
    };
    let code = match (best.fits(), tightness) {
        (true, Tightness::HighEndDoesNot) => "fits-tight",
        (true, _) => "fits",
        (false, Tightness::LowEndDoes) => "does-not-fit-tight",
        (false, _) => "does-not-fit",
    };
    Verdict { ok: Some(best.fits()), code: Code::Borrowed(code), text }
}

/// Where the ends of the memory range stand against what there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tightness {
    /// The whole range is on the same side as the likely figure.
    Clear,
    /// It fits, and the high end of the range would not.
    HighEndDoesNot,
    /// It does not fit, and the low end of the range would.
    LowEndDoes,
}

impl Tightness {
    fn of(case: &Case, best: &Judged) -> Self {
        let capacity = case.machine.as_ref().and_then(crate::view::capacity);
        let Some(room) = best.memory.reserved_bytes.or(capacity) else { return Self::Clear };
        let [low, high] = best.memory.per_accelerator.total_bytes_range;
        let by_size = best.limit.as_ref().is_none_or(|limit| limit.short_bytes.is_some());
        match best.fits() {
            true if high > room => Self::HighEndDoesNot,
            false if by_size && low <= room => Self::LowEndDoes,
            _ => Self::Clear,
        }
    }
}
