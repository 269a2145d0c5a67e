//! Everything that a trace was measured for, as tables: shown when the reasons are asked for, and in a browser.

use maat_base::Arg;
use maat_trace::{Micros, PartChange, RankReport};

use super::{kernels, resource, short};
use crate::render::{Cell, Column, Page, Table};
use crate::{Localiser, number};

/// Rows of a table on a page; the JSON has more.
const ROWS: usize = 16;

/// All tables, each with the message that heads it; those that would be empty are left out.
pub fn tables(local: &Localiser, trace: &RankReport) -> Vec<(&'static str, Table)> {
    let all = [
        ("trace-heading-waits", waits(local, trace)),
        ("trace-heading-steps", steps(local, trace).first(ROWS)),
        ("trace-heading-kernels", kernels(local, trace).first(ROWS)),
        ("trace-heading-families", families(local, trace)),
        ("trace-heading-communication", communication(local, trace)),
        ("trace-heading-copies", copies(local, trace).first(ROWS)),
        ("trace-heading-launches", launches(local, trace)),
        ("trace-heading-streams", streams(local, trace).first(ROWS)),
    ];
    all.into_iter().filter(|(_, table)| !table.is_empty()).collect()
}

/// The tables on a page.
pub fn blocks(page: &mut Page<'_>, trace: &RankReport) {
    for (heading, table) in tables(page.local, trace) {
        page.heading(heading);
        page.table(&table);
    }
}

pub fn time(local: &Localiser, time: Micros) -> Cell {
    Cell::new(time.us(), local.arg(&Arg::Seconds(time.seconds())))
}

fn share(local: &Localiser, share: f64) -> Cell {
    Cell::new(share, local.arg(&Arg::Share(share)))
}

fn count(local: &Localiser, count: u64) -> Cell {
    Cell::new(count, number::whole(local.lang(), count))
}

/// Idle time by who was waited for, then by cause.
fn waits(local: &Localiser, trace: &RankReport) -> Table {
    let mut table = Table::new(vec![
        Column::left("part", local.label("trace-column-part")),
        Column::right("time_us", local.label("trace-column-time")),
        Column::right("share", local.label("trace-column-share")),
    ]);
    let kinds = [
        ("trace-idle-host", trace.idle.host_wait_us),
        ("trace-idle-kernel", trace.idle.kernel_wait_us),
        ("trace-idle-other", trace.idle.other_us),
    ];
    let causes = PartChange::of_waits(&trace.waits);
    for (label, spent) in kinds.into_iter().chain(causes).filter(|(_, spent)| spent.ns() > 0) {
        table.row(vec![
            Cell::new(label, local.label(label)),
            time(local, spent),
            share(local, trace.share(spent)),
        ]);
    }
    table
}

fn steps(local: &Localiser, trace: &RankReport) -> Table {
    let title = |id: &str| local.label(id);
    let mut table = Table::new(vec![
        Column::right("number", title("trace-column-step")),
        Column::right("span_us", title("trace-column-time")),
        Column::right("compute_us", title("trace-part-compute")),
        Column::right("exposed_comm_us", title("trace-column-comm")),
        Column::right("exposed_memcpy_us", title("trace-column-copies")),
        Column::right("idle_us", title("trace-column-idle")),
        Column::left("critical", title("trace-column-critical")),
    ]);
    for step in &trace.step_list {
        let split = step.split;
        let part = |time: Micros| Cell::new(time.us(), local.arg(&Arg::Share(time.share_of(split.span_us))));
        let critical = resource(step);
        table.row(vec![
            Cell::or_unknown(step.number.map(|number| Cell::new(number, number.to_string()))),
            time(local, split.span_us),
            part(split.compute_us),
            part(split.exposed_comm_us),
            part(split.exposed_memcpy_us),
            part(split.idle_us),
            Cell::new(critical.as_str(), local.label(&format!("trace-resource-{critical}"))),
        ]);
    }
    table
}

fn families(local: &Localiser, trace: &RankReport) -> Table {
    let mut table = Table::new(vec![
        Column::left("family", local.label("trace-column-family")),
        Column::right("count", local.label("trace-column-count")),
        Column::right("total_us", local.label("trace-column-time")),
        Column::right("share", local.label("trace-column-share")),
    ]);
    for row in &trace.families {
        let word = row.family.word();
        table.row(vec![
            Cell::new(word, local.label(&format!("trace-family-{word}"))),
            count(local, row.count),
            time(local, row.total_us),
            share(local, row.share),
        ]);
    }
    let cores = &trace.tensor_cores;
    if let Some(used) = cores.used_share {
        table.row(vec![
            Cell::new("tensor-cores", local.label("trace-row-tensor")),
            Cell::none(),
            time(local, cores.used_us),
            share(local, used),
        ]);
    }
    table
}

fn communication(local: &Localiser, trace: &RankReport) -> Table {
    let mut table = Table::new(vec![
        Column::left("kind", local.label("trace-column-kind")),
        Column::right("count", local.label("trace-column-count")),
        Column::right("total_us", local.label("trace-column-time")),
        Column::right("share", local.label("trace-column-share")),
    ]);
    for row in &trace.collectives {
        let kind = word(&row.kind);
        table.row(vec![
            Cell::new(kind.as_str(), local.label(&format!("trace-collective-{kind}"))),
            count(local, row.count),
            time(local, row.total_us),
            share(local, row.share),
        ]);
    }
    if let Some(hidden) = trace.numbers.overlap_pct_of_comm {
        let all = trace.numbers.comm_us.unwrap_or_default();
        let exposed = trace.numbers.exposed_comm_us.unwrap_or_default();
        table.row(vec![
            Cell::new("hidden", local.label("trace-row-hidden")),
            Cell::none(),
            time(local, Micros::from_ns(all.ns() - exposed.ns())),
            share(local, hidden / 100.0),
        ]);
    }
    table
}

fn copies(local: &Localiser, trace: &RankReport) -> Table {
    let mut table = Table::new(vec![
        Column::left("name", local.label("trace-column-copy")),
        Column::right("count", local.label("trace-column-count")),
        Column::right("total_us", local.label("trace-column-time")),
        Column::right("size_bytes", local.label("trace-column-size")),
        Column::right("bytes_per_s", local.label("trace-column-rate")),
    ]);
    for row in &trace.copies {
        let size = row.size_bytes.map(|bytes| Cell::new(bytes, local.arg(&Arg::Bytes(bytes))));
        let rate = row.bytes_per_s.map(|rate| Cell::new(rate, local.arg(&Arg::BytesPerSecond(rate))));
        table.row(vec![
            Cell::new(row.name.as_str(), short(&row.name, 34)),
            count(local, row.count),
            time(local, row.total_us),
            Cell::or_unknown(size),
            Cell::or_unknown(rate),
        ]);
    }
    table
}

fn launches(local: &Localiser, trace: &RankReport) -> Table {
    let mut table = Table::new(vec![
        Column::left("what", local.label("trace-column-part")),
        Column::right("value", local.label("trace-column-value")),
    ]);
    let launches = &trace.launches;
    let counted = |label, value: Option<u64>| (label, value.map(|value| count(local, value)));
    let timed = |label, value: Option<Micros>| (label, value.map(|value| time(local, value)));
    let rows = [
        counted("trace-launch-calls", Some(launches.count)),
        counted("trace-launch-graphs", Some(launches.graphs).filter(|graphs| *graphs > 0)),
        timed("trace-launch-call-median", launches.call_median_us),
        timed("trace-launch-delay-median", launches.delay_median_us),
        timed("trace-launch-kernel-median", launches.kernel_median_us),
        counted("trace-launch-shorter", Some(launches.shorter_than_call)),
        counted("trace-launch-slow", Some(launches.slow_calls)),
        counted("trace-launch-late", Some(launches.late_starts)),
        counted("trace-launch-queue-median", launches.queue_median.map(|median| median as u64)),
        counted("trace-launch-queue-max", launches.queue_max),
        timed("trace-launch-sync", Some(trace.numbers.sync_api_us)),
    ];
    if launches.count > 0 {
        for (label, cell) in rows {
            if let Some(cell) = cell {
                table.row(vec![Cell::new(label, local.label(label)), cell]);
            }
        }
    }
    table
}

fn streams(local: &Localiser, trace: &RankReport) -> Table {
    let mut table = Table::new(vec![
        Column::right("device", local.label("trace-column-device")),
        Column::right("stream", local.label("trace-column-stream")),
        Column::right("count", local.label("trace-column-count")),
        Column::right("busy_us", local.label("trace-column-busy")),
    ]);
    for row in &trace.streams {
        table.row(vec![
            Cell::new(row.device, row.device.to_string()),
            Cell::new(row.stream, row.stream.to_string()),
            count(local, row.count),
            time(local, row.busy_us),
        ]);
    }
    table
}

/// The name of a kind as the JSON has it.
pub fn word(value: &impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(name)) => name,
        _ => String::new(),
    }
}
