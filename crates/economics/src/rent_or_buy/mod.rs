//! Rent or buy: what both cost over some years, when buying pays, and what the answer hangs on.
//!
//! A plan's months are laid out one by one; totals are their sums. With a discount the money of a later month is worth
//! less: the end of month `k` counts `(1 + discount)^-(k / 12)`. Own fixed costs run all hours, the rent only the hours
//! that are used (unless it is a commitment).

mod answer;
mod flow;
mod from;
mod own;
mod plan;
mod rent;
mod request;
mod resolve;
mod sensitivity;

pub use answer::{
    BreakEvenView, CashFlow, CurvePoint, HourlyAtUtilisation, InputsView, MonthlyMeans, OwnLines, PowerView,
    RentOrBuyBody,
};
pub use flow::{BreakEven, Flow, Own, Totals, break_even, flows, totals};
pub use from::{Candidate, candidate};
pub(crate) use own::pue;
pub use plan::{MonthlyCosts, Plan};
pub(crate) use plan::{sum, times};
pub(crate) use rent::rent;
pub use request::{OwnRequest, RentOrBuyRequest, RentRequest};
pub(crate) use resolve::{Resolved, capital, month_hours, resolve};
pub(crate) use sensitivity::ends_of;
pub use sensitivity::{Ends, Ranges, Sensitivity, Spread, sensitivity};

use maat_base::{Answer, Arg, Decimal, Fault, Money, Text, Verdict};
use maat_catalogue::{Catalogue, Terms};

use crate::book::Book;

/// Uses at which the curve is drawn.
const CURVE: [f64; 20] = [
    0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95,
    1.0,
];
/// Totals that lie within this share of each other are called even.
const EVEN: f64 = 0.02;

/// Answers whether renting or buying is cheaper. `from` is the text of an answer of `advise`, where one was given.
///
/// # Errors
/// Usage faults of the fields, each naming its flag; names and prices that are not known; an unreadable answer.
pub fn rent_or_buy(
    request: &RentOrBuyRequest,
    from: Option<&str>,
    catalogue: &Catalogue,
    terms: &Terms,
) -> Result<Answer<RentOrBuyBody>, Fault> {
    let mut book = Book::new(catalogue, terms);
    let from = from.map(candidate).transpose()?;
    let resolved = resolve(request, from.as_ref(), &mut book)?;
    let plan = &resolved.plan;
    let all = totals(plan)?;
    let even = break_even(plan, &all)?;
    let (ranking, ranges) = sensitivity(plan, &book.spreads)?;
    let body = body(&resolved, &all, &even, ranking, &ranges)?;
    let mut answer = Answer::new("cost rent-or-buy", verdict(&body), body);
    answer.sources = book.sources();
    answer.assumed = book.assumed;
    answer.findings = book.findings;
    answer.findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    Ok(answer)
}

fn body(
    resolved: &Resolved,
    all: &Totals,
    even: &BreakEven,
    sensitivity: Vec<Sensitivity>,
    ranges: &Ranges,
) -> Result<RentOrBuyBody, Fault> {
    let plan = &resolved.plan;
    let money = |amount: Decimal| plan.money(amount);
    let each = resolved.accelerators.map(|count| plan.rent_per_hour.checked_div(Decimal::from(count)));
    let used_hours = plan.horizon_hours() * plan.utilisation;
    let flows = flows(plan)?;
    Ok(RentOrBuyBody {
        machine: resolved.name.clone(),
        accelerators: resolved.accelerators,
        currency: plan.currency,
        rent_per_accelerator_hour: each.flatten().map(money),
        rent_per_hour: money(plan.rent_per_hour),
        buy_total: money(plan.capital),
        years: plan.years,
        horizon_hours: plan.horizon_hours(),
        used_hours,
        total_rent: money(all.rent),
        total_rent_range: ranges.rent,
        total_own: money(all.own),
        total_own_range: ranges.own,
        own: OwnLines {
            capital: money(all.lines.capital),
            financing: money(all.lines.financing),
            running: money(all.lines.running),
            energy_used: money(all.lines.energy_used),
            energy_idle: money(all.lines.energy_idle),
            residual: money(all.lines.residual),
        },
        hourly_at_utilisation: HourlyAtUtilisation {
            utilisation: plan.utilisation,
            rent: money(times(all.rent, 1.0 / all.used_hours_worth)?),
            own: money(times(all.own, 1.0 / all.used_hours_worth)?),
        },
        monthly: monthly(plan, all)?,
        advantage_of_owning_range: ranges.advantage,
        break_even: break_even_view(plan, all, even, ranges),
        power: power(resolved),
        inputs: inputs(plan),
        cash_flow: flows
            .iter()
            .map(|flow| CashFlow {
                month: flow.month,
                rent: money(flow.rent),
                own: money(flow.own),
                rent_nominal: money(flow.rent_nominal),
                own_nominal: money(flow.own_nominal),
            })
            .collect(),
        sensitivity,
        curve: curve(plan)?,
    })
}

/// Means of a month, each at its worth at the start, so that they compare as the totals do.
fn monthly(plan: &Plan, all: &Totals) -> Result<MonthlyMeans, Fault> {
    let months = all.used_hours_worth / (plan.hours_per_month * plan.utilisation);
    Ok(MonthlyMeans {
        rent: plan.money(times(all.rent, 1.0 / months)?),
        own: plan.money(times(all.own, 1.0 / months)?),
    })
}

fn break_even_view(plan: &Plan, all: &Totals, even: &BreakEven, ranges: &Ranges) -> BreakEvenView {
    let hours = |months: f64| months * plan.hours_per_month * plan.utilisation;
    BreakEvenView {
        used_hours: even.months.map(hours),
        months: even.months,
        months_range: ranges.months,
        hours_per_day: even.utilisation.map(|share| share * 24.0),
        utilisation: even.utilisation,
        utilisation_range: ranges.utilisation,
        payback_months: even.payback_months,
        why: why(plan, all, even),
    }
}

/// How the break-even came about, or why there is none.
fn why(plan: &Plan, all: &Totals, even: &BreakEven) -> Text {
    let float = |amount: Decimal| plan.money(amount).as_f64();
    let money = |amount: f64| Arg::Money(amount, plan.currency.code().to_owned());
    let lines = &all.lines;
    let owed = float(lines.capital) + float(lines.financing) - float(lines.residual);
    let saved = even.saved_in_first_month;
    let of = |id: &'static str| Text::new(id).with("owed", money(owed)).with("saved", money(saved));
    match (even.months, even.utilisation) {
        (Some(_), _) => of("cost-why-even"),
        (None, Some(_)) => of("cost-why-not-at-this-use").with("use", Arg::Share(plan.utilisation)),
        (None, None) => of("cost-why-never"),
    }
}

fn inputs(plan: &Plan) -> InputsView {
    let float = |amount: Decimal| plan.money(amount).as_f64();
    InputsView {
        rent_path: plan.rent_growth,
        rent_hours_per_used: plan.rent_hours_per_used,
        rent_all_hours: plan.rent_all_hours,
        rent_per_month: float(plan.rent_per_month),
        hours_per_month: plan.hours_per_month,
        running_per_hour: float(plan.running_per_hour),
        maintenance: plan.maintenance,
        failures: plan.failures,
        staff: plan.staff,
        staff_cost: float(plan.staff_cost),
        space_per_kw_month: float(plan.space_per_kw_month),
        space_kw: plan.space_kw,
        work_w: plan.work_w,
        idle_w: plan.idle_w,
        pue: plan.pue,
        per_kwh: float(plan.per_kwh),
        residual: plan.residual,
        discount: plan.discount,
        loan_rate: plan.loan.map_or(0.0, |loan| loan.rate),
        loan_months: plan.loan.map_or(0.0, |loan| f64::from(loan.months)),
        vat: plan.vat,
    }
}

fn power(resolved: &Resolved) -> PowerView {
    let Some(draw) = resolved.draw else {
        return PowerView { work_w: None, idle_w: None, pue: None, kwh_per_year: None };
    };
    let plan = &resolved.plan;
    let mean_w = draw.work_w * plan.utilisation + draw.idle_w * (1.0 - plan.utilisation);
    PowerView {
        work_w: Some(draw.work_w),
        idle_w: Some(draw.idle_w),
        pue: Some(plan.pue),
        kwh_per_year: Some(mean_w / 1000.0 * plan.pue * plan.hours_per_month * plan::MONTHS),
    }
}

/// Prices of an hour of work over the use.
fn curve(plan: &Plan) -> Result<Vec<CurvePoint>, Fault> {
    let point = |utilisation: f64| {
        let all = totals(&Plan { utilisation, ..plan.clone() })?;
        let hourly = |amount: Decimal| plan.money(amount).as_f64() / all.used_hours_worth;
        Ok(CurvePoint { utilisation, rent: hourly(all.rent), own: hourly(all.own) })
    };
    CURVE.into_iter().map(point).collect()
}

/// A number without decimals where it has none.
pub(crate) fn plain(value: f64) -> Arg {
    if value.fract() == 0.0 && (0.0..1e15).contains(&value) {
        Arg::Count(value as u64)
    } else {
        Arg::Number(value)
    }
}

/// The answer in one word and one sentence.
fn verdict(body: &RentOrBuyBody) -> Verdict {
    let (rent, own) = (body.total_rent.as_f64(), body.total_own.as_f64());
    let code = if (rent - own).abs() <= EVEN * rent.max(own) {
        "even"
    } else if rent < own {
        "rent"
    } else {
        "own"
    };
    let even = body.break_even.utilisation;
    let id = match (code, even) {
        ("even", _) => "cost-verdict-even",
        ("rent", None) => "cost-verdict-rent-always",
        ("rent", Some(even)) if even > 1.0 => "cost-verdict-rent-full",
        ("rent", Some(_)) => "cost-verdict-rent",
        (_, Some(0.0)) => "cost-verdict-own-always",
        _ => "cost-verdict-own",
    };
    let money = |money: Money| Arg::from(money);
    let text = Text::named(id.to_owned())
        .with("years", plain(body.years))
        .with("use", Arg::Share(body.hourly_at_utilisation.utilisation))
        .with("rent", money(body.total_rent))
        .with("own", money(body.total_own))
        .with("even", Arg::Share(even.unwrap_or_default()));
    Verdict { ok: Some(true), code: code.into(), text }
}
