//! The blocks that every answer has.

use maat_base::{Assumed, Finding, Severity, Source, Text, Verdict};

use super::{Page, Tone};
use crate::Localiser;
use crate::argument::clean;

/// The sentence that could be read out over the phone.
pub fn verdict(page: &mut Page<'_>, verdict: &Verdict, findings: &[Finding]) {
    let worst = findings.iter().map(|finding| finding.severity).max();
    let tone = match (verdict.ok, worst) {
        (Some(false), _) => Tone::Bad,
        (None, _) | (_, Some(Severity::Warning | Severity::Error)) => Tone::Warn,
        _ => Tone::Good,
    };
    let sentence = page.local.text(&verdict.text);
    let sentence = page.style.paint(tone, &sentence);
    page.line(&sentence);
}

/// Findings, and observations of each, that a page shows unless all are asked for.
const FINDINGS: usize = 8;
const EVIDENCE: usize = 3;

/// What was found, most severe first as it came.
pub fn findings(page: &mut Page<'_>, findings: &[Finding]) {
    if findings.is_empty() {
        return;
    }
    page.gap();
    let most = if page.style.explain { usize::MAX } else { FINDINGS };
    for finding in findings.iter().take(most) {
        one_finding(page, finding);
    }
    if findings.len() > most {
        let more = page.local.text(&Text::new("findings-more").with("n", findings.len() - most));
        page.wrapped("  ", 2, &more);
    }
}

fn one_finding(page: &mut Page<'_>, finding: &Finding) {
    let (label, tone) = match finding.severity {
        Severity::Error => ("severity-error", Tone::Bad),
        Severity::Warning => ("severity-warning", Tone::Warn),
        Severity::Info => ("severity-info", Tone::Faint),
    };
    let label = page.style.paint(tone, &page.local.label(label));
    let message = page.local.text(&finding.message);
    let subject = clean(&finding.subject);
    let subject = if subject.is_empty() { subject } else { format!("{subject}: ") };
    page.wrapped(&format!("  {label} "), 4, &format!("{subject}{message} [{}]", finding.code));
    if page.style.quiet {
        return;
    }
    let most = match finding.severity {
        _ if page.style.explain => usize::MAX,
        Severity::Info => 0,
        Severity::Warning | Severity::Error => EVIDENCE,
    };
    for evidence in finding.evidence.iter().take(most) {
        let said = evidence.place.is_empty() || evidence.place == finding.subject;
        let place = if said { String::new() } else { format!(" ({})", evidence.place) };
        page.wrapped("      ", 8, &clean(&format!("{} = {}{place}", evidence.what, evidence.value)));
    }
    if let Some(fix) = &finding.fix {
        let fix = page.local.text(fix);
        let label = page.local.label("finding-fix-label");
        page.wrapped("    ", 6, &format!("{label}: {fix}"));
    }
    for command in &finding.commands {
        page.line(&format!("      $ {}", clean(command)));
    }
    if let Some(gain) = &finding.gain {
        let gain = Text::new("finding-gain").with("share", maat_base::Arg::Share(gain.at_most));
        let gain = page.local.text(&gain);
        page.wrapped("    ", 6, &gain);
    }
    if page.style.explain {
        for refutation in &finding.refuted_by {
            let label = page.local.label("finding-refuted-label");
            let refutation = page.local.text(refutation);
            page.wrapped("    ", 6, &format!("{label}: {refutation}"));
        }
    }
}

/// All that nobody gave, in one line.
pub fn assumed(page: &mut Page<'_>, assumed: &[Assumed]) {
    if assumed.is_empty() {
        return;
    }
    page.gap();
    let line = assumed_line(page.local, assumed);
    page.wrapped("", 2, &line);
}

/// "Assumed: 1,024 tokens in, 1 user."
pub fn assumed_line(local: &Localiser, assumed: &[Assumed]) -> String {
    let words: Vec<String> = assumed.iter().map(|one| local.text(&one.text)).collect();
    format!("{}: {}.", local.label("assumed-label"), words.join("; "))
}

/// Commands to try next.
pub fn next(page: &mut Page<'_>, next: &[(Text, String)]) {
    if next.is_empty() {
        return;
    }
    page.heading("next-label");
    for (text, command) in next {
        let text = page.local.text(text);
        page.wrapped("  ", 4, &text);
        if !command.is_empty() {
            page.line(&format!("    {}", clean(command)));
        }
    }
}

/// Why each assumption was made and where figures come from.
pub fn explain(page: &mut Page<'_>, assumed: &[Assumed], sources: &[Source]) {
    if !assumed.is_empty() {
        page.heading("explain-assumed-label");
        for one in assumed {
            let why = page.local.text(&one.why);
            page.wrapped("  ", 4, &format!("{} = {}: {why}", one.name, clean(&one.value.to_string())));
        }
    }
    if !sources.is_empty() {
        page.heading("sources-label");
        for source in sources {
            let words = [source.what.as_str(), source.place.as_str(), source.date.as_str()];
            let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
            page.wrapped("  ", 4, &clean(&format!("[{}] {}", source.tag, words.join(", "))));
        }
    }
}
