//! Tokens of one's own against tokens by the million: pure figures.

use maat_base::Money;

/// What a month of serving costs on a machine that runs all hours, against an API that is paid by the token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OwnOrApi {
    /// Cost of a month of the machine before it has written a token.
    pub fixed_per_month: Money,
    /// Cost of the energy that a million tokens take beyond an idle machine's.
    pub energy_per_million: Money,
    /// Price of a million tokens at the API, prompts and answers in their mixture.
    pub api_per_million: Money,
}

impl OwnOrApi {
    /// Tokens a month from which the machine is cheaper: `fixed / (api - energy)`, each a million. `None` where a token
    /// of one's own costs as much as one of the API, or where currencies are mixed.
    pub fn tokens_per_month(&self) -> Option<f64> {
        let same = self.fixed_per_month.currency == self.api_per_million.currency
            && self.energy_per_million.currency == self.api_per_million.currency;
        let saved = self.api_per_million.as_f64() - self.energy_per_million.as_f64();
        (same && saved > 0.0).then(|| self.fixed_per_month.as_f64() / saved * 1e6)
    }
}

/// The price of a million tokens of which a share are prompts; `None` where currencies are mixed.
pub fn blended(input: Money, output: Money, input_share: f64) -> Option<Money> {
    input.times(input_share)?.plus(output.times(1.0 - input_share)?)
}

#[cfg(test)]
mod tests {
    use maat_base::{Currency, Decimal};

    use super::*;

    /// A public comparison of a rig with two RTX 3090: 4,000 dollars over 60 months and 500 W at 0.15 a kWh are about 120
    /// dollars a month, which buy 240 million tokens at 0.50 a million: 93 a second around the clock.
    #[test]
    fn a_rig_against_an_api() {
        let usd = |cents: i64| Money::new(Decimal::new(cents, 2), Currency::Usd);
        let month = 4000.0 / 60.0 + 0.5 * 730.0 * 0.15;
        let question = OwnOrApi {
            fixed_per_month: Money::new(Decimal::from_f64_retain(month).unwrap(), Currency::Usd),
            energy_per_million: usd(0),
            api_per_million: usd(50),
        };
        let tokens = question.tokens_per_month().unwrap();
        assert!((tokens / 240e6 - 1.0).abs() < 0.02, "{tokens}");
        assert!((tokens / (730.0 * 3600.0) - 93.0).abs() < 1.0, "{tokens}");
        let dear = OwnOrApi { energy_per_million: usd(60), ..question };
        assert_eq!(dear.tokens_per_month(), None);
        assert_eq!(blended(usd(25), usd(50), 0.8).map(Money::as_f64), Some(0.30));
    }
}
