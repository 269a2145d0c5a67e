//! Two ways to have the same job done, beside each other: copies or one split, slices or the card, mixed cards or the best
//! of them, a power limit or none, a computer of one's own or a server.

use std::sync::Arc;

use maat_base::{Arg, Range, Text};
use maat_catalogue::{Accelerator, Machine, Slot};
use serde::Serialize;

use crate::answer::{Candidate, CostBasis};
use crate::case::{Case, Judged};
use crate::supply::Supply;
use crate::world::World;

/// Share of its power that a card is tried at where no limit is given.
const LIMIT_TRIED: f64 = 0.75;

/// Two ways beside each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Comparison {
    /// `replicas_or_split`, `slices_or_card`, `mixed_or_alone`, `power_limit`, `workstation_or_server`.
    pub what: &'static str,
    pub sides: [Way; 2],
    /// Which of the two serves more, or costs less; `None` where neither does it.
    pub better: Option<usize>,
    pub text: Text,
}

/// One of the two ways.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Way {
    pub name: String,
    pub fits: bool,
    pub users: u64,
    pub tpot_s: Option<Range>,
    pub throughput_tokens_per_s: Option<Range>,
    /// Power of the accelerators.
    pub power_w: Option<f64>,
    /// An hour of it, where its price was looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hourly: Option<maat_base::Money>,
}

impl Way {
    fn of(name: String, case: &Case, judged: Option<&Judged>, world: &World) -> Self {
        let speed = judged.and_then(|judged| judged.speed.as_ref());
        Self {
            name,
            fits: judged.is_some_and(Judged::fits),
            users: case.work.users,
            tpot_s: speed.and_then(|speed| speed.tpot_s),
            throughput_tokens_per_s: speed.and_then(|speed| speed.throughput_tokens_per_s),
            power_w: judged.and_then(|judged| case.accelerator_power_w(judged, world.rules)),
            hourly: None,
        }
    }

    fn rate(&self) -> f64 {
        self.throughput_tokens_per_s.map_or(0.0, |range| range.likely)
    }
}

/// What competes with a machine that was asked about.
pub fn of_size(case: &Case, all: &[Judged], world: &World) -> Vec<Comparison> {
    let found = [
        copies(case, all, world),
        slices(case, all, world),
        mixed(case, all, world),
        power_limit(case, all, world),
    ];
    found.into_iter().flatten().collect()
}

/// The way that serves more.
fn better(sides: &[Way; 2]) -> Option<usize> {
    match (sides[0].rate(), sides[1].rate()) {
        (a, b) if a <= 0.0 && b <= 0.0 => None,
        (a, b) => Some(usize::from(b > a)),
    }
}

/// A comparison whose text has both rates.
fn compared(what: &'static str, id: &'static str, sides: [Way; 2]) -> Comparison {
    let fits = match (sides[0].fits, sides[1].fits) {
        (true, true) => "both",
        (true, false) => "first",
        (false, true) => "second",
        (false, false) => "none",
    };
    let rate = |way: &Way| Arg::TokensPerSecond(way.rate());
    let each = |way: &Way| Arg::Seconds(way.tpot_s.map_or(0.0, |range| range.likely));
    let text = Text::new(id)
        .with("fits", fits)
        .with("first", sides[0].name.as_str())
        .with("second", sides[1].name.as_str())
        .with("first-rate", rate(&sides[0]))
        .with("second-rate", rate(&sides[1]))
        .with("first-tpot", each(&sides[0]))
        .with("second-tpot", each(&sides[1]))
        .with("users", sides[0].users);
    Comparison { what, better: better(&sides), sides, text }
}

/// Most copies against the widest split, where both fit.
fn copies(case: &Case, all: &[Judged], world: &World) -> Option<Comparison> {
    let fitting = || all.iter().filter(|judged| judged.fits());
    let copies = fitting().max_by_key(|judged| judged.plan.parallel.replicas)?;
    let ways = |judged: &Judged| judged.plan.parallel.tp.saturating_mul(judged.plan.parallel.pp);
    let split = fitting().max_by_key(|judged| ways(judged))?;
    if copies.plan.parallel.replicas < 2 || ways(split) < 2 || copies.plan == split.plan {
        return None;
    }
    let named = |judged: &Judged| {
        format!(
            "{}x (tp {}, pp {})",
            judged.plan.parallel.replicas, judged.plan.parallel.tp, judged.plan.parallel.pp
        )
    };
    let sides =
        [Way::of(named(copies), case, Some(copies), world), Way::of(named(split), case, Some(split), world)];
    Some(compared("replicas_or_split", "compare-replicas", sides))
}

/// The same work on another machine.
fn on(case: &Case, machine: Machine, users: u64, world: &World) -> (Case, Option<Judged>) {
    let mut other = case.clone();
    other.machine = Some(machine);
    other.work.users = users;
    let best = other.best(world.rules);
    (other, best)
}

/// All slices of a card, each with the users of one, against the whole card with all of them.
fn slices(case: &Case, all: &[Judged], world: &World) -> Option<Comparison> {
    let machine = case.machine.as_ref()?;
    let profile = machine.slice.as_deref()?;
    let [slot] = machine.slots.as_slice() else { return None };
    let whole = world.catalogue.accelerator(&slot.accelerator.id)?;
    let wanted = profile.split('+').next().unwrap_or(profile);
    let found = world.catalogue.mig_profiles_of(&whole.id).find(|known| known.profile == wanted)?;
    let instances = found.instances.max(1);
    let one_slice = all.first()?;
    let mut sides = [Way::default(), Way::default()];
    sides[0] = Way::of(format!("{instances}x {}", slot.accelerator.name), case, Some(one_slice), world);
    let users = case.work.users.saturating_mul(u64::from(instances)) / u64::from(slot.count.max(1));
    let times = f64::from(instances) / f64::from(slot.count.max(1));
    sides[0].users = users;
    sides[0].throughput_tokens_per_s = sides[0].throughput_tokens_per_s.map(|rate| rate.scaled(times));
    sides[0].power_w = sides[0].power_w.map(|watts| watts * times);
    let (other, best) = on(case, of_one(&whole, 1), users.max(1), world);
    sides[1] = Way::of(whole.name.clone(), &other, best.as_ref(), world);
    Some(compared("slices_or_card", "compare-slices", sides))
}

fn of_one(part: &Arc<Accelerator>, count: u32) -> Machine {
    Machine::of_part(part, count)
}

/// Cards of different kinds together against the best kind alone.
fn mixed(case: &Case, all: &[Judged], world: &World) -> Option<Comparison> {
    let machine = case.machine.as_ref().filter(|machine| machine.slots.len() > 1)?;
    let alone = |slot: &Slot| {
        let mut one = of_one(&slot.accelerator, slot.count);
        one.host = machine.host.clone();
        let (other, best) = on(case, one, case.work.users, world);
        let name = match slot.count {
            1 => slot.accelerator.name.clone(),
            n => format!("{n}x {}", slot.accelerator.name),
        };
        Way::of(name, &other, best.as_ref(), world)
    };
    let best = machine.slots.iter().map(alone).max_by(|a, b| a.rate().total_cmp(&b.rate()))?;
    let together = Way::of(machine.name.clone(), case, all.first(), world);
    Some(compared("mixed_or_alone", "compare-mixed", [together, best]))
}

/// A power limit against none: the one that was given, or three quarters where none was.
fn power_limit(case: &Case, all: &[Judged], world: &World) -> Option<Comparison> {
    let machine = case.machine.as_ref().filter(|machine| machine.slice.is_none())?;
    let [slot] = machine.slots.as_slice() else { return None };
    let full = slot.accelerator.power_w?;
    let lowest = slot.accelerator.power_limits_w.map_or(0.0, |(low, _)| low);
    let limit = machine.power_limit_w.unwrap_or((full * LIMIT_TRIED).max(lowest).round());
    if limit >= full || !all.first().is_some_and(Judged::fits) {
        return None;
    }
    let at = |watts: Option<f64>| {
        let mut other = machine.clone();
        other.power_limit_w = watts;
        let (case, best) = on(case, other, case.work.users, world);
        Way::of(format!("{:.0} W", watts.unwrap_or(full)), &case, best.as_ref(), world)
    };
    let sides = [at(Some(limit)), at(None)];
    let share = |value: f64, of: f64| Arg::Share(if of > 0.0 { 1.0 - value / of } else { 0.0 });
    let mut comparison = compared("power_limit", "compare-power", sides);
    comparison.text = comparison
        .text
        .with("slower", share(comparison.sides[0].rate(), comparison.sides[1].rate()))
        .with("less", share(limit, full))
        .with("limit", Arg::Watts(limit))
        .with("full", Arg::Watts(full));
    Some(comparison)
}

/// The cheapest computer that stands on one's own floor against the cheapest server or instance.
pub fn of_advice(ranked: &[Candidate], supplies: &[Supply]) -> Vec<Comparison> {
    let class = |candidate: &Candidate| {
        let of = |supply: &&Supply| {
            supply.machine.name == candidate.machine.name && supply.offer == candidate.offer
        };
        supplies.iter().find(of).and_then(|supply| supply.machine.host.class.clone())
    };
    let side = |own: bool| {
        let found = ranked.iter().find(|candidate| {
            let class = class(candidate);
            let desk = matches!(class.as_deref(), Some("desktop" | "workstation"));
            candidate.machine.accelerators > 0
                && class.is_some()
                && desk == own
                && (!own || candidate.cost.basis == CostBasis::Own)
        })?;
        Some(Way {
            name: found.machine.name.clone(),
            fits: true,
            users: 0,
            tpot_s: found.speed.tpot_s,
            throughput_tokens_per_s: found.speed.throughput_tokens_per_s,
            power_w: found.power.as_ref().and_then(|power| power.node_w).map(|watts| watts.likely),
            hourly: found.cost.hourly,
        })
    };
    let Some((desk, server)) = side(true).zip(side(false)) else { return Vec::new() };
    let Some((a, b)) = desk.hourly.zip(server.hourly) else { return Vec::new() };
    let text = Text::new("compare-workstation")
        .with("first", desk.name.as_str())
        .with("second", server.name.as_str())
        .with("first-hourly", a)
        .with("second-hourly", b)
        .with("first-rate", Arg::TokensPerSecond(desk.rate()))
        .with("second-rate", Arg::TokensPerSecond(server.rate()));
    let better = Some(usize::from(b.as_f64() < a.as_f64()));
    vec![Comparison { what: "workstation_or_server", sides: [desk, server], better, text }]
}
