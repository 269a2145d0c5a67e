//! `all_reduce_perf` and the other programs of nccl-tests and rccl-tests.

use std::collections::BTreeSet;

use super::{Block, Format, Label, Part, Samples, Signal, value};

/// nccl-tests.
pub const FORMAT: Format = Format {
    kind: "nccl-tests",
    begins: |lines, at| {
        let text = lines[at].text;
        text.starts_with('#')
            && (text.contains("nThread ") && text.contains("minBytes") || text.contains("busbw"))
    },
    length: None,
    read,
    holds_logs: true,
};

fn read(block: &Block<'_>, samples: &mut Samples) {
    let (mut ranks, mut columns) = (0.0, 0);
    let mut hosts: BTreeSet<&str> = BTreeSet::new();
    for &line in block.lines {
        if let Some(rest) = line.text.trim_start_matches(['#', ' ']).strip_prefix("Rank ") {
            ranks += 1.0;
            if let Some(host) = rest.split(" on ").nth(1).and_then(|rest| rest.split_whitespace().next()) {
                hosts.insert(host);
            }
            continue;
        }
        let words: Vec<&str> = line.text.split_whitespace().collect();
        if words.contains(&"#wrong") {
            columns = words.iter().filter(|word| **word != "#").count();
        }
        if words.len() < 8 || words.iter().take(2).any(|word| value::number(word).is_none()) {
            continue;
        }
        // size, count, type, (reduction), (root), then time (us), algorithm and bus bandwidth (GB/s), wrong.
        let Some(at) = words.iter().skip(2).position(|word| word.contains('.')).map(|at| at + 2) else {
            continue;
        };
        let numbers: Vec<f64> =
            words[at.saturating_sub(1)..].iter().filter_map(|word| value::number(word)).collect();
        let start = usize::from(
            value::number(words[at]).is_some_and(|_| words[at - 1].parse::<i64>().is_ok_and(|root| root < 0)),
        );
        let Some(&[time, _, bus]) = numbers.get(start..start + 3).and_then(|part| part.first_chunk::<3>())
        else {
            continue;
        };
        let mut row = block.row(Part::Collective, words[0], line);
        row.set(Signal::CollectiveBytes, value::number(words[0]).unwrap_or(0.0));
        row.set(Signal::CollectiveS, time * 1e-6);
        row.set(Signal::BusBandwidthBytesPerS, bus * 1e9);
        if let Some(wrong) = wrong(&words, columns) {
            row.set(Signal::CollectiveWrong, wrong);
        }
        if ranks > 0.0 {
            row.set(Signal::Ranks, ranks);
        }
        if !hosts.is_empty() {
            row.tag(Label::Name, format!("{}", hosts.len()));
        }
        samples.push(row);
    }
}

/// Elements with a wrong result: the last of the `columns`, and the fourth before it where both ways were measured.
/// Nothing where results were not compared (`N/A`), and of a row that was cut off.
fn wrong(words: &[&str], columns: usize) -> Option<f64> {
    if words.len() != columns {
        return None;
    }
    let count = |from_end: usize| {
        let word = words.len().checked_sub(from_end).and_then(|at| words.get(at))?;
        value::number(word).filter(|_| !word.contains('.'))
    };
    count(1).map(|last| last.max(count(5).unwrap_or(0.0)))
}
