//! How an answer is shown: the verdict first, then what its body says, then what was found, assumed and can be done
//! next. One more verb is one file here with `impl Present for …Body`.

mod advise;
mod bar;
mod bench;
mod blocks;
mod catalogue;
mod cost;
mod diagnose;
mod doctor;
mod figures;
mod guide;
mod here;
mod html;
mod kinds;
mod markdown;
mod model;
mod models;
mod page;
mod server;
mod sheet;
mod shell;
mod size;
mod style;
mod table;
pub mod trace;
mod validate;

pub use bar::{Bar, Part};
pub use page::Page;
pub use shell::{command, word};
pub use style::{Format, Style, Tone};
pub use table::{Cell, Column, Table};

use maat_base::{Answer, Finding, Text};
use serde::Serialize;

use crate::{Localiser, json};

/// How the body of a verb's answer is shown.
pub trait Present: Serialize {
    /// The blocks between the verdict and the findings: reasons, pictures, tables.
    fn blocks(&self, page: &mut Page<'_>);

    /// The main table, for `--format csv` and `--format md`.
    fn table(&self, _local: &Localiser) -> Option<Table> {
        None
    }

    /// Further tables for the page in a browser, each with the message that heads it.
    fn tables(&self, _local: &Localiser) -> Vec<(&'static str, Table)> {
        Vec::new()
    }

    /// A workbook with live formulas, for `--format xlsx`.
    fn workbook(&self, _local: &Localiser) -> Option<Vec<u8>> {
        None
    }

    /// Pictures as SVG, for the page in a browser.
    fn pictures(&self, _local: &Localiser) -> Vec<String> {
        Vec::new()
    }

    /// Why the answer is so, the most telling first.
    fn reasons(&self) -> &[Text] {
        &[]
    }

    /// Findings inside the body that the verdict rests on, such as those of the first candidate.
    fn inner_findings(&self) -> &[Finding] {
        &[]
    }

    /// What to do next: what it does and the command to copy.
    fn next(&self) -> Vec<(Text, String)> {
        Vec::new()
    }
}

/// An answer in a format. `None` when the answer has no table to write as CSV.
pub fn present<T: Present>(
    answer: &Answer<T>,
    format: Format,
    local: &Localiser,
    style: &Style,
) -> Option<String> {
    match format {
        Format::Json => Some(format!("{:#}\n", json(local, answer))),
        Format::Table => Some(page(answer, local, style)),
        Format::Csv => answer.body.table(local).map(|table| table.csv()),
        Format::Md => Some(markdown::document(answer, local)),
        Format::Html => Some(html::document(answer, local)),
        Format::Xlsx => None,
    }
}

/// What was found about the answer and about what it puts first, most severe first.
fn all_findings<T: Present>(answer: &Answer<T>) -> Vec<Finding> {
    let mut findings = [answer.body.inner_findings(), answer.findings.as_slice()].concat();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    findings
}

fn page<T: Present>(answer: &Answer<T>, local: &Localiser, style: &Style) -> String {
    let mut page = Page::new(local, style);
    let findings = all_findings(answer);
    blocks::verdict(&mut page, &answer.verdict, &findings);
    answer.body.blocks(&mut page);
    if !style.quiet {
        blocks::findings(&mut page, &findings);
        blocks::assumed(&mut page, &answer.assumed);
        blocks::next(&mut page, &answer.body.next());
        if style.explain {
            blocks::explain(&mut page, &answer.assumed, &answer.sources);
        }
    }
    page.finish()
}
