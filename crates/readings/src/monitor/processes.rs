//! `ps`, with whatever columns.

use super::table::{Columns, cells};
use super::{Block, Format, Label, Line, Part, Samples};

/// `ps`.
pub const FORMAT: Format = Format {
    kind: "ps",
    begins: |lines, at| is_header(lines[at].text),
    length: None,
    read,
    holds_logs: false,
};

/// Names that only a header has.
const NAMES: [&str; 17] = [
    "%CPU", "PCPU", "%MEM", "STAT", "S", "NLWP", "THCNT", "RSS", "PSR", "C", "TIME", "WCHAN", "TTY", "STIME",
    "START", "PPID", "LWP",
];

fn is_header(line: &str) -> bool {
    if !["PID", "LWP", "TID"].iter().any(|name| line.contains(name)) {
        return false;
    }
    let mut words = line.split_whitespace();
    let (mut pid, mut command, mut known, mut count) = (false, false, 0, 0);
    for word in &mut words {
        count += 1;
        pid |= matches!(word, "PID" | "LWP" | "TID" | "SPID");
        command |= matches!(word, "COMMAND" | "CMD" | "Command");
        known += usize::from(NAMES.contains(&word));
    }
    pid && command && known >= 1 && count <= 30 && !line.contains('|') && !super::top::is_processes(line)
}

fn read(block: &Block<'_>, samples: &mut Samples) {
    let mut columns: Option<Columns> = None;
    for &line in block.lines {
        if is_header(line.text) {
            columns = Some(Columns::of("ps", line.text));
        } else if let Some(columns) = &columns {
            row(block, line, columns, samples);
        }
    }
}

fn row(block: &Block<'_>, line: Line<'_>, columns: &Columns, samples: &mut Samples) {
    let cells = cells(line.text);
    let cell = |names: &[&str]| columns.any(names).and_then(|at| cells.get(at)).copied();
    let thread = columns.any(&["LWP", "TID", "SPID"]).and_then(|at| cells.get(at)).copied();
    let Some(id) =
        thread.or_else(|| cell(&["PID"])).filter(|id| id.bytes().all(|byte| byte.is_ascii_digit()))
    else {
        return;
    };
    if cells.len() < columns.names.len() {
        return;
    }
    let mut row = block.row(if thread.is_some() { Part::Thread } else { Part::Process }, id, line);
    columns.fill(&cells, &mut row);
    for (label, names) in [
        (Label::State, &["STAT", "S"][..]),
        (Label::User, &["USER", "UID", "RUSER"]),
        (Label::Wait, &["WCHAN"]),
        (Label::Parent, &["PPID"]),
    ] {
        if let Some(word) = cell(names) {
            row.tag(label, word);
        }
    }
    if let Some(command) = columns.any(&["COMMAND", "CMD", "Command"]).and_then(|at| cells.get(at..)) {
        row.tag(Label::Name, command.join(" "));
    }
    samples.push(row);
}
