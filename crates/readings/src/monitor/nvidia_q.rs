//! `nvidia-smi -q`, whole or by section (`-d PERFORMANCE`).

use super::fields::field;
use super::{Block, Format, Label, Line, Observation, Part, Samples, Signal, reasons, value};

/// The long listing of nvidia-smi.
pub const FORMAT: Format = Format {
    kind: "nvidia-smi-q",
    begins: |lines, at| lines[at].text.contains("NVSMI LOG"),
    length: None,
    read,
    holds_logs: true,
};

fn read(block: &Block<'_>, samples: &mut Samples) {
    let mut reader = Listing { row: None, path: Vec::new(), process: None, next: 0 };
    for &line in block.lines {
        if line.text.contains("NVSMI LOG") {
            reader.finish(samples);
            reader.next = 0;
            continue;
        }
        if line.text.starts_with("GPU ") {
            reader.finish(samples);
            let row = block.row(Part::Gpu, &reader.next.to_string(), line);
            reader.next += 1;
            reader.row = Some(row);
            reader.path.clear();
            continue;
        }
        reader.line(block, line, samples);
    }
    reader.finish(samples);
}

struct Listing {
    row: Option<Observation>,
    /// Sections above the current line, with their indentation.
    path: Vec<(usize, String)>,
    process: Option<Observation>,
    next: usize,
}

impl Listing {
    fn finish(&mut self, samples: &mut Samples) {
        if let Some(process) = self.process.take() {
            samples.push(process);
        }
        if let Some(mut row) = self.row.take() {
            reasons::expand(&mut row);
            samples.push(row);
        }
    }

    fn line(&mut self, block: &Block<'_>, line: Line<'_>, samples: &mut Samples) {
        let Some(row) = &mut self.row else { return };
        let indent = line.text.len() - line.text.trim_start().len();
        if line.text.trim().is_empty() || indent == 0 {
            return;
        }
        while self.path.last().is_some_and(|(depth, _)| *depth >= indent) {
            self.path.pop();
        }
        let (key, text) = match line.text.split_once(" : ") {
            Some((key, text)) => (key.trim(), Some(text.trim())),
            None => (line.text.trim().trim_end_matches(':').trim(), None),
        };
        let section = self.path.last().map_or("gpu", |(_, name)| name.as_str());
        if let Some(text) = text {
            if matches!(key, "Process ID") {
                if let Some(process) = self.process.take() {
                    samples.push(process);
                }
                let mut process = block.row(Part::Process, text, line);
                process.tag(Label::Gpu, row.name.to_string());
                self.process = Some(process);
            } else if let Some(process) = &mut self.process {
                process_field(process, key, text);
            }
            if key == "Product Name" {
                row.tag(Label::Name, text);
            } else if key == "Product Brand" && text.eq_ignore_ascii_case("unknown error") || text == "ERR!" {
                row.tag(Label::State, "ERR!");
            } else if let Some(field) =
                field("nvidia-smi-q", &format!("{section}/{}", key.to_ascii_lowercase()))
                && let Some(number) = value::measured(text, field.scale)
            {
                row.set(field.signal, number);
            }
        }
        self.path.push((indent, key.to_ascii_lowercase()));
    }
}

fn process_field(process: &mut Observation, key: &str, text: &str) {
    match key {
        "Type" => process.tag(Label::Kind, text),
        "Name" => process.tag(Label::Name, text),
        "Used GPU Memory" => {
            if let Some(bytes) = value::measured(text, 1.0) {
                process.set(Signal::ProcessGpuMemoryBytes, bytes);
            }
        }
        _ => {}
    }
}
