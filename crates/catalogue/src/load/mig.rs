//! `hardware/mig.csv`: the slices that a part can be cut to.

use maat_base::{Bytes, Fault, GIB, Sourced};
use serde::Serialize;

use super::accelerators::sourced;
use super::rates::basis;
use crate::table::{File, Loaded, Row, columns, read};

columns!(Columns {
    accelerator,
    profile,
    compute_share,
    units,
    memory_gib,
    instances,
    basis,
    source,
    unsure
});

/// A slice of a part.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MigProfile {
    /// The part's identifier.
    pub accelerator: String,
    /// Name of the profile, such as `1g.12gb`.
    pub profile: String,
    /// Share of the part's compute slices, 0 to 1.
    pub compute_share: f64,
    /// Multiprocessors of the slice, where known.
    pub units: Option<u32>,
    /// Memory of the slice as the driver reports it, or estimated from the label.
    pub memory: Sourced<Bytes>,
    /// Most slices of this profile on one part.
    pub instances: u32,
    /// Where it stands, as `path:line`.
    pub place: String,
}

/// Reads every profile.
pub(crate) fn mig(files: &[File]) -> Loaded<MigProfile> {
    read(files, "hardware/mig.csv", Columns::of, profile)
}

fn profile(row: &Row<'_>, c: &Columns) -> Result<MigProfile, Fault> {
    let gib = row.positive(c.memory_gib, "memory_gib")?.ok_or_else(|| row.fault("memory_gib", ""))?;
    let memory = Bytes::from_f64(gib * GIB as f64);
    Ok(MigProfile {
        accelerator: row.required(c.accelerator, "accelerator")?,
        profile: row.required(c.profile, "profile")?,
        compute_share: row.one_of(c.compute_share, "compute_share", fraction)?,
        units: row.count(c.units, "units")?,
        memory: sourced(
            memory,
            row.one_of(c.basis, "basis", basis)?,
            row.text(c.source),
            row.owned(c.unsure),
        ),
        instances: row.count(c.instances, "instances")?.unwrap_or(1),
        place: row.place(),
    })
}

/// Reads `3/7`.
fn fraction(text: &str) -> Option<f64> {
    let (above, below) = text.split_once('/')?;
    let (above, below): (f64, f64) = (above.parse().ok()?, below.parse().ok()?);
    (below > 0.0 && above > 0.0 && above <= below).then(|| above / below)
}
