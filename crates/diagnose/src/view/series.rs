//! One signal of one thing over time.

use maat_base::Evidence;
use maat_readings::monitor::{Observation, Signal, Span};

use crate::show;

/// Values in order, each with where it stands.
#[derive(Clone, Debug)]
pub struct Series<'a> {
    /// The signal.
    pub signal: Signal,
    /// The values.
    pub points: Vec<(f64, &'a Observation)>,
}

impl<'a> Series<'a> {
    /// The values of a signal. A mean or a report since the start of the machine counts only where there is nothing
    /// else.
    pub fn of(rows: &[&'a Observation], signal: Signal) -> Self {
        let points: Vec<(f64, &'a Observation)> =
            rows.iter().filter_map(|row| Some((row.get(signal)?, *row))).collect();
        let best = points.iter().map(|(_, row)| rank(row.span)).min().unwrap_or(0);
        Self { signal, points: points.into_iter().filter(|(_, row)| rank(row.span) == best).collect() }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// The mean; 0 of none.
    pub fn mean(&self) -> f64 {
        self.points.iter().map(|(value, _)| value).sum::<f64>() / (self.len().max(1) as f64)
    }

    /// The middle; 0 of none.
    pub fn median(&self) -> f64 {
        self.middle().map_or(0.0, |(value, _)| value)
    }

    fn middle(&self) -> Option<(f64, &'a Observation)> {
        let mut sorted = self.points.clone();
        sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
        sorted.get(sorted.len() / 2).copied()
    }

    /// The highest.
    pub fn max(&self) -> f64 {
        self.points.iter().map(|(value, _)| *value).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The lowest.
    pub fn min(&self) -> f64 {
        self.points.iter().map(|(value, _)| *value).fold(f64::INFINITY, f64::min)
    }

    /// Which part of the values fulfils a condition.
    pub fn share(&self, holds: impl Fn(f64) -> bool) -> f64 {
        let count = self.points.iter().filter(|(value, _)| holds(*value)).count();
        count as f64 / self.len().max(1) as f64
    }

    /// How much a counter grew; 0 where it was reset.
    pub fn growth(&self) -> f64 {
        match (self.points.first(), self.points.last()) {
            (Some((first, _)), Some((last, _))) => (last - first).max(0.0),
            _ => 0.0,
        }
    }

    /// The fall from the first to the last third, as a share of the first.
    pub fn fall(&self) -> f64 {
        let third = self.len() / 3;
        if third == 0 {
            return 0.0;
        }
        let mean = |points: &[(f64, &Observation)]| {
            points.iter().map(|(value, _)| value).sum::<f64>() / points.len().max(1) as f64
        };
        let first = mean(&self.points[..third]);
        let last = mean(&self.points[self.len() - third..]);
        if first > 0.0 { (first - last) / first } else { 0.0 }
    }

    /// The middle as evidence.
    pub fn evidence(&self) -> Evidence {
        let count = self.len();
        let how = if count > 1 { format!(" (median, n={count})") } else { String::new() };
        let (value, place) =
            self.middle().map_or((0.0, String::new()), |(value, row)| (value, row.place.to_string()));
        Evidence { what: self.name(), value: format!("{}{how}", show::show(self.signal, value)), place }
    }

    /// The mean as evidence, with its spread, where the spread tells more than the middle.
    pub fn spread(&self) -> Evidence {
        let place = self.points.first().map_or_else(String::new, |(_, row)| row.place.to_string());
        let show = |value| show::show(self.signal, value);
        let count = self.len();
        let value = if count > 1 {
            format!("{} (mean, {} to {}, n={count})", show(self.mean()), show(self.min()), show(self.max()))
        } else {
            show(self.mean())
        };
        Evidence { what: self.name(), value, place }
    }

    /// In how many samples a flag was set, as evidence.
    pub fn flagged(&self) -> Evidence {
        let set = self.points.iter().filter(|(value, _)| *value > 0.0).count();
        let place = self
            .points
            .iter()
            .find(|(value, _)| *value > 0.0)
            .or(self.points.first())
            .map_or_else(String::new, |(_, row)| row.place.to_string());
        Evidence { what: self.name(), value: format!("{set}/{}", self.len()), place }
    }

    fn name(&self) -> String {
        let subject = self.points.first().map_or("", |(_, row)| &row.name);
        if subject.is_empty() {
            self.signal.name().to_owned()
        } else {
            format!("{subject}.{}", self.signal.name())
        }
    }
}

fn rank(span: Span) -> u8 {
    match span {
        Span::Moment => 0,
        Span::Average => 1,
        Span::SinceBoot => 2,
    }
}
