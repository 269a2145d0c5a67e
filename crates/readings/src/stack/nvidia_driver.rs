//! `/proc/driver/nvidia/version` and `/sys/module/nvidia/version`: the loaded kernel module.

use crate::fact::Strength;
use crate::{Fact, Input, Key, Reader, Reading};

/// The reader's line in the registry.
pub const READER: Reader = Reader { kind: "nvidia-driver", recognises, read };

const MARK: &str = "Kernel Module";

fn recognises(input: &Input) -> bool {
    input.text().contains(MARK)
}

fn read(input: &Input) -> Reading {
    let facts = input.lines().filter_map(|(place, line)| {
        let (before, after) = line.split_once(MARK)?;
        if !before.contains("NVIDIA") {
            return None;
        }
        let version = after.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
        Some(Fact::printed(Key::Driver, version, place).with_strength(Strength::Exact))
    });
    Reading::Stack(facts.collect())
}
