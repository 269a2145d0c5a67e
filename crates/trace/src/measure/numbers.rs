//! The numbers of the contract.

use serde::Serialize;

use super::Layers;
use crate::micros::rounded;
use crate::read::Timeline;
use crate::{Container, Micros};

/// The numbers of one trace. Times are sums of durations where the name says so (`kernel_sum_us`, `h2d_us`,
/// `h2d_pageable_us`, `d2h_us`, `sync_api_us`, the steps) and lengths of unions over all streams and devices elsewhere.
/// Without work of an accelerator, the fields from `window_us` to `d2h_us` are `None`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Numbers {
    /// Length of the array of events, all phases.
    pub events: u64,
    /// How the events were wrapped.
    pub container: Container,
    /// Kernels, communication included.
    pub device_kernels: u64,
    /// Kernels shorter than 10 µs.
    pub short_kernels_lt_10us: u64,
    /// Sum of the kernels' durations.
    pub kernel_sum_us: Micros,
    /// First start to last end of the accelerator's work.
    pub window_us: Option<Micros>,
    /// Union of the accelerator's work.
    pub busy_us: Option<Micros>,
    /// Window without busy.
    pub idle_us: Option<Micros>,
    /// Idle in percent of the window.
    pub idle_pct: Option<f64>,
    /// Union of kernels other than communication, and fills.
    pub compute_us: Option<Micros>,
    /// Computing in percent of the window.
    pub compute_pct: Option<f64>,
    /// Union of NCCL's and RCCL's kernels.
    pub comm_us: Option<Micros>,
    /// Communication while nothing computes.
    pub exposed_comm_us: Option<Micros>,
    /// Copies while nothing else runs.
    pub exposed_memcpy_us: Option<Micros>,
    /// Percent of communication hidden by computing; `None` without communication.
    pub overlap_pct_of_comm: Option<f64>,
    /// Sum of copies to the device.
    pub h2d_us: Option<Micros>,
    /// The part of it from pageable memory.
    pub h2d_pageable_us: Option<Micros>,
    /// Sum of copies to the host.
    pub d2h_us: Option<Micros>,
    /// Sum of synchronising calls.
    pub sync_api_us: Micros,
    /// Calls that launch one kernel each.
    pub launch_calls: u64,
    /// Steps of the profiler.
    pub steps: u64,
    /// Mean step; `None` without steps.
    pub step_avg_us: Option<Micros>,
    /// Loader over steps, 0 to 1; `None` without steps.
    pub dataloader_share_of_steps: Option<f64>,
    /// Sum of the loader's spans where there are no steps to hold it against.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dataloader_us: Option<Micros>,
    /// Name of the first accelerator; `None` when the file does not say.
    pub gpu: Option<String>,
}

impl Numbers {
    pub(crate) fn of(line: &Timeline, layers: &Layers) -> Self {
        let sums = &line.sums;
        let length = |cover: &crate::cover::Cover| layers.window.map(|_| Micros::from_ns(cover.length()));
        let window = layers.window.map(|(start, end)| Micros::from_ns(end - start));
        let busy = layers.busy.length();
        let communication = layers.communication.length();
        let exposed = layers.exposed_communication.length();
        let sum = |ns| layers.window.map(|_| Micros::from_sum(ns));
        let percent = |part: Micros| {
            window.filter(|window| window.ns() > 0).map(|window| rounded(100.0 * part.share_of(window), 3))
        };
        let idle = window.map(|window| Micros::from_ns(window.ns() - busy));
        let steps = i128::from(sums.steps);
        Self {
            events: sums.events,
            container: line.container,
            device_kernels: sums.kernels,
            short_kernels_lt_10us: sums.short_kernels,
            kernel_sum_us: Micros::from_sum(sums.kernel_ns),
            window_us: window,
            busy_us: length(&layers.busy),
            idle_us: idle,
            idle_pct: idle.and_then(percent),
            compute_us: length(&layers.compute),
            compute_pct: length(&layers.compute).and_then(percent),
            comm_us: length(&layers.communication),
            exposed_comm_us: length(&layers.exposed_communication),
            exposed_memcpy_us: length(&layers.exposed_copies),
            overlap_pct_of_comm: (communication > 0)
                .then(|| rounded(100.0 * (1.0 - exposed as f64 / communication as f64), 3)),
            h2d_us: sum(sums.to_device_ns),
            h2d_pageable_us: sum(sums.pageable_ns),
            d2h_us: sum(sums.to_host_ns),
            sync_api_us: Micros::from_sum(sums.sync_ns),
            launch_calls: sums.launch_calls,
            steps: sums.steps,
            step_avg_us: (steps > 0).then(|| Micros::from_sum((2 * sums.step_ns + steps) / (2 * steps))),
            dataloader_share_of_steps: (sums.step_ns > 0)
                .then(|| rounded(sums.loader_ns as f64 / sums.step_ns as f64, 4)),
            dataloader_us: (steps == 0 && sums.loader_ns > 0).then(|| Micros::from_sum(sums.loader_ns)),
            gpu: line.header.devices.first().and_then(|device| device.name.clone()),
        }
    }
}
