//! Samples of the running machine over time: from procfs, sysfs and, where it is there, NVIDIA's management library.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use maat_readings::Place;
use maat_readings::monitor::procfs::{PageBytes, Snapshot, between};
use maat_readings::monitor::{BlockInfo, Samples};

use crate::machine::nvml::Library;

/// Files of the machine as a whole.
const FILES: [&str; 12] = [
    "/proc/stat",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/vmstat",
    "/proc/diskstats",
    "/proc/net/dev",
    "/proc/pressure/cpu",
    "/proc/pressure/io",
    "/proc/pressure/memory",
    "/sys/fs/cgroup/cpu.stat",
    "/sys/fs/cgroup/cpu.max",
    "/proc/driver/nvidia/version",
];
/// Files of each accelerator that its driver writes (amdgpu).
const ACCELERATOR_FILES: [&str; 4] =
    ["gpu_busy_percent", "mem_busy_percent", "mem_info_vram_used", "mem_info_vram_total"];
/// The part of the samples that the library gives; the files are the first.
const NVML_BLOCK: u32 = 1;
/// More processes than this are not followed.
const PROCESS_LIMIT: usize = 5_000;
/// Looks of one watch, however long it takes.
const LOOK_LIMIT: usize = 3_600;

/// Watches for some time, one look a second, or more often when it is short; at least two looks.
pub fn watch(time: Duration) -> Samples {
    let step = (time / 4).clamp(Duration::from_millis(100), Duration::from_secs(1));
    let start = Instant::now();
    let mut samples = Samples::default();
    let library = Library::open();
    let mut before = look(start);
    for _ in 0..LOOK_LIMIT {
        thread::sleep(step);
        let after = look(start);
        between(&before, &after, PageBytes(4096), &mut samples);
        if let Some(library) = &library {
            library.sample(after.at_s, NVML_BLOCK, &mut samples);
        }
        before = after;
        if start.elapsed() >= time {
            break;
        }
    }
    if samples.rows.is_empty() {
        return samples;
    }
    for (block, kind, place) in [(0, "watch", "/proc"), (NVML_BLOCK, "nvml", "libnvidia-ml.so.1")] {
        let items = samples.rows.iter().filter(|row| row.block == block).count();
        samples.blocks.push(BlockInfo { kind, place: Place::whole(place), items, host: None });
    }
    samples
}

/// All files at this moment; what cannot be read is left out.
fn look(start: Instant) -> Snapshot {
    let mut files = BTreeMap::new();
    for path in FILES {
        take(Path::new(path), &mut files);
    }
    let processes = entries("/proc").filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()));
    for pid in processes.take(PROCESS_LIMIT) {
        take(&Path::new("/proc").join(pid).join("stat"), &mut files);
    }
    for disk in entries("/sys/block") {
        take(&Path::new("/sys/block").join(disk).join("queue/rotational"), &mut files);
    }
    for card in entries("/sys/class/drm").filter(|name| !name.contains('-')) {
        for file in ACCELERATOR_FILES {
            take(&Path::new("/sys/class/drm").join(&card).join("device").join(file), &mut files);
        }
    }
    Snapshot { at_s: start.elapsed().as_secs_f64(), files }
}

fn take(path: &Path, files: &mut BTreeMap<String, String>) {
    if let Ok(text) = fs::read_to_string(path) {
        files.insert(path.to_string_lossy().into_owned(), text);
    }
}

fn entries(folder: &str) -> impl Iterator<Item = String> {
    fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
}
