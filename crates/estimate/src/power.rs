//! What a job draws, and what it asks of the rest of a node.

use maat_base::{Bytes, Range};
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

/// What the job needs of the rest of a node; `None` where not known.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the contract defines the fields")]
pub struct HostNeeds {
    pub cpu_cores_needed: Option<f64>,
    pub ram_bytes: Option<Bytes>,
    pub read_bytes_per_s_needed: Option<f64>,
    pub disk_bytes: Option<Bytes>,
    pub time_to_load_s: Option<Range>,
}

/// What the job sends between accelerators; `None` where not known.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the contract defines the fields")]
pub struct NetworkNeeds {
    pub inside_bytes_per_s_needed: Option<f64>,
    pub between_bytes_per_s_needed: Option<f64>,
    pub share_of_step: Option<f64>,
    pub enough: Option<bool>,
}
