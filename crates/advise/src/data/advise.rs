//! `advise` for work without a neural network.

use std::collections::{BTreeMap, BTreeSet};

use maat_base::{Answer, Arg, Bytes, Code, Fault, Money, Text, Verdict};
use maat_catalogue::{HardwareRequest, Machine};
use maat_estimate::{Data, DataCost, DataWork, Place, Rules, data_power};

use super::choose::{Choice, FILLED, Offered, holds, place_of};
use super::evidence::{self, Side};
use super::size::plan;
use super::work;
use crate::answer::{AdviseBody, Candidate, CostBasis, CpuOrGpu, Crossing, MachineView, Rejected, Searched};
use crate::argv::argv;
use crate::candidates::{front, list_findings, too_dear};
use crate::cost::{OwningRules, Spent, cost};
use crate::here;
use crate::notes::Notes;
use crate::request::{AdviseRequest, Objective, SizeRequest};
use crate::server::{Headroom, ServerView};
use crate::supply::{Supplies, Supply, kind_name, supplies};
use crate::world::World;

/// How many candidates are listed unless asked otherwise.
const TOP: usize = 10;
/// How many of the nearest misses are listed.
const REJECTED: usize = 8;
/// Most machines that share a service.
const MOST_MACHINES: f64 = 64.0;

/// Answers what does the work best, and whether a GPU is worth it.
///
/// # Errors
/// A part that is not known, or a request that makes no sense.
pub fn advise(request: &AdviseRequest, world: &World) -> Result<Answer<AdviseBody>, Fault> {
    let mut notes = Notes::default();
    let data = work::data(&request.work, request.model.as_deref(), &mut notes)?;
    if let Some(target) = request.limits.deploy {
        let fault = Fault::usage("deploy-other-task").with("target", target.name());
        let task = request.work.task.unwrap_or_default();
        return Err(fault.with("task", task.name()).at("--deploy"));
    }
    let named = named(request, world, &mut notes)?;
    let all = both_sides(request, world, &mut notes)?;
    let owning = OwningRules::of(world, &mut notes);
    let search = Search { request, world, data, owning: owning.as_ref() };
    let offered: Vec<Offered> = all
        .ranked
        .iter()
        .enumerate()
        .map(|(i, supply)| {
            let place = place_of(&supply.machine);
            Offered { supply: i, machine: &supply.machine, place, hourly: search.hourly(supply, place) }
        })
        .collect();
    let choice = Choice {
        rules: world.rules,
        deadline_s: request.limits.deadline.map(|time| time.0),
        options: &offered,
    };
    let pays = choice.gpu_pays(&data);
    let (mut ranked, mut rejected) = search.candidates(&all.ranked, &choice);
    sort(&mut ranked, &data, pays);
    let own = here::machines(request, world, &mut notes)?;
    let own = own.map(|machines| search.own(&machines, choice.deadline_s));
    if let Some(own) = &own {
        // Work without a model is ranked by what it costs, whatever the objective.
        own.join(&mut ranked, Objective::Cost, crate::candidates::hourly);
    }
    let machines: BTreeSet<String> = all.ranked.iter().map(Supply::key).collect();
    let fitting = ranked.iter().filter(|candidate| candidate.kind != here::KIND).count();
    here::truncate(&mut ranked, request.limits.top.unwrap_or(TOP));
    if let Some(miss) = own.as_ref().and_then(here::Own::rejected) {
        rejected.insert(0, miss);
        rejected.truncate(REJECTED);
    }
    notes.findings.extend(all.findings);
    notes.findings.extend(list_findings(&ranked));
    let server = server(request, &data, &offered, &ranked, world);
    notes.findings.extend(crate::server::too_soon(server.as_ref(), world.day(), world));
    let mut body = AdviseBody {
        model: None,
        pareto: front(&ranked),
        rejected,
        cpu_or_gpu: cpu_or_gpu(&data, &choice, &named),
        comparisons: Vec::new(),
        server,
        deploy: None,
        unranked: all.unranked,
        searched: Searched { machines: machines.len(), plans: machines.len(), fitting },
        candidates: ranked,
        here: None,
    };
    if let Some(own) = own {
        own.compare(&mut body);
    }
    let mut answer = Answer::new("advise", verdict(request, &data, &body), body);
    let tags: Vec<String> =
        answer.body.candidates.iter().map(|candidate| candidate.cost.source.clone()).collect();
    answer.sources = world.sources(tags.iter().map(String::as_str));
    answer.assumed = notes.assumed;
    answer.findings = crate::lints::sorted(notes.findings);
    Ok(answer)
}

/// The machines that the request names itself: a processor, accelerators.
struct Named {
    cpu: Option<Machine>,
    gpu: Option<Machine>,
}

fn named(request: &AdviseRequest, world: &World, notes: &mut Notes) -> Result<Named, Fault> {
    let mut one = |hardware: HardwareRequest| -> Result<Option<Machine>, Fault> {
        let (spec, assumed) = maat_catalogue::machine(&hardware, world.catalogue)?;
        notes.assumed.extend(assumed);
        Ok(spec.and_then(|spec| spec.machines().next()))
    };
    let hardware = &request.hardware;
    let gpu =
        HardwareRequest { cpu: None, threads: None, cpu_bandwidth: None, here: false, ..hardware.clone() };
    let cpu = HardwareRequest { gpu: Vec::new(), gpu_like: None, ..hardware.clone() };
    Ok(Named {
        cpu: if hardware.cpu.is_some() { one(cpu)? } else { None },
        gpu: if hardware.gpu.is_empty() { None } else { one(gpu)? },
    })
}

/// What can be had with accelerators, as the request limits them, and with processors alone.
fn both_sides(request: &AdviseRequest, world: &World, notes: &mut Notes) -> Result<Supplies, Fault> {
    let task = request.work.task.unwrap_or_default();
    let mut all = supplies(request, task, world, notes)?;
    if !request.hardware.gpu.is_empty() || !request.limits.vendor.is_empty() {
        let mut others = request.clone();
        others.hardware.gpu.clear();
        others.limits.vendor.clear();
        let processors = supplies(&others, task, world, notes)?;
        all.ranked.retain(|supply| !supply.machine.slots.is_empty());
        all.ranked.extend(processors.ranked.into_iter().filter(|supply| supply.machine.slots.is_empty()));
    }
    Ok(all)
}

/// The best first: processors where they are enough, then by what it costs.
fn sort(ranked: &mut [Candidate], data: &Data, pays: Option<bool>) {
    let needless = |candidate: &Candidate| pays == Some(false) && candidate.machine.accelerators > 0;
    let figure = |candidate: &Candidate| {
        let money = if data.work.ends() { candidate.cost.per_job } else { candidate.cost.hourly };
        // A job of seconds costs next to nothing anywhere: then the machine's price decides.
        let hourly = candidate.cost.hourly.map_or(f64::INFINITY, Money::as_f64);
        money.map_or(f64::INFINITY, Money::as_f64).max(if data.work.ends() { hourly / 60.0 } else { 0.0 })
    };
    ranked.sort_by(|a, b| {
        needless(a)
            .cmp(&needless(b))
            .then_with(|| figure(a).total_cmp(&figure(b)))
            .then_with(|| a.machine.name.cmp(&b.machine.name))
            .then_with(|| a.kind.cmp(&b.kind))
    });
    for (i, candidate) in ranked.iter_mut().enumerate() {
        candidate.rank = i + 1;
    }
}

struct Search<'a> {
    request: &'a AdviseRequest,
    world: &'a World<'a>,
    data: Data,
    owning: Option<&'a OwningRules>,
}

impl Search<'_> {
    /// What an hour of one machine costs at this work.
    fn hourly(&self, supply: &Supply, place: Place) -> Option<Money> {
        let bound = maat_estimate::Bound::Memory;
        let power = data_power(&supply.machine, place, bound, self.world.rules);
        let spent = Spent {
            instances: 1,
            power_w: power.node_w.map(|watts| watts.likely),
            tokens_per_s: None,
            job_s: None,
        };
        cost(supply, &spent, self.owning, self.world.currency.unwrap_or_default())?.hourly
    }

    /// The cheapest offer of each machine and kind, and the nearest misses.
    fn candidates(&self, supplies: &[Supply], choice: &Choice) -> (Vec<Candidate>, Vec<Rejected>) {
        let mut best: BTreeMap<(String, String), Candidate> = BTreeMap::new();
        let mut missed: BTreeMap<String, Rejected> = BTreeMap::new();
        for option in choice.options {
            let supply = &supplies[option.supply];
            match self.candidate(supply, option, choice) {
                Ok(candidate) => {
                    let key = (candidate.machine.name.clone(), candidate.kind.clone());
                    let dearer = best.get(&key).is_some_and(|known| {
                        crate::candidates::hourly(known) <= crate::candidates::hourly(&candidate)
                    });
                    if !dearer {
                        best.insert(key, candidate);
                    }
                }
                Err(Some(rejected)) => {
                    missed.entry(rejected.machine.clone()).or_insert(rejected);
                }
                Err(None) => {}
            }
        }
        missed.retain(|machine, _| best.keys().all(|(name, _)| name != machine));
        let mut missed: Vec<Rejected> = missed.into_values().collect();
        missed.sort_by(|a, b| {
            let by = |one: &Rejected| one.misses_by.unwrap_or(f64::INFINITY);
            by(a).total_cmp(&by(b)).then_with(|| a.machine.cmp(&b.machine))
        });
        missed.truncate(REJECTED);
        (best.into_values().collect(), missed)
    }

    /// A supply as a candidate, or what it misses.
    fn candidate(
        &self,
        supply: &Supply,
        option: &Offered,
        choice: &Choice,
    ) -> Result<Candidate, Option<Rejected>> {
        let found = maat_estimate::data_cost(&self.data, option.machine, option.place, self.world.rules);
        let found = found.ok_or(None)?;
        if let Some(why) = self.miss(option, &found, choice) {
            let (why, by) = why;
            return Err(Some(Rejected { machine: option.machine.name.clone(), why, misses_by: by }));
        }
        let instances = found.machines_needed.ceil();
        let power = data_power(option.machine, option.place, found.bound, self.world.rules);
        let spent = Spent {
            instances: instances as u32,
            power_w: power.node_w.map(|watts| watts.likely * instances),
            tokens_per_s: None,
            job_s: self.data.work.ends().then_some(found.time_s.likely),
        };
        let cost = cost(supply, &spent, self.owning, self.world.currency.unwrap_or_default()).ok_or(None)?;
        if let Some((why, by)) = too_dear(self.request, &cost) {
            return Err(Some(Rejected { machine: option.machine.name.clone(), why, misses_by: Some(by) }));
        }
        let machine = crate::view::times(option.machine.clone(), instances as u32);
        Ok(Candidate {
            rank: 0,
            kind: kind_name(supply.kind).to_owned(),
            provider: supply.provider.clone(),
            offer: supply.offer.clone(),
            region: supply.region.clone(),
            machine: MachineView::from(&machine),
            plan: plan(&self.data, option.machine, option.place, instances as u32),
            memory: found.memory(option.machine, option.place),
            speed: found.speed(self.data.work.ends(), instances),
            power: Some(power),
            cost,
            reasons: evidence::reasons(&self.data, option.machine, option.place, &found, false),
            findings: crate::lints::sorted(supply.findings(self.world.day())),
            argv: self.size_command(supply),
            gain: None,
        })
    }

    /// What this machine does of the work.
    fn own(&self, machines: &here::Machines, deadline_s: Option<f64>) -> here::Own {
        let (outcome, done) = self.on_machine(&machines.own, deadline_s);
        let with = machines.with.as_ref().map(|with| self.on_machine(with, deadline_s).0);
        let does = outcome.miss.is_none();
        let candidate = done.filter(|_| does).map(|(place, found)| {
            let power = data_power(&machines.own, place, found.bound, self.world.rules);
            let done = here::Done {
                machine: &machines.own,
                plan: plan(&self.data, &machines.own, place, 1),
                memory: found.memory(&machines.own, place),
                speed: found.speed(self.data.work.ends(), 1.0),
                spent: Spent {
                    instances: 1,
                    power_w: power.node_w.map(|watts| watts.likely),
                    tokens_per_s: None,
                    job_s: self.data.work.ends().then_some(found.time_s.likely),
                },
                power: Some(power),
                reasons: evidence::reasons(&self.data, &machines.own, place, &found, false),
            };
            here::candidate(self.request, done, self.owning, self.world)
        });
        here::Own { outcome, with, candidate }
    }

    /// What one machine does of the work, on the side of it that is the faster of those that hold it.
    fn on_machine(
        &self,
        machine: &Machine,
        deadline_s: Option<f64>,
    ) -> (here::Outcome, Option<(Place, DataCost)>) {
        let places = if machine.slots.is_empty() { vec![Place::Cpu] } else { vec![Place::Gpu, Place::Cpu] };
        let choice = Choice { rules: self.world.rules, deadline_s, options: &[] };
        let tried = places.into_iter().filter_map(|place| {
            let found = maat_estimate::data_cost(&self.data, machine, place, self.world.rules)?;
            let option = Offered { supply: 0, machine, place, hourly: None };
            let mut miss = self.miss(&option, &found, &choice);
            if miss.is_none() && found.machines_needed > 1.0 {
                let rate = Arg::Number(found.rate_per_s.likely);
                let why = Text::new("miss-data-rate").with("rate", rate);
                miss = Some((why, Some(found.machines_needed - 1.0)));
            }
            Some((miss, place, found))
        });
        let best = tried.min_by(|(a_miss, _, a), (b_miss, _, b)| {
            let order = a_miss.is_some().cmp(&b_miss.is_some());
            order.then_with(|| a.time_s.likely.total_cmp(&b.time_s.likely))
        });
        let view = MachineView::from(machine);
        let Some((miss, place, found)) = best else {
            let miss = Some((Text::new("miss-here-speed"), None));
            return (here::Outcome { machine: view, miss, speed: None }, None);
        };
        let speed = Some(found.speed(self.data.work.ends(), 1.0));
        (here::Outcome { machine: view, miss, speed }, Some((place, found)))
    }

    /// The limit that a machine misses, and by which share.
    fn miss(&self, option: &Offered, found: &DataCost, choice: &Choice) -> Option<(Text, Option<f64>)> {
        if !holds(option.machine, option.place, found) {
            let room = match option.place {
                Place::Cpu => option.machine.host.ram,
                Place::Gpu => crate::view::capacity(option.machine),
            };
            let count = if option.place == Place::Gpu { option.machine.per_node() } else { 1 };
            let room = (room.unwrap_or_default() * u64::from(count)).as_f64() * FILLED;
            let why = Text::new("miss-data-memory").with("need", found.memory);
            let why = why.with("room", Bytes::from_f64(room));
            return Some((why, Some(found.memory.as_f64() / room.max(1.0) - 1.0)));
        }
        if let Some(most) =
            choice.deadline_s.filter(|most| self.data.work.ends() && found.time_s.likely > *most)
        {
            let time = found.time_s.likely;
            let why = Text::new("miss-deadline")
                .with("value", Arg::Seconds(time))
                .with("limit", Arg::Seconds(most));
            return Some((why, Some(time / most - 1.0)));
        }
        if found.machines_needed > MOST_MACHINES {
            let rate = found.rate_per_s.likely;
            let why = Text::new("miss-data-rate").with("rate", Arg::Number(rate));
            return Some((why, Some(found.machines_needed / MOST_MACHINES - 1.0)));
        }
        None
    }

    fn size_command(&self, supply: &Supply) -> Vec<String> {
        let parts = supply.machine.slots.iter().map(|slot| match slot.count {
            1 => slot.accelerator.name.clone(),
            count => format!("{count}x {}", slot.accelerator.name),
        });
        let gpu: Vec<String> = parts.collect();
        let cpu = gpu.is_empty().then(|| supply.machine.name.clone());
        let ram = supply.machine.host.ram.map(maat_base::LabelSize);
        let hardware = HardwareRequest { gpu, cpu, ram, ..HardwareRequest::default() };
        argv("size", &SizeRequest { model: None, work: self.request.work.clone(), hardware })
    }
}

/// What of the best candidate's server is scarce.
fn server(
    request: &AdviseRequest,
    data: &Data,
    offered: &[Offered],
    ranked: &[Candidate],
    world: &World,
) -> Option<ServerView> {
    let best = ranked.first()?;
    let copies = best.plan.replicas.max(1);
    let same = |option: &&Offered| {
        crate::view::times(option.machine.clone(), copies).name == best.machine.name
            && option.machine.host.ram.is_none_or(|ram| {
                option.place == Place::Gpu || best.machine.capacity_bytes.is_none_or(|known| known == ram)
            })
    };
    let option = offered.iter().find(same)?;
    let found = maat_estimate::data_cost(data, option.machine, option.place, world.rules)?;
    let deadline = request.limits.deadline.map(|time| time.0);
    let room = match option.place {
        Place::Cpu => option.machine.host.ram.map(Bytes::as_f64),
        Place::Gpu => crate::view::capacity(option.machine)
            .map(|each| each.as_f64() * f64::from(option.machine.per_node())),
    };
    let by_memory = room
        .filter(|_| found.memory > Bytes::ZERO)
        .map_or(f64::INFINITY, |room| room * FILLED / found.memory.as_f64());
    let by_time = match deadline.filter(|_| data.work.ends()) {
        Some(limit) => limit / found.time_s.likely,
        None if data.work.ends() => f64::INFINITY,
        None => f64::from(copies) / found.machines_needed * at_full(&found),
    };
    let times = by_memory.min(by_time);
    let headroom = request
        .limits
        .growth
        .filter(|_| times.is_finite())
        .map(|growth| Headroom::of(times, Some(growth), world.day()));
    super::size::whole(data, (option.machine, option.place), &found, deadline, world, |whole| {
        whole.view(headroom, world.rules)
    })
}

/// How many times the queries one machine answers, where it answers more than are asked.
fn at_full(found: &DataCost) -> f64 {
    if found.machines_needed > 1.0 { 1.0 } else { found.spare }
}

/// The choice with its evidence. Where the request names a processor and accelerators, these two are compared.
fn cpu_or_gpu(data: &Data, choice: &Choice, named: &Named) -> Option<CpuOrGpu> {
    if let (Some(cpu), Some(gpu)) = (&named.cpu, &named.gpu) {
        return of_two(data, cpu, gpu, choice.rules);
    }
    between(data, choice)
}

/// Which of two machines does it.
pub(super) fn of_two(data: &Data, cpu: &Machine, gpu: &Machine, rules: &Rules) -> Option<CpuOrGpu> {
    let offered = |machine, place| Offered { supply: 0, machine, place, hourly: None };
    let options = [offered(cpu, Place::Cpu), offered(gpu, Place::Gpu)];
    between(data, &Choice { rules, deadline_s: None, options: &options })
}

/// Which side does it, of what there is.
fn between(data: &Data, choice: &Choice) -> Option<CpuOrGpu> {
    let pays = choice.gpu_pays(data)?;
    let side = |place| {
        let best = choice.best(data, place)?;
        Some(Side { machine: choice.options[best.option].machine.clone(), cost: best.cost })
    };
    let (cpu, gpu) = (side(Place::Cpu), side(Place::Gpu));
    let ratio = cpu.as_ref().zip(gpu.as_ref()).map(|(cpu, gpu)| {
        if matches!(data.work, DataWork::Vectors { .. }) {
            gpu.cost.rate_per_s.likely / cpu.cost.rate_per_s.likely
        } else {
            cpu.cost.time_s.likely / gpu.cost.time_s.likely
        }
    });
    let crossing = choice.crossing(data).map(|(quantity, value, unit)| Crossing { quantity, value, unit });
    let mut because = evidence::because(data, cpu.as_ref(), gpu.as_ref(), pays);
    let place = usize::from(!because.is_empty());
    because.insert(place, evidence::crossing(crossing.as_ref()));
    Some(CpuOrGpu { answer: if pays { "gpu" } else { "cpu" }, because, crossing, speed_ratio: ratio })
}

/// The verdict in one sentence.
fn verdict(request: &AdviseRequest, data: &Data, body: &AdviseBody) -> Verdict {
    if let Some((code, text)) = here::verdict(body) {
        return Verdict { ok: Some(true), code, text };
    }
    let task = request.work.task.unwrap_or_default();
    let words = Text::named(format!("task-{}", task.name()));
    let Some(best) = body.candidates.first() else {
        let mut text = Text::new("advise-no-candidate-data")
            .with("task", words)
            .with("machines", body.searched.machines);
        text = match body.rejected.first() {
            Some(nearest) => text.with("nearest", nearest.machine.as_str()).with("why", nearest.why.clone()),
            None => text.with("nearest", "none").with("why", Text::new("nothing")),
        };
        return Verdict { ok: Some(false), code: Code::Borrowed("no-candidate"), text };
    };
    let on_cpu = best.machine.accelerators == 0;
    let id = match (on_cpu, data.work.ends()) {
        (true, true) => "advise-data-cpu-job",
        (true, false) => "advise-data-cpu-service",
        (false, true) => "advise-data-gpu-job",
        (false, false) => "advise-data-gpu-service",
    };
    let mut text = Text::new(id)
        .with("task", words)
        .with("machine", best.machine.name.as_str())
        .with("basis", if best.cost.basis == CostBasis::Own { "own" } else { "rent" })
        .with("time", Arg::Seconds(best.speed.time_to_finish_s.map_or(0.0, |time| time.likely)))
        .with("rate", Arg::Number(best.speed.requests_per_s.map_or(0.0, |rate| rate.likely)));
    if let Some(hourly) = best.cost.hourly {
        text = text.with("hourly", hourly);
    }
    let code = if on_cpu { "cpu-is-enough" } else { "best-found" };
    Verdict { ok: Some(true), code: Code::Borrowed(code), text }
}
