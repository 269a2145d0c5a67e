//! `catalogue lint`: what was checked; what was found is shown as every finding is.

use maat_catalogue::LintBody;

use crate::render::{Cell, Column, Page, Present, Table};
use crate::{Localiser, number};

impl Present for LintBody {
    fn blocks(&self, page: &mut Page<'_>) {
        if page.style.explain
            && let Some(table) = self.table(page.local)
        {
            page.table(&table);
        }
    }

    fn table(&self, local: &Localiser) -> Option<Table> {
        let mut table = Table::new(vec![
            Column::left("table", local.label("column-table")),
            Column::right("rows", local.label("column-rows")),
        ]);
        for checked in &self.tables {
            let rows = number::whole(local.lang(), checked.rows as u64);
            table.row(vec![Cell::word(checked.table), Cell::new(checked.rows, rows)]);
        }
        Some(table)
    }
}
