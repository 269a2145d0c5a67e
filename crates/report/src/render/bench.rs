//! `bench`: what was measured beside what the catalogue says.

use maat_base::{Arg, Text};
use maat_here::BenchBody;
use maat_probe::bench::Reading;

use super::{Cell, Column, Page, Present, Table};
use crate::{Localiser, argument};

impl Present for BenchBody {
    fn blocks(&self, page: &mut Page<'_>) {
        let table = rows(self, page.local);
        page.table(&table);
        if self.disk.as_ref().is_some_and(|disk| !disk.direct) {
            page.bullet(&Text::new("bench-disk-cached"));
        }
        if !self.link.is_empty() {
            page.bullet(&Text::new("bench-gpu-untested"));
        }
        if let Some(stored) = &self.stored {
            page.bullet(&Text::new("bench-stored").with("file", stored.as_str()));
        }
    }

    fn table(&self, local: &Localiser) -> Option<Table> {
        Some(rows(self, local))
    }

    fn next(&self) -> Vec<(Text, String)> {
        vec![(Text::new("bench-next"), String::from("maat here"))]
    }
}

/// A row under construction: what, how, measured, spread, catalogue.
struct Row<'a> {
    what: String,
    how: String,
    measured: f64,
    spread: Option<f64>,
    catalogue: Option<f64>,
    arg: &'a dyn Fn(f64) -> Arg,
}

fn rows(body: &BenchBody, local: &Localiser) -> Table {
    let mut table = Table::new(vec![
        Column::left("what", local.label("bench-column-what")),
        Column::left("how", local.label("bench-column-how")),
        Column::right("measured", local.label("bench-column-measured")),
        Column::right("spread", local.label("bench-column-spread")),
        Column::right("catalogue", local.label("bench-column-catalogue")),
        Column::right("share", local.label("bench-column-share")),
    ]);
    for row in all(body, local) {
        let lang = local.lang();
        let share = row.catalogue.filter(|value| *value > 0.0).map(|value| row.measured / value);
        let percent = |share: f64| Cell::new(share, argument::percent(lang, share));
        table.row(vec![
            Cell::word(row.what),
            Cell::word(row.how),
            Cell::new(row.measured, local.arg(&(row.arg)(row.measured))),
            row.spread.map_or_else(Cell::none, percent),
            Cell::or_unknown(row.catalogue.map(|value| Cell::new(value, local.arg(&(row.arg)(value))))),
            Cell::or_unknown(share.map(percent)),
        ]);
    }
    table
}

fn all<'a>(body: &BenchBody, local: &Localiser) -> Vec<Row<'a>> {
    let bytes: &dyn Fn(f64) -> Arg = &Arg::BytesPerSecond;
    let flops: &dyn Fn(f64) -> Arg = &Arg::FlopPerSecond;
    let label = |id: &str| local.label(id);
    let mut rows: Vec<Row<'a>> = Vec::new();
    for row in &body.compute {
        rows.push(Row {
            what: local.text(&Text::new("bench-product").with("number", row.number.as_str())),
            how: row.kernel.clone(),
            measured: row.flops_per_s,
            spread: Some(row.compared.spread),
            catalogue: row.compared.catalogue.as_ref().map(|one| one.value),
            arg: flops,
        });
    }
    for (id, how, compared) in
        [("bench-memory-read", "", &body.memory_read), ("bench-memory-triad", "STREAM", &body.memory)]
    {
        rows.extend(compared.as_ref().map(|one| Row {
            what: label(id),
            how: how.to_owned(),
            measured: one.measured,
            spread: Some(one.spread),
            catalogue: one.catalogue.as_ref().map(|one| one.value),
            arg: bytes,
        }));
    }
    let plain = |what: String, reading: &Reading| Row {
        what,
        how: String::new(),
        measured: reading.value,
        spread: Some(reading.spread),
        catalogue: None,
        arg: bytes,
    };
    for cache in &body.cache {
        rows.push(plain(
            local.text(&Text::new("bench-cache").with("level", cache.level)),
            &cache.bytes_per_s,
        ));
    }
    let single = |id: &str, how: &str, value: Option<f64>, arg: &'a dyn Fn(f64) -> Arg| {
        value.map(|measured| Row {
            what: label(id),
            how: how.to_owned(),
            measured,
            spread: None,
            catalogue: None,
            arg,
        })
    };
    if let Some(disk) = &body.disk {
        let number: &dyn Fn(f64) -> Arg = &Arg::Number;
        rows.extend(single("bench-disk-write", "", disk.write_bytes_per_s, bytes));
        rows.extend(single("bench-disk-read", "", disk.read_bytes_per_s, bytes));
        rows.extend(single("bench-disk-random", "4 KiB", disk.random_reads_per_s, number));
    }
    for gpu in &body.link {
        let name = format!("GPU {}", gpu.device);
        rows.extend(single("bench-gpu-product", &name, gpu.bf16_flops_per_s, flops));
        rows.extend(single("bench-gpu-copy", &name, gpu.copy_bytes_per_s, bytes));
        rows.extend(single("bench-gpu-host", &name, gpu.from_host_bytes_per_s, bytes));
        rows.extend(single("bench-gpu-peer", &name, gpu.from_peer_bytes_per_s, bytes));
    }
    rows
}
