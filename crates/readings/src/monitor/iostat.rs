//! `iostat`, plain and extended, of all versions.

use super::table::{Columns, cells};
use super::{Block, Format, Part, Samples, Span, value};

/// `iostat` and `iostat -x`.
pub const FORMAT: Format = Format {
    kind: "iostat",
    begins: |lines, at| lines[at].text.starts_with("avg-cpu:") || is_devices(lines[at].text),
    length: None,
    read,
    holds_logs: false,
};

fn is_devices(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next().is_some_and(|first| first.trim_end_matches(':') == "Device")
        && words.any(|word| matches!(word, "r/s" | "tps" | "rrqm/s"))
}

fn read(block: &Block<'_>, samples: &mut Samples) {
    let start = samples.rows.len();
    let mut reports = 0_usize;
    let mut devices: Option<Columns> = None;
    let mut processors: Option<Columns> = None;
    for &line in block.lines {
        if let Some(names) = line.text.strip_prefix("avg-cpu:") {
            processors = Some(Columns::of("cpu", names));
            devices = None;
            reports += 1;
        } else if is_devices(line.text) {
            if processors.is_none() {
                reports += 1;
            }
            devices = Some(Columns::of("iostat", line.text));
        } else if let Some(columns) = processors.as_ref().filter(|_| devices.is_none()) {
            let cells = cells(line.text);
            if columns.fits(&cells) {
                let mut row = block.row(Part::Host, "", line);
                row.at_s = Some(reports as f64);
                columns.fill(&cells, &mut row);
                samples.push(row);
            }
        } else if let Some(columns) = &devices {
            let cells = cells(line.text);
            if columns.fits(&cells) && value::number(cells[0]).is_none() {
                let mut row = block.row(Part::Disk, cells[0], line);
                row.at_s = Some(reports as f64);
                columns.fill(&cells, &mut row);
                samples.push(row);
            }
        }
    }
    mark_first(samples, start, reports);
}

/// The first report covers the time since the machine started, unless it was left out (`-y`); so it is marked, and
/// counts only where there is no other.
fn mark_first(samples: &mut Samples, start: usize, reports: usize) {
    for row in &mut samples.rows[start..] {
        let first = row.at_s == Some(1.0);
        row.at_s = None;
        if first && reports != 0 {
            row.span = Span::SinceBoot;
        }
    }
}
