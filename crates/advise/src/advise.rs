//! `advise`: the hardware that does the job best.

use maat_base::{Answer, Code, Fault, Finding, Text, Verdict};

use crate::answer::{AdviseBody, Candidate, CostBasis, Rejected, Searched};
use crate::candidates::{candidates, figure, front, list_findings, rank};
use crate::case::Case;
use crate::cost::OwningRules;
use crate::deploy::Deploy;
use crate::limits::Limits;
use crate::notes::Notes;
use crate::request::{AdviseRequest, EngineChoice};
use crate::search::{Fit, Found, search};
use crate::server::{Headroom, ServerView, most_users};
use crate::supply::{Supply, supplies};
use crate::world::World;
use crate::{cpu_or_gpu, deploy, here, lints, resolve};

/// How many candidates are listed unless asked otherwise.
const TOP: usize = 10;
/// How many of the nearest misses are listed.
const REJECTED: usize = 8;

/// Answers which hardware does the job best within the limits, and why.
///
/// # Errors
/// A model, part or precision that is not known, or a request that makes no sense.
pub fn advise(request: &AdviseRequest, world: &World) -> Result<Answer<AdviseBody>, Fault> {
    if crate::trains(request.work.task.unwrap_or_default()) {
        return crate::training::advise(request, world);
    }
    if crate::data::is_data(request.work.task.unwrap_or_default()) {
        return crate::data::advise(request, world);
    }
    let request = &with_engine(request);
    let mut notes = Notes::default();
    let model = resolve::model(request.model.as_deref(), &request.work, &mut notes)?;
    let task = request.work.task.unwrap_or_default();
    // Resolving the work once without a machine lists what is assumed about it, and refuses what makes no sense.
    let general = resolve::case(&request.work, model.clone(), None, world, &mut notes)?;
    let limits = Limits::of(&request.limits, task, &mut notes);
    let supplies = supplies(request, task, world, &mut notes)?;
    let mut found = search(&supplies.ranked, |supply| on(request, &general, supply, world), &limits, world);
    let fitting = found.fits.len();
    let owning = OwningRules::of(world, &mut notes);
    let (priced, over_budget) = candidates(request, &supplies.ranked, &found, owning.as_ref(), world);
    let objective = request.limits.objective.unwrap_or_default();
    let mut ranked = rank(priced, objective, task);
    let machines = here::machines(request, world, &mut notes)?;
    let asked = here::Asked { request, general: &general, limits: &limits, world };
    let own = machines.map(|machines| asked.own(&machines, &mut found, owning.as_ref()));
    if let Some(own) = &own {
        own.join(&mut ranked, objective, |candidate| figure(candidate, objective, task));
    }
    let cpu_or_gpu = cpu_or_gpu::judge(&ranked, &found, &limits, world);
    let server = server_of(request, ranked.first(), &supplies.ranked, &found, &limits, world);
    let comparisons = crate::compare::of_advice(&ranked, &supplies.ranked);
    let deploy = deploy_of(request, ranked.first(), &supplies.ranked, &found)?;
    notes.findings.extend(crate::server::too_soon(server.as_ref(), world.day(), world));
    let waited = waiting_for(request, ranked.first(), world);
    notes.findings.extend(waited);
    let mut listed = ranked;
    here::truncate(&mut listed, request.limits.top.unwrap_or(TOP));
    notes.findings.extend(supplies.findings);
    notes.findings.extend(list_findings(&listed));
    let mut body = AdviseBody {
        model: Some(model.summary()),
        pareto: front(&listed),
        rejected: rejected(&found, over_budget, listed.is_empty()),
        cpu_or_gpu,
        comparisons,
        server,
        deploy,
        unranked: supplies.unranked,
        searched: Searched { machines: found.machines, plans: found.plans, fitting },
        candidates: listed,
        here: None,
    };
    if let Some(own) = own {
        own.compare(&mut body);
    }
    let mut answer = Answer::new("advise", verdict(&general, &body), body);
    let tags =
        answer.body.candidates.iter().map(|candidate| candidate.cost.source.clone()).collect::<Vec<_>>();
    answer.sources = world.sources(tags.iter().map(String::as_str));
    answer.assumed = notes.assumed;
    answer.findings = lints::sorted(notes.findings);
    Ok(answer)
}

/// The request with the engine that is to be deployed, where none was named.
fn with_engine(request: &AdviseRequest) -> AdviseRequest {
    let mut request = request.clone();
    let engine = request.limits.deploy.and_then(crate::DeployTarget::engine);
    if let (None, Some(engine)) = (&request.work.engine, engine) {
        request.work.engine = Some(EngineChoice { engine, version: None });
    }
    request
}

/// What does the job today instead of a part that is only announced.
fn waiting_for(request: &AdviseRequest, best: Option<&Candidate>, world: &World) -> Option<Finding> {
    let named = &request.hardware.gpu;
    let waited = crate::server::waiting(named, best, world)?;
    if best.is_some() {
        return Some(waited);
    }
    let mut open = request.clone();
    open.hardware.gpu.clear();
    open.limits.deploy = None;
    let today = advise(&open, world).ok();
    crate::server::waiting(named, today.as_ref().and_then(|answer| answer.body.candidates.first()), world)
}

/// How to start the best candidate, where that was asked for.
fn deploy_of(
    request: &AdviseRequest,
    best: Option<&Candidate>,
    supplies: &[Supply],
    found: &Found,
) -> Result<Option<Deploy>, Fault> {
    let (Some(target), Some(best)) = (request.limits.deploy, best) else { return Ok(None) };
    let fit = fit_of(best, supplies, found);
    fit.map(|fit| deploy::deploy(target, &fit.case, &fit.judged)).transpose()
}

/// The fit that a candidate was made of. The same machine may stand there with more or less memory beside it.
fn fit_of<'a>(best: &Candidate, supplies: &[Supply], found: &'a Found) -> Option<&'a Fit> {
    let own = (best.kind == here::KIND).then(|| found.fits.get(here::OWN_KEY)).flatten();
    let mut fits = own.into_iter().chain(supplies.iter().filter_map(|supply| found.fits.get(&supply.key())));
    fits.find(|fit| {
        let named = fit.case.machine.as_ref().is_some_and(|machine| machine.name == best.machine.name);
        named && fit.judged.memory == best.memory
    })
}

/// What of the best candidate's server is scarce, and until when it will do.
fn server_of(
    request: &AdviseRequest,
    best: Option<&Candidate>,
    supplies: &[Supply],
    found: &Found,
    limits: &Limits,
    world: &World,
) -> Option<ServerView> {
    let fit = fit_of(best?, supplies, found)?;
    let headroom = request.limits.growth.and_then(|growth| {
        let most = most_users(&fit.case, limits, world)?;
        let times = most as f64 / fit.case.work.users.max(1) as f64;
        Some(Headroom::of(times, Some(growth), world.day()))
    });
    fit.case.on_server(&fit.judged, limits, world.rules, |whole| whole.view(headroom, world.rules)).flatten()
}

/// The case on one instance of a supply; `None` where no engine runs there.
fn on(request: &AdviseRequest, general: &Case, supply: &Supply, world: &World) -> Option<Case> {
    let mut notes = Notes::default();
    let machine = Some(supply.machine.clone());
    let case = general.on(&request.work, machine, world, &mut notes).ok()?;
    Some(case)
}

/// The nearest misses, of whichever limit. Where nothing is left, those that only the budget stops come first: they do
/// the job.
fn rejected(found: &Found, over_budget: Vec<Rejected>, nothing_left: bool) -> Vec<Rejected> {
    let unfit = found.unfit.iter().map(|unfit| Rejected {
        machine: unfit.machine.clone(),
        why: unfit.why.clone(),
        misses_by: unfit.misses_by,
    });
    let by = |one: &Rejected| one.misses_by.unwrap_or(f64::INFINITY);
    let order = |a: &Rejected, b: &Rejected| by(a).total_cmp(&by(b)).then_with(|| a.machine.cmp(&b.machine));
    let mut dear = over_budget;
    dear.sort_by(order);
    let mut all: Vec<Rejected> = dear.into_iter().chain(unfit).collect();
    if !nothing_left {
        all.sort_by(order);
    }
    all.truncate(REJECTED);
    all
}

/// The verdict in one sentence.
fn verdict(case: &Case, body: &AdviseBody) -> Verdict {
    if let Some((code, text)) = crate::here::verdict(body) {
        return Verdict { ok: Some(true), code, text };
    }
    let Some(best) = body.candidates.first() else {
        let mut text = Text::new("advise-no-candidate")
            .with("model", case.model.name.as_str())
            .with("machines", body.searched.machines);
        if let Some(nearest) = body.rejected.first() {
            text = text.with("nearest", nearest.machine.as_str()).with("why", nearest.why.clone());
        } else {
            text = text.with("nearest", "none").with("why", Text::new("nothing"));
        }
        return Verdict { ok: Some(false), code: Code::Borrowed("no-candidate"), text };
    };
    let on_cpu = best.machine.accelerators == 0;
    let id = match best.cost.basis {
        CostBasis::Rent => "advise-best-rent",
        CostBasis::Own => "advise-best-own",
    };
    let mut text = Text::new(id)
        .with("machine", best.machine.name.as_str())
        .with("provider", best.provider.as_deref().unwrap_or_default())
        .with("users", case.work.users)
        .with("tpot", maat_base::Arg::Seconds(best.speed.tpot_s.map_or(0.0, |range| range.likely)))
        .with("ttft", maat_base::Arg::Seconds(best.speed.ttft_s.map_or(0.0, |range| range.likely)));
    for (name, amount) in
        [("hourly", best.cost.hourly), ("monthly", best.cost.monthly), ("purchase", best.cost.purchase)]
    {
        if let Some(amount) = amount {
            text = text.with(name, amount);
        }
    }
    if let Some(date) = best.cost.price_date {
        text = text.with("date", date);
    }
    Verdict {
        ok: Some(true),
        code: Code::Borrowed(if on_cpu { "cpu-is-enough" } else { "best-found" }),
        text,
    }
}
