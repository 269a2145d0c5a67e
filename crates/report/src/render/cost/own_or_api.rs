//! `cost own-or-api`: a month of each way.

use maat_advise::OwnOrApiBody;
use maat_base::{Arg, Money, Text};

use super::amount;
use crate::Localiser;
use crate::render::{Cell, Column, Page, Present, Table};

impl Present for OwnOrApiBody {
    fn blocks(&self, page: &mut Page<'_>) {
        page.gap();
        if let (Some(capacity), Some(machines), Some(share)) =
            (self.capacity_tokens_per_month, self.machines, self.utilisation)
        {
            let text = Text::new("cost-api-capacity")
                .with("capacity", Arg::Number(capacity / 1e6))
                .with("tokens", Arg::Number(self.tokens_per_month / 1e6))
                .with("machines", machines)
                .with("use", Arg::Share(share));
            page.bullet(&text);
        }
        page.table(&ways(page.local, self));
    }

    fn table(&self, local: &Localiser) -> Option<Table> {
        Some(ways(local, self))
    }
}

fn ways(local: &Localiser, body: &OwnOrApiBody) -> Table {
    let mut table = Table::new(vec![
        Column::raw("way"),
        Column::left("", local.label("column-figure")),
        Column::right("per_month", local.label("column-month")),
        Column::right("per_million_tokens", local.label("column-million")),
        Column::raw("currency"),
    ]);
    let million = |month: Option<Money>| month.and_then(|month| month.times(1e6 / body.tokens_per_month));
    for (key, label, month) in [
        ("api", "cost-row-api", Some(body.api.per_month)),
        ("rent", "cost-row-renting", body.rent_per_month),
        ("own", "cost-row-owning", body.own_per_month),
    ] {
        let cell = |money: Option<Money>| Cell::or_unknown(money.map(|money| amount(local, money)));
        table.row(vec![
            Cell::raw(key),
            Cell::word(local.label(label)),
            cell(month),
            cell(million(month)),
            Cell::raw(body.currency.code()),
        ]);
    }
    table
}
