//! Readers of what monitoring tools print over time.

use serde::Serialize;

use crate::Place;

/// Samples of a running machine, in the order of the input.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Samples {
    /// One value of one signal each.
    pub rows: Vec<Sample>,
}

impl Samples {
    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// One value of one signal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sample {
    /// Seconds from the first sample, where the tool prints time.
    pub at_s: Option<f64>,
    /// What was measured, with its unit at the end, such as `gpu_utilization_percent`.
    pub signal: &'static str,
    /// Of which device, process or disk; empty for the whole machine.
    pub subject: String,
    /// The value.
    pub value: f64,
    /// Where it was read.
    #[serde(rename = "where")]
    pub place: Place,
}
