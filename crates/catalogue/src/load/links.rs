//! `hardware/links.csv`: links between chips, nodes and disks.

use serde::Serialize;

use crate::table::{File, Loaded, columns, read};

columns!(Columns { kind, generation, used_by, one_way_gb_s, both_ways_gb_s, scope, source, unsure });

/// A kind of link and its rate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LinkFact {
    /// Kind, such as `NVLink`.
    pub kind: String,
    /// Generation or width.
    pub generation: String,
    /// What has it.
    pub used_by: String,
    /// Bytes per second in one direction, where stated.
    pub bytes_per_s: Option<f64>,
    /// Bytes per second in both directions together, where stated.
    pub both_ways_bytes_per_s: Option<f64>,
    /// What the rate is of, such as `per GPU`.
    pub scope: String,
    /// Tags of its sources.
    pub source: String,
    /// What is not certain.
    pub unsure: Option<String>,
    /// Where it stands, as `path:line`.
    pub place: String,
}

/// Reads every link.
pub(crate) fn links(files: &[File]) -> Loaded<LinkFact> {
    read(files, "hardware/links.csv", Columns::of, |row, c| {
        let rate = |column, name| Ok::<_, maat_base::Fault>(row.positive(column, name)?.map(|gb| gb * 1e9));
        Ok(LinkFact {
            kind: row.required(c.kind, "kind")?,
            generation: row.text(c.generation).to_owned(),
            used_by: row.text(c.used_by).to_owned(),
            bytes_per_s: rate(c.one_way_gb_s, "one_way_gb_s")?,
            both_ways_bytes_per_s: rate(c.both_ways_gb_s, "both_ways_gb_s")?,
            scope: row.text(c.scope).to_owned(),
            source: row.required(c.source, "source")?,
            unsure: row.owned(c.unsure),
            place: row.place(),
        })
    })
}
