//! One planted fault a trace: it must be named first, with a bound, and not be named where it is not.
#![expect(clippy::unwrap_used, reason = "a test stops at the first trouble")]

mod support;

use maat_trace::{Confidence, Judgement, Lack, Resource, judge};
use support::{KERNELS, Trace, job, steps};

/// The share of the time that the first finding can save at most.
fn bound(judgement: &Judgement) -> f64 {
    judgement.findings[0].gain.as_ref().unwrap().at_most
}

/// The judgement, whose first code must be the given one, found with several signals.
fn first(trace: &Trace, code: &str) -> Judgement {
    let judgement = trace.judged();
    assert_eq!(judgement.verdict.code, code, "{:?}", judgement.ranking);
    assert_eq!(judgement.ranking[0].confidence, Confidence::High, "{:?}", judgement.ranking);
    let finding = &judgement.findings[0];
    assert!(!finding.evidence.is_empty() && !finding.refuted_by.is_empty() && finding.fix.is_some());
    assert!(finding.evidence.iter().all(|evidence| evidence.place == "trace.json"));
    judgement
}

fn busy() -> Trace {
    let mut trace = Trace::new().gpu("NVIDIA A100-SXM4-80GB", 8, 0);
    steps(&mut trace, 6, 40, 50.0, 0.0, |_, _| {});
    trace
}

#[test]
fn a_busy_accelerator_is_healthy() {
    let judgement = busy().judged();
    assert_eq!(judgement.verdict.code, "healthy", "{:?}", judgement.ranking);
    assert_eq!(judgement.verdict.ok, Some(true));
}

#[test]
fn a_loader_that_holds_up_each_step() {
    let mut trace = Trace::new().gpu("NVIDIA A100-SXM4-80GB", 8, 0);
    // 2,000 µs of work and 1,000 of waiting a step.
    steps(&mut trace, 6, 40, 50.0, 1000.0, |trace, at| {
        trace.host(
            "user_annotation",
            "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__",
            at,
            990.0,
        );
    });
    let judgement = first(&trace, "data-loader-wait");
    assert!((bound(&judgement) - 0.33).abs() < 0.01, "{}", bound(&judgement));
    assert!(judgement.after_first.is_empty(), "{:?}", judgement.after_first);
    let steps = &trace.report().step_list;
    assert_eq!((steps.len(), steps[2].critical), (6, Resource::Compute));
}

#[test]
fn a_loader_that_is_hidden_is_no_fault() {
    let mut trace = busy();
    for step in 0..6 {
        trace.host(
            "user_annotation",
            "enumerate(DataLoader)#X.__next__",
            f64::from(step) * 2000.0 + 600.0,
            900.0,
        );
    }
    assert_eq!(trace.judged().verdict.code, "healthy");
}

/// A value is read back after every kernel, and the accelerator waits for the next launch.
fn reading_back() -> Trace {
    let mut trace = Trace::new().gpu("NVIDIA A100-SXM4-80GB", 8, 0);
    for index in 0..200_u32 {
        let at = f64::from(index) * 400.0;
        trace
            .kernel(KERNELS[index as usize % 4], (at, 5.0), (at + 8.0, 300.0))
            .host("cpu_op", "aten::item", at + 20.0, 292.0)
            .work(
                ("cudaMemcpyAsync", "gpu_memcpy", "Memcpy DtoH (Device -> Pageable)"),
                (at + 21.0, 6.0),
                (at + 308.5, 1.0),
                7,
            )
            .host("cuda_runtime", "cudaStreamSynchronize", at + 28.0, 284.0);
    }
    trace
}

#[test]
fn values_read_back_in_the_loop() {
    let judgement = first(&reading_back(), "host-device-sync");
    // 98.5 of 400 µs are idle: from 309.5 to 408.
    assert!((bound(&judgement) - 0.246).abs() < 0.01, "{}", bound(&judgement));
}

#[test]
fn waiting_for_queued_work_is_no_fault() {
    let mut trace = busy();
    // The host waits while the accelerator works on, and has launched ahead.
    for step in 0..6 {
        trace.host("cuda_runtime", "cudaStreamSynchronize", f64::from(step) * 2000.0 + 300.0, 1500.0);
    }
    trace.host("cuda_runtime", "cudaDeviceSynchronize", 11_000.0, 1000.0);
    assert_eq!(trace.judged().verdict.code, "healthy");
}

/// Kernels of 4 µs, one every 12 µs, each launched just before.
fn slow_launches() -> Trace {
    let mut trace = Trace::new().gpu("NVIDIA A100-SXM4-80GB", 8, 0);
    for index in 0..400_u32 {
        let at = f64::from(index) * 12.0;
        trace.host("cpu_op", "aten::mul", at, 11.0).kernel(
            KERNELS[index as usize % 4],
            (at + 3.0, 5.0),
            (at + 9.0, 4.0),
        );
    }
    trace
}

#[test]
fn launches_slower_than_kernels() {
    let judgement = first(&slow_launches(), "launch-bound");
    assert!((bound(&judgement) - 2.0 / 3.0).abs() < 0.01, "{}", bound(&judgement));
    assert_eq!(judgement.ranking[0].signals, 3);
}

#[test]
fn copies_from_pageable_memory() {
    let mut trace = Trace::new().gpu("NVIDIA A100-SXM4-80GB", 8, 0);
    steps(&mut trace, 6, 40, 50.0, 400.0, |trace, at| {
        // The call prepares the copy for 200 µs while nothing runs; the copy takes 180.
        trace.work(
            ("cudaMemcpyAsync", "gpu_memcpy", "Memcpy HtoD (Pageable -> Device)"),
            (at + 1.0, 385.0),
            (at + 200.0, 180.0),
            7,
        );
    });
    let judgement = first(&trace, "h2d-pageable");
    assert!((0.15..0.18).contains(&bound(&judgement)), "{}", bound(&judgement));
    let pinned = trace.json().replace("Pageable", "Pinned");
    let report = support::measured(pinned.as_bytes());
    assert_eq!(report.numbers.h2d_pageable_us.unwrap().ns(), 0);
}

/// Kernels, then communication that nothing hides, `hidden` µs of which run beside a kernel.
fn communicating(name: &str, exposed: f64, hidden: f64) -> Trace {
    let mut trace = Trace::new().gpu("NVIDIA A100-SXM4-80GB", 8, 0);
    steps(&mut trace, 6, 40, 50.0, exposed, |trace, at| {
        trace.work(("cudaLaunchKernel", "kernel", name), (at - 50.0, 4.0), (at, exposed + hidden), 20);
    });
    trace
}

#[test]
fn communication_that_nothing_hides() {
    let trace = communicating("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 800.0, 100.0);
    let judgement = first(&trace, "exposed-communication");
    assert!((bound(&judgement) - 800.0 / 2800.0).abs() < 0.01, "{}", bound(&judgement));
    let hidden = communicating("ncclDevKernel_AllReduce_Sum_bf16_RING_LL", 50.0, 900.0);
    assert_eq!(hidden.judged().verdict.code, "healthy");
}

#[test]
fn stages_that_wait_for_each_other() {
    let mut trace = communicating("ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", 800.0, 0.0);
    assert_eq!(trace.judged().verdict.code, "exposed-communication", "all-to-all is made of sends too");
    for step in 0..6 {
        trace.host("user_annotation", "nccl:recv 0<-1", f64::from(step) * 2800.0, 10.0);
    }
    let judgement = first(&trace, "pipeline-bubble");
    assert!((bound(&judgement) - 800.0 / 2800.0).abs() < 0.01, "{}", bound(&judgement));
}

#[test]
fn code_compiled_again_and_again() {
    let mut trace = Trace::new().gpu("NVIDIA A100-SXM4-80GB", 8, 0);
    steps(&mut trace, 6, 40, 50.0, 500.0, |trace, at| {
        trace.host("cpu_op", "entire_frame_compile (dynamo_timed)", at + 1.0, 480.0);
    });
    let judgement = first(&trace, "recompiles");
    assert!((bound(&judgement) - 480.0 / 2500.0).abs() < 0.02, "{}", bound(&judgement));
    assert!(judgement.findings[0].commands.iter().any(|command| command.contains("TORCH_LOGS")));
}

#[test]
fn a_slow_first_step_is_only_a_note() {
    let mut trace = Trace::new().gpu("NVIDIA A100-SXM4-80GB", 8, 0);
    let mut step = 0;
    steps(&mut trace, 6, 40, 50.0, 40.0, |trace, at| {
        if step == 0 {
            trace
                .step(99, at - 6000.0, 6000.0)
                .host("cuda_runtime", "cuModuleLoadData", at - 5800.0, 5700.0)
                .kernel(KERNELS[0], (at - 6000.0, 4.0), (at - 5990.0, 100.0));
        }
        step += 1;
    });
    let judgement = first(&trace, "warmup-jit");
    assert_eq!(judgement.verdict.ok, Some(true));
    assert!((0.15..0.35).contains(&bound(&judgement)), "{}", bound(&judgement));
}

#[test]
fn checkpoints_that_stop_training() {
    let mut trace = Trace::new().gpu("NVIDIA A100-SXM4-80GB", 8, 0);
    steps(&mut trace, 6, 40, 50.0, 1500.0, |trace, at| {
        trace
            .work(
                ("cudaMemcpyAsync", "gpu_memcpy", "Memcpy DtoH (Device -> Pinned)"),
                (at, 3.0),
                (at + 4.0, 300.0),
                7,
            )
            .host("python_function", "torch/serialization.py(944): save", at + 1.0, 1480.0);
    });
    let judgement = first(&trace, "checkpoint-eval-stall");
    assert!((bound(&judgement) - 1180.0 / 3500.0).abs() < 0.02, "{}", bound(&judgement));
}

#[test]
fn memory_allocated_in_every_step() {
    let mut trace = Trace::new().gpu("NVIDIA A100-SXM4-80GB", 8, 0);
    steps(&mut trace, 6, 40, 50.0, 300.0, |trace, at| {
        trace.host("cuda_runtime", "cudaFree", at + 1.0, 140.0).host(
            "cuda_runtime",
            "cudaMalloc",
            at + 145.0,
            140.0,
        );
    });
    let judgement = first(&trace, "allocator-thrash");
    assert!((bound(&judgement) - 280.0 / 2300.0).abs() < 0.01, "{}", bound(&judgement));
}

/// The busy trace with other kernels.
fn renamed(trace: &Trace, names: [&str; 4]) -> Judgement {
    let mut text = trace.json();
    for (old, new) in KERNELS.iter().zip(names) {
        text = text.replace(old, new);
    }
    let input = vec![support::input(text.as_bytes())];
    judge(&maat_trace::analyse(input, &maat_trace::Options::default()).unwrap())
}

const FP32: [&str; 4] = [
    "volta_sgemm_64x64_nt",
    "volta_scudnn_128x64_relu_small_nn_v1",
    "vectorized_elementwise_kernel<4>",
    "volta_sgemm_128x64_nn",
];

#[test]
fn products_without_tensor_cores() {
    let judgement = renamed(&busy(), FP32);
    assert_eq!(judgement.verdict.code, "tensor-cores-unused", "{:?}", judgement.ranking);
    assert!((bound(&judgement) - 0.75).abs() < 0.01, "{}", bound(&judgement));
    // A card without tensor cores has none to use.
    let mut old = Trace::new().gpu("Tesla P100-PCIE-16GB", 6, 0);
    steps(&mut old, 6, 40, 50.0, 0.0, |_, _| {});
    assert_eq!(renamed(&old, FP32).verdict.code, "healthy");
}

#[test]
fn kernels_that_move_data() {
    let names = [
        "void at::native::layer_norm_kernel",
        "vectorized_elementwise_kernel<8>",
        "reduce_kernel<512>",
        "CatArrayBatchedCopy<float>",
    ];
    let judgement = renamed(&busy(), names);
    assert_eq!(judgement.verdict.code, "memory-bandwidth");
    assert!(judgement.findings[0].gain.is_none());
}

#[test]
fn the_second_cause_comes_first_when_the_first_is_gone() {
    let mut trace = Trace::new().gpu("NVIDIA A100-SXM4-80GB", 8, 0);
    steps(&mut trace, 6, 40, 50.0, 3000.0, |trace, at| {
        trace.host("user_annotation", "enumerate(DataLoader)#X.__next__", at, 2200.0).work(
            ("cudaLaunchKernel", "kernel", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL"),
            (at + 2190.0, 4.0),
            (at + 2200.0, 790.0),
            20,
        );
    });
    let judgement = first(&trace, "data-loader-wait");
    // 790 of 5,000 µs, and of 2,800 without the loader.
    assert_eq!(judgement.ranking[1].code, "exposed-communication");
    assert!((judgement.ranking[1].at_most.unwrap() - 0.158).abs() < 0.01);
    assert_eq!(judgement.after_first[0].code, "exposed-communication");
    assert!(
        (judgement.after_first[0].at_most.unwrap() - 790.0 / 2800.0).abs() < 0.01,
        "{:?}",
        judgement.after_first
    );
}

#[test]
fn a_microbenchmark_or_an_idle_trace_is_said_to_be_one() {
    let mut few = Trace::new();
    steps(&mut few, 2, 20, 50.0, 0.0, |_, _| {});
    let mut alike = Trace::new();
    for index in 0..1000 {
        alike.kernel("sgemm", (f64::from(index) * 10.0, 2.0), (f64::from(index) * 10.0 + 5.0, 9.0));
    }
    let mut host = Trace::new();
    host.host("cpu_op", "aten::mm", 0.0, 100.0);
    let mut mtia = Trace::new();
    mtia.event("mtia_ccp_events", "event_wait", (0.0, 10.0), (17, 3774), "");
    let mut gap = busy();
    gap.kernel(KERNELS[0], (0.0, 4.0), (500_000.0, 50.0));
    for (trace, lack) in [
        (few, Lack::Microbenchmark),
        (alike, Lack::Microbenchmark),
        (host, Lack::NoAccelerator),
        (mtia, Lack::OtherAccelerator),
        (gap, Lack::SingleGap),
    ] {
        let judgement = trace.judged();
        assert_eq!(judgement.verdict.code, "not-enough-data");
        assert_eq!((judgement.lack, judgement.verdict.ok), (Some(lack), None));
        assert!(!judgement.ask.is_empty() && judgement.findings.is_empty());
    }
}

/// A rank of four whose own work takes `own` µs of each 3,000 µs step; the rest it waits in an all-reduce.
fn rank(number: u32, own: u32, first_step: u32) -> Trace {
    let mut trace = Trace::new().gpu("NVIDIA A100-SXM4-80GB", 8, 0).rank(number, 4);
    for step in 0..5 {
        let at = f64::from(step) * 3000.0;
        trace.step(step + first_step, at, 3000.0);
        let kernel = f64::from(own) / 40.0;
        for index in 0..40 {
            let run = at + f64::from(index) * kernel;
            trace.kernel(KERNELS[index as usize % 4], (run - 60.0, 4.0), (run, kernel));
        }
        let waiting = (at + f64::from(own), 3000.0 - f64::from(own));
        trace.work(
            ("cudaLaunchKernel", "kernel", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL"),
            (waiting.0 - 50.0, 4.0),
            waiting,
            20,
        );
    }
    trace
}

#[test]
fn a_slow_rank_is_found_among_many() {
    let ranks = [rank(0, 2000, 7), rank(1, 2000, 7), rank(2, 2950, 7), rank(3, 2000, 7)];
    // Handed over in another order: ranks and steps come from the files.
    let report = job(&[&ranks[2], &ranks[0], &ranks[3], &ranks[1]]);
    let comparison = report.comparison.as_ref().unwrap();
    assert_eq!((comparison.slowest, comparison.steps_aligned), (Some(2), 5));
    assert!((comparison.slowest_over_median - 0.475).abs() < 0.001);
    let judgement = judge(&report);
    assert_eq!(judgement.ranking[0].code, "straggler-rank", "{:?}", judgement.ranking);
    assert_eq!(judgement.findings[0].subject, "rank 2");
    assert!((bound(&judgement) - 950.0 / 3000.0).abs() < 0.001, "{}", bound(&judgement));
    assert!(judgement.after_first.iter().all(|row| row.code != "exposed-communication"));
    // Equal ranks have no straggler, whatever they wait for.
    let equal = [rank(0, 2000, 7), rank(1, 2000, 7)];
    let judgement = judge(&job(&[&equal[0], &equal[1]]));
    assert_eq!(judgement.verdict.code, "exposed-communication");
}

#[test]
fn ranks_are_known_by_their_files_names_too() {
    let texts: Vec<String> = [2000, 2950, 2000]
        .map(|own| rank(0, own, 7).json().replacen(r#""rank":0"#, r#""backend":"nccl""#, 1))
        .to_vec();
    let inputs = texts.iter().enumerate().map(|(number, text)| maat_trace::Input {
        label: format!("/data/run/worker.rank-{number}.pt.trace.json"),
        reader: Box::new(text.as_bytes()),
    });
    let report = maat_trace::analyse(inputs.collect(), &maat_trace::Options::default()).unwrap();
    let judgement = judge(&report);
    assert_eq!(judgement.ranking[0].code, "straggler-rank", "{:?}", judgement.ranking);
    assert_eq!(judgement.findings[0].subject, "rank 1");
}

#[test]
fn ranks_are_aligned_by_the_number_of_the_step() {
    let ranks = [rank(0, 2000, 3), rank(1, 2900, 6)];
    assert_eq!(job(&[&ranks[0], &ranks[1]]).comparison.unwrap().steps_aligned, 2);
    // Two traces of one rank are two runs, not a job.
    assert!(job(&[&ranks[0], &ranks[0]]).comparison.is_none());
}

#[test]
fn two_traces_beside_each_other() {
    let (before, after) = (slow_launches().report(), busy().report());
    let diff = maat_trace::compare(&before, &after);
    let window = diff.numbers.iter().find(|row| row.name == "window_us").unwrap();
    assert_eq!(
        window.change_us.unwrap().ns(),
        after.numbers.window_us.unwrap().ns() - before.numbers.window_us.unwrap().ns()
    );
    assert_eq!(diff.kernels.len(), 4);
    let kernel = diff.kernels.iter().find(|row| row.name == KERNELS[0]).unwrap();
    assert_eq!(kernel.count, [100, 60]);
    assert!(maat_trace::compare(&before, &before).kernels.is_empty());
}

/// Steps whose loader takes `base` µs, and up to 900 µs more in no order.
fn uneven(base: u32) -> Trace {
    let mut trace = Trace::new().gpu("NVIDIA A100-SXM4-80GB", 8, 0);
    let mut start = 0.0;
    for step in 0..10_u32 {
        let pause = f64::from(base + (step * 7919 + base) % 10 * 100);
        trace.step(step, start, pause + 2000.0).host(
            "user_annotation",
            "enumerate(DataLoader)#X.__next__",
            start,
            pause,
        );
        for index in 0..40_u32 {
            let at = start + pause + f64::from(index) * 50.0;
            trace.kernel(
                KERNELS[index as usize % 4],
                (start + pause + f64::from(index) * 4.0, 3.0),
                (at, 50.0),
            );
        }
        start += pause + 2000.0;
    }
    trace
}

#[test]
fn a_change_must_stand_out_from_the_differences_between_steps() {
    let report = |base| uneven(base).report();
    let compare = |before, after| maat_trace::compare(&report(before), &report(after));
    let small = compare(1000, 950);
    assert_eq!(small.outcome, maat_trace::Change::Same, "{:?}", small.uncertainty_us);
    let large = compare(3000, 950);
    assert_eq!(large.outcome, maat_trace::Change::Faster);
    let sum: i64 = large.parts.iter().map(|part| part.change_us.ns()).sum();
    let change = large.after_us.unwrap().ns() - large.before_us.unwrap().ns();
    assert!((sum - change).abs() <= 15, "parts add up to within their rounding");
    let reason = large.parts.iter().min_by_key(|part| part.change_us.ns()).unwrap();
    assert_eq!(reason.part, "waits.loader_us");
    assert_eq!(compare(950, 3000).outcome, maat_trace::Change::Slower);
    let other = renamed_report(&uneven(950), ["a", "b", "c", "d"]);
    let different = maat_trace::compare(&report(3000), &other);
    assert_eq!((different.outcome, different.common_share), (maat_trace::Change::OtherWork, 0.0));
}

fn renamed_report(trace: &Trace, names: [&str; 4]) -> maat_trace::RankReport {
    let text = KERNELS.iter().zip(names).fold(trace.json(), |text, (old, new)| text.replace(old, new));
    support::measured(text.as_bytes())
}
