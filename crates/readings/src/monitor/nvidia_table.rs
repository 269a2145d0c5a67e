//! The table that a bare `nvidia-smi` prints, of all driver generations.

use super::{Block, Format, Label, Line, Part, Samples, Signal, reasons, value};

/// The table of nvidia-smi.
pub const FORMAT: Format = Format {
    kind: "nvidia-smi",
    begins: |lines, at| lines[at].text.trim_start().starts_with("| NVIDIA-SMI"),
    length: None,
    read,
    holds_logs: true,
};

fn read(block: &Block<'_>, samples: &mut Samples) {
    let mut section = Section::Devices;
    let mut pending: Option<(Line<'_>, Vec<&str>)> = None;
    for &line in block.lines {
        let text = line.text.trim();
        if text.starts_with("| Processes") {
            section = Section::Processes;
        } else if text.starts_with("| MIG devices") {
            section = Section::Slices;
        } else if text.starts_with("| NVIDIA-SMI") {
            section = Section::Devices;
        }
        let Some(inner) = text.strip_prefix('|').and_then(|text| text.strip_suffix('|')) else {
            pending = None;
            continue;
        };
        match section {
            Section::Devices => {
                let cells: Vec<&str> = inner.split('|').collect();
                pending = match pending.take() {
                    Some((first, above)) if cells.len() == 3 && above.len() == 3 && is_figures(&cells) => {
                        device(block, first, &above, &cells, samples);
                        None
                    }
                    _ => (cells.len() == 3).then_some((line, cells)),
                };
            }
            Section::Slices => slice(block, line, inner, samples),
            Section::Processes => process(block, line, inner, samples),
        }
    }
}

enum Section {
    Devices,
    Slices,
    Processes,
}

fn is_figures(cells: &[&str]) -> bool {
    cells.get(1).is_some_and(|cell| cell.contains("iB /"))
}

/// Two lines: index, name, bus, ECC; fan, temperature, state, power, memory, utilisation.
fn device(block: &Block<'_>, line: Line<'_>, above: &[&str], below: &[&str], samples: &mut Samples) {
    let mut words = above[0].split_whitespace();
    let Some(index) = words.next().filter(|index| value::number(index).is_some()) else { return };
    let mut name: Vec<&str> = words.collect();
    if name.last().is_some_and(|last| matches!(*last, "On" | "Off" | "WDDM" | "TCC" | "MCDM" | "N/A")) {
        name.pop();
    }
    let mut row = block.row(Part::Gpu, index, line);
    if let Some((used, total)) = below[1].split_once('/') {
        for (signal, text) in [(Signal::MemoryUsedBytes, used), (Signal::MemoryTotalBytes, total)] {
            if let Some(bytes) = value::measured(text, 1.0) {
                row.set(signal, bytes);
            }
        }
    }
    for word in below[0].split_whitespace() {
        if let Some(state) = word.strip_prefix('P').and_then(value::number) {
            row.set(Signal::PerformanceState, state);
        } else if let Some(degrees) = word.strip_suffix('C').and_then(value::number) {
            row.set(Signal::TemperatureC, degrees);
        }
    }
    // A fan or a power that is `N/A` has a slash of its own: the last one divides draw and limit.
    if let Some((power, limit)) = below[0].rsplit_once('/') {
        let power = power.split_whitespace().last().and_then(|text| value::measured(text, 1.0));
        if let Some(power) = power.filter(|_| below[0].contains('W')) {
            row.set(Signal::PowerW, power);
        }
        if let Some(limit) = limit.trim().strip_suffix('W').and_then(value::number) {
            row.set(Signal::PowerLimitW, limit);
        }
    }
    if let Some(share) = below[2].split_whitespace().next().and_then(|text| value::measured(text, 1.0)) {
        row.set(Signal::GpuUtilization, share);
    }
    if let Some(errors) = above[2].split_whitespace().last().and_then(value::number) {
        row.set(Signal::EccUncorrectedVolatile, errors);
    }
    row.tag(Label::Name, name.join(" "));
    if above.iter().chain(below).any(|cell| cell.contains("ERR!")) {
        row.tag(Label::State, "ERR!");
    }
    reasons::expand(&mut row);
    samples.push(row);
}

/// `0    2   0   0  |  11091MiB / 40448MiB | 60 0 | …`.
fn slice(block: &Block<'_>, line: Line<'_>, inner: &str, samples: &mut Samples) {
    let cells: Vec<&str> = inner.split('|').collect();
    let [first, memory, ..] = cells.as_slice() else { return };
    let numbers: Vec<&str> = first.split_whitespace().collect();
    if numbers.len() != 4 || !numbers.iter().all(|text| value::number(text).is_some()) {
        return;
    }
    let mut row = block.row(Part::Slice, &format!("{}:{}", numbers[0], numbers[3]), line);
    row.tag(Label::Gpu, numbers[0]);
    if let Some((used, total)) = memory.split_once('/') {
        for (signal, text) in [(Signal::MemoryUsedBytes, used), (Signal::MemoryTotalBytes, total)] {
            if let Some(bytes) = value::measured(text, 1.0) {
                row.set(signal, bytes);
            }
        }
    }
    samples.push(row);
}

/// `0   N/A  N/A   11345   C   ./gpu_burn   15690MiB`; older drivers have no instances.
fn process(block: &Block<'_>, line: Line<'_>, inner: &str, samples: &mut Samples) {
    let words: Vec<&str> = inner.split_whitespace().collect();
    let Some(kind) = words.iter().position(|word| matches!(*word, "C" | "G" | "C+G" | "M" | "M+C")) else {
        return;
    };
    let (Some(gpu), Some(pid)) = (words.first(), kind.checked_sub(1).and_then(|at| words.get(at))) else {
        return;
    };
    if value::number(gpu).is_none() || value::number(pid).is_none() {
        return;
    }
    let mut row = block.row(Part::Process, pid, line);
    row.tag(Label::Gpu, *gpu);
    row.tag(Label::Kind, words[kind]);
    let (names, memory) = match words.last().and_then(|last| value::measured(last, 1.0)) {
        Some(bytes) if words.len() > kind + 2 => (&words[kind + 1..words.len() - 1], Some(bytes)),
        _ => (&words[kind + 1..], None),
    };
    row.tag(Label::Name, names.join(" "));
    if let Some(bytes) = memory {
        row.set(Signal::ProcessGpuMemoryBytes, bytes);
    }
    samples.push(row);
}
