//! Times as answers give them.

use serde::{Serialize, Serializer};

/// A time in whole nanoseconds that is written in microseconds with at most three decimals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Micros(i64);

impl Micros {
    /// The time of so many nanoseconds.
    pub const fn from_ns(ns: i64) -> Self {
        Self(ns)
    }

    /// A sum, held at the end of the range.
    pub(crate) fn from_sum(ns: i128) -> Self {
        Self(i64::try_from(ns).unwrap_or(i64::MAX))
    }

    /// In nanoseconds.
    pub const fn ns(self) -> i64 {
        self.0
    }

    /// In microseconds.
    pub fn us(self) -> f64 {
        self.0 as f64 / 1e3
    }

    /// In seconds.
    pub fn seconds(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// Over another time; 0 of nothing is 0.
    pub fn share_of(self, whole: Self) -> f64 {
        if whole.0 > 0 { self.0 as f64 / whole.0 as f64 } else { 0.0 }
    }
}

impl Serialize for Micros {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.us())
    }
}

/// Rounds to so many decimals.
pub(crate) fn rounded(value: f64, decimals: i32) -> f64 {
    let factor = 10_f64.powi(decimals);
    (value * factor).round() / factor
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn microseconds_keep_their_three_decimals() {
        assert_eq!(serde_json::to_string(&Micros::from_ns(8_911_887)).unwrap(), "8911.887");
        assert_eq!(serde_json::to_string(&Micros::from_ns(1_760)).unwrap(), "1.76");
        assert_eq!(Micros::from_ns(1).share_of(Micros::default()), 0.0);
    }
}
