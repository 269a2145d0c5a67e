//! `catalogue compare`: one row a figure, the best marked.

use maat_base::{Arg, Text};
use maat_catalogue::{CompareBody, Comparison};

use super::code;
use crate::render::{Cell, Column, Page, Present, Table, command};
use crate::{Localiser, argument};

/// Stands beside the best figure.
const BEST: &str = " *";

impl Present for CompareBody {
    fn blocks(&self, page: &mut Page<'_>) {
        if let Some(table) = self.table(page.local) {
            page.table(&table);
        }
        let legend = page.local.label("compare-legend");
        page.wrapped("  ", 2, &legend);
    }

    fn table(&self, local: &Localiser) -> Option<Table> {
        let mut columns = vec![Column::raw("metric"), Column::left("", local.label("column-figure"))];
        let parts = self.accelerators.iter().zip(KEYS);
        columns.extend(parts.map(|(part, key)| Column::right(key, part.name.replace(' ', "\n"))));
        let mut table = Table::new(columns);
        for row in &self.rows {
            table.row(self::row(local, row, self.currency.code()));
        }
        Some(table)
    }

    fn next(&self) -> Vec<(Text, String)> {
        let Some(part) = self.accelerators.first() else { return Vec::new() };
        let words = ["maat", "size", "meta-llama/Llama-3.1-8B", "--gpu", &part.name];
        vec![(Text::new("compare-next-size"), command(words))]
    }
}

/// Names of the parts' columns for programs, in the order asked for.
const KEYS: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

fn row(local: &Localiser, row: &Comparison, currency: &str) -> Vec<Cell> {
    let metric = code(&row.metric);
    let mut cells = vec![Cell::raw(metric.as_str()), Cell::word(local.text(&row.label))];
    for (place, value) in row.values.iter().enumerate() {
        let mark = if row.best.contains(&place) { BEST } else { "" };
        cells.push(Cell::or_unknown(value.map(|value| {
            let shown = shown(local, &metric, value, currency);
            Cell::new(value, format!("{shown}{mark}"))
        })));
    }
    cells
}

/// A figure as its metric's unit, the end of its name, says it is written.
fn shown(local: &Localiser, metric: &str, value: f64, currency: &str) -> String {
    let arg = match metric {
        "rent_hourly" | "purchase" => return argument::money(local.lang(), value, currency),
        name if name.ends_with("_bytes_per_s") => Arg::BytesPerSecond(value),
        name if name.ends_with("_flop_per_s") => Arg::FlopPerSecond(value),
        name if name.ends_with("_op_per_s") => return tera_operations(local, value),
        name if name.ends_with("_bytes") => Arg::Bytes(value as u64),
        name if name.ends_with("_w") => Arg::Watts(value),
        name if name.ends_with("_flop_per_j") => return per(local, value / 1e12, "TFLOP/J"),
        name if name.ends_with("_bytes_per_j") => return per(local, value / 1e9, "GB/J"),
        _ => Arg::Number(value),
    };
    local.arg(&arg)
}

fn tera_operations(local: &Localiser, value: f64) -> String {
    per(local, value / 1e12, "TOP/s")
}

fn per(local: &Localiser, value: f64, unit: &str) -> String {
    format!("{} {unit}", local.arg(&Arg::Number(value)))
}
