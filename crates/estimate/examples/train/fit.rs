//! Fits parameters to rows: robust least squares on ln(predicted / measured), groups weighed equally.

use std::collections::HashMap;

use maat_estimate::Rules;

use crate::error;
use crate::rows::Case;

/// A parameter in its logarithm, or in its logit where it is a share.
struct Free {
    group: String,
    key: String,
    name: String,
    start: f64,
    x: f64,
    most: f64,
}

impl Free {
    fn read(line: &str, rules: &Rules) -> Self {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let most = cells.get(3).and_then(|m| m.parse().ok()).unwrap_or(f64::INFINITY);
        let start = rules.efficiencies.value(cells[0], cells[1], cells[2]).expect("a known parameter");
        let start = if most.is_finite() { start.clamp(0.02 * most, 0.98 * most) } else { start.max(1e-12) };
        let x = Self::inverse(start, most);
        Self { group: cells[0].into(), key: cells[1].into(), name: cells[2].into(), start, x, most }
    }

    fn value(&self) -> f64 {
        self.at(self.x)
    }

    fn at(&self, x: f64) -> f64 {
        if self.most.is_finite() { self.most / (1.0 + (-x).exp()) } else { x.exp() }
    }

    fn inverse(value: f64, most: f64) -> f64 {
        if most.is_finite() { (value / (most - value)).ln() } else { value.ln() }
    }
}

/// Rows of equal family, model and hardware share one weight; families do too.
fn weights(cases: &[&Case]) -> Vec<f64> {
    let mut groups: HashMap<(&str, &str, &str), f64> = HashMap::new();
    for case in cases {
        *groups.entry((case.family, &case.model_name, &case.hardware)).or_default() += 1.0;
    }
    let weight =
        |case: &&Case| groups[&(case.family, case.model_name.as_str(), case.hardware.as_str())].powf(-0.7);
    cases.iter().map(weight).collect()
}

fn residuals(cases: &[&Case], weights: &[f64], rules: &Rules) -> Vec<f64> {
    let threads: Vec<_> = cases
        .chunks(cases.len().div_ceil(2).max(1))
        .zip(weights.chunks(cases.len().div_ceil(2).max(1)))
        .collect();
    std::thread::scope(|scope| {
        let handles: Vec<_> = threads
            .into_iter()
            .map(|(cases, weights)| {
                scope.spawn(move || -> Vec<f64> {
                    cases
                        .iter()
                        .zip(weights)
                        .map(|(case, weight)| {
                            let e = error(case, rules).unwrap_or(0.0);
                            // Huber's loss as a residual: linear beyond 0.3.
                            let size = e.abs();
                            let soft = if size < 0.3 { size } else { (2.0 * 0.3 * size - 0.09).sqrt() };
                            soft * e.signum() * weight.sqrt()
                        })
                        .collect()
                })
            })
            .collect();
        handles.into_iter().flat_map(|h| h.join().expect("no panic")).collect()
    })
}

/// What is to be fitted, to what.
pub struct Task {
    free: Vec<Free>,
    families: Vec<(String, String)>,
}

impl Task {
    /// A file of lines `group,key,parameter,most`, and the families after `families:`.
    pub fn read(path: &str, rules: &Rules) -> Self {
        let text = std::fs::read_to_string(path).expect("a readable specification");
        let mut task = Self { free: Vec::new(), families: Vec::new() };
        for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            if let Some(rest) = line.strip_prefix("families:") {
                let pair = |word: &str| {
                    let (family, metric) = word.split_once('/').unwrap_or((word, ""));
                    (family.to_owned(), metric.to_owned())
                };
                task.families = rest.split_whitespace().map(pair).collect();
            } else {
                task.free.push(Free::read(line, rules));
            }
        }
        task
    }

    fn takes(&self, case: &Case) -> bool {
        case.scored && self.families.iter().any(|(family, _)| family == case.family)
    }

    /// Fits to the rows that `keep` takes.
    fn run(&mut self, all: &[Case], rules: &mut Rules, keep: impl Fn(&Case) -> bool) -> usize {
        let cases: Vec<&Case> = all
            .iter()
            .filter(|case| self.takes(case) && keep(case))
            .filter(|case| error(case, rules).is_some())
            .collect();
        let weights = weights(&cases);
        levenberg(&mut self.free, &cases, &weights, rules);
        cases.len()
    }
}

/// Fits to all rows; writes the table where asked.
pub fn fit(all: &[Case], rules: &mut Rules, spec: &str, write: Option<&str>) {
    let mut task = Task::read(spec, rules);
    let rows = task.run(all, rules, |_| true);
    println!("fitted {} parameters to {rows} rows", task.free.len());
    for p in &task.free {
        println!("{},{},{},{:.4e}   (from {:.4e})", p.group, p.key, p.name, p.value(), p.start);
    }
    if let Some(path) = write {
        save(&task.free, path);
    }
}

/// Errors of each row by a fit that saw none of its group.
pub fn leave_out(all: &[Case], rules: &Rules, spec: &str, group: fn(&Case) -> &str) -> Vec<Option<f64>> {
    let mut groups: Vec<&str> = all.iter().filter(|case| case.scored).map(group).collect();
    groups.sort_unstable();
    groups.dedup();
    let mut errors = vec![None; all.len()];
    for left in groups {
        let mut rules = rules.clone();
        let mut task = Task::read(spec, &rules);
        task.run(all, &mut rules, |case| group(case) != left);
        for (case, slot) in all.iter().zip(&mut errors).filter(|(case, _)| group(case) == left) {
            *slot = error(case, &rules);
        }
    }
    errors
}

/// Puts the values in the table, with what they rest on.
fn save(free: &[Free], path: &str) {
    let text = std::fs::read_to_string(path).expect("a readable table");
    let line = |line: &str| {
        let mut cells: Vec<String> = line.splitn(7, ',').map(str::to_owned).collect();
        let found = free
            .iter()
            .find(|p| cells.len() == 7 && [&p.group, &p.key, &p.name] == [&cells[0], &cells[1], &cells[2]]);
        if let Some(p) = found {
            cells[3] = rounded(p.value());
            "fitted".clone_into(&mut cells[5]);
        }
        cells.join(",")
    };
    let lines: Vec<String> = text.lines().map(line).collect();
    for p in free {
        let start = format!("{},{},{},", p.group, p.key, p.name);
        assert!(lines.iter().any(|line| line.starts_with(&start)), "no row {start}");
    }
    std::fs::write(path, lines.join("\n") + "\n").expect("a writable table");
}

/// Three significant digits.
fn rounded(value: f64) -> String {
    let text = format!("{value:.2e}");
    let plain: f64 = text.parse().unwrap_or(value);
    if (0.01..1e5).contains(&plain) { format!("{plain}") } else { text }
}

fn set(free: &[Free], rules: &mut Rules) {
    for p in free {
        rules.efficiencies.set(&p.group, &p.key, &p.name, p.value());
    }
}

/// A weak pull towards the start keeps what the rows do not tell where it was.
const PULL: f64 = 0.15;

fn full(free: &[Free], starts: &[f64], cases: &[&Case], weights: &[f64], rules: &mut Rules) -> Vec<f64> {
    set(free, rules);
    let mut all = residuals(cases, weights, rules);
    all.extend(free.iter().zip(starts).map(|(p, start)| PULL * (p.x - start)));
    all
}

fn levenberg(free: &mut [Free], cases: &[&Case], weights: &[f64], rules: &mut Rules) {
    let starts: Vec<f64> = free.iter().map(|p| p.x).collect();
    let mut here = full(free, &starts, cases, weights, rules);
    let mut damping = 0.1;
    for _ in 0..25 {
        let cost: f64 = here.iter().map(|r| r * r).sum();
        let n = free.len();
        let mut columns = Vec::with_capacity(n);
        for i in 0..n {
            free[i].x += 0.02;
            let there = full(free, &starts, cases, weights, rules);
            free[i].x -= 0.02;
            columns.push(there.iter().zip(&here).map(|(a, b)| (a - b) / 0.02).collect::<Vec<f64>>());
        }
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let gradient: Vec<f64> = columns.iter().map(|c| dot(c, &here)).collect();
        let normal: Vec<Vec<f64>> =
            columns.iter().map(|a| columns.iter().map(|b| dot(a, b)).collect()).collect();
        let mut moved = false;
        for _ in 0..6 {
            let mut matrix = normal.clone();
            for (i, row) in matrix.iter_mut().enumerate() {
                row[i] += damping * (normal[i][i] + 1e-3);
            }
            let step = solve(matrix, &gradient);
            for (p, s) in free.iter_mut().zip(&step) {
                p.x -= s.clamp(-0.7, 0.7);
            }
            let there = full(free, &starts, cases, weights, rules);
            let new: f64 = there.iter().map(|r| r * r).sum();
            if new < cost {
                let gain = (cost - new) / cost;
                here = there;
                damping = (damping / 3.0f64).max(1e-6);
                moved = gain > 1e-4;
                break;
            }
            for (p, s) in free.iter_mut().zip(&step) {
                p.x += s.clamp(-0.7, 0.7);
            }
            damping *= 4.0;
        }
        if !moved {
            break;
        }
    }
    set(free, rules);
}

/// Gauss with pivots.
fn solve(mut a: Vec<Vec<f64>>, b: &[f64]) -> Vec<f64> {
    let n = b.len();
    let mut b = b.to_vec();
    for i in 0..n {
        let pivot = (i..n).max_by(|&x, &y| a[x][i].abs().total_cmp(&a[y][i].abs())).unwrap_or(i);
        a.swap(i, pivot);
        b.swap(i, pivot);
        for row in i + 1..n {
            let factor = a[row][i] / a[i][i];
            let above = a[i].clone();
            for (cell, above) in a[row].iter_mut().zip(above).skip(i) {
                *cell -= factor * above;
            }
            b[row] -= factor * b[i];
        }
    }
    let mut x = vec![0.0; n];
    for i in (0..n).rev() {
        let rest: f64 = (i + 1..n).map(|j| a[i][j] * x[j]).sum();
        x[i] = (b[i] - rest) / a[i][i];
    }
    x
}
