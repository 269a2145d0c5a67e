//! Amounts of memory and storage.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Sub};

use serde::{Deserialize, Serialize};

/// 10^9 bytes: the maker's and the disk's gigabyte.
pub const GB: u64 = 1_000_000_000;
/// 2^30 bytes: the driver's and the allocator's gigabyte.
pub const GIB: u64 = 1 << 30;
/// 2^20 bytes.
pub const MIB: u64 = 1 << 20;

/// A number of bytes. Arithmetic saturates, so that absurd inputs give an absurd size and not a panic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Bytes(pub u64);

impl Bytes {
    /// No bytes.
    pub const ZERO: Self = Self(0);

    /// Whole gibibytes (2^30).
    pub const fn gib(n: u64) -> Self {
        Self(n.saturating_mul(GIB))
    }

    /// Whole mebibytes (2^20).
    pub const fn mib(n: u64) -> Self {
        Self(n.saturating_mul(MIB))
    }

    /// Rounds a computed amount up to a whole byte; negative or NaN is zero.
    pub fn from_f64(bytes: f64) -> Self {
        Self(bytes.ceil() as u64)
    }

    /// The amount as a float, for formulas.
    pub const fn as_f64(self) -> f64 {
        self.0 as f64
    }

    /// The amount in units of 10^9.
    pub fn as_gb(self) -> f64 {
        self.as_f64() / GB as f64
    }

    /// The amount in units of 2^30.
    pub fn as_gib(self) -> f64 {
        self.as_f64() / GIB as f64
    }

    /// The share `self` is of `whole`, 0 when `whole` is 0.
    pub fn share_of(self, whole: Self) -> f64 {
        if whole.0 == 0 { 0.0 } else { self.as_f64() / whole.as_f64() }
    }

    /// Divides and rounds up, as a shard on the fullest rank does; a zero divisor divides by one.
    #[must_use]
    pub fn div_ceil(self, parts: u64) -> Self {
        Self(self.0.div_ceil(parts.max(1)))
    }
}

impl Add for Bytes {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Bytes {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Bytes {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Mul<u64> for Bytes {
    type Output = Self;
    fn mul(self, times: u64) -> Self {
        Self(self.0.saturating_mul(times))
    }
}

impl Mul<f64> for Bytes {
    type Output = Self;
    fn mul(self, times: f64) -> Self {
        Self::from_f64(self.as_f64() * times)
    }
}

impl Div<u64> for Bytes {
    type Output = Self;
    fn div(self, parts: u64) -> Self {
        Self(self.0 / parts.max(1))
    }
}

impl Sum for Bytes {
    fn sum<I: Iterator<Item = Self>>(items: I) -> Self {
        items.fold(Self::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saturates_instead_of_wrapping() {
        assert_eq!(Bytes(u64::MAX) + Bytes(1), Bytes(u64::MAX));
        assert_eq!(Bytes(1) - Bytes(2), Bytes::ZERO);
        assert_eq!(Bytes::from_f64(f64::NAN), Bytes::ZERO);
        assert_eq!(Bytes::from_f64(1e300), Bytes(u64::MAX));
    }

    #[test]
    fn gigabyte_is_not_gibibyte() {
        assert_eq!(Bytes(80 * GB).as_gb(), 80.0);
        assert!((Bytes(80 * GB).as_gib() - 74.505_805).abs() < 1e-6);
    }
}
