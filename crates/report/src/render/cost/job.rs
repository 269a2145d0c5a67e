//! `cost job`: a job on one machine or several.

use maat_advise::JobBody;
use maat_base::{Arg, Money, Range};

use super::{amount, shown_float};
use crate::Localiser;
use crate::render::figures::span;
use crate::render::{Cell, Column, Page, Present, Table};

impl Present for JobBody {
    fn blocks(&self, page: &mut Page<'_>) {
        page.table(&rows(page.local, self));
    }

    fn table(&self, local: &Localiser) -> Option<Table> {
        Some(rows(local, self))
    }
}

fn rows(local: &Localiser, body: &JobBody) -> Table {
    let mut table = Table::new(vec![
        Column::right("rank", local.label("column-rank")),
        Column::whole("machine", local.label("column-machine")),
        Column::right("time_s", local.label("column-time")),
        Column::right("rent", local.label("column-rented")),
        Column::right("own", local.label("column-owned")),
        Column::raw("rent_per_hour"),
        Column::raw("currency"),
    ]);
    for row in &body.rows {
        table.row(vec![
            Cell::new(row.rank, row.rank.to_string()),
            Cell::word(row.machine.as_str()),
            time(local, row.time_s),
            cost(local, body, row.rent, row.rent_range),
            cost(local, body, row.own, row.own_range),
            Cell::or_unknown(row.rent_per_hour.map(|money| amount(local, money))),
            Cell::raw(body.currency.code()),
        ]);
    }
    table
}

fn time(local: &Localiser, time: Option<Range>) -> Cell {
    Cell::or_unknown(time.map(|time| {
        let words = format!("({})", span(local, time, Arg::Seconds));
        Cell::new(time.likely, local.arg(&Arg::Seconds(time.likely))).below(&words)
    }))
}

fn cost(local: &Localiser, body: &JobBody, money: Option<Money>, ends: Option<[f64; 2]>) -> Cell {
    Cell::or_unknown(money.map(|money| {
        let cell = amount(local, money);
        match ends {
            Some([low, high]) => {
                let words = [low, high].map(|end| shown_float(local, end, body.currency));
                cell.below(&format!("({} – {})", words[0], words[1]))
            }
            None => cell,
        }
    }))
}
