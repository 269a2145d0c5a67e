//! `gpustat`.

use super::{Block, Format, Label, Line, Part, Samples, Signal, value};

/// `gpustat`.
pub const FORMAT: Format = Format {
    kind: "gpustat",
    begins: |lines, at| is_device(lines[at].text),
    length: None,
    read,
    holds_logs: true,
};

/// `[0] NVIDIA A100 | 45'C,  30 % | 8122 / 11264 MB | user(8122M)`.
fn is_device(line: &str) -> bool {
    line.starts_with('[') && line.contains("'C,") && line.matches('|').count() >= 2
}

fn read(block: &Block<'_>, samples: &mut Samples) {
    for &line in block.lines.iter().filter(|line| is_device(line.text)) {
        device(block, line, samples);
    }
}

fn device(block: &Block<'_>, line: Line<'_>, samples: &mut Samples) {
    let cells: Vec<&str> = line.text.split('|').collect();
    let Some((index, name)) = cells[0].trim_start_matches('[').split_once(']') else { return };
    if value::number(index).is_none() {
        return;
    }
    let mut row = block.row(Part::Gpu, index.trim(), line);
    row.tag(Label::Name, name.trim());
    for part in cells[1].split(',') {
        let part = part.trim();
        if let Some(degrees) = part.strip_suffix("'C").and_then(value::number) {
            row.set(Signal::TemperatureC, degrees);
        } else if let Some((power, limit)) = part.split_once('/') {
            for (signal, text) in [(Signal::PowerW, power), (Signal::PowerLimitW, limit)] {
                if let Some(watts) = value::measured(text, 1.0) {
                    row.set(signal, watts);
                }
            }
        } else if let Some(share) = part.strip_suffix('%').and_then(value::number) {
            row.set(Signal::GpuUtilization, share / 100.0);
        }
    }
    if let Some((used, total)) = cells[2].split_once('/') {
        for (signal, text) in [(Signal::MemoryUsedBytes, used), (Signal::MemoryTotalBytes, total)] {
            if let Some(megabytes) = value::number(text.trim().trim_end_matches(" MB")) {
                row.set(signal, megabytes * 1_048_576.0);
            }
        }
    }
    samples.push(row);
}
