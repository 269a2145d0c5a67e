//! `mpstat -o JSON` and `iostat -o JSON`.

use serde_json::{Map, Value};

use super::fields::field;
use super::json::line_of;
use super::{Block, Observation, Part, Samples, Signal, Span};

/// Reads a document of sysstat.
pub fn read(block: &Block<'_>, document: &Value, samples: &mut Samples) {
    let hosts = document.get("sysstat").and_then(|root| root.get("hosts")).and_then(Value::as_array);
    for host in hosts.into_iter().flatten() {
        if let Some(cores) = host.get("number-of-cpus").and_then(Value::as_f64)
            && let Some(line) = line_of(block, "number-of-cpus")
        {
            let mut row = block.row(Part::Host, "", line);
            row.set(Signal::CpuCount, cores);
            samples.push(row);
        }
        let reports = host.get("statistics").and_then(Value::as_array);
        for (at, report) in reports.into_iter().flatten().enumerate() {
            report_rows(block, report, at == 0 && report.get("disk").is_some(), samples);
        }
    }
}

fn push(samples: &mut Samples, row: Option<Observation>) {
    if let Some(row) = row {
        samples.push(row);
    }
}

fn report_rows(block: &Block<'_>, report: &Value, first: bool, samples: &mut Samples) {
    if let Some(Value::Object(cpu)) = report.get("avg-cpu") {
        push(samples, row(block, Part::Host, "", cpu, first));
    }
    for cpu in report.get("cpu-load").and_then(Value::as_array).into_iter().flatten() {
        let Value::Object(cpu) = cpu else { continue };
        let name = cpu.get("cpu").and_then(Value::as_str).unwrap_or("all");
        let (part, name) = if name == "all" { (Part::Host, "") } else { (Part::Core, name) };
        push(samples, row(block, part, name, cpu, false));
    }
    for disk in report.get("disk").and_then(Value::as_array).into_iter().flatten() {
        let Value::Object(disk) = disk else { continue };
        let name = disk.get("disk_device").and_then(Value::as_str).unwrap_or("");
        push(samples, row(block, Part::Disk, name, disk, first));
    }
}

/// Names in JSON are those of the text, without `%` before shares.
fn row(
    block: &Block<'_>,
    part: Part,
    name: &str,
    values: &Map<String, Value>,
    first: bool,
) -> Option<Observation> {
    let tool = if part == Part::Disk { "iostat" } else { "cpu" };
    let mut row = block.row(part, name, line_of(block, "statistics")?);
    if first {
        row.span = Span::SinceBoot;
    }
    for (key, number) in values {
        let known = field(tool, &format!("%{key}")).or_else(|| field(tool, key));
        if let (Some(field), Some(number)) = (known, number.as_f64()) {
            row.set(field.signal, number * field.scale);
        }
    }
    Some(row)
}
