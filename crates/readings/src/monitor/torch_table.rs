//! Tables of PyTorch's profiler: `key_averages().table()`.

use super::{Block, Format, Label, Line, Observation, Part, Samples, Signal, value};

/// PyTorch's profiler as text.
pub const FORMAT: Format = Format {
    kind: "torch-profiler-table",
    begins: |lines, at| {
        let text = lines[at].text;
        text.trim_start().starts_with("Name ") && text.contains("Self CPU %") && text.contains("# of Calls")
    },
    length: None,
    read,
    holds_logs: true,
};

/// More operators than this are not kept of one table; it is sorted by what matters.
const OPERATOR_LIMIT: usize = 2_000;

/// The columns' names: cells and names are both divided by two spaces or more.
fn cells(line: &str) -> Vec<&str> {
    line.split("  ").map(str::trim).filter(|cell| !cell.is_empty()).collect()
}

fn read(block: &Block<'_>, samples: &mut Samples) {
    let mut header: Vec<&str> = Vec::new();
    let mut totals: Option<Observation> = None;
    let mut operators = 0;
    for &line in block.lines {
        if (FORMAT.begins)(&[line], 0) {
            header = cells(line.text);
        } else if let Some((signal, seconds)) = total(line.text) {
            totals.get_or_insert_with(|| block.row(Part::Operator, "", line)).set(signal, seconds);
        } else if operators < OPERATOR_LIMIT
            && let Some(row) = operator(block, line, &header)
        {
            operators += 1;
            samples.push(row);
        }
    }
    if let Some(totals) = totals {
        samples.push(totals);
    }
}

/// `Self CPU time total: 543.473ms`; the device is called CUDA, XPU or by another name.
fn total(line: &str) -> Option<(Signal, f64)> {
    let (device, time) = line.trim().strip_prefix("Self ")?.split_once(" time total: ")?;
    let signal = if device == "CPU" { Signal::HostTotalS } else { Signal::DeviceTotalS };
    Some((signal, value::measured(time, 1.0).filter(|_| time.ends_with('s'))?))
}

/// A row with as many cells as the header has names.
fn operator(block: &Block<'_>, line: Line<'_>, header: &[&str]) -> Option<Observation> {
    let own = cells(line.text);
    let name = own.first()?;
    if own.len() != header.len() || header.len() < 3 {
        return None;
    }
    let mut row = block.row(Part::Operator, &name.chars().take(120).collect::<String>(), line);
    row.tag(Label::Name, *name);
    for (column, cell) in header.iter().zip(&own).filter(|(_, cell)| cell.ends_with('%')) {
        let signal = match *column {
            "Self CPU %" => Signal::OperatorHostShare,
            "Self CUDA %" | "Self XPU %" | "Self PrivateUse1 %" => Signal::OperatorDeviceShare,
            _ => continue,
        };
        if let Some(share) = value::measured(cell, 1.0) {
            row.set(signal, share);
        }
    }
    (!row.values.is_empty()).then_some(row)
}
