//! `nvidia-smi -q -x`, of all versions of its document type.

use super::fields::field;
use super::{Block, Format, Label, Line, Observation, Part, Samples, Signal, reasons, value};

/// The XML listing of nvidia-smi.
pub const FORMAT: Format = Format {
    kind: "nvidia-smi-xml",
    begins: |lines, at| lines[at].text.trim_start().starts_with("<nvidia_smi_log"),
    length: Some(length),
    read,
    holds_logs: false,
};

fn length(lines: &[Line<'_>]) -> usize {
    lines.iter().position(|line| line.text.contains("</nvidia_smi_log>")).map_or(lines.len(), |at| at + 1)
}

/// Deeper nesting than this is not followed.
const DEPTH_LIMIT: usize = 64;

fn read(block: &Block<'_>, samples: &mut Samples) {
    let mut document = Document::default();
    for &line in block.lines {
        let mut rest = line.text;
        while let Some(at) = rest.find('<') {
            document.text.push_str(&rest[..at]);
            let Some(end) = rest[at..].find('>') else { break };
            document.tag(block, line, &rest[at + 1..at + end], samples);
            rest = &rest[at + end + 1..];
        }
        if document.text.len() < 4096 {
            document.text.push_str(rest);
        }
    }
    document.close_gpu(samples);
}

#[derive(Default)]
struct Document {
    path: Vec<String>,
    text: String,
    gpu: Option<Observation>,
    process: Option<Observation>,
    next: usize,
}

impl Document {
    fn tag(&mut self, block: &Block<'_>, line: Line<'_>, tag: &str, samples: &mut Samples) {
        if tag.starts_with(['?', '!']) || tag.ends_with('/') {
            return;
        }
        if let Some(name) = tag.strip_prefix('/') {
            self.close(block, line, name, samples);
            self.text.clear();
            return;
        }
        let name = tag.split_whitespace().next().unwrap_or("");
        self.text.clear();
        if name == "gpu" {
            self.close_gpu(samples);
            self.gpu = Some(block.row(Part::Gpu, &self.next.to_string(), line));
            self.next += 1;
        }
        if name == "process_info" {
            self.process = Some(block.row(Part::Process, "", line));
        }
        if self.path.len() < DEPTH_LIMIT {
            self.path.push(name.to_owned());
        }
    }

    fn close(&mut self, block: &Block<'_>, line: Line<'_>, name: &str, samples: &mut Samples) {
        let text = self.text.trim().to_owned();
        if self.path.last().is_some_and(|last| last == name) {
            self.path.pop();
        }
        let section = self.path.last().map_or("", String::as_str);
        if let Some(process) = &mut self.process {
            match name {
                "pid" => process.name = text.as_str().into(),
                "type" => process.tag(Label::Kind, text.as_str()),
                "process_name" => process.tag(Label::Name, text.as_str()),
                "used_memory" => {
                    if let Some(bytes) = value::measured(&text, 1.0) {
                        process.set(Signal::ProcessGpuMemoryBytes, bytes);
                    }
                }
                "process_info" => self.close_process(samples),
                _ => {}
            }
            return;
        }
        let within_slice = self.path.iter().any(|part| part == "mig_device");
        let Some(gpu) = &mut self.gpu else { return };
        if name == "gpu" {
            self.close_gpu(samples);
        } else if within_slice {
            if section == "fb_memory_usage" && name == "total" {
                slice_memory(block, line, &text, gpu, samples);
            }
        } else if name == "product_name" {
            gpu.tag(Label::Name, text);
        } else if let Some(field) = field("nvidia-smi-xml", &format!("{section}/{name}"))
            && let Some(number) = value::measured(&text, field.scale)
        {
            gpu.set(field.signal, number);
        }
    }

    fn close_process(&mut self, samples: &mut Samples) {
        if let Some(mut process) = self.process.take()
            && value::number(&process.name).is_some()
        {
            if let Some(gpu) = &self.gpu {
                process.tag(Label::Gpu, gpu.name.to_string());
            }
            samples.push(process);
        }
    }

    fn close_gpu(&mut self, samples: &mut Samples) {
        self.process = None;
        if let Some(mut gpu) = self.gpu.take() {
            reasons::expand(&mut gpu);
            samples.push(gpu);
        }
    }
}

fn slice_memory(block: &Block<'_>, line: Line<'_>, text: &str, gpu: &Observation, samples: &mut Samples) {
    if let Some(bytes) = value::measured(text, 1.0) {
        let mut row = block.row(Part::Slice, &format!("{}:{}", gpu.name, line.number), line);
        row.tag(Label::Gpu, gpu.name.to_string());
        row.set(Signal::MemoryTotalBytes, bytes);
        samples.push(row);
    }
}
