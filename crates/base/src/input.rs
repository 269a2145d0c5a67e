//! Amounts as people type them: `24GB`, `760GB/s`, `50ms`, `60%`.
//!
//! In a request a field of these types takes a number (bytes, seconds, bytes per second, a share) or the typed text.

use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize};

use crate::Bytes;

/// A size in bytes: `24GB`, `512 GiB`, `1.5TB`, `1000`. `GB` is 10^9 and `GiB` 2^30.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ByteSize {
    /// The size.
    pub bytes: Bytes,
    /// The same with a decimal prefix read as a binary one: what a memory part's label means.
    #[serde(skip)]
    pub as_label: Bytes,
}

/// A time in seconds: `2s`, `50ms`, `24h`, `180d`, `13m`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Period(pub f64);

/// A rate in units per second: `760GB/s`, `400Gb/s` is given in bytes per second.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Rate(pub f64);

/// A share from 0 to 1: `60%`, `0.6`.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct Share(pub f64);

/// Splits `12.5 GB` into a number and its unit.
fn number_and_unit(text: &str) -> Result<(f64, &str), String> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    if unit.starts_with(',') {
        return Err(format!("`{text}` has a decimal comma; write a decimal point"));
    }
    let number: f64 = number.parse().map_err(|_| format!("`{text}` does not begin with a number"))?;
    if number.is_finite() { Ok((number, unit.trim())) } else { Err(format!("`{text}` is too large")) }
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
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (number, unit) = number_and_unit(text)?;
        let (plain, label) = byte_factor(unit)
            .ok_or_else(|| format!("`{text}` has no unit of size; use GB (10^9) or GiB (2^30)"))?;
        Ok(Self { bytes: Bytes::from_f64(number * plain), as_label: Bytes::from_f64(number * label) })
    }
}

impl FromStr for Period {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (number, unit) = number_and_unit(text)?;
        let factor = match unit.to_ascii_lowercase().as_str() {
            "us" | "µs" => 1e-6,
            "ms" => 1e-3,
            "" | "s" | "sec" => 1.0,
            "m" | "min" => 60.0,
            "h" | "hour" | "hours" => 3600.0,
            "d" | "day" | "days" => 86_400.0,
            "w" | "week" | "weeks" => 604_800.0,
            _ => return Err(format!("`{text}` has no unit of time; use ms, s, m, h or d")),
        };
        Ok(Self(number * factor))
    }
}

impl FromStr for Rate {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (number, unit) = number_and_unit(text)?;
        let bad = || format!("`{text}` has no unit of rate; use GB/s, or Gb/s for bits");
        if let Some(bits) = unit
            .strip_suffix("bit/s")
            .or_else(|| unit.strip_suffix("b/s"))
            .or_else(|| unit.strip_suffix("bE"))
        {
            let (plain, _) = byte_factor(bits).ok_or_else(bad)?;
            return Ok(Self(number * plain / 8.0));
        }
        let unit = unit.strip_suffix("/s").unwrap_or(unit);
        let (plain, _) = byte_factor(unit).ok_or_else(bad)?;
        Ok(Self(number * plain))
    }
}

impl FromStr for Share {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let (number, unit) = number_and_unit(text)?;
        let share = match unit {
            "%" => number / 100.0,
            "" => number,
            _ => return Err(format!("`{text}` is not a share; write 60% or 0.6")),
        };
        if share > 1.0 {
            return Err(format!("`{text}` is more than the whole; write 60% or 0.6"));
        }
        Ok(Self(share))
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

deserialize_number_or_text!(ByteSize, |n| {
    let bytes = Bytes::from_f64(n);
    ByteSize { bytes, as_label: bytes }
});
deserialize_number_or_text!(Period, Period);
deserialize_number_or_text!(Rate, Rate);
deserialize_number_or_text!(Share, Share);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        let size: ByteSize = "24GB".parse().unwrap();
        assert_eq!((size.bytes, size.as_label), (Bytes(24_000_000_000), Bytes::gib(24)));
        let size: ByteSize = "1.5 TiB".parse().unwrap();
        assert_eq!(size.bytes, Bytes(1_649_267_441_664));
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
    }
}
