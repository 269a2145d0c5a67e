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
    /// Months, the day of the purchase first.
    pub flows: Vec<Flow>,
    /// Hours of work, each at the worth of its month: what totals are divided by for a price of an hour.
    pub used_hours_worth: f64,
}

/// Sums a plan up over its years.
///
/// # Errors
/// `money-too-large`.
pub fn totals(plan: &Plan) -> Result<Totals, Fault> {
    let costs = plan.monthly()?;
    let length = plan.months();
    let count = (length - 1e-9).ceil().max(1.0) as u32;
    let payment = plan.loan.as_ref().map(|loan| loan.payment(plan.capital)).transpose()?;
    let at_once = if plan.loan.is_some() { Decimal::ZERO } else { plan.capital };
    let start = Flow {
        month: 0,
        rent: Decimal::ZERO,
        own: at_once,
        rent_nominal: Decimal::ZERO,
        own_nominal: at_once,
    };
    let mut flows = vec![start];
    let mut lines = Own { capital: plan.capital, ..Own::default() };
    let mut repaid = at_once;
    let mut used_hours_worth = 0.0;
    for month in 0..count {
        let part = (length - f64::from(month)).min(1.0);
        let end = f64::from(month) + part;
        let worth = plan.worth(end);
        let rent = sum([times(costs.rent, part * plan.rent_factor(month))?, times(costs.rent_fixed, part)?])?;
        let [running, energy_used, energy_idle] =
            [costs.running, costs.energy_used, costs.energy_idle].map(|amount| times(amount, part));
        let (running, energy_used, energy_idle) = (running?, energy_used?, energy_idle?);
        let last = month + 1 == count;
        let paid = loan_payment(plan, payment, month, last)?;
        let residual = if last { times(plan.capital, plan.residual)? } else { Decimal::ZERO };
        let own = sum([running, energy_used, energy_idle, paid, -residual])?;
        lines.running = sum([lines.running, times(running, worth)?])?;
        lines.energy_used = sum([lines.energy_used, times(energy_used, worth)?])?;
        lines.energy_idle = sum([lines.energy_idle, times(energy_idle, worth)?])?;
        lines.residual = sum([lines.residual, times(residual, worth)?])?;
        repaid = sum([repaid, times(paid, worth)?])?;
        used_hours_worth += part * plan.hours_per_month * plan.utilisation * worth;
        flows.push(Flow {
            month: month + 1,
            rent: times(rent, worth)?,
            own: times(own, worth)?,
            rent_nominal: rent,
            own_nominal: own,
        });
    }
    lines.financing = sum([repaid, -plan.capital])?;
    Ok(Totals {
        rent: sum(flows.iter().map(|flow| flow.rent))?,
        own: sum(flows.iter().map(|flow| flow.own))?,
        lines,
        flows,
        used_hours_worth,
    })
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
