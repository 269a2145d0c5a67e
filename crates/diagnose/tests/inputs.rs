//! Inputs that were once misread, each with what it says.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use maat_diagnose::{DiagnoseRequest, diagnose};

fn verdict(text: &str) -> String {
    let input = vec![("input.txt".to_owned(), text.as_bytes().to_vec())];
    diagnose(&DiagnoseRequest::default(), input).unwrap().verdict.code.to_string()
}

/// All tasks wait for memory 40 % of the time: nothing else does that.
#[test]
fn memory_pressure_tells_alone() {
    let stalled = "/proc/pressure/memory:some avg10=62.30 avg60=48.11 avg300=22.10 total=99887766\n\
                   /proc/pressure/memory:full avg10=41.02 avg60=33.90 avg300=15.00 total=77665544\n";
    assert_eq!(verdict(stalled), "host-memory-swap");
    let calm = stalled.replace("avg10=62.30", "avg10=1.30").replace("avg10=41.02", "avg10=0.40");
    assert_ne!(verdict(&calm), "host-memory-swap");
}

#[test]
fn a_lost_gpu_beside_a_healthy_one() {
    let rows = "index, name, utilization.gpu [%], memory.used [MiB], power.draw [W]\n\
                0, NVIDIA H100 80GB HBM3, 97 %, 61234 MiB, 612.10 W\n\
                1, [GPU is lost], [GPU is lost], [GPU is lost], [GPU is lost]\n";
    assert_eq!(verdict(rows), "ecc-xid-fault");
}

/// Full processors without an accelerator, a framework or a loader in sight are any work.
#[test]
fn a_compiler_is_no_loader() {
    let rows = "Linux 6.8.0 (host) \t12/01/2026 \t_x86_64_\t(16 CPU)\n\n\
        10:00:01 AM  CPU    %usr   %nice    %sys %iowait    %irq   %soft  %steal  %guest  %gnice   %idle\n\
        10:00:02 AM  all   98.10    0.00    1.50    0.00    0.00    0.10    0.00    0.00    0.00    0.30\n\
        10:00:03 AM  all   97.90    0.00    1.80    0.00    0.00    0.10    0.00    0.00    0.00    0.20\n";
    assert_eq!(verdict(rows), "not-enough-data");
}

/// `9` of a row whose neighbours say `97 %` was cut off.
#[test]
fn the_last_figure_of_a_cut_row_is_not_believed() {
    let whole = "timestamp, index, power.draw [W], utilization.gpu [%]\n\
                 2026/06/12 14:02:10.000, 0, 650.00 W, 97 %\n\
                 2026/06/12 14:02:11.000, 0, 655.00 W, 98 %\n";
    let cut = format!("{whole}2026/06/12 14:02:12.000, 0, 651.00 W, 9");
    assert_eq!(verdict(&cut), verdict(whole));
}

/// What is known and shows nothing is not unknown.
#[test]
fn quiet_outputs_are_recognised() {
    for text in [
        "[    0.000000] Linux version 6.8.0-45-generic\n[    1.234567] NVRM: loading NVIDIA UNIX x86_64 Kernel Module\n",
        "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=0\n",
        "# gpu         pid   type     sm    mem    enc    dec    command\n# Idx           #    C/G      %      %      %      %    name\n    0          -     -      -      -      -      -    -\n",
    ] {
        let code = verdict(text);
        assert!(code == "not-enough-data" || code == "healthy", "{code}: {text}");
    }
}

/// One machine of two has no InfiniBand, and all wait for it.
#[test]
fn one_machine_over_tcp_holds_all_back() {
    let log = "node1:123:130 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [RO]; OOB eth0:10.0.0.1<0>\n\
               node1:123:130 [0] NCCL INFO Using network IB\n\
               node2:99:101 [1] NCCL INFO NET/IB : No device found.\n\
               node2:99:101 [1] NCCL INFO NET/Socket : Using [0]eth0:10.0.0.2<0>\n\
               node2:99:101 [1] NCCL INFO Using network Socket\n";
    assert_eq!(verdict(log), "network-tcp-fallback");
    let both = log
        .replace("NET/IB : No device found.", "NET/IB : Using [0]mlx5_0:1/IB [RO]")
        .replace("Using network Socket", "Using network IB");
    assert_ne!(verdict(&both), "network-tcp-fallback");
}

/// A table without order in time: the loader takes the main thread's time while the device is used for a quarter.
#[test]
fn tables_of_the_profiler_are_read() {
    let table = "---------------------  ------------  ------------  ------------  ------------  ------------  \n\
        \u{20}                Name    Self CPU %      Self CPU     Self CUDA   Self CUDA %    # of Calls  \n\
        ---------------------  ------------  ------------  ------------  ------------  ------------  \n\
        enumerate(DataLoader)#_MultiProcessingDataLoaderIter...        61.20%     812.100ms       0.000us         0.00%            10  \n\
        \u{20}     aten::conv2d         1.10%      14.600ms     210.100ms        68.20%           530  \n\
        Self CPU time total: 1.327s\nSelf CUDA time total: 308.100ms\n";
    assert_eq!(verdict(table), "data-loader-wait");
    let sync =
        table.replace("enumerate(DataLoader)#_MultiProcessingDataLoaderIter...", "cudaStreamSynchronize");
    assert_eq!(verdict(&sync), "host-device-sync");
    // The processor waits because the device has work all the time: that is as it should be.
    assert_eq!(verdict(&sync.replace("308.100ms", "1.300s")), "not-enough-data");
}

const COLLECTIVE: &str = "# nThread 1 nGpus 8 minBytes 67108864 maxBytes 134217728 step: 2(factor)\n\
    #       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong\n\
    \u{20}   67108864      16777216     float     sum      -1    451.2  148.73  260.28      0    450.9  148.83  260.45      0\n";

/// A collective with wrong results is broken hardware, whichever of both ways shows it.
#[test]
fn wrong_results_of_a_collective_are_a_fault() {
    assert_eq!(verdict(COLLECTIVE), "not-enough-data");
    assert_eq!(verdict(&COLLECTIVE.replace("260.28      0", "260.28   1042")), "ecc-xid-fault");
    assert_eq!(verdict(&COLLECTIVE.replace("260.45      0", "260.45   1042")), "ecc-xid-fault");
    // Without the comparison, and in a row that was cut off, nothing is known.
    assert_eq!(verdict(&COLLECTIVE.replace("      0", "    N/A")), "not-enough-data");
    let cut = COLLECTIVE.trim_end().strip_suffix(".45      0").unwrap();
    assert_eq!(verdict(cut), "not-enough-data");
}

#[test]
fn one_column_is_read() {
    let input = vec![("one.csv".to_owned(), b"utilization.gpu [%]\n0 %\n0 %\n1 %\n".to_vec())];
    let answer = diagnose(&DiagnoseRequest::default(), input).unwrap();
    assert_eq!(answer.body.files[0].kinds, ["nvidia-smi-csv"]);
    assert_eq!(answer.body.files[0].items, 3);
}

/// A counter since the start of the engine says nothing of now; the next command asks for its growth.
#[test]
fn what_is_asked_for_fits_the_input() {
    let command = |text: &str| {
        let input = vec![("x".to_owned(), text.as_bytes().to_vec())];
        let answer = diagnose(&DiagnoseRequest::default(), input).unwrap();
        assert_eq!(answer.verdict.code, "not-enough-data");
        answer.body.ask[0].command.clone()
    };
    let metrics = "# TYPE vllm:num_preemptions_total counter\n\
                   vllm:num_preemptions_total{model_name=\"m\"} 120.0\n\
                   vllm:num_requests_running{model_name=\"m\"} 8.0\n";
    assert!(command(metrics).contains("preemptions_total"));
    let peers = "Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)\n   D\\D     0      1 \n     0 909.18  22.31 \n     1  22.40 921.29 \n\
                 Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)\n   D\\D     0      1 \n     0 910.18  22.29 \n     1  22.41 921.29 \n";
    assert!(command(peers).contains("topo -p2p"));
}
