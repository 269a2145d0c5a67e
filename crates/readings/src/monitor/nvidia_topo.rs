//! `nvidia-smi topo -m`.

use super::{Block, Format, Path, Samples, Topology, value};

/// The topology matrix.
pub const FORMAT: Format = Format {
    kind: "nvidia-smi-topo",
    begins: |lines, at| {
        let text = lines[at].text.trim_start();
        text.starts_with("GPU0 ")
            && !text.contains('|')
            && (text.contains("CPU Affinity") || text.contains("GPU1"))
            && lines.get(at + 1).is_some_and(|next| next.text.trim_start().starts_with("GPU0 "))
    },
    length: None,
    read,
    holds_logs: true,
};

fn path(word: &str) -> Option<Path> {
    Some(match word {
        "X" => Path::Own,
        "PIX" => Path::Pix,
        "PXB" => Path::Pxb,
        "PHB" => Path::Phb,
        "NODE" => Path::Node,
        "SYS" | "SOC" | "QPI" => Path::Sys,
        _ => Path::Nvlink(value::number(word.strip_prefix("NV")?)?.clamp(0.0, 255.0) as u8),
    })
}

fn read(block: &Block<'_>, samples: &mut Samples) {
    let Some((head, rows)) = block.lines.split_first() else { return };
    let columns: Vec<&str> =
        head.text.split_whitespace().take_while(|word| !matches!(*word, "CPU" | "NUMA")).collect();
    let mut topology = Topology {
        gpus: Vec::new(),
        paths: Vec::new(),
        adapters: columns
            .iter()
            .filter(|name| !name.starts_with("GPU"))
            .map(|name| (*name).to_owned())
            .collect(),
        cores: Vec::new(),
        place: block.place(*head),
    };
    let gpus = columns.iter().filter(|name| name.starts_with("GPU")).count();
    for line in rows {
        let words: Vec<&str> = line.text.split_whitespace().collect();
        let Some((&name, cells)) = words.split_first() else { continue };
        if name.starts_with("GPU") && cells.len() >= columns.len() {
            let paths: Vec<Path> = cells[..gpus].iter().filter_map(|word| path(word)).collect();
            if paths.len() == gpus && topology.gpus.len() < gpus {
                topology.gpus.push(name.to_owned());
                topology.paths.push(paths);
                topology
                    .cores
                    .push(cells.get(columns.len()).map_or_else(String::new, |word| (*word).to_owned()));
            }
        } else if let Some(adapter) =
            topology.adapters.iter_mut().find(|own| name.strip_suffix(':') == Some(own.as_str()))
            && let Some(device) = cells.first()
        {
            (*device).clone_into(adapter);
        }
    }
    if !topology.gpus.is_empty() {
        samples.topologies.push(topology);
    }
}
