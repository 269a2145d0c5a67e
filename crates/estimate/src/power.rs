//! What a job draws, and what it asks of the rest of a node.

use maat_base::{Bytes, Range};
use serde::Serialize;

use crate::{Job, Memory, Speed};

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

/// All that a job draws and asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct Needs {
    /// What it draws.
    pub power: Power,
    /// What it asks of the rest of a node.
    pub host: HostNeeds,
    /// What it sends between accelerators.
    pub network: NetworkNeeds,
}

/// What a job that runs at a speed draws and asks for.
pub fn needs(_job: &Job, memory: &Memory, _speed: &Speed) -> Needs {
    Needs {
        power: Power {
            accelerator_w: None,
            node_w: None,
            node_max_w: None,
            psu_w_recommended: None,
            energy_per_token_j: None,
            energy_job_kwh: None,
        },
        host: HostNeeds {
            cpu_cores_needed: None,
            ram_bytes: memory.host_ram_bytes,
            read_bytes_per_s_needed: None,
            disk_bytes: memory.disk_bytes,
            time_to_load_s: None,
        },
        network: NetworkNeeds {
            inside_bytes_per_s_needed: None,
            between_bytes_per_s_needed: None,
            share_of_step: None,
            enough: None,
        },
    }
}
