//! `nfsiostat`: what a network file system takes.

use super::{Block, Format, Observation, Part, Samples, Signal, value};

/// `nfsiostat`.
pub const FORMAT: Format = Format {
    kind: "nfsiostat",
    begins: |lines, at| mount(lines[at].text).is_some(),
    length: None,
    read,
    holds_logs: true,
};

fn mount(line: &str) -> Option<&str> {
    let (server, folder) = line.split_once(" mounted on ")?;
    (server.contains(":/") && folder.trim_end().ends_with(':'))
        .then(|| folder.trim_end().trim_end_matches(':'))
}

fn read(block: &Block<'_>, samples: &mut Samples) {
    let mut row: Option<Observation> = None;
    let mut reads = false;
    let mut at = 0;
    while let Some(&line) = block.lines.get(at) {
        at += 1;
        if let Some(folder) = mount(line.text) {
            if let Some(row) = row.take() {
                samples.push(row);
            }
            row = Some(block.row(Part::Mount, folder, line));
            continue;
        }
        let text = line.text.trim_start();
        if text.starts_with("read:") || text.starts_with("write:") {
            reads = text.starts_with("read:");
        } else if let Some(row) = row.as_mut().filter(|_| reads)
            && text.starts_with(|c: char| c.is_ascii_digit())
        {
            // ops/s, kB/s, kB/op, retrans (count and share), average RTT, average time, average queue (ms).
            let numbers: Vec<f64> = text.split_whitespace().filter_map(value::number).collect();
            if let [_, kilobytes, _, _, rtt, whole, ..] = numbers.as_slice() {
                row.set(Signal::RpcBytesPerS, kilobytes * 1000.0);
                row.set(Signal::RpcRttS, rtt / 1000.0);
                row.set(Signal::NetworkWaitS, whole / 1000.0);
            }
            reads = false;
        }
    }
    if let Some(row) = row {
        samples.push(row);
    }
}
