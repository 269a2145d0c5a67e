//! From a request to a plan, with every input that nobody gave listed.

use maat_base::{Arg, Decimal, Fault, Finding, Money, Severity, Share, Text};
use maat_catalogue::PriceKind;

use super::from::Candidate;
use super::plan::{Plan, sum, times};
use super::request::{OwnRequest, RentOrBuyRequest, RentRequest};
use super::sensitivity::Spread;
use crate::book::{Book, Class};
use crate::input::{Per, Plain, YearlyRate};
use crate::machine::{self, Draw, Named};
use crate::spot::{Interruptions, billed_per_used};

/// Seconds of an hour.
const HOUR_S: f64 = 3600.0;
/// Most years that are compared.
const MOST_YEARS: f64 = 50.0;
/// Lines that are off with `--bare` and with `--running-cost`.
const PLAIN_LINES: &str = "discount, residual, staff, energy, upkeep";

/// A plan with what it is of.
pub struct Resolved {
    /// The plan.
    pub plan: Plan,
    /// The machine's name.
    pub name: Option<String>,
    /// Its accelerators.
    pub accelerators: Option<u32>,
    /// What it draws, where energy is counted.
    pub draw: Option<Draw>,
}

/// Resolves a request.
///
/// # Errors
/// Usage faults of the fields, each naming its flag; names and prices that are not known.
pub fn resolve(
    request: &RentOrBuyRequest,
    from: Option<&Candidate>,
    book: &mut Book<'_>,
) -> Result<Resolved, Fault> {
    let gpu = match from.and_then(|from| from.machine.clone()) {
        Some(name) if request.gpu.is_empty() => vec![name],
        _ => request.gpu.clone(),
    };
    let named = machine::named(&gpu, request.nodes, book)?;
    let count = named.as_ref().map(Named::accelerators).filter(|count| *count > 0);
    let hours = month_hours(request.hours_per_month_convention)?;
    let rent = rent(request, from, named.as_ref(), book)?;
    let mut capital = capital(request, from, named.as_ref(), book)?;
    if let Some(network) = network(&request.own, named.as_ref(), capital, plain(request), book)? {
        capital = sum([capital, network])?;
    }
    let mut plan = Plan::bare(book.currency(), rent, capital);
    plan.hours_per_month = hours;
    plan.utilisation = utilisation(request, hours, book)?;
    plan.years = years(request, book)?;
    let class = named.as_ref().map_or(Class::Server, |named| named.class);
    let draw = own(request, named.as_ref(), class, &mut plan, book)?;
    rented(&request.rented, &mut plan, book)?;
    if plain(request) {
        let id = if request.bare { "assumed-cost-bare" } else { "assumed-cost-running-cost" };
        book.assume("bare", PLAIN_LINES, Text::new(id), Text::new("why-cost-asked"));
    }
    Ok(Resolved { plan, name: named.map(|named| named.machine.name), accelerators: count, draw })
}

/// Whether lines that are not given are off.
fn plain(request: &RentOrBuyRequest) -> bool {
    request.bare || request.running_cost.is_some()
}

fn out_of_range(code: &'static str, flag: &'static str, given: f64) -> Fault {
    Fault::usage(code).with("given", Arg::Number(given)).at(flag)
}

/// Hours of a month: as given, or 730.
///
/// # Errors
/// `hours-of-month`.
pub fn month_hours(given: Option<Plain>) -> Result<f64, Fault> {
    match given {
        None => Ok(crate::HOURS_PER_MONTH),
        Some(Plain(hours)) if (600.0..=800.0).contains(&hours) => Ok(hours),
        Some(Plain(hours)) => Err(out_of_range("hours-of-month", "--hours-per-month-convention", hours)),
    }
}

fn utilisation(request: &RentOrBuyRequest, hours: f64, book: &mut Book<'_>) -> Result<f64, Fault> {
    let (share, flag) = match (request.utilisation, request.hours_per_month, request.hours_per_day) {
        (Some(Share(share)), ..) => (share, "--utilisation"),
        (None, Some(Plain(month)), _) => (month / hours, "--hours-per-month"),
        (None, None, Some(Plain(day))) => (day / 24.0, "--hours-per-day"),
        (None, None, None) => return book.take("utilisation", Class::Server, Arg::Share),
    };
    if !share.is_finite() || share <= 0.0 || share > 1.0 {
        return Err(out_of_range("use-out-of-range", flag, share * 100.0));
    }
    book.vary("utilisation", share)?;
    Ok(share)
}

fn years(request: &RentOrBuyRequest, book: &mut Book<'_>) -> Result<f64, Fault> {
    match request.years {
        None => book.take("years", Class::Server, Arg::Number),
        Some(Plain(years)) if years > 0.0 && years <= MOST_YEARS => Ok(years),
        Some(Plain(years)) => Err(out_of_range("years-out-of-range", "--years", years)),
    }
}

/// Rent of the whole machine for an hour.
fn rent(
    request: &RentOrBuyRequest,
    from: Option<&Candidate>,
    named: Option<&Named>,
    book: &mut Book<'_>,
) -> Result<Decimal, Fault> {
    let count = named.map_or(1, Named::accelerators).max(1);
    let total = if let Some(price) = request.rent_total {
        book.positive("--rent-total", price, Some(Per::Hour))?
    } else if let Some(price) = request.rent {
        times(book.positive("--rent", price, Some(Per::Hour))?, f64::from(count))?
    } else if let Some(money) = from.and_then(|from| from.rent) {
        book.convert(money)?.amount
    } else {
        return rent_of_market(request.kind, named, book);
    };
    book.vary("rent", float(total))?;
    Ok(total)
}

/// The median of what providers ask.
fn rent_of_market(
    kind: Option<PriceKind>,
    named: Option<&Named>,
    book: &mut Book<'_>,
) -> Result<Decimal, Fault> {
    let missing = || Fault::usage("rent-missing").hint(Text::new("hint-rent-missing"));
    let named = named.ok_or_else(missing)?;
    let part = named.part.as_ref().ok_or_else(missing)?;
    let kind = kind.unwrap_or(PriceKind::OnDemand);
    let market = machine::market(&part.id, kind, book)?.ok_or_else(missing)?;
    let count = f64::from(named.accelerators());
    let text = Text::new("assumed-cost-rent")
        .with("price", market.median)
        .with("n", market.providers)
        .with("kind", kind.name());
    let why = Text::new("why-cost-rent")
        .with("low", market.low)
        .with("high", market.high)
        .with("from", market.oldest)
        .with("to", market.newest);
    book.assume("rent", market.median.as_f64(), text, why);
    for source in &market.sources {
        book.rests_on(source, market.newest.to_string());
    }
    book.spreads.push(Spread {
        input: "rent",
        low: market.low.as_f64() * count,
        high: market.high.as_f64() * count,
    });
    times(market.median.amount, count)
}

/// Purchase of the whole machine.
fn capital(
    request: &RentOrBuyRequest,
    from: Option<&Candidate>,
    named: Option<&Named>,
    book: &mut Book<'_>,
) -> Result<Decimal, Fault> {
    let count = named.map_or(1, Named::accelerators).max(1);
    let total = if let Some(price) = request.buy {
        book.positive("--buy", price, None)?
    } else if let Some(price) = request.buy_each {
        times(book.positive("--buy-each", price, None)?, f64::from(count))?
    } else if let Some(money) = from.and_then(|from| from.buy) {
        book.convert(money)?.amount
    } else {
        let missing = || Fault::usage("purchase-missing").hint(Text::new("hint-purchase-missing"));
        let named = named.ok_or_else(missing)?;
        return machine::purchase(named, book)?.ok_or_else(missing);
    };
    book.vary("buy", float(total))?;
    Ok(total)
}

/// Network, racks and spares beside the machines; assumed for more than one node whose purchase was not given whole.
fn network(
    own: &OwnRequest,
    named: Option<&Named>,
    capital: Decimal,
    plain: bool,
    book: &mut Book<'_>,
) -> Result<Option<Decimal>, Fault> {
    if let Some(price) = own.network_cost {
        return book.price("--network-cost", price, None).map(Some);
    }
    let several = named.is_some_and(|named| named.machine.nodes > 1);
    if plain || !several || book.assumed.iter().all(|note| note.name != "buy") {
        return Ok(None);
    }
    let share = book.take("network", Class::Server, Arg::Share)?;
    times(capital, share).map(Some)
}

/// The lines of owning.
fn own(
    request: &RentOrBuyRequest,
    named: Option<&Named>,
    class: Class,
    plan: &mut Plan,
    book: &mut Book<'_>,
) -> Result<Option<Draw>, Fault> {
    let own = &request.own;
    let off = plain(request);
    check_flat(request)?;
    plan.loan = own.loan;
    plan.discount = rate("discount", own.discount, off, class, book)?;
    plan.residual = residual(own.residual, off, plan.years, class, book)?;
    if let Some(price) = request.running_cost {
        plan.running_per_hour = book.price("--running-cost", price, Some(Per::Hour))?;
        book.vary("running_cost", float(plan.running_per_hour))?;
        return Ok(None);
    }
    plan.maintenance = rate("maintenance", own.maintenance, off, class, book)?;
    plan.failures = rate("failures", own.failures, off, class, book)?;
    staff(own, named, off, class, plan, book)?;
    let counted = own.tariff.is_some() || !off;
    if !counted && own.colo.is_none() {
        return Ok(None);
    }
    let draw = machine::draw(named, own.power, own.idle_power, book)?;
    let Some(draw) = draw else {
        book.assume("power", 0, Text::new("assumed-cost-no-power"), Text::new("why-cost-no-power"));
        return Ok(None);
    };
    space(own, off, class, &draw, plan, book)?;
    if !counted {
        return Ok(None);
    }
    let idle_counts = !off || own.idle_power.is_some();
    plan.work_w = draw.work_w;
    plan.idle_w = if idle_counts { draw.idle_w } else { 0.0 };
    plan.pue = pue(own.pue, off, class, book)?;
    plan.per_kwh = book.tariff(own.tariff.as_ref())?;
    thresholds(draw.most_w, book);
    Ok(Some(Draw { idle_w: plan.idle_w, ..draw }))
}

/// A flat running cost stands in the place of the itemised lines.
fn check_flat(request: &RentOrBuyRequest) -> Result<(), Fault> {
    let own = &request.own;
    let given = [
        ("--maintenance", own.maintenance.is_some()),
        ("--failures", own.failures.is_some()),
        ("--staff", own.staff.is_some()),
        ("--colo", own.colo.is_some()),
        ("--tariff", own.tariff.is_some()),
    ];
    match given.into_iter().find(|(_, given)| *given && request.running_cost.is_some()) {
        Some((flag, _)) => {
            Err(Fault::usage("flags-conflict").with("flag", flag).with("other", "--running-cost").at(flag))
        }
        None => Ok(()),
    }
}

fn rate(
    name: &'static str,
    given: Option<YearlyRate>,
    off: bool,
    class: Class,
    book: &mut Book<'_>,
) -> Result<f64, Fault> {
    match given {
        Some(YearlyRate(rate)) if rate < 0.0 => Err(Fault::usage("amount-negative")
            .with("given", format!("{}%", rate * 100.0))
            .at(format!("--{name}"))),
        Some(YearlyRate(rate)) => {
            book.vary(name, rate)?;
            Ok(rate)
        }
        None if off => Ok(0.0),
        None => book.take(name, class, Arg::Share),
    }
}

/// Worth at the end: as given, or by the usual decline a year, `(1 - d)^years`.
fn residual(
    given: Option<Share>,
    off: bool,
    years: f64,
    class: Class,
    book: &mut Book<'_>,
) -> Result<f64, Fault> {
    if let Some(Share(share)) = given {
        book.vary("residual", share)?;
        return Ok(share);
    }
    if off {
        return Ok(0.0);
    }
    let row = book.default("residual_decline", class)?;
    let left = |decline: f64| (1.0 - decline).powf(years);
    let (low, high) = (left(row.high), left(row.low));
    let decline = book.take("residual_decline", class, Arg::Share)?;
    book.spreads.push(Spread { input: "residual", low, high });
    Ok(left(decline))
}

fn staff(
    own: &OwnRequest,
    named: Option<&Named>,
    off: bool,
    class: Class,
    plan: &mut Plan,
    book: &mut Book<'_>,
) -> Result<(), Fault> {
    plan.staff = match own.staff {
        Some(Plain(people)) => {
            book.vary("staff", people)?;
            people
        }
        None if off => 0.0,
        None => {
            let nodes = named.map_or(1, |named| named.machine.nodes);
            let groups = if nodes > 1 {
                let group = book.take("staff_group", class, Arg::Number)?;
                (f64::from(nodes) / group).ceil()
            } else {
                1.0
            };
            let row = book.default("staff", class)?;
            let (low, high) = (row.low * groups, row.high * groups);
            let each = book.take("staff", class, Arg::Number)?;
            book.spreads.retain(|spread| spread.input != "staff");
            book.spreads.push(Spread { input: "staff", low, high });
            each * groups
        }
    };
    if let Some(price) = own.staff_cost {
        plan.staff_cost = book.price("--staff-cost", price, Some(Per::Year))?;
        book.vary("staff_cost", float(plan.staff_cost))?;
    } else if plan.staff > 0.0 {
        plan.staff_cost = book.take_money("staff_cost", class)?;
    }
    Ok(())
}

fn space(
    own: &OwnRequest,
    off: bool,
    class: Class,
    draw: &Draw,
    plan: &mut Plan,
    book: &mut Book<'_>,
) -> Result<(), Fault> {
    plan.space_kw = draw.most_w / 1000.0;
    if let Some(price) = own.colo {
        plan.space_per_kw_month = book.price("--colo", price, Some(Per::KwMonth))?;
        book.vary("colo", float(plan.space_per_kw_month))?;
    } else if !off {
        plan.space_per_kw_month = book.take_money("colo", class)?;
    }
    Ok(())
}

/// Power usage effectiveness: as given, 1 with `--bare`, else the usual.
///
/// # Errors
/// `pue-below-one`.
pub fn pue(given: Option<Plain>, off: bool, class: Class, book: &mut Book<'_>) -> Result<f64, Fault> {
    match given {
        Some(Plain(pue)) if (1.0..=5.0).contains(&pue) => {
            book.spreads.push(Spread { input: "pue", low: (pue - 0.15).max(1.0), high: pue + 0.15 });
            Ok(pue)
        }
        Some(Plain(pue)) => Err(out_of_range("pue-out-of-range", "--pue", pue)),
        None if off => Ok(1.0),
        None => book.take("pue", class, Arg::Number),
    }
}

/// Rules that ask something from a power on.
fn thresholds(most_w: f64, book: &mut Book<'_>) {
    let catalogue = book.catalogue;
    for row in catalogue.power_thresholds().iter().filter(|row| most_w >= row.power_w) {
        book.findings.push(
            Finding::new("power-threshold", Severity::Info, row.area.as_str())
                .with("power", Arg::Watts(most_w))
                .with("threshold", Arg::Watts(row.power_w))
                .with("rule", row.rule.as_str())
                .because("power_w", format!("{most_w:.0}"), row.source.as_str()),
        );
    }
}

/// The rent side beyond the price of an hour.
fn rented(rented: &RentRequest, plan: &mut Plan, book: &mut Book<'_>) -> Result<(), Fault> {
    if let Some(YearlyRate(path)) = rented.rent_path {
        plan.rent_growth = path;
        book.spreads.push(Spread { input: "rent_path", low: path - 0.1, high: path + 0.1 });
    } else {
        book.assume("rent_path", 0.0, Text::new("assumed-cost-rent-path"), Text::new("why-cost-rent-path"));
        book.spreads.push(Spread { input: "rent_path", low: -0.15, high: 0.1 });
    }
    plan.rent_all_hours = rented.all_hours;
    plan.rent_hours_per_used = billed(rented, book)?;
    let gb = |size: Option<maat_base::ByteSize>| size.map_or(0.0, |size| size.0.as_gb());
    let mut fixed = Vec::new();
    if rented.storage.is_some() {
        let price = match rented.storage_price {
            Some(price) => book.price("--storage-price", price, Some(Per::GbMonth))?,
            None => book.take_money("storage_price", Class::Server)?,
        };
        fixed.push(times(price, gb(rented.storage))?);
    }
    if rented.egress.is_some() {
        let price = match rented.egress_price {
            Some(price) => book.price("--egress-price", price, Some(Per::Gb))?,
            None => book.take_money("egress_price", Class::Server)?,
        };
        fixed.push(times(price, gb(rented.egress))?);
    }
    plan.rent_per_month = sum(fixed)?;
    Ok(())
}

/// Hours that are paid for each hour of work.
fn billed(rented: &RentRequest, book: &mut Book<'_>) -> Result<f64, Fault> {
    let hours = |period: Option<maat_base::Period>| period.map(|period| period.0 / HOUR_S);
    let sessions = match (hours(rented.minimum_billing), hours(rented.session)) {
        (None, _) => 1.0,
        (Some(_), None) => return Err(Fault::usage("session-missing").at("--minimum-billing")),
        (Some(_), Some(session)) if session <= 0.0 => {
            return Err(Fault::usage("session-zero").at("--session"));
        }
        (Some(least), Some(session)) => billed_per_used(session, least),
    };
    let Some(Plain(per_hour)) = rented.interruptions else { return Ok(sessions) };
    let checkpoint_every_h = match hours(rented.checkpoint_every) {
        Some(every) => every,
        None => {
            let text = Text::new("assumed-cost-checkpoint-every");
            book.assume("checkpoint_every", HOUR_S, text, Text::new("why-default"));
            1.0
        }
    };
    let spot = Interruptions {
        per_hour,
        checkpoint_every_h,
        checkpoint_overhead: rented.checkpoint_overhead.map_or(0.0, |share| share.0),
        restart_h: hours(rented.restart).unwrap_or(0.0),
    };
    Ok(sessions * spot.hours_per_used()?)
}

fn float(amount: Decimal) -> f64 {
    Money::new(amount, maat_base::Currency::Usd).as_f64()
}
