//! When a number becomes a finding.

use std::sync::LazyLock;

use super::rows;

macro_rules! thresholds {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// The thresholds of `facts/diagnose/trace-thresholds.csv`, in the units named there.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Thresholds { $($(#[$doc])* pub $name: f64,)* }

        impl Thresholds {
            #[cfg(test)]
            const NAMES: &'static [&'static str] = &[$(stringify!($name),)*];

            /// A row that is missing gives a value that no number reaches, so that its rule stays silent.
            fn of(value: impl Fn(&str) -> Option<f64>) -> Self {
                Self { $($name: value(stringify!($name)).unwrap_or(f64::INFINITY),)* }
            }
        }
    };
}

thresholds! {
    /// Fewer kernels are a microbenchmark or an idle trace.
    kernels_at_least,
    /// Fewer different kernels are a microbenchmark.
    kernel_names_at_least,
    /// A smaller busy share is a trace without load.
    busy_at_least,
    /// Idle above this refutes `healthy`.
    idle_notable,
    /// Loader over steps.
    loader_share,
    /// The least share that a wait must take to be worth a warning.
    waiting_share,
    /// Idle after synchronising calls.
    sync_share,
    /// Idle while the host prepares launches.
    launch_share,
    /// A short kernel.
    short_kernel_us,
    /// A median kernel above this refutes launch-bound.
    long_kernel_us,
    /// A start later than this after its launch is not the launch's overhead.
    launch_delay_us,
    /// A slow call.
    long_call_us,
    /// Median of launches outstanding below which the host does not run ahead.
    queue_short,
    /// A gap longer than this is not the overhead of a launch.
    long_gap_us,
    /// Exposed communication over the time.
    exposed_communication_share,
    /// Poor overlap of communication with computing.
    overlap_low,
    /// Pageable copies to the device over the time.
    pageable_share,
    /// A rank's own time above the median: warning.
    straggler_warning,
    /// A rank's own time above the median: critical.
    straggler_critical,
    /// Share of steps in which it must be the same rank.
    straggler_steps,
    /// Idle and waiting in a pipeline.
    bubble_share,
    /// First steps over the median of the others.
    warmup_factor,
    /// Number of later steps that compile.
    recompile_steps,
    /// Idle while memory is allocated.
    allocation_share,
    /// Products over kernel time that make tensor cores matter.
    tensor_eligible_share,
    /// Share of products on tensor cores that counts as none.
    tensor_used_low,
    /// First compute capability (times ten) with tensor cores.
    tensor_capability,
    /// Likely share of a product's time that tensor cores save.
    tensor_kernel_gain,
    /// Kernels bound by memory over kernel time.
    memory_family_share,
    /// Idle above this: the device waits for something else than memory.
    memory_idle_at_most,
    /// Idle while a checkpoint is written or the model is evaluated.
    checkpoint_share,
    /// Copies to the host within a long gap that speak for a checkpoint.
    checkpoint_copy_share,
    /// A smaller change of the time is none.
    change_notable,
    /// Kernels' time in kernels of both traces below which they do other work.
    common_kernels,
    /// One gap of this share says nothing on the steady state.
    profile_gap_share,
}

/// The thresholds, parsed once.
pub fn thresholds() -> &'static Thresholds {
    static THRESHOLDS: LazyLock<Thresholds> = LazyLock::new(|| {
        let rows = rows("diagnose/trace-thresholds.csv");
        Thresholds::of(|name| {
            let row = rows.iter().find(|row| row.first().is_some_and(|first| first == name))?;
            row.get(1)?.parse().ok()
        })
    });
    &THRESHOLDS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_threshold_has_a_row_and_every_row_a_use() {
        let mut rows: Vec<String> =
            rows("diagnose/trace-thresholds.csv").into_iter().map(|row| row[0].clone()).collect();
        rows.sort();
        let mut names = Thresholds::NAMES.to_vec();
        names.sort_unstable();
        assert_eq!(rows, names);
        assert!(thresholds().kernels_at_least.is_finite());
    }
}
