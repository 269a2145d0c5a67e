//! What containers leave of a machine, and what is not there at all.

use crate::tree::{Tree, ZEN4, desktop, matched};

const RYZEN_CLOCKS: u32 = 16;

/// Version 2, in a container: the process's group is the root of what is mounted.
#[test]
fn a_quota_of_the_second_version() {
    let tree = desktop().files(&[
        ("/proc/self/cgroup", "0::/\n"),
        ("/sys/fs/cgroup/cpu.max", "250000 100000\n"),
        ("/sys/fs/cgroup/memory.max", "4294967296\n"),
    ]);
    let machine = tree.machine();
    let full = desktop().machine().host.processor.unwrap();
    let processor = machine.host.processor.unwrap();
    // Two and a half cores' worth of time, as three at a lower clock.
    assert_eq!(processor.cores, 3);
    let share = 3.0 * processor.clock_hz.value / (f64::from(RYZEN_CLOCKS) * full.clock_hz.value);
    assert!((share - 2.5 / 16.0).abs() < 1e-9, "{share}");
    assert_eq!(machine.host.ram.map(|ram| ram.0), Some(4 << 30));
}

/// Version 1 in a container: the group's path is the host's and does not exist here; only the mount does.
#[test]
fn a_quota_of_the_first_version() {
    let tree = desktop().files(&[
        ("/proc/self/cgroup", "12:memory:/docker/abc\n5:cpu,cpuacct:/docker/abc\n0::/system.slice\n"),
        ("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "400000\n"),
        ("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"),
        ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "8589934592\n"),
    ]);
    let machine = tree.machine();
    assert_eq!(machine.host.processor.unwrap().cores, 4);
    assert_eq!(machine.host.ram.map(|ram| ram.0), Some(8 << 30));
}

/// A quota of -1 and a limit near 2^63 are none.
#[test]
fn no_quota_is_no_limit() {
    let tree = desktop().files(&[
        ("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n"),
        ("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n"),
        ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
        ("/sys/fs/cgroup/cpu.max", "max 100000\n"),
    ]);
    let seen = tree.seen();
    assert_eq!((seen.limits.cpus, seen.limits.memory_bytes), (None, None));
    assert_eq!(tree.machine().host.processor.unwrap().cores, 16);
}

/// Fewer threads than there are, by `taskset` or `cpuset`: threads of one core count once.
#[test]
fn pinned_to_a_few_threads() {
    let tree = desktop().file("/proc/self/status", "Name:\tmaat\nCpus_allowed_list:\t0-3,16-19\n");
    assert_eq!(tree.machine().host.processor.unwrap().cores, 4);
}

#[test]
fn one_core_and_nothing_else() {
    let tree = Tree::new().file(
        "/proc/cpuinfo",
        "processor\t: 0\nmodel name\t: QEMU Virtual CPU version 2.5+\nflags\t: sse2\n",
    );
    let this = matched(&tree.seen());
    let processor = this.machine.host.processor.unwrap();
    assert_eq!((processor.cores, processor.sockets), (1, 1));
    assert_eq!((processor.bandwidth, processor.cache_bytes), (None, None));
    assert_eq!((this.machine.host.ram, this.machine.host.disk), (None, None));
    assert!(this.machine.slots.is_empty());
}

/// Without sysfs the blocks of cpuinfo tell sockets and cores.
#[test]
fn without_sysfs() {
    let tree = Tree::new()
        .x86("AuthenticAMD", "AMD EPYC 9654 96-Core Processor", ZEN4, [1, 8, 2])
        .memory(32_000_000);
    std::fs::remove_dir_all(tree.0.join("sys")).unwrap();
    let seen = tree.seen();
    assert_eq!((seen.processor.cores, seen.processor.threads), (Some(8), Some(16)));
    // Eight of its cores are what this guest has, not the ninety-six of the part.
    assert_eq!(tree.machine().host.processor.unwrap().cores, 8);
}

/// Nothing is known of an empty tree, and nothing is 0.
#[test]
fn an_empty_tree_is_no_machine() {
    let this = matched(&Tree::new().seen());
    assert_eq!(this.machine.host.processor, None);
    assert_eq!((this.machine.host.ram, this.machine.host.storage), (None, None));
    assert!(this.machine.slots.is_empty() && this.machine.name.is_empty());
}
