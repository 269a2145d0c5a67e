//! Where a figure comes from.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

/// What a figure rests on, weakest first, so that the basis of a sum or product is the `min` of its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// A model with a range, or a figure that its source marks as unsure.
    Estimated,
    /// Printed by the maker.
    Vendor,
    /// Measured by somebody, on something, at some date.
    Measured,
    /// Exact from the inputs.
    Computed,
}

impl Basis {
    /// The basis of a figure made out of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        self.min(other)
    }
}

/// A figure with its origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sourced<T> {
    /// The figure.
    pub value: T,
    /// What it rests on.
    pub basis: Basis,
    /// Tag of the source in `facts/sources.csv`; several are joined by `;`.
    pub source: String,
    /// When the source stated it, where known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<Date>,
    /// Why the figure is not certain, in the words of whoever entered it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unsure: Option<String>,
}

impl<T> Sourced<T> {
    /// A figure without date or doubt.
    pub fn new(value: T, basis: Basis, source: impl Into<String>) -> Self {
        Self { value, basis, source: source.into(), date: None, unsure: None }
    }
}
