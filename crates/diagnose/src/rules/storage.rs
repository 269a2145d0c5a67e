//! Disks, network file systems, checkpoints, the page cache.

use maat_readings::monitor::{Label, Observation, Part, Signal};

use super::host::{is_no_limit, waiting_gpu};
use super::{add, has};
use crate::facts::limit;
use crate::found::Found;
use crate::view::{GpuPhase, Load, Rows, Series, View};

/// Whether a disk is at its limit in a sample. `%util` alone says nothing of a device that serves many requests at
/// once: requests must queue and wait.
fn is_saturated(name: &str, row: &Observation) -> bool {
    let many = name.starts_with("nvme");
    let (queue, wait) = if many {
        (limit("disk_queue_nvme"), limit("disk_wait_nvme_s"))
    } else {
        (limit("disk_queue"), limit("disk_wait_s"))
    };
    let waits = [Signal::ReadAwaitS, Signal::AwaitS, Signal::WriteAwaitS]
        .into_iter()
        .filter_map(|signal| row.get(signal))
        .fold(0.0, f64::max);
    row.get(Signal::DiskUtilization).is_some_and(|share| share >= limit("disk_utilization"))
        && row.get(Signal::QueueSize).is_some_and(|size| size >= queue)
        && waits >= wait
}

/// The rows of a disk that are at the limit, when they are a good part of all.
fn saturated<'a>(name: &str, rows: &Rows<'a>) -> Option<Rows<'a>> {
    let told = Series::of(rows, Signal::DiskUtilization);
    let limit_rows: Rows<'a> =
        told.points.iter().map(|(_, row)| *row).filter(|row| is_saturated(name, row)).collect();
    let share = limit_rows.len() as f64 / told.len().max(1) as f64;
    (!limit_rows.is_empty() && share >= limit("disk_saturated_share")).then_some(limit_rows)
}

/// Tasks that wait for a disk or a server.
pub fn waiting_tasks(view: &View<'_>, new: &mut Found) {
    if let Some(wait) =
        view.highest(Part::Host, Signal::CpuIowait).filter(|wait| wait.median() >= limit("iowait_high"))
    {
        new.series("iowait", &wait);
    }
    if let Some(blocked) =
        view.highest(Part::Host, Signal::BlockedTasks).filter(|blocked| blocked.median() >= 1.0)
    {
        new.series("blocked", &blocked);
    }
    if let Some(stalls) = view
        .highest(Part::Host, Signal::PressureIoSome)
        .filter(|stalls| stalls.median() >= limit("pressure_high"))
    {
        new.series("pressure", &stalls);
    }
    for process in &view.processes {
        let delay = Series::of(&process.rows, Signal::ProcessIoDelay);
        if !delay.is_empty() && delay.median() >= limit("io_delay_ticks") {
            new.series("blocked", &delay);
        }
    }
    let stuck: Vec<_> = view.processes.iter().filter(|process| process.waiting_share() >= 0.4).collect();
    if let Some(process) = stuck.first()
        && let Some(row) =
            process.rows.iter().find(|row| row.label(Label::State).is_some_and(|s| s.starts_with('D')))
    {
        new.prove(
            "blocked",
            maat_base::Evidence {
                what: format!("{} {}", process.id, process.name),
                value: format!("D (1 of {})", stuck.len()),
                place: row.place.to_string(),
            },
        );
    }
}

/// A local disk at its limit: by bandwidth, or by many small reads.
pub fn disks(view: &View<'_>, found: &mut Vec<Found>) {
    if is_no_limit(view) {
        return;
    }
    let mut any = false;
    for (name, rows) in view.groups(Part::Disk) {
        let Some(rows) = saturated(name, rows) else { continue };
        let read = Series::of(&rows, Signal::ReadBytesPerS);
        let write = Series::of(&rows, Signal::WriteBytesPerS);
        if write.mean() > read.mean() && !read.is_empty() {
            continue;
        }
        let size = request_size(&rows);
        let small = !size.is_empty() && size.median() < limit("small_request_bytes");
        let mut new = Found::new(if small { "storage-iops-small-files" } else { "storage-throughput" }, name);
        for signal in [Signal::DiskUtilization, Signal::QueueSize, Signal::ReadAwaitS, Signal::AwaitS] {
            let series = Series::of(&rows, signal);
            if !series.is_empty() {
                new.series("disk", &series);
            }
        }
        for series in [&read, &Series::of(&rows, Signal::ReadsPerS), &size] {
            if !series.is_empty() {
                new.series("reads", series);
            }
        }
        finish(view, new, &["gpu"], found);
        any = true;
    }
    if !any && !by_stalls(view, found) {
        by_blocks(view, found);
    }
}

/// A disk below its own limit that tasks wait for all the same: one reader that waits for each read, or a limit that is
/// set above or below the disk (a control group, a cloud volume).
fn by_stalls(view: &View<'_>, found: &mut Vec<Found>) -> bool {
    let mut stalls = Found::new("storage-throughput", "");
    waiting_tasks(view, &mut stalls);
    let strong = stalls.has("pressure") && (stalls.has("iowait") || stalls.has("blocked"));
    let both = stalls.has("iowait") && stalls.has("blocked");
    if !(strong || both) {
        return false;
    }
    let read = view.groups(Part::Disk).filter(|(name, _)| !is_part(name)).filter_map(|(name, rows)| {
        let bytes = Series::of(rows, Signal::ReadBytesPerS);
        (!bytes.is_empty() && bytes.median() >= limit("read_bytes_per_s")).then_some((name, rows, bytes))
    });
    let Some((name, rows, bytes)) = read.max_by(|a, b| a.2.median().total_cmp(&b.2.median())) else {
        return false;
    };
    let size = request_size(rows);
    let small = !size.is_empty() && size.median() < limit("small_request_bytes");
    let mut new = Found::new(if small { "storage-iops-small-files" } else { "storage-throughput" }, name);
    new.series("reads", &bytes);
    for series in [size, Series::of(rows, Signal::ReadAwaitS), Series::of(rows, Signal::DiskUtilization)] {
        if !series.is_empty() {
            new.series("reads", &series);
        }
    }
    finish(view, new, &["pressure"], found);
    true
}

/// The size of reads, else of all requests.
fn request_size<'a>(rows: &Rows<'a>) -> Series<'a> {
    let size = Series::of(rows, Signal::ReadRequestBytes);
    if size.is_empty() { Series::of(rows, Signal::RequestBytes) } else { size }
}

/// Devices that stand for others, so that reads would count twice.
fn is_part(name: &str) -> bool {
    ["loop", "ram", "zram"].iter().any(|start| name.starts_with(start))
}

/// Without figures of disks: blocks come in while tasks wait for them.
fn by_blocks(view: &View<'_>, found: &mut Vec<Found>) {
    if view
        .groups(Part::Disk)
        .any(|(_, rows)| rows.iter().any(|row| row.get(Signal::DiskUtilization).is_some()))
    {
        return;
    }
    // Swapping makes tasks wait for a disk too.
    if has(found, "host-memory-swap") {
        return;
    }
    let mut new = Found::new("storage-throughput", "");
    waiting_tasks(view, &mut new);
    let blocks = view.highest(Part::Host, Signal::BlocksInBytesPerS);
    // No processor waits for a disk while others keep them all busy: then blocked tasks and their reading tell.
    let enough = if new.has("iowait") {
        limit("network_read_bytes_per_s") / 10.0
    } else {
        limit("blocked_read_bytes_per_s")
    };
    let reads = blocks.as_ref().map(|blocks| blocks.median() >= enough);
    let stalls = view.highest(Part::Host, Signal::PressureIoSome);
    let stalled = stalls.is_some_and(|stalls| stalls.median() >= limit("pressure_io_alone"));
    match reads {
        Some(true) if new.has("iowait") || new.has("blocked") || new.has("pressure") => {}
        // Tasks wait for something to read; whether it is a disk of this machine is not seen.
        None if new.has("iowait") || stalled => new.doubt(),
        _ => return,
    }
    if let Some(blocks) = &blocks {
        new.series("reads", blocks);
    }
    finish(view, new, &["disk"], found);
}

/// Adds what waits for the disk. Both the queue of the disk and its rate are one signal: they come from one counter.
fn finish(view: &View<'_>, disk: Found, asks: &[&'static str], found: &mut Vec<Found>) {
    let mut new = disk;
    waiting_tasks(view, &mut new);
    waiting_gpu(view, &mut new);
    if let Some((_, row)) = view.last(Part::Disk, Signal::FioReadBytesPerS) {
        new.value("fio", row, Signal::FioReadBytesPerS);
    }
    // A disk that works hard while nothing waits for it is a disk that is used well.
    let waited_for = ["iowait", "blocked", "pressure", "gpu"].iter().any(|group| new.has(group));
    if waited_for || matches!(view.load, Load::Unknown) {
        new.asks = asks.to_vec();
        add(found, new);
    }
}

/// Where the kernel waits when a network file system does not answer.
const REMOTE_WAITS: [&str; 8] = ["nfs", "rpc", "ceph", "ll_", "ldlm", "cl_sync", "cifs", "gpfs"];

/// Tasks wait for a file system of another machine: the disks here are quiet.
pub fn remote(view: &View<'_>, found: &mut Vec<Found>) {
    if is_no_limit(view) || has(found, "storage-throughput") || has(found, "storage-iops-small-files") {
        return;
    }
    let mut new = Found::new("network-filesystem", "");
    for (_, rows) in view.groups(Part::Interface).filter(|(name, _)| *name != "lo") {
        let received = Series::of(rows, Signal::RxBytesPerS);
        if !received.is_empty() && received.median() >= limit("network_read_bytes_per_s") {
            new.series("network", &received);
        }
    }
    for (_, rows) in view.groups(Part::Mount) {
        let wait = Series::of(rows, Signal::NetworkWaitS);
        if !wait.is_empty() && wait.median() >= limit("rpc_wait_s") {
            new.series("rpc", &wait);
        }
    }
    for process in view.processes.iter().filter(|process| process.waiting_share() > 0.0) {
        let wait = process.rows.iter().find_map(|row| Some((row.label(Label::Wait)?, *row)));
        if let Some((place, row)) = wait
            && REMOTE_WAITS.iter().any(|start| place.starts_with(start))
        {
            let evidence = maat_base::Evidence {
                what: format!("{} {}", process.id, process.name),
                value: place.to_owned(),
                place: row.place.to_string(),
            };
            new.prove("kernel", evidence);
        }
    }
    for event in view.events("nfs-wait") {
        new.event("log", event);
    }
    let telling = new.has("rpc") || new.has("kernel") || new.has("log");
    let quiet = quiet_disks(view, &mut new);
    let mut waits = Found::new("network-filesystem", "");
    waiting_tasks(view, &mut waits);
    let waiting = waits.signals() > 0;
    if !(telling && (waiting || quiet) || new.has("network") && quiet && waiting) {
        return;
    }
    new.absorb(waits);
    waiting_gpu(view, &mut new);
    new.asks = vec!["disk", "network"];
    add(found, new);
}

/// Whether there are figures of local disks and all are quiet.
fn quiet_disks(view: &View<'_>, new: &mut Found) -> bool {
    let used = view.highest(Part::Disk, Signal::DiskUtilization);
    match used {
        Some(used) if used.median() < limit("disk_quiet") => {
            new.series("local", &used);
            true
        }
        _ => false,
    }
}

/// An accelerator that stands still again and again while something is written.
pub fn checkpoints(view: &View<'_>, found: &mut Vec<Found>) {
    for phase in &view.gpus {
        let stalls = stalls(phase);
        if (stalls as f64) < limit("stall_count") {
            continue;
        }
        let mut new = Found::new("checkpoint-eval-stall", phase.subject());
        for signal in [Signal::WriteBytesPerS, Signal::BlocksOutBytesPerS] {
            let part = if signal == Signal::WriteBytesPerS { Part::Disk } else { Part::Host };
            for series in view.series(part, signal) {
                let bursts = series.share(|rate| rate >= limit("burst_write_bytes_per_s"));
                if bursts > 0.0 && bursts <= 0.6 {
                    new.prove("writes", series.spread());
                }
            }
        }
        for event in view.events("checkpoint") {
            new.event("log", event);
        }
        if new.signals() == 0 {
            continue;
        }
        let mut evidence = phase.series(Signal::GpuUtilization).spread();
        evidence.value = format!("{}; {stalls} x idle between busy", evidence.value);
        new.prove("gpu", evidence);
        new.gain = phase.mean_use().map(|share| 1.0 - share);
        add(found, new);
    }
}

/// How often it stood still for several samples between times of work.
fn stalls(phase: &GpuPhase<'_>) -> usize {
    let shares = phase.series(Signal::GpuUtilization);
    let (mut stalls, mut idle, mut worked) = (0, 0_u32, 0);
    for (share, _) in &shares.points {
        if *share < 0.1 {
            idle += 1;
        } else if *share >= limit("gpu_waiting") {
            if f64::from(idle) >= limit("stall_samples") && worked >= 3 {
                stalls += 1;
                worked = 0;
            }
            idle = 0;
            worked += 1;
        }
    }
    stalls
}

/// Data that do not fit the memory, so that each pass reads the disk again.
pub fn page_cache(view: &View<'_>, found: &mut Vec<Found>) {
    if !has(found, "storage-throughput") && !has(found, "storage-iops-small-files") {
        return;
    }
    let cached = view.shares(Signal::RamCachedBytes, Signal::RamTotalBytes);
    let free = view.shares(Signal::RamFreeBytes, Signal::RamTotalBytes);
    let cached = cached.into_iter().find(|(share, _)| *share >= limit("page_cache_share"));
    let free = free.into_iter().find(|(share, _)| *share <= limit("ram_free_share"));
    if let (Some((_, cached)), Some((_, free))) = (cached, free) {
        let mut new = Found::new("page-cache-overflow", "");
        new.value("cache", cached, Signal::RamCachedBytes);
        new.value("cache", free, Signal::RamFreeBytes);
        if let Some(blocks) = view.highest(Part::Host, Signal::BlocksInBytesPerS) {
            new.series("reads", &blocks);
        }
        add(found, new);
    }
}
