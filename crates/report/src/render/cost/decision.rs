//! `cost wait`, `cost replace`, `cost commit`: the ways beside each other.

use maat_economics::DecisionBody;

use super::{amount, shown_float};
use crate::Localiser;
use crate::render::{Cell, Column, Page, Present, Table};

impl Present for DecisionBody {
    fn blocks(&self, page: &mut Page<'_>) {
        if let Some(turn) = &self.turns {
            page.gap();
            page.bullet(&turn.text);
        }
        page.table(&ways(page.local, self));
    }

    fn table(&self, local: &Localiser) -> Option<Table> {
        Some(ways(local, self))
    }
}

fn ways(local: &Localiser, body: &DecisionBody) -> Table {
    let mut table = Table::new(vec![
        Column::raw("way"),
        Column::left("", local.label("column-way")),
        Column::right("total", local.label("column-total")),
        Column::right("low", local.label("cost-row-range")),
        Column::raw("currency"),
    ]);
    for way in &body.ways {
        let range = match way.range {
            [Some(low), Some(high)] => {
                let words = [low, high].map(|end| shown_float(local, end, body.currency));
                Cell::new(low, format!("{} – {}", words[0], words[1]))
            }
            _ => Cell::unknown(),
        };
        table.row(vec![
            Cell::raw(way.way),
            Cell::word(local.label(&format!("decide-way-{}", way.way))),
            amount(local, way.total),
            range,
            Cell::raw(body.currency.code()),
        ]);
    }
    table
}
