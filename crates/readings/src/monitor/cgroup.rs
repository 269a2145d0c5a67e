//! `cpu.stat` and `cpu.max` of a control group; `docker stats`.

use super::{Block, Format, Label, Line, Part, Samples, Signal, value};

/// Limits of a control group.
pub const FORMAT: Format = Format {
    kind: "cgroup",
    begins: |lines, at| {
        counter(lines[at].text).is_some() || quota(lines[at].text).is_some() || is_docker(lines[at].text)
    },
    length: None,
    read,
    holds_logs: true,
};

/// A counter of `cpu.stat` (version 2 counts microseconds, version 1 nanoseconds).
fn counter(line: &str) -> Option<(Signal, f64)> {
    let (name, number) = line.trim().split_once(' ')?;
    let number = value::number(number)?;
    Some(match name {
        "nr_periods" => (Signal::QuotaPeriods, number),
        "nr_throttled" => (Signal::QuotaThrottledPeriods, number),
        "throttled_usec" => (Signal::QuotaThrottledS, number * 1e-6),
        "throttled_time" => (Signal::QuotaThrottledS, number * 1e-9),
        _ => return None,
    })
}

/// `cpu.max`: `400000 100000` or `max 100000`; the period is as good as always 100 ms.
fn quota(line: &str) -> Option<f64> {
    let (limit, period) = line.trim().split_once(' ')?;
    let (limit, period) = (limit.parse::<u64>().ok()?, period.parse::<u64>().ok()?);
    (period == 100_000 && limit >= 1000).then(|| limit as f64 / period as f64)
}

fn is_docker(line: &str) -> bool {
    line.starts_with("CONTAINER ID") && line.contains("CPU %")
}

fn read(block: &Block<'_>, samples: &mut Samples) {
    let mut row: Option<super::Observation> = None;
    let mut docker = false;
    for &line in block.lines {
        if is_docker(line.text) {
            docker = true;
        } else if let Some(cores) = quota(line.text) {
            let mut own = block.row(Part::Group, "", line);
            own.set(Signal::QuotaCores, cores);
            samples.push(own);
        } else if let Some((signal, number)) = counter(line.text) {
            if row.as_ref().is_some_and(|row| row.get(signal).is_some())
                && let Some(row) = row.take()
            {
                samples.push(row);
            }
            row.get_or_insert_with(|| block.row(Part::Group, "", line)).set(signal, number);
        } else if docker {
            container(block, line, samples);
        }
    }
    if let Some(row) = row {
        samples.push(row);
    }
}

/// `1a2b3c  name  399.87%  12GiB / 64GiB …`.
fn container(block: &Block<'_>, line: Line<'_>, samples: &mut Samples) {
    let words: Vec<&str> = line.text.split_whitespace().collect();
    if let [_, name, share, ..] = words.as_slice()
        && let Some(cores) = share.strip_suffix('%').and_then(value::number)
    {
        let mut row = block.row(Part::Group, name, line);
        row.set(Signal::ProcessCpu, cores / 100.0);
        row.tag(Label::Name, *name);
        samples.push(row);
    }
}
