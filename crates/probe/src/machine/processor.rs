//! Processors: `/proc/cpuinfo`, and topology, caches and clocks of sysfs.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::root::Root;

const SYS: &str = "/sys/devices/system/cpu";
/// More processors than these are not looked at one by one.
const LIMIT: usize = 4096;
/// Instruction sets that decide how fast products of matrices run, as the kernel names them.
const ISA: &[&str] = &[
    "sse2",
    "avx",
    "avx2",
    "fma",
    "f16c",
    "avx_vnni",
    "avx512f",
    "avx512bw",
    "avx512_vnni",
    "avx512_bf16",
    "avx512_fp16",
    "amx_tile",
    "amx_int8",
    "amx_bf16",
    "amx_fp16",
    "asimd",
    "asimddp",
    "sve",
    "sve2",
    "i8mm",
    "bf16",
    "svebf16",
    "svei8mm",
];

/// The processors of a machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ProcessorSeen {
    /// Name, as the processor says it.
    pub model: Option<String>,
    /// Maker, as the processor says it, such as `GenuineIntel`.
    pub vendor: Option<String>,
    /// Sockets.
    pub sockets: Option<u32>,
    /// Physical cores; the threads where it is not known which share a core.
    pub cores: Option<u32>,
    /// Hardware threads.
    pub threads: Option<u32>,
    /// Threads that this process may run on.
    pub allowed_threads: Option<u32>,
    /// Highest clock of a core in Hz, as the frequency driver states it.
    pub max_clock_hz: Option<f64>,
    /// Clock without boost in Hz: the frequency driver's, the name's, or the rate of the time counter.
    pub base_clock_hz: Option<f64>,
    /// Instruction sets for vectors and matrices.
    pub isa: Vec<String>,
    /// Whether it says that it is a virtual machine's.
    pub hypervisor: bool,
    /// Caches, one entry for each that exists.
    pub caches: Vec<CacheSeen>,
    /// NUMA nodes with processors.
    pub numa_nodes: Option<u32>,
    /// Frequency governor.
    pub governor: Option<String>,
}

/// Caches of one level and kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CacheSeen {
    /// Level, from 1.
    pub level: u32,
    /// `Data`, `Instruction` or `Unified`.
    pub kind: String,
    /// Size of one.
    pub bytes: u64,
    /// How many of them there are.
    pub count: u32,
}

impl ProcessorSeen {
    /// All caches of the highest level together.
    pub fn last_cache_bytes(&self) -> Option<u64> {
        let data = self.caches.iter().filter(|cache| cache.kind != "Instruction");
        let last = data.max_by_key(|cache| cache.level)?;
        Some(last.bytes.saturating_mul(u64::from(last.count)))
    }
}

/// Reads them.
pub(super) fn read(root: &Root) -> ProcessorSeen {
    let info = root.text("/proc/cpuinfo").unwrap_or_default();
    let first = info.split("\n\n").next().unwrap_or("");
    let online = online(root, &info);
    let (sockets, cores) = topology(root, &info, &online);
    let flags: BTreeSet<&str> =
        field(first, &["flags", "Features"]).unwrap_or("").split_ascii_whitespace().collect();
    // Boards of Arm name themselves in a block of their own, the last, or in the device tree.
    let model = field(first, &["model name", "Model", "cpu model", "cpu"])
        .or_else(|| field(info.rsplit("\n\n").next()?, &["Model"]))
        .map(str::to_owned)
        .or_else(|| root.text("/proc/device-tree/model"));
    ProcessorSeen {
        base_clock_hz: base_clock(root, model.as_deref(), first),
        vendor: field(first, &["vendor_id"]).map(str::to_owned),
        sockets,
        cores,
        threads: count(online.len()),
        allowed_threads: allowed(root),
        max_clock_hz: root
            .number::<f64>(&format!("{SYS}/cpu0/cpufreq/cpuinfo_max_freq"))
            .filter(|khz| *khz > 0.0)
            .map(|khz| khz * 1e3),
        isa: ISA.iter().filter(|isa| flags.contains(**isa)).map(|isa| (*isa).to_owned()).collect(),
        hypervisor: flags.contains("hypervisor"),
        caches: caches(root, &online),
        numa_nodes: numa(root),
        governor: root.text(&format!("{SYS}/cpu0/cpufreq/scaling_governor")),
        model,
    }
}

/// The value of the first of some keys in a block of `key : value` lines.
fn field<'a>(block: &'a str, keys: &[&str]) -> Option<&'a str> {
    let value = |key: &str| {
        block.lines().find_map(|line| {
            let (name, value) = line.split_once(':')?;
            (name.trim() == key).then(|| value.trim()).filter(|value| !value.is_empty())
        })
    };
    keys.iter().find_map(|key| value(key))
}

fn count(n: usize) -> Option<u32> {
    u32::try_from(n).ok().filter(|&n| n > 0)
}

/// Numbers of the processors that are on: sysfs, else the blocks of cpuinfo.
fn online(root: &Root, info: &str) -> Vec<u32> {
    let listed = root.text(&format!("{SYS}/online")).map(|text| list(&text)).unwrap_or_default();
    if !listed.is_empty() {
        return listed;
    }
    let numbers = info.lines().filter_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == "processor").then(|| value.trim().parse().ok())?
    });
    numbers.take(LIMIT).collect()
}

/// Reads `0-3,8,10-11`, at most [`LIMIT`] of them.
fn list(text: &str) -> Vec<u32> {
    let mut all = Vec::new();
    for part in text.trim().split(',') {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let (Ok(from), Ok(to)) = (from.trim().parse::<u32>(), to.trim().parse::<u32>()) else { continue };
        all.extend((from..=to).take(LIMIT.saturating_sub(all.len())));
    }
    all
}

/// Sockets and cores: sysfs, else cpuinfo, else every thread is a core.
fn topology(root: &Root, info: &str, online: &[u32]) -> (Option<u32>, Option<u32>) {
    let mut pairs: BTreeSet<(i64, i64)> = BTreeSet::new();
    for cpu in online {
        let read = |name: &str| root.number::<i64>(&format!("{SYS}/cpu{cpu}/topology/{name}"));
        if let (Some(package), Some(core)) = (read("physical_package_id"), read("core_id")) {
            // Boards without packages say -1.
            let siblings = root.text(&format!("{SYS}/cpu{cpu}/topology/thread_siblings_list"));
            let first = siblings.and_then(|text| list(&text).first().copied());
            pairs.insert((package.max(0), first.map_or(core, i64::from)));
        }
    }
    if pairs.is_empty() {
        for block in info.split("\n\n") {
            let number = |key: &str| field(block, &[key]).and_then(|value| value.parse::<i64>().ok());
            if let (Some(package), Some(core)) = (number("physical id"), number("core id")) {
                pairs.insert((package, core));
            }
        }
    }
    if pairs.is_empty() {
        return (None, count(online.len()));
    }
    let sockets: BTreeSet<i64> = pairs.iter().map(|(package, _)| *package).collect();
    (count(sockets.len()), count(pairs.len()))
}

/// Threads that the scheduler lets this process run on.
fn allowed(root: &Root) -> Option<u32> {
    let status = root.text("/proc/self/status")?;
    count(list(field(&status, &["Cpus_allowed_list"])?).len())
}

/// The driver's base clock, the `@ 2.00GHz` of a name, or the clock that the kernel measured.
fn base_clock(root: &Root, model: Option<&str>, block: &str) -> Option<f64> {
    let driver = root.number::<f64>(&format!("{SYS}/cpu0/cpufreq/base_frequency")).map(|khz| khz * 1e3);
    let named = || {
        let ghz = model?.split_once('@')?.1.trim().strip_suffix("GHz")?;
        ghz.trim().parse::<f64>().ok().map(|ghz| ghz * 1e9)
    };
    let measured = || field(block, &["cpu MHz"])?.parse::<f64>().ok().map(|mhz| mhz * 1e6);
    let sound = |hz: &f64| hz.is_finite() && (1e8..1e11).contains(hz);
    driver.filter(sound).or_else(|| named().filter(sound)).or_else(|| measured().filter(sound))
}

fn caches(root: &Root, online: &[u32]) -> Vec<CacheSeen> {
    let mut seen: BTreeSet<(u32, String, u64, String)> = BTreeSet::new();
    for cpu in online {
        for index in 0..8 {
            let read = |name: &str| root.text(&format!("{SYS}/cpu{cpu}/cache/index{index}/{name}"));
            let (Some(level), Some(kind), Some(size)) = (read("level"), read("type"), read("size")) else {
                break;
            };
            let (Ok(level), Some(bytes)) = (level.parse(), size_bytes(&size)) else { continue };
            seen.insert((level, kind, bytes, read("shared_cpu_list").unwrap_or_else(|| cpu.to_string())));
        }
    }
    let mut caches: Vec<CacheSeen> = Vec::new();
    for (level, kind, bytes, _) in seen {
        match caches.last_mut() {
            Some(last) if last.level == level && last.kind == kind && last.bytes == bytes => last.count += 1,
            _ => caches.push(CacheSeen { level, kind, bytes, count: 1 }),
        }
    }
    caches
}

/// Reads `32K`, `1024K`, `8M`.
fn size_bytes(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = match &text[digits.len()..] {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(unit).filter(|&bytes| bytes > 0)
}

fn numa(root: &Root) -> Option<u32> {
    let nodes = root.entries("/sys/devices/system/node");
    let with_processors = nodes.iter().filter(|name| {
        let numbered = name.strip_prefix("node").is_some_and(|rest| rest.parse::<u32>().is_ok());
        numbered && root.text(&format!("/sys/devices/system/node/{name}/cpulist")).is_some()
    });
    count(with_processors.count())
}
