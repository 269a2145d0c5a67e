//! What real recordings call things: names of PyTorch, its compiler, Lightning, transformers, HIP and the driver, each
//! in a trace that proves a cause and in one that refutes it.
#![expect(clippy::unwrap_used, reason = "a test stops at the first trouble")]

mod support;

use maat_trace::{Judgement, Lack};
use support::{KERNELS, Trace, steps};

fn a100() -> Trace {
    Trace::new().gpu("NVIDIA A100-SXM4-80GB", 8, 0)
}

/// Six steps of 2,000 µs of work, each after `pause` µs in which the host does what `in_pause` records.
fn paused(pause: f64, in_pause: impl FnMut(&mut Trace, f64)) -> Trace {
    let mut trace = a100();
    steps(&mut trace, 6, 40, 50.0, pause, in_pause);
    trace
}

/// The same work without a pause, with something recorded beside it.
fn beside(mut record: impl FnMut(&mut Trace, f64)) -> Trace {
    paused(0.0, |trace, at| record(trace, at))
}

fn codes(judgement: &Judgement) -> Vec<&'static str> {
    judgement.ranking.iter().map(|row| row.code).collect()
}

#[test]
fn compiling_by_the_names_of_its_versions() {
    for (category, name) in [
        ("cpu_op", "entire_frame_compile (dynamo_timed)"),
        ("user_annotation", "entire_frame_compile"),
        ("cpu_op", "_compile.compile_inner (dynamo_timed)"),
        ("cpu_op", "compile_fx_inner (dynamo_timed)"),
        ("user_annotation", "GraphLowering.compile_to_module (dynamo_timed)"),
        ("cpu_op", "CachingAutotuner.benchmark_all_configs (dynamo_timed)"),
        ("python_function", "torch/_dynamo/convert_frame.py(1101): _compile"),
        ("python_function", "torch/_inductor/compile_fx.py(823): compile_fx_inner"),
    ] {
        let judgement = paused(600.0, |trace, at| {
            trace.host("cpu_op", "TorchDynamo Cache Lookup", at + 1.0, 4.0).host(
                category,
                name,
                at + 6.0,
                580.0,
            );
        })
        .judged();
        assert_eq!(judgement.verdict.code, "recompiles", "{name}: {:?}", judgement.ranking);
    }
}

#[test]
fn running_compiled_code_is_not_compiling() {
    let judgement = paused(600.0, |trace, at| {
        trace
            .host("cpu_op", "TorchDynamo Cache Lookup", at + 1.0, 20.0)
            .host("cpu_op", "Pregraph bytecode", at + 21.0, 4.0)
            .host("cpu_op", "AOTDispatcher Runtime Wrapper Prologue", at + 25.0, 5.0)
            .host("cpu_op", "Torch-Compiled Region: 0/0", at + 30.0, 560.0)
            .host("cpu_op", "CompiledFunction", at + 31.0, 550.0)
            .host(
                "user_annotation",
                "## Call CompiledFxGraph fal4xpiah2v6blbfmwwonu52dvevbsmlh743q5tk ##",
                at + 32.0,
                540.0,
            )
            .host("cpu_op", "CompiledFunctionBackward", at + 580.0, 15.0);
    })
    .judged();
    assert!(!codes(&judgement).contains(&"recompiles"), "{:?}", judgement.ranking);
    assert!(!codes(&judgement).contains(&"warmup-jit"), "{:?}", judgement.ranking);
}

#[test]
fn compiling_in_the_first_step_only_is_a_warm_up() {
    let mut first = true;
    let judgement = paused(900.0, |trace, at| {
        if std::mem::take(&mut first) {
            trace.host("cpu_op", "entire_frame_compile (dynamo_timed)", at + 1.0, 890.0);
        } else {
            trace.host("user_annotation", "enumerate(DataLoader)#X.__next__", at, 890.0);
        }
    })
    .judged();
    assert!(!codes(&judgement).contains(&"recompiles"), "{:?}", judgement.ranking);
    assert!(codes(&judgement).contains(&"warmup-jit"), "{:?}", judgement.ranking);
    assert_eq!(judgement.verdict.code, "data-loader-wait");
}

#[test]
fn code_that_is_loaded_late() {
    // CUPTI reports it as an overhead, the driver as a call.
    for (category, name) in [
        ("overhead", "Lazy Function Loading"),
        ("overhead", "Runtime Triggered Module Loading"),
        ("cuda_driver", "cuModuleLoadDataEx"),
        ("cuda_driver", "cuLibraryLoadData"),
        ("cuda_runtime", "hipModuleLoad"),
    ] {
        let mut first = true;
        let trace = paused(40.0, |trace, at| {
            if std::mem::take(&mut first) {
                trace
                    .step(90, at - 6000.0, 6000.0)
                    .kernel(KERNELS[0], (at - 6000.0, 4.0), (at - 5990.0, 100.0))
                    .host(category, name, at - 5800.0, 5700.0);
            }
        });
        let judgement = trace.judged();
        assert_eq!(codes(&judgement).first(), Some(&"warmup-jit"), "{name}: {:?}", judgement.ranking);
        assert_eq!(judgement.ranking[0].signals, 2, "{name}");
    }
}

#[test]
fn memory_that_is_allocated_by_other_calls() {
    for (free, allocate) in [
        ("cudaFree", "cudaMalloc"),
        ("hipFree", "hipMalloc"),
        ("cuMemUnmap", "cuMemMap"),
        ("cuMemRelease", "cuMemCreate"),
        ("hipFreeHost", "hipHostAlloc"),
    ] {
        let judgement = paused(300.0, |trace, at| {
            trace.host("cuda_driver", free, at + 1.0, 140.0).host(
                "cuda_runtime",
                allocate,
                at + 145.0,
                140.0,
            );
        })
        .judged();
        assert_eq!(judgement.verdict.code, "allocator-thrash", "{free}: {:?}", judgement.ranking);
    }
    // The caching allocator at rest, or one that works while the accelerator does.
    let hidden = beside(|trace, at| {
        trace.host("cuda_runtime", "cudaMalloc", at + 300.0, 140.0).host(
            "cuda_runtime",
            "cudaMallocAsync",
            at,
            9.0,
        );
    });
    assert_eq!(hidden.judged().verdict.code, "healthy");
    let mut first = true;
    let once = paused(300.0, |trace, at| {
        if std::mem::take(&mut first) {
            trace.host("cuda_runtime", "cudaMalloc", at + 1.0, 280.0);
        } else {
            trace.host("user_annotation", "enumerate(DataLoader)#X.__next__", at, 290.0);
        }
    });
    assert!(!codes(&once.judged()).contains(&"allocator-thrash"), "only the first step allocates");
}

#[test]
fn checkpoints_and_evaluation_by_the_names_of_their_libraries() {
    for (category, name) in [
        ("python_function", "torch/serialization.py(944): save"),
        ("python_function", "torch/distributed/checkpoint/state_dict_saver.py(120): save"),
        ("python_function", "transformers/trainer.py(3303): _save_checkpoint"),
        ("python_function", "transformers/modeling_utils.py(2800): save_pretrained"),
        ("python_function", "transformers/trainer.py(4300): evaluation_loop"),
        ("user_annotation", "[pl][profile][Callback]ModelCheckpoint{'monitor': None}.on_train_epoch_end"),
        ("user_annotation", "[pl][profile]run_validation"),
        ("user_annotation", "[pl][profile][Strategy]DDPStrategy.validation_step"),
    ] {
        let judgement = paused(1500.0, |trace, at| {
            trace.host(category, name, at + 2.0, 1490.0);
        })
        .judged();
        assert_eq!(judgement.verdict.code, "checkpoint-eval-stall", "{name}: {:?}", judgement.ranking);
    }
    let hidden = beside(|trace, at| {
        trace.event("python_function", "torch/serialization.py(944): save", (at, 1900.0), (100, 200), "");
    });
    assert_eq!(hidden.judged().verdict.code, "healthy", "written in the background");
    let loading = paused(1500.0, |trace, at| {
        trace.host("python_function", "torch/serialization.py(1300): load", at + 2.0, 1490.0);
    });
    assert!(!codes(&loading.judged()).contains(&"checkpoint-eval-stall"));
}

#[test]
fn a_loader_by_its_python_frames_alone() {
    let judgement = paused(900.0, |trace, at| {
        trace.host("python_function", "torch/utils/data/dataloader.py(701): __next__", at + 1.0, 890.0);
    })
    .judged();
    assert_eq!(judgement.verdict.code, "data-loader-wait", "{:?}", judgement.ranking);
}

#[test]
fn kernels_of_the_memory_with_idle_time_are_not_its_limit() {
    let trace = paused(900.0, |trace, at| {
        trace.host("user_annotation", "enumerate(DataLoader)#X.__next__", at, 890.0);
    });
    let text = KERNELS
        .iter()
        .fold(trace.json(), |text, name| text.replace(name, "void at::native::layer_norm_kernel"));
    let input = vec![support::input(text.as_bytes())];
    let judgement = maat_trace::judge(&maat_trace::analyse(input, &maat_trace::Options::default()).unwrap());
    assert!(!codes(&judgement).contains(&"memory-bandwidth"), "{:?}", judgement.ranking);
}

#[test]
fn long_kernels_are_not_bound_by_launches() {
    let mut trace = a100();
    for index in 0..200_u32 {
        let at = f64::from(index) * 260.0;
        trace.host("cpu_op", "aten::mm", at, 55.0).kernel(
            KERNELS[index as usize % 4],
            (at + 50.0, 5.0),
            (at + 58.0, 200.0),
        );
    }
    assert!(!codes(&trace.judged()).contains(&"launch-bound"));
}

#[test]
fn hidden_sends_are_no_bubble() {
    let mut trace = a100();
    steps(&mut trace, 6, 40, 50.0, 0.0, |trace, at| {
        trace.host("user_annotation", "nccl:send 1->0", at, 5.0).work(
            ("cudaLaunchKernel", "kernel", "ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)"),
            (at, 4.0),
            (at + 100.0, 800.0),
            20,
        );
    });
    assert_eq!(trace.judged().verdict.code, "healthy");
}

#[test]
fn an_accelerator_that_waits_between_few_commands_has_no_load() {
    let mut trace = a100();
    for index in 0..120_u32 {
        let at = f64::from(index) * 40_000.0;
        trace.kernel(KERNELS[index as usize % 4], (at, 4.0), (at + 6.0, 50.0));
    }
    let judgement = trace.judged();
    assert_eq!((judgement.verdict.code.as_ref(), judgement.lack), ("not-enough-data", Some(Lack::NoLoad)));
}
