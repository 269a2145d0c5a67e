//! Which inputs the answer hangs on: each is moved to its low and its high end alone.

use maat_base::{Decimal, Fault, Money};
use serde::Serialize;

use super::flow::{break_even, totals};
use super::plan::Plan;

/// How far an input may lie from what was taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Name of the input.
    pub input: &'static str,
    /// Its low end.
    pub low: f64,
    /// Its high end.
    pub high: f64,
}

/// What an input does to the answer.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Sensitivity {
    /// Name of the input.
    pub input: &'static str,
    /// Its low end, in its own unit.
    pub low: f64,
    /// Its high end.
    pub high: f64,
    /// How far the difference of the totals moves between the two.
    pub effect: Money,
    /// Total rent less total cost of owning at the low end.
    pub advantage_of_owning_at_low: Money,
    /// The same at the high end.
    pub advantage_of_owning_at_high: Money,
}

/// A figure's low and high end, from all inputs together; `None` where an end leads to "never".
pub type Ends = [Option<f64>; 2];

/// What all inputs together leave open, taken as independent (roots of sums of squares).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ranges {
    /// Of the total rent.
    pub rent: Ends,
    /// Of the total cost of owning.
    pub own: Ends,
    /// Of the use at which both cost the same.
    pub utilisation: Ends,
    /// Of the months to break-even.
    pub months: Ends,
    /// Of total rent less total cost of owning.
    pub advantage: Ends,
}

/// How an input of a plan is read and set.
struct Input {
    name: &'static str,
    get: fn(&Plan) -> f64,
    set: fn(&mut Plan, f64),
}

fn float(amount: Decimal) -> f64 {
    Money::new(amount, maat_base::Currency::Usd).as_f64()
}

fn decimal(value: f64) -> Decimal {
    Decimal::from_f64_retain(value).unwrap_or_default().round_dp(12)
}

/// The inputs that may be moved.
const INPUTS: &[Input] = &[
    Input { name: "rent", get: |p| float(p.rent_per_hour), set: |p, v| p.rent_per_hour = decimal(v) },
    Input { name: "rent_path", get: |p| p.rent_growth, set: |p, v| p.rent_growth = v },
    Input { name: "buy", get: |p| float(p.capital), set: |p, v| p.capital = decimal(v) },
    Input { name: "utilisation", get: |p| p.utilisation, set: |p, v| p.utilisation = v.min(1.0) },
    Input { name: "years", get: |p| p.years, set: |p, v| p.years = v },
    Input { name: "residual", get: |p| p.residual, set: |p, v| p.residual = v.min(1.0) },
    Input { name: "discount", get: |p| p.discount, set: |p, v| p.discount = v },
    Input { name: "maintenance", get: |p| p.maintenance, set: |p, v| p.maintenance = v },
    Input { name: "failures", get: |p| p.failures, set: |p, v| p.failures = v },
    Input { name: "staff", get: |p| p.staff, set: |p, v| p.staff = v },
    Input { name: "staff_cost", get: |p| float(p.staff_cost), set: |p, v| p.staff_cost = decimal(v) },
    Input {
        name: "colo",
        get: |p| float(p.space_per_kw_month),
        set: |p, v| p.space_per_kw_month = decimal(v),
    },
    Input { name: "power", get: |p| p.work_w, set: |p, v| p.work_w = v },
    Input { name: "idle_power", get: |p| p.idle_w, set: |p, v| p.idle_w = v },
    Input { name: "pue", get: |p| p.pue, set: |p, v| p.pue = v.max(1.0) },
    Input { name: "tariff", get: |p| float(p.per_kwh), set: |p, v| p.per_kwh = decimal(v) },
    Input {
        name: "running_cost",
        get: |p| float(p.running_per_hour),
        set: |p, v| p.running_per_hour = decimal(v),
    },
];

/// The figures that are followed.
#[derive(Clone, Copy)]
struct Figures {
    rent: f64,
    own: f64,
    utilisation: Option<f64>,
    months: Option<f64>,
}

fn figures(plan: &Plan) -> Result<Figures, Fault> {
    let all = totals(plan)?;
    let even = break_even(plan, &all)?;
    Ok(Figures {
        rent: float(all.rent),
        own: float(all.own),
        utilisation: even.utilisation,
        months: even.months,
    })
}

/// Moves every input that has a spread; gives the ranking, the strongest first, and what all leave open together.
///
/// # Errors
/// `money-too-large`.
pub fn sensitivity(plan: &Plan, spreads: &[Spread]) -> Result<(Vec<Sensitivity>, Ranges), Fault> {
    let base = figures(plan)?;
    let mut ranking = Vec::new();
    let mut open = [Span::default(); 5];
    for spread in spreads {
        let Some(input) = INPUTS.iter().find(|input| input.name == spread.input) else { continue };
        if (input.get)(plan) == spread.low && spread.low == spread.high {
            continue;
        }
        let at = |value: f64| {
            let mut moved = plan.clone();
            (input.set)(&mut moved, value);
            figures(&moved)
        };
        let (low, high) = (at(spread.low)?, at(spread.high)?);
        let advantage = |at: Figures| at.rent - at.own;
        let money = |value: f64| Money::new(decimal(value), plan.currency);
        ranking.push(Sensitivity {
            input: input.name,
            low: spread.low,
            high: spread.high,
            effect: money((advantage(high) - advantage(low)).abs()),
            advantage_of_owning_at_low: money(advantage(low)),
            advantage_of_owning_at_high: money(advantage(high)),
        });
        for end in [low, high] {
            open[0].widen(Some(base.rent), Some(end.rent));
            open[1].widen(Some(base.own), Some(end.own));
            open[2].widen(base.utilisation, end.utilisation);
            open[3].widen(base.months, end.months);
            open[4].widen(Some(advantage(base)), Some(advantage(end)));
        }
    }
    ranking.sort_by_key(|one| std::cmp::Reverse(one.effect.amount));
    let ranges = Ranges {
        rent: open[0].ends(Some(base.rent)),
        own: open[1].ends(Some(base.own)),
        utilisation: open[2].ends(base.utilisation),
        months: open[3].ends(base.months),
        advantage: open[4].around(base.rent - base.own),
    };
    Ok((ranking, ranges))
}

/// The ends of any figure of a plan, each input moved alone and taken as independent.
///
/// # Errors
/// Those of the figure.
pub fn ends_of(
    plan: &Plan,
    spreads: &[Spread],
    figure: &dyn Fn(&Plan) -> Result<f64, Fault>,
) -> Result<Ends, Fault> {
    let base = figure(plan)?;
    let mut open = Span::default();
    for spread in spreads {
        let Some(input) = INPUTS.iter().find(|input| input.name == spread.input) else { continue };
        for value in [spread.low, spread.high] {
            let mut moved = plan.clone();
            (input.set)(&mut moved, value);
            open.widen(Some(base), Some(figure(&moved)?));
        }
    }
    Ok(open.around(base))
}

/// Squares of what a figure moves down and up; whether it may become "never".
#[derive(Clone, Copy, Default)]
struct Span {
    down: f64,
    up: f64,
    never: bool,
}

impl Span {
    fn widen(&mut self, base: Option<f64>, end: Option<f64>) {
        match (base, end) {
            (Some(base), Some(end)) if end < base => self.down += (base - end).powi(2),
            (Some(base), Some(end)) => self.up += (end - base).powi(2),
            (Some(_), None) => self.never = true,
            (None, _) => {}
        }
    }

    /// The ends around a figure that may lie below zero.
    fn around(self, base: f64) -> Ends {
        [Some(base - self.down.sqrt()), Some(base + self.up.sqrt())]
    }

    fn ends(self, base: Option<f64>) -> Ends {
        let Some(base) = base else { return [None, None] };
        [Some((base - self.down.sqrt()).max(0.0)), (!self.never).then(|| base + self.up.sqrt())]
    }
}
