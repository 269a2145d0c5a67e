//! Memory and caches: STREAM triad (J. McCalpin, cs.virginia.edu/stream) and reading alone.

use std::hint::black_box;
use std::time::Duration;

use super::{CacheResult, Reading, team};
use crate::machine::Seen;

/// Arrays are at least so many times the last-level cache (STREAM's run rules).
const TIMES_CACHE: u64 = 4;
/// Smallest and largest array, all threads together.
const ARRAY_BYTES: (u64, u64) = (64 << 20, 2 << 30);
/// Cache of machines that say none.
const USUAL_CACHE_BYTES: u64 = 64 << 20;
/// Bytes of an item.
const ITEM: u64 = 8;

/// Triad, reading, and reading on one thread; `None` where there is not enough free memory for arrays that no cache holds.
pub(super) fn measure(threads: u32, seen: &Seen, budget: Duration) -> [Option<Reading>; 3] {
    let cache = seen.processor.last_cache_bytes().unwrap_or(USUAL_CACHE_BYTES);
    let wanted = cache.saturating_mul(TIMES_CACHE).clamp(ARRAY_BYTES.0, ARRAY_BYTES.1);
    let group = seen
        .limits
        .memory_bytes
        .map(|limit| limit.saturating_sub(seen.limits.memory_used_bytes.unwrap_or(0)));
    // What is free of the memory, a quarter of it left alone.
    let free = [seen.memory.available_bytes, group]
        .into_iter()
        .flatten()
        .min()
        .map_or(ARRAY_BYTES.0 * 3, |free| free / 4 * 3);
    let bytes = wanted.min(free / 3);
    if bytes <= cache {
        return [None, None, None];
    }
    let items = (bytes / ITEM / u64::from(threads)) as usize;
    let triad = team::repeats(
        threads,
        budget,
        |_| (vec![0.0_f64; items], vec![1.0_f64; items], vec![2.0_f64; items]),
        |(a, b, c)| {
            triad(a, b, c, 3.0);
            black_box(a.first());
        },
    );
    let read = team::repeats(
        threads,
        budget,
        |thread| vec![u64::from(thread) | 1; items],
        |a| {
            black_box(sum(a));
        },
    );
    let all = items as f64 * f64::from(threads) * ITEM as f64;
    let one = bytes / ITEM;
    let alone = team::repeats(
        1,
        budget / 2,
        |_| vec![1_u64; one as usize],
        |a| {
            black_box(sum(a));
        },
    );
    [Reading::of(all * 3.0, &triad), Reading::of(all, &read), Reading::of((one * ITEM) as f64, &alone)]
}

/// Reading out of each cache that is known, from the second level.
pub(super) fn caches(threads: u32, seen: &Seen, budget: Duration) -> Vec<CacheResult> {
    let levels = seen.processor.caches.iter().filter(|cache| cache.kind != "Instruction" && cache.level >= 2);
    let result = |cache: &crate::machine::CacheSeen| {
        let sharers = (threads / cache.count.max(1)).max(1);
        let bytes = cache.bytes / 2 / u64::from(sharers);
        let items = (bytes / ITEM) as usize;
        let rounds = ((16 << 20) / bytes.max(1)).max(1);
        let seconds = team::repeats(
            threads,
            budget,
            |thread| vec![u64::from(thread) | 1; items],
            |a| {
                for _ in 0..rounds {
                    black_box(sum(black_box(a)));
                }
            },
        );
        let work = items as f64 * ITEM as f64 * rounds as f64 * f64::from(threads);
        Some(CacheResult {
            level: cache.level,
            working_set_bytes: bytes,
            bytes_per_s: Reading::of(work, &seconds)?,
        })
    };
    levels.filter(|cache| cache.bytes >= 1 << 16).filter_map(result).collect()
}

fn triad(a: &mut [f64], b: &[f64], c: &[f64], scalar: f64) {
    for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
        *a = b + scalar * c;
    }
}

/// Several sums at once, so that the additions do not wait for each other.
fn sum(items: &[u64]) -> u64 {
    let mut sums = [0_u64; 32];
    let chunks = items.chunks_exact(32);
    let rest: u64 = chunks.remainder().iter().fold(0, |sum, item| sum ^ item);
    for chunk in chunks {
        for (sum, item) in sums.iter_mut().zip(chunk) {
            *sum ^= item;
        }
    }
    sums.iter().fold(rest, |sum, item| sum ^ item)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_is_done() {
        let mut a = vec![0.0; 5];
        triad(&mut a, &[1.0; 5], &[2.0; 5], 3.0);
        assert_eq!(a, [7.0; 5]);
        let items: Vec<u64> = (0..100).collect();
        assert_eq!(sum(&items), items.iter().fold(0, |sum, item| sum ^ item));
    }
}
