//! Files of facts.

use std::collections::BTreeSet;

use super::tree::Tree;

/// Every file under facts/ is named by a source: compiled in, or read by a test.
pub fn registered(tree: &Tree) -> Vec<String> {
    let facts = tree.files.iter().filter_map(|file| file.path.strip_prefix("facts/"));
    facts
        .filter(|path| std::path::Path::new(path).extension().is_none_or(|extension| extension != "md"))
        .filter(|path| {
            let quoted = format!("\"{path}\"");
            let below = format!("facts/{path}");
            !tree.sources().any(|source| source.text.contains(&quoted) || source.text.contains(&below))
        })
        .map(|path| format!("facts/{path} is named by no source"))
        .collect()
}

/// Codes are well formed and stand there once; severities are the three that there are.
pub fn findings(tree: &Tree) -> Vec<String> {
    let mut rows = tree.text("facts/findings.csv").lines().enumerate();
    let mut faults = Vec::new();
    if rows.next().is_none_or(|(_, header)| header != "code,verb,severity,meaning") {
        faults.push("facts/findings.csv: the header is not code,verb,severity,meaning".to_owned());
    }
    let mut seen = BTreeSet::new();
    for (place, row) in rows {
        let fields: Vec<&str> = row.splitn(4, ',').collect();
        let place = format!("facts/findings.csv:{}", place + 1);
        let [code, verb, severity, meaning] = fields.as_slice() else {
            faults.push(format!("{place}: not four fields"));
            continue;
        };
        if code.is_empty() || !code.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        {
            faults.push(format!("{place}: {code} is not of a-z, 0-9 and -"));
        }
        if !seen.insert(*code) {
            faults.push(format!("{place}: {code} stands there twice"));
        }
        if !["error", "warning", "info"].contains(severity) {
            faults.push(format!("{place}: {severity} is no severity"));
        }
        if verb.is_empty() || meaning.is_empty() {
            faults.push(format!("{place}: a field is empty"));
        }
    }
    faults
}
