//! What a job draws.

use maat_base::Range;
use serde::Serialize;

/// Power and energy at this work; `None` where not known.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the contract defines the fields")]
pub struct Power {
    pub accelerator_w: Option<Range>,
    pub node_w: Option<Range>,
    pub node_max_w: Option<f64>,
    pub psu_w_recommended: Option<f64>,
    pub energy_per_token_j: Option<Range>,
    pub energy_job_kwh: Option<Range>,
}
