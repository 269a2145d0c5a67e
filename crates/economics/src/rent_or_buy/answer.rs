//! What the comparison of renting and buying answers, field by field as the contract has it.

use maat_base::{Currency, Money, Text};
use serde::Serialize;

use super::sensitivity::{Ends, Sensitivity};

/// What `cost rent-or-buy` answers. Money is in `currency`; with a discount, totals are worth at the start.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RentOrBuyBody {
    /// The machine, as it was named.
    pub machine: Option<String>,
    /// Its accelerators, of all nodes.
    pub accelerators: Option<u32>,
    /// Currency of all money.
    pub currency: Currency,
    /// Rent of one accelerator for an hour, in the first year.
    pub rent_per_accelerator_hour: Option<Money>,
    /// Rent of the whole machine for an hour, in the first year.
    pub rent_per_hour: Money,
    /// Purchase of the whole machine.
    pub buy_total: Money,
    /// Years that are compared.
    pub years: f64,
    /// All hours of these years.
    pub horizon_hours: f64,
    /// Hours that it works.
    pub used_hours: f64,
    /// Rent of these years.
    pub total_rent: Money,
    /// Its ends, from the ends of all inputs together.
    pub total_rent_range: Ends,
    /// Cost of owning over these years.
    pub total_own: Money,
    /// Its ends.
    pub total_own_range: Ends,
    /// Owning by line; `capital + financing + running + energy_used + energy_idle - residual = total_own`.
    pub own: OwnLines,
    /// Prices of an hour of work.
    pub hourly_at_utilisation: HourlyAtUtilisation,
    /// Means of a month over these years; with a discount at its worth, as the totals are.
    pub monthly: MonthlyMeans,
    /// Total rent less total cost of owning, from the low and the high end of all inputs together: where it holds zero, a
    /// quote decides.
    pub advantage_of_owning_range: Ends,
    /// When both cost the same.
    pub break_even: BreakEvenView,
    /// Power of the machine, where energy is counted.
    pub power: PowerView,
    /// Every input that the answer is computed from.
    pub inputs: InputsView,
    /// Payments by month; `rent` and `own` sum to the totals.
    pub cash_flow: Vec<CashFlow>,
    /// Inputs by what they do to the difference, the strongest first.
    pub sensitivity: Vec<Sensitivity>,
    /// Prices of an hour of work over the use.
    pub curve: Vec<CurvePoint>,
}

/// Owning by line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the contract defines the fields")]
pub struct OwnLines {
    pub capital: Money,
    pub financing: Money,
    pub running: Money,
    pub energy_used: Money,
    pub energy_idle: Money,
    pub residual: Money,
}

/// Prices of an hour of work at a use.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the contract defines the fields")]
pub struct HourlyAtUtilisation {
    pub utilisation: f64,
    pub rent: Money,
    pub own: Money,
}

/// Means of a month.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MonthlyMeans {
    /// Renting.
    pub rent: Money,
    /// Owning, with the purchase less its worth at the end spread over all months.
    pub own: Money,
}

/// When renting and owning cost the same.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BreakEvenView {
    /// Hours of work until then, at this use.
    pub used_hours: Option<f64>,
    /// Calendar months until then, at this use.
    pub months: Option<f64>,
    /// The ends of the months.
    pub months_range: Ends,
    /// Hours a day at which both cost the same over the years; above 24 where none suffice.
    pub hours_per_day: Option<f64>,
    /// The same as a share of all hours; may exceed 1, nothing where owning never wins.
    pub utilisation: Option<f64>,
    /// Its ends.
    pub utilisation_range: Ends,
    /// Months until what is saved each month repays the purchase.
    pub payback_months: Option<f64>,
    /// How this came about, or why there is none.
    pub why: Text,
}

/// What the machine draws; nothing where its energy is not counted.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct PowerView {
    pub work_w: Option<f64>,
    pub idle_w: Option<f64>,
    pub pue: Option<f64>,
    pub kwh_per_year: Option<f64>,
}

/// The inputs of a plan beside price, rent, use and years. Money is in the answer's currency; what is off is 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names are those of a plan")]
pub struct InputsView {
    pub rent_path: f64,
    pub rent_hours_per_used: f64,
    pub rent_all_hours: bool,
    pub rent_per_month: f64,
    pub hours_per_month: f64,
    pub running_per_hour: f64,
    pub maintenance: f64,
    pub failures: f64,
    pub staff: f64,
    pub staff_cost: f64,
    pub space_per_kw_month: f64,
    pub space_kw: f64,
    pub work_w: f64,
    pub idle_w: f64,
    pub pue: f64,
    pub per_kwh: f64,
    pub residual: f64,
    pub discount: f64,
    pub loan_rate: f64,
    pub loan_months: f64,
    pub vat: f64,
}

/// Payments of a month.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CashFlow {
    /// Month; 0 is the day of the purchase.
    pub month: u32,
    /// Rent, at its worth at the start.
    pub rent: Money,
    /// Owning, at its worth at the start.
    pub own: Money,
    /// Rent in the money of the month.
    pub rent_nominal: Money,
    /// Owning in the money of the month.
    pub own_nominal: Money,
}

/// Prices of an hour of work at one use.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct CurvePoint {
    pub utilisation: f64,
    pub rent: f64,
    pub own: f64,
}
