//! `p2pBandwidthLatencyTest` of the CUDA samples.

use super::{Block, Format, PeerMatrix, Samples, value};

/// The peer test.
pub const FORMAT: Format = Format {
    kind: "p2p-bandwidth",
    begins: |lines, at| {
        let text = lines[at].text;
        text.contains("P2P Connectivity Matrix")
            || text.contains("directional P2P=")
            || text.contains("[P2P (Peer-to-Peer")
    },
    length: None,
    read,
    holds_logs: false,
};

fn read(block: &Block<'_>, samples: &mut Samples) {
    let mut matrix: Option<PeerMatrix> = None;
    for &line in block.lines {
        let text = line.text;
        if text.contains("P2P=") || text.contains("P2P Connectivity") {
            samples.peers.extend(matrix.take().filter(|matrix| matrix.rows.len() > 1));
            if text.contains("Bandwidth") {
                matrix = Some(PeerMatrix {
                    direct: text.contains("P2P=Enabled"),
                    both_ways: text.starts_with("Bidirectional"),
                    rows: Vec::new(),
                    place: block.place(line),
                });
            }
            continue;
        }
        let Some(open) = &mut matrix else { continue };
        let mut words = text.split_whitespace();
        match words.next() {
            Some(first) if first.parse::<usize>() == Ok(open.rows.len()) => {
                let row: Vec<f64> = words.filter_map(value::number).map(|rate| rate * 1e9).collect();
                if !row.is_empty() && open.rows.len() < 64 {
                    open.rows.push(row);
                }
            }
            _ => {}
        }
    }
    samples.peers.extend(matrix.take().filter(|matrix| matrix.rows.len() > 1));
}
