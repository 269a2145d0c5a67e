//! `dcgmi dmon`: fields of DCGM over time, by their short names.

use super::table::{Columns, cells};
use super::{Block, Format, Part, Samples, reasons, value};

/// `dcgmi dmon`.
pub const FORMAT: Format = Format {
    kind: "dcgmi-dmon",
    begins: |lines, at| header(lines[at].text).is_some(),
    length: None,
    read,
    holds_logs: false,
};

/// The names after `#Entity` or `# Entity`.
fn header(line: &str) -> Option<&str> {
    let names = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("Entity")?;
    (names.starts_with(char::is_whitespace) && !names.trim().is_empty()).then_some(names)
}

fn read(block: &Block<'_>, samples: &mut Samples) {
    let mut columns: Option<Columns> = None;
    for &line in block.lines {
        if let Some(names) = header(line.text) {
            columns = Some(Columns::of("dcgmi-dmon", names));
            continue;
        }
        let cells = cells(line.text);
        let (Some(columns), [kind, id, values @ ..]) = (&columns, cells.as_slice()) else { continue };
        let part = match *kind {
            "GPU" => Part::Gpu,
            "GPU-I" => Part::Slice,
            _ => continue,
        };
        if value::number(id).is_none() || values.len() < columns.names.len() {
            continue;
        }
        let mut row = block.row(part, id, line);
        columns.fill(values, &mut row);
        reasons::expand(&mut row);
        samples.push(row);
    }
}
