//! `hardware/claims.csv`: figures of other sources that are not used, and why.

use serde::Serialize;

use crate::table::{File, Loaded, columns, read};

columns!(Columns { accelerator, figure, value, source, why_not });

/// A figure that another source has for a part.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Claim {
    /// The part's identifier.
    pub accelerator: String,
    /// Column of `hardware/accelerators`, with its unit.
    pub figure: String,
    /// What the source has.
    pub value: f64,
    /// Its tag.
    pub source: String,
    /// Why it is not used.
    pub why_not: Option<String>,
    /// Where it stands, as `path:line`.
    pub place: String,
}

/// Reads every claim.
pub(crate) fn claims(files: &[File]) -> Loaded<Claim> {
    read(files, "hardware/claims.csv", Columns::of, |row, c| {
        Ok(Claim {
            accelerator: row.required(c.accelerator, "accelerator")?,
            figure: row.required(c.figure, "figure")?,
            value: row.number(c.value, "value")?.ok_or_else(|| row.fault("value", ""))?,
            source: row.required(c.source, "source")?,
            why_not: row.owned(c.why_not),
            place: row.place(),
        })
    })
}
