//! Tables whose header names the columns.

use super::fields::{Field, field};
use super::{Observation, value};

/// The columns of a header that mean something.
pub struct Columns {
    /// All names, in order.
    pub names: Vec<String>,
    fields: Vec<Option<Field>>,
}

impl Columns {
    /// The columns of a header whose names are divided by spaces.
    pub fn of(tool: &'static str, header: &str) -> Self {
        let names: Vec<String> =
            header.split_whitespace().map(|name| name.trim_end_matches(':').to_owned()).collect();
        let fields = names.iter().map(|name| field(tool, name)).collect();
        Self { names, fields }
    }

    /// The position of a column.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|own| own == name)
    }

    /// The position of the first of several names.
    pub fn any(&self, names: &[&str]) -> Option<usize> {
        names.iter().find_map(|name| self.position(name))
    }

    /// How many columns are known.
    pub fn known(&self) -> usize {
        self.fields.iter().flatten().count()
    }

    /// Whether a row has this table's shape: a cell for each name, numbers where signals stand.
    pub fn fits(&self, cells: &[&str]) -> bool {
        cells.len() >= self.names.len()
            && self
                .fields
                .iter()
                .zip(cells)
                .filter(|(field, _)| field.is_some())
                .any(|(_, cell)| value::number(cell).is_some())
    }

    /// Puts the known cells into an observation.
    pub fn fill(&self, cells: &[&str], row: &mut Observation) {
        for (field, cell) in self.fields.iter().zip(cells) {
            let Some(field) = field else { continue };
            if let Some(number) = value::number(cell) {
                row.set(field.signal, number * field.scale);
            }
        }
    }
}

/// The time that sysstat puts before header and rows, and the rest: `14:02:10`, `03:15:06 PM`, `Average:`.
pub fn without_clock(line: &str) -> (Option<f64>, bool, &str) {
    let trimmed = line.trim_start();
    let Some((first, rest)) = trimmed.split_once(char::is_whitespace) else { return (None, false, trimmed) };
    if matches!(first, "Average:" | "Gemiddeld:" | "Durchschn.:" | "Moyenne") {
        return (None, true, rest.trim_start());
    }
    let rest = rest.trim_start();
    let (half, after) = match rest.split_once(char::is_whitespace) {
        Some((half @ ("AM" | "PM"), after)) => (Some(half), after.trim_start()),
        _ => (None, rest),
    };
    match value::clock(first, half) {
        Some(seconds) => (Some(seconds), false, after),
        None => (None, false, trimmed),
    }
}

/// The cells of a row.
pub fn cells(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}
