//! Files that no kernel writes: nothing of them is believed, and nothing hangs or panics.

use std::fs;
use std::time::{Duration, Instant};

use crate::tree::{Tree, ZEN4, matched};

const PLACES: &[&str] = &[
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/loadavg",
    "/proc/self/status",
    "/proc/self/cgroup",
    "/proc/1/cgroup",
    "/proc/1/environ",
    "/proc/device-tree/model",
    "/proc/sys/kernel/osrelease",
    "/proc/driver/nvidia/gpus/0000:01:00.0/information",
    "/sys/devices/system/cpu/online",
    "/sys/devices/system/cpu/cpu0/topology/core_id",
    "/sys/devices/system/cpu/cpu0/topology/physical_package_id",
    "/sys/devices/system/cpu/cpu0/topology/thread_siblings_list",
    "/sys/devices/system/cpu/cpu0/cache/index0/level",
    "/sys/devices/system/cpu/cpu0/cache/index0/type",
    "/sys/devices/system/cpu/cpu0/cache/index0/size",
    "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq",
    "/sys/devices/system/cpu/cpu0/cpufreq/base_frequency",
    "/sys/devices/system/node/node0/cpulist",
    "/sys/fs/cgroup/cpu.max",
    "/sys/fs/cgroup/cpu.stat",
    "/sys/fs/cgroup/memory.max",
    "/sys/fs/cgroup/cpu/cpu.cfs_quota_us",
    "/sys/fs/cgroup/cpu/cpu.cfs_period_us",
    "/sys/firmware/dmi/tables/DMI",
    "/sys/bus/pci/devices/0000:01:00.0/class",
    "/sys/bus/pci/devices/0000:01:00.0/vendor",
    "/sys/bus/pci/devices/0000:01:00.0/device",
    "/sys/bus/pci/devices/0000:01:00.0/mem_info_vram_total",
    "/sys/bus/pci/devices/0000:01:00.0/max_link_speed",
    "/sys/block/sda/size",
    "/sys/block/sda/queue/rotational",
    "/sys/class/net/eth0/speed",
    "/sys/class/infiniband/mlx5_0/ports/1/rate",
    "/sys/class/kfd/kfd/topology/nodes/0/properties",
];

fn small() -> Tree {
    Tree::new().x86("AuthenticAMD", "AMD Ryzen 9 7950X 16-Core Processor", ZEN4, [1, 2, 1]).memory(8_000_000)
}

/// Whatever stands in the files, a machine comes out, with finite and positive figures or none.
fn sound(tree: &Tree) {
    let this = matched(&tree.seen());
    let host = &this.machine.host;
    if let Some(processor) = &host.processor {
        assert!(processor.cores > 0);
        assert!(processor.clock_hz.value.is_finite() && processor.clock_hz.value > 0.0, "{processor:?}");
        assert!(processor.bandwidth.as_ref().is_none_or(|rate| rate.value.is_finite() && rate.value > 0.0));
    }
    assert_ne!(host.ram.map(|ram| ram.0), Some(0));
    for slot in &this.machine.slots {
        assert!(slot.count > 0 && slot.accelerator.capacity.value.0 > 0, "{slot:?}");
    }
    let json = serde_json::to_string(&tree.seen()).unwrap();
    assert!(json.len() < 64 << 20);
}

#[test]
fn one_text_in_all_files() {
    let long = "9".repeat(400);
    for text in [
        "",
        "\0\0\0\0",
        "-1",
        "0",
        "0x",
        "nan",
        "inf",
        "1e308 1e-308",
        "0-4294967295",
        "5-1",
        "max max",
        ":::",
        "processor : -5\n",
        "0::/../../../..\n",
        "cpu 1 2 3 4 5 6 7 18446744073709551615\n",
        "\u{feff}é\u{202e}",
        "MemTotal: 18446744073709551615 kB\n",
        "Model: \n",
        long.as_str(),
    ] {
        let tree = PLACES.iter().fold(Tree::new(), |tree, place| tree.file(place, text));
        sound(&tree);
    }
}

/// One file of a sound machine spoilt at a time.
#[test]
fn each_file_spoilt() {
    for place in PLACES {
        for text in ["-7\n", "0\n", "\u{0}\u{1}garbage", "99999999999999999999\n", "1e400\n", "nan nan\n"] {
            sound(&small().file(place, text));
        }
    }
}

/// Files of many megabytes, of binary, and of a million processors.
#[test]
fn huge_files() {
    let start = Instant::now();
    let megabytes = vec![0xff_u8; 16 << 20];
    let tree = PLACES.iter().take(12).fold(Tree::new(), |tree, place| tree.file(place, &megabytes));
    sound(&tree);
    let many = "processor\t: 7\n\n".repeat(100_000);
    sound(&Tree::new().file("/proc/cpuinfo", many).file("/sys/devices/system/cpu/online", "0-4294967295\n"));
    assert!(start.elapsed() < Duration::from_secs(60));
}

/// A pipe that nobody writes to, a link to itself, a folder in the place of a file, a device that never ends.
#[cfg(unix)]
#[test]
fn what_is_no_file() {
    use std::os::unix::fs::symlink;
    for place in PLACES {
        let tree = small();
        let path = tree.0.join(place.trim_start_matches('/'));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let _ = fs::remove_file(&path);
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
        sound(&tree);
        fs::remove_file(&path).unwrap();
        symlink(&path, &path).unwrap();
        sound(&tree);
        fs::remove_file(&path).unwrap();
        symlink("/dev/zero", &path).unwrap();
        sound(&tree);
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        sound(&tree);
    }
}

/// Folders that hold themselves.
#[cfg(unix)]
#[test]
fn folders_in_a_loop() {
    let tree = small();
    for place in ["/sys/bus/pci/devices", "/sys/block", "/sys/class/net", "/sys/class/kfd/kfd/topology/nodes"]
    {
        let folder = tree.0.join(place.trim_start_matches('/'));
        fs::create_dir_all(&folder).unwrap();
        std::os::unix::fs::symlink(&folder, folder.join("0000:01:00.0")).unwrap();
    }
    sound(&tree);
}
