//! A ZIP of files that are stored as they are (APPNOTE 6.3, without compression): what a workbook of a few kilobytes needs.

/// The bytes of an archive of these files.
pub fn stored(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut directory = Vec::new();
    for (name, bytes) in files {
        let at = out.len() as u32;
        let entry = entry(name, bytes);
        out.extend_from_slice(&0x0403_4b50u32.to_le_bytes());
        out.extend_from_slice(&entry);
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(bytes);
        directory.extend_from_slice(&0x0201_4b50u32.to_le_bytes());
        // Made by version 2.0.
        directory.extend_from_slice(&20u16.to_le_bytes());
        directory.extend_from_slice(&entry);
        // No comment, first disk, no attributes.
        directory.extend_from_slice(&[0; 10]);
        directory.extend_from_slice(&at.to_le_bytes());
        directory.extend_from_slice(name.as_bytes());
    }
    let (start, size, count) = (out.len() as u32, directory.len() as u32, files.len() as u16);
    out.extend_from_slice(&directory);
    out.extend_from_slice(&0x0605_4b50u32.to_le_bytes());
    out.extend_from_slice(&[0; 4]);
    out.extend_from_slice(&count.to_le_bytes());
    out.extend_from_slice(&count.to_le_bytes());
    out.extend_from_slice(&size.to_le_bytes());
    out.extend_from_slice(&start.to_le_bytes());
    out.extend_from_slice(&[0; 2]);
    out
}

/// What the local header and the directory say alike of a file.
fn entry(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(26);
    // Needs version 2.0, names in UTF-8, stored, and the first day that the format knows, so that equal answers are equal
    // files.
    for short in [20u16, 0x0800, 0, 0, 0x21] {
        out.extend_from_slice(&short.to_le_bytes());
    }
    let size = bytes.len() as u32;
    for long in [crc32(bytes), size, size] {
        out.extend_from_slice(&long.to_le_bytes());
    }
    out.extend_from_slice(&(name.len() as u16).to_le_bytes());
    out.extend_from_slice(&0u16.to_le_bytes());
    out
}

/// The CRC-32 of ISO 3309, as ZIP asks.
fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for &byte in bytes {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    !crc
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The check value of the CRC-32 catalogue.
    #[test]
    fn checksum() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn an_archive_begins_and_ends_as_one() {
        let bytes = stored(&[("a.txt", b"hello")]);
        assert_eq!(&bytes[..4], b"PK\x03\x04");
        assert_eq!(bytes.len(), 30 + 5 + 5 + 46 + 5 + 22);
        assert_eq!(&bytes[bytes.len() - 22..bytes.len() - 18], b"PK\x05\x06");
    }
}
