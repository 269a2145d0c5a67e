//! A figure that rests on a model: low, likely, high.

use serde::{Deserialize, Serialize};

/// A model-based figure with its 80 % range: one in ten falls below `low`, one in ten above `high`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Range {
    /// The 10 % quantile.
    pub low: f64,
    /// The best single figure.
    pub likely: f64,
    /// The 90 % quantile.
    pub high: f64,
}

impl Range {
    /// Three figures, put in order.
    pub fn new(low: f64, likely: f64, high: f64) -> Self {
        Self { low: low.min(likely), likely, high: high.max(likely) }
    }

    /// A figure without spread.
    pub fn exact(value: f64) -> Self {
        Self { low: value, likely: value, high: value }
    }

    /// The range `likely / below ..= likely * above`, for factors of at least 1.
    pub fn by_factors(likely: f64, below: f64, above: f64) -> Self {
        Self::new(likely / below.max(1.0), likely, likely * above.max(1.0))
    }

    /// All three figures times a positive number.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Self { low: self.low * factor, likely: self.likely * factor, high: self.high * factor }
    }

    /// `numerator / x` for positive ranges: a long time is a low rate.
    #[must_use]
    pub fn inverted(self, numerator: f64) -> Self {
        Self { low: numerator / self.high, likely: numerator / self.likely, high: numerator / self.low }
    }

    /// Applies a monotone increasing function to all three figures.
    #[must_use]
    pub fn map(self, f: impl Fn(f64) -> f64) -> Self {
        Self { low: f(self.low), likely: f(self.likely), high: f(self.high) }
    }

    /// Whether all three are finite and in order.
    pub fn is_sound(self) -> bool {
        self.low.is_finite() && self.high.is_finite() && self.low <= self.likely && self.likely <= self.high
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverting_swaps_the_ends() {
        let tpot = Range::new(0.01, 0.02, 0.04);
        assert_eq!(tpot.inverted(1.0), Range { low: 25.0, likely: 50.0, high: 100.0 });
        assert!(tpot.inverted(1.0).is_sound());
    }
}
