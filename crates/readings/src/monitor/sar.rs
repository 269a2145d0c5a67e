//! Tables of sysstat with a time in front: `mpstat`, `sar`, `pidstat`; and the banner that names the machine.

use super::table::{Columns, cells, without_clock};
use super::{Block, Format, Label, Line, Part, Samples, Signal, Span, value};

/// `Linux 6.8.0 (host) 06/12/2026 _x86_64_ (28 CPU)`.
pub const BANNER: Format = Format {
    kind: "sysstat",
    begins: |lines, at| cores(lines[at].text).is_some(),
    length: Some(|_| 1),
    read: read_banner,
    holds_logs: false,
};

/// Tables with a time in front.
pub const FORMAT: Format = Format {
    kind: "sar",
    begins: |lines, at| header(lines[at].text).is_some(),
    length: None,
    read,
    holds_logs: false,
};

fn cores(line: &str) -> Option<f64> {
    if !line.starts_with("Linux ") {
        return None;
    }
    let open = line.rfind('(')?;
    value::number(
        line.get(open + 1..)?
            .strip_suffix(')')
            .or_else(|| line.get(open + 1..)?.trim_end().strip_suffix(')'))?
            .strip_suffix(" CPU")?,
    )
}

fn read_banner(block: &Block<'_>, samples: &mut Samples) {
    if let Some(&line) = block.lines.first()
        && let Some(cores) = cores(line.text)
    {
        let mut row = block.row(Part::Host, "", line);
        row.set(Signal::CpuCount, cores);
        samples.push(row);
    }
}

struct Table {
    columns: Columns,
    part: Part,
    subject: Option<usize>,
    command: Option<usize>,
    thread: Option<usize>,
    time: Option<usize>,
}

/// The table that a header begins.
fn header(line: &str) -> Option<Table> {
    if line.len() > 2_000 || !line.contains(['%', '/', '-']) {
        return None;
    }
    let (_, _, rest) = without_clock(line.trim_start().trim_start_matches('#'));
    if !rest.contains(['%', '/', '-']) {
        return None;
    }
    let first = rest.split_whitespace().next()?;
    let has = |name: &str| rest.split_whitespace().any(|word| word == name);
    let (tool, part) = match first {
        "CPU" if has("%idle") => ("cpu", Part::Core),
        "DEV" if has("tps") => ("iostat", Part::Disk),
        "IFACE" => ("sar", Part::Interface),
        "UID" | "Time" if has("PID") || has("TGID") => ("pidstat", Part::Process),
        "runq-sz" | "pswpin/s" | "pgpgin/s" | "kbmemfree" | "kbswpfree" | "proc/s" | "%scpu-10"
        | "%sio-10" | "%smem-10" => ("sar", Part::Host),
        _ => return None,
    };
    let columns = Columns::of(tool, rest);
    if columns.known() == 0 {
        return None;
    }
    let subject = match part {
        Part::Process => columns.any(&["PID", "TGID"]),
        Part::Host => None,
        _ => Some(0),
    };
    let time = (first == "Time").then_some(0);
    let command = columns.any(&["Command"]);
    let thread = columns.position("TID");
    Some(Table { columns, part, subject, command, thread, time })
}

fn read(block: &Block<'_>, samples: &mut Samples) {
    let mut table: Option<Table> = None;
    for &line in block.lines {
        if let Some(new) = header(line.text) {
            table = Some(new);
        } else if line.text.trim().is_empty() {
            table = None;
        } else if let Some(table) = &table {
            row(block, line, table, samples);
        }
    }
}

fn row(block: &Block<'_>, line: Line<'_>, table: &Table, samples: &mut Samples) {
    let (at_s, average, rest) = without_clock(line.text);
    let cells = cells(rest);
    if !table.columns.fits(&cells) {
        return;
    }
    let subject = table.subject.and_then(|at| cells.get(at)).copied().unwrap_or("");
    let thread = table.thread.and_then(|at| cells.get(at)).copied().filter(|id| value::number(id).is_some());
    let (part, name) = match (table.part, subject, thread) {
        (Part::Core, "all", _) => (Part::Host, ""),
        (Part::Process, _, Some(thread)) => (Part::Thread, thread),
        (part, subject, _) => (part, subject),
    };
    let mut row = block.row(part, name, line);
    row.at_s = table.time.and_then(|at| cells.get(at)).and_then(|text| value::number(text)).or(at_s);
    if average {
        row.span = Span::Average;
    }
    table.columns.fill(&cells, &mut row);
    if let Some(command) = table.command.and_then(|at| cells.get(at..)) {
        row.tag(Label::Name, command.join(" ").trim_start_matches(['|', '_']).to_owned());
    }
    samples.push(row);
}
