//! Memory devices of the firmware's SMBIOS table (DMTF DSP0134, type 17).

use super::memory::ModuleSeen;

/// Type of a memory device.
const MEMORY_DEVICE: u8 = 17;
/// Type that ends the table.
const END: u8 = 127;
/// More modules than these no board has.
const LIMIT: usize = 256;

/// The modules that are plugged in.
pub(super) fn modules(mut table: &[u8]) -> Vec<ModuleSeen> {
    let mut modules = Vec::new();
    while let Some((kind, formatted, strings, rest)) = next(table) {
        if kind == END || modules.len() >= LIMIT {
            break;
        }
        if kind == MEMORY_DEVICE {
            modules.extend(module(formatted, strings));
        }
        table = rest;
    }
    modules
}

/// A structure's type, its formatted part, its strings, and what follows.
type Structure<'a> = (u8, &'a [u8], &'a [u8], &'a [u8]);

/// The first structure.
fn next(table: &[u8]) -> Option<Structure<'_>> {
    let (kind, length) = (*table.first()?, usize::from(*table.get(1)?));
    if length < 4 {
        return None;
    }
    let (formatted, after) = table.split_at_checked(length)?;
    // The strings end with two zero bytes.
    let end = after.windows(2).position(|pair| pair == [0, 0])?;
    Some((kind, formatted, &after[..end], &after[end + 2..]))
}

fn module(bytes: &[u8], strings: &[u8]) -> Option<ModuleSeen> {
    let word = |at: usize| Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?));
    let long = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let size = match word(0x0c)? {
        0 => return None,
        0xffff => None,
        0x7fff => long(0x1c).map(|mib| u64::from(mib & 0x7fff_ffff) << 20),
        kib if kib & 0x8000 != 0 => Some(u64::from(kib & 0x7fff) << 10),
        mib => Some(u64::from(mib) << 20),
    };
    let speed = |at: usize, long_at: usize| match word(at)? {
        0 => None,
        0xffff => long(long_at).filter(|&mt| mt > 0).map(f64::from),
        mt => Some(f64::from(mt)),
    };
    let configured = speed(0x20, 0x58).or_else(|| speed(0x15, 0x54));
    let text = |at: usize| string(strings, usize::from(*bytes.get(at)?));
    let (slot, bank) = (text(0x10), text(0x11));
    let channel = [&bank, &slot].into_iter().flatten().find_map(|words| channel(words));
    Some(ModuleSeen {
        bytes: size,
        transfers_per_s: configured.map(|mt| mt * 1e6),
        width_bytes: word(0x0a).filter(|bits| (8..=1024).contains(bits)).map(|bits| u32::from(bits / 8)),
        channel,
        slot,
    })
}

/// The string of a number, which counts from 1.
fn string(strings: &[u8], number: usize) -> Option<String> {
    let bytes = strings.split(|byte| *byte == 0).nth(number.checked_sub(1)?)?;
    let text = String::from_utf8_lossy(bytes).trim().to_owned();
    (!text.is_empty()).then_some(text)
}

/// The channel that words such as `P0 CHANNEL A`, `ChannelA-DIMM0`, `DIMM_B2` name, with all that stands before it.
fn channel(words: &str) -> Option<String> {
    let upper = words.to_ascii_uppercase();
    let after = |mark: &str| {
        let at = upper.find(mark)? + mark.len();
        let rest = upper[at..].trim_start_matches([' ', '_', '-']);
        let letters = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
        let name = rest.get(..letters)?;
        let name = name.trim_end_matches(|c: char| {
            c.is_ascii_digit() && !name.starts_with(|c: char| c.is_ascii_digit())
        });
        (!name.is_empty() && name.len() <= 3).then(|| format!("{}{name}", &upper[..at]))
    };
    after("CHANNEL")
        .or_else(|| after("DIMM").filter(|name| name.ends_with(|c: char| c.is_ascii_alphabetic())))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A memory device of 34 bytes as DSP0134 lays it out.
    fn device(mib: u16, mt: u16, slot: &str, bank: &str) -> Vec<u8> {
        let mut bytes = vec![0; 0x22];
        (bytes[0], bytes[1]) = (MEMORY_DEVICE, 0x22);
        bytes[0x0a..0x0c].copy_from_slice(&64u16.to_le_bytes());
        bytes[0x0c..0x0e].copy_from_slice(&mib.to_le_bytes());
        (bytes[0x10], bytes[0x11]) = (1, 2);
        bytes[0x20..0x22].copy_from_slice(&mt.to_le_bytes());
        bytes.extend(slot.bytes().chain([0]).chain(bank.bytes()).chain([0, 0]));
        bytes
    }

    #[test]
    fn modules_of_a_table() {
        let table = [
            device(16384, 4800, "DIMM 0", "P0 CHANNEL A"),
            device(16384, 4800, "DIMM 0", "P0 CHANNEL B"),
            device(0, 0, "DIMM 0", "P0 CHANNEL C"),
        ]
        .concat();
        let found = modules(&table);
        assert_eq!(found.len(), 2);
        let memory = super::super::MemorySeen { modules: found, ..Default::default() };
        assert_eq!(memory.channels(), Some(2));
        // DDR5-4800, two channels of 8 bytes.
        assert_eq!(memory.bandwidth(), Some(2.0 * 4800e6 * 8.0));
    }

    #[test]
    fn channels_in_the_words_of_boards() {
        assert_eq!(channel("DIMM_A1"), channel("DIMM_A2"));
        assert_ne!(channel("DIMM_A1"), channel("DIMM_B1"));
        assert_ne!(channel("P0 CHANNEL A"), channel("P1 CHANNEL A"));
        assert_eq!(channel("ChannelA-DIMM0").as_deref(), Some("CHANNELA"));
        assert_eq!(channel("DIMM 0"), None);
        assert_eq!(channel("Bank 3"), None);
    }

    #[test]
    fn any_bytes_are_read_to_their_end() {
        let whole = device(16384, 4800, "DIMM_A1", "BANK 0");
        for cut in 0..whole.len() {
            modules(&whole[..cut]);
        }
        for byte in [0, 1, 17, 127, 255] {
            modules(&[byte; 300]);
        }
    }
}
