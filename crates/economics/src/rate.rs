//! Prices per hour as prices of something else.

use maat_base::Money;

/// Hours in a month of the contract: a twelfth of a year.
pub const HOURS_PER_MONTH: f64 = 730.0;
/// Hours in a year.
pub const HOURS_PER_YEAR: f64 = 8_760.0;

/// The price of a month at so much an hour, all hours; `None` when it overflows.
pub fn per_month(hourly: Money) -> Option<Money> {
    hourly.times(HOURS_PER_MONTH)
}

/// The price of a million units at so much an hour and so many units a second: `hourly / (rate x 3600) x 10^6`.
/// `None` for a rate that is not positive.
pub fn per_million(hourly: Money, units_per_s: f64) -> Option<Money> {
    (units_per_s > 0.0).then(|| hourly.times(1e6 / (units_per_s * 3600.0))).flatten()
}

/// Hours that so many operations take at a peak rate of which a share is reached: `operations / (share x peak x 3600)`.
/// `None` for a rate or share that is not positive.
pub fn hours_of_work(operations: f64, peak_per_s: f64, share: f64) -> Option<f64> {
    let rate = peak_per_s * share;
    (rate > 0.0).then(|| operations / (rate * 3600.0))
}

/// What may be written off each year at so many shares of the purchase; `None` when it overflows.
pub fn written_off(capital: Money, shares: &[f64]) -> Option<Vec<Money>> {
    shares.iter().map(|&share| capital.times(share)).collect()
}

#[cfg(test)]
mod tests {
    use maat_base::{Currency, Decimal};

    use super::*;

    /// 3.60 an hour at 1,000 tokens a second: 3.6 million tokens an hour, so 1.00 a million.
    #[test]
    fn a_million_tokens() {
        let hourly = Money::new(Decimal::new(360, 2), Currency::Usd);
        let price = per_million(hourly, 1000.0).map(Money::as_f64);
        assert!(price.is_some_and(|price| (price - 1.0).abs() < 1e-12));
        assert_eq!(per_million(hourly, 0.0), None);
    }
}
