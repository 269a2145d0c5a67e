//! `nvidia-smi dmon` and `pmon`.

use super::table::{Columns, cells};
use super::{Block, Format, Label, Part, Samples, Signal, reasons, value};

/// `nvidia-smi dmon`: devices over time.
pub const DMON: Format = Format {
    kind: "nvidia-smi-dmon",
    begins: |lines, at| header(lines[at].text).is_some_and(|names| !names.contains("pid")),
    length: None,
    read: read_devices,
    holds_logs: false,
};

/// `nvidia-smi pmon`: processes over time.
pub const PMON: Format = Format {
    kind: "nvidia-smi-pmon",
    begins: |lines, at| header(lines[at].text).is_some_and(|names| names.contains("pid")),
    length: None,
    read: read_processes,
    holds_logs: false,
};

/// The names of a header, which may begin with date and time (`-o DT`).
fn header(line: &str) -> Option<&str> {
    let names = line.trim_start().strip_prefix('#')?.trim_start();
    let begins = names.split_whitespace().take(3).any(|name| name == "gpu");
    (begins && names.split_whitespace().count() > 2).then_some(names)
}

fn read_devices(block: &Block<'_>, samples: &mut Samples) {
    let mut columns: Option<Columns> = None;
    for &line in block.lines {
        if let Some(names) = header(line.text) {
            columns = Some(Columns::of("nvidia-smi-dmon", names));
            continue;
        }
        let Some(columns) = &columns else { continue };
        let cells = cells(line.text);
        if cells.len() < columns.names.len() || line.text.trim_start().starts_with('#') {
            continue;
        }
        let Some(gpu) = columns.position("gpu").and_then(|at| cells.get(at)) else { continue };
        if value::number(gpu).is_none() {
            continue;
        }
        let mut row = block.row(Part::Gpu, gpu, line);
        row.at_s =
            columns.position("Time").and_then(|at| cells.get(at)).and_then(|time| value::clock(time, None));
        columns.fill(&cells, &mut row);
        reasons::expand(&mut row);
        samples.push(row);
    }
}

fn read_processes(block: &Block<'_>, samples: &mut Samples) {
    let mut columns: Option<Columns> = None;
    for &line in block.lines {
        if let Some(names) = header(line.text) {
            columns = Some(Columns::of("nvidia-smi-pmon", names));
            continue;
        }
        let Some(columns) = &columns else { continue };
        let cells = cells(line.text);
        let cell = |name| columns.position(name).and_then(|at| cells.get(at)).copied();
        let (Some(gpu), Some(pid)) = (cell("gpu"), cell("pid")) else { continue };
        if value::number(gpu).is_none() || value::number(pid).is_none() || cells.len() < columns.names.len() {
            continue;
        }
        let mut row = block.row(Part::Process, pid, line);
        row.tag(Label::Gpu, gpu);
        if let Some(kind) = cell("type") {
            row.tag(Label::Kind, kind);
        }
        if let Some(name) = cell("command").or_else(|| cell("name")) {
            row.tag(Label::Name, name);
        }
        columns.fill(&cells, &mut row);
        // A dash is no figure, not zero: a process that did not run is told apart from one that cannot be measured.
        if cell("sm") == Some("-") {
            row.values.retain(|(signal, _)| *signal != Signal::ProcessSm);
        }
        samples.push(row);
    }
}
