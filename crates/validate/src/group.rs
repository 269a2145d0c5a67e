//! Errors by family, benchmark and metric.

use std::collections::BTreeMap;

use serde::Serialize;

/// A row after it was predicted: its error and the naive rule's, and whether the range holds it.
#[derive(Clone, Copy, Debug)]
pub struct Scored {
    /// `ln(predicted / measured)` as the row writes it.
    pub error: f64,
    /// The same of the naive rule.
    pub naive: Option<f64>,
    /// Whether the 80 % range holds what was measured.
    pub inside: bool,
}

/// What became of a row.
#[derive(Clone, Copy, Debug)]
pub enum Fate {
    /// Predicted and scored.
    Scored(Scored),
    /// Predicted, not scored: trust C.
    Unscored,
    /// Not predicted.
    Skipped,
}

/// Errors of a group of rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the contract defines the fields")]
pub struct Group {
    pub family: String,
    pub benchmark: String,
    pub metric: String,
    pub rows: usize,
    pub predicted: usize,
    pub skipped: usize,
    pub median_abs_ln_ratio: Option<f64>,
    pub p90_abs_ln_ratio: Option<f64>,
    pub bias_ln: Option<f64>,
    pub coverage_80: Option<f64>,
    pub naive_median: Option<f64>,
    pub naive_p90: Option<f64>,
}

/// The groups of rows in the order of their names.
pub fn groups<'a>(rows: impl IntoIterator<Item = ([&'a str; 3], Fate)>) -> Vec<Group> {
    let mut all: BTreeMap<[&str; 3], Vec<Fate>> = BTreeMap::new();
    for (key, fate) in rows {
        all.entry(key).or_default().push(fate);
    }
    all.into_iter().map(|(key, fates)| group(key, &fates)).collect()
}

/// One group.
pub fn group([family, benchmark, metric]: [&str; 3], fates: &[Fate]) -> Group {
    let scored: Vec<Scored> = fates
        .iter()
        .filter_map(|fate| if let Fate::Scored(scored) = fate { Some(*scored) } else { None })
        .collect();
    let sizes = sorted(scored.iter().map(|row| row.error.abs()));
    let naive = sorted(scored.iter().filter_map(|row| row.naive).map(f64::abs));
    let signed = sorted(scored.iter().map(|row| row.error));
    let inside = scored.iter().filter(|row| row.inside).count();
    let skipped = fates.iter().filter(|fate| matches!(fate, Fate::Skipped)).count();
    Group {
        family: family.to_owned(),
        benchmark: benchmark.to_owned(),
        metric: metric.to_owned(),
        rows: fates.len(),
        predicted: fates.len() - skipped,
        skipped,
        median_abs_ln_ratio: quantile(&sizes, 0.5),
        p90_abs_ln_ratio: quantile(&sizes, 0.9),
        bias_ln: quantile(&signed, 0.5),
        coverage_80: (!scored.is_empty()).then(|| inside as f64 / scored.len() as f64),
        naive_median: quantile(&naive, 0.5),
        naive_p90: quantile(&naive, 0.9),
    }
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut all: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    all.sort_by(f64::total_cmp);
    all
}

/// A quantile of sorted values, between neighbours by their distance (Hyndman and Fan's type 7).
pub fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let at = share.clamp(0.0, 1.0) * last as f64;
    let (low, high) = (sorted[at.floor() as usize], sorted[at.ceil() as usize]);
    Some(low + (high - low) * at.fract())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(error: f64, inside: bool) -> Fate {
        Fate::Scored(Scored { error, naive: Some(2.0 * error), inside })
    }

    #[test]
    fn errors_of_a_group() {
        let fates = [row(-0.1, true), row(0.2, true), row(0.3, false), Fate::Unscored, Fate::Skipped];
        let group = group(["a", "b", "c"], &fates);
        assert_eq!((group.rows, group.predicted, group.skipped), (5, 4, 1));
        assert_eq!(group.median_abs_ln_ratio, Some(0.2));
        assert_eq!(group.bias_ln, Some(0.2));
        assert!((group.p90_abs_ln_ratio.unwrap() - 0.28).abs() < 1e-12);
        assert!((group.coverage_80.unwrap() - 2.0 / 3.0).abs() < 1e-12);
        assert_eq!(group.naive_median, Some(0.4));
    }

    #[test]
    fn without_scored_rows_nothing_is_known() {
        let group = group(["a", "b", "c"], &[Fate::Unscored]);
        assert_eq!(group.median_abs_ln_ratio, None);
        assert_eq!(group.coverage_80, None);
    }
}
