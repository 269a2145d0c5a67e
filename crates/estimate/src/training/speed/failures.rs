//! Failures and checkpoints: how much longer a job takes than its steps alone.
//!
//! Daly 2006, "A higher order estimate of the optimum checkpoint interval for restart dumps": with a mean time between
//! failures `M`, a write of `w` and a restart of `R`, work of `T` done in stretches of `t` takes
//! `M e^(R/M) (e^((t + w)/M) - 1) T / t`; the best stretch is `sqrt(2 w M) (1 + sqrt(w / 2M) / 3 + w / 18M) - w`.

use serde::Serialize;

use crate::Memory;
use crate::rules::TrainingEfficiency;
use crate::training::TrainJob;

/// How often a job is saved, and what failures cost it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Checkpoints {
    /// Seconds from one checkpoint to the next.
    pub interval_s: f64,
    /// Seconds that writing one stops the work.
    pub write_s: f64,
    /// Mean seconds between failures of the whole machine.
    pub failure_every_s: f64,
    /// The job's time over that of its steps alone.
    pub stretch: f64,
}

impl Checkpoints {
    /// For a job of so many seconds of steps on so many accelerators.
    pub(super) fn of(
        job: &TrainJob,
        memory: &Memory,
        framework: &TrainingEfficiency,
        accelerators: f64,
    ) -> Self {
        let nodes = job.machine.map_or(1.0, |machine| f64::from(machine.nodes.max(1)));
        let bytes = memory.disk_bytes.unwrap_or_default().as_f64();
        let write = (bytes / (nodes * framework.checkpoint_bytes_per_s)).max(1.0);
        let mean = framework.failure_hours * 3600.0 / accelerators.max(1.0);
        let restart = framework.restart_s;
        let stretch_of = |t: f64| mean * (restart / mean).exp() * (((t + write) / mean).exp() - 1.0) / t;
        let interval = if write < 2.0 * mean {
            let root = (write / (2.0 * mean)).sqrt();
            (2.0 * write * mean).sqrt() * (1.0 + root / 3.0 + write / (18.0 * mean)) - write
        } else {
            mean
        };
        let interval = interval.max(1.0);
        Self { interval_s: interval, write_s: write, failure_every_s: mean, stretch: stretch_of(interval) }
    }
}

#[cfg(test)]
mod tests {
    /// With a write of 5 minutes, a restart of 10 and a failure every 24 hours the best stretch is 7,001 s by hand, shorter
    /// and longer ones are worse, and the job takes 9.6 % longer.
    #[test]
    fn the_formula_of_the_paper() {
        let (write, mean, restart) = (300.0_f64, 86_400.0_f64, 600.0_f64);
        let root = (write / (2.0 * mean)).sqrt();
        let t = (2.0 * write * mean).sqrt() * (1.0 + root / 3.0 + write / (18.0 * mean)) - write;
        assert!((t - 7001.4).abs() < 0.1, "{t}");
        let takes = |t: f64| mean * (restart / mean).exp() * (((t + write) / mean).exp() - 1.0) / t;
        assert!(takes(t) < takes(t * 0.8) && takes(t) < takes(t * 1.25));
        assert!((takes(t) - 1.0958).abs() < 0.0001, "{}", takes(t));
    }
}
