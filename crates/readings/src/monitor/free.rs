//! `free`, in any unit.

use super::{Block, Format, Part, Samples, Signal, value};

/// `free`.
pub const FORMAT: Format = Format {
    kind: "free",
    begins: |lines, at| {
        let mut words = lines[at].text.split_whitespace();
        words.next() == Some("total") && words.next() == Some("used") && words.next() == Some("free")
    },
    length: None,
    read,
    holds_logs: true,
};

fn read(block: &Block<'_>, samples: &mut Samples) {
    let Some((head, rows)) = block.lines.split_first() else { return };
    let names: Vec<&str> = head.text.split_whitespace().collect();
    let mut factor = None;
    for &line in rows {
        let words: Vec<&str> = line.text.split_whitespace().collect();
        let Some((&first, cells)) = words.split_first() else { continue };
        let swap = match first {
            "Mem:" => false,
            "Swap:" => true,
            _ => continue,
        };
        let factor = *factor.get_or_insert_with(|| unit(cells.first().copied().unwrap_or("")));
        let mut row = block.row(Part::Host, "", line);
        for (name, cell) in names.iter().zip(cells) {
            let signal = match (*name, swap) {
                ("total", false) => Signal::RamTotalBytes,
                ("used", false) => Signal::RamUsedBytes,
                ("free", false) => Signal::RamFreeBytes,
                ("available", false) => Signal::RamAvailableBytes,
                ("cache" | "buff/cache" | "cached", false) => Signal::RamCachedBytes,
                ("total", true) => Signal::SwapTotalBytes,
                ("used", true) => Signal::SwapUsedBytes,
                _ => continue,
            };
            if let Some(bytes) = bytes(cell, factor) {
                row.set(signal, bytes);
            }
        }
        samples.push(row);
    }
}

/// The unit is not printed: a machine has between 2 GB and some TB, so the size of the number tells.
fn unit(total: &str) -> f64 {
    match value::number(total) {
        Some(total) if total >= 1e9 * 8.0 => 1.0,
        Some(total) if total >= 2e6 => 1024.0,
        Some(total) if total >= 1500.0 => 1_048_576.0,
        _ => 1_073_741_824.0,
    }
}

/// `15Gi`, `512Mi`, `0B`, or a plain number.
fn bytes(cell: &str, factor: f64) -> Option<f64> {
    value::number(cell).map(|number| number * factor).or_else(|| {
        let cell = cell.trim_end_matches('B');
        value::measured(&format!("{cell}B"), 1.0)
    })
}
