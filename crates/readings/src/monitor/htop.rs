//! The meters of `htop`, as copied from a screen; its list of processes is read like that of `top`.

use super::{Block, Format, Line, Part, Samples, Signal, value};

/// Meters of `htop`.
pub const FORMAT: Format = Format {
    kind: "htop",
    begins: |lines, at| meters(lines[at].text).next().is_some(),
    length: None,
    read,
    holds_logs: false,
};

/// `  0[||||||  93.4%]   4[|  2.0%]`: label and text of each meter.
fn meters(line: &str) -> impl Iterator<Item = (&str, &str)> {
    let drawn =
        line.contains("%]") || line.trim_start().starts_with("Mem[") || line.trim_start().starts_with("Swp[");
    let mut rest = if drawn { line } else { "" };
    std::iter::from_fn(move || {
        let open = rest.find('[')?;
        let close = open + rest.get(open..)?.find(']')?;
        let label = rest.get(..open)?.trim().trim_end_matches(':');
        let label = label.rsplit(' ').next().unwrap_or(label);
        let text = rest.get(open + 1..close)?.trim_matches(['|', '#', '*', ' ']);
        rest = rest.get(close + 1..)?;
        Some((label, text))
    })
}

fn read(block: &Block<'_>, samples: &mut Samples) {
    let mut busy = Vec::new();
    let mut first = None;
    for &line in block.lines {
        for (label, text) in meters(line.text) {
            if let Some(share) = text.strip_suffix('%').and_then(value::number) {
                if label.bytes().all(|byte| byte.is_ascii_digit()) && !label.is_empty() {
                    let mut row = block.row(Part::Core, label, line);
                    row.set(Signal::CpuIdle, 1.0 - share / 100.0);
                    samples.push(row);
                    busy.push(share / 100.0);
                    first.get_or_insert(line);
                }
            } else if let Some((used, total)) = text.split_once('/') {
                memory(block, line, label, (used, total), samples);
            }
        }
        if let Some((_, rest)) = line.text.split_once("Load average:")
            && let Some(load) = rest.split_whitespace().next().and_then(value::number)
        {
            let mut row = block.row(Part::Host, "", line);
            row.set(Signal::Load1m, load);
            samples.push(row);
        }
    }
    if let Some(line) = first {
        let mut row = block.row(Part::Host, "", line);
        row.set(Signal::CpuIdle, 1.0 - busy.iter().sum::<f64>() / busy.len() as f64);
        row.set(Signal::CpuCount, busy.len() as f64);
        samples.push(row);
    }
}

/// `12.3G/31.2G`.
fn memory(
    block: &Block<'_>,
    line: Line<'_>,
    label: &str,
    (used, total): (&str, &str),
    samples: &mut Samples,
) {
    let signals = match label {
        "Mem" => [Signal::RamUsedBytes, Signal::RamTotalBytes],
        "Swp" => [Signal::SwapUsedBytes, Signal::SwapTotalBytes],
        _ => return,
    };
    let mut row = block.row(Part::Host, "", line);
    for (signal, text) in signals.into_iter().zip([used, total]) {
        // A number without a letter is in kibibytes.
        if let Some(bytes) = value::kibibytes(text) {
            row.set(signal, bytes);
        }
    }
    samples.push(row);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Input;

    #[test]
    fn meters_become_cores_and_memory() {
        let text = "    0[||||||||||||||||100.0%]   1[||                    2.0%]\n  Mem[|||||||||||||12.0G/32.0G]   Tasks: 120, 800 thr; 5 running\n  Swp[                 0K/8.00G]   Load average: 4.31 3.02 1.70\n";
        let samples = crate::monitor::read(&Input::new("x", text.as_bytes()), None);
        let find = |part: Part, signal: Signal| {
            samples.rows.iter().filter(|row| row.part == part).find_map(|row| row.get(signal))
        };
        assert_eq!(find(Part::Core, Signal::CpuIdle), Some(0.0));
        assert_eq!(find(Part::Host, Signal::CpuIdle).map(|idle| (idle * 100.0).round()), Some(49.0));
        assert_eq!(find(Part::Host, Signal::RamTotalBytes), Some(32.0 * 1_073_741_824.0));
        assert_eq!(find(Part::Host, Signal::Load1m), Some(4.31));
    }
}
