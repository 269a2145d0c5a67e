//! `nvidia-smi --query-gpu=… --format=csv`, with or without units, and `--query-compute-apps`.

use std::collections::HashMap;

use super::fields::{Field, field};
use super::{Block, Format, Label, Line, Observation, Part, Samples, Signal, reasons, value};

/// The CSV query of nvidia-smi.
pub const FORMAT: Format = Format {
    kind: "nvidia-smi-csv",
    begins: |lines, at| is_header(lines[at].text) || is_single(lines, at),
    length: None,
    read,
    // "[GPU is lost]" stands where the figures of a row would.
    holds_logs: true,
};

/// Names of process lists.
const PROCESS_NAMES: [&str; 3] = ["pid", "process_name", "used_gpu_memory"];

fn names(line: &str) -> Vec<&str> {
    line.split(',').map(bare).collect()
}

/// A name without its unit.
fn bare(name: &str) -> &str {
    name.split('[').next().unwrap_or(name).trim()
}

fn is_header(line: &str) -> bool {
    if !line.contains(',') || line.starts_with('#') || line.starts_with(char::is_whitespace) {
        return false;
    }
    // A header names something known at once; rows of figures are told apart without reading them whole.
    let begins = line.split(',').take(4).any(|name| is_known(bare(name)));
    begins && names(line).iter().filter(|name| is_known(name)).count() >= 2
}

/// One column alone: its name has a unit or a point as no other word has, and a figure follows.
fn is_single(lines: &[Line<'_>], at: usize) -> bool {
    let text = lines[at].text.trim();
    is_single_header(text) && lines.get(at + 1).is_some_and(|next| value::measured(next.text, 1.0).is_some())
}

fn is_single_header(text: &str) -> bool {
    !text.contains(',')
        && (text.ends_with(']') || text.contains('.') && !text.contains(' '))
        && field("nvidia-smi-csv", bare(text)).is_some()
}

fn is_known(name: &str) -> bool {
    field("nvidia-smi-csv", name).is_some()
        || PROCESS_NAMES.contains(&name)
        || matches!(name, "name" | "timestamp" | "uuid" | "gpu_uuid")
}

fn read(block: &Block<'_>, samples: &mut Samples) {
    let mut table: Option<Header> = None;
    for &line in block.lines {
        if is_header(line.text) || is_single_header(line.text.trim()) {
            table = Some(Header::of(line.text));
        } else if let Some(table) = &mut table {
            table.row(block, line, samples);
        }
    }
}

struct Header {
    fields: Vec<Option<Field>>,
    name: Option<usize>,
    time: Option<usize>,
    identity: Option<usize>,
    process: Option<usize>,
    process_name: Option<usize>,
    process_memory: Option<usize>,
    known: HashMap<String, usize>,
    last_time: String,
    in_time: usize,
    columns: usize,
    /// Whether the figures of the row before had units: a figure without one is then cut off.
    units: Vec<bool>,
}

impl Header {
    fn of(line: &str) -> Self {
        let names = names(line);
        let at = |wanted: &[&str]| names.iter().position(|name| wanted.contains(name));
        Self {
            fields: names.iter().map(|name| field("nvidia-smi-csv", name)).collect(),
            name: at(&["name", "gpu_name"]),
            time: at(&["timestamp"]),
            identity: at(&["index"]).or_else(|| at(&["uuid", "gpu_uuid", "pci.bus_id", "gpu_bus_id"])),
            process: at(&["pid"]),
            process_name: at(&["process_name"]),
            process_memory: at(&["used_gpu_memory", "used_memory"]),
            known: HashMap::new(),
            last_time: String::new(),
            in_time: 0,
            columns: names.len(),
            units: Vec::new(),
        }
    }

    fn row(&mut self, block: &Block<'_>, line: Line<'_>, samples: &mut Samples) {
        let mut cells: Vec<&str> = line.text.split(',').map(str::trim).collect();
        if cells.len() < self.columns {
            return;
        }
        self.drop_cut_figure(&mut cells);
        let gpu = self.gpu(&cells);
        if let Some(process) = self.process {
            if let Some(row) = self.process_row(block, line, &cells, process, &gpu) {
                samples.push(row);
            }
            return;
        }
        let mut row = block.row(Part::Gpu, &gpu, line);
        row.at_s = self.time.and_then(|at| cells.get(at)).and_then(|text| value::date_and_clock(text));
        for (field, cell) in self.fields.iter().zip(&cells) {
            if let Some(field) = field
                && let Some(number) = value::measured(cell, field.scale)
            {
                row.set(field.signal, number);
            }
        }
        self.name_row(&cells, &mut row);
        reasons::expand(&mut row);
        samples.push(row);
    }

    /// The last figure of a row that lacks the unit which the row before had there was cut off: `9` of `97 %`.
    fn drop_cut_figure(&mut self, cells: &mut [&str]) {
        let last = self.columns - 1;
        let expected = self.units.get(last).copied().unwrap_or(false);
        if let Some(cell) = cells.get_mut(last).filter(|cell| expected && value::number(cell).is_some()) {
            *cell = "";
        }
        let with_unit =
            |cell: &&str| value::number(cell).is_none() && cell.starts_with(|c: char| c.is_ascii_digit());
        self.units = cells.iter().map(with_unit).collect();
    }

    fn name_row(&self, cells: &[&str], row: &mut Observation) {
        if row.values.is_empty() {
            return;
        }
        if let Some(name) = self.name.and_then(|at| cells.get(at)) {
            row.tag(Label::Name, *name);
        }
    }

    /// Which accelerator a row is of: its index, the order of its identity, or its order at one time.
    fn gpu(&mut self, cells: &[&str]) -> String {
        if let Some(at) = self.identity
            && let Some(&identity) = cells.get(at)
        {
            if value::number(identity).is_some() {
                return identity.to_owned();
            }
            let next = self.known.len();
            return self.known.entry(identity.to_owned()).or_insert(next).to_string();
        }
        if let Some(time) = self.time.and_then(|at| cells.get(at)) {
            self.in_time = if *time == self.last_time { self.in_time + 1 } else { 0 };
            (*time).clone_into(&mut self.last_time);
            return self.in_time.to_string();
        }
        "0".to_owned()
    }

    fn process_row(
        &self,
        block: &Block<'_>,
        line: Line<'_>,
        cells: &[&str],
        process: usize,
        gpu: &str,
    ) -> Option<Observation> {
        let pid = cells.get(process).filter(|pid| value::number(pid).is_some())?;
        let mut row = block.row(Part::Process, pid, line);
        row.tag(Label::Gpu, gpu);
        row.tag(Label::Kind, "C");
        if let Some(name) = self.process_name.and_then(|at| cells.get(at)) {
            row.tag(Label::Name, *name);
        }
        let memory = self.process_memory.and_then(|at| cells.get(at));
        if let Some(bytes) = memory.and_then(|text| value::measured(text, 1_048_576.0)) {
            row.set(Signal::ProcessGpuMemoryBytes, bytes);
        }
        Some(row)
    }
}
