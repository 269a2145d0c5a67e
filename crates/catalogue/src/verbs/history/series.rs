//! Prices of days to series of periods.

use std::collections::BTreeMap;

use maat_base::Date;
use serde::Serialize;

use crate::terms::days_between;

/// Days of a year.
const YEAR_DAYS: f64 = 365.0;
/// Days from which a change may be told as one of a year: that of a few months would be blown up.
const LEAST_YEAR_DAYS: f64 = 300.0;
/// Least days between two prices of a provider from which a change is counted.
const LEAST_DAYS: u32 = 90;

/// Prices of one kind over time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PriceSeries {
    /// The kind: `on-demand`, `spot`, `street`, `launch list`, a seller's quote.
    pub kind: String,
    /// Whether the prices are of an hour, rather than of a piece.
    pub is_rent: bool,
    /// The periods that have prices, the oldest first.
    pub points: Vec<PricePoint>,
    /// What the same providers asked more at their last price than at their first: the middle one of those with prices at
    /// least 90 days apart. Unlike the course of the medians it does not move when dearer providers join.
    pub same_providers_change: Option<f64>,
    /// The middle one of the days between these prices.
    pub same_providers_days: Option<f64>,
    /// How many providers that rests on.
    pub same_providers: usize,
}

impl PriceSeries {
    /// The change of the same providers as one a year, where it rests on about a year at least: `(1 + c)^(365 / days) - 1`.
    pub fn change_per_year(&self) -> Option<f64> {
        let days = self.same_providers_days.filter(|days| *days >= LEAST_YEAR_DAYS)?;
        Some((1.0 + self.same_providers_change?).powf(YEAR_DAYS / days) - 1.0)
    }

    /// The message that names the kind; kinds without words of their own, such as a seller's quote, stand as they are.
    pub fn kind_message(&self) -> String {
        let own = KINDS.contains(&self.kind.as_str());
        format!("history-kind-{}", if own { self.kind.replace(' ', "-") } else { "other".to_owned() })
    }
}

/// Prices of a period: of each provider its cheapest.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PricePoint {
    /// `2026-11`, or `2026-Q4`.
    pub period: String,
    /// Its first day.
    pub first_day: Date,
    /// The lowest.
    pub low: f64,
    /// The middle one.
    pub median: f64,
    /// The highest.
    pub high: f64,
    /// How many prices: providers, or observations.
    pub prices: u32,
}

/// A month or a quarter.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    pub first: Date,
    pub name: String,
}

impl Span {
    pub fn month_of(day: Date) -> Self {
        Self { first: day.first_of_month(), name: format!("{:04}-{:02}", day.year(), day.month()) }
    }

    pub fn quarter_of(day: Date) -> Self {
        let quarter = (day.month() - 1) / 3;
        let first = Date::new(day.year(), quarter * 3 + 1, 1).unwrap_or(day);
        Self { first, name: format!("{:04}-Q{}", day.year(), quarter + 1) }
    }

    /// `2025-Q3`.
    pub fn quarter(words: &str) -> Option<Self> {
        let (year, quarter) = words.split_once("-Q")?;
        let quarter: i8 = quarter.parse().ok().filter(|quarter| (1..=4).contains(quarter))?;
        let first = Date::new(year.parse().ok()?, quarter * 3 - 2, 1).ok()?;
        Some(Self { first, name: words.to_owned() })
    }
}

/// What was seen.
pub enum Seen {
    /// A price of a provider on a day.
    Price { kind: String, span: Span, day: Date, provider: String, amount: f64 },
    /// Prices of a period that somebody else counted.
    Summary { kind: String, span: Span, low: f64, median: f64, high: f64, prices: u32 },
}

/// Kinds that have words of their own.
const KINDS: [&str; 8] =
    ["on-demand", "spot", "marketplace", "committed", "average", "street", "used street", "launch list"];
/// Kinds of renting.
const RENTS: [&str; 5] = ["on-demand", "spot", "marketplace", "committed", "average"];

/// What is known of a kind.
#[derive(Default)]
struct OfKind {
    prices: BTreeMap<Span, BTreeMap<String, f64>>,
    days: BTreeMap<String, Vec<(Date, f64)>>,
    points: BTreeMap<Span, PricePoint>,
}

/// Sorts what was seen by kind and period.
pub fn series(seen: Vec<Seen>) -> Vec<PriceSeries> {
    let mut kinds: BTreeMap<String, OfKind> = BTreeMap::new();
    for one in seen {
        match one {
            Seen::Price { kind, span, day, provider, amount } => {
                let of = kinds.entry(kind).or_default();
                of.days.entry(provider.clone()).or_default().push((day, amount));
                let known = of.prices.entry(span).or_default().entry(provider).or_insert(amount);
                *known = known.min(amount);
            }
            Seen::Summary { kind, span, low, median, high, prices } => {
                let (period, first_day) = (span.name.clone(), span.first);
                let point = PricePoint { period, first_day, low, median, high, prices };
                kinds.entry(kind).or_default().points.insert(span, point);
            }
        }
    }
    let rank = |kind: &str| KINDS.iter().position(|known| *known == kind).unwrap_or(KINDS.len());
    let mut all: Vec<PriceSeries> = kinds.into_iter().map(|(kind, of)| one_series(kind, of)).collect();
    all.sort_by(|a, b| rank(&a.kind).cmp(&rank(&b.kind)).then_with(|| a.kind.cmp(&b.kind)));
    all
}

fn one_series(kind: String, of: OfKind) -> PriceSeries {
    let mut points = of.points;
    for (span, providers) in of.prices {
        let mut prices: Vec<f64> = providers.into_values().collect();
        prices.sort_by(f64::total_cmp);
        let point = PricePoint {
            period: span.name.clone(),
            first_day: span.first,
            low: prices.first().copied().unwrap_or_default(),
            median: median(&prices).unwrap_or_default(),
            high: prices.last().copied().unwrap_or_default(),
            prices: prices.len() as u32,
        };
        // What somebody counted over many prices says more than a single one.
        points.entry(span).or_insert(point);
    }
    let changes: Vec<(f64, f64)> = of.days.into_values().filter_map(change).collect();
    PriceSeries {
        is_rent: RENTS.contains(&kind.as_str()),
        kind,
        points: points.into_values().collect(),
        same_providers_change: middle(changes.iter().map(|(change, _)| *change)),
        same_providers_days: middle(changes.iter().map(|(_, days)| *days)),
        same_providers: changes.len(),
    }
}

/// The middle of sorted numbers.
fn median(sorted: &[f64]) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    Some(f64::midpoint(sorted[last / 2], sorted[last.div_ceil(2)]))
}

/// The middle of numbers.
fn middle(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let mut sorted: Vec<f64> = numbers.collect();
    sorted.sort_by(f64::total_cmp);
    median(&sorted)
}

/// What a provider asked more on its last day than on its first, `last / first - 1`, from the cheapest price of either
/// day, and the days between.
fn change(mut days: Vec<(Date, f64)>) -> Option<(f64, f64)> {
    days.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let (first_day, first) = *days.first()?;
    let last_day = days.last()?.0;
    let (_, last) = *days.iter().find(|(day, _)| *day == last_day)?;
    let span = days_between(first_day, last_day);
    (span >= LEAST_DAYS && first > 0.0).then(|| (last / first - 1.0, f64::from(span)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn price(day: &str, provider: &str, amount: f64) -> Seen {
        let day: Date = day.parse().unwrap();
        let (kind, provider) = ("on-demand".to_owned(), provider.to_owned());
        Seen::Price { kind, span: Span::month_of(day), day, provider, amount }
    }

    /// Of each provider the cheapest of the month; the dearer newcomer lifts the median, not the change of the others.
    #[test]
    fn months_and_the_change_of_those_that_stayed() {
        let all = series(vec![
            price("2025-11-10", "a", 2.0),
            price("2025-11-20", "a", 1.9),
            price("2025-11-10", "b", 4.0),
            price("2026-11-10", "a", 2.2),
            price("2026-11-10", "b", 4.4),
            price("2026-11-10", "c", 12.0),
        ]);
        let [one] = all.as_slice() else { panic!("{all:?}") };
        let medians: Vec<(&str, f64, u32)> =
            one.points.iter().map(|point| (point.period.as_str(), point.median, point.prices)).collect();
        assert_eq!(medians, [("2025-11", 2.95, 2), ("2026-11", 4.4, 3)]);
        assert_eq!((one.points[1].low, one.points[1].high, one.same_providers), (2.2, 12.0, 2));
        // a from 2.00 to 2.20 and b from 4.00 to 4.40.
        assert!((one.same_providers_change.unwrap() - 0.1).abs() < 1e-9);
        assert_eq!(one.same_providers_days, Some(365.0));
    }

    #[test]
    fn quarters() {
        assert_eq!(Span::quarter("2025-Q3"), Some(Span::quarter_of("2025-08-21".parse().unwrap())));
        assert_eq!(Span::quarter("2025-Q5"), None);
        assert_eq!(Span::quarter("2025"), None);
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[1.0, 2.0, 9.0]), Some(2.0));
    }
}
