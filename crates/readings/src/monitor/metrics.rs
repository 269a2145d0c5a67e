//! Metrics as Prometheus reads them: dcgm-exporter, nvidia_gpu_exporter, all-smi, serving engines.

use std::collections::HashMap;

use super::fields::field;
use super::{Block, Format, Label, Line, Observation, Part, Samples, Signal, reasons, value};

/// Metrics text.
pub const FORMAT: Format = Format {
    kind: "metrics",
    begins: |lines, at| is_metric(lines[at].text),
    length: None,
    read,
    holds_logs: false,
};

/// Beginnings of metric names that belong here even when a name is not known.
const FAMILIES: [&str; 6] = ["DCGM_FI_", "nvidia_smi_", "all_smi_", "vllm:", "sglang:", "node_"];

/// Labels that name the machine.
const HOSTS: [&str; 4] = ["Hostname", "hostname", "node", "instance"];

fn is_metric(line: &str) -> bool {
    let name = match line.strip_prefix("# HELP ").or_else(|| line.strip_prefix("# TYPE ")) {
        Some(rest) => rest.split_whitespace().next().unwrap_or(""),
        None => match line.find(['{', ' ']) {
            Some(at) => &line[..at],
            None => return false,
        },
    };
    name.len() > 5
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b':'))
        && (FAMILIES.iter().any(|family| name.starts_with(family)) || field("metrics", name).is_some())
}

fn read(block: &Block<'_>, samples: &mut Samples) {
    let mut set =
        Set { block, rows: Vec::new(), found: HashMap::new(), ids: HashMap::new(), host: String::new() };
    let mut first: Option<&str> = None;
    let mut last = "";
    for &line in block.lines {
        if !line.text.starts_with('#')
            && let Some((name, labels, number)) = parse(line.text)
        {
            let series = series(line.text);
            // The series that came first comes again: another look.
            if first == Some(series) && last != series {
                set.found.clear();
            }
            first.get_or_insert(series);
            last = series;
            set.add(line, name, &labels, number);
        }
    }
    for mut row in set.rows {
        reasons::expand(&mut row);
        samples.push(row);
    }
}

/// A line without its figure.
fn series(line: &str) -> &str {
    let end = line.rfind('}').map(|at| at + 1).or_else(|| line.find(' ')).unwrap_or(line.len());
    line.get(..end).unwrap_or(line)
}

type Labels<'a> = Vec<(&'a str, &'a str)>;

fn parse(line: &str) -> Option<(&str, Labels<'_>, f64)> {
    let (name, labels, rest) = if let Some(open) = line.find('{') {
        let close = line.rfind('}')?;
        (&line[..open], labels(line.get(open + 1..close)?), line.get(close + 1..)?)
    } else {
        let (name, rest) = line.split_once(' ')?;
        (name, Vec::new(), rest)
    };
    let number = rest.split_whitespace().next().and_then(value::number)?;
    Some((name.trim(), labels, number))
}

fn labels(text: &str) -> Labels<'_> {
    let mut labels = Vec::new();
    let mut rest = text;
    while let Some((name, after)) = rest.split_once("=\"") {
        let Some(end) = after.find('"') else { break };
        labels.push((name.trim_matches([',', ' ']), &after[..end]));
        rest = &after[end + 1..];
    }
    labels
}

struct Set<'a> {
    block: &'a Block<'a>,
    rows: Vec<Observation>,
    found: HashMap<(String, Part, String), usize>,
    ids: HashMap<String, String>,
    /// The machine that the current line names.
    host: String,
}

impl Set<'_> {
    fn add(&mut self, line: Line<'_>, name: &str, labels: &Labels<'_>, number: f64) {
        let label = |wanted: &str| labels.iter().find(|(name, _)| *name == wanted).map(|(_, text)| *text);
        let pid = label("pid");
        let host = HOSTS.iter().find_map(|name| label(name)).unwrap_or("");
        host.clone_into(&mut self.host);
        let gpu = label("gpu").or_else(|| label("index")).map(ToOwned::to_owned);
        let gpu = match (gpu, label("uuid").or_else(|| label("UUID"))) {
            (Some(gpu), Some(uuid)) => {
                self.ids.entry(uuid.to_owned()).or_insert_with(|| gpu.clone());
                Some(gpu)
            }
            (Some(gpu), None) => Some(gpu),
            (None, Some(uuid)) => {
                let next = self.ids.len().to_string();
                Some(self.ids.entry(uuid.to_owned()).or_insert(next).clone())
            }
            (None, None) => None,
        };
        let Some(field) = field("metrics", name) else {
            if let (Some(gpu), None) = (gpu, pid)
                && let Some(model) = label("name").filter(|_| name.ends_with("gpu_info"))
            {
                self.row(Part::Gpu, &gpu, line).tag(Label::Name, model);
            }
            return;
        };
        if field.signal == Signal::ProcessGpuMemoryBytes {
            let Some(pid) = pid else { return };
            let (gpu, process) = (gpu.unwrap_or_default(), label("process_name").unwrap_or("").to_owned());
            let row = self.row(Part::Process, pid, line);
            row.tag(Label::Gpu, gpu);
            row.tag(Label::Kind, "C");
            row.tag(Label::Name, process);
            row.set(field.signal, number * field.scale);
            return;
        }
        let slice = label("GPU_I_ID").is_some();
        let model = label("modelName").or_else(|| label("name")).map(ToOwned::to_owned);
        let (part, own) = match gpu {
            Some(gpu) if slice => (Part::Slice, format!("{gpu}:{}", label("GPU_I_ID").unwrap_or(""))),
            Some(gpu) => (Part::Gpu, gpu),
            None if name.contains(':') => (Part::Server, label("model_name").unwrap_or("").to_owned()),
            None if name.starts_with("container_") => {
                (Part::Group, label("pod").or_else(|| label("container")).unwrap_or("").to_owned())
            }
            None => (Part::Host, String::new()),
        };
        let row = self.row(part, &own, line);
        if let Some(model) = model
            && row.label(Label::Name).is_none()
            && part != Part::Server
        {
            row.tag(Label::Name, model);
        }
        row.set(field.signal, number * field.scale);
    }

    fn row(&mut self, part: Part, name: &str, line: Line<'_>) -> &mut Observation {
        let key = (self.host.clone(), part, name.to_owned());
        let at = *self.found.entry(key).or_insert_with(|| {
            let mut row = self.block.row(part, name, line);
            if !self.host.is_empty() {
                row.tag(Label::Host, self.host.as_str());
            }
            self.rows.push(row);
            self.rows.len() - 1
        });
        &mut self.rows[at]
    }
}
