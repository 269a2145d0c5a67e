//! `catalogue list`.

use maat_base::{Arg, Text};
use maat_catalogue::{ListBody, NumberType};

use super::{bandwidth, label_size, rate, watts};
use crate::render::{Cell, Column, Page, Present, Table, command};
use crate::{Localiser, number};

/// Parts that a page lists unless more is asked for.
const LISTED: usize = 15;

impl Present for ListBody {
    fn blocks(&self, page: &mut Page<'_>) {
        let Some(table) = self.table(page.local) else { return };
        let count = self.accelerators.len() + self.cpus.len() + self.servers.len();
        if page.style.explain || count <= LISTED {
            page.table(&table);
        } else {
            page.table(&table.first(LISTED));
            let more = page.local.text(&Text::new("list-more").with("n", count - LISTED));
            page.wrapped("  ", 2, &more);
        }
        if !self.not_known.is_empty() {
            page.gap();
            let names = Arg::List(self.not_known.iter().map(|name| Arg::Str(name.clone())).collect());
            page.bullet(&Text::new("list-not-known").with("names", names));
        }
    }

    fn table(&self, local: &Localiser) -> Option<Table> {
        if !self.cpus.is_empty() {
            return Some(processors(local, self));
        }
        if !self.servers.is_empty() {
            return Some(servers(local, self));
        }
        Some(accelerators(local, self))
    }

    fn next(&self) -> Vec<(Text, String)> {
        let first = self.accelerators.first().map(|part| part.name.as_str());
        let first = first.or(self.cpus.first().map(|cpu| cpu.name.as_str()));
        let first = first.or(self.servers.first().map(|server| server.name.as_str()));
        let show = |name| (Text::new("list-next-show"), command(["maat", "catalogue", "show", name]));
        first.map(show).into_iter().collect()
    }
}

fn accelerators(local: &Localiser, body: &ListBody) -> Table {
    let mut table = Table::new(vec![
        Column::raw("id"),
        Column::left("name", local.label("column-name")),
        Column::right("memory_label_bytes", local.label("column-memory")),
        Column::raw("capacity_bytes"),
        Column::right("bandwidth_bytes_per_s", local.label("column-bandwidth")),
        Column::right("bf16_flop_per_s", local.label("column-bf16")),
        Column::right("fp8_flop_per_s", local.label("column-fp8")),
        Column::right("power_w", local.label("column-power")),
        Column::left("announced", local.label("column-state-of-sale")),
    ]);
    for part in &body.accelerators {
        let announced = if part.announced { local.label("state-announced") } else { String::new() };
        table.row(vec![
            Cell::raw(part.id.as_str()),
            Cell::word(part.name.as_str()),
            label_size(local, part.memory_label_bytes),
            Cell::raw(part.capacity_bytes.0),
            bandwidth(local, part.bandwidth_bytes_per_s),
            rate(local, part, NumberType::Bf16),
            rate(local, part, NumberType::Fp8),
            watts(local, part.power_w),
            Cell::new(part.announced, announced),
        ]);
    }
    table
}

fn processors(local: &Localiser, body: &ListBody) -> Table {
    let mut table = Table::new(vec![
        Column::raw("id"),
        Column::left("name", local.label("column-name")),
        Column::right("cores", local.label("column-cores")),
        Column::right("bandwidth_bytes_per_s", local.label("column-bandwidth")),
        Column::left("simd", local.label("column-simd")),
        Column::right("power_w", local.label("column-power")),
    ]);
    for cpu in &body.cpus {
        table.row(vec![
            Cell::raw(cpu.id.as_str()),
            Cell::word(cpu.name.as_str()),
            Cell::new(cpu.cores, number::whole(local.lang(), u64::from(cpu.cores))),
            bandwidth(local, cpu.bandwidth.as_ref().map(|bandwidth| bandwidth.value)),
            Cell::word(cpu.simd.as_str()),
            watts(local, cpu.power_w),
        ]);
    }
    table
}

fn servers(local: &Localiser, body: &ListBody) -> Table {
    let mut table = Table::new(vec![
        Column::raw("id"),
        Column::left("name", local.label("column-name")),
        Column::left("accelerators", local.label("column-accelerators")),
        Column::right("cores", local.label("column-cores")),
        Column::right("ram_bytes", local.label("column-memory")),
        Column::right("max_power_w", local.label("column-power")),
    ]);
    for server in &body.servers {
        let cores = server.cores.map(|cores| Cell::new(cores, number::whole(local.lang(), u64::from(cores))));
        table.row(vec![
            Cell::raw(server.id.as_str()),
            Cell::word(server.name.as_str()),
            Cell::word(server.accelerators.as_str()),
            Cell::or_unknown(cores),
            Cell::or_unknown(server.ram.map(|ram| label_size(local, ram))),
            watts(local, server.max_power_w),
        ]);
    }
    table
}
