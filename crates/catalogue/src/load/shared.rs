//! `hardware/shared_memory.csv`: how much of a machine's memory the graphics part may use.

use maat_base::{Basis, Bytes, GIB, Sourced};

use super::accelerators::sourced;
use super::rates::basis;
use crate::accelerator::Accelerator;
use crate::table::{File, Loaded, columns, read};

columns!(Columns { isa, up_to_gb, usable_share, basis, source, unsure });

/// The share of one kind of part, for machines up to a size.
#[derive(Clone, Debug)]
pub(crate) struct SharedMemory {
    isa: String,
    up_to_gb: Option<f64>,
    share: f64,
    basis: Basis,
    source: String,
    unsure: Option<String>,
}

/// Reads every share.
pub(crate) fn shared(files: &[File]) -> Loaded<SharedMemory> {
    read(files, "hardware/shared_memory.csv", Columns::of, |row, c| {
        let share = row.number(c.usable_share, "usable_share")?.filter(|share| *share <= 1.0);
        Ok(SharedMemory {
            isa: row.required(c.isa, "isa")?,
            up_to_gb: row.number(c.up_to_gb, "up_to_gb")?,
            share: share.ok_or_else(|| row.fault("usable_share", row.text(c.usable_share)))?,
            basis: row.one_of(c.basis, "basis", basis)?,
            source: row.text(c.source).to_owned(),
            unsure: row.owned(c.unsure),
        })
    })
}

/// What a part may use of its label's memory where no driver's figure is known: all of its own; of memory shared with
/// the host the share of the table, else all with a doubt.
pub(crate) fn usable(shared: &[SharedMemory], part: &Accelerator, doubt: Option<String>) -> Sourced<Bytes> {
    let label = part.memory_label_bytes;
    let fits = |rule: &&SharedMemory| {
        rule.isa == part.isa && rule.up_to_gb.is_none_or(|gb| label.as_f64() <= gb * GIB as f64)
    };
    if let Some(rule) = shared.iter().find(fits) {
        let doubt = doubt.or_else(|| rule.unsure.clone());
        return sourced(Bytes::from_f64(label.as_f64() * rule.share), rule.basis, &rule.source, doubt);
    }
    let doubt = doubt.or_else(|| part.unified.then(|| TAKEN.to_owned()));
    sourced(label, Basis::Vendor, &part.sources, doubt)
}

/// Why the label of shared memory is not what a part may use.
const TAKEN: &str = "shared with the operating system, which takes its part";
