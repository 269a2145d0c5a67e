//! Rules that are rows of `facts/doctor/rules.csv`.
//!
//! `when` is what must all be there, divided by ` & `; each part is a choice divided by `|`. `unless` is a choice that
//! refutes. A term is a sign, `@key` for a fact that is there, or `@key=value`.

use std::sync::LazyLock;

use maat_readings::Key;
use serde::Deserialize;

use super::Hit;
use crate::case::Case;
use crate::codes;

const ROWS: &str = include_str!("../../../../facts/doctor/rules.csv");

#[derive(Debug, Deserialize)]
struct Raw {
    code: String,
    when: String,
    unless: String,
    evidence: String,
    commands: String,
}

/// A rule that is data.
#[derive(Debug)]
pub struct Row {
    /// The code that it gives.
    pub code: String,
    /// What must all be there, each as a choice of terms.
    pub when: Vec<Vec<Term>>,
    /// What refutes it.
    pub unless: Vec<Term>,
    evidence: Vec<Key>,
    commands: Vec<String>,
}

/// Something that is there or not.
#[derive(Debug, PartialEq, Eq)]
pub enum Term {
    /// A sign was seen.
    Sign(String),
    /// A fact is known.
    Known(Key),
    /// A fact has a value.
    Equals(Key, String),
}

static TABLE: LazyLock<Vec<Row>> = LazyLock::new(|| parse(ROWS).unwrap_or_default());

/// All rows.
pub fn rows() -> &'static [Row] {
    &TABLE
}

/// Reads rows; says which one is wrong.
pub fn parse(text: &str) -> Result<Vec<Row>, String> {
    let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(text.as_bytes());
    reader
        .deserialize::<Raw>()
        .map(|raw| {
            let raw = raw.map_err(|error| error.to_string())?;
            let evidence = raw.evidence.split_whitespace().map(key).collect::<Result<_, _>>()?;
            let when = raw.when.split(" & ").map(choice).collect::<Result<_, _>>()?;
            let commands = raw.commands.split(" ; ").filter(|c| !c.is_empty()).map(str::to_owned).collect();
            Ok(Row { unless: choice(&raw.unless)?, code: raw.code, when, evidence, commands })
        })
        .collect()
}

fn choice(text: &str) -> Result<Vec<Term>, String> {
    text.split('|').map(str::trim).filter(|term| !term.is_empty()).map(term).collect()
}

fn term(text: &str) -> Result<Term, String> {
    match text.strip_prefix('@') {
        None => Ok(Term::Sign(text.to_owned())),
        Some(rest) => match rest.split_once('=') {
            None => Ok(Term::Known(key(rest)?)),
            Some((name, value)) => Ok(Term::Equals(key(name)?, value.to_owned())),
        },
    }
}

fn key(name: &str) -> Result<Key, String> {
    Key::ALL.iter().copied().find(|key| key.name() == name).ok_or_else(|| format!("`{name}` is no key"))
}

impl Term {
    fn holds(&self, case: &Case) -> bool {
        match self {
            Self::Sign(sign) => case.has(sign),
            Self::Known(key) => case.fact(*key).is_some(),
            Self::Equals(key, value) => case.value(*key) == Some(value),
        }
    }
}

/// What the rows find in a case.
pub fn judge(case: &Case) -> Vec<Hit> {
    rows().iter().filter_map(|row| row.judge(case)).collect()
}

impl Row {
    fn judge(&'static self, case: &Case) -> Option<Hit> {
        let holds = |terms: &Vec<Term>| terms.iter().any(|term| term.holds(case));
        if !self.when.iter().all(holds) || holds(&self.unless) {
            return None;
        }
        let mut finding = codes::finding(&self.code);
        for choice in &self.when {
            for sign in choice.iter().filter_map(Term::sign).filter(|sign| case.has(sign)).take(1) {
                finding = case.show(finding, &[sign]);
            }
        }
        finding = case.prove(finding, &self.evidence);
        finding.commands.clone_from(&self.commands);
        if self.code == "jax-cpu-build" {
            finding.commands.extend(super::cpu_build::jax_command(case));
        }
        Some(Hit::proven(finding))
    }
}

impl Term {
    fn sign(&self) -> Option<&str> {
        match self {
            Self::Sign(sign) => Some(sign),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A misspelt sign would never be seen, and its rule never fire.
    #[test]
    fn every_row_parses_and_every_sign_exists() {
        let known: Vec<&str> =
            maat_readings::stack::lines::rows().iter().map(|row| row.sign.as_str()).collect();
        let rows = parse(ROWS).unwrap();
        assert!(rows.len() > 20);
        for row in &rows {
            assert!(codes::code(&row.code).is_some(), "{} is no code", row.code);
            let terms = row.when.iter().flatten().chain(&row.unless);
            for sign in terms.filter_map(Term::sign) {
                let of_reader = maat_readings::stack::SIGNS_OF_READERS.contains(&sign);
                assert!(known.contains(&sign) || of_reader, "{}: nothing gives the sign {sign}", row.code);
            }
        }
    }
}
