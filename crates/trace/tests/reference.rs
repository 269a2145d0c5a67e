//! The numbers against a second, slow computation of the same definitions: time is a row of ticks, and each set of
//! events marks the ticks that it covers.
#![expect(clippy::unwrap_used, reason = "a test stops at the first trouble")]

mod support;

use maat_trace::{Micros, Numbers};
use proptest::prelude::*;
use support::measured;

/// A tick, so that times have three decimals.
const TICK_NS: i64 = 125;
/// Ticks of the longest trace.
const TICKS: usize = 700;

const CATEGORIES: &[&str] = &[
    "kernel",
    "Kernel",
    "kernel",
    "gpu_memcpy",
    "Memcpy",
    "gpu_memset",
    "Memset",
    "cuda_runtime",
    "Runtime",
    "hip_runtime",
    "cuda_driver",
    "cpu_op",
    "Operator",
    "user_annotation",
    "gpu_user_annotation",
    "overhead",
    "python_function",
    "ac2g",
];

const NAMES: &[&str] = &[
    "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
    "ncclKernel_AllReduce_RING_LL_Sum_float",
    "RCCL_generic",
    "multimem_all_reduce_kernel",
    "sgemm_128x64",
    "vectorized_elementwise_kernel<4>",
    "Memcpy HtoD (Pageable -> Device)",
    "Memcpy HtoD (Pinned -> Device)",
    "Memcpy DtoH (Device -> Pageable)",
    "cudaLaunchKernel",
    "cuLaunchKernelEx",
    "hipExtModuleLaunchKernel",
    "cudaGraphLaunch",
    "cudaStreamSynchronize",
    "hipDeviceSynchronize",
    "cudaEventSynchronize",
    "cudaMemcpy",
    "hipMemcpy",
    "cudaMemcpyAsync",
    "ProfilerStep#3",
    "ProfilerStep#4",
    "enumerate(DataLoader)#X.__next__",
    "aten::add",
];

#[derive(Clone, Debug)]
struct Event {
    category: &'static str,
    name: &'static str,
    complete: bool,
    start: i64,
    length: i64,
}

fn event() -> impl Strategy<Value = Event> {
    (0..CATEGORIES.len(), 0..NAMES.len(), 0..12_u8, 0..600_i64, 0..100_i64, any::<bool>()).prop_map(
        |(category, name, phase, start, length, long)| Event {
            category: CATEGORIES[category],
            name: NAMES[name],
            complete: phase > 0,
            start,
            length: if long { length } else { length % 4 - 1 },
        },
    )
}

fn text(events: &[Event], base: i64, list: bool) -> String {
    let us = |ns: i64| format!("{}{}.{:03}", if ns < 0 { "-" } else { "" }, ns.abs() / 1000, ns.abs() % 1000);
    let events: Vec<String> = events
        .iter()
        .map(|event| {
            let phase = if event.complete { "X" } else { "i" };
            let (ts, dur) = (us(base + event.start * TICK_NS), us(event.length * TICK_NS));
            format!(
                r#"{{"ph":"{phase}","cat":"{}","name":"{}","pid":1,"tid":2,"ts":{ts},"dur":{dur},"args":{{"stream":7}}}}"#,
                event.category, event.name
            )
        })
        .collect();
    let list_text = events.join(",");
    if list { format!("[{list_text}]") } else { format!("{{\"traceEvents\":[{list_text}]}}") }
}

/// The events that count, with their category in lower case.
struct Sets(Vec<(String, Event)>);

impl Sets {
    fn of(events: &[Event]) -> Self {
        let counts = events.iter().filter(|event| event.complete && event.length >= 0);
        Self(counts.map(|event| (event.category.to_lowercase(), event.clone())).collect())
    }

    fn filtered(&self, categories: &[&str], wanted: impl Fn(&str) -> bool) -> Vec<&Event> {
        let of = |row: &&(String, Event)| categories.contains(&row.0.as_str()) && wanted(row.1.name);
        self.0.iter().filter(of).map(|row| &row.1).collect()
    }
}

fn ticks(events: &[&Event]) -> Vec<bool> {
    let mut ticks = vec![false; TICKS];
    for event in events {
        ticks[event.start as usize..(event.start + event.length) as usize].fill(true);
    }
    ticks
}

fn us(ticks: i64) -> Micros {
    Micros::from_ns(ticks * TICK_NS)
}

fn sum(events: &[&Event]) -> Micros {
    us(events.iter().map(|event| event.length).sum())
}

/// Ticks of which the three sets say what is wanted.
fn counted(sets: [&[bool]; 3], wanted: impl Fn(bool, bool, bool) -> bool) -> Micros {
    let ticks = (0..TICKS).filter(|at| wanted(sets[0][*at], sets[1][*at], sets[2][*at])).count();
    us(i64::try_from(ticks).unwrap())
}

fn check(events: &[Event], n: &Numbers) {
    let sets = Sets::of(events);
    let is_comm = |name: &str| ["nccl", "rccl"].iter().any(|part| name.to_lowercase().contains(part));
    let kernels = sets.filtered(&["kernel"], |_| true);
    let comm = sets.filtered(&["kernel"], is_comm);
    let mut compute = sets.filtered(&["kernel"], |name| !is_comm(name));
    compute.extend(sets.filtered(&["gpu_memset", "memset"], |_| true));
    let copies = |part: &str| sets.filtered(&["gpu_memcpy", "memcpy"], |name| name.contains(part));
    let apis = ["cuda_runtime", "runtime", "cuda_driver", "hip_runtime"];
    let syncs = sets.filtered(&apis, |name| {
        ["StreamSynchronize", "DeviceSynchronize", "EventSynchronize"].iter().any(|part| name.contains(part))
            || name.ends_with("cudaMemcpy")
            || name.ends_with("hipMemcpy")
    });
    let host = ["cpu_op", "operator", "user_annotation"];
    let steps = sets.filtered(&host, |name| name.starts_with("ProfilerStep"));

    assert_eq!(n.events, events.len() as u64);
    assert_eq!(n.device_kernels, kernels.len() as u64);
    let short = kernels.iter().filter(|event| event.length * TICK_NS < 10_000).count();
    assert_eq!(n.short_kernels_lt_10us, short as u64);
    assert_eq!((n.kernel_sum_us, n.sync_api_us), (sum(&kernels), sum(&syncs)));
    assert_eq!(n.launch_calls, sets.filtered(&apis, |name| name.contains("LaunchKernel")).len() as u64);
    assert_eq!(n.steps, steps.len() as u64);

    let device: Vec<&Event> = compute.iter().chain(&comm).chain(&copies("")).copied().collect();
    let (a, b, c) = (ticks(&compute), ticks(&comm), ticks(&copies("")));
    let sets_of_time = [&a[..], &b[..], &c[..]];
    let counted = |wanted: fn(bool, bool, bool) -> bool| Some(counted(sets_of_time, wanted));
    if device.is_empty() {
        assert_eq!((n.window_us, n.busy_us, n.idle_us, n.h2d_us), (None, None, None, None));
        return;
    }
    let first = device.iter().map(|event| event.start).min().unwrap();
    let last = device.iter().map(|event| event.start + event.length).max().unwrap();
    assert_eq!(n.window_us, Some(us(last - first)));
    assert_eq!(n.busy_us, counted(|a, b, c| a || b || c));
    assert_eq!(n.compute_us, counted(|a, _, _| a));
    assert_eq!(n.comm_us, counted(|_, b, _| b));
    assert_eq!(n.exposed_comm_us, counted(|a, b, _| b && !a));
    assert_eq!(n.exposed_memcpy_us, counted(|a, b, c| c && !a && !b));
    assert_eq!(n.idle_us.unwrap().ns(), n.window_us.unwrap().ns() - n.busy_us.unwrap().ns());
    assert_eq!((n.h2d_us, n.d2h_us), (Some(sum(&copies("HtoD"))), Some(sum(&copies("DtoH")))));
    let pageable =
        sets.filtered(&["gpu_memcpy", "memcpy"], |name| name.contains("HtoD") && name.contains("Pageable"));
    assert_eq!(n.h2d_pageable_us, Some(sum(&pageable)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_numbers_are_those_of_a_slow_count(
        events in proptest::collection::vec(event(), 0..60),
        late in any::<bool>(),
        list in any::<bool>(),
    ) {
        // Near zero and at the absolute times of recordings, where a double has no room for nanoseconds.
        let base = if late { 1_712_867_402_348_289_125 } else { 0 };
        let report = measured(text(&events, base, list).as_bytes());
        check(&events, &report.numbers);
    }
}
