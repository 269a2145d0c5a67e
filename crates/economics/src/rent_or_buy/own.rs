//! What owning costs, line by line: as given, off, or as is usual.

use maat_base::{Arg, Fault, Finding, Severity, Share, Text};

use super::plain as plain_number;
use super::plan::Plan;
use super::request::{OwnRequest, RentOrBuyRequest};
use super::resolve::{float, out_of_range, plain};
use super::sensitivity::Spread;
use crate::book::{Book, Class};
use crate::input::{Per, Plain, YearlyRate};
use crate::machine::{self, Draw, Named};

/// The lines of owning.
pub fn own(
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
                let group = book.take("staff_group", class, plain_number)?;
                (f64::from(nodes) / group).ceil()
            } else {
                1.0
            };
            let row = book.default("staff", class)?;
            let (low, high) = (row.low * groups, row.high * groups);
            let each = book.take("staff", class, Arg::Share)?;
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
