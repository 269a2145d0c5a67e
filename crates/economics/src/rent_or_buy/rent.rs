//! What renting costs: the price of an hour, and what is paid beyond the hours of work.

use maat_base::{Decimal, Fault, Text};
use maat_catalogue::PriceKind;

use super::from::Candidate;
use super::plan::{Plan, sum, times};
use super::request::{RentOrBuyRequest, RentRequest};
use super::resolve::float;
use super::sensitivity::Spread;
use crate::book::{Book, Class};
use crate::input::{Per, Plain, YearlyRate};
use crate::machine::{self, Named};
use crate::spot::{Interruptions, billed_per_used};

/// Seconds of an hour.
const HOUR_S: f64 = 3600.0;

/// Rent of the whole machine for an hour.
pub fn rent(
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
        .with("kind", Text::named(format!("kind-{}", kind.name())));
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

/// The rent side beyond the price of an hour.
pub fn rented(rented: &RentRequest, plan: &mut Plan, book: &mut Book<'_>) -> Result<(), Fault> {
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
    let checkpoint_every_h = if let Some(every) = hours(rented.checkpoint_every) {
        every
    } else {
        let text = Text::new("assumed-cost-checkpoint-every");
        book.assume("checkpoint_every", HOUR_S, text, Text::new("why-default"));
        1.0
    };
    let spot = Interruptions {
        per_hour,
        checkpoint_every_h,
        checkpoint_overhead: rented.checkpoint_overhead.map_or(0.0, |share| share.0),
        restart_h: hours(rented.restart).unwrap_or(0.0),
    };
    Ok(sessions * spot.hours_per_used()?)
}
