//! `catalogue import`: what is kept of a price list, provider by provider.

use maat_base::Text;
use maat_catalogue::ImportBody;

use crate::render::{Cell, Column, Page, Present, Table, command};
use crate::{Localiser, number};

impl Present for ImportBody {
    fn blocks(&self, page: &mut Page<'_>) {
        page.table(&providers(page.local, self));
    }

    fn table(&self, local: &Localiser) -> Option<Table> {
        Some(providers(local, self))
    }

    fn next(&self) -> Vec<(Text, String)> {
        if self.dry_run {
            return Vec::new();
        }
        vec![(Text::new("import-next-offers"), command(["maat", "catalogue", "offers"]))]
    }
}

fn providers(local: &Localiser, body: &ImportBody) -> Table {
    let mut table = Table::new(vec![
        Column::left("provider", local.label("column-provider")),
        Column::right("kept", local.label("column-import-kept")),
        Column::right("skipped", local.label("column-import-skipped")),
        Column::left("file", local.label("column-import-file")),
    ]);
    let whole = |n: usize| Cell::new(n, number::whole(local.lang(), n as u64));
    for provider in &body.providers {
        table.row(vec![
            Cell::word(provider.provider.as_str()),
            whole(provider.kept),
            whole(provider.skipped),
            Cell::or_unknown(provider.file.as_deref().map(Cell::word)),
        ]);
    }
    table
}
