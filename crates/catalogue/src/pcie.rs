//! Rates of PCI Express.

use crate::accelerator::Accelerator;
use crate::machine::Link;

/// Bytes per second in one direction: transfers per second and lane, times the line code's efficiency, times lanes,
/// over eight. Generations 1 and 2 send 8 bits in 10, 3 to 5 send 128 in 130, 6 and 7 send 242 of 256 bytes in flits
/// (PCI Express base specifications 1.0 to 7.0). Packet headers are not taken off.
pub(crate) fn bytes_per_s(generation: u32, lanes: u32) -> Option<f64> {
    let (transfers, code) = match generation {
        1 => (2.5e9, 0.8),
        2 => (5e9, 0.8),
        3 => (8e9, 128.0 / 130.0),
        4 => (16e9, 128.0 / 130.0),
        5 => (32e9, 128.0 / 130.0),
        6 => (64e9, 242.0 / 256.0),
        7 => (128e9, 242.0 / 256.0),
        _ => return None,
    };
    matches!(lanes, 1 | 2 | 4 | 8 | 16 | 32).then(|| transfers * code / 8.0 * f64::from(lanes))
}

/// A PCIe link of a generation and a number of lanes.
pub(crate) fn link_of(generation: u32, lanes: u32, peer_to_peer: bool) -> Option<Link> {
    bytes_per_s(generation, lanes).map(|rate| Link {
        name: format!("PCIe {generation}.0 x{lanes}"),
        bytes_per_s: rate,
        switched: false,
        peer_to_peer,
    })
}

/// The PCIe link of a part, where its generation and lanes are known.
pub(crate) fn link(part: &Accelerator) -> Option<Link> {
    let (generation, lanes) = part.pcie_generation.zip(part.pcie_lanes)?;
    link_of(generation, lanes, part.pcie_peer_to_peer.unwrap_or(false))
}

/// Reads `pcie5x16`, `PCIe 4.0 x8`, `gen4 x8` to generation and lanes.
pub(crate) fn parse(text: &str) -> Option<(u32, u32)> {
    let compact: String =
        text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_lowercase();
    let rest = compact.strip_prefix("pcie").unwrap_or(&compact);
    let rest = rest.strip_prefix("gen").unwrap_or(rest);
    let (generation, lanes) = rest.split_once('x')?;
    let generation = generation.strip_suffix(".0").unwrap_or(generation).parse().ok()?;
    let lanes = lanes.parse().ok()?;
    bytes_per_s(generation, lanes).map(|_| (generation, lanes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_rates() {
        // 15.75, 31.5 and 63 GB/s one way for sixteen lanes are the figures that everybody prints.
        for (generation, gb) in [(3, 15.75), (4, 31.5), (5, 63.0), (6, 121.0)] {
            let rate = bytes_per_s(generation, 16).unwrap() / 1e9;
            assert!((rate - gb).abs() < 0.1, "{generation} {rate}");
        }
        assert_eq!(parse("PCIe 4.0 x8"), Some((4, 8)));
        assert_eq!(parse("pcie5x16"), Some((5, 16)));
        assert_eq!(parse("pcie9x16"), None);
        assert_eq!(parse("nvlink"), None);
    }
}
