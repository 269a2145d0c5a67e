//! `lspci -vv`: the link of each accelerator and network adapter.

use super::{Block, Format, Label, Line, Observation, Part, Samples, Signal, value};

/// `lspci -vv`.
pub const FORMAT: Format = Format {
    kind: "lspci",
    begins: |lines, at| device(lines[at].text).is_some(),
    length: None,
    read,
    holds_logs: true,
};

/// Classes of devices that matter, as lspci prints them.
const CLASSES: [(&str, Part); 5] = [
    ("3D controller: ", Part::Gpu),
    ("VGA compatible controller: ", Part::Gpu),
    ("Display controller: ", Part::Gpu),
    ("Processing accelerators: ", Part::Gpu),
    ("Infiniband controller: ", Part::Interface),
];

/// Bus address, part and name.
fn device(line: &str) -> Option<(&str, Part, &str)> {
    let (bus, rest) = line.split_once(' ')?;
    let plausible =
        bus.len() >= 7 && bus.bytes().all(|byte| byte.is_ascii_hexdigit() || matches!(byte, b':' | b'.'));
    let rest = rest.split_once("]: ").map_or(rest, |_| rest);
    let (class, part) = CLASSES.iter().find(|(class, _)| rest.starts_with(class)).copied()?;
    plausible.then(|| (bus, part, rest.get(class.len()..).unwrap_or("")))
}

fn read(block: &Block<'_>, samples: &mut Samples) {
    let mut row: Option<Observation> = None;
    let mut gpus = 0;
    for &line in block.lines {
        if let Some((bus, part, name)) = device(line.text) {
            finish(&mut row, samples);
            let accelerator = part == Part::Gpu
                && ["NVIDIA", "Advanced Micro Devices"].iter().any(|maker| name.starts_with(maker));
            if accelerator || part == Part::Interface {
                let id = if accelerator { gpus.to_string() } else { bus.to_owned() };
                gpus += usize::from(accelerator);
                let mut new = block.row(part, &id, line);
                new.tag(Label::Name, name);
                row = Some(new);
            }
        } else if !line.text.starts_with(char::is_whitespace) && !line.text.is_empty() {
            finish(&mut row, samples);
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

/// `LnkCap: Port #0, Speed 16GT/s, Width x16`, `LnkSta: Speed 2.5GT/s (downgraded), Width x4 (downgraded)`.
fn link(line: Line<'_>, row: &mut Observation) {
    let text = line.text.trim_start();
    let (speed, width) = if text.starts_with("LnkCap:") {
        (Signal::PcieSpeedMaxGts, Signal::PcieWidthMax)
    } else if text.starts_with("LnkSta:") {
        (Signal::PcieSpeedGts, Signal::PcieWidth)
    } else {
        return;
    };
    for (before, signal) in [("Speed ", speed), ("Width x", width)] {
        if let Some((_, rest)) = text.split_once(before) {
            let digits: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
            if let Some(number) = value::number(&digits) {
                row.set(signal, number);
            }
        }
    }
}
