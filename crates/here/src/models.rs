//! A handful of models that a machine is tried with.

use maat_base::Fault;
use serde::Deserialize;

use crate::tables::rows;

/// A model in a precision.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Sample {
    pub model: String,
    /// `None` for the checkpoint's own.
    pub precision: Option<String>,
}

/// The models, smallest first.
pub(crate) fn samples() -> Result<Vec<Sample>, Fault> {
    rows(include_str!("../../../facts/probe/models.csv"), "facts/probe/models.csv")
}
