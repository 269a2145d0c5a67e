//! Samples that `--record` kept: one value a line.

use std::fmt::Write as _;

use super::{Block, Format, Label, Observation, Part, Samples, Signal, value};

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

/// Writes the observations: a line `row part name time` and then one line a value or word, indented; after them the
/// meaningful lines of logs as they are. Matrices are not kept.
pub fn write(samples: &Samples) -> String {
    let mut text = format!("{HEAD}\n");
    for row in &samples.rows {
        let at = row.at_s.map_or_else(|| "-".to_owned(), |at| at.to_string());
        let name = if row.name.is_empty() { "-" } else { &row.name };
        let _ = writeln!(text, "row {} {} {at}", row.part.name(), name.replace(char::is_whitespace, "_"));
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

const LABELS: [(Label, &str); 8] = [
    (Label::Name, "name"),
    (Label::State, "state"),
    (Label::User, "user"),
    (Label::Gpu, "gpu"),
    (Label::Kind, "kind"),
    (Label::Wait, "wait"),
    (Label::Parent, "parent"),
    (Label::Cores, "cores"),
];

fn label_name(label: Label) -> &'static str {
    LABELS.iter().find(|(own, _)| *own == label).map_or("name", |(_, name)| name)
}

fn read(block: &Block<'_>, samples: &mut Samples) {
    let mut row: Option<Observation> = None;
    for &line in block.lines {
        let mut words = line.text.split_whitespace();
        if line.text.starts_with("row ") {
            if let Some(row) = row.take() {
                samples.push(row);
            }
            words.next();
            let (Some(part), Some(name)) = (words.next().and_then(Part::named), words.next()) else {
                continue;
            };
            let mut new = block.row(part, if name == "-" { "" } else { name }, line);
            new.at_s = words.next().and_then(value::number);
            row = Some(new);
        } else if let Some(row) = &mut row {
            let (Some(name), Some(rest)) = (words.next(), words.next()) else { continue };
            if let Some(label) = name.strip_prefix('@') {
                if let Some((label, _)) = LABELS.iter().find(|(_, own)| *own == label) {
                    let word = line.text.trim_start().split_once(' ').map_or("", |(_, word)| word);
                    row.tag(*label, word);
                }
            } else if let (Some(&signal), Some(number)) =
                (Signal::ALL.iter().find(|signal| signal.name() == name), value::number(rest))
            {
                row.set(signal, number);
            }
        }
    }
    if let Some(row) = row {
        samples.push(row);
    }
}
