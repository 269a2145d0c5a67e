//! `top -b`, and process lists of `top` and `htop` without its head.

use super::table::{Columns, cells};
use super::{Block, Format, Label, Line, Part, Samples, Signal, fields, value};

/// `top` in batch mode; `htop` as copied.
pub const FORMAT: Format = Format {
    kind: "top",
    begins: |lines, at| lines[at].text.trim_start().starts_with("top - ") || is_processes(lines[at].text),
    length: None,
    read,
    holds_logs: false,
};

/// The header of a process list: with a number, shares, and the columns that only `top` and `htop` have.
pub(super) fn is_processes(line: &str) -> bool {
    let has = |name: &str| line.split_whitespace().any(|word| word == name);
    line.contains("PID") && has("PID") && has("VIRT") && (has("%CPU") || has("CPU%"))
}

fn read(block: &Block<'_>, samples: &mut Samples) {
    let mut columns: Option<Columns> = None;
    let mut at_s = None;
    let mut threads = false;
    for &line in block.lines {
        let text = line.text.trim_start();
        if text.starts_with("top - ") {
            columns = None;
            at_s = text.split_whitespace().nth(2).and_then(|time| value::clock(time, None));
            load(block, line, text, at_s, samples);
        } else if text.starts_with("Threads:") {
            threads = true;
        } else if text.starts_with("Tasks:") {
            threads = false;
        } else if text.starts_with("%Cpu") || text.starts_with("Cpu(s)") {
            processors(block, line, text, at_s, samples);
        } else if text.contains("Swap") && text.contains("total") && columns.is_none() {
            swap(block, line, text, at_s, samples);
        } else if text.contains("Mem") && text.contains("total") && columns.is_none() {
            memory(block, line, text, at_s, samples);
        } else if is_processes(text) {
            columns = Some(Columns::of("top", text));
        } else if let Some(columns) = &columns {
            process(block, line, columns, threads, at_s, samples);
        }
    }
}

fn load(block: &Block<'_>, line: Line<'_>, text: &str, at_s: Option<f64>, samples: &mut Samples) {
    let Some((_, after)) = text.split_once("load average:") else { return };
    let first = after.trim_start();
    // `137.42, 131.08, 118.90`, or with decimal commas `137,42, 131,08, 118,90`.
    let Some(number) = first.split(", ").next().and_then(value::number) else { return };
    let mut row = block.row(Part::Host, "", line);
    row.at_s = at_s;
    row.set(Signal::Load1m, number);
    samples.push(row);
}

/// `93.6 us,  5.9 sy, …`; each core has its own line when asked for.
fn pairs(text: &str) -> impl Iterator<Item = (f64, &str)> {
    let words: Vec<&str> =
        text.split(|c: char| c.is_whitespace() || c == '%').filter(|word| !word.is_empty()).collect();
    let pairs: Vec<(f64, &str)> = words
        .windows(2)
        .filter_map(|pair| {
            Some((value::number(pair[0].trim_end_matches(','))?, pair[1].trim_end_matches([',', '.'])))
        })
        .collect();
    pairs.into_iter()
}

fn processors(block: &Block<'_>, line: Line<'_>, text: &str, at_s: Option<f64>, samples: &mut Samples) {
    let Some((head, rest)) = text.split_once(':') else { return };
    let core: String = head.chars().filter(char::is_ascii_digit).collect();
    let mut row = block.row(if core.is_empty() { Part::Host } else { Part::Core }, &core, line);
    row.at_s = at_s;
    for (number, name) in pairs(rest) {
        if let Some(field) = fields::field("cpu", name) {
            row.set(field.signal, number * field.scale);
        }
    }
    samples.push(row);
}

fn unit(text: &str) -> f64 {
    if text.starts_with("MiB") || text.starts_with("MB") {
        1_048_576.0
    } else if text.starts_with("GiB") {
        1_073_741_824.0
    } else {
        1024.0
    }
}

fn memory(block: &Block<'_>, line: Line<'_>, text: &str, at_s: Option<f64>, samples: &mut Samples) {
    let Some((_, rest)) = text.split_once(':') else { return };
    let mut row = block.row(Part::Host, "", line);
    row.at_s = at_s;
    for (number, name) in pairs(rest) {
        let signal = match name {
            "total" => Signal::RamTotalBytes,
            "free" => Signal::RamFreeBytes,
            "used" => Signal::RamUsedBytes,
            "buff/cache" | "cached" => Signal::RamCachedBytes,
            _ => continue,
        };
        row.set(signal, number * unit(text));
    }
    samples.push(row);
}

fn swap(block: &Block<'_>, line: Line<'_>, text: &str, at_s: Option<f64>, samples: &mut Samples) {
    let Some((_, rest)) = text.split_once(':') else { return };
    let mut row = block.row(Part::Host, "", line);
    row.at_s = at_s;
    for (number, name) in pairs(rest) {
        let signal = match name {
            "total" => Signal::SwapTotalBytes,
            "used" => Signal::SwapUsedBytes,
            "avail" => Signal::RamAvailableBytes,
            _ => continue,
        };
        row.set(signal, number * unit(text));
    }
    samples.push(row);
}

fn process(
    block: &Block<'_>,
    line: Line<'_>,
    columns: &Columns,
    threads: bool,
    at_s: Option<f64>,
    samples: &mut Samples,
) {
    let cells = cells(line.text);
    let cell = |names: &[&str]| columns.any(names).and_then(|at| cells.get(at)).copied();
    let Some(pid) = cell(&["PID"]).filter(|pid| pid.bytes().all(|byte| byte.is_ascii_digit())) else {
        return;
    };
    if !columns.fits(&cells) {
        return;
    }
    let mut row = block.row(if threads { Part::Thread } else { Part::Process }, pid, line);
    row.at_s = at_s;
    columns.fill(&cells, &mut row);
    if let Some(bytes) = cell(&["RES"]).and_then(value::kibibytes) {
        row.set(Signal::ProcessRssBytes, bytes);
    }
    if let Some(state) = cell(&["S"]) {
        row.tag(Label::State, state);
    }
    if let Some(user) = cell(&["USER"]) {
        row.tag(Label::User, user);
    }
    if let Some(command) = columns.any(&["COMMAND", "Command"]).and_then(|at| cells.get(at..)) {
        row.tag(Label::Name, command.join(" "));
    }
    samples.push(row);
}
