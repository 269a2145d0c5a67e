//! The ranges: quantiles of left-out errors, so that they say how far off a prediction of something new is.
//!
//! Split conformal prediction (Vovk et al. 2005, Lei et al. 2018) by classes: a class is an engine, or the family of
//! engines where fewer than [`GROUPS`] pairs of model and machine stand behind it. Rows of one pair share their error, so
//! that a pair of `n` rows weighs as its root, and the tails are widened for the number of pairs.

use std::collections::{BTreeMap, BTreeSet};

use maat_estimate::{Rules, Width};

use super::Refit;
use crate::case::{Case, Job, Quantity};
use crate::predict;

/// Least pairs of model and machine of a class.
const GROUPS: usize = 6;
/// Least width on a side, in the logarithm.
const LEAST: f64 = 0.03;
/// Least tail, where pairs are few.
const LEAST_TAIL: f64 = 0.03;
/// What a class without any row is wider by than one that was measured, in the logarithm: where machines were left out
/// that were alone in their class, errors spread 1.4 to 2.7 times as much.
const UNSEEN: f64 = 1.7;

/// Factors by class, metric and whether the class was seen, with the rows and pairs behind them.
pub type Widths = BTreeMap<(String, &'static str, bool), (Width, usize, usize)>;

/// An error with the class that it tells about.
struct Told<'a> {
    classes: Vec<String>,
    metric: &'static str,
    seen: bool,
    /// Model and machine.
    pair: (&'a str, &'a str),
    /// `ln(measured / predicted)`.
    error: f64,
}

/// Widths of all classes from the errors of both ways of leaving out; `keep` takes the pairs that they may be set by.
pub fn widths(cases: &[&Case], refits: &[&[Option<Refit>]], keep: impl Fn(&Case) -> bool) -> Widths {
    let told = refits.iter().flat_map(|refits| {
        cases.iter().zip(refits.iter()).filter_map(|(case, refit)| {
            let refit = (*refit)?;
            // Memory is counted, not fitted: its rows of the table are kept.
            let counted = case.quantity == Quantity::Memory;
            if !case.scored || case.restated || counted || !keep(case) {
                return None;
            }
            Some(told(case, refit))
        })
    });
    let mut rows: BTreeMap<(String, &'static str, bool), Vec<Told>> = BTreeMap::new();
    for one in told {
        for class in one.classes.clone() {
            let row = Told { classes: Vec::new(), ..one };
            rows.entry((class, one.metric, one.seen)).or_default().push(row);
        }
    }
    let mut all = Widths::new();
    for (key, rows) in rows {
        let pairs: BTreeSet<_> = rows.iter().map(|row| row.pair).collect();
        if pairs.len() >= GROUPS {
            all.insert(key, (width(&rows, pairs.len()), rows.len(), pairs.len()));
        }
    }
    with_unseen(all)
}

fn told(case: &Case, refit: Refit) -> Told<'_> {
    let (classes, metric) = classes(case);
    Told { classes, metric, seen: refit.seen, pair: (&case.opened.id, &case.hardware), error: -refit.error }
}

/// Classes that a row tells about, and the metric of `ranges.csv`.
pub fn classes(case: &Case) -> (Vec<String>, &'static str) {
    match &case.job {
        Job::Serve(serve) => {
            let family = match &*serve.engine {
                _ if case.machine.slots.is_empty() => "processor",
                "vllm" | "sglang" | "trtllm" => "serving",
                "llamacpp" | "ik-llamacpp" => "llamacpp",
                _ => "transformers",
            };
            let mut all = vec!["default".to_owned(), family.to_owned()];
            if family != "processor" && *serve.engine != *family {
                all.push(serve.engine.to_string());
            }
            (all, predict::range_metric(case, serve))
        }
        Job::Train(_) => {
            let class = maat_estimate::training_class(&case.opened.profile);
            (vec![class.to_owned()], if case.quantity == Quantity::Memory { "memory" } else { "train" })
        }
    }
}

fn width(rows: &[Told], pairs: usize) -> Width {
    let mut counts: BTreeMap<(&str, &str), f64> = BTreeMap::new();
    for row in rows {
        *counts.entry(row.pair).or_default() += 1.0;
    }
    let mut weighed: Vec<(f64, f64)> =
        rows.iter().map(|row| (row.error, counts[&row.pair].powf(-0.5))).collect();
    weighed.sort_by(|a, b| a.0.total_cmp(&b.0));
    // The finite-sample correction of conformal prediction: of n exchangeable errors the quantile 0.9 (n + 1) / n lies
    // above another one in 90 % of cases. A pair tells twice: of its model, and of its machine.
    let tail = (1.0 - 0.9 * (1.0 + 0.5 / pairs as f64)).max(LEAST_TAIL);
    let low = quantile(&weighed, tail);
    let high = quantile(&weighed, 1.0 - tail);
    Width { below: (-low).max(LEAST).exp(), above: high.max(LEAST).exp() }
}

/// The weighed quantile of sorted values.
fn quantile(sorted: &[(f64, f64)], share: f64) -> f64 {
    let total: f64 = sorted.iter().map(|row| row.1).sum();
    let mut sum = 0.0;
    let found = sorted.iter().find(|row| {
        sum += row.1;
        sum >= share * total
    });
    found.or(sorted.last()).map_or(0.0, |row| row.0)
}

/// Adds what no left-out row tells: a class that was never measured is at least wider than one that was.
fn with_unseen(mut all: Widths) -> Widths {
    let seen: Vec<_> =
        all.iter().filter(|(key, _)| key.2).map(|(key, value)| (key.clone(), *value)).collect();
    for ((class, metric, _), (width, rows, pairs)) in seen {
        let wider = |factor: f64| (factor.ln() * UNSEEN).exp();
        let least = Width { below: wider(width.below), above: wider(width.above) };
        let entry = all.entry((class, metric, false)).or_insert((least, rows, pairs));
        entry.0 = Width { below: entry.0.below.max(least.below), above: entry.0.above.max(least.above) };
    }
    all
}

/// Puts widths into rules.
pub fn set(widths: &Widths, rules: &mut Rules) {
    for ((class, metric, seen), (width, ..)) in widths {
        rules.efficiencies.set_width(class, metric, *seen, *width);
    }
}

/// The text of `ranges.csv`: fitted rows anew, those of classes that no row tells about as they were.
pub fn written(widths: &Widths, text: &str) -> String {
    let mut lines = vec![text.lines().next().unwrap_or_default().to_owned()];
    for ((class, metric, seen), (width, rows, pairs)) in widths {
        let seen = if *seen { "yes" } else { "no" };
        lines.push(format!(
            "{class},{metric},{seen},{:.2},{:.2},\"left-out models and machines: {rows} errors of {pairs} pairs\"",
            width.below, width.above
        ));
    }
    let known = |line: &str| lines.iter().any(|own| own.split(',').take(3).eq(line.split(',').take(3)));
    let kept: Vec<String> = text.lines().skip(1).filter(|line| !known(line)).map(str::to_owned).collect();
    lines.extend(kept);
    lines.join("\n") + "\n"
}
