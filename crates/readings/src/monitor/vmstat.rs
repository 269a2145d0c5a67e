//! `vmstat`, with and without time; `vmstat -d`.

use super::table::{Columns, cells};
use super::{Block, Format, Part, Samples, Signal, Span, value};

/// `vmstat`.
pub const FORMAT: Format = Format {
    kind: "vmstat",
    begins: |lines, at| is_names(lines[at].text),
    length: None,
    read,
    holds_logs: false,
};

/// `vmstat -d`: totals since the start of the machine.
pub const DISKS: Format = Format {
    kind: "vmstat-d",
    begins: |lines, at| lines[at].text.starts_with("disk- ") && lines[at].text.contains("reads"),
    length: None,
    read: read_disks,
    holds_logs: false,
};

fn is_names(line: &str) -> bool {
    let mut words = line.split_whitespace();
    words.next() == Some("r") && words.next() == Some("b") && line.contains("swpd")
}

fn read(block: &Block<'_>, samples: &mut Samples) {
    let mut columns: Option<Columns> = None;
    let mut first = true;
    for &line in block.lines {
        if is_names(line.text) {
            columns = Some(Columns::of("vmstat", line.text));
            continue;
        }
        let Some(columns) = &columns else { continue };
        let cells = cells(line.text);
        // A time zone stands in the header but not as one cell of the row.
        let enough = columns.names.iter().take_while(|name| name.as_str() != "st").count();
        if cells.len() < enough || cells.iter().take(enough).any(|cell| value::number(cell).is_none()) {
            continue;
        }
        let mut row = block.row(Part::Host, "", line);
        columns.fill(&cells, &mut row);
        if first {
            row.span = Span::SinceBoot;
        }
        first = false;
        samples.push(row);
    }
}

fn read_disks(block: &Block<'_>, samples: &mut Samples) {
    for &line in block.lines.iter().skip(2) {
        let cells = cells(line.text);
        if let [name, numbers @ ..] = cells.as_slice()
            && numbers.len() >= 10
            && let Some(running) = value::number(numbers[8])
        {
            let mut row = block.row(Part::Disk, name, line);
            row.span = Span::SinceBoot;
            row.set(Signal::ProcessesBlocked, running);
            samples.push(row);
        }
    }
}
