//! The whole server: what is left of its parts.

use maat_advise::{Comparison, ServerView, Slack};
use maat_base::{Arg, Text};

use super::{Cell, Column, Page, Table};
use crate::Localiser;

/// What competes with each other: what was asked for always, the rest with `--explain`.
pub fn comparisons(page: &mut Page<'_>, all: &[Comparison]) {
    let told =
        |one: &&Comparison| page.style.explain || matches!(one.what, "slices_or_card" | "mixed_or_alone");
    let texts: Vec<Text> = all.iter().filter(told).map(|one| one.text.clone()).collect();
    page.bullets(&texts);
}

/// The scarce part in a sentence, until when it will do, and with `--explain` what is left of every part.
pub fn server(page: &mut Page<'_>, view: Option<&ServerView>) {
    let Some(view) = view else { return };
    page.bullet(&view.text);
    page.bullets(view.until.as_slice());
    if page.style.explain {
        page.heading("server-slack-label");
        let table = slack(page.local, view);
        page.table(&table);
    }
}

fn slack(local: &Localiser, view: &ServerView) -> Table {
    let mut table = Table::new(vec![
        Column::left("part", local.label("column-part")),
        Column::right("share", local.label("column-left")),
        Column::right("need", local.label("column-needed")),
        Column::right("have", local.label("column-there")),
    ]);
    for part in &view.slack {
        let name = Text::named(format!("server-part-{}", part.part.replace('_', "-")));
        let share = part.share.map(|share| Cell::new(share, local.arg(&Arg::Share(share))));
        table.row(vec![
            Cell::new(part.part, local.text(&name)),
            Cell::or_unknown(share),
            amount(local, part, part.need),
            amount(local, part, part.have),
        ]);
    }
    table
}

/// An amount in the part's unit.
fn amount(local: &Localiser, part: &Slack, value: Option<f64>) -> Cell {
    Cell::or_unknown(value.map(|value| {
        let arg = match part.unit {
            "bytes" => Arg::Bytes(value as u64),
            "bytes/s" => Arg::BytesPerSecond(value),
            "W" => Arg::Watts(value),
            "s" => Arg::Seconds(value),
            "tokens/s" => Arg::TokensPerSecond(value),
            _ => Arg::Number(value),
        };
        Cell::new(value, local.arg(&arg))
    }))
}
