//! The codes: how severe each is, in which order causes are named, and which other findings a cause explains.

use std::sync::LazyLock;

use maat_base::{Finding, Severity};
use serde::Deserialize;

/// The table's text; one row a code.
const CODES: &str = include_str!("../../../facts/doctor/codes.csv");

#[derive(Debug, Deserialize)]
struct Row {
    code: String,
    severity: String,
    /// Low is nearer to the root of things.
    order: u32,
    component: String,
    /// Codes that this one explains, divided by spaces.
    explains: String,
    source: String,
    date: String,
}

/// A code of the doctor.
#[derive(Debug)]
pub struct Code {
    /// The code.
    pub code: String,
    /// How severe a finding of it is.
    pub severity: Severity,
    /// Causes with a lower order are named first.
    pub order: u32,
    /// What part of a machine it is about.
    pub component: String,
    /// Codes that are but consequences of this one.
    pub explains: Vec<String>,
    /// Who states the rule, and when.
    pub source: String,
}

static TABLE: LazyLock<Vec<Code>> = LazyLock::new(|| parse(CODES));

/// All codes.
pub fn codes() -> &'static [Code] {
    &TABLE
}

/// A code's row.
pub fn code(name: &str) -> Option<&'static Code> {
    TABLE.iter().find(|code| code.code == name)
}

fn parse(text: &str) -> Vec<Code> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows = reader.deserialize::<Row>().filter_map(Result::ok);
    rows.map(|row| Code {
        severity: match row.severity.as_str() {
            "info" => Severity::Info,
            "warning" => Severity::Warning,
            _ => Severity::Error,
        },
        explains: row.explains.split_whitespace().map(str::to_owned).collect(),
        source: if row.date.is_empty() { row.source } else { format!("{} ({})", row.source, row.date) },
        code: row.code,
        order: row.order,
        component: row.component,
    })
    .collect()
}

/// A finding of a code about its component, with its severity, its source and its usual fix.
pub fn finding(name: &'static str) -> Finding {
    let row = code(name);
    let severity = row.map_or(Severity::Error, |row| row.severity);
    let subject = row.map_or("", |row| row.component.as_str());
    let mut finding = Finding::new(name, severity, subject);
    finding.refuted_by = vec![maat_base::Text::named(format!("refute-{name}"))];
    finding.source = row.map(|row| row.source.clone());
    finding.fix(maat_base::Text::named(format!("fix-{name}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_read_and_every_reference_holds() {
        assert_eq!(codes().len(), CODES.lines().count() - 1);
        for row in codes() {
            for other in &row.explains {
                assert!(code(other).is_some(), "{} explains the unknown {other}", row.code);
            }
            assert!(!row.source.is_empty(), "{} has no source", row.code);
        }
    }

    /// The closed list that scripts rely on, where it is at hand.
    #[test]
    fn codes_are_those_of_the_closed_list() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/samples/doctor/CODES.toml");
        let Ok(text) = std::fs::read_to_string(path) else { return };
        let listed: toml::Table = text.parse().unwrap();
        for row in listed["code"].as_array().unwrap() {
            let name = row["code"].as_str().unwrap();
            let own = code(name).unwrap_or_else(|| panic!("{name} is missing"));
            let severity = row["severity"].as_str().unwrap();
            if severity != "depends" {
                assert_eq!(format!("{:?}", own.severity).to_lowercase(), severity, "{name}");
            }
        }
    }
}
