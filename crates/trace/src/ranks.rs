//! Ranks of one job beside each other, step by step.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::measure::{Step, median_of};
use crate::{Micros, RankReport};

/// The ranks of a job, aligned by the steps that all of them recorded.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankComparison {
    /// One row a rank, by rank.
    pub ranks: Vec<RankRow>,
    /// Steps that every rank has; without steps the whole trace counts as one.
    pub steps_aligned: u64,
    /// The rank that most often does its own work longest; `None` without any difference.
    pub slowest: Option<i64>,
    /// In which share of the aligned steps it is this one.
    pub slowest_share_of_steps: f64,
    /// How much longer than the median rank it works by itself, as a share of the median.
    pub slowest_over_median: f64,
    /// What the others could gain at most: its extra time over the mean step.
    pub extra_share_of_step: f64,
}

/// One rank over the aligned steps.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RankRow {
    /// Number of the process in the job.
    pub rank: i64,
    /// What the input goes by.
    pub label: String,
    /// Mean step.
    pub step_us: Micros,
    /// Mean time of a step without exposed communication: what the rank does by itself.
    pub own_us: Micros,
    /// Mean exposed communication of a step: waiting for the others shows up here.
    pub exposed_comm_us: Micros,
}

/// A step of a rank: the whole, and the exposed communication.
type Pair = (i64, i64);

/// The rank that a file's name states, as profilers name their files: `rank-2`, `rank_2`, `rank2`.
pub fn rank_in_name(label: &str) -> Option<i64> {
    let name = label.rsplit(['/', '\\']).next()?.to_ascii_lowercase();
    let (_, after) = name.split_once("rank")?;
    let digits = after.trim_start_matches(['-', '_', '.']);
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().ok()
}

/// Compares ranks; `None` unless at least two different ranks have work of an accelerator.
pub(crate) fn compare_ranks(reports: &[RankReport]) -> Option<RankComparison> {
    let mut ranks: BTreeMap<i64, (&RankReport, BTreeMap<u64, Pair>)> = BTreeMap::new();
    for report in reports {
        if let (Some(rank), true) = (report.rank, report.split.is_some()) {
            ranks.entry(rank).or_insert_with(|| (report, steps_of(report)));
        }
    }
    if ranks.len() < 2 {
        return None;
    }
    let first = ranks.values().next().map(|(_, steps)| steps.keys().copied().collect::<Vec<_>>())?;
    let mut common: Vec<u64> =
        first.into_iter().filter(|step| ranks.values().all(|(_, steps)| steps.contains_key(step))).collect();
    if common.is_empty() {
        for (report, steps) in ranks.values_mut() {
            *steps = whole(report);
        }
        common = vec![0];
    }
    Some(comparison(&ranks, &common))
}

fn comparison(ranks: &BTreeMap<i64, (&RankReport, BTreeMap<u64, Pair>)>, common: &[u64]) -> RankComparison {
    let mut slowest_counts: BTreeMap<i64, u64> = BTreeMap::new();
    for step in common {
        let slowest =
            ranks.iter().max_by_key(|(_, (_, steps))| steps.get(step).map_or(0, |pair| pair.0 - pair.1));
        if let Some((rank, _)) = slowest {
            *slowest_counts.entry(*rank).or_default() += 1;
        }
    }
    let rows: Vec<RankRow> =
        ranks.iter().map(|(rank, (report, steps))| row(*rank, &report.label, steps, common)).collect();
    let slowest = slowest_counts.iter().max_by_key(|(_, count)| **count).map(|(rank, count)| (*rank, *count));
    let median = median_of(rows.iter().map(|row| row.own_us.ns()).collect()).unwrap_or(0);
    let own = slowest
        .and_then(|(rank, _)| rows.iter().find(|row| row.rank == rank))
        .map_or(0, |row| row.own_us.ns());
    let step = rows.iter().map(|row| row.step_us.ns()).max().unwrap_or(0);
    let extra = Micros::from_ns((own - median).max(0));
    RankComparison {
        steps_aligned: common.len() as u64,
        slowest: slowest.filter(|_| extra.ns() > 0).map(|(rank, _)| rank),
        slowest_share_of_steps: slowest.map_or(0.0, |(_, count)| count as f64 / common.len().max(1) as f64),
        slowest_over_median: extra.share_of(Micros::from_ns(median)),
        extra_share_of_step: extra.share_of(Micros::from_ns(step)),
        ranks: rows,
    }
}

fn row(rank: i64, label: &str, steps: &BTreeMap<u64, Pair>, common: &[u64]) -> RankRow {
    let pairs: Vec<Pair> = common.iter().filter_map(|step| steps.get(step).copied()).collect();
    let count = i128::try_from(pairs.len().max(1)).unwrap_or(1);
    let mean = |part: fn(&Pair) -> i64| {
        Micros::from_sum(pairs.iter().map(|pair| i128::from(part(pair))).sum::<i128>() / count)
    };
    RankRow {
        rank,
        label: label.to_owned(),
        step_us: mean(|pair| pair.0),
        own_us: mean(|pair| pair.0 - pair.1),
        exposed_comm_us: mean(|pair| pair.1),
    }
}

fn pair(step: &Step) -> Pair {
    (step.split.span_us.ns(), step.split.exposed_comm_us.ns())
}

fn steps_of(report: &RankReport) -> BTreeMap<u64, Pair> {
    report.step_list.iter().filter_map(|step| Some((step.number?, pair(step)))).collect()
}

fn whole(report: &RankReport) -> BTreeMap<u64, Pair> {
    report.split.map(|split| (0, (split.span_us.ns(), split.exposed_comm_us.ns()))).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_in_file_names() {
        assert_eq!(rank_in_name("/data/worker0.rank-2.pt.trace.json"), Some(2));
        assert_eq!(rank_in_name("mtia_inference_rank_0.json"), Some(0));
        assert_eq!(rank_in_name("trace.json"), None);
        assert_eq!(rank_in_name("ranking.json"), None);
    }
}
