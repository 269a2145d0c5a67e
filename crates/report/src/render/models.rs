//! `model A B`: one row a figure, the best marked.

use maat_base::{Arg, Text};
use maat_model::{ModelRow, ModelsBody};
use serde_json::Value;

use super::{Cell, Column, Page, Present, Table, command};
use crate::{Localiser, argument, number};

/// Stands beside the best figure.
const BEST: &str = " *";
/// Names of the models' columns for programs, in the order asked for.
const KEYS: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

impl Present for ModelsBody {
    fn blocks(&self, page: &mut Page<'_>) {
        if let Some(table) = self.table(page.local) {
            page.table(&table);
        }
        let legend = page.local.label("model-compare-legend");
        page.wrapped("  ", 2, &legend);
    }

    fn table(&self, local: &Localiser) -> Option<Table> {
        let mut columns = vec![Column::raw("metric"), Column::left("", local.label("column-figure"))];
        let names = self.models.iter().zip(KEYS);
        columns.extend(names.map(|(body, key)| Column::right(key, short(&body.model.name))));
        columns.push(Column::left("same", local.label("model-same-label")));
        let mut table = Table::new(columns);
        for row in &self.rows {
            table.row(cells(local, row));
        }
        Some(table)
    }

    fn next(&self) -> Vec<(Text, String)> {
        let Some(body) = self.models.first() else { return Vec::new() };
        let words = ["maat", "size", body.model.name.as_str(), "--gpu", "?x H100 SXM"];
        vec![(Text::new("model-next-compare-size"), command(words))]
    }
}

/// The last part of a name: a model without its owner, a folder without its path.
fn short(name: &str) -> &str {
    name.trim_end_matches('/').rsplit('/').next().unwrap_or(name)
}

fn cells(local: &Localiser, row: &ModelRow) -> Vec<Cell> {
    let mut cells = vec![Cell::raw(row.metric.as_str()), Cell::word(local.text(&row.label))];
    for (place, value) in row.values.iter().enumerate() {
        let mark = if row.best.contains(&place) { BEST } else { "" };
        cells.push(match value {
            Value::Null => Cell::unknown(),
            value => Cell::new(value.clone(), format!("{}{mark}", shown(local, &row.metric, value))),
        });
    }
    cells.push(Cell::new(row.same, if row.same { "=" } else { "" }));
    cells
}

/// A figure as its unit, the end of its name, says it is written.
fn shown(local: &Localiser, metric: &str, value: &Value) -> String {
    let lang = local.lang();
    match value {
        Value::String(text) => text.clone(),
        _ if metric.contains("bytes") => argument::bytes(lang, value.as_f64().unwrap_or(f64::NAN)),
        _ => match value.as_u64() {
            Some(n) => number::whole(lang, n),
            None => local.arg(&Arg::Number(value.as_f64().unwrap_or(f64::NAN))),
        },
    }
}
