//! Errors of rows by a fit that saw none of their group: whole models, whole machines.

use std::collections::BTreeSet;
use std::sync::Arc;

use maat_estimate::Rules;

use super::{Fit, solve};
use crate::case::Case;
use crate::predict;

/// What is left out together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LeftOut {
    /// All rows of a model.
    Models,
    /// All rows of a machine.
    Machines,
}

impl LeftOut {
    fn of(self, case: &Case) -> Arc<str> {
        match self {
            Self::Models => case.opened.id.clone(),
            Self::Machines => case.hardware.as_str().into(),
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

/// Errors of cases, each by a fit without its group: from the whole fit's place two steps of Gauss and Newton without
/// the group's rows, whose pull leads to the priors and not to what the group said.
pub fn leave_out(fit: &Fit, cases: &[&Case], rules: &Rules, what: LeftOut) -> Vec<Option<Refit>> {
    let groups: BTreeSet<Arc<str>> = cases.iter().map(|case| what.of(case)).collect();
    let mut errors = vec![None; cases.len()];
    let mut base = rules.clone();
    fit.set(&fit.x, &mut base);
    let here = fit.residuals(&base);
    let columns = fit.columns(&here, &base);
    for group in groups {
        let rules = without(fit, &here, &columns, &base, |case| what.of(case) == group);
        for (case, error) in cases.iter().zip(&mut errors).filter(|(case, _)| what.of(case) == group) {
            *error =
                predict::error(case, &rules).map(|error| Refit { error, seen: predict::seen(case, &rules) });
        }
    }
    errors
}

/// The rules of a fit without some rows.
fn without(
    fit: &Fit,
    here: &[f64],
    columns: &[Vec<(u32, f64)>],
    base: &Rules,
    left: impl Fn(&Case) -> bool,
) -> Rules {
    let gone: Vec<bool> = fit.cases.iter().map(|case| left(case)).collect();
    if !gone.contains(&true) {
        return base.clone();
    }
    let mut own = Fit { touched: kept(&fit.touched, &gone), ..fit.copy() };
    let mut rules = base.clone();
    let mut here = here.to_vec();
    let mut columns: Vec<Vec<(u32, f64)>> = columns
        .iter()
        .map(|column| column.iter().copied().filter(|(row, _)| !gone[*row as usize]).collect())
        .collect();
    for round in 0..2 {
        if round > 0 {
            here = fit.residuals(&rules);
            columns = own.columns(&here, &rules);
        }
        // What no other row tells about goes to its prior.
        for (at, p) in own.parameters.iter().enumerate() {
            if own.touched[at].is_empty() && !fit.touched[at].is_empty() {
                own.x[at] = p.prior;
            }
        }
        let normal = solve::Normal::new(&columns, &here, &own.pull_terms());
        let by = normal.solve(1e-3);
        for (x, by) in own.x.iter_mut().zip(by) {
            *x -= by.clamp(-0.7, 0.7);
        }
        own.set(&own.x, &mut rules);
    }
    for (at, p) in own.parameters.iter().enumerate() {
        if own.touched[at].is_empty() && !fit.touched[at].is_empty() {
            rules.efficiencies.forget(&p.group, &p.key, &p.name);
        }
    }
    rules
}

fn kept(touched: &[Vec<u32>], gone: &[bool]) -> Vec<Vec<u32>> {
    touched.iter().map(|rows| rows.iter().copied().filter(|row| !gone[*row as usize]).collect()).collect()
}

impl Fit<'_> {
    fn copy(&self) -> Self {
        Self {
            parameters: self.parameters.clone(),
            x: self.x.clone(),
            cases: self.cases.clone(),
            weights: self.weights.clone(),
            touched: Vec::new(),
        }
    }
}
