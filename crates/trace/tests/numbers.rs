//! The numbers on small traces, by the definitions of the contract.
#![expect(clippy::unwrap_used, reason = "a test stops at the first trouble")]

mod support;

use maat_trace::{Collective, Container, Micros};
use support::{Trace, gzip, measured};

#[expect(clippy::unnecessary_wraps, reason = "most numbers may be unknown")]
fn us(value: f64) -> Option<Micros> {
    Some(Micros::from_ns((value * 1000.0).round() as i64))
}

/// The example of the definitions, all figures worked out by hand there.
fn example() -> Trace {
    let mut trace = Trace::new().gpu("NVIDIA H100 80GB HBM3", 9, 0);
    trace
        .step(3, 1000.0, 100.0)
        .host("user_annotation", "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__", 1001.0, 20.5)
        .host("cuda_runtime", "cudaLaunchKernel", 1022.0, 4.0)
        .host("cuda_runtime", "cudaStreamSynchronize", 1072.0, 15.25)
        .event("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", (1024.0, 8.0), (0, 7), "")
        .event("gpu_memset", "Memset (Device)", (1034.0, 1.5), (0, 7), "")
        .event("kernel", "sgemm_128x64", (1036.0, 30.125), (0, 7), "")
        .event("kernel", "ncclDevKernel_AllReduce_Sum_f32_RING_LL", (1060.0, 20.0), (0, 20), "")
        .event("kernel", "vectorized_elementwise_kernel", (1070.0, 4.875), (0, 7), "");
    trace
}

fn check_example(text: &[u8]) {
    let report = measured(text);
    let n = &report.numbers;
    assert_eq!(n.window_us, us(56.0));
    assert_eq!(n.busy_us, us(53.5));
    assert_eq!(n.idle_us, us(2.5));
    assert_eq!((n.idle_pct, n.compute_pct), (Some(4.464), Some(65.179)));
    assert_eq!(n.compute_us, us(36.5));
    assert_eq!(n.comm_us, us(20.0));
    assert_eq!(n.exposed_comm_us, us(9.0));
    assert_eq!(n.overlap_pct_of_comm, Some(55.0));
    assert_eq!(n.exposed_memcpy_us, us(8.0));
    assert_eq!((n.h2d_us, n.h2d_pageable_us, n.d2h_us), (us(8.0), us(8.0), us(0.0)));
    assert_eq!((n.device_kernels, n.short_kernels_lt_10us), (3, 1));
    assert_eq!(Some(n.kernel_sum_us), us(55.0));
    assert_eq!(Some(n.sync_api_us), us(15.25));
    assert_eq!((n.launch_calls, n.steps), (1, 1));
    assert_eq!(n.step_avg_us, us(100.0));
    assert_eq!(n.dataloader_share_of_steps, Some(0.205));
    assert_eq!(n.events, 9);
    assert_eq!(report.collectives[0].kind, Collective::AllReduce);
    let split = report.split.unwrap();
    // The step is the span: 44 µs of idle outside the window join the 2.5 within.
    assert_eq!(split.span_us, us(100.0).unwrap());
    assert_eq!(split.idle_us, us(46.5).unwrap());
    assert_eq!(report.waits.total(), split.idle_us);
    assert_eq!(Some(report.waits.loader_us), us(20.5));
}

#[test]
fn the_worked_example_of_the_definitions() {
    let trace = example();
    check_example(trace.json().as_bytes());
    check_example(&gzip(trace.json().as_bytes()));
    let text = trace.json();
    let two_members = [gzip(&text.as_bytes()[..500]), gzip(&text.as_bytes()[500..])].concat();
    check_example(&two_members);
    assert_eq!(measured(text.as_bytes()).numbers.container, Container::Object);
    assert_eq!(measured(text.as_bytes()).numbers.gpu.as_deref(), Some("NVIDIA H100 80GB HBM3"));
}

#[test]
fn a_bare_list_with_old_names_is_the_same() {
    let text = example()
        .list()
        .replace("\"kernel\"", "\"Kernel\"")
        .replace("gpu_memcpy", "Memcpy")
        .replace("gpu_memset", "Memset")
        .replace("cuda_runtime", "Runtime")
        .replace("user_annotation", "Operator");
    check_example(text.as_bytes());
    assert_eq!(measured(text.as_bytes()).numbers.container, Container::Array);
    assert_eq!(measured(text.as_bytes()).numbers.gpu, None);
}

#[test]
fn order_of_keys_and_of_events_does_not_matter() {
    let mut events: Vec<&str> = Vec::new();
    let list = example().list();
    let inner = &list[1..list.len() - 1];
    events.extend(inner.split("},{").map(|event| event.trim_start_matches('{').trim_end_matches("}}")));
    events.reverse();
    let turned: Vec<String> = events
        .iter()
        .map(|event| {
            let (front, args) = event.split_once("\"args\":{").unwrap();
            let mut keys: Vec<&str> = front.trim_end_matches(',').split(",\"").collect();
            keys.reverse();
            let keys: Vec<String> =
                keys.iter().map(|key| format!("\"{}", key.trim_start_matches('"'))).collect();
            format!("{{ \"args\" : {{{}}},\n {} }}", args.trim_end_matches('}'), keys.join(" ,\t"))
        })
        .collect();
    check_example(format!("[{}]", turned.join(" , ")).as_bytes());
}

#[test]
fn nanoseconds_survive_at_absolute_times() {
    // 1.7e15 µs plus 1 ns: a double would lose it.
    let mut trace = Trace::new();
    trace
        .raw(r#"{"ph":"X","cat":"kernel","name":"a","ts":1712867402348289.000,"dur":0.001}"#)
        .raw(r#"{"ph":"X","cat":"kernel","name":"b","ts":1712867402348289.002,"dur":1e-3}"#);
    let n = trace.report().numbers;
    assert_eq!(n.window_us, Some(Micros::from_ns(3)));
    assert_eq!(n.idle_us, Some(Micros::from_ns(1)));
}

#[test]
fn what_cannot_be_read_is_left_out_and_counted() {
    let mut trace = example();
    trace
        .raw(r#"{"ph":"X","cat":"kernel","name":"x","ts":1,"dur":-5}"#)
        .raw(r#"{"ph":"X","cat":"kernel","name":"x","ts":NaN,"dur":5}"#)
        .raw(r#"{"ph":"X","cat":"kernel","name":"x","ts":1,"dur":1e300}"#)
        .raw(r#"{"ph":"X","cat":"kernel","name":"x","ts":"soon","dur":1}"#)
        .raw(r#"{"ph":"X","cat":"kernel","name":"x","ts":1}"#)
        .raw(r#"{"ph":"i","cat":"kernel","name":"x","ts":1,"dur":1}"#)
        .raw("7")
        .raw("null");
    let report = trace.report();
    assert_eq!(report.numbers.events, 17);
    assert_eq!(report.numbers.device_kernels, 3);
    assert_eq!(report.numbers.window_us, us(56.0));
    assert_eq!((report.marks.events_negative, report.marks.events_unreadable), (1, 3));
}

#[test]
fn a_trace_of_the_host_alone_has_no_window() {
    let mut trace = Trace::new();
    trace.step(1, 0.0, 10.0).host("cpu_op", "aten::add", 1.0, 2.0);
    let report = trace.report();
    assert_eq!(report.numbers.window_us, None);
    assert_eq!(report.numbers.h2d_us, None);
    assert_eq!(report.numbers.device_kernels, 0);
    assert_eq!(report.numbers.steps, 1);
    assert!(report.split.is_none());
}

#[test]
fn loader_time_without_steps_stands_by_itself() {
    let mut trace = Trace::new();
    trace.host("user_annotation", "enumerate(DataLoader)#X.__next__", 0.0, 12.0);
    let n = trace.report().numbers;
    assert_eq!((n.dataloader_share_of_steps, n.dataloader_us), (None, us(12.0)));
}

#[test]
fn amd_names_count_as_their_cuda_kin() {
    let mut trace = Trace::new();
    trace
        .work(("hipExtModuleLaunchKernel", "kernel", "Cijk_MI16x16"), (0.0, 2.0), (5.0, 9.0), 0)
        .host("cuda_runtime", "hipDeviceSynchronize", 3.0, 12.0)
        .host("hip_runtime", "hipMemcpy", 20.0, 1.0)
        .host("cuda_runtime", "hipMemcpyAsync", 30.0, 1.0)
        .event("kernel", "rcclGenericKernel", (16.0, 4.0), (0, 3), "");
    let report = trace.report();
    assert_eq!(report.numbers.launch_calls, 1);
    assert_eq!(Some(report.numbers.sync_api_us), us(13.0));
    assert_eq!(report.numbers.comm_us, us(4.0));
    assert_eq!(report.tensor_cores.used_share, Some(1.0));
    assert_eq!(report.tensor_cores.capability, None, "the number in an AMD file is no compute capability");
}

#[test]
fn streams_and_devices_are_joined_for_the_window_and_listed_apart() {
    let mut trace = Trace::new();
    trace
        .event("kernel", "a", (0.0, 10.0), (0, 7), r#""device":0,"stream":7"#)
        .event("kernel", "a", (5.0, 10.0), (1, 9), r#""device":1,"stream":9"#)
        .event("kernel", "a", (20.0, 1.0), (0, 7), r#""device":0,"stream":7"#);
    let report = trace.report();
    assert_eq!(report.numbers.busy_us, us(16.0));
    assert_eq!(Some(report.numbers.kernel_sum_us), us(21.0));
    let streams: Vec<_> = report.streams.iter().map(|row| (row.device, row.stream, row.busy_us)).collect();
    assert_eq!(streams, [(0, 7, us(11.0).unwrap()), (1, 9, us(10.0).unwrap())]);
}

#[test]
fn the_queue_and_the_launches() {
    let mut trace = Trace::new();
    // Three launches ahead of the first kernel's start, then each kernel after the other.
    for index in 0..3 {
        let at = f64::from(index);
        trace.kernel("a", (at * 2.0, 1.0), (10.0 + at * 20.0, 20.0));
    }
    let launches = trace.report().launches;
    assert_eq!((launches.count, launches.queue_max, launches.queue_median), (3, Some(3), Some(2.0)));
    assert_eq!(launches.call_median_us, us(1.0));
    // Delays are 9, 27 and 45 µs.
    assert_eq!(launches.delay_median_us, us(27.0));
    assert_eq!(launches.kernel_median_us, us(20.0));
}

#[test]
fn kernels_copies_and_families_by_time() {
    let mut trace = Trace::new();
    trace
        .event("kernel", "volta_sgemm_64x64_nt", (0.0, 30.0), (0, 7), "")
        .event("kernel", "volta_sgemm_64x64_nt", (30.0, 10.0), (0, 7), "")
        .event("kernel", "vectorized_elementwise_kernel", (40.0, 10.0), (0, 7), "")
        .event("gpu_memcpy", "Memcpy DtoH (Device -> Pinned)", (50.0, 2.0), (0, 7), r#""bytes":4000"#);
    let report = trace.report();
    let first = &report.kernels[0];
    assert_eq!(
        (first.count, first.total_us, first.mean_us, first.share),
        (2, us(40.0).unwrap(), us(20.0).unwrap(), 0.8)
    );
    assert_eq!(first.tensor_cores, Some(false));
    assert_eq!(report.families[0].share, 0.8);
    assert_eq!(report.copies[0].size_bytes, Some(4000));
    assert_eq!(report.copies[0].bytes_per_s, Some(2e9));
    assert_eq!(report.numbers.d2h_us, us(2.0));
}
