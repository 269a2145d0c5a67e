use std::fs;
use std::path::PathBuf;

use super::*;

/// A tree of files in a temporary folder, which goes when it is dropped.
struct Tree(PathBuf);

impl Tree {
    fn of(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = std::env::temp_dir().join(format!("maat-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        for (path, text) in files {
            let path = folder.join(path.trim_start_matches('/'));
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        Self(folder)
    }

    fn seen(&self) -> Seen {
        machine(&Root::of(&self.0))
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const CPUINFO: &str = "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: Intel(R) Xeon(R) Platinum 8480+\n\
physical id\t: 0\ncore id\t: 0\ncpu MHz\t: 2000.0\nflags\t: fma avx2 avx512f amx_tile amx_int8 amx_bf16\n\n\
processor\t: 1\nphysical id\t: 0\ncore id\t: 0\n\nprocessor\t: 2\nphysical id\t: 1\ncore id\t: 0\n";

#[test]
fn an_empty_tree_is_unknown_and_not_zero() {
    let seen = Tree::of("empty", &[]).seen();
    assert_eq!(seen.processor, ProcessorSeen::default());
    assert_eq!(seen.memory, MemorySeen::default());
    assert_eq!(seen.limits, Limits::default());
    assert!(seen.accelerators.is_empty() && seen.disks.is_empty() && seen.network.is_empty());
    assert_eq!(seen.not_seen.len(), 4);
}

#[test]
fn without_sysfs_cpuinfo_tells_the_cores() {
    let tree = Tree::of(
        "no-sys",
        &[
            ("/proc/cpuinfo", CPUINFO),
            ("/proc/meminfo", "MemTotal:       16384000 kB\nMemAvailable: 1000 kB\n"),
        ],
    );
    let seen = tree.seen();
    assert_eq!(
        (seen.processor.sockets, seen.processor.cores, seen.processor.threads),
        (Some(2), Some(2), Some(3))
    );
    assert_eq!(seen.processor.isa.len(), 6);
    assert_eq!(seen.processor.base_clock_hz, Some(2e9));
    assert_eq!(seen.memory.total_bytes, Some(16_384_000 * 1024));
    assert_eq!(seen.processor.last_cache_bytes(), None);
}

#[test]
fn quotas_of_both_versions_of_control_groups() {
    let second = Tree::of(
        "cgroup2",
        &[
            ("/proc/self/cgroup", "0::/a/b\n"),
            ("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n"),
            ("/sys/fs/cgroup/a/cpu.max", "150000 100000\n"),
            ("/sys/fs/cgroup/a/b/memory.max", "2147483648\n"),
            ("/sys/fs/cgroup/a/memory.max", "max\n"),
            ("/sys/fs/cgroup/a/b/cpu.stat", "usage_usec 5\nnr_throttled 7\n"),
        ],
    );
    let limits = second.seen().limits;
    assert_eq!((limits.cpus, limits.memory_bytes), (Some(1.5), Some(2 << 30)));
    assert_eq!(limits.throttled_periods, Some(7));
    let first = Tree::of(
        "cgroup1",
        &[
            ("/proc/self/cgroup", "4:memory:/docker/x\n3:cpu,cpuacct:/docker/x\n"),
            ("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "50000\n"),
            ("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n"),
            ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"),
        ],
    );
    let limits = first.seen().limits;
    assert_eq!((limits.cpus, limits.memory_bytes), (Some(0.5), None));
}

#[test]
fn cards_of_three_makers() {
    let tree = Tree::of(
        "cards",
        &[
            ("/sys/bus/pci/devices/0000:01:00.0/class", "0x030000\n"),
            ("/sys/bus/pci/devices/0000:01:00.0/vendor", "0x10de\n"),
            ("/sys/bus/pci/devices/0000:01:00.0/device", "0x2684\n"),
            ("/sys/bus/pci/devices/0000:01:00.0/current_link_width", "8\n"),
            ("/sys/bus/pci/devices/0000:01:00.0/max_link_width", "16\n"),
            ("/sys/bus/pci/devices/0000:01:00.0/max_link_speed", "16.0 GT/s PCIe\n"),
            (
                "/proc/driver/nvidia/gpus/0000:01:00.0/information",
                "Model: \t\t NVIDIA GeForce RTX 4090\nIRQ: 1\n",
            ),
            ("/sys/bus/pci/devices/0000:02:00.0/class", "0x120000\n"),
            ("/sys/bus/pci/devices/0000:02:00.0/vendor", "0x1002\n"),
            ("/sys/bus/pci/devices/0000:02:00.0/device", "0x74a1\n"),
            ("/sys/bus/pci/devices/0000:02:00.0/mem_info_vram_total", "206141652992\n"),
            (
                "/sys/class/kfd/kfd/topology/nodes/1/properties",
                "simd_count 1216\ngfx_target_version 90402\nlocation_id 512\ndomain 0\n",
            ),
            ("/sys/bus/pci/devices/0000:03:00.0/class", "0x020000\n"),
            ("/sys/bus/pci/devices/0000:03:00.0/vendor", "0x8086\n"),
            ("/sys/bus/pci/devices/0000:03:00.0/device", "0x1234\n"),
        ],
    );
    let seen = tree.seen().accelerators;
    assert_eq!(seen.len(), 2);
    assert_eq!(seen[0].name.as_deref(), Some("NVIDIA GeForce RTX 4090"));
    assert_eq!(
        (seen[0].lanes, seen[0].lanes_max, seen[0].lane_transfers_per_s_max),
        (Some(8), Some(16), Some(16e9))
    );
    assert_eq!((seen[0].memory_bytes, seen[0].numa_node), (None, None));
    assert_eq!(seen[1].memory_bytes, Some(206_141_652_992));
    assert_eq!(seen[1].target.as_deref(), Some("gfx942"));
}

/// A library that lists what a test says.
struct Fake(Vec<Board>);

impl Boards for Fake {
    fn list(&self) -> Vec<Board> {
        self.0.clone()
    }
}

#[test]
fn a_library_knows_more_than_the_bus() {
    let tree = Tree::of(
        "library",
        &[
            ("/sys/bus/pci/devices/0000:17:00.0/class", "0x030200\n"),
            ("/sys/bus/pci/devices/0000:17:00.0/vendor", "0x10de\n"),
            ("/sys/bus/pci/devices/0000:17:00.0/device", "0x2330\n"),
        ],
    );
    let cut = Board {
        name: Some(String::from("NVIDIA H100 80GB HBM3")),
        address: Some(String::from("00000000:17:00.0")),
        memory_bytes: Some(85_520_809_984),
        mig: Some(vec![String::from("1g.10gb")]),
        ..Board::default()
    };
    let hidden = Board { name: Some(String::from("NVIDIA L4")), ..Board::default() };
    let boards = Fake(vec![cut, hidden]);
    let seen = machine_with(&Root::of(&tree.0), Some(&boards)).accelerators;
    assert_eq!(seen.len(), 2);
    assert_eq!(seen[0].memory_bytes, Some(85_520_809_984));
    assert_eq!(seen[0].mig.as_deref(), Some([String::from("1g.10gb")].as_slice()));
    assert_eq!(seen[1].name.as_deref(), Some("NVIDIA L4"));
}

#[test]
fn malformed_files_never_stop_it() {
    let bad = [
        "",
        "\u{0}\u{0}",
        "-1",
        "99999999999999999999999",
        "0-18446744073709551615",
        "NaN NaN",
        "é:\n\n:::",
        "max",
    ];
    let paths = [
        "/proc/cpuinfo",
        "/proc/meminfo",
        "/proc/stat",
        "/proc/loadavg",
        "/proc/self/status",
        "/proc/self/cgroup",
        "/sys/devices/system/cpu/online",
        "/sys/fs/cgroup/cpu.max",
        "/sys/fs/cgroup/memory.max",
        "/sys/firmware/dmi/tables/DMI",
        "/sys/bus/pci/devices/0/class",
        "/sys/bus/pci/devices/0/vendor",
        "/sys/block/sda/device/model",
        "/sys/block/sda/size",
        "/sys/class/net/eth0/device/x",
        "/sys/class/net/eth0/speed",
        "/sys/class/kfd/kfd/topology/nodes/0/properties",
        "/sys/devices/system/cpu/cpu0/cache/index0/size",
    ];
    for text in bad {
        let files: Vec<(&str, &str)> = paths.iter().map(|path| (*path, text)).collect();
        Tree::of("bad", &files).seen();
    }
}

#[test]
fn a_mac_by_what_it_prints() {
    let seen =
        apple::read("machdep.cpu.brand_string: Apple M3 Max\nhw.memsize: 68719476736\nhw.physicalcpu: 16\n")
            .unwrap();
    assert_eq!(seen.memory.total_bytes, Some(64 << 30));
    assert_eq!(seen.processor.cores, Some(16));
    assert_eq!(seen.processor.threads, None);
    assert_eq!(apple::read("nothing"), None);
}
