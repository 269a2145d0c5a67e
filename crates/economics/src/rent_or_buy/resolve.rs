//! From a request to a plan, with every input that nobody gave listed.

use maat_base::{Arg, Decimal, Fault, Money, Share, Text};

use super::from::Candidate;
use super::own::own;
use super::plain as plain_number;
use super::plan::{Plan, sum, times};
use super::rent::{rent, rented};
use super::request::{OwnRequest, RentOrBuyRequest};
use crate::book::{Book, Class};
use crate::input::Plain;
use crate::machine::{self, Draw, Named};

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
    vat(request.vat, &mut plan, book)?;
    if plain(request) {
        let id = if request.bare { "assumed-cost-bare" } else { "assumed-cost-running-cost" };
        book.assume("bare", PLAIN_LINES, Text::new(id), Text::new("why-cost-asked"));
    }
    Ok(Resolved { plan, name: named.map(|named| named.machine.name), accelerators: count, draw })
}

/// Inputs of the sensitivity list that are prices.
const PRICES: [&str; 5] = ["rent", "buy", "colo", "tariff", "running_cost"];

/// Value added tax: on all prices where given, else prices are without it and the answer says so.
fn vat(given: Option<Share>, plan: &mut Plan, book: &mut Book<'_>) -> Result<(), Fault> {
    let Some(Share(vat)) = given else {
        book.assume("vat", 0.0, Text::new("assumed-cost-vat"), Text::new("why-cost-vat"));
        return Ok(());
    };
    if !(0.0..=0.5).contains(&vat) {
        return Err(out_of_range("vat-out-of-range", "--vat", vat * 100.0));
    }
    let taxed = book.tariff_taxed;
    let bears = |input: &str| PRICES.contains(&input) && !(taxed && input == "tariff");
    for spread in book.spreads.iter_mut().filter(|spread| bears(spread.input)) {
        (spread.low, spread.high) = (spread.low * (1.0 + vat), spread.high * (1.0 + vat));
    }
    let per_kwh = plan.per_kwh;
    plan.tax(vat)?;
    if taxed {
        plan.per_kwh = per_kwh;
    }
    Ok(())
}

/// Whether lines that are not given are off.
pub fn plain(request: &RentOrBuyRequest) -> bool {
    request.bare || request.running_cost.is_some()
}

/// A usage fault of a number that makes no sense.
pub fn out_of_range(code: &'static str, flag: &'static str, given: f64) -> Fault {
    Fault::usage(code).with("given", plain_number(given)).at(flag)
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
        None => book.take("years", Class::Server, plain_number),
        Some(Plain(years)) if years > 0.0 && years <= MOST_YEARS => Ok(years),
        Some(Plain(years)) => Err(out_of_range("years-out-of-range", "--years", years)),
    }
}

/// Purchase of the whole machine.
pub fn capital(
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

/// An amount as a float, for formulas.
pub fn float(amount: Decimal) -> f64 {
    Money::new(amount, maat_base::Currency::Usd).as_f64()
}
