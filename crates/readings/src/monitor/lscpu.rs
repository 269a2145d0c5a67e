//! `lscpu`.

use super::{Block, Format, Label, Part, Samples, Signal, value};

/// `lscpu`.
pub const FORMAT: Format = Format {
    kind: "lscpu",
    begins: |lines, at| {
        lines[at].text.starts_with("Architecture:")
            && lines.iter().skip(at).take(12).any(|line| line.text.trim_start().starts_with("CPU(s):"))
    },
    length: None,
    read,
    holds_logs: true,
};

fn read(block: &Block<'_>, samples: &mut Samples) {
    let Some(&first) = block.lines.first() else { return };
    let mut row = block.row(Part::Host, "", first);
    for &line in block.lines {
        let Some((name, text)) = line.text.split_once(':') else { continue };
        let (name, text) = (name.trim(), text.trim());
        let signal = match name {
            "CPU(s)" => Signal::CpuCount,
            "Socket(s)" => Signal::Sockets,
            "NUMA node(s)" => Signal::NumaNodes,
            "Core(s) per socket" => Signal::CoresPerSocket,
            "Thread(s) per core" => Signal::ThreadsPerCore,
            "Model name" => {
                row.tag(Label::Name, text);
                continue;
            }
            _ => {
                if let Some(node) =
                    name.strip_prefix("NUMA node").and_then(|rest| rest.strip_suffix(" CPU(s)"))
                {
                    let mut own = block.row(Part::Node, node, line);
                    own.tag(Label::Cores, text);
                    samples.push(own);
                }
                continue;
            }
        };
        if let Some(number) = value::number(text) {
            row.set(signal, number);
        }
    }
    samples.push(row);
}
