//! Which accelerators a text names: `lspci`, and boards in a person's words.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::Found;
use super::architecture::{Board, board_in, boards};
use crate::fact::Strength;
use crate::{Input, Key, Place, Reader, Reading};

/// The reader's line in the registry.
pub const READER: Reader = Reader { kind: "devices", recognises, read };

/// Makers and series before a board's name.
const BRANDS: &[&str] = &["nvidia", "geforce", "tesla", "quadro", "amd", "radeon", "instinct", "intel"];
/// What belongs to a board's name behind it.
const SUFFIXES: &[&str] = &[
    "ti",
    "super",
    "laptop",
    "ada",
    "generation",
    "blackwell",
    "server",
    "workstation",
    "edition",
    "max",
    "q",
    "xt",
    "xtx",
    "d",
    "nvl",
    "pcie",
    "sxm",
    "sxm2",
    "sxm3",
    "sxm4",
    "sxm5",
    "hbm2",
    "hbm2e",
    "hbm3",
    "hbm3e",
];

fn recognises(input: &Input) -> bool {
    input.lines().take(2000).any(|(_, line)| is_display(line) || board_in(line).is_some())
}

fn read(input: &Input) -> Reading {
    let mut found = Found::default();
    let mut device_is_nvidia = false;
    let naming = lines_that_name(input);
    for (place, line) in input.lines() {
        if is_display(line) {
            device_is_nvidia = line.to_ascii_lowercase().contains("nvidia");
            display(line, device_is_nvidia, &place, &mut found);
        } else if let Some(driver) = line.trim().strip_prefix("Kernel driver in use:") {
            if device_is_nvidia {
                let sign = match driver.trim() {
                    "nouveau" => "pci-nouveau",
                    "nvidia" => "pci-nvidia-driver",
                    "vfio-pci" => "pci-vfio",
                    _ => "pci-other-driver",
                };
                found.sign(sign, line, &place);
            }
        } else if naming.contains(&place.line) {
            named(line, &place, &mut found);
        }
    }
    Reading::Stack(found)
}

/// A log that names a card in every line says no more than its first lines do.
const LINES_LIMIT: usize = 512;

/// The lines in which a board's name stands, found name by name over the whole text.
fn lines_that_name(input: &Input) -> BTreeSet<u32> {
    static NAMES: LazyLock<Vec<memchr::memmem::Finder<'static>>> = LazyLock::new(|| {
        let name = |board: &Board| memchr::memmem::Finder::new(&plain(&board.name)).into_owned();
        boards().iter().map(name).collect()
    });
    let text = plain(input.text());
    let mut lines = BTreeSet::new();
    for name in NAMES.iter() {
        lines.extend(name.find_iter(text.as_bytes()).take(LINES_LIMIT).map(|at| input.place_at(at).line));
    }
    lines
}

/// Lower case and dashes as spaces, byte for byte.
fn plain(text: &str) -> String {
    text.to_ascii_lowercase().replace(['-', '_'], " ")
}

/// A line of `lspci` on a display or 3D controller.
fn is_display(line: &str) -> bool {
    ["VGA compatible controller", "3D controller", "Display controller"]
        .iter()
        .any(|kind| line.contains(kind))
}

fn display(line: &str, is_nvidia: bool, place: &Place, found: &mut Found) {
    found.sign(if is_nvidia { "pci-nvidia" } else { "pci-other-display" }, line, place);
    if let Some(id) = pci_id(line) {
        found.printed(Key::PciId, id, place);
    }
    let bracketed = line.split('[').skip(1).filter_map(|part| part.split(']').next());
    let name = bracketed
        .filter(|name| name.contains(char::is_alphabetic) && name.len() > 4 && !name.contains(':'))
        .last();
    let name = name.filter(|name| board_in(name).is_some());
    if let Some(name) = name.or_else(|| line.rsplit(": ").next()) {
        let strength = if is_nvidia { Strength::Printed } else { Strength::Told };
        found.fact(Key::Gpu, name.split(" (rev").next().unwrap_or(name).trim(), place, strength);
    }
}

fn pci_id(line: &str) -> Option<String> {
    line.split(['[', ']', '(', ')', ' ']).find_map(|word| {
        let (vendor, device) = word.split_once(':')?;
        let hex = |part: &str| part.len() == 4 && part.chars().all(|c| c.is_ascii_hexdigit());
        (hex(vendor)
            && hex(device)
            && ["10de", "1002", "8086"].contains(&vendor.to_ascii_lowercase().as_str()))
        .then(|| word.to_ascii_lowercase())
    })
}

/// Boards in a sentence, with how many there are.
fn named(line: &str, place: &Place, found: &mut Found) {
    let lower = plain(line);
    let mut taken = 0;
    let mut hits: Vec<(usize, usize, &Board)> = Vec::new();
    for board in boards() {
        let name = plain(&board.name);
        for (at, _) in lower.match_indices(&name) {
            let end = at + name.len();
            let free = hits.iter().all(|(start, stop, _)| end <= *start || at >= *stop);
            if free && is_whole(&lower, at, end) && is_meant(line, at, end, board) {
                hits.push((at, end, board));
            }
        }
    }
    hits.sort_by_key(|hit| hit.0);
    for (at, end, board) in hits {
        let start = extend_left(&lower, at);
        let end = extend_right(&lower, end, board);
        let mut name = line[start..end].trim();
        if line.contains("NVRM: The NVIDIA") {
            name = name.trim_start_matches("NVIDIA ");
        }
        found.fact(Key::Gpu, name, place, Strength::Told);
        if taken == 0
            && let Some(count) = count_before(&lower[..start])
        {
            found.fact(Key::GpuCount, count.to_string(), place, Strength::Told);
        }
        taken += 1;
    }
}

fn is_whole(text: &str, start: usize, end: usize) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric();
    !text[..start].ends_with(word) && !text[end..].starts_with(word)
}

/// Short names are words of their own elsewhere (`L2 cache`, `A2`): they need a maker, a count or "GPU" beside them.
fn is_meant(line: &str, start: usize, end: usize, board: &Board) -> bool {
    if board.name.len() > 4 {
        return true;
    }
    let exact = line.get(start..end) == Some(board.name.as_str());
    let before = line[..start].trim_end().to_ascii_lowercase();
    let after = line[end..].trim_start().to_ascii_lowercase();
    // `T4, driver 550.54`: a line about the card.
    let heads_line = before.is_empty()
        && after.starts_with([',', ':'])
        && (after.contains("driver") || after.contains("nvidia"));
    let introduced = heads_line
        || BRANDS.iter().any(|brand| before.ends_with(brand))
        || before.ends_with("gpu:")
        || before.ends_with("gpus:")
        || count_before(&format!("{before} ")).is_some()
        || after.starts_with("gpu")
        || after.starts_with("-sxm")
        || after.starts_with("-pcie")
        || after.starts_with("sxm")
        || after.starts_with("pcie");
    // Four characters in capitals, such as H100, are hardly anything else.
    exact && (introduced || board.name.len() == 4)
}

/// Takes in the maker and the series before a name.
fn extend_left(lower: &str, mut start: usize) -> usize {
    loop {
        let before = lower[..start].trim_end_matches(' ');
        let brand = BRANDS.iter().find(|brand| before.ends_with(**brand));
        match brand {
            Some(brand)
                if start - before.len() == 1 && is_whole(lower, before.len() - brand.len(), before.len()) =>
            {
                start = before.len() - brand.len();
            }
            _ => return start,
        }
    }
}

/// Takes in form factor, memory and variant behind a name.
fn extend_right(lower: &str, mut end: usize, board: &Board) -> usize {
    while let Some(rest) = lower[end..].strip_prefix(' ') {
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let word = &rest[..length];
        let memory = word
            .strip_suffix("gb")
            .is_some_and(|size| !size.is_empty() && size.bytes().all(|b| b.is_ascii_digit()));
        let laptop_gpu = word == "gpu" && lower[..end].ends_with("laptop");
        if !(SUFFIXES.contains(&word) || memory || laptop_gpu) || length == 0 {
            break;
        }
        end += 1 + length;
    }
    if board.vendor == "intel" && lower[end..].starts_with(" (") {
        return lower[end..].find(')').map_or(end, |close| end + close + 1);
    }
    end
}

/// `4x `, `10 x `, `8 × ` before a name.
fn count_before(text: &str) -> Option<u32> {
    let text = text.trim_end();
    let text = text.strip_suffix('x').or_else(|| text.strip_suffix('×'))?.trim_end();
    let start = text
        .rfind(|c: char| !c.is_ascii_digit())
        .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    text[start..].parse().ok().filter(|count| (1..=1024).contains(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> Option<String> {
        let Reading::Stack(found) = read(&Input::new("t", text.as_bytes())) else { panic!() };
        found.facts.into_iter().find(|fact| fact.key == Key::Gpu).map(|fact| fact.value)
    }

    #[test]
    fn names_with_their_series_and_form() {
        assert_eq!(first("8x H100 80GB HBM3 (SXM), CentOS 7").as_deref(), Some("H100 80GB HBM3"));
        assert_eq!(first("4x A100-80GB PCIe, driver 580").as_deref(), Some("A100-80GB PCIe"));
        assert_eq!(first("GeForce RTX 3070 Ti, driver 530.41.03").as_deref(), Some("GeForce RTX 3070 Ti"));
        assert_eq!(
            first("NVRM: The NVIDIA GeForce GTX 1050 GPU installed in this system is").as_deref(),
            Some("GeForce GTX 1050")
        );
        assert_eq!(
            first("Graphics: Mesa Intel Xe Graphics (TGL GT2)").as_deref(),
            Some("Intel Xe Graphics (TGL GT2)")
        );
        assert_eq!(first("GPU: GB10 (DGX Spark)").as_deref(), Some("GB10"));
        assert_eq!(first("L2 cache: 1 MiB; see A2 and T4 of the table"), None);
        assert_eq!(first("NVIDIA L4").as_deref(), Some("NVIDIA L4"));
        assert_eq!(first("01:00.0 VGA compatible controller [0300]: NVIDIA Corporation GA102 [GeForce RTX 3090] [10de:2204] (rev a1)").as_deref(), Some("GeForce RTX 3090"));
    }

    #[test]
    fn counts() {
        assert_eq!(count_before("we have 10 x "), Some(10));
        assert_eq!(count_before("4x"), Some(4));
        assert_eq!(count_before("matrix "), None);
    }
}
