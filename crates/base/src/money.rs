//! Decimal amounts in a currency.

use std::fmt;
use std::str::FromStr;

use jiff::civil::Date;
use rust_decimal::Decimal;
use rust_decimal::prelude::{FromPrimitive, ToPrimitive};
use serde::{Deserialize, Serialize, Serializer};

use crate::Fault;

/// A currency in which prices are kept or shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Currency {
    /// United States dollar.
    #[default]
    #[serde(rename = "USD")]
    Usd,
    /// Euro.
    #[serde(rename = "EUR")]
    Eur,
}

impl Currency {
    /// The ISO 4217 code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Usd => "USD",
            Self::Eur => "EUR",
        }
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl FromStr for Currency {
    type Err = Fault;
    fn from_str(text: &str) -> Result<Self, Fault> {
        match text.trim().to_ascii_uppercase().as_str() {
            "USD" | "$" => Ok(Self::Usd),
            "EUR" | "€" => Ok(Self::Eur),
            _ => Err(Fault::usage("currency-unknown").with("given", text)),
        }
    }
}

/// An amount of money. Two currencies are never added: [`Money::plus`] gives `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Money {
    /// The amount.
    pub amount: Decimal,
    /// Its currency.
    pub currency: Currency,
}

impl Money {
    /// An amount in a currency.
    pub const fn new(amount: Decimal, currency: Currency) -> Self {
        Self { amount, currency }
    }

    /// The sum, when the currencies agree and it does not overflow.
    pub fn plus(self, other: Self) -> Option<Self> {
        (self.currency == other.currency)
            .then(|| self.amount.checked_add(other.amount))
            .flatten()
            .map(|amount| Self::new(amount, self.currency))
    }

    /// The amount times a plain number; `None` for a number that no amount can hold.
    pub fn times(self, factor: f64) -> Option<Self> {
        let factor = Decimal::from_f64(factor)?;
        Some(Self::new(self.amount.checked_mul(factor)?, self.currency))
    }

    /// The amount as a float, for formulas and for JSON.
    pub fn as_f64(self) -> f64 {
        self.amount.to_f64().unwrap_or(f64::NAN)
    }
}

/// Money is a plain number in JSON; its currency stands in a field beside it.
impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.as_f64())
    }
}

/// What one dollar was worth in euros, by whom and when.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExchangeRate {
    /// Euros for one dollar.
    pub eur_per_usd: Decimal,
    /// The day of the rate; `None` when the user gave it.
    pub date: Option<Date>,
    /// Tag of its source.
    pub source: String,
}

impl ExchangeRate {
    /// Converts; `None` when the amount overflows or the rate is zero.
    pub fn convert(&self, money: Money, to: Currency) -> Option<Money> {
        let amount = match (money.currency, to) {
            (from, to) if from == to => money.amount,
            (Currency::Usd, _) => money.amount.checked_mul(self.eur_per_usd)?,
            (Currency::Eur, _) => money.amount.checked_div(self.eur_per_usd)?,
        };
        Some(Money::new(amount, to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn currencies_do_not_mix() {
        let usd = Money::new(Decimal::ONE, Currency::Usd);
        let eur = Money::new(Decimal::ONE, Currency::Eur);
        assert_eq!(usd.plus(eur), None);
        assert_eq!(usd.plus(usd).map(|m| m.amount), Some(Decimal::TWO));
    }

    #[test]
    fn converts_both_ways() {
        let rate = ExchangeRate { eur_per_usd: Decimal::new(8, 1), date: None, source: String::new() };
        let ten = Money::new(Decimal::TEN, Currency::Usd);
        let eight = rate.convert(ten, Currency::Eur);
        assert_eq!(eight, Some(Money::new(Decimal::from(8), Currency::Eur)));
        assert_eq!(eight.and_then(|m| rate.convert(m, Currency::Usd)), Some(ten));
    }
}
