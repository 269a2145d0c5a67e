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
