//! `numactl -H`, `numactl --show`, `numastat`.

use super::{Block, Format, Label, Part, Samples, Signal, value};

/// `numactl --hardware`.
pub const HARDWARE: Format = Format {
    kind: "numactl",
    begins: |lines, at| lines[at].text.starts_with("available: ") && lines[at].text.contains(" nodes"),
    length: None,
    read: read_hardware,
    holds_logs: true,
};

/// `numactl --show`.
pub const SHOW: Format = Format {
    kind: "numactl-show",
    begins: |lines, at| lines[at].text.starts_with("physcpubind:"),
    length: Some(|_| 1),
    read: read_show,
    holds_logs: false,
};

/// `numastat`, of the machine or of processes.
pub const STATISTICS: Format = Format {
    kind: "numastat",
    begins: |lines, at| {
        let text = lines[at].text.trim_start();
        text.starts_with("node0")
            && lines.iter().skip(at).take(3).any(|line| line.text.starts_with("numa_hit"))
            || text.contains("Node 0")
                && lines.iter().skip(at).take(8).any(|line| line.text.starts_with("Private"))
    },
    length: None,
    read: read_statistics,
    holds_logs: false,
};

fn read_hardware(block: &Block<'_>, samples: &mut Samples) {
    let Some(&first) = block.lines.first() else { return };
    let mut row = block.row(Part::Host, "", first);
    if let Some(nodes) = first.text.split_whitespace().nth(1).and_then(value::number) {
        row.set(Signal::NumaNodes, nodes);
    }
    samples.push(row);
    for &line in block.lines {
        let mut words = line.text.split_whitespace();
        if words.next() != Some("node") {
            continue;
        }
        let Some(node) = words.next().filter(|node| value::number(node).is_some()) else { continue };
        let mut row = block.row(Part::Node, node, line);
        match words.next() {
            Some("cpus:") => row.tag(Label::Cores, words.collect::<Vec<_>>().join(",")),
            Some(what @ ("size:" | "free:")) => {
                let Some(megabytes) = words.next().and_then(value::number) else { continue };
                let signal = if what == "size:" { Signal::NumaSizeBytes } else { Signal::NumaFreeBytes };
                row.set(signal, megabytes * 1_048_576.0);
            }
            _ => continue,
        }
        samples.push(row);
    }
}

fn read_show(block: &Block<'_>, samples: &mut Samples) {
    let Some(&line) = block.lines.first() else { return };
    let Some((_, cores)) = line.text.split_once(':') else { return };
    let mut row = block.row(Part::Process, "", line);
    row.tag(Label::Cores, cores.split_whitespace().collect::<Vec<_>>().join(","));
    samples.push(row);
}

fn read_statistics(block: &Block<'_>, samples: &mut Samples) {
    for &line in block.lines {
        let mut words = line.text.split_whitespace();
        let signal = match words.next() {
            Some("numa_hit") => Signal::NumaHits,
            Some("numa_miss") => Signal::NumaMisses,
            Some("local_node") => Signal::NumaLocalBytes,
            Some("other_node") => Signal::NumaRemoteBytes,
            _ => continue,
        };
        for (node, number) in words.filter_map(value::number).enumerate() {
            let mut row = block.row(Part::Node, &node.to_string(), line);
            row.set(signal, number);
            samples.push(row);
        }
    }
}
