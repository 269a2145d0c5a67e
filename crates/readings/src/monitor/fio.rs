//! `fio --output-format=json`: what a disk can do.

use serde_json::Value;

use super::json::line_of;
use super::{Block, Label, Part, Samples, Signal};

/// Reads a document of fio.
pub fn read(block: &Block<'_>, document: &Value, samples: &mut Samples) {
    if document.get("fio version").is_none() {
        return;
    }
    let jobs = document.get("jobs").and_then(Value::as_array);
    for job in jobs.into_iter().flatten() {
        let name = job.get("jobname").and_then(Value::as_str).unwrap_or("job");
        let Some(line) = line_of(block, "jobname") else { continue };
        let mut row = block.row(Part::Disk, "fio", line);
        row.tag(Label::Name, name);
        let number = |direction: &str, key: &str| job.get(direction)?.get(key)?.as_f64();
        let latency = job.get("read").and_then(|read| read.get("clat_ns")?.get("mean")?.as_f64());
        for (signal, value) in [
            (Signal::FioReadIops, number("read", "iops")),
            (Signal::FioReadBytesPerS, number("read", "bw_bytes")),
            (Signal::FioWriteIops, number("write", "iops")),
            (Signal::FioWriteBytesPerS, number("write", "bw_bytes")),
            (Signal::FioReadLatencyS, latency.map(|nanoseconds| nanoseconds * 1e-9)),
        ] {
            if let Some(value) = value.filter(|value| *value > 0.0) {
                row.set(signal, value);
            }
        }
        samples.push(row);
    }
}
