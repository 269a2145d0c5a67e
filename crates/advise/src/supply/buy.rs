//! What can be bought: cards in a computer of one's own, whole machines, processors.

use std::collections::BTreeMap;
use std::sync::Arc;

use maat_base::{Money, Text};
use maat_catalogue::{Accelerator, FormFactor, Machine, PriceKind, PurchasePrice};

use crate::notes::Notes;
use crate::world::World;

use super::{Filter, Supplies, Supply};

/// Numbers of cards that people put in one computer.
const CARDS: [u32; 3] = [1, 2, 4];

/// Adds what can be bought at the newest price of each part.
pub fn add(filter: &Filter, world: &World, notes: &mut Notes, all: &mut Supplies) {
    if let Some(host) = world.catalogue.hosts().first().and_then(|host| world.money(host.price)) {
        notes.assume(
            "host_price",
            host.as_f64(),
            Text::new("assumed-host-price").with("price", host),
            Text::new("why-host-price"),
        );
    }
    for price in newest(world.catalogue.purchase_prices()).into_values() {
        let Some(date) = price.date.filter(|date| filter.age(*date)) else { continue };
        let Some(amount) = world.money(price.price) else { continue };
        for build in builds(price, filter, world) {
            let Some((machine, purchase)) = build.priced(amount, world) else { continue };
            all.ranked.push(Supply {
                kind: PriceKind::Purchase,
                provider: None,
                offer: Some(price.kind.clone()),
                region: None,
                machine,
                hourly: None,
                purchase: Some(purchase),
                date,
                source: price.source.clone(),
                multiplied: false,
                unsure: price.unsure.clone(),
            });
        }
    }
}

/// A machine that a price buys parts of.
struct Build {
    machine: Machine,
    /// How many of the priced part it holds.
    parts: u32,
    /// Class of the host that must be bought beside them: a name of `prices/hosts.csv`, or any that takes the cards.
    host: Option<HostClass>,
}

/// Which host goes around bought parts.
enum HostClass {
    /// The smallest that takes so many cards.
    ForCards(u32),
    /// The one of this name.
    Named(&'static str),
}

impl Build {
    /// The machine with its price and that of its host.
    fn priced(mut self, part: Money, world: &World) -> Option<(Machine, Money)> {
        let parts = part.times(f64::from(self.parts))?;
        let Some(class) = self.host else { return Some((self.machine, parts)) };
        let hosts = world.catalogue.hosts();
        let host = match class {
            HostClass::ForCards(cards) => hosts.iter().find(|host| host.cards >= cards),
            HostClass::Named(name) => hosts.iter().find(|host| host.class == name),
        }?;
        self.machine.host.ram = Some(host.ram);
        self.machine.host.class = Some(host.class.clone());
        self.machine.host.card_slots = host.card_slots;
        if self.machine.host.processor.is_none() {
            self.machine.host.cores = host.cores;
            self.machine.host.pcie_lanes = host.pcie_lanes;
        }
        let price = world.money(host.price)?;
        Some((self.machine, parts.plus(price)?))
    }
}

/// The newest price of each part.
fn newest(prices: &[PurchasePrice]) -> BTreeMap<&str, &PurchasePrice> {
    let mut newest: BTreeMap<&str, &PurchasePrice> = BTreeMap::new();
    for price in prices.iter().filter(|price| price.date.is_some()) {
        let known = newest.entry(price.part.as_str()).or_insert(price);
        if price.date > known.date {
            *known = price;
        }
    }
    newest
}

/// The machines that a price buys parts of.
fn builds(price: &PurchasePrice, filter: &Filter, world: &World) -> Vec<Build> {
    if let Some(part) = world.catalogue.accelerator(&price.part) {
        return if filter.part(&part) { with_part(&part, price.whole_machine) } else { Vec::new() };
    }
    if let Some(server) = world.catalogue.servers().iter().find(|server| server.id == price.part) {
        let wanted = world.catalogue.part_of_server(server).is_some_and(|part| filter.part(&part));
        let machine = world.catalogue.machine_of_server(server).filter(|_| wanted);
        return machine.map(|machine| Build { machine, parts: 1, host: None }).into_iter().collect();
    }
    match world.catalogue.cpu(&price.part) {
        Some(cpu) if filter.parts.is_empty() && filter.vendors.is_empty() => {
            let class = if cpu.segment == "server" { "server" } else { "desktop" };
            let host = Some(HostClass::Named(class));
            vec![Build { machine: Machine::of_processor(&cpu, 1), parts: 1, host }]
        }
        _ => Vec::new(),
    }
}

/// Cards are bought one by one; modules of baseboards only with their server.
fn with_part(part: &Arc<Accelerator>, whole_machine: bool) -> Vec<Build> {
    let build = |count: u32, host| Build { machine: Machine::of_part(part, count), parts: count, host };
    match part.form {
        _ if whole_machine => vec![build(1, None)],
        FormFactor::Pcie => CARDS.iter().map(|&n| build(n, Some(HostClass::ForCards(n)))).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_price_counts() {
        let price = |date: &str, amount: i64| PurchasePrice {
            part: "x".to_owned(),
            kind: "street".to_owned(),
            price: Money::new(amount.into(), maat_base::Currency::Usd),
            currency: maat_base::Currency::Usd,
            date: date.parse().ok(),
            date_words: date.to_owned(),
            source: "T".to_owned(),
            whole_machine: false,
            unsure: None,
            place: String::new(),
        };
        let prices = [price("2025-01-01", 2), price("2026-01-01", 3), price("2024-01-01", 1)];
        assert_eq!(newest(&prices)["x"].price.as_f64(), 3.0);
    }
}
