//! `advise` for training: which machine does the job for the least.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use maat_base::{Answer, Arg, Code, Fault, Money, Text, Verdict};
use maat_catalogue::{HardwareRequest, Machine, PriceKind};
use maat_estimate::{Limit, Power};

use super::case::{TrainCase, TrainJudged};
use super::resolve;
use crate::answer::{AdviseBody, Candidate, CostBasis, MachineView, PlanView, Rejected, Searched};
use crate::argv::argv;
use crate::candidates::{front, hourly, list_findings, too_dear};
use crate::cost::{OwningRules, Spent, cost};
use crate::here;
use crate::notes::Notes;
use crate::request::{AdviseRequest, Objective, SizeRequest};
use crate::server::Headroom;
use crate::supply::{Supply, kind_name, supplies};
use crate::world::World;

/// How many candidates are listed unless asked otherwise.
const TOP: usize = 10;
/// How many of the nearest misses are listed.
const REJECTED: usize = 8;

/// Answers which machine trains best within the limits, and why.
///
/// # Errors
/// A model, part or precision that is not known, or a request that makes no sense.
pub fn advise(request: &AdviseRequest, world: &World) -> Result<Answer<AdviseBody>, Fault> {
    let request = &with_framework(request);
    let mut notes = Notes::default();
    let model = resolve::model(request.model.as_deref(), &request.work, &mut notes)?;
    let general = resolve::case(&request.work, model.clone(), None, world, &mut notes)?;
    let task = request.work.task.unwrap_or_default();
    let supplies = supplies(request, task, world, &mut notes)?;
    let owning = OwningRules::of(world, &mut notes);
    let mut judged: BTreeMap<String, Judgement> = BTreeMap::new();
    for supply in &supplies.ranked {
        judged.entry(supply.key()).or_insert_with(|| {
            let case = general.on(Some(supply.machine.clone()));
            let best = case.best(world.rules);
            (case, best)
        });
    }
    let search = Search { request, world, owning: owning.as_ref(), judged: &judged };
    let (mut ranked, mut rejected) = search.candidates(&supplies.ranked);
    let objective = request.limits.objective.unwrap_or_default();
    ranked.sort_by(|a, b| {
        figure(a, objective)
            .total_cmp(&figure(b, objective))
            .then_with(|| hourly(a).total_cmp(&hourly(b)))
            .then_with(|| a.machine.name.cmp(&b.machine.name))
            .then_with(|| a.kind.cmp(&b.kind))
    });
    for (i, candidate) in ranked.iter_mut().enumerate() {
        candidate.rank = i + 1;
    }
    let own = here::machines(request, world, &mut notes)?.map(|machines| search.own(&machines, &general));
    let (own, own_plan) = own.unzip();
    let own_plan = own_plan.flatten();
    if let Some(own) = &own {
        own.join(&mut ranked, objective, |candidate| figure(candidate, objective));
    }
    let fitting = judged.values().filter(|(_, best)| best.as_ref().is_some_and(TrainJudged::fits)).count();
    here::truncate(&mut ranked, request.limits.top.unwrap_or(TOP));
    if let Some(miss) = own.as_ref().and_then(here::Own::rejected) {
        rejected.insert(0, miss);
        rejected.truncate(REJECTED);
    }
    notes.findings.extend(supplies.findings);
    notes.findings.extend(list_findings(&ranked));
    let mut body = AdviseBody {
        model: Some(model.summary()),
        pareto: front(&ranked),
        rejected,
        cpu_or_gpu: None,
        comparisons: Vec::new(),
        server: None,
        deploy: None,
        unranked: supplies.unranked,
        searched: Searched { machines: judged.len(), plans: judged.len(), fitting },
        candidates: ranked,
        here: None,
    };
    if let Some(own) = own {
        own.compare(&mut body);
    }
    let of_first = body
        .candidates
        .first()
        .and_then(|first| own_plan.iter().chain(judged.values()).find(|judgement| is_of(judgement, first)));
    if let Some((case, Some(best))) = of_first {
        of_best(request, (case, best), &mut body, world, &mut notes)?;
    }
    let mut answer = Answer::new("advise", verdict(&general, &body), body);
    let tags: Vec<String> =
        answer.body.candidates.iter().map(|candidate| candidate.cost.source.clone()).collect();
    answer.sources = world.sources(tags.iter().map(String::as_str));
    answer.assumed = notes.assumed;
    answer.findings = crate::lints::sorted(notes.findings);
    Ok(answer)
}

/// Whether a candidate was made of a judgement. The same machine may stand there with more or less memory beside it.
fn is_of((case, best): &Judgement, candidate: &Candidate) -> bool {
    let named = case.machine.as_ref().is_some_and(|machine| machine.name == candidate.machine.name);
    named && best.as_ref().is_some_and(|best| best.fits() && best.memory == candidate.memory)
}

/// What is said of the best plan alone: what was chosen, what of its server is scarce, how it is started.
fn of_best(
    request: &AdviseRequest,
    (case, best): (&TrainCase, &TrainJudged),
    body: &mut AdviseBody,
    world: &World,
    notes: &mut Notes,
) -> Result<(), Fault> {
    resolve::assume_plan(case, &best.plan, notes);
    let deadline = request.limits.deadline.map(|time| time.0);
    let time = best.speed.as_ref().and_then(|speed| speed.time_to_finish_s);
    let times = deadline.zip(time).map(|(limit, time)| limit / time.likely);
    let headroom = times.map(|times| Headroom::of(times, request.limits.growth, world.day()));
    let look = |whole: &crate::server::Whole| whole.view(headroom, world.rules);
    body.server = case.on_server(best, deadline, world.rules, look).flatten();
    notes.findings.extend(crate::server::too_soon(body.server.as_ref(), world.day(), world));
    if let Some(target) = request.limits.deploy {
        body.deploy = Some(crate::deploy::deploy_training(target, case, best, world)?);
    }
    Ok(())
}

/// The request with the framework that is to be deployed, where none was named. Only Megatron divides matrices and
/// layers.
fn with_framework(request: &AdviseRequest) -> AdviseRequest {
    let mut request = request.clone();
    let framework = request.limits.deploy.and_then(crate::DeployTarget::framework);
    let Some(framework) = framework.filter(|_| request.work.training.framework.is_none()) else {
        return request;
    };
    request.work.training.framework = Some(framework);
    if framework != maat_estimate::Framework::Megatron {
        request.work.tp = request.work.tp.or(Some(1));
        request.work.pp = request.work.pp.or(Some(1));
    }
    request
}

/// A job on a machine, and its best plan where there is any.
type Judgement = (TrainCase, Option<TrainJudged>);

struct Search<'a> {
    request: &'a AdviseRequest,
    world: &'a World<'a>,
    owning: Option<&'a OwningRules>,
    judged: &'a BTreeMap<String, Judgement>,
}

impl Search<'_> {
    /// The cheapest candidate of each machine and kind of offer, and the nearest misses.
    fn candidates(&self, supplies: &[Supply]) -> (Vec<Candidate>, Vec<Rejected>) {
        let mut best: BTreeMap<(String, PriceKind), Candidate> = BTreeMap::new();
        // Those that cannot do it come after those that only miss a limit, however little they miss.
        let mut missed: BTreeMap<String, (bool, Rejected)> = BTreeMap::new();
        for supply in supplies {
            let Some((case, Some(judged))) = self.judged.get(&supply.key()) else { continue };
            match self.candidate(supply, case, judged) {
                Ok(candidate) => match best.entry((candidate.machine.name.clone(), supply.kind)) {
                    Entry::Vacant(place) => {
                        place.insert(candidate);
                    }
                    Entry::Occupied(mut place) => {
                        if hourly(&candidate) < hourly(place.get()) {
                            place.insert(candidate);
                        }
                    }
                },
                Err(Some((why, by))) => {
                    let machine = supply.machine.name.clone();
                    let nearer = missed
                        .get(&machine)
                        .and_then(|known| known.1.misses_by)
                        .is_none_or(|known| by < known);
                    if nearer {
                        let rejected = Rejected { machine: machine.clone(), why, misses_by: Some(by) };
                        missed.insert(machine, (!judged.fits(), rejected));
                    }
                }
                Err(None) => {}
            }
        }
        missed.retain(|machine, _| best.keys().all(|(name, _)| name != machine));
        let mut missed: Vec<(bool, Rejected)> = missed.into_values().collect();
        let by = |one: &Rejected| one.misses_by.unwrap_or(f64::INFINITY);
        missed.sort_by(|(a_cannot, a), (b_cannot, b)| {
            let cannot = a_cannot.cmp(b_cannot);
            cannot.then_with(|| by(a).total_cmp(&by(b))).then_with(|| a.machine.cmp(&b.machine))
        });
        missed.truncate(REJECTED);
        (best.into_values().collect(), missed.into_iter().map(|(_, one)| one).collect())
    }

    /// A supply as a candidate; else the limit that it misses and by which share, where that is known.
    fn candidate(
        &self,
        supply: &Supply,
        case: &TrainCase,
        judged: &TrainJudged,
    ) -> Result<Candidate, Option<(Text, f64)>> {
        if let Some(limit) = &judged.limit {
            return Err(by(limit).map(|by| (limit.text.clone(), by)));
        }
        let speed = judged.speed.clone().ok_or(None)?;
        self.deadline(&speed)?;
        let power = case.power(judged, self.world.rules);
        let spent = Spent {
            instances: 1,
            power_w: power.as_ref().and_then(watts),
            tokens_per_s: speed.train_tokens_per_s,
            job_s: speed.time_to_finish_s.map(|time| time.likely),
        };
        let currency = self.world.currency.unwrap_or_default();
        let cost = cost(supply, &spent, self.owning, currency).ok_or(None)?;
        if let Some(miss) = too_dear(self.request, &cost) {
            return Err(Some(miss));
        }
        let mut findings = super::size::findings(case, judged);
        findings.extend(supply.findings(self.world.day()));
        let of_server = |whole: &crate::server::Whole| crate::server::findings(whole, self.world);
        let deadline = self.request.limits.deadline.map(|time| time.0);
        findings.extend(case.on_server(judged, deadline, self.world.rules, of_server).unwrap_or_default());
        Ok(Candidate {
            rank: 0,
            kind: kind_name(supply.kind).to_owned(),
            provider: supply.provider.clone(),
            offer: supply.offer.clone(),
            region: supply.region.clone(),
            machine: MachineView::from(&supply.machine),
            plan: PlanView::from(&judged.plan),
            memory: judged.memory.clone(),
            speed,
            power,
            cost,
            reasons: super::size::reasons(case, std::slice::from_ref(judged)),
            findings: crate::lints::sorted(findings),
            argv: self.size_command(supply),
            gain: None,
        })
    }

    /// What this machine does of the job.
    fn own(&self, machines: &here::Machines, general: &TrainCase) -> (here::Own, Option<Judgement>) {
        let (outcome, case, judged) = self.on_machine(&machines.own, general);
        let with = machines.with.as_ref().map(|with| self.on_machine(with, general).0);
        let does = outcome.miss.is_none();
        let candidate = judged.as_ref().filter(|_| does).and_then(|judged| {
            let speed = judged.speed.clone()?;
            let power = case.power(judged, self.world.rules);
            let done = here::Done {
                machine: &machines.own,
                plan: PlanView::from(&judged.plan),
                memory: judged.memory.clone(),
                spent: Spent {
                    instances: 1,
                    power_w: power.as_ref().and_then(watts),
                    tokens_per_s: speed.train_tokens_per_s,
                    job_s: speed.time_to_finish_s.map(|time| time.likely),
                },
                speed,
                power,
                reasons: super::size::reasons(&case, std::slice::from_ref(judged)),
            };
            let mut candidate = here::candidate(self.request, done, self.owning, self.world);
            candidate.findings = crate::lints::sorted(super::size::findings(&case, judged));
            Some(candidate)
        });
        let plan = candidate.is_some().then_some((case, judged));
        (here::Own { outcome, with, candidate }, plan)
    }

    /// What one machine does of the job, within the limits or not.
    fn on_machine(
        &self,
        machine: &Machine,
        general: &TrainCase,
    ) -> (here::Outcome, TrainCase, Option<TrainJudged>) {
        let case = general.on(Some(machine.clone()));
        let judged = case.best(self.world.rules);
        let speed = judged.as_ref().and_then(|judged| judged.speed.clone());
        let limit = judged.as_ref().and_then(|judged| judged.limit.as_ref());
        let miss = match (&judged, limit, &speed) {
            (None, ..) => Some((Text::new("miss-here-no-plan"), None)),
            (_, Some(limit), _) => Some((limit.text.clone(), by(limit))),
            (_, None, Some(speed)) if speed.train_tokens_per_s.is_some() || speed.items_per_s.is_some() => {
                self.deadline(speed).err().flatten().map(|(why, by)| (why, Some(by)))
            }
            (_, None, _) if machine.slots.is_empty() => Some((Text::new("miss-here-training"), None)),
            (_, None, _) => Some((Text::new("miss-speed-unknown"), None)),
        };
        let view = MachineView::from(machine);
        (here::Outcome { machine: view, miss, speed }, case, judged)
    }

    fn deadline(&self, speed: &maat_estimate::Speed) -> Result<(), Option<(Text, f64)>> {
        let limits = &self.request.limits;
        let (Some(limit), Some(time)) = (limits.deadline, speed.time_to_finish_s) else { return Ok(()) };
        if time.likely <= limit.0 {
            return Ok(());
        }
        let why = Text::new("miss-deadline")
            .with("value", Arg::Seconds(time.likely))
            .with("limit", Arg::Seconds(limit.0));
        Err(Some((why, time.likely / limit.0 - 1.0)))
    }

    fn size_command(&self, supply: &Supply) -> Vec<String> {
        let parts = supply.machine.slots.iter().map(|slot| match slot.count {
            1 => slot.accelerator.name.clone(),
            count => format!("{count}x {}", slot.accelerator.name),
        });
        let hardware = HardwareRequest {
            gpu: parts.collect(),
            ram: supply.machine.host.ram.map(maat_base::LabelSize),
            ..HardwareRequest::default()
        };
        argv(
            "size",
            &SizeRequest { model: self.request.model.clone(), work: self.request.work.clone(), hardware },
        )
    }
}

/// The share by which a memory falls short.
fn by(limit: &Limit) -> Option<f64> {
    let (short, have) = (limit.short_bytes?, limit.have_bytes?);
    Some(short.as_f64() / have.as_f64().max(1.0))
}

/// Watts of all nodes.
fn watts(power: &Power) -> Option<f64> {
    power.node_w.or(power.accelerator_w).map(|range| range.likely)
}

/// What a candidate is ranked by; smaller is better: the cost of the job, of a trained token where its length is not
/// known.
fn figure(candidate: &Candidate, objective: Objective) -> f64 {
    let likely = |range: Option<maat_base::Range>| range.map(|range| range.likely);
    let figure = match objective {
        Objective::Cost => candidate.cost.per_job.or(candidate.cost.per_million_tokens).map(Money::as_f64),
        Objective::Latency | Objective::Throughput => {
            likely(candidate.speed.train_tokens_per_s).map(|rate| -rate)
        }
        Objective::Energy => candidate.power.as_ref().and_then(|power| likely(power.energy_per_token_j)),
    };
    figure.unwrap_or(f64::INFINITY)
}

/// The likely figure; a question mark where it is not known.
fn known(range: Option<maat_base::Range>, arg: fn(f64) -> Arg) -> Arg {
    range.map_or_else(|| Arg::Str(String::from("?")), |range| arg(range.likely))
}

fn verdict(case: &TrainCase, body: &AdviseBody) -> Verdict {
    if let Some((code, text)) = here::verdict(body) {
        return Verdict { ok: Some(true), code, text };
    }
    let task = Text::named(format!("task-{}", case.work.task.name()));
    let Some(best) = body.candidates.first() else {
        let mut text = Text::new("advise-no-candidate")
            .with("model", case.model.name.as_str())
            .with("machines", body.searched.machines);
        text = match body.rejected.first() {
            Some(nearest) => text.with("nearest", nearest.machine.as_str()).with("why", nearest.why.clone()),
            None => text.with("nearest", "none").with("why", Text::new("nothing")),
        };
        return Verdict { ok: Some(false), code: Code::Borrowed("no-candidate"), text };
    };
    let own = best.cost.basis == CostBasis::Own;
    let mut text = Text::new(if own { "advise-train-own" } else { "advise-train-rent" })
        .with("task", task)
        .with("machine", best.machine.name.as_str())
        .with("provider", best.provider.as_deref().unwrap_or_default())
        .with("speed", known(best.speed.train_tokens_per_s, Arg::TokensPerSecond));
    for (name, amount) in [
        ("hourly", best.cost.hourly),
        ("million", best.cost.per_million_tokens),
        ("purchase", best.cost.purchase),
    ] {
        if let Some(amount) = amount {
            text = text.with(name, amount);
        }
    }
    text = match (best.cost.per_job, best.speed.time_to_finish_s) {
        (Some(job), Some(time)) => {
            text.with("job", job).with("time", Arg::Seconds(time.likely)).with("job-known", "yes")
        }
        _ => text.with("job", "").with("time", "").with("job-known", "no"),
    };
    Verdict { ok: Some(true), code: Code::Borrowed("best-found"), text }
}
