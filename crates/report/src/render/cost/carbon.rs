//! `cost carbon`.

use maat_economics::CarbonBody;

use crate::render::{Cell, Column, Page, Present, Table};
use crate::{Localiser, number};

impl Present for CarbonBody {
    fn blocks(&self, page: &mut Page<'_>) {
        page.table(&figures(page.local, self));
    }

    fn table(&self, local: &Localiser) -> Option<Table> {
        Some(figures(local, self))
    }
}

fn figures(local: &Localiser, body: &CarbonBody) -> Table {
    let mut table = Table::new(vec![
        Column::raw("figure"),
        Column::left("", local.label("column-figure")),
        Column::right("kgco2e", local.label("column-carbon")),
    ]);
    let mut row = |key: &str, label: &str, kilograms: Option<f64>| {
        let shown = |value: f64| {
            let decimals = if value.abs() >= 100.0 { 0 } else { 2 };
            number::fixed(local.lang(), value, decimals)
        };
        let cell = Cell::or_unknown(kilograms.map(|value| Cell::new(value, shown(value))));
        table.row(vec![Cell::raw(key), Cell::word(local.label(label)), cell]);
    };
    row("operation_kgco2e_per_year", "cost-row-operation", Some(body.operation_kgco2e_per_year));
    row("embodied_kgco2e", "cost-row-embodied", body.embodied_kgco2e);
    row("total_kgco2e", "cost-row-emitted", Some(body.total_kgco2e));
    row("per_used_hour_kgco2e", "cost-row-per-hour-used", Some(body.per_used_hour_kgco2e));
    table
}
