//! Errors of rows by a fit that saw none of their group: whole models, whole machines.

use std::collections::BTreeMap;

use maat_estimate::Rules;

use super::Fit;
use crate::case::Case;
use crate::predict;

/// Parts that the groups are dealt into; each is left out once.
const FOLDS: usize = 12;

/// What is left out together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeftOut {
    /// All rows of a model.
    Models,
    /// All rows of a machine.
    Machines,
}

impl LeftOut {
    fn of(self, case: &Case) -> &str {
        match self {
            Self::Models => &case.opened.id,
            Self::Machines => &case.hardware,
        }
    }
}

/// How a row that was left out was predicted.
#[derive(Clone, Copy, Debug)]
pub struct Refit {
    /// `ln(predicted / measured)` of the quantity.
    pub error: f64,
    /// Whether the class still had rows.
    pub seen: bool,
}

/// Errors of cases, each by a fit from the priors that saw nothing of its group: cross-validation with whole groups.
pub fn leave_out(cases: &[&Case], rules: &Rules, what: LeftOut) -> Vec<Option<Refit>> {
    let folds = folds(cases.iter().map(|case| what.of(case)));
    let mut errors = vec![None; cases.len()];
    for fold in 0..FOLDS {
        let is_left = |case: &Case| folds[what.of(case)] == fold;
        let rest: Vec<&Case> = cases.iter().copied().filter(|case| !is_left(case)).collect();
        if rest.len() == cases.len() {
            continue;
        }
        let mut own = rules.clone();
        let mut fit = Fit::new(&rest, &own);
        fit.run(&mut own);
        fit.mark(&mut own);
        for (case, error) in cases.iter().zip(&mut errors).filter(|(case, _)| is_left(case)) {
            *error = predict::error(case, &own).map(|error| Refit { error, seen: predict::seen(case, &own) });
        }
    }
    errors
}

/// Deals groups into folds, the largest first, each to the fold with the fewest rows.
fn folds<'a>(groups: impl Iterator<Item = &'a str>) -> BTreeMap<&'a str, usize> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for group in groups {
        *counts.entry(group).or_default() += 1;
    }
    let mut sizes: Vec<(&str, usize)> = counts.into_iter().collect();
    sizes.sort_by_key(|(name, rows)| (std::cmp::Reverse(*rows), *name));
    let mut rows = [0; FOLDS];
    let mut dealt = BTreeMap::new();
    for (name, size) in sizes {
        let fold = (0..FOLDS).min_by_key(|&fold| rows[fold]).unwrap_or(0);
        rows[fold] += size;
        dealt.insert(name, fold);
    }
    dealt
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A group lies in one fold, and folds hold about as many rows each.
    #[test]
    fn groups_stay_together() {
        let names: Vec<String> = (0..40).map(|n| format!("group {n}")).collect();
        let rows = names.iter().enumerate().flat_map(|(n, name)| vec![name.as_str(); 1 + n]);
        let dealt = folds(rows);
        assert_eq!(dealt.len(), 40);
        let size = |fold: usize| -> usize {
            names
                .iter()
                .enumerate()
                .filter(|(_, name)| dealt[name.as_str()] == fold)
                .map(|(n, _)| 1 + n)
                .sum()
        };
        let sizes: Vec<usize> = (0..FOLDS).map(size).collect();
        assert!(sizes.iter().all(|&rows| (60..=80).contains(&rows)), "{sizes:?}");
    }
}
