//! An answer as Markdown, to paste into a ticket.

use std::fmt::Write as _;

use maat_base::Answer;

use super::{Present, Style, blocks, page};
use crate::Localiser;
use crate::argument::clean;

/// Verdict, reasons, main table, findings, what was assumed, what to do next; without a table the page in a code block.
pub fn document<T: Present>(answer: &Answer<T>, local: &Localiser) -> String {
    let Some(table) = answer.body.table(local) else {
        return format!("```text\n{}```\n", page(answer, local, &Style::default()));
    };
    let mut out = format!("**{}**\n\n", local.text(&answer.verdict.text));
    for reason in answer.body.reasons() {
        let _ = writeln!(out, "- {}", local.text(reason));
    }
    let _ = write!(out, "\n{}", table.markdown());
    for finding in &super::all_findings(answer) {
        let message = local.text(&finding.message);
        let _ = write!(out, "\n- `{}` {}: {message}", finding.code, clean(&finding.subject));
        for proof in &finding.evidence {
            let place =
                if proof.place.is_empty() { String::new() } else { format!(" ({})", clean(&proof.place)) };
            let _ = write!(out, "\n    - {} = {}{place}", clean(&proof.what), clean(&proof.value));
        }
        if let Some(fix) = &finding.fix {
            let _ = write!(out, "\n    - {}: {}", local.label("finding-fix-label"), local.text(fix));
        }
        for command in &finding.commands {
            let _ = write!(out, "\n    - `{}`", clean(command));
        }
    }
    if !answer.assumed.is_empty() {
        let _ = write!(out, "\n\n*{}*", blocks::assumed_line(local, &answer.assumed));
    }
    for (text, command) in answer.body.next() {
        let _ = write!(out, "\n\n{}\n\n    {}", local.text(&text), clean(&command));
    }
    out.push('\n');
    out
}
