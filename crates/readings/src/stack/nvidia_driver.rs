//! `/proc/driver/nvidia/version`: the loaded kernel module and its flavour.

use super::Found;
use crate::fact::Strength;
use crate::{Input, Key, Reader, Reading};

/// The reader's line in the registry.
pub const READER: Reader = Reader { kind: "nvidia-driver", recognises, read };

const MARK: &str = "Kernel Module";

fn recognises(input: &Input) -> bool {
    input.text().contains(MARK)
}

fn read(input: &Input) -> Reading {
    let mut found = Found::default();
    for (place, line) in input.lines() {
        let Some((before, after)) = line.split_once(MARK) else { continue };
        let words = || after.split_whitespace();
        let Some(version) = words().find(|word| word.starts_with(|c: char| c.is_ascii_digit())) else {
            continue;
        };
        if !before.contains("NVIDIA") || version.split('.').next().is_none_or(|branch| branch.len() != 3) {
            continue;
        }
        found.fact(Key::Driver, version, &place, Strength::Exact);
        let flavour =
            if before.contains("Open") { "open-kernel-module" } else { "proprietary-kernel-module" };
        found.sign(flavour, line, &place);
    }
    Reading::Stack(found)
}
