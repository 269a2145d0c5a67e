//! `mpstat -o JSON` and `iostat -o JSON`.

use serde_json::{Map, Value};

use super::fields::field;
use super::json::line_of;
use super::{Block, Part, Samples, Signal, Span};

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

fn report_rows(block: &Block<'_>, report: &Value, first: bool, samples: &mut Samples) {
    if let Some(Value::Object(cpu)) = report.get("avg-cpu") {
        fill(block, Part::Host, "", ("cpu", "%"), cpu, first, samples);
    }
    for cpu in report.get("cpu-load").and_then(Value::as_array).into_iter().flatten() {
        let Value::Object(cpu) = cpu else { continue };
        let name = cpu.get("cpu").and_then(Value::as_str).unwrap_or("all");
        let (part, name) = if name == "all" { (Part::Host, "") } else { (Part::Core, name) };
        fill(block, part, name, ("cpu", "%"), cpu, false, samples);
    }
    for disk in report.get("disk").and_then(Value::as_array).into_iter().flatten() {
        let Value::Object(disk) = disk else { continue };
        let name = disk.get("disk_device").and_then(Value::as_str).unwrap_or("");
        fill(block, Part::Disk, name, ("iostat", ""), disk, first, samples);
    }
}

/// Names in JSON are those of the text, without `%` before processor shares and with `util` for `%util`.
fn fill(
    block: &Block<'_>,
    part: Part,
    name: &str,
    (tool, prefix): (&'static str, &str),
    values: &Map<String, Value>,
    first: bool,
    samples: &mut Samples,
) {
    let Some(line) = line_of(block, "statistics") else { return };
    let mut row = block.row(part, name, line);
    if first {
        row.span = Span::SinceBoot;
    }
    for (key, number) in values {
        let known = field(tool, &format!("{prefix}{key}"))
            .or_else(|| field(tool, key))
            .or_else(|| field(tool, &format!("%{key}")));
        if let (Some(field), Some(number)) = (known, number.as_f64()) {
            row.set(field.signal, number * field.scale);
        }
    }
    samples.push(row);
}
