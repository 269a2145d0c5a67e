//! `guide`: claim by claim what it is, why, and the command that shows it; or the checklist.

use maat_guide::{Checked, ClaimView, GuideBody, Judgement};

use super::{Cell, Column, Page, Present, Table, Tone};
use crate::Localiser;

/// Figures of a claim that a page shows unless all are asked for.
const FIGURES: usize = 2;

impl Present for GuideBody {
    fn blocks(&self, page: &mut Page<'_>) {
        for claim in &self.claims {
            one(page, claim);
        }
        for checked in &self.checklist {
            question(page, checked);
        }
    }

    fn table(&self, local: &Localiser) -> Option<Table> {
        (!self.claims.is_empty()).then(|| table(local, self))
    }
}

fn one(page: &mut Page<'_>, claim: &ClaimView) {
    page.gap();
    let tone = match claim.verdict {
        Judgement::Right => Tone::Good,
        Judgement::Wrong => Tone::Bad,
        _ => Tone::Warn,
    };
    let verdict = page.local.label(&format!("guide-verdict-{}", claim.verdict.name()));
    let verdict = page.style.paint(tone, &verdict);
    let statement = page.local.text(&claim.statement);
    page.wrapped(&format!("{} {verdict}: ", claim.id), 5, &statement);
    if let Some(why) = &claim.why {
        let why = page.local.text(why);
        page.wrapped("    ", 5, &why);
    }
    let figures = claim.computed.as_deref().unwrap_or_default();
    let most = match (page.style.explain, page.style.quiet) {
        (true, _) => usize::MAX,
        (false, true) => 0,
        (false, false) => FIGURES,
    };
    // What does not hold is what a reader wants to see first.
    let mut ordered: Vec<_> = figures.iter().collect();
    ordered.sort_by_key(|figure| figure.holds);
    for figure in ordered.into_iter().take(most) {
        let text = page.local.text(&figure.text);
        page.wrapped("      ", 8, &text);
        page.line(&format!("        {}", figure.command));
    }
    if page.style.explain && !claim.source.is_empty() {
        let source = format!("{}: {}", page.local.label("column-source"), claim.source);
        page.wrapped("      ", 8, &crate::argument::clean(&source));
    }
}

fn question(page: &mut Page<'_>, checked: &Checked) {
    page.gap();
    let question = page.local.text(&checked.question);
    let given = page.local.text(&checked.given);
    page.wrapped("", 2, &format!("{question} {given}"));
    let answer = page.local.text(&checked.answer);
    page.wrapped("    ", 4, &answer);
    page.line(&format!("      {}", checked.command));
}

fn table(local: &Localiser, body: &GuideBody) -> Table {
    let mut table = Table::new(vec![
        Column::whole("id", local.label("column-claim")),
        Column::whole("verdict", local.label("column-verdict")),
        Column::left("statement", local.label("column-statement")),
        Column::left("why", local.label("column-why")),
        Column::raw("basis"),
        Column::raw("command"),
        Column::raw("source"),
    ]);
    for claim in &body.claims {
        let first = claim.computed.as_deref().and_then(<[_]>::first);
        table.row(vec![
            Cell::word(claim.id.as_str()),
            Cell::new(claim.verdict.name(), local.label(&format!("guide-verdict-{}", claim.verdict.name()))),
            Cell::word(local.text(&claim.statement)),
            Cell::or_unknown(claim.why.as_ref().map(|why| Cell::word(local.text(why)))),
            Cell::raw(claim.basis),
            Cell::or_unknown(first.map(|first| Cell::raw(first.command.as_str()))),
            Cell::raw(claim.source.as_str()),
        ]);
    }
    table
}
