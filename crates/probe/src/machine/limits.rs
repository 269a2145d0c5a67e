//! What a control group leaves of the machine: version 2 and version 1, from the process's own group upwards.

use serde::{Deserialize, Serialize};

use crate::root::Root;

/// What may be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    /// Processors' time that may be used, in processors; `None` without a limit.
    pub cpus: Option<f64>,
    /// Memory that may be used; `None` without a limit.
    pub memory_bytes: Option<u64>,
    /// Memory in use by the group now.
    pub memory_used_bytes: Option<u64>,
    /// Periods in which the group was held back so far.
    pub throttled_periods: Option<u64>,
}

/// Version 1 writes a number near 2^63 for no limit.
const UNLIMITED_BYTES: u64 = 1 << 60;
/// Deeper groups than this are not followed.
const DEPTH: usize = 32;

/// Reads them.
pub(super) fn read(root: &Root) -> Limits {
    let groups = root.text("/proc/self/cgroup").unwrap_or_default();
    let group = |controller: &str| {
        groups.lines().find_map(|line| {
            let mut parts = line.splitn(3, ':').skip(1);
            let (names, path) = (parts.next()?, parts.next()?);
            names.split(',').any(|name| name == controller).then(|| path.to_owned())
        })
    };
    let second = folders("/sys/fs/cgroup", group("").as_deref());
    let of_cpu: Vec<String> = ["/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpu,cpuacct"]
        .iter()
        .flat_map(|mount| folders(mount, group("cpu").as_deref()))
        .collect();
    let of_memory = folders("/sys/fs/cgroup/memory", group("memory").as_deref());
    let cpus = second
        .iter()
        .filter_map(|folder| quota(&root.text(&format!("{folder}/cpu.max"))?))
        .chain(of_cpu.iter().filter_map(|folder| old_quota(root, folder)));
    let bytes = |folder: &String, name: &str| root.number::<u64>(&format!("{folder}/{name}"));
    let memory = second
        .iter()
        .filter_map(|folder| bytes(folder, "memory.max"))
        .chain(of_memory.iter().filter_map(|folder| bytes(folder, "memory.limit_in_bytes")));
    Limits {
        cpus: cpus.min_by(f64::total_cmp),
        memory_bytes: memory.filter(|&bytes| bytes > 0 && bytes < UNLIMITED_BYTES).min(),
        memory_used_bytes: second
            .iter()
            .find_map(|folder| bytes(folder, "memory.current"))
            .or_else(|| of_memory.iter().find_map(|folder| bytes(folder, "memory.usage_in_bytes"))),
        throttled_periods: second.iter().chain(&of_cpu).find_map(|folder| {
            let text = root.text(&format!("{folder}/cpu.stat"))?;
            text.lines().find_map(|line| line.strip_prefix("nr_throttled ")?.trim().parse().ok())
        }),
    }
}

/// The group's folder and those above it, deepest first. In a container the path may be the host's: then only the mount
/// itself is there.
fn folders(mount: &str, path: Option<&str>) -> Vec<String> {
    let mut all = Vec::new();
    let mut path = path.unwrap_or("").trim_end_matches('/');
    while !path.is_empty() && all.len() < DEPTH && !path.contains("..") {
        all.push(format!("{mount}{path}"));
        path = path.rsplit_once('/').map_or("", |(above, _)| above);
    }
    all.push(mount.to_owned());
    all
}

/// Reads `200000 100000`; `max` is no limit.
fn quota(text: &str) -> Option<f64> {
    let (quota, period) = text.split_once(' ')?;
    share(quota.trim().parse().ok()?, period.trim().parse().ok()?)
}

fn old_quota(root: &Root, folder: &str) -> Option<f64> {
    let read = |name: &str| root.number::<f64>(&format!("{folder}/{name}"));
    share(read("cpu.cfs_quota_us")?, read("cpu.cfs_period_us")?)
}

fn share(quota: f64, period: f64) -> Option<f64> {
    let cpus = quota / period;
    (quota > 0.0 && period > 0.0 && cpus.is_finite()).then_some(cpus)
}
