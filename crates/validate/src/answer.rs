//! The answer.

use serde::Serialize;

use crate::group::Group;

/// Predictions beside measurements.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ValidateBody {
    /// Errors by family, benchmark and metric.
    pub groups: Vec<Group>,
    /// Errors of all rows.
    pub overall: Group,
    /// Rows that are not predicted, by reason.
    pub skipped: Vec<SkippedRows>,
    /// The same by fits that saw neither the row's model, or neither its machine; of a fit only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<LeftOutGroups>,
    /// Measured and predicted of each scored row, for the picture.
    #[serde(skip)]
    pub points: Vec<Point>,
}

/// Errors of rows whose model or machine a fit did not see.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LeftOutGroups {
    /// What was left out: `models` or `hardware`.
    pub left: &'static str,
    /// Errors by family, benchmark and metric; coverage by ranges that the other half of the pairs of model and machine set.
    pub groups: Vec<Group>,
    /// Errors of all rows.
    pub overall: Group,
}

/// Rows that are not predicted for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SkippedRows {
    /// The reason.
    pub reason: &'static str,
    /// How many.
    pub rows: usize,
}

/// A row in the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// What it is of: time per token, first token or prompt, throughput, training, memory.
    pub kind: &'static str,
    /// What was measured, in seconds or bytes.
    pub measured: f64,
    /// What is predicted.
    pub predicted: f64,
}
