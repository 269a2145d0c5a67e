//! Amounts as people type them: `24GB`, `760GB/s`, `50ms`, `60%`.
//!
//! In a request a field of these types takes a number (bytes, seconds, bytes per second, a share) or the typed text.

use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Bytes, Fault, GIB, MIB};

/// A size in bytes: `24GB`, `512 GiB`, `1.5TB`, `1000`. `GB` is 10^9 and `GiB` 2^30.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct ByteSize(pub Bytes);

/// A size as the label of a memory part says it: `GB` means 2^30, as memory makers mean it. It is written as it is typed
/// (`64GB`) where it is a whole number of these, and in bytes otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LabelSize(pub Bytes);

/// A time in seconds: `2s`, `50ms`, `24h`, `180d`, `13m`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Period(pub f64);

/// A rate in units per second: `760GB/s`, `400Gb/s` is given in bytes per second. It is written as it is typed.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Rate(pub f64);

/// A power in watts: `280W`, `10kW`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Watts(pub f64);

/// A share from 0 to 1: `60%`, `0.6`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Share(pub f64);

/// A number of things: `10M`, `1.5B`, `40000`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Amount(pub f64);

/// How often a second: `1000/s`, `1000`, `60/min`, `3k/h`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Frequency(pub f64);

/// A growth as the factor of a year: `2x/year`, `50%/year`, `10%/month`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct Growth(pub f64);

/// A usage fault about a typed amount.
fn bad(code: &'static str, text: &str) -> Fault {
    Fault::usage(code).with("given", text)
}

/// Splits `12.5 GB` into a number and its unit.
fn number_and_unit(text: &str) -> Result<(f64, &str), Fault> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    if unit.starts_with(',') {
        return Err(bad("number-decimal-comma", text));
    }
    let number: f64 = number.parse().map_err(|_| bad("number-missing", text))?;
    if number.is_finite() { Ok((number, unit.trim())) } else { Err(bad("number-too-large", text)) }
}

/// Decimal and binary factor of a byte unit.
fn byte_factor(unit: &str) -> Option<(f64, f64)> {
    let lower = unit.to_ascii_lowercase();
    let (power, binary) = match lower.as_str() {
        "" | "b" => (0, false),
        "k" | "kb" => (1, false),
        "m" | "mb" => (2, false),
        "g" | "gb" => (3, false),
        "t" | "tb" => (4, false),
        "p" | "pb" => (5, false),
        "ki" | "kib" => (1, true),
        "mi" | "mib" => (2, true),
        "gi" | "gib" => (3, true),
        "ti" | "tib" => (4, true),
        "pi" | "pib" => (5, true),
        _ => return None,
    };
    let two = 1024f64.powi(power);
    Some((if binary { two } else { 1000f64.powi(power) }, two))
}

impl FromStr for ByteSize {
    type Err = Fault;
    fn from_str(text: &str) -> Result<Self, Fault> {
        let (number, unit) = number_and_unit(text)?;
        let (plain, _) = byte_factor(unit).ok_or_else(|| bad("unit-of-size", text))?;
        Ok(Self(Bytes::from_f64(number * plain)))
    }
}

impl FromStr for LabelSize {
    type Err = Fault;
    fn from_str(text: &str) -> Result<Self, Fault> {
        let (number, unit) = number_and_unit(text)?;
        let (_, label) = byte_factor(unit).ok_or_else(|| bad("unit-of-size", text))?;
        // Nobody sells memory by the byte: a small number without a unit misses it.
        if unit.is_empty() && number > 0.0 && number < MIB as f64 {
            return Err(bad("size-without-unit", text));
        }
        Ok(Self(Bytes::from_f64(number * label)))
    }
}

impl FromStr for Period {
    type Err = Fault;
    fn from_str(text: &str) -> Result<Self, Fault> {
        let (number, unit) = number_and_unit(text)?;
        let factor = match unit.to_ascii_lowercase().as_str() {
            "us" | "µs" => 1e-6,
            "ms" => 1e-3,
            "" | "s" | "sec" => 1.0,
            "m" | "min" => 60.0,
            "h" | "hour" | "hours" => 3600.0,
            "d" | "day" | "days" => 86_400.0,
            "w" | "week" | "weeks" => 604_800.0,
            _ => return Err(bad("unit-of-time", text)),
        };
        Ok(Self(number * factor))
    }
}

impl FromStr for Rate {
    type Err = Fault;
    fn from_str(text: &str) -> Result<Self, Fault> {
        let (number, unit) = number_and_unit(text)?;
        let wrong = || bad("unit-of-rate", text);
        if let Some(bits) = unit
            .strip_suffix("bit/s")
            .or_else(|| unit.strip_suffix("b/s"))
            .or_else(|| unit.strip_suffix("bE"))
        {
            let (plain, _) = byte_factor(bits).ok_or_else(wrong)?;
            return Ok(Self(number * plain / 8.0));
        }
        let unit = unit.strip_suffix("/s").unwrap_or(unit);
        // 760 means gigabytes to one and bytes to another.
        if unit.is_empty() {
            return Err(bad("rate-without-unit", text));
        }
        let (plain, _) = byte_factor(unit).ok_or_else(wrong)?;
        Ok(Self(number * plain))
    }
}

impl FromStr for Watts {
    type Err = Fault;
    fn from_str(text: &str) -> Result<Self, Fault> {
        let (number, unit) = number_and_unit(text)?;
        let factor = match unit.to_ascii_lowercase().as_str() {
            "" | "w" => 1.0,
            "kw" => 1e3,
            "mw" => 1e6,
            _ => return Err(bad("unit-of-power", text)),
        };
        Ok(Self(number * factor))
    }
}

impl FromStr for Amount {
    type Err = Fault;
    fn from_str(text: &str) -> Result<Self, Fault> {
        let (number, unit) = number_and_unit(text)?;
        let factor = match unit.to_ascii_lowercase().as_str() {
            "" => 1.0,
            "k" => 1e3,
            "m" => 1e6,
            "g" | "b" => 1e9,
            "t" => 1e12,
            _ => return Err(bad("amount-malformed", text)),
        };
        if number > 0.0 { Ok(Self(number * factor)) } else { Err(bad("amount-malformed", text)) }
    }
}

impl FromStr for Frequency {
    type Err = Fault;
    fn from_str(text: &str) -> Result<Self, Fault> {
        let (amount, per) = text.split_once('/').unwrap_or((text, "s"));
        let seconds = match per.trim().to_ascii_lowercase().as_str() {
            "s" | "sec" | "second" => 1.0,
            "min" | "minute" => 60.0,
            "h" | "hour" => 3600.0,
            "d" | "day" => 86_400.0,
            _ => return Err(bad("frequency-malformed", text)),
        };
        let amount: Amount = amount.parse().map_err(|_| bad("frequency-malformed", text))?;
        Ok(Self(amount.0 / seconds))
    }
}

impl FromStr for Growth {
    type Err = Fault;
    fn from_str(text: &str) -> Result<Self, Fault> {
        let wrong = || bad("growth-malformed", text);
        let (amount, per) = text.split_once('/').unwrap_or((text, "year"));
        let a_year = match per.trim().to_ascii_lowercase().as_str() {
            "year" | "y" | "yr" => 1.0,
            "quarter" | "q" => 4.0,
            "month" | "mo" => 12.0,
            _ => return Err(wrong()),
        };
        let (number, unit) = number_and_unit(amount).map_err(|_| wrong())?;
        let factor: f64 = match unit {
            "x" | "X" => number,
            "%" => 1.0 + number / 100.0,
            _ => return Err(wrong()),
        };
        let yearly = factor.powf(a_year);
        if factor > 0.0 && yearly.is_finite() { Ok(Self(yearly)) } else { Err(wrong()) }
    }
}

impl Serialize for Growth {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{}x/year", self.0))
    }
}

impl FromStr for Share {
    type Err = Fault;
    fn from_str(text: &str) -> Result<Self, Fault> {
        let (number, unit) = number_and_unit(text)?;
        let share = match unit {
            "%" => number / 100.0,
            "" => number,
            _ => return Err(bad("share-malformed", text)),
        };
        if share > 1.0 {
            return Err(bad("share-above-one", text));
        }
        Ok(Self(share))
    }
}

impl Serialize for LabelSize {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes = self.0.0;
        match bytes {
            0 => serializer.serialize_u64(0),
            _ if bytes.is_multiple_of(GIB) => serializer.collect_str(&format_args!("{}GB", bytes / GIB)),
            _ if bytes.is_multiple_of(MIB) => serializer.collect_str(&format_args!("{}MB", bytes / MIB)),
            _ => serializer.serialize_u64(bytes),
        }
    }
}

impl Serialize for Rate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let giga = self.0 / 1e9;
        // Only where it reads back as the same rate.
        if giga * 1e9 == self.0 && giga >= 0.001 {
            serializer.collect_str(&format_args!("{giga}GB/s"))
        } else {
            serializer.collect_str(&format_args!("{}B/s", self.0))
        }
    }
}

/// What a request may hold in such a field.
#[derive(Deserialize)]
#[serde(untagged)]
enum NumberOrText {
    Number(f64),
    Text(String),
}

macro_rules! deserialize_number_or_text {
    ($type:ty, $from_number:expr) => {
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                match NumberOrText::deserialize(deserializer)? {
                    NumberOrText::Number(number) => Ok($from_number(number)),
                    NumberOrText::Text(text) => text.parse().map_err(serde::de::Error::custom),
                }
            }
        }
    };
}

deserialize_number_or_text!(ByteSize, |n| ByteSize(Bytes::from_f64(n)));
deserialize_number_or_text!(LabelSize, |n| LabelSize(Bytes::from_f64(n)));
deserialize_number_or_text!(Period, Period);
deserialize_number_or_text!(Rate, Rate);
deserialize_number_or_text!(Share, Share);
deserialize_number_or_text!(Watts, Watts);
deserialize_number_or_text!(Amount, Amount);
deserialize_number_or_text!(Frequency, Frequency);
deserialize_number_or_text!(Growth, Growth);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!("24GB".parse(), Ok(ByteSize(Bytes(24_000_000_000))));
        assert_eq!("24GB".parse(), Ok(LabelSize(Bytes::gib(24))));
        assert_eq!("0".parse(), Ok(LabelSize(Bytes(0))));
        assert_eq!("256".parse::<LabelSize>().unwrap_err().code, "size-without-unit");
        assert_eq!("1.5 TiB".parse(), Ok(ByteSize(Bytes(1_649_267_441_664))));
        for bad in ["", "GB", "-3GB", "24 bananas", "1,5GB", "1e9", "NaN"] {
            assert!(bad.parse::<ByteSize>().is_err(), "{bad}");
        }
    }

    #[test]
    fn times_rates_and_shares() {
        assert_eq!("50ms".parse(), Ok(Period(0.05)));
        assert_eq!("180d".parse(), Ok(Period(180.0 * 86_400.0)));
        assert_eq!("760GB/s".parse(), Ok(Rate(760e9)));
        assert_eq!("400Gb/s".parse(), Ok(Rate(50e9)));
        assert_eq!("40GbE".parse(), Ok(Rate(5e9)));
        assert_eq!("60%".parse(), Ok(Share(0.6)));
        assert_eq!("0.6".parse(), Ok(Share(0.6)));
        assert!("140%".parse::<Share>().is_err());
        assert_eq!("10kW".parse(), Ok(Watts(10_000.0)));
        let without = "760".parse::<Rate>().unwrap_err();
        assert_eq!(without.code, "rate-without-unit");
        assert_eq!("760B/s".parse(), Ok(Rate(760.0)));
        assert_eq!(serde_json::from_str::<Rate>("760e9").unwrap(), Rate(760e9));
    }

    #[test]
    fn counts_frequencies_and_growth() {
        assert_eq!("10M".parse(), Ok(Amount(1e7)));
        assert_eq!("1.5B".parse(), Ok(Amount(1.5e9)));
        assert!("0".parse::<Amount>().is_err() && "3 rows".parse::<Amount>().is_err());
        assert_eq!("1000/s".parse(), Ok(Frequency(1000.0)));
        assert_eq!("3k/min".parse(), Ok(Frequency(50.0)));
        assert_eq!("2x/year".parse(), Ok(Growth(2.0)));
        assert_eq!("50%/year".parse(), Ok(Growth(1.5)));
        // Two per cent a month compounds to 1.02^12 a year.
        let monthly: Growth = "2%/month".parse().unwrap();
        assert!((monthly.0 - 1.268_241_794_562_545).abs() < 1e-12);
        for bad in ["2", "x/year", "2x/fortnight", "-5%/year", "0x/year"] {
            assert!(bad.parse::<Growth>().is_err(), "{bad}");
        }
    }

    #[test]
    fn amounts_are_written_as_they_are_typed() {
        let written = |value: &dyn Fn() -> serde_json::Result<String>| value().unwrap();
        assert_eq!(written(&|| serde_json::to_string(&LabelSize(Bytes::gib(64)))), "\"64GB\"");
        assert_eq!(written(&|| serde_json::to_string(&LabelSize(Bytes::mib(1536)))), "\"1536MB\"");
        assert_eq!(written(&|| serde_json::to_string(&LabelSize(Bytes(1)))), "1");
        assert_eq!(written(&|| serde_json::to_string(&Rate(760e9))), "\"760GB/s\"");
        for bytes_per_s in [0.0, 1.0, 7.0 / 3.0, 0.1 * 1e9, 936.2e9, 1e300] {
            let text = serde_json::to_string(&Rate(bytes_per_s)).unwrap();
            assert_eq!(serde_json::from_str::<Rate>(&text).unwrap(), Rate(bytes_per_s), "{text}");
        }
    }
}
