//! What `amd-smi` and `rocm-smi` print for people.

use super::fields::field;
use super::{Block, Format, Label, Observation, Part, Samples, Signal, reasons, value};

/// The indented listing of `amd-smi metric` and `amd-smi static`.
pub const METRIC: Format = Format {
    kind: "amd-smi",
    begins: |lines, at| {
        device(lines[at].text).is_some()
            && lines.get(at + 1).is_some_and(|next| next.text.starts_with("    ") && next.text.contains(':'))
    },
    length: None,
    read: read_metric,
    holds_logs: true,
};

/// The table of `rocm-smi` and of `amd-smi monitor`.
pub const TABLE: Format = Format {
    kind: "rocm-smi",
    begins: |lines, at| names(lines[at].text).is_some(),
    length: None,
    read: read_table,
    holds_logs: true,
};

fn device(line: &str) -> Option<&str> {
    line.strip_prefix("GPU: ").map(str::trim).filter(|index| index.parse::<u16>().is_ok())
}

fn read_metric(block: &Block<'_>, samples: &mut Samples) {
    let mut row: Option<Observation> = None;
    let mut path: Vec<(usize, String)> = Vec::new();
    for &line in block.lines {
        if let Some(index) = device(line.text) {
            finish(&mut row, samples);
            row = Some(block.row(Part::Gpu, index, line));
            path.clear();
            continue;
        }
        let (Some(row), Some((key, text))) = (&mut row, line.text.split_once(':')) else { continue };
        let indent = key.len() - key.trim_start().len();
        while path.last().is_some_and(|(depth, _)| *depth >= indent) {
            path.pop();
        }
        let key = key.trim().to_ascii_lowercase();
        let section = path.last().map_or("gpu", |(_, name)| name.as_str());
        if key == "market_name" {
            row.tag(Label::Name, text.trim());
        } else if let Some(field) = field("amd-json", &format!("{section}/{key}"))
            && let Some(number) = value::measured(text, field.scale)
        {
            row.set(field.signal, number);
        }
        if path.len() < 16 {
            path.push((indent, key));
        }
    }
    finish(&mut row, samples);
}

fn finish(row: &mut Option<Observation>, samples: &mut Samples) {
    if let Some(mut row) = row.take() {
        reasons::expand(&mut row);
        samples.push(row);
    }
}

/// The names of a table's columns.
fn names(line: &str) -> Option<Vec<&str>> {
    let names: Vec<&str> = line.split_whitespace().collect();
    let has = |wanted: &[&str]| names.iter().any(|name| wanted.contains(name));
    let first = names.first().is_some_and(|first| matches!(*first, "GPU" | "Device"));
    (first && has(&["VRAM%", "MEM%", "MEM_UTIL"]) && has(&["GPU%", "GFX%", "GFX_UTIL"])).then_some(names)
}

/// Units that stand apart from their number in `amd-smi monitor`.
const UNITS: [&str; 8] = ["W", "C", "\u{b0}C", "MHz", "GHz", "%", "MB", "GB"];

fn read_table(block: &Block<'_>, samples: &mut Samples) {
    let mut header: Vec<&str> = Vec::new();
    for &line in block.lines {
        if let Some(own) = names(line.text) {
            header = own;
            continue;
        }
        let words: Vec<&str> = line.text.split_whitespace().filter(|word| !UNITS.contains(word)).collect();
        let Some(index) = words.first().filter(|index| index.parse::<u16>().is_ok()) else { continue };
        let mut row = block.row(Part::Gpu, index, line);
        if words.len() == header.len() {
            header.iter().zip(&words).for_each(|(name, word)| cell(name, word, &mut row));
        } else {
            // Identifiers and partitions take several words: units tell the others.
            by_unit(&words, &mut row);
        }
        reasons::expand(&mut row);
        samples.push(row);
    }
}

fn cell(name: &str, word: &str, row: &mut Observation) {
    let (signal, scale) = match name {
        "GPU%" | "GFX%" | "GFX_UTIL" => (Signal::GpuUtilization, 0.01),
        "MEM%" | "MEM_UTIL" => (Signal::MemoryUtilization, 0.01),
        "POWER" | "POWER_USAGE" | "AvgPwr" => (Signal::PowerW, 1.0),
        "PwrCap" => (Signal::PowerLimitW, 1.0),
        "GPU_T" | "GPU_TEMP" | "Temp" => (Signal::TemperatureC, 1.0),
        "MEM_T" | "MEM_TEMP" => (Signal::MemoryTemperatureC, 1.0),
        "GFX_CLK" | "GFX_CLOCK" | "SCLK" => (Signal::SmClockMhz, 1.0),
        "MEM_CLOCK" | "MCLK" => (Signal::MemoryClockMhz, 1.0),
        "VRAM_USED" => (Signal::MemoryUsedBytes, 1e6),
        "VRAM_TOTAL" => (Signal::MemoryTotalBytes, 1e6),
        _ => return,
    };
    if let Some(number) = value::measured(&word.replace('\u{b0}', ""), scale) {
        row.set(signal, number);
    }
}

/// `45.0C 140.0W NPS1, SPX, 0 132Mhz 900Mhz 0% auto 750.0W 0% 0%`: temperature, power, clocks, fan, cap, memory, use.
fn by_unit(words: &[&str], row: &mut Observation) {
    let with = |unit: &'static str| {
        let own = move |word: &&str| {
            let word = word.replace('\u{b0}', "").to_ascii_lowercase();
            word.strip_suffix(unit).and_then(value::number)
        };
        words.iter().filter_map(own).collect::<Vec<f64>>()
    };
    let (power, clocks, shares) = (with("w"), with("mhz"), with("%"));
    for (signal, number) in [
        (Signal::TemperatureC, with("c").first()),
        (Signal::PowerW, power.first()),
        (Signal::PowerLimitW, power.get(1)),
        (Signal::SmClockMhz, clocks.first()),
        (Signal::MemoryClockMhz, clocks.get(1)),
    ] {
        if let Some(number) = number {
            row.set(signal, *number);
        }
    }
    if let [.., used] = shares.as_slice() {
        row.set(Signal::GpuUtilization, used / 100.0);
    }
}
