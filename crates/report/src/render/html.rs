//! An answer as one page for a browser, without scripts or anything from elsewhere.

use std::fmt::Write as _;

use maat_base::{Answer, Evidence, Finding};

use super::{Present, Style, blocks, page};
use crate::Localiser;

const LOOKS: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;\
color:#1a1a1a;background:#fff}table{border-collapse:collapse}th,td{padding:.25rem .6rem;text-align:left;\
border-bottom:1px solid #bbb}.number{text-align:right;font-variant-numeric:tabular-nums}pre{overflow-x:auto}\
@media(prefers-color-scheme:dark){body{color:#eee;background:#16181c}th,td{border-color:#555}}";

/// The page.
pub fn document<T: Present>(answer: &Answer<T>, local: &Localiser) -> String {
    let verdict = escape(&local.text(&answer.verdict.text));
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{verdict}</title>\n\
         <style>{LOOKS}</style>\n</head>\n<body>\n<main>\n<h1>{verdict}</h1>\n",
        local.lang().code(),
    );
    if !answer.body.reasons().is_empty() {
        out.push_str("<ul>\n");
        for reason in answer.body.reasons() {
            let _ = writeln!(out, "<li>{}</li>", escape(&local.text(reason)));
        }
        out.push_str("</ul>\n");
    }
    for picture in answer.body.pictures(local) {
        out.push_str(&picture);
    }
    match answer.body.table(local) {
        Some(table) => {
            out.push_str(&table.html());
            for one in &super::all_findings(answer) {
                finding(&mut out, local, one);
            }
            for (heading, table) in answer.body.tables(local) {
                let _ = write!(out, "<h2>{}</h2>\n{}", escape(&local.label(heading)), table.html());
            }
            if !answer.assumed.is_empty() {
                let _ = writeln!(out, "<p>{}</p>", escape(&blocks::assumed_line(local, &answer.assumed)));
            }
        }
        None => {
            let _ = writeln!(out, "<pre>{}</pre>", escape(&page(answer, local, &Style::default())));
        }
    }
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

/// A finding with what to do about it and what proves it.
fn finding(out: &mut String, local: &Localiser, finding: &Finding) {
    let message = escape(&local.text(&finding.message));
    let _ = write!(out, "<p><code>{}</code> {}: {message}", finding.code, escape(&finding.subject));
    if let Some(fix) = &finding.fix {
        let label = local.label("finding-fix-label");
        let _ = write!(out, "<br>{}: {}", escape(&label), escape(&local.text(fix)));
    }
    for command in &finding.commands {
        let _ = write!(out, "<br><code>{}</code>", escape(command));
    }
    out.push_str("</p>\n");
    if !finding.evidence.is_empty() {
        out.push_str("<ul>\n");
        for Evidence { what, value, place } in &finding.evidence {
            let said = place.is_empty() || *place == finding.subject;
            let place = if said { String::new() } else { format!(" ({})", escape(place)) };
            let _ = writeln!(out, "<li>{} = {}{place}</li>", escape(what), escape(value));
        }
        out.push_str("</ul>\n");
    }
}

/// Text that is not markup.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
