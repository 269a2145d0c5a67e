//! `nvidia-smi nvlink -s`: speed and state of each link; `-e`: its errors.

use super::{Block, Format, Line, Observation, Part, Samples, Signal, value};

/// NVLink state.
pub const FORMAT: Format = Format {
    kind: "nvidia-smi-nvlink",
    begins: |lines, at| {
        lines[at].text.starts_with("GPU ")
            && lines.get(at + 1).is_some_and(|next| next.text.trim_start().starts_with("Link "))
    },
    length: None,
    read,
    holds_logs: true,
};

fn read(block: &Block<'_>, samples: &mut Samples) {
    let mut row: Option<Observation> = None;
    for &line in block.lines {
        if let Some(rest) = line.text.strip_prefix("GPU ") {
            finish(&mut row, samples);
            let index = rest.split(':').next().unwrap_or("");
            if value::number(index).is_some() {
                row = Some(block.row(Part::Gpu, index, line));
            }
        } else if let Some(row) = &mut row {
            link(line, row);
        }
    }
    finish(&mut row, samples);
}

fn finish(row: &mut Option<Observation>, samples: &mut Samples) {
    if let Some(row) = row.take() {
        samples.push(row);
    }
}

fn link(line: Line<'_>, row: &mut Observation) {
    let Some((_, text)) = line.text.trim_start().strip_prefix("Link ").and_then(|rest| rest.split_once(':'))
    else {
        return;
    };
    let text = text.trim();
    let (signal, value) = if text.to_ascii_lowercase().contains("inactive") {
        (Signal::LinksInactive, 1.0)
    } else if let Some((_, count)) = text.split_once("Errors:") {
        match value::number(count) {
            Some(count) => (Signal::NvlinkErrors, count),
            None => return,
        }
    } else if let Some(speed) = value::measured(text, 1.0) {
        let slowest = row.get(Signal::LinkBytesPerS).map_or(speed, |old| old.min(speed));
        row.values.retain(|(signal, _)| *signal != Signal::LinkBytesPerS);
        row.set(Signal::LinkBytesPerS, slowest);
        (Signal::LinksActive, 1.0)
    } else {
        return;
    };
    let sum = row.get(signal).unwrap_or(0.0) + value;
    row.values.retain(|(own, _)| *own != signal);
    row.set(signal, sum);
}
