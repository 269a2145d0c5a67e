//! The months of a plan: what each costs, what all cost together, and when owning has paid for itself.

use maat_base::{Decimal, Fault};

use super::plan::{Plan, sum, times};

/// Most months that are looked ahead for a break-even: a century.
const MOST_MONTHS: u32 = 1200;

/// A month's payments: at the money of that month, and at what they are worth at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flow {
    /// Month; 0 is the day of the purchase.
    pub month: u32,
    /// Rent, at its worth at the start.
    pub rent: Decimal,
    /// Owning, at its worth at the start.
    pub own: Decimal,
    /// Rent in the money of the month.
    pub rent_nominal: Decimal,
    /// Owning in the money of the month.
    pub own_nominal: Decimal,
}

/// What owning costs by line, at its worth at the start.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Own {
    /// The purchase.
    pub capital: Decimal,
    /// What paying later costs beyond it.
    pub financing: Decimal,
    /// Upkeep, people, space, replacements.
    pub running: Decimal,
    /// Energy of the hours that it works.
    pub energy_used: Decimal,
    /// Energy of the hours that it waits.
    pub energy_idle: Decimal,
    /// What it is worth at the end; subtracted.
    pub residual: Decimal,
}

/// A plan, computed.
#[derive(Clone, Debug, PartialEq)]
pub struct Totals {
    /// Rent.
    pub rent: Decimal,
    /// Owning.
    pub own: Decimal,
    /// Owning by line.
    pub lines: Own,
    /// Hours of work, each at the worth of its month: what totals are divided by for a price of an hour.
    pub used_hours_worth: f64,
}

/// A month of a plan's years.
struct Month {
    /// From 0.
    number: u32,
    /// How much of it counts; below 1 only for the last.
    part: f64,
    /// What money at its end is worth at the start.
    worth: f64,
    last: bool,
}

fn months(plan: &Plan) -> impl Iterator<Item = Month> + '_ {
    let length = plan.months();
    let count = (length - 1e-9).ceil().max(1.0) as u32;
    (0..count).map(move |number| {
        let part = (length - f64::from(number)).min(1.0);
        Month { number, part, worth: plan.worth(f64::from(number) + part), last: number + 1 == count }
    })
}

/// Sums a plan up over its years. Months differ by a factor only, so the factors are summed, not the months.
///
/// # Errors
/// `money-too-large`.
pub fn totals(plan: &Plan) -> Result<Totals, Fault> {
    let costs = plan.monthly()?;
    let payment = plan.loan.as_ref().map(|loan| loan.payment(plan.capital)).transpose()?;
    let (mut all, mut rent, mut paid, mut left, mut end) = (0.0, 0.0, 0.0, 0.0, 1.0);
    for month in months(plan) {
        let worth = month.part * month.worth;
        all += worth;
        rent += worth * plan.rent_factor(month.number);
        if let Some(loan) = &plan.loan {
            paid += if month.number < loan.months { month.worth } else { 0.0 };
            left += if month.last { loan.owed(month.number + 1) * month.worth } else { 0.0 };
        }
        end = month.worth;
    }
    let repaid = match payment {
        Some(payment) => sum([times(payment, paid)?, times(plan.capital, left)?])?,
        None => plan.capital,
    };
    let lines = Own {
        capital: plan.capital,
        financing: sum([repaid, -plan.capital])?,
        running: times(costs.running, all)?,
        energy_used: times(costs.energy_used, all)?,
        energy_idle: times(costs.energy_idle, all)?,
        residual: times(plan.capital, plan.residual * end)?,
    };
    let own = [
        lines.capital,
        lines.financing,
        lines.running,
        lines.energy_used,
        lines.energy_idle,
        -lines.residual,
    ];
    Ok(Totals {
        rent: sum([times(costs.rent, rent)?, times(costs.rent_fixed, all)?])?,
        own: sum(own)?,
        lines,
        used_hours_worth: all * plan.hours_per_month * plan.utilisation,
    })
}

/// The payments of a plan by month, the day of the purchase first.
///
/// # Errors
/// `money-too-large`.
pub fn flows(plan: &Plan) -> Result<Vec<Flow>, Fault> {
    let costs = plan.monthly()?;
    let payment = plan.loan.as_ref().map(|loan| loan.payment(plan.capital)).transpose()?;
    let at_once = if plan.loan.is_some() { Decimal::ZERO } else { plan.capital };
    let mut flows = vec![Flow {
        month: 0,
        rent: Decimal::ZERO,
        own: at_once,
        rent_nominal: Decimal::ZERO,
        own_nominal: at_once,
    }];
    let lines = sum([costs.running, costs.energy_used, costs.energy_idle])?;
    for month in months(plan) {
        let grown = times(costs.rent, month.part * plan.rent_factor(month.number))?;
        let rent = sum([grown, times(costs.rent_fixed, month.part)?])?;
        let paid = loan_payment(plan, payment, month.number, month.last)?;
        let residual = if month.last { times(plan.capital, plan.residual)? } else { Decimal::ZERO };
        let own = sum([times(lines, month.part)?, paid, -residual])?;
        flows.push(Flow {
            month: month.number + 1,
            rent: times(rent, month.worth)?,
            own: times(own, month.worth)?,
            rent_nominal: rent,
            own_nominal: own,
        });
    }
    Ok(flows)
}

/// What is paid on the loan at the end of a month; what is still owed at the end of the years is paid then.
fn loan_payment(plan: &Plan, payment: Option<Decimal>, month: u32, last: bool) -> Result<Decimal, Fault> {
    let (Some(loan), Some(payment)) = (plan.loan.as_ref(), payment) else { return Ok(Decimal::ZERO) };
    let due = if month < loan.months { payment } else { Decimal::ZERO };
    let rest = if last { times(plan.capital, loan.owed(month + 1))? } else { Decimal::ZERO };
    sum([due, rest])
}

/// When owning has paid for itself. `None` where it never does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BreakEven {
    /// Calendar months until the cost that renting would have had each month beyond that of running one's own has paid
    /// for purchase and financing less residual value, at this use.
    pub months: Option<f64>,
    /// The same for the purchase alone, in the money of each month.
    pub payback_months: Option<f64>,
    /// The use at which both cost the same over the years.
    pub utilisation: Option<f64>,
    /// Saved in the first month, before the purchase; below zero where running one's own costs more than renting.
    pub saved_in_first_month: f64,
}

/// Computes the break-even of a plan.
///
/// # Errors
/// `money-too-large`.
pub fn break_even(plan: &Plan, totals: &Totals) -> Result<BreakEven, Fault> {
    let costs = plan.monthly()?;
    let number = |amount: Decimal| plan.money(amount).as_f64();
    let lines = &totals.lines;
    let owed = number(lines.capital) + number(lines.financing) - number(lines.residual);
    let own = number(costs.running) + number(costs.energy_used) + number(costs.energy_idle);
    let (rent, fixed) = (number(costs.rent), number(costs.rent_fixed));
    let saved = |month: u32| rent * plan.rent_factor(month) + fixed - own;
    let at_worth = |month: u32| saved(month) * plan.worth(f64::from(month + 1));
    Ok(BreakEven {
        months: until(owed, at_worth),
        payback_months: until(number(lines.capital), saved),
        utilisation: utilisation(plan)?,
        saved_in_first_month: saved(0),
    })
}

/// Months until what each month saves adds up to an amount; within a month in proportion.
fn until(amount: f64, saved: impl Fn(u32) -> f64) -> Option<f64> {
    if amount <= 0.0 {
        return Some(0.0);
    }
    let mut sum = 0.0;
    for month in 0..MOST_MONTHS {
        let more = saved(month);
        if more > 0.0 && sum + more >= amount {
            return Some(f64::from(month) + (amount - sum) / more);
        }
        sum += more;
    }
    None
}

/// The use at which renting and owning cost the same over the years. Both are straight lines of the use, so two points
/// of each give it. `None` where owning does not become cheaper with more use.
fn utilisation(plan: &Plan) -> Result<Option<f64>, Fault> {
    let at = |utilisation: f64| -> Result<(f64, f64), Fault> {
        let all = totals(&Plan { utilisation, ..plan.clone() })?;
        Ok((plan.money(all.rent).as_f64(), plan.money(all.own).as_f64()))
    };
    let (rent_0, own_0) = at(0.0)?;
    let (rent_1, own_1) = at(1.0)?;
    let gain = (rent_1 - rent_0) - (own_1 - own_0);
    let behind = own_0 - rent_0;
    if behind <= 0.0 {
        return Ok(Some(0.0));
    }
    Ok((gain > 0.0).then(|| behind / gain))
}
