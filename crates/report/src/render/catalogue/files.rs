//! `catalogue export`: the files, one after another.

use maat_base::Text;
use maat_catalogue::ExportBody;

use crate::render::{Cell, Column, Page, Present, Table, command};
use crate::{Localiser, number};

impl Present for ExportBody {
    fn blocks(&self, page: &mut Page<'_>) {
        match self.files.as_slice() {
            [file] => {
                page.gap();
                file.text.lines().for_each(|line| page.foreign(line));
            }
            _ => {
                if let Some(table) = self.table(page.local) {
                    page.table(&table);
                }
            }
        }
    }

    fn table(&self, local: &Localiser) -> Option<Table> {
        let mut table = Table::new(vec![
            Column::left("path", local.label("column-file")),
            Column::right("rows", local.label("column-rows")),
        ]);
        for file in &self.files {
            let rows = file.text.lines().count().saturating_sub(1);
            table.row(vec![
                Cell::word(file.path.as_str()),
                Cell::new(rows, number::whole(local.lang(), rows as u64)),
            ]);
        }
        Some(table)
    }

    fn next(&self) -> Vec<(Text, String)> {
        match self.files.as_slice() {
            [first, _, ..] => {
                vec![(
                    Text::new("export-next-one"),
                    command(["maat", "catalogue", "export", first.path.as_str(), "-q"]),
                )]
            }
            _ => Vec::new(),
        }
    }
}
