//! The day and the currency of an answer.

use maat_base::{Currency, Date, ExchangeRate, Money};
use serde::{Deserialize, Serialize};

use crate::catalogue::Catalogue;

/// Prices older than this are flagged, in days: list prices of accelerators moved by a third within half a year in 2025
/// (`facts/prices/spread.csv`, H100 on-demand), so an older one says little.
pub const STALE_AFTER_DAYS: u32 = 180;
/// Prices older than this are refused unless asked for, in days: two years are a generation of hardware.
pub const REFUSED_AFTER_DAYS: u32 = 730;

/// The day and the currency of an answer; what is `None` is the catalogue's own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Terms {
    /// The day that ages are counted to; the newest offer's when `None`.
    pub as_of: Option<Date>,
    /// Currency of all prices; dollars when `None`.
    pub currency: Option<Currency>,
    /// Exchange rate; the built-in one when `None`.
    pub exchange: Option<ExchangeRate>,
}

impl Terms {
    /// The day; `None` where neither given nor known from offers.
    pub fn day(&self, catalogue: &Catalogue) -> Option<Date> {
        self.as_of.or_else(|| catalogue.as_of())
    }

    /// The currency of all prices.
    pub fn money(&self) -> Currency {
        self.currency.unwrap_or_default()
    }

    /// An amount in the currency of the answer; `None` without an exchange rate.
    pub fn convert(&self, money: Money, catalogue: &Catalogue) -> Option<Money> {
        let wanted = self.money();
        if money.currency == wanted {
            return Some(money);
        }
        match &self.exchange {
            Some(rate) => rate.convert(money, wanted),
            None => catalogue.exchange_rate().and_then(|(rate, _)| rate.convert(money, wanted)),
        }
    }
}

/// How old a price is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Age {
    /// Young enough.
    Fresh,
    /// Older than [`STALE_AFTER_DAYS`].
    Stale,
    /// Older than [`REFUSED_AFTER_DAYS`].
    Refused,
}

/// Days from one day to another, 0 when it lies ahead.
pub fn days_between(from: Date, to: Date) -> u32 {
    from.until(to).map_or(0, |span| span.get_days().max(0).unsigned_abs())
}

/// How old a price of one day is on another.
pub fn age(observed: Date, day: Date) -> Age {
    match days_between(observed, day) {
        days if days > REFUSED_AFTER_DAYS => Age::Refused,
        days if days > STALE_AFTER_DAYS => Age::Stale,
        _ => Age::Fresh,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ages() {
        let day = |text: &str| text.parse::<Date>().unwrap();
        let today = day("2026-11-09");
        assert_eq!(age(day("2026-05-24"), today), Age::Fresh);
        assert_eq!(age(day("2025-12-23"), today), Age::Stale);
        assert_eq!(age(day("2024-11-06"), today), Age::Refused);
        assert_eq!(days_between(day("2026-11-10"), today), 0);
    }
}
