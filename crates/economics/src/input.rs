//! Prices, rates and amounts as people type them: `2.90/h`, `200/kW-month`, `12%/y`, `8%:36m`, `NL:IC`.
//!
//! A decimal comma, a minus sign where none makes sense and what is no number are usage faults, never another value.

use std::fmt;
use std::str::FromStr;

use maat_base::{Currency, Decimal, Fault};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What a price is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Per {
    /// An hour.
    Hour,
    /// A month.
    Month,
    /// A year.
    Year,
    /// A kilowatt-hour.
    Kwh,
    /// A kilowatt and month.
    KwMonth,
    /// A million tokens.
    Million,
    /// 10^9 bytes.
    Gb,
    /// 10^9 bytes and a month.
    GbMonth,
}

impl Per {
    const ALL: [(Self, &'static str, &'static [&'static str]); 8] = [
        (Self::Hour, "h", &["h", "hr", "hour", "u", "uur"]),
        (Self::Month, "month", &["month", "mo", "maand"]),
        (Self::Year, "y", &["y", "yr", "year", "jaar", "j"]),
        (Self::Kwh, "kWh", &["kwh"]),
        (Self::KwMonth, "kW-month", &["kw-month", "kw/month", "kw-mo", "kw-maand"]),
        (Self::Million, "M", &["m", "mtok", "million", "1m"]),
        (Self::Gb, "GB", &["gb"]),
        (Self::GbMonth, "GB-month", &["gb-month", "gb/month", "gb-mo", "gb-maand"]),
    ];

    fn named(text: &str) -> Option<Self> {
        let lower = text.trim().to_ascii_lowercase();
        Self::ALL.iter().find(|(_, _, names)| names.contains(&lower.as_str())).map(|(per, ..)| *per)
    }

    /// How it is written behind a price.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(per, ..)| *per == self).map_or("", |(_, name, _)| name)
    }
}

/// An amount of money that is not negative, with its currency and what it is for where these were typed:
/// `260000`, `2.90/h`, `€0.25/kWh`, `200 EUR/kW-month`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    /// The amount.
    pub amount: Decimal,
    /// Its currency; the answer's where not typed.
    pub currency: Option<Currency>,
    /// What it is for; what the field says where not typed.
    pub per: Option<Per>,
}

fn bad(code: &'static str, text: &str) -> Fault {
    Fault::usage(code).with("given", text.chars().take(60).collect::<String>())
}

/// Splits a number off the start; a comma in it is a fault, as is a sign.
fn number(text: &str, whole: &str) -> Result<(Decimal, usize), Fault> {
    if text.starts_with('-') {
        return Err(bad("amount-negative", whole));
    }
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    if text[end..].starts_with(',') {
        return Err(bad("number-decimal-comma", whole));
    }
    let digits = &text[..end];
    if digits.is_empty() || digits == "." {
        return Err(bad("number-missing", whole));
    }
    if digits.split('.').next().is_some_and(|integer| integer.len() > 15) {
        return Err(bad("number-too-large", whole));
    }
    let number = Decimal::from_str(digits).map_err(|_| bad("number-missing", whole))?;
    Ok((number, end))
}

impl FromStr for Price {
    type Err = Fault;
    fn from_str(whole: &str) -> Result<Self, Fault> {
        let mut text = whole.trim();
        let mut currency = None;
        for (sign, of) in
            [("$", Currency::Usd), ("€", Currency::Eur), ("USD", Currency::Usd), ("EUR", Currency::Eur)]
        {
            if let Some(rest) = text.strip_prefix(sign) {
                (currency, text) = (Some(of), rest.trim_start());
                break;
            }
        }
        let (amount, end) = number(text, whole)?;
        let rest = text[end..].trim();
        let (name, unit) = match rest.split_once('/') {
            Some((name, unit)) => (name.trim(), Some(unit)),
            None => (rest, None),
        };
        if !name.is_empty() {
            let typed = name.parse().map_err(|_| bad("price-malformed", whole))?;
            if currency.is_some_and(|known| known != typed) {
                return Err(bad("price-malformed", whole));
            }
            currency = Some(typed);
        }
        let per = match unit {
            None => None,
            Some(unit) => Some(Per::named(unit).ok_or_else(|| bad("price-unit", whole))?),
        };
        Ok(Self { amount, currency, per })
    }
}

impl fmt::Display for Price {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.amount)?;
        if let Some(currency) = self.currency {
            write!(f, "{currency}")?;
        }
        self.per.map_or(Ok(()), |per| write!(f, "/{}", per.name()))
    }
}

/// A plain number that is not negative: years, people, hours.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Plain(pub f64);

impl FromStr for Plain {
    type Err = Fault;
    fn from_str(whole: &str) -> Result<Self, Fault> {
        let text = whole.trim();
        let (amount, end) = number(text, whole)?;
        if !text[end..].trim().is_empty() {
            return Err(bad("number-malformed", whole));
        }
        amount.to_string().parse().map(Self).map_err(|_| bad("number-missing", whole))
    }
}

impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A share of something a year, above or below zero: `12%/y`, `-5%/y`, `0.08`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct YearlyRate(pub f64);

impl FromStr for YearlyRate {
    type Err = Fault;
    fn from_str(whole: &str) -> Result<Self, Fault> {
        let text = whole.trim();
        let (sign, text) = match text.strip_prefix('-') {
            Some(rest) => (-1.0, rest),
            None => (1.0, text.strip_prefix('+').unwrap_or(text)),
        };
        let (amount, end) = number(text, whole)?;
        let amount: f64 = amount.to_string().parse().map_err(|_| bad("number-missing", whole))?;
        let unit = text[end..].trim();
        let (percent, period) = match unit.strip_prefix('%') {
            Some(rest) => (true, rest.trim()),
            None => (false, unit),
        };
        if !period.is_empty() && period.strip_prefix('/').and_then(Per::named) != Some(Per::Year) {
            return Err(bad("rate-malformed", whole));
        }
        let rate = sign * if percent { amount / 100.0 } else { amount };
        if rate <= -1.0 || rate > 10.0 || (!percent && amount > 1.0) {
            return Err(bad("rate-out-of-range", whole));
        }
        Ok(Self(rate))
    }
}

impl fmt::Display for YearlyRate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%/y", self.0 * 100.0)
    }
}

/// A loan for the purchase, paid back in equal months: `8%:36m`, `6%:3y`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loan {
    /// Interest a year; a twelfth of it each month.
    pub rate: f64,
    /// Months of paying back.
    pub months: u32,
}

impl FromStr for Loan {
    type Err = Fault;
    fn from_str(whole: &str) -> Result<Self, Fault> {
        let malformed = || bad("loan-malformed", whole);
        let (rate, term) = whole.split_once(':').ok_or_else(malformed)?;
        let rate: YearlyRate = rate.parse()?;
        let term = term.trim().to_ascii_lowercase();
        let (digits, factor) = match term.strip_suffix('y') {
            Some(years) => (years, 12),
            None => (term.strip_suffix('m').unwrap_or(&term), 1),
        };
        let count: u32 = digits.trim().parse().map_err(|_| malformed())?;
        let months = count.checked_mul(factor).filter(|months| (1..=600).contains(months));
        let months = months.ok_or_else(malformed)?;
        if rate.0 < 0.0 {
            return Err(bad("amount-negative", whole));
        }
        Ok(Self { rate: rate.0, months })
    }
}

impl fmt::Display for Loan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}%:{}m", self.rate * 100.0, self.months)
    }
}

/// A price of electricity: an amount a kWh, or a country with its band of use (`NL:IC`, `DE`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TariffChoice {
    /// So much a kWh.
    Price(Price),
    /// That of a country and band; the usual band of a small business where not given.
    Area {
        /// Country or area, such as `NL`.
        area: String,
        /// Band of yearly use, such as `IC`.
        band: Option<String>,
    },
}

impl FromStr for TariffChoice {
    type Err = Fault;
    fn from_str(text: &str) -> Result<Self, Fault> {
        let trimmed = text.trim();
        let letters = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_alphanumeric());
        let (area, band) = match trimmed.split_once(':') {
            Some((area, band)) => (area, Some(band)),
            None => (trimmed, None),
        };
        let is_area = area.starts_with(|c: char| c.is_ascii_alphabetic())
            && letters(area)
            && band.is_none_or(letters)
            && !["EUR", "USD"].iter().any(|code| area.starts_with(code));
        if is_area {
            let band = band.map(str::to_ascii_uppercase);
            return Ok(Self::Area { area: area.to_ascii_uppercase(), band });
        }
        let price: Price = trimmed.parse()?;
        match price.per {
            None | Some(Per::Kwh) => Ok(Self::Price(price)),
            Some(_) => Err(bad("price-unit", text)),
        }
    }
}

impl fmt::Display for TariffChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Price(price) => price.fmt(f),
            Self::Area { area, band: None } => f.write_str(area),
            Self::Area { area, band: Some(band) } => write!(f, "{area}:{band}"),
        }
    }
}

/// A number of tokens: `200M`, `1.5B`, `40000`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Tokens(pub f64);

impl FromStr for Tokens {
    type Err = Fault;
    fn from_str(whole: &str) -> Result<Self, Fault> {
        let text = whole.trim();
        let (amount, end) = number(text, whole)?;
        let factor = match text[end..].trim().to_ascii_lowercase().as_str() {
            "" => 1.0,
            "k" => 1e3,
            "m" => 1e6,
            "g" | "b" => 1e9,
            "t" => 1e12,
            _ => return Err(bad("tokens-malformed", whole)),
        };
        let amount: f64 = amount.to_string().parse().map_err(|_| bad("number-missing", whole))?;
        if amount == 0.0 {
            return Err(bad("tokens-zero", whole));
        }
        Ok(Self(amount * factor))
    }
}

impl fmt::Display for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// In a request such a field takes a number or the typed text, and is written as text.
macro_rules! as_text {
    ($($type:ty),*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = match serde_json::Value::deserialize(deserializer)? {
                    serde_json::Value::String(text) => text,
                    serde_json::Value::Number(number) => number.to_string(),
                    other => return Err(serde::de::Error::custom(format!("{other} is neither a number nor text"))),
                };
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}

as_text!(Price, Plain, Tokens, YearlyRate, Loan, TariffChoice);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn prices() {
        let price: Price = "2.90/h".parse().unwrap();
        assert_eq!((price.amount, price.currency, price.per), (Decimal::new(290, 2), None, Some(Per::Hour)));
        assert_eq!("€0.25/kWh".parse::<Price>().unwrap().currency, Some(Currency::Eur));
        assert_eq!("200 EUR/kW-month".parse::<Price>().unwrap().per, Some(Per::KwMonth));
        assert_eq!("$0.50/M".parse::<Price>().unwrap().per, Some(Per::Million));
        let code = |text: &str| text.parse::<Price>().unwrap_err().code;
        assert_eq!(code("2,90/h"), "number-decimal-comma");
        assert_eq!(code("-3"), "amount-negative");
        assert_eq!(code("NaN"), "number-missing");
        assert_eq!(code("inf"), "number-missing");
        assert_eq!(code("1e9"), "price-malformed");
        assert_eq!(code("2.90/fortnight"), "price-unit");
        assert_eq!(code("99999999999999999"), "number-too-large");
        assert_eq!(code("$3EUR"), "price-malformed");
    }

    #[test]
    fn rates_and_loans() {
        assert_eq!("12%/y".parse(), Ok(YearlyRate(0.12)));
        assert_eq!("-5%/y".parse(), Ok(YearlyRate(-0.05)));
        assert_eq!("0.08".parse(), Ok(YearlyRate(0.08)));
        assert_eq!("8".parse::<YearlyRate>().unwrap_err().code, "rate-out-of-range");
        assert_eq!("-100%".parse::<YearlyRate>().unwrap_err().code, "rate-out-of-range");
        assert_eq!("8%:36m".parse(), Ok(Loan { rate: 0.08, months: 36 }));
        assert_eq!("6%:3y".parse(), Ok(Loan { rate: 0.06, months: 36 }));
        assert!("8%".parse::<Loan>().is_err());
        assert!("8%:0m".parse::<Loan>().is_err());
    }

    #[test]
    fn tokens() {
        assert_eq!("200M".parse(), Ok(Tokens(200e6)));
        assert_eq!("1.5B".parse(), Ok(Tokens(1.5e9)));
        assert_eq!("0".parse::<Tokens>().unwrap_err().code, "tokens-zero");
        assert_eq!("1,5M".parse::<Tokens>().unwrap_err().code, "number-decimal-comma");
        assert_eq!("-3M".parse::<Tokens>().unwrap_err().code, "amount-negative");
        assert!("3 bananas".parse::<Tokens>().is_err());
    }

    #[test]
    fn tariffs() {
        let area = |area: &str, band: Option<&str>| TariffChoice::Area {
            area: area.into(),
            band: band.map(Into::into),
        };
        assert_eq!("nl:ic".parse(), Ok(area("NL", Some("IC"))));
        assert_eq!("EU27".parse(), Ok(area("EU27", None)));
        assert!(matches!("0.10".parse(), Ok(TariffChoice::Price(_))));
        assert!(matches!("EUR0.10".parse(), Ok(TariffChoice::Price(_))));
        assert_eq!("0,10".parse::<TariffChoice>().unwrap_err().code, "number-decimal-comma");
        assert!("0.10/h".parse::<TariffChoice>().is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in ".{0,30}") {
            let _ = text.parse::<Price>();
            let _ = text.parse::<Plain>();
            let _ = text.parse::<YearlyRate>();
            let _ = text.parse::<Tokens>();
            let _ = text.parse::<Loan>();
            let _ = text.parse::<TariffChoice>();
        }

        #[test]
        fn what_is_written_is_read_again(cents in 0i64..1_000_000_000, eur: bool) {
            let currency = eur.then_some(Currency::Eur);
            let price = Price { amount: Decimal::new(cents, 2), currency, per: Some(Per::Hour) };
            prop_assert_eq!(price.to_string().parse::<Price>().unwrap(), price);
        }
    }
}
