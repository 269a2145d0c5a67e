//! Threads that begin each repeat together.

use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Fewest and most repeats.
const REPEATS: (usize, usize) = (4, 400);

/// Seconds of repeats of a piece of work on all threads, for about so long. Each thread makes its own state first, so
/// that memory is near it; one more repeat before the others warms up.
///
/// A repeat lasts from the first thread's start to the last one's end, as the threads themselves saw it: a thread that
/// only watches may wake up late, and would see less.
pub(super) fn repeats<S>(
    threads: u32,
    budget: Duration,
    make: impl Fn(u32) -> S + Sync,
    work: impl Fn(&mut S) + Sync,
) -> Vec<f64> {
    let barrier = Barrier::new(threads as usize + 1);
    let stop = AtomicBool::new(false);
    let begin = Instant::now();
    let times: Vec<Vec<(f64, f64)>> = thread::scope(|scope| {
        let (barrier, stop, make, work) = (&barrier, &stop, &make, &work);
        let run = move |index: u32| {
            let mut state = make(index);
            let mut times = Vec::new();
            loop {
                barrier.wait();
                if stop.load(Ordering::Acquire) {
                    return times;
                }
                let start = begin.elapsed().as_secs_f64();
                work(&mut state);
                times.push((start, begin.elapsed().as_secs_f64()));
                barrier.wait();
            }
        };
        let team: Vec<_> = (0..threads).map(|index| scope.spawn(move || run(index))).collect();
        let mut first = None;
        for repeat in 0.. {
            let enough = repeat > REPEATS.0 && first.is_some_and(|first: Instant| first.elapsed() >= budget);
            let finished = enough || repeat > REPEATS.1;
            stop.store(finished, Ordering::Release);
            barrier.wait();
            if finished {
                break;
            }
            first.get_or_insert_with(Instant::now);
            barrier.wait();
        }
        team.into_iter().filter_map(|thread| thread.join().ok()).collect()
    });
    let repeats = times.iter().map(Vec::len).min().unwrap_or(0);
    // The first warms up.
    (1..repeats)
        .map(|repeat| {
            let start = times.iter().map(|times| times[repeat].0).fold(f64::INFINITY, f64::min);
            let end = times.iter().map(|times| times[repeat].1).fold(0.0, f64::max);
            end - start
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeat_lasts_as_long_as_its_slowest_thread() {
        let nap = Duration::from_millis(20);
        let seconds = repeats(
            3,
            Duration::ZERO,
            |index| index,
            |index| {
                if *index == 1 {
                    thread::sleep(nap);
                }
            },
        );
        assert!(seconds.len() >= REPEATS.0);
        assert!(seconds.iter().all(|seconds| *seconds >= nap.as_secs_f64()));
    }
}
