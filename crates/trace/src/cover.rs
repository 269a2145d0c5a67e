//! Sets of times as sorted intervals that do not touch.

/// Nanoseconds, end not included.
pub(crate) type Interval = (i64, i64);

/// A set of times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cover {
    /// Sorted, joined up to `joined`; what follows is as it came.
    intervals: Vec<Interval>,
    joined: usize,
    /// Length of all intervals before each; empty until it is asked for.
    before: Vec<i64>,
}

/// So many unsorted intervals are collected before they are joined.
const PENDING: usize = 1 << 14;

impl Cover {
    /// Adds an interval; one of no length is nothing.
    pub(crate) fn add(&mut self, start: i64, end: i64) {
        if start >= end {
            return;
        }
        // Events often come in order: widen the last interval where that is all there is to do.
        if let Some(last) = self.intervals.last_mut()
            && start >= last.0
            && start <= last.1
        {
            last.1 = last.1.max(end);
            return;
        }
        self.intervals.push((start, end));
        if self.intervals.len() > 2 * self.joined + PENDING {
            self.join();
        }
    }

    /// Sorts and joins what was added.
    pub(crate) fn join(&mut self) {
        if !self.intervals.is_sorted() {
            self.intervals.sort_unstable();
        }
        self.intervals.dedup_by(|next, kept| {
            let joins = next.0 <= kept.1;
            if joins {
                kept.1 = kept.1.max(next.1);
            }
            joins
        });
        self.joined = self.intervals.len();
    }

    /// The set of all the given intervals.
    pub(crate) fn of(intervals: impl IntoIterator<Item = Interval>) -> Self {
        let mut cover = Self {
            intervals: intervals.into_iter().filter(|(start, end)| start < end).collect(),
            ..Self::default()
        };
        cover.join();
        cover
    }

    /// The intervals, in order. The set must have been joined.
    pub(crate) fn intervals(&self) -> &[Interval] {
        &self.intervals
    }

    /// How long it is.
    pub(crate) fn length(&self) -> i64 {
        self.intervals.iter().map(|(start, end)| end - start).sum()
    }

    /// From its start to its end.
    pub(crate) fn hull(&self) -> i64 {
        self.intervals.first().zip(self.intervals.last()).map_or(0, |(first, last)| last.1 - first.0)
    }

    /// Both together.
    pub(crate) fn union(&self, other: &Self) -> Self {
        Self::of(self.intervals.iter().chain(&other.intervals).copied())
    }

    /// What is in both.
    pub(crate) fn intersection(&self, other: &Self) -> Self {
        let mut both = Vec::new();
        let (mut a, mut b) = (self.intervals.iter().peekable(), other.intervals.iter().peekable());
        while let (Some(&&(a_start, a_end)), Some(&&(b_start, b_end))) = (a.peek(), b.peek()) {
            let (start, end) = (a_start.max(b_start), a_end.min(b_end));
            if start < end {
                both.push((start, end));
            }
            if a_end < b_end {
                a.next();
            } else {
                b.next();
            }
        }
        Self { joined: both.len(), intervals: both, before: Vec::new() }
    }

    /// What is in this and not in the other.
    pub(crate) fn without(&self, other: &Self) -> Self {
        let mut rest = Vec::new();
        let mut others = other.intervals.iter().peekable();
        for &(mut start, end) in &self.intervals {
            while others.next_if(|other| other.1 <= start).is_some() {}
            let mut ahead = others.clone();
            while let Some(&(other_start, other_end)) = ahead.next_if(|other| other.0 < end) {
                if start < other_start {
                    rest.push((start, other_start));
                }
                start = start.max(other_end);
            }
            if start < end {
                rest.push((start, end));
            }
        }
        Self { joined: rest.len(), intervals: rest, before: Vec::new() }
    }

    /// Prepares a set that does not change any more to be asked for many stretches.
    pub(crate) fn index(&mut self) {
        let mut length = 0;
        self.before = self
            .intervals
            .iter()
            .map(|(start, end)| {
                let before = length;
                length += end - start;
                before
            })
            .collect();
    }

    /// How long it is between two times.
    pub(crate) fn length_within(&self, start: i64, end: i64) -> i64 {
        let first = self.intervals.partition_point(|interval| interval.1 <= start);
        let after = self.intervals.partition_point(|interval| interval.0 < end);
        let within = |&(a, b): &Interval| (b.min(end) - a.max(start)).max(0);
        // Only the first and the last interval may lie partly outside.
        match (self.before.get(first + 1), self.before.get(after.wrapping_sub(1))) {
            (Some(from), Some(to)) if after > first + 1 => {
                within(&self.intervals[first]) + (to - from) + within(&self.intervals[after - 1])
            }
            _ => self.intervals.get(first..after).unwrap_or_default().iter().map(within).sum(),
        }
    }

    /// Whether a time lies in it, its end included: what waits until then is woken then.
    pub(crate) fn touches(&self, time: i64) -> bool {
        let first = self.intervals.partition_point(|interval| interval.1 < time);
        self.intervals.get(first).is_some_and(|interval| interval.0 <= time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn intervals() -> impl Strategy<Value = Vec<Interval>> {
        proptest::collection::vec(
            (0_i64..60, 0_i64..9).prop_map(|(start, length)| (start, start + length)),
            0..12,
        )
    }

    fn points(cover: &Cover) -> Vec<i64> {
        (-1..80).filter(|t| cover.intervals().iter().any(|(a, b)| a <= t && t < b)).collect()
    }

    fn naive(given: &[Interval]) -> Vec<i64> {
        (-1..80).filter(|t| given.iter().any(|(a, b)| a <= t && t < b)).collect()
    }

    proptest! {
        /// Every operation against a list of single nanoseconds.
        #[test]
        fn sets_behave_as_sets(a in intervals(), b in intervals(), from in 0_i64..60, length in 0_i64..30) {
            let (x, y) = (Cover::of(a.iter().copied()), Cover::of(b.iter().copied()));
            let (p, q) = (naive(&a), naive(&b));
            prop_assert_eq!(points(&x), p.clone());
            prop_assert_eq!(usize::try_from(x.length()), Ok(p.len()));
            prop_assert_eq!(points(&x.union(&y)), naive(&[a.clone(), b.clone()].concat()));
            prop_assert_eq!(points(&x.intersection(&y)), p.iter().copied().filter(|t| q.contains(t)).collect::<Vec<_>>());
            prop_assert_eq!(points(&x.without(&y)), p.iter().copied().filter(|t| !q.contains(t)).collect::<Vec<_>>());
            let inside: Vec<i64> = p.iter().copied().filter(|t| (from..from + length).contains(t)).collect();
            prop_assert_eq!(usize::try_from(x.length_within(from, from + length)), Ok(inside.len()));
            let mut indexed = x.clone();
            indexed.index();
            prop_assert_eq!(usize::try_from(indexed.length_within(from, from + length)), Ok(inside.len()));
            let mut added = Cover::default();
            for (start, end) in a {
                added.add(start, end);
            }
            added.join();
            prop_assert_eq!(added.intervals(), x.intervals());
        }
    }
}
