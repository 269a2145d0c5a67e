//! `cost per-tflop`.

use maat_economics::PerTflopBody;

use super::amount;
use crate::render::{Cell, Column, Page, Present, Table};
use crate::{Localiser, number};

/// Rows that a page lists; the rest is in the JSON, and with `--explain`.
const LISTED: usize = 15;

impl Present for PerTflopBody {
    fn blocks(&self, page: &mut Page<'_>) {
        let table = rows(page.local, self);
        page.table(&if page.style.explain { table } else { table.first(LISTED) });
    }

    fn pictures(&self, local: &Localiser) -> Vec<String> {
        vec![super::picture::two_bases(local, self)]
    }

    fn table(&self, local: &Localiser) -> Option<Table> {
        Some(rows(local, self))
    }
}

fn rows(local: &Localiser, body: &PerTflopBody) -> Table {
    let mut table = Table::new(vec![
        Column::right("rank", local.label("column-rank")),
        Column::left("name", local.label("column-name")),
        Column::right("price_per_hour", local.label("column-price-hour")),
        Column::right("quantity", format!("{}\n{}", local.label("column-quantity"), body.unit)),
        Column::right("per_unit_hour", local.label("column-per-unit")),
        Column::right("rank_vendor_headline", local.label("column-rank-headline")),
        Column::whole("price_date", local.label("column-price-date")),
        Column::raw("currency"),
    ]);
    for row in &body.rows {
        table.row(vec![
            Cell::new(row.rank, row.rank.to_string()),
            Cell::word(row.name.as_str()),
            amount(local, row.price_per_hour),
            Cell::new(row.quantity, number::significant(local.lang(), row.quantity, 4)),
            Cell::new(row.per_unit_hour.as_f64(), unit_price(local, body, row.per_unit_hour.as_f64())),
            Cell::or_unknown(row.rank_vendor_headline.map(|rank| Cell::new(rank, rank.to_string()))),
            Cell::or_unknown(row.price_date.map(|date| Cell::word(date.to_string()))),
            Cell::raw(body.currency.code()),
        ]);
    }
    table
}

/// Three digits, so that neighbours can be told apart.
pub fn unit_price(local: &Localiser, body: &PerTflopBody, amount: f64) -> String {
    let sign = super::shown_float(local, 0.0, body.currency).trim_end_matches(['0', '.', ',']).to_owned();
    format!("{sign}{}", number::significant(local.lang(), amount, 3))
}
