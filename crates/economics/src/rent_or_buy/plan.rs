//! All that a comparison of renting and owning is computed from, in one currency, and what a month of each costs.

use maat_base::{Currency, Decimal, Fault, Money};

use crate::input::Loan;

/// Months of a year.
pub const MONTHS: f64 = 12.0;

/// A machine, what renting and owning it cost, and how much it is used. All money is in `currency`.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The currency of every amount.
    pub currency: Currency,
    /// Rent of the whole machine for an hour, in the first year.
    pub rent_per_hour: Decimal,
    /// What the rent grows by a year, in steps of a year.
    pub rent_growth: f64,
    /// Whether all hours are rented (a commitment), or the used ones.
    pub rent_all_hours: bool,
    /// Hours that are paid for each hour of work: minimum billing, lost work of interruptions.
    pub rent_hours_per_used: f64,
    /// Rent-side costs of a month that hang on no hours: storage, egress.
    pub rent_per_month: Decimal,
    /// Purchase of the whole machine.
    pub capital: Decimal,
    /// Share of all hours that it works.
    pub utilisation: f64,
    /// Years that are compared.
    pub years: f64,
    /// Hours of a month; a year has twelve of these months.
    pub hours_per_month: f64,
    /// One flat figure for all hours in the place of the itemised lines.
    pub running_per_hour: Decimal,
    /// Upkeep a year, as a share of the purchase.
    pub maintenance: f64,
    /// What is replaced a year, as a share of the purchase.
    pub failures: f64,
    /// People.
    pub staff: f64,
    /// What one of them costs a year.
    pub staff_cost: Decimal,
    /// Price of space for a kW and month.
    pub space_per_kw_month: Decimal,
    /// kW that space is paid for.
    pub space_kw: f64,
    /// Watts while it works.
    pub work_w: f64,
    /// Watts while it waits.
    pub idle_w: f64,
    /// Power usage effectiveness of the place.
    pub pue: f64,
    /// Price of a kilowatt-hour.
    pub per_kwh: Decimal,
    /// Worth at the end, as a share of the purchase.
    pub residual: f64,
    /// What money of next year is worth less, a year.
    pub discount: f64,
    /// Loan for the whole purchase.
    pub loan: Option<Loan>,
    /// Value added tax that every price holds, as a share of the price without it; 0 where prices are without.
    pub vat: f64,
}

/// What a month of each costs, before growth and discount.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MonthlyCosts {
    /// Rent by the hour, at the first year's price.
    pub rent: Decimal,
    /// Rent-side costs that do not grow with the rent.
    pub rent_fixed: Decimal,
    /// Upkeep, people, space, replacements.
    pub running: Decimal,
    /// Energy of the hours that it works.
    pub energy_used: Decimal,
    /// Energy of the hours that it waits.
    pub energy_idle: Decimal,
}

impl Plan {
    /// A plan of a price against a rent and nothing else.
    pub fn bare(currency: Currency, rent_per_hour: Decimal, capital: Decimal) -> Self {
        Self {
            currency,
            rent_per_hour,
            rent_growth: 0.0,
            rent_all_hours: false,
            rent_hours_per_used: 1.0,
            rent_per_month: Decimal::ZERO,
            capital,
            utilisation: 1.0,
            years: 3.0,
            hours_per_month: crate::HOURS_PER_MONTH,
            running_per_hour: Decimal::ZERO,
            maintenance: 0.0,
            failures: 0.0,
            staff: 0.0,
            staff_cost: Decimal::ZERO,
            space_per_kw_month: Decimal::ZERO,
            space_kw: 0.0,
            work_w: 0.0,
            idle_w: 0.0,
            pue: 1.0,
            per_kwh: Decimal::ZERO,
            residual: 0.0,
            discount: 0.0,
            loan: None,
            vat: 0.0,
        }
    }

    /// Months that are compared; the last may be a part of one.
    pub fn months(&self) -> f64 {
        self.years * MONTHS
    }

    /// All hours of the years.
    pub fn horizon_hours(&self) -> f64 {
        self.months() * self.hours_per_month
    }

    /// What a month of each costs.
    ///
    /// # Errors
    /// `money-too-large`.
    pub fn monthly(&self) -> Result<MonthlyCosts, Fault> {
        let hours = self.hours_per_month;
        let used = hours * self.utilisation;
        let rented = if self.rent_all_hours { hours } else { used * self.rent_hours_per_used };
        let kwh = |hours: f64, watts: f64| hours * watts / 1000.0 * self.pue;
        let upkeep = times(self.capital, (self.maintenance + self.failures) / MONTHS)?;
        let people = times(self.staff_cost, self.staff / MONTHS)?;
        let space = times(self.space_per_kw_month, self.space_kw)?;
        let flat = times(self.running_per_hour, hours)?;
        Ok(MonthlyCosts {
            rent: times(self.rent_per_hour, rented)?,
            rent_fixed: self.rent_per_month,
            running: sum([upkeep, people, space, flat])?,
            energy_used: times(self.per_kwh, kwh(used, self.work_w))?,
            energy_idle: times(self.per_kwh, kwh(hours - used, self.idle_w))?,
        })
    }

    /// Puts value added tax on every price; people's pay bears none.
    ///
    /// # Errors
    /// `money-too-large`.
    pub fn tax(&mut self, vat: f64) -> Result<(), Fault> {
        self.vat = vat;
        for price in [
            &mut self.rent_per_hour,
            &mut self.rent_per_month,
            &mut self.capital,
            &mut self.running_per_hour,
            &mut self.space_per_kw_month,
            &mut self.per_kwh,
        ] {
            *price = times(*price, 1.0 + vat)?;
        }
        Ok(())
    }

    /// What the rent of a month is multiplied by: grown in steps of a year. Months count from 0.
    pub fn rent_factor(&self, month: u32) -> f64 {
        (1.0 + self.rent_growth).powi((month / 12).cast_signed())
    }

    /// What money at the end of so many months is worth at the start: `(1 + discount)^-(months / 12)`.
    pub fn worth(&self, months: f64) -> f64 {
        (1.0 + self.discount).powf(-months / MONTHS)
    }

    /// An amount of the plan's currency.
    pub const fn money(&self, amount: Decimal) -> Money {
        Money::new(amount, self.currency)
    }
}

impl Loan {
    /// The equal payment of a month: `C i / (1 - (1 + i)^-n)` with `i` a twelfth of the yearly rate.
    ///
    /// # Errors
    /// `money-too-large`.
    pub fn payment(&self, capital: Decimal) -> Result<Decimal, Fault> {
        let months = f64::from(self.months);
        let monthly = self.rate / MONTHS;
        let share =
            if monthly == 0.0 { 1.0 / months } else { monthly / (1.0 - (1.0 + monthly).powf(-months)) };
        times(capital, share)
    }

    /// What is still owed after so many payments, as a share of the loan.
    pub fn owed(&self, paid: u32) -> f64 {
        let months = f64::from(self.months);
        let paid = f64::from(paid.min(self.months));
        let monthly = self.rate / MONTHS;
        if monthly == 0.0 {
            return 1.0 - paid / months;
        }
        let grown = (1.0 + monthly).powf(months);
        (grown - (1.0 + monthly).powf(paid)) / (grown - 1.0)
    }
}

fn too_large() -> Fault {
    Fault::usage("money-too-large")
}

/// An amount times a factor.
///
/// # Errors
/// `money-too-large` for what no amount can hold.
pub fn times(amount: Decimal, factor: f64) -> Result<Decimal, Fault> {
    if amount == Decimal::ZERO || factor == 0.0 {
        return Ok(Decimal::ZERO);
    }
    Money::new(amount, Currency::Usd).times(factor).map(|money| money.amount).ok_or_else(too_large)
}

/// The sum of amounts.
///
/// # Errors
/// `money-too-large` for what no amount can hold.
pub fn sum(amounts: impl IntoIterator<Item = Decimal>) -> Result<Decimal, Fault> {
    amounts.into_iter().try_fold(Decimal::ZERO, Decimal::checked_add).ok_or_else(too_large)
}
