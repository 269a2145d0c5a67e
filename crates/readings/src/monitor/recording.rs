//! Samples that `--record` kept: one value a line.

use std::fmt::Write as _;

use super::{Block, BlockInfo, FORMATS, Format, Label, Observation, Part, Samples, Signal, Span, value};

/// The first line of a recording.
const HEAD: &str = "maat-samples 1";

/// A recording.
pub const FORMAT: Format = Format {
    kind: "maat-samples",
    begins: |lines, at| lines[at].text == HEAD,
    length: None,
    read,
    holds_logs: false,
};

/// Kinds of blocks that are no output of a tool.
const OWN_KINDS: [&str; 2] = ["watch", "nvml"];

/// Writes the observations: for each part of the input a line `block kind host`, in it a line `row part name time span`
/// and then one line a value or word, indented; after them the meaningful lines of logs as they are. Matrices are not
/// kept.
pub fn write(samples: &Samples) -> String {
    let mut text = format!("{HEAD}\n");
    let mut block = None;
    for row in &samples.rows {
        if block != Some(row.block) {
            block = Some(row.block);
            let info = samples.blocks.get(row.block as usize);
            let host = info.and_then(|info| info.host.as_deref()).unwrap_or("-");
            let _ = writeln!(text, "block {} {host}", info.map_or(FORMAT.kind, |info| info.kind));
        }
        let at = row.at_s.map_or_else(|| "-".to_owned(), |at| at.to_string());
        let name = if row.name.is_empty() { "-" } else { &row.name };
        let name = name.replace(char::is_whitespace, "_");
        let _ = writeln!(text, "row {} {name} {at} {}", row.part.name(), row.span.name());
        for (signal, value) in &row.values {
            let _ = writeln!(text, "  {} {value}", signal.name());
        }
        for (label, word) in &row.labels {
            let _ = writeln!(text, "  @{} {}", label_name(*label), word.replace('\n', " "));
        }
    }
    let mut last = "";
    for (at, event) in samples.events.iter().enumerate() {
        if at == 0 {
            text.push_str("$ log\n");
        }
        // A line can mean several things; it is kept once.
        if event.text != last {
            let _ = writeln!(text, "{}", event.text);
        }
        last = &event.text;
    }
    text
}

const LABELS: [(Label, &str); 9] = [
    (Label::Name, "name"),
    (Label::State, "state"),
    (Label::User, "user"),
    (Label::Gpu, "gpu"),
    (Label::Kind, "kind"),
    (Label::Wait, "wait"),
    (Label::Parent, "parent"),
    (Label::Cores, "cores"),
    (Label::Host, "host"),
];

fn label_name(label: Label) -> &'static str {
    LABELS.iter().find(|(own, _)| *own == label).map_or("name", |(_, name)| name)
}

fn read(block: &Block<'_>, samples: &mut Samples) {
    let mut row: Option<Observation> = None;
    let mut index = block.index;
    for &line in block.lines {
        let mut words = line.text.split_whitespace();
        if line.text.starts_with("block ") {
            finish(&mut row, samples);
            words.next();
            let kind = words.next().unwrap_or("");
            let kind = FORMATS.iter().map(|format| format.kind).chain(OWN_KINDS).find(|own| *own == kind);
            let host = words.next().filter(|host| *host != "-").map(Into::into);
            index = u32::try_from(samples.blocks.len()).unwrap_or(u32::MAX);
            let kind = kind.unwrap_or(FORMAT.kind);
            samples.blocks.push(BlockInfo { kind, place: block.place(line), items: 0, host });
        } else if line.text.starts_with("row ") {
            finish(&mut row, samples);
            words.next();
            let (Some(part), Some(name)) = (words.next().and_then(Part::named), words.next()) else {
                continue;
            };
            let mut new = block.row(part, if name == "-" { "" } else { name }, line);
            new.block = index;
            new.at_s = words.next().and_then(value::number);
            new.span = words.next().and_then(Span::named).unwrap_or_default();
            row = Some(new);
        } else if let Some(row) = &mut row {
            fill(line.text, row);
        }
    }
    finish(&mut row, samples);
}

fn finish(row: &mut Option<Observation>, samples: &mut Samples) {
    if let Some(row) = row.take() {
        samples.push(row);
    }
}

/// A value or a word of a row.
fn fill(line: &str, row: &mut Observation) {
    let mut words = line.split_whitespace();
    let (Some(name), Some(rest)) = (words.next(), words.next()) else { return };
    if let Some(label) = name.strip_prefix('@') {
        if let Some((label, _)) = LABELS.iter().find(|(_, own)| *own == label) {
            let word = line.trim_start().split_once(' ').map_or("", |(_, word)| word);
            row.tag(*label, word);
        }
    } else if let (Some(&signal), Some(number)) =
        (Signal::ALL.iter().find(|signal| signal.name() == name), value::number(rest))
    {
        row.set(signal, number);
    }
}
