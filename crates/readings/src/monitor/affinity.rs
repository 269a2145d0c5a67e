//! Which cores a process may use: `taskset -cp`, `/proc/PID/status`.

use super::{Block, Format, Label, Part, Samples};

/// `taskset -cp PID` and `Cpus_allowed_list`.
pub const FORMAT: Format = Format {
    kind: "affinity",
    begins: |lines, at| cores(lines[at].text).is_some(),
    length: Some(|_| 1),
    read,
    holds_logs: false,
};

fn cores(line: &str) -> Option<(&str, &str)> {
    if let Some(list) = line.strip_prefix("Cpus_allowed_list:") {
        return Some(("", list.trim()));
    }
    let (pid, list) = line.strip_prefix("pid ")?.split_once("'s current affinity list: ")?;
    Some((pid.trim(), list.trim()))
}

fn read(block: &Block<'_>, samples: &mut Samples) {
    if let Some(&line) = block.lines.first()
        && let Some((pid, list)) = cores(line.text)
    {
        let mut row = block.row(Part::Process, pid, line);
        row.tag(Label::Cores, list);
        samples.push(row);
    }
}
