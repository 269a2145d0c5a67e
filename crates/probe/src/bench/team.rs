//! Threads that begin each repeat together.

use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Fewest and most repeats.
const REPEATS: (usize, usize) = (4, 400);

/// Seconds of repeats of a piece of work on all threads, for about so long. Each thread makes its own state first, so
/// that memory is near it; one more repeat before the others warms up.
pub(super) fn repeats<S>(
    threads: u32,
    budget: Duration,
    make: impl Fn(u32) -> S + Sync,
    work: impl Fn(&mut S) + Sync,
) -> Vec<f64> {
    let barrier = Barrier::new(threads as usize + 1);
    let stop = AtomicBool::new(false);
    let mut seconds = Vec::new();
    thread::scope(|scope| {
        for index in 0..threads {
            let (barrier, stop, make, work) = (&barrier, &stop, &make, &work);
            scope.spawn(move || {
                let mut state = make(index);
                loop {
                    barrier.wait();
                    if stop.load(Ordering::Acquire) {
                        break;
                    }
                    work(&mut state);
                    barrier.wait();
                }
            });
        }
        let mut begin = None;
        loop {
            let finished = begin.is_some_and(|begin: Instant| {
                let enough = seconds.len() > REPEATS.0 && begin.elapsed() >= budget;
                enough || seconds.len() > REPEATS.1
            });
            stop.store(finished, Ordering::Release);
            barrier.wait();
            if finished {
                break;
            }
            let start = Instant::now();
            begin.get_or_insert(start);
            barrier.wait();
            seconds.push(start.elapsed().as_secs_f64());
        }
    });
    seconds.drain(..1.min(seconds.len()));
    seconds
}
