//! Fitting machines with their prices, ranked.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use maat_base::{Arg, Finding, LabelSize, Severity, Text};
use maat_catalogue::{HardwareRequest, Machine, PriceKind};
use maat_estimate::Task;

use crate::answer::{Candidate, Cost, CostBasis, MachineView, PlanView, Rejected};
use crate::argv::argv;
use crate::case::Case;
use crate::cost::{OwningRules, cost};
use crate::request::{AdviseRequest, Objective, SizeRequest};
use crate::search::{Fit, Found};
use crate::supply::{Supply, kind_name};
use crate::world::World;
use crate::{lints, reasons};

/// The cheapest candidate of each machine and kind of offer; dearer offers of the same are only counted.
/// Beside them the machines that do the job and are over the budget.
pub fn candidates(
    request: &AdviseRequest,
    supplies: &[Supply],
    found: &Found,
    owning: Option<&OwningRules>,
    world: &World,
) -> (Vec<Candidate>, Vec<Rejected>) {
    let mut over: BTreeMap<String, Rejected> = BTreeMap::new();
    let mut best: BTreeMap<(String, PriceKind), (Candidate, usize)> = BTreeMap::new();
    for supply in supplies {
        let Some(fit) = found.fits.get(&supply.key()) else { continue };
        let currency = world.currency.unwrap_or_default();
        let Some(cost) = cost(supply, &fit.into(), owning, currency) else { continue };
        if let Some((why, by)) = too_dear(request, &cost) {
            let machine = machine_of(supply, fit).name;
            let nearer = over.get(&machine).and_then(|known| known.misses_by).is_none_or(|known| by < known);
            if nearer {
                over.insert(machine.clone(), Rejected { machine, why, misses_by: Some(by) });
            }
            continue;
        }
        let candidate = candidate(request, supply, fit, cost, world);
        match best.entry((hardware(&fit.case, &candidate), supply.kind)) {
            Entry::Vacant(place) => {
                place.insert((candidate, 0));
            }
            Entry::Occupied(mut place) => {
                let (known, dearer) = place.get_mut();
                *dearer += 1;
                let order = hourly(&candidate).total_cmp(&hourly(known));
                // Of the same hardware at the same price, the fewest nodes are the simplest.
                if order.then(candidate.machine.nodes.cmp(&known.machine.nodes)).is_lt() {
                    *known = candidate;
                }
            }
        }
    }
    over.retain(|machine, _| best.keys().all(|(name, _)| name != machine));
    let within = best.into_values().map(|(candidate, dearer)| with_dearer(candidate, dearer)).collect();
    (within, over.into_values().collect())
}

/// The same for candidates of the same parts, however many of them stand in a node.
fn hardware(case: &Case, candidate: &Candidate) -> String {
    let slots = case.machine.iter().flat_map(|machine| &machine.slots);
    let parts: Vec<&str> = slots.map(|slot| slot.accelerator.id.as_str()).collect();
    if parts.is_empty() {
        return candidate.machine.name.clone();
    }
    format!("{} {}", candidate.machine.accelerators, parts.join("+"))
}

fn with_dearer(mut candidate: Candidate, dearer: usize) -> Candidate {
    if dearer > 0 {
        candidate.reasons.push(Text::new("reason-dearer-offers").with("n", dearer));
    }
    candidate
}

/// How a cost is over the budget, and by which share of it; the worst where it is in two ways.
pub fn too_dear(request: &AdviseRequest, cost: &Cost) -> Option<(Text, f64)> {
    let over = |id: &'static str, amount: Option<maat_base::Money>, limit: Option<f64>| {
        let (amount, limit) = (amount?, limit?);
        let text = Text::new(id)
            .with("value", amount)
            .with("limit", Arg::Money(limit, amount.currency.code().to_owned()));
        (amount.as_f64() > limit).then(|| (text, amount.as_f64() / limit - 1.0))
    };
    let hourly = over("miss-hourly", cost.hourly, request.limits.max_hourly);
    let total = over("miss-total", cost.purchase.or(cost.per_job), request.limits.max_total);
    hourly.into_iter().chain(total).max_by(|a, b| a.1.total_cmp(&b.1))
}

fn machine_of(supply: &Supply, fit: &Fit) -> MachineView {
    fit.case.machine.as_ref().map_or_else(|| MachineView::from(&supply.machine), MachineView::from)
}

fn candidate(request: &AdviseRequest, supply: &Supply, fit: &Fit, cost: Cost, world: &World) -> Candidate {
    let machine = machine_of(supply, fit);
    let mut findings = lints::all(&fit.case, &fit.judged, world);
    findings.extend(supply.findings(world.day()));
    let of_server = |whole: &crate::server::Whole| crate::server::findings(whole, world);
    let limits = crate::limits::Limits::default();
    findings.extend(fit.case.on_server(&fit.judged, &limits, world.rules, of_server).unwrap_or_default());
    Candidate {
        rank: 0,
        kind: kind_name(supply.kind).to_owned(),
        provider: supply.provider.clone(),
        offer: supply.offer.clone(),
        region: supply.region.clone(),
        machine,
        plan: PlanView::from(&fit.judged.plan),
        memory: fit.judged.memory.clone(),
        speed: fit.speed.clone(),
        power: fit.case.needs(&fit.judged, world.rules).map(|needs| needs.power),
        cost,
        reasons: reasons::of_candidate(fit),
        findings: lints::sorted(findings),
        argv: size_command(request, &supply.machine, fit.instances),
        gain: None,
    }
}

/// The command that shows a machine closer by.
fn size_command(request: &AdviseRequest, one: &Machine, instances: u32) -> Vec<String> {
    let mut size = SizeRequest {
        model: request.model.clone(),
        work: request.work.clone(),
        hardware: HardwareRequest::default(),
    };
    match one.slots.as_slice() {
        [] => size.hardware.cpu = Some(one.name.clone()),
        slots => {
            let parts = slots.iter().map(|slot| match slot.count {
                1 => slot.accelerator.name.clone(),
                count => format!("{count}x {}", slot.accelerator.name),
            });
            size.hardware.gpu = parts.collect();
        }
    }
    size.hardware.ram = one.host.ram.map(LabelSize);
    size.hardware.nodes = (instances > 1).then_some(instances);
    argv("size", &size)
}

/// Ranks by the objective; equal figures by price, then by the name of the machine, never by vendor.
pub fn rank(mut candidates: Vec<Candidate>, objective: Objective, task: Task) -> Vec<Candidate> {
    candidates.sort_by(|a, b| {
        let key = |candidate: &Candidate| figure(candidate, objective, task);
        key(a)
            .total_cmp(&key(b))
            .then_with(|| hourly(a).total_cmp(&hourly(b)))
            .then_with(|| a.machine.name.cmp(&b.machine.name))
            .then_with(|| a.kind.cmp(&b.kind))
    });
    for (i, candidate) in candidates.iter_mut().enumerate() {
        candidate.rank = i + 1;
    }
    candidates
}

/// What a candidate is ranked by; smaller is better. A job of its own length is priced by what it writes, a service
/// by the hour.
pub fn figure(candidate: &Candidate, objective: Objective, task: Task) -> f64 {
    let likely = |range: Option<maat_base::Range>| range.map(|range| range.likely);
    let figure = match (objective, task) {
        (Objective::Cost, Task::Batch) => candidate.cost.per_million_tokens.map(maat_base::Money::as_f64),
        (Objective::Cost, _) => candidate.cost.hourly.map(maat_base::Money::as_f64),
        (Objective::Latency, _) => likely(candidate.speed.tpot_s),
        (Objective::Throughput, _) => likely(candidate.speed.throughput_tokens_per_s).map(|rate| -rate),
        (Objective::Energy, _) => candidate.power.as_ref().and_then(|power| likely(power.energy_per_token_j)),
    };
    figure.unwrap_or(f64::INFINITY)
}

/// The price of an hour, for comparing.
pub fn hourly(candidate: &Candidate) -> f64 {
    candidate.cost.hourly.map_or(f64::INFINITY, maat_base::Money::as_f64)
}

/// The candidates that no other beats in price, latency and throughput at once.
pub fn front(candidates: &[Candidate]) -> Vec<usize> {
    let points: Vec<_> = candidates
        .iter()
        .map(|candidate| {
            let likely = |range: Option<maat_base::Range>| range.map(|range| range.likely);
            [
                candidate.cost.hourly.map(maat_base::Money::as_f64),
                likely(candidate.speed.tpot_s),
                likely(candidate.speed.throughput_tokens_per_s).map(|rate| -rate),
            ]
        })
        .collect();
    crate::pareto::front(&points)
}

/// What holds for the list as a whole.
pub fn list_findings(candidates: &[Candidate]) -> Option<Finding> {
    let priced = || candidates.iter().filter(|candidate| candidate.kind != crate::here::KIND);
    let bases = |basis: CostBasis| priced().any(|candidate| candidate.cost.basis == basis);
    (bases(CostBasis::Rent) && bases(CostBasis::Own)).then(|| {
        Finding::new("rent-and-own-together", Severity::Info, "ranking")
            .with("hours", Arg::Count(8760))
            .because("hours_per_year", "8760", "economics")
    })
}

#[cfg(test)]
mod tests {
    use maat_catalogue::Catalogue;
    use maat_estimate::Rules;

    use super::*;

    /// No vendor is favoured: with every machine and provider under another's name, and the list the other way round,
    /// the ranks hold the same prices and speeds in the same order.
    #[test]
    fn names_do_not_move_ranks() {
        let (catalogue, rules) = (Catalogue::builtin(), Rules::built_in().unwrap());
        let world = World {
            catalogue: &catalogue,
            rules: &rules,
            as_of: None,
            currency: None,
            explain: false,
            eur_per_usd: None,
        };
        let request = AdviseRequest {
            model: Some("meta-llama/Llama-3.1-8B".to_owned()),
            limits: crate::LimitRequest { top: Some(500), ..Default::default() },
            ..Default::default()
        };
        let ranked = crate::advise(&request, &world).unwrap().body.candidates;
        assert!(ranked.len() > 100);
        let names: Vec<String> = ranked.iter().map(|candidate| candidate.machine.name.clone()).collect();
        let mut permuted: Vec<Candidate> = ranked.iter().rev().cloned().collect();
        for (i, candidate) in permuted.iter_mut().enumerate() {
            candidate.machine.name.clone_from(&names[(i * 7 + 3) % names.len()]);
            candidate.provider = None;
        }
        for objective in [Objective::Cost, Objective::Latency, Objective::Throughput, Objective::Energy] {
            let figures = |candidates: Vec<Candidate>| -> Vec<(f64, f64)> {
                let ranked = rank(candidates, objective, Task::Chat);
                ranked.iter().map(|one| (figure(one, objective, Task::Chat), hourly(one))).collect()
            };
            assert_eq!(figures(ranked.clone()), figures(permuted.clone()), "{objective:?}");
        }
    }
}
