//! `doctor`: the facts that were read, what could not be seen, what to paste next, and which build to install.

use maat_base::Text;
use maat_doctor::{DoctorBody, Install};

use super::{Cell, Column, Page, Present, Table};
use crate::Localiser;

impl Present for DoctorBody {
    fn blocks(&self, page: &mut Page<'_>) {
        if let Some(install) = &self.install {
            build(page, install);
        }
        let facts = facts(self, page.local);
        if !facts.is_empty() && !page.style.quiet && (self.show_facts || page.style.explain) {
            page.heading("doctor-facts-heading");
            page.table(&facts);
        }
        if !self.not_seen.is_empty() && !page.style.quiet {
            page.heading("doctor-not-seen-heading");
            for seen in &self.not_seen {
                let why = page.local.text(&seen.why);
                page.wrapped("  ", 4, &format!("{}: {why}", seen.what));
            }
        }
    }

    fn table(&self, local: &Localiser) -> Option<Table> {
        Some(facts(self, local))
    }

    fn next(&self) -> Vec<(Text, String)> {
        let asked = self.ask.iter().map(|ask| (ask.text.clone(), ask.command.clone()));
        let build =
            self.install.iter().map(|install| (Text::new("doctor-install-heading"), install.command.clone()));
        build.chain(asked).collect()
    }
}

/// One row a key, with the first place where its value stood.
fn facts(body: &DoctorBody, local: &Localiser) -> Table {
    let mut table = Table::new(vec![
        Column::left("fact", local.label("column-fact")),
        Column::left("value", local.label("column-value")),
        Column::left("where", local.label("column-where")),
    ]);
    for (key, value) in &body.facts {
        let read = body.facts_read.iter().find(|fact| fact.key == *key && fact.value == *value);
        let place = read.or_else(|| body.facts_read.iter().find(|fact| fact.key == *key));
        let place = place.map_or("", |fact| fact.place.as_str());
        table.row(vec![Cell::word(*key), Cell::word(value.as_str()), Cell::word(place)]);
    }
    table
}

fn build(page: &mut Page<'_>, install: &Install) {
    page.gap();
    let unknown = "?";
    let driver = Text::new("doctor-install-driver")
        .with("linux", install.driver_min_linux.as_deref().unwrap_or(unknown))
        .with("windows", install.driver_min_windows.as_deref().unwrap_or(unknown));
    page.bullet(&driver);
    if !install.archs.is_empty() {
        page.bullet(&Text::new("doctor-install-archs").with("archs", install.archs.join(", ")));
    }
    if let Some(glibc) = &install.glibc_min {
        page.bullet(&Text::new("doctor-install-glibc").with("glibc", glibc.as_str()));
    }
}
