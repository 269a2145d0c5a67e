//! The machine that a question about money names: how many parts, what it draws, what it costs to buy and to rent.

use std::collections::BTreeMap;
use std::sync::Arc;

use maat_base::{Arg, Date, Decimal, Fault, Finding, Money, Severity, Text, Watts};
use maat_catalogue::{
    Accelerator, FormFactor, HardwareRequest, Machine, PriceKind, STALE_AFTER_DAYS, Server, days_between,
    machine,
};

use crate::book::{Book, Class};
use crate::rent_or_buy::Spread;

/// A machine that was named.
pub struct Named {
    /// The machine.
    pub machine: Machine,
    /// The part, where all accelerators are of one kind.
    pub part: Option<Arc<Accelerator>>,
    /// Which defaults hold for it.
    pub class: Class,
}

impl Named {
    /// Accelerators of all nodes.
    pub fn accelerators(&self) -> u32 {
        self.machine.accelerators()
    }
}

/// Power of a machine.
#[expect(clippy::struct_field_names, reason = "each ends in its unit")]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Draw {
    /// Watts while it works.
    pub work_w: f64,
    /// Watts while it waits.
    pub idle_w: f64,
    /// Watts that it draws at most, which space and rules of data centres go by.
    pub most_w: f64,
}

/// The machine of a request; `None` where it names none.
///
/// # Errors
/// Those of the names and counts, and `count-open` for `?x`.
pub fn named(gpu: &[String], nodes: Option<u32>, book: &mut Book<'_>) -> Result<Option<Named>, Fault> {
    if gpu.is_empty() {
        return Ok(None);
    }
    let request = HardwareRequest { gpu: gpu.to_vec(), nodes, ..HardwareRequest::default() };
    let (spec, assumed) = machine(&request, book.catalogue)?;
    book.assumed.extend(assumed.into_iter().filter(|note| note.name == "gpu"));
    let Some(spec) = spec else { return Ok(None) };
    if spec.count_is_open() {
        return Err(Fault::usage("count-open").at("--gpu"));
    }
    let Some(machine) = spec.machines().next() else { return Ok(None) };
    let part = match machine.slots.as_slice() {
        [only] => Some(Arc::clone(&only.accelerator)),
        _ => None,
    };
    let on_board = machine.slots.iter().any(|slot| {
        matches!(slot.accelerator.form, FormFactor::Baseboard | FormFactor::Superchip | FormFactor::CloudOnly)
    });
    let class =
        if on_board || machine.nodes > 1 || machine.per_node() > 4 { Class::Server } else { Class::Card };
    for slot in machine.slots.iter().filter(|slot| slot.accelerator.announced) {
        book.findings.push(
            Finding::new("part-announced", Severity::Error, slot.accelerator.name.as_str())
                .with("part", slot.accelerator.name.as_str())
                .fixable(),
        );
    }
    Ok(Some(Named { machine, part, class }))
}

/// Watts of all accelerators at their limit.
pub fn accelerators_w(machine: &Machine) -> Option<f64> {
    let each = |slot: &maat_catalogue::Slot| Some(slot.accelerator.power_w? * f64::from(slot.count));
    let node: Option<f64> = machine.slots.iter().map(each).sum();
    node.map(|node| node * f64::from(machine.nodes))
}

/// What a machine draws: as given, else from the largest server of these parts that is known, else from its parts.
/// `None` where nothing is known.
///
/// # Errors
/// `cost-default-missing`.
pub fn draw(
    named: Option<&Named>,
    given: Option<Watts>,
    idle: Option<Watts>,
    book: &mut Book<'_>,
) -> Result<Option<Draw>, Fault> {
    let class = named.map_or(Class::Server, |named| named.class);
    let most = match (given, named) {
        (Some(watts), _) => Some(watts.0),
        (None, Some(named)) => most(named, book)?,
        (None, None) => None,
    };
    let Some(most) = most else { return Ok(None) };
    let work_w = match given {
        Some(watts) => {
            book.vary("power", watts.0)?;
            watts.0
        }
        None => most * share("work_share", "power", most, class, book)?,
    };
    let idle_w = match idle {
        Some(watts) => {
            book.vary("idle_power", watts.0)?;
            watts.0
        }
        None => most * share("idle_share", "idle_power", most, class, book)?,
    };
    Ok(Some(Draw { work_w, idle_w, most_w: most }))
}

/// A share of the most power, its spread noted in watts.
fn share(
    name: &'static str,
    input: &'static str,
    most: f64,
    class: Class,
    book: &mut Book<'_>,
) -> Result<f64, Fault> {
    let row = book.default(name, class)?;
    let (low, high) = (row.low * most, row.high * most);
    let taken = book.take(name, class, Arg::Share)?;
    book.spreads.push(Spread { input, low, high });
    Ok(taken)
}

/// The most that a machine draws.
fn most(named: &Named, book: &mut Book<'_>) -> Result<Option<f64>, Fault> {
    let nodes = f64::from(named.machine.nodes);
    if let Some((server, watts)) = servers(named, book).find_map(|server| Some((server, server.max_power_w?)))
    {
        let text = Text::new("assumed-cost-power")
            .with("power", Arg::Watts(watts * nodes))
            .with("server", server.name.as_str());
        let why = Text::new("why-cost-power-server").with("source", server.source.as_str());
        book.assume("power", watts * nodes, text, why);
        book.rests_on(&server.source, "");
        return Ok(Some(watts * nodes));
    }
    let Some(accelerators) = accelerators_w(&named.machine) else { return Ok(None) };
    let host = book.take("host_share", named.class, Arg::Share)?;
    Ok(Some(accelerators * (1.0 + host)))
}

/// Servers with exactly these accelerators.
fn servers<'a>(named: &'a Named, book: &Book<'a>) -> impl Iterator<Item = &'a Arc<Server>> + 'a {
    let catalogue = book.catalogue;
    let part = named.part.as_ref().map(|part| part.id.clone());
    let count = named.machine.per_node();
    catalogue.servers().iter().filter(move |server| {
        part.is_some()
            && server.accelerator_count == count
            && catalogue.part_of_server(server).map(|part| part.id.clone()) == part
    })
}

/// What buying the machine costs by the catalogue: a server of these parts, else the parts and what they stand in.
///
/// # Errors
/// `no-exchange-rate`.
pub fn purchase(named: &Named, book: &mut Book<'_>) -> Result<Option<Decimal>, Fault> {
    let nodes = f64::from(named.machine.nodes);
    let ids: Vec<&str> = servers(named, book).map(|server| server.id.as_str()).collect();
    let catalogue = book.catalogue;
    let newest = |wanted: &dyn Fn(&str) -> bool| {
        catalogue
            .purchase_prices()
            .iter()
            .filter(|price| price.date.is_some() && wanted(price.part.as_str()))
            .max_by_key(|price| price.date)
    };
    if let Some(price) = newest(&|part| ids.contains(&part)) {
        let server = catalogue.servers().iter().find(|server| server.id == price.part);
        let amount = times(book.convert(price.price)?, nodes)?;
        let text = Text::new("assumed-cost-buy-server")
            .with("price", amount)
            .with("server", server.map_or("", |server| server.name.as_str()))
            .with("date", price.date_words.as_str());
        note_purchase(price, amount, text, book)?;
        return Ok(Some(amount.amount));
    }
    let Some(part) = &named.part else { return Ok(None) };
    let Some(price) = newest(&|id| id == part.id) else { return Ok(None) };
    let count = named.machine.per_node();
    let each = book.convert(price.price)?;
    let hosts = catalogue.hosts();
    let host = hosts
        .iter()
        .find(|host| host.cards >= count && (named.class == Class::Card || host.class == "server"))
        .filter(|_| !price.whole_machine);
    let host_price = match host {
        Some(host) => Some(book.convert(host.price)?),
        None => None,
    };
    let parts = times(each, f64::from(count))?;
    let node = match host_price {
        Some(host) => parts.plus(host).ok_or_else(|| Fault::usage("money-too-large"))?,
        None => parts,
    };
    let amount = times(node, nodes)?;
    let text = Text::new("assumed-cost-buy-parts")
        .with("price", amount)
        .with("each", each)
        .with("part", part.name.as_str())
        .with("host", host_price.unwrap_or(Money::new(Decimal::ZERO, each.currency)))
        .with("date", price.date_words.as_str());
    note_purchase(price, amount, text, book)?;
    Ok(Some(amount.amount))
}

fn note_purchase(
    price: &maat_catalogue::PurchasePrice,
    amount: Money,
    text: Text,
    book: &mut Book<'_>,
) -> Result<(), Fault> {
    let why =
        Text::new("why-cost-buy").with("kind", price.kind.as_str()).with("source", price.source.as_str());
    book.assume("buy", amount.as_f64(), text, why);
    book.rests_on(&price.source, price.date_words.as_str());
    if let (Some(date), Some(day)) = (price.date, book.terms.day(book.catalogue)) {
        old(price.part.as_str(), date, day, &price.source, book);
    }
    book.vary("buy", amount.as_f64())
}

/// Notes a price that is old.
fn old(subject: &str, date: Date, day: Date, source: &str, book: &mut Book<'_>) {
    let days = days_between(date, day);
    if days > STALE_AFTER_DAYS {
        book.findings.push(
            Finding::new("price-old", Severity::Warning, subject)
                .with("days", u64::from(days))
                .with("date", date)
                .because("price_date", date.to_string(), source),
        );
    }
}

/// What providers ask for an hour of one part: the cheapest offer of each.
#[derive(Clone, Debug, PartialEq)]
pub struct Market {
    /// The quarter below which a quarter of the providers lie.
    pub low: Money,
    /// The middle one.
    pub median: Money,
    /// The quarter above which a quarter lie.
    pub high: Money,
    /// The cheapest.
    pub cheapest: Money,
    /// Providers.
    pub providers: usize,
    /// Newest day of a price.
    pub newest: Date,
    /// Oldest day of a price.
    pub oldest: Date,
    /// Who saw them.
    pub sources: Vec<String>,
}

/// What providers ask for an hour of a part; `None` where no fresh offer is known.
///
/// # Errors
/// `no-exchange-rate`.
pub fn market(part: &str, kind: PriceKind, book: &mut Book<'_>) -> Result<Option<Market>, Fault> {
    let Some(day) = book.terms.day(book.catalogue) else { return Ok(None) };
    let mut cheapest: BTreeMap<&str, Money> = BTreeMap::new();
    let mut days: Vec<Date> = Vec::new();
    let mut sources: Vec<String> = Vec::new();
    let catalogue = book.catalogue;
    for offer in catalogue.offers() {
        let own = offer.part.as_ref().is_some_and(|own| own.id == part);
        let Some(seen) = offer.observed.filter(|_| own && offer.kind == kind && offer.is_rankable()) else {
            continue;
        };
        if seen > day || days_between(seen, day) > STALE_AFTER_DAYS {
            continue;
        }
        let price = book.convert(offer.hourly_per_accelerator)?;
        let known = cheapest.entry(&*offer.provider).or_insert(price);
        if price.amount < known.amount {
            *known = price;
        }
        days.push(seen);
        if !sources.iter().any(|known| **known == *offer.source) {
            sources.push(offer.source.to_string());
        }
    }
    let mut prices: Vec<Money> = cheapest.into_values().collect();
    prices.sort_by_key(|price| price.amount);
    let (Some(newest), Some(oldest)) = (days.iter().max().copied(), days.iter().min().copied()) else {
        return Ok(None);
    };
    let at = |share: f64| quantile(&prices, share);
    let (Some(low), Some(median), Some(high)) = (at(0.25), at(0.5), at(0.75)) else { return Ok(None) };
    Ok(Some(Market {
        low,
        median,
        high,
        cheapest: prices[0],
        providers: prices.len(),
        newest,
        oldest,
        sources,
    }))
}

/// A quantile of sorted amounts, between two in proportion.
fn quantile(sorted: &[Money], share: f64) -> Option<Money> {
    let last = sorted.len().checked_sub(1)?;
    let place = share * last as f64;
    let below = sorted[(place.floor() as usize).min(last)];
    let above = sorted[(place.ceil() as usize).min(last)];
    let part = Money::new(above.amount.checked_sub(below.amount)?, below.currency).times(place.fract());
    part.map_or(Some(below), |part| below.plus(part))
}

fn times(money: Money, factor: f64) -> Result<Money, Fault> {
    money.times(factor).ok_or_else(|| Fault::usage("money-too-large"))
}
