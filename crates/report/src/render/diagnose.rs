//! `diagnose`: what was read, how sure each finding is, what to run next.

use maat_base::Text;
use maat_diagnose::{Confidence, DiagnoseBody, ReadFile};

use super::{Cell, Column, Page, Present, Table, command, trace};
use crate::{Localiser, argument, number};

/// Files that are named one by one; of more only the count would help.
const FILES_SHOWN: usize = 12;

impl Present for DiagnoseBody {
    fn blocks(&self, page: &mut Page<'_>) {
        if page.style.quiet {
            return;
        }
        page.gap();
        let label = page.local.label("diagnose-files-label");
        let mut words: Vec<String> =
            self.files.iter().take(FILES_SHOWN).map(|file| one_file(page.local, file)).collect();
        if self.files.len() > FILES_SHOWN {
            words.push(format!("… ({})", self.files.len()));
        }
        page.wrapped("", 2, &format!("{label} {}", words.join("; ")));
        if let Some(diff) = &self.traces.diff {
            trace::difference(page, diff);
        }
        if let Some(shown) = &self.traces.trace {
            trace::blocks(page, shown, self.traces.comparison.as_ref(), &self.traces.after_first);
        }
    }

    fn table(&self, local: &Localiser) -> Option<Table> {
        Some(causes(local, self))
    }

    fn pictures(&self, local: &Localiser) -> Vec<String> {
        let (shown, diff) = (self.traces.trace.as_ref(), self.traces.diff.as_ref());
        shown.map(|shown| trace::all_pictures(local, shown, diff)).unwrap_or_default()
    }

    fn tables(&self, local: &Localiser) -> Vec<(&'static str, Table)> {
        let (shown, diff) = (self.traces.trace.as_ref(), self.traces.diff.as_ref());
        shown.map(|shown| trace::all_tables(local, shown, diff)).unwrap_or_default()
    }

    fn next(&self) -> Vec<(Text, String)> {
        let mut next: Vec<(Text, String)> =
            self.ask.iter().map(|ask| (ask.text.clone(), ask.command.clone())).collect();
        if next.is_empty() && self.causes.iter().any(|cause| cause.code == "wrong-device") {
            next.push((Text::new("diagnose-next-doctor"), command(["maat", "doctor"])));
        }
        next
    }
}

fn one_file(local: &Localiser, file: &ReadFile) -> String {
    let kinds = if file.kinds.is_empty() || file.items == 0 {
        local.label("diagnose-file-unknown")
    } else {
        let mut kinds = file.kinds.clone();
        kinds.sort_unstable();
        kinds.dedup();
        kinds.join(", ")
    };
    format!("{} ({kinds})", argument::clean(&file.name))
}

fn causes(local: &Localiser, body: &DiagnoseBody) -> Table {
    let mut table = Table::new(vec![
        Column::left("code", local.label("diagnose-column-code")),
        Column::left("confidence", local.label("diagnose-column-confidence")),
        Column::right("signals", local.label("diagnose-column-signals")),
    ]);
    for cause in &body.causes {
        let (word, label) = match cause.confidence {
            Confidence::High => ("high", "diagnose-confidence-high"),
            Confidence::Likely => ("likely", "diagnose-confidence-likely"),
        };
        table.row(vec![
            Cell::word(cause.code.as_str()),
            Cell::new(word, local.label(label)),
            Cell::new(cause.signals as u64, number::whole(local.lang(), cause.signals as u64)),
        ]);
    }
    table
}
