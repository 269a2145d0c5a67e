//! `cost electricity`.

use maat_base::{Arg, Money};
use maat_economics::ElectricityBody;

use super::amount;
use crate::render::{Cell, Column, Page, Present, Table};
use crate::{Localiser, number};

impl Present for ElectricityBody {
    fn blocks(&self, page: &mut Page<'_>) {
        page.table(&figures(page.local, self));
    }

    fn table(&self, local: &Localiser) -> Option<Table> {
        Some(figures(local, self))
    }
}

fn figures(local: &Localiser, body: &ElectricityBody) -> Table {
    let mut table = Table::new(vec![
        Column::raw("figure"),
        Column::left("", local.label("column-figure")),
        Column::right("value", local.label("column-value")),
    ]);
    let mut row = |key: &str, label: &str, cell: Cell| {
        table.row(vec![Cell::raw(key), Cell::word(local.label(label)), cell]);
    };
    let money = |money: Money| amount(local, money);
    row("per_year", "cost-row-year", money(body.per_year));
    row(
        "kwh_per_year",
        "cost-row-kwh",
        Cell::new(body.kwh_per_year, number::fixed(local.lang(), body.kwh_per_year, 0)),
    );
    row("per_used_hour", "cost-row-hour", money(body.per_used_hour));
    row("per_hour", "cost-row-mean-hour", money(body.per_hour));
    row("per_kwh", "cost-row-price-kwh", money(body.per_kwh));
    row("power_w", "cost-row-power", Cell::new(body.power_w, local.arg(&Arg::Watts(body.power_w))));
    table
}
