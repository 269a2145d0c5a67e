//! What a machine of one's own costs.

use maat_base::Money;

use crate::HOURS_PER_YEAR;

/// What is needed to spread a purchase over hours. All money is in one currency.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ownership {
    /// Purchase of the whole machine.
    pub capital: Money,
    /// Worth at the end, as a share of the purchase.
    pub residual_share: f64,
    /// Years of use.
    pub years: f64,
    /// Watts drawn while working.
    pub work_w: f64,
    /// Power usage effectiveness of the place: 1 for a living room, 1.2 to 1.6 for a data centre.
    pub pue: f64,
    /// Price of a kilowatt-hour.
    pub per_kwh: Money,
}

/// Price of an hour when it works all hours: capital less residual over the hours of its years, and energy.
/// `None` for no years, for mixed currencies, or when it overflows.
pub fn own_per_hour(own: &Ownership) -> Option<Money> {
    if own.years.is_nan() || own.years <= 0.0 {
        return None;
    }
    let capital = own.capital.times((1.0 - own.residual_share) / (own.years * HOURS_PER_YEAR))?;
    let energy = own.per_kwh.times(own.work_w / 1000.0 * own.pue)?;
    capital.plus(energy)
}

#[cfg(test)]
mod tests {
    use maat_base::{Currency, Decimal};

    use super::*;

    /// 26,280 over three years is 1.00 an hour; 500 W at 0.20 a kWh and PUE 1.2 is 0.12.
    #[test]
    fn capital_and_energy() {
        let own = Ownership {
            capital: Money::new(Decimal::from(26_280), Currency::Eur),
            residual_share: 0.0,
            years: 3.0,
            work_w: 500.0,
            pue: 1.2,
            per_kwh: Money::new(Decimal::new(20, 2), Currency::Eur),
        };
        let hour = own_per_hour(&own).map(Money::as_f64);
        assert!(hour.is_some_and(|hour| (hour - 1.12).abs() < 1e-9), "{hour:?}");
        assert_eq!(own_per_hour(&Ownership { years: 0.0, ..own }), None);
        let dollars = Money::new(Decimal::ONE, Currency::Usd);
        assert_eq!(own_per_hour(&Ownership { per_kwh: dollars, ..own }), None);
    }
}
