//! The table of `nvidia-smi` and the list of `nvidia-smi -L`.

use super::Found;
use super::versions;
use crate::fact::Strength;
use crate::{Input, Key, Place, Reader, Reading};

/// The reader's line in the registry.
pub const READER: Reader = Reader { kind: "nvidia-smi", recognises, read };

fn recognises(input: &Input) -> bool {
    let text = input.text();
    text.contains("NVIDIA-SMI ") || text.lines().any(|line| list_row(line).is_some())
}

fn read(input: &Input) -> Reading {
    let mut found = Found::default();
    let mut cards = 0_usize;
    let mut listed = 0_usize;
    let mut place_of_cards = None;
    let mut in_table = false;
    for (place, line) in input.lines() {
        if line.contains("NVIDIA-SMI ")
            && ["Driver Version", "KMD Version"].iter().any(|mark| line.contains(mark))
        {
            header(line, &place, &mut found);
            in_table = true;
            continue;
        }
        if line.contains("Processes:") {
            found.sign("nvidia-smi-processes", line, &place);
            in_table = false;
        }
        if let Some(name) = in_table.then(|| table_row(line)).flatten() {
            cards += 1;
            found.printed(Key::Gpu, name, &place);
            found.sign("nvidia-smi-card", line, &place);
            place_of_cards.get_or_insert(place.clone());
        }
        if in_table && let Some(count) = uncorrected(line) {
            found.sign_with("ecc-volatile-uncorrected", Some(count), line, &place);
        }
        if let Some(name) = list_row(line) {
            listed += 1;
            found.fact(Key::Gpu, name, &place, Strength::Told);
            found.sign("nvidia-smi-list", line, &place);
            place_of_cards.get_or_insert(place.clone());
        }
        mig(line, &place, &mut found);
    }
    if let Some(place) = place_of_cards {
        found.printed(Key::GpuCount, cards.max(listed).to_string(), &place);
    }
    Reading::Stack(found)
}

fn header(line: &str, place: &Place, found: &mut Found) {
    let after = |mark: &str| {
        let value = line.split_once(mark)?.1.split_whitespace().next()?;
        value.starts_with(|c: char| c.is_ascii_digit()).then_some(value)
    };
    // From 610 on the driver is called KMD (kernel mode) and its CUDA UMD (user mode).
    let driver = after("Driver Version:").or_else(|| after("KMD Version:"));
    if let Some(driver) = driver {
        found.fact(Key::Driver, driver, place, Strength::Printed);
        found.sign("nvidia-smi-works", line, place);
    }
    if let Some(library) = after("NVIDIA-SMI ").filter(|library| Some(*library) != driver) {
        found.sign_with("nvidia-smi-other-library", Some(library.to_owned()), line, place);
    }
    if let Some(cuda) =
        after("CUDA Version:").or_else(|| after("CUDA UMD Version:")).and_then(versions::major_minor)
    {
        found.printed(Key::DriverCuda, cuda, place);
    }
}

/// `|   0  NVIDIA GeForce RTX 4090   Off | 00000000:01:00.0 Off | Off |`
fn table_row(line: &str) -> Option<&str> {
    let first = line.trim_start().strip_prefix('|')?;
    let (cell, rest) = first.split_once('|')?;
    rest.contains(':').then_some(())?;
    let cell = cell.trim();
    let (index, name) = cell.split_once(char::is_whitespace)?;
    index.parse::<u16>().ok()?;
    let name = name.trim();
    let name = ["On", "Off", "N/A"]
        .iter()
        .find_map(|state| name.strip_suffix(state).filter(|name| name.ends_with(char::is_whitespace)))
        .unwrap_or(name)
        .trim();
    // Rows of processes begin with a number too: `|    0   N/A  N/A      1234 …`.
    let is_name =
        name.chars().any(|c| c.is_ascii_alphabetic()) && !name.starts_with("N/A") && !name.contains("  ");
    is_name.then_some(name)
}

/// The count in the column of uncorrected ECC errors, when it is not zero.
fn uncorrected(line: &str) -> Option<String> {
    let cells: Vec<&str> = line.trim().trim_matches('|').split('|').collect();
    let [first, _, last] = cells.as_slice() else { return None };
    first.trim().split_once(char::is_whitespace)?.0.parse::<u16>().ok()?;
    let count: u64 = last.trim().parse().ok()?;
    (count > 0).then(|| count.to_string())
}

/// `GPU 0: NVIDIA A100-SXM4-80GB (UUID: GPU-…)`
fn list_row(line: &str) -> Option<&str> {
    let rest = line.trim().strip_prefix("GPU ")?;
    let (index, name) = rest.split_once(": ")?;
    index.parse::<u16>().ok()?;
    let name = name.split(" (UUID").next()?.trim();
    let plausible = name.chars().next().is_some_and(|c| c.is_ascii_uppercase()) && name.len() < 80;
    (plausible && super::architecture::board_in(name).is_some() || name.starts_with("NVIDIA "))
        .then_some(name)
}

fn mig(line: &str, place: &Place, found: &mut Found) {
    let trimmed = line.trim();
    if trimmed.starts_with("MIG ") && trimmed.contains("Device") && trimmed.contains("UUID") {
        found.printed(Key::Mig, "on", place);
        found.sign("mig-device", line, place);
    }
    // The last line of a card in the table holds the mode alone in its last column.
    if trimmed.starts_with('|') && trimmed.ends_with('|') {
        match trimmed.trim_matches('|').rsplit('|').next().map(str::trim) {
            Some("Enabled" | "Enabled*") => found.printed(Key::Mig, "on", place),
            Some("Disabled") => found.printed(Key::Mig, "off", place),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "\
+-----------------------------------------------------------------------------------------+
| NVIDIA-SMI 570.86.10              Driver Version: 570.86.10      CUDA Version: 12.8     |
|-----------------------------------------+------------------------+----------------------+
|   0  NVIDIA H100 80GB HBM3          On  |   00000000:19:00.0 Off |                    2 |
| N/A   34C    P0              72W / 700W |    1404MiB / 81559MiB  |      0%      Default |
|                                         |                        |             Disabled |
|   1  NVIDIA H100 80GB HBM3          On  |   00000000:3B:00.0 Off |                    0 |
| Processes:                                                                              |
|    0   N/A  N/A            4242      C   python                                 1394MiB |
";

    #[test]
    fn reads_the_table() {
        let Reading::Stack(found) = read(&Input::new("t", TABLE.as_bytes())) else { panic!() };
        let value = |key| found.facts.iter().find(|fact| fact.key == key).map(|fact| fact.value.as_str());
        assert_eq!(value(Key::Driver), Some("570.86.10"));
        assert_eq!(value(Key::DriverCuda), Some("12.8"));
        assert_eq!(value(Key::Gpu), Some("NVIDIA H100 80GB HBM3"));
        assert_eq!(value(Key::GpuCount), Some("2"));
        assert_eq!(value(Key::Mig), Some("off"));
        let ecc = found.signs.iter().find(|sign| sign.id == "ecc-volatile-uncorrected").unwrap();
        assert_eq!((ecc.value.as_deref(), ecc.place.line), (Some("2"), 4));
    }

    #[test]
    fn reads_the_list() {
        let text =
            "GPU 0: NVIDIA A10 (UUID: GPU-1)\nGPU 1: Tesla T4\n  MIG 3g.40gb     Device  0: (UUID: MIG-b)";
        let Reading::Stack(found) = read(&Input::new("t", text.as_bytes())) else { panic!() };
        let count = found.facts.iter().find(|fact| fact.key == Key::GpuCount).unwrap();
        assert_eq!(count.value, "2");
        assert!(found.facts.iter().any(|fact| fact.key == Key::Mig && fact.value == "on"));
    }
}
