//! The fit: robust least squares on `ln(predicted / measured)`, groups of rows weighed equally.
//!
//! Parameters move in their logarithm, or in their logit where they are shares. A weak pull towards what physics lets
//! expect keeps those that few rows tell about, and makes leaving rows out honest: no fit starts from what the left-out
//! rows said.

mod leave_out;
mod solve;
mod table;
mod widths;

use std::collections::HashMap;

use maat_estimate::Rules;

use crate::case::{Case, Job, Load, Quantity};
use crate::files::reading;
use crate::predict;

pub use leave_out::{LeftOut, Refit, leave_out};
pub use table::written;
pub use widths::{classes, set as set_widths, widths, written as written_widths};

/// Beyond this error Huber's loss is linear.
const HUBER: f64 = 0.3;
/// Weight of a parameter's distance from its prior: one of a factor of `e` costs as much as a group that is 10 % off.
const PULL: f64 = 0.15;
/// Step of a difference.
const STEP: f64 = 0.02;
/// Most rounds, and the gain below which there is no next.
const ROUNDS: usize = 30;
const GAIN: f64 = 1e-4;
/// Most sweeps over single parameters, and the gain below which there is no next.
const SWEEPS: usize = 6;
const SWEEP_GAIN: f64 = 1e-3;

/// A parameter that the fit may change.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Group, key and name in the table.
    pub group: String,
    /// The same.
    pub key: String,
    /// The same.
    pub name: String,
    /// Its bound, where it is a share.
    most: f64,
    prior: f64,
}

impl Parameter {
    fn read(row: &csv::StringRecord) -> Option<Self> {
        let cell = |at: usize| row.get(at).map(str::to_owned);
        let most = row.get(3)?.parse().unwrap_or(f64::INFINITY);
        Some(Self {
            group: cell(0)?,
            key: cell(1)?,
            name: cell(2)?,
            most,
            prior: Self::inverse(row.get(4)?.parse().ok()?, most),
        })
    }

    /// The value at a place of the line that the fit moves on.
    pub fn value(&self, x: f64) -> f64 {
        if self.most.is_finite() { self.most / (1.0 + (-x).exp()) } else { x.exp() }
    }

    fn inverse(value: f64, most: f64) -> f64 {
        if most.is_finite() {
            let value = value.clamp(0.02 * most, 0.98 * most);
            (value / (most - value)).ln()
        } else {
            value.max(1e-12).ln()
        }
    }
}

/// All parameters of the fit, in the order of `parameters.csv`.
pub fn parameters() -> Vec<Parameter> {
    reading("parameters").iter().filter_map(Parameter::read).collect()
}

/// Rules whose parameters of the fit are what physics lets expect.
pub fn at_priors(rules: &Rules) -> Rules {
    let mut rules = rules.clone();
    for p in parameters() {
        rules.efficiencies.set(&p.group, &p.key, &p.name, p.value(p.prior));
    }
    rules
}

/// A fit in progress: parameters, their places, and the rows.
pub struct Fit<'a> {
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// Their places.
    pub x: Vec<f64>,
    cases: Vec<&'a Case>,
    weights: Vec<f64>,
    /// Rows whose prediction hangs on each parameter.
    touched: Vec<Vec<u32>>,
}

impl<'a> Fit<'a> {
    /// Of the rows that a fit learns from, starting at the priors: no fit hangs on the one before.
    pub fn new(cases: &[&'a Case], rules: &Rules) -> Self {
        let cases: Vec<&Case> = cases
            .iter()
            .copied()
            .filter(|case| teaches(case) && predict::error(case, rules).is_some())
            .collect();
        let parameters = parameters();
        let x = parameters.iter().map(|p| p.prior).collect();
        let weights = weights(&cases);
        let mut fit = Self { parameters, x, cases, weights, touched: Vec::new() };
        fit.touched = fit.hangs_on(rules);
        fit
    }

    /// Puts the places' values into rules.
    pub fn set(&self, x: &[f64], rules: &mut Rules) {
        for (p, x) in self.parameters.iter().zip(x) {
            rules.efficiencies.set(&p.group, &p.key, &p.name, p.value(*x));
        }
    }

    /// Marks what rows tell about as fitted, and no other parameter of the fit.
    pub fn mark(&self, rules: &mut Rules) {
        for (at, p) in self.parameters.iter().enumerate() {
            if self.is_told(at) {
                rules.efficiencies.remember(&p.group, &p.key, &p.name);
            } else {
                rules.efficiencies.forget(&p.group, &p.key, &p.name);
            }
        }
    }

    /// Which rows move with each parameter: by much more than a step, as an operation may change what bounds it.
    fn hangs_on(&self, rules: &Rules) -> Vec<Vec<u32>> {
        let mut rules = rules.clone();
        self.set(&self.x, &mut rules);
        let base: Vec<f64> = self.cases.iter().map(|case| error_or_zero(case, &rules)).collect();
        let moves = |at: usize| -> Vec<u32> {
            let p = &self.parameters[at];
            let mut found = Vec::new();
            for far in [1.5, -1.5] {
                let mut rules = rules.clone();
                rules.efficiencies.set(&p.group, &p.key, &p.name, p.value(self.x[at] + far));
                let rows = (0..).zip(&self.cases).zip(&base);
                found.extend(
                    rows.filter(|((_, case), base)| (error_or_zero(case, &rules) - **base).abs() > 1e-9)
                        .map(|((row, _), _)| row),
                );
            }
            found.sort_unstable();
            found.dedup();
            found
        };
        side_by_side(self.parameters.len(), moves)
    }

    /// Weighed residual of each row.
    fn residuals(&self, rules: &Rules) -> Vec<f64> {
        side_by_side(self.cases.len(), |row| self.residual(row, rules))
    }

    fn residual(&self, row: usize, rules: &Rules) -> f64 {
        soft(error_or_zero(self.cases[row], rules)) * self.weights[row]
    }

    /// Columns of the derivative, each over the rows that it touches.
    fn columns(&self, here: &[f64], rules: &Rules) -> Vec<Vec<(u32, f64)>> {
        side_by_side(self.parameters.len(), |at| {
            let p = &self.parameters[at];
            let mut moved = rules.clone();
            moved.efficiencies.set(&p.group, &p.key, &p.name, p.value(self.x[at] + STEP));
            let slope =
                |row: &u32| (*row, (self.residual(*row as usize, &moved) - here[*row as usize]) / STEP);
            self.touched[at].iter().map(slope).collect()
        })
    }

    /// Whether any row tells about a parameter.
    pub fn is_told(&self, at: usize) -> bool {
        !self.touched[at].is_empty()
    }

    fn pulls(&self, x: &[f64]) -> f64 {
        let told = |at: usize| f64::from(u8::from(self.is_told(at)));
        x.iter()
            .zip(&self.parameters)
            .enumerate()
            .map(|(at, (x, p))| told(at) * (PULL * (x - p.prior)).powi(2))
            .sum()
    }

    /// Levenberg and Marquardt's method, and between its runs each parameter by itself: where an operation changes what
    /// bounds it the cost has an edge, at which a common step gains nothing.
    pub fn run(&mut self, rules: &mut Rules) {
        for _ in 0..SWEEPS {
            self.descend(rules);
            if self.sweep(rules) < SWEEP_GAIN {
                break;
            }
        }
        self.set(&self.x.clone(), rules);
    }

    /// Moves each parameter by itself to where the rows that it touches have the least cost; the share of the cost that
    /// this gains.
    fn sweep(&mut self, rules: &mut Rules) -> f64 {
        self.set(&self.x.clone(), rules);
        let mut here = self.residuals(rules);
        let before: f64 = here.iter().map(|r| r * r).sum::<f64>() + self.pulls(&self.x);
        for at in 0..self.parameters.len() {
            for far in [0.4, 0.1, 0.03] {
                for by in [far, -far] {
                    self.nudge(at, by, &mut here, rules);
                }
            }
        }
        let after: f64 = here.iter().map(|r| r * r).sum::<f64>() + self.pulls(&self.x);
        (before - after) / before
    }

    /// Moves one parameter, where that gains something.
    fn nudge(&mut self, at: usize, by: f64, here: &mut [f64], rules: &mut Rules) {
        let rows = &self.touched[at];
        if rows.is_empty() {
            return;
        }
        let p = &self.parameters[at];
        let pull = |x: f64| (PULL * (x - p.prior)).powi(2);
        let old: f64 = rows.iter().map(|row| here[*row as usize].powi(2)).sum::<f64>() + pull(self.x[at]);
        let x = self.x[at] + by;
        rules.efficiencies.set(&p.group, &p.key, &p.name, p.value(x));
        let residuals = side_by_side(rows.len(), |row| self.residual(rows[row] as usize, rules));
        let new: f64 = residuals.iter().map(|r| r * r).sum::<f64>() + pull(x);
        if new < old {
            self.x[at] = x;
            for (row, residual) in rows.iter().zip(residuals) {
                here[*row as usize] = residual;
            }
        } else {
            rules.efficiencies.set(&p.group, &p.key, &p.name, p.value(self.x[at]));
        }
    }

    /// Levenberg and Marquardt's method, to where it gains nothing.
    fn descend(&mut self, rules: &mut Rules) {
        self.set(&self.x.clone(), rules);
        let mut here = self.residuals(rules);
        let mut damping = 0.01;
        for _ in 0..ROUNDS {
            let cost = here.iter().map(|r| r * r).sum::<f64>() + self.pulls(&self.x);
            let columns = self.columns(&here, rules);
            let normal = solve::Normal::new(&columns, &here, &self.pull_terms());
            let Some(gain) = self.step(&normal, &mut damping, &mut here, cost, rules) else { break };
            if gain < GAIN {
                break;
            }
        }
    }

    /// A step that gains something, with more damping until it does.
    fn step(
        &mut self,
        normal: &solve::Normal,
        damping: &mut f64,
        here: &mut Vec<f64>,
        cost: f64,
        rules: &mut Rules,
    ) -> Option<f64> {
        for _ in 0..8 {
            let by = normal.solve(*damping);
            let there: Vec<f64> = self.x.iter().zip(&by).map(|(x, by)| x - by.clamp(-0.7, 0.7)).collect();
            self.set(&there, rules);
            let residuals = self.residuals(rules);
            let new = residuals.iter().map(|r| r * r).sum::<f64>() + self.pulls(&there);
            if new < cost {
                self.x = there;
                *here = residuals;
                *damping = (*damping / 4.0).max(1e-7);
                return Some((cost - new) / cost);
            }
            *damping *= 5.0;
        }
        self.set(&self.x.clone(), rules);
        None
    }

    /// Of each parameter the pull's weight and its distance from the prior.
    fn pull_terms(&self) -> Vec<(f64, f64)> {
        let term = |(at, (x, p)): (usize, (&f64, &Parameter))| {
            // What no row tells about stays where it is.
            if self.is_told(at) { (PULL * PULL, x - p.prior) } else { (1.0, 0.0) }
        };
        self.x.iter().zip(&self.parameters).enumerate().map(term).collect()
    }
}

/// Whether a fit learns from a row: trust A and B, stated once, not at settings that a submitter chose, and on the hosts
/// that the model is of: what a board's processor and slot take from a card is not in it.
fn teaches(case: &Case) -> bool {
    let chosen = matches!(&case.job, Job::Serve(serve) if matches!(serve.load, Load::Within(_)) || serve.attempts.len() > 1);
    // What years of work came to tells more than of steps.
    let hours = case.group[2] == "pretrain_gpu_hours";
    let usual = !case.in_board;
    case.scored && usual && !case.restated && !chosen && !hours && case.quantity != Quantity::Memory
}

fn error_or_zero(case: &Case, rules: &Rules) -> f64 {
    predict::error(case, rules).filter(|error| error.is_finite()).unwrap_or(0.0)
}

/// Huber's loss as a residual: linear beyond its bound.
fn soft(error: f64) -> f64 {
    let size = error.abs();
    let soft = if size < HUBER { size } else { (2.0 * HUBER * size - HUBER * HUBER).sqrt() };
    soft * error.signum()
}

/// Roots of the rows' weights: rows of equal benchmark, quantity, model and machine share their weight, a little more
/// where there are more of them.
fn weights(cases: &[&Case]) -> Vec<f64> {
    let key =
        |case: &Case| (case.group[1].clone(), case.quantity, case.opened.id.clone(), case.hardware.clone());
    let mut counts: HashMap<_, f64> = HashMap::new();
    for case in cases {
        *counts.entry(key(case)).or_default() += 1.0;
    }
    let known =
        |case: &Case| if matches!(&case.job, Job::Train(train) if train.chosen) { CHOSEN } else { 1.0 };
    cases.iter().map(|case| counts[&key(case)].powf(-SHARED / 2.0) * known(case)).collect()
}

/// 1 where all groups weigh the same, 0 where all rows do.
const SHARED: f64 = 0.7;
/// Weight of rows whose plan was chosen for them, as a root.
const CHOSEN: f64 = 0.4;

/// Results of `count` independent pieces of work, on two threads.
fn side_by_side<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let half = count / 2;
    let run = |range: std::ops::Range<usize>| range.map(&work).collect::<Vec<T>>();
    std::thread::scope(|scope| {
        let second = scope.spawn(|| run(half..count));
        let mut all = run(0..half);
        if let Ok(rest) = second.join() {
            all.extend(rest);
        }
        all
    })
}
