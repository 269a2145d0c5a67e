//! `catalogue lint`: what in the facts is contradictory, impossible, old or without a source.
//!
//! One file a subject; a rule is a function from [`Facts`] to findings, and one line in [`RULES`].

mod claims;
mod names;
mod offers;
mod prices;
mod recompute;
mod rows;
mod values;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use maat_base::{Answer, Date, Fault, Finding, Severity, Text, Verdict};
use serde::{Deserialize, Serialize};

use crate::catalogue::Catalogue;
use crate::facts;
use crate::terms::Terms;

/// The rules.
#[rustfmt::skip] // one a line, so that additions do not collide
const RULES: &[fn(&Facts<'_>) -> Vec<Finding>] = &[
    rows::unreadable,
    rows::duplicate_identifiers,
    rows::unknown_parts,
    rows::unknown_sources,
    names::clashes,
    recompute::rates,
    recompute::bandwidths,
    recompute::cpu_bandwidths,
    values::memory,
    values::slices,
    values::impossible,
    values::released_ahead,
    claims::contradictions,
    claims::two_preferred,
    offers::spot_above_on_demand,
    offers::memory,
    offers::duplicates,
    offers::inconsistent,
    prices::undated,
    prices::without_source,
    prices::stale,
];

/// What a rule looks at.
struct Facts<'a> {
    /// The tables.
    catalogue: &'a Catalogue,
    /// The day that ages are counted to.
    day: Option<Date>,
}

/// Checks the facts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct LintRequest {
    /// A folder with the layout of facts/ to check instead of the built-in facts
    #[cfg_attr(feature = "clap", arg(long, value_name = "DIR"))]
    pub data: Option<PathBuf>,
}

/// What was checked and how much was found.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct LintBody {
    /// The folder, when it was not the built-in facts.
    pub data: Option<String>,
    /// Rows of each table.
    pub tables: Vec<CheckedTable>,
    /// Findings that are errors.
    pub errors: usize,
    /// Findings that are warnings.
    pub warnings: usize,
    /// Findings that are only good to know.
    pub infos: usize,
}

/// A table with its rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CheckedTable {
    /// Name of the table.
    pub table: &'static str,
    /// Rows that could be read.
    pub rows: usize,
}

/// Checks the catalogue, or a folder of the same layout: its names resolve as laid over the built-in facts, and only
/// what is found in the folder's own files is reported.
///
/// # Errors
/// Those of [`Catalogue::of_folder`] on folders and files.
pub fn lint(request: &LintRequest, catalogue: &Catalogue, terms: &Terms) -> Result<Answer<LintBody>, Fault> {
    let Some(folder) = &request.data else {
        let findings = run(&Facts { catalogue, day: terms.day(catalogue) });
        return Ok(answer(findings, catalogue, None));
    };
    let own = Catalogue::of_folder(folder)?;
    let laid = Catalogue::of_files(facts::laid_over(facts::builtin(), own.files().to_vec()));
    let day = terms.as_of.or_else(|| catalogue.as_of().max(own.as_of()));
    let paths: HashSet<&str> = own.files().iter().map(|file| file.path.as_ref()).collect();
    let mut findings = run(&Facts { catalogue: &laid, day });
    findings
        .retain(|finding| finding.evidence.iter().any(|evidence| paths.contains(path_of(&evidence.place))));
    Ok(answer(findings, &own, Some(folder)))
}

/// The path of `path:line`.
fn path_of(place: &str) -> &str {
    place.rsplit_once(':').map_or(place, |(path, _)| path)
}

fn run(facts: &Facts<'_>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = RULES.iter().flat_map(|rule| rule(facts)).collect();
    let place = |finding: &Finding| finding.evidence.first().map(|evidence| evidence.place.clone());
    findings.sort_by(|a, b| {
        let severity = b.severity.cmp(&a.severity);
        severity.then_with(|| a.code.cmp(&b.code)).then_with(|| place(a).cmp(&place(b)))
    });
    findings
}

fn answer(findings: Vec<Finding>, checked: &Catalogue, folder: Option<&Path>) -> Answer<LintBody> {
    let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    let body = LintBody {
        data: folder.map(|folder| folder.display().to_string()),
        tables: tables(checked),
        errors: count(Severity::Error),
        warnings: count(Severity::Warning),
        infos: count(Severity::Info),
    };
    let worst = findings.first().filter(|finding| finding.severity != Severity::Info);
    let code = worst.map_or("healthy".into(), |finding| finding.code.clone());
    let text = match worst {
        None => Text::new("verdict-lint-clean").with("infos", body.infos),
        Some(_) => Text::new("verdict-lint").with("errors", body.errors).with("warnings", body.warnings),
    };
    let verdict = Verdict { ok: Some(body.errors == 0), code, text };
    let mut answer = Answer::new("catalogue lint", verdict, body);
    answer.findings = findings;
    answer
}

fn tables(catalogue: &Catalogue) -> Vec<CheckedTable> {
    [
        ("accelerators", catalogue.accelerators().len()),
        ("rates", catalogue.rates().len()),
        ("aliases", catalogue.accelerator_names().aliases.len()),
        ("cpus", catalogue.cpus().len()),
        ("servers", catalogue.servers().len()),
        ("links", catalogue.links().len()),
        ("mig", catalogue.mig_profiles().len()),
        ("claims", catalogue.claims().len()),
        ("offers", catalogue.offers().len()),
        ("purchase", catalogue.purchase_prices().len()),
        ("tariffs", catalogue.tariffs().len()),
        ("grid", catalogue.grid_carbon().len()),
        ("sources", catalogue.sources().len()),
    ]
    .into_iter()
    .map(|(table, rows)| CheckedTable { table, rows })
    .collect()
}

/// One finding for each file, of rows that share a fault: the first rows as evidence, the number in the message.
fn by_file(
    code: &'static str,
    severity: Severity,
    what: &str,
    rows: impl IntoIterator<Item = (String, String)>,
) -> Vec<Finding> {
    /// Rows of a file that are named.
    const NAMED: usize = 5;
    let mut files: Vec<(String, Vec<(String, String)>)> = Vec::new();
    for (place, value) in rows {
        let path = path_of(&place).to_owned();
        match files.iter_mut().find(|(known, _)| *known == path) {
            Some((_, rows)) => rows.push((place, value)),
            None => files.push((path, vec![(place, value)])),
        }
    }
    files
        .into_iter()
        .map(|(path, rows)| {
            let finding = Finding::new(code, severity, path).with("n", rows.len());
            rows.into_iter()
                .take(NAMED)
                .fold(finding, |finding, (place, value)| finding.because(what, value, place))
        })
        .collect()
}

#[cfg(test)]
mod tests;
