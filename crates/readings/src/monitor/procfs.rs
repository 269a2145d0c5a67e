//! Two looks at the files of a running Linux machine, to rates between them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Label, Observation, Part, Samples, Signal, Span, value};
use crate::Place;

/// Ticks of a second in `/proc/stat` and `/proc/PID/stat` (USER_HZ, the same on every Linux).
const TICKS_PER_S: f64 = 100.0;
/// Bytes of a sector in `/proc/diskstats`, whatever the device's own are.
const SECTOR_BYTES: f64 = 512.0;

/// What files held at one moment.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// Seconds since the first look.
    pub at_s: f64,
    /// Path and content.
    pub files: BTreeMap<String, String>,
}

/// Bytes of a page of memory.
#[derive(Clone, Copy, Debug)]
pub struct PageBytes(pub u64);

/// What happened between two looks, as one block of samples.
pub fn between(before: &Snapshot, after: &Snapshot, page: PageBytes, samples: &mut Samples) {
    let seconds = after.at_s - before.at_s;
    if seconds <= 0.0 {
        return;
    }
    let pair = Pair { before, after, seconds, page: page.0 as f64 };
    pair.processors(samples);
    pair.memory(samples);
    pair.pressure(samples);
    pair.disks(samples);
    pair.interfaces(samples);
    pair.processes(samples);
    pair.group(samples);
    pair.accelerators(samples);
}

struct Pair<'a> {
    before: &'a Snapshot,
    after: &'a Snapshot,
    seconds: f64,
    page: f64,
}

impl<'a> Pair<'a> {
    fn file(&self, path: &str) -> Option<(Option<&'a str>, &'a str)> {
        let after = self.after.files.get(path)?;
        Some((self.before.files.get(path).map(String::as_str), after))
    }

    fn row(&self, part: Part, name: &str, path: &str) -> Observation {
        Observation {
            part,
            name: Arc::from(name),
            block: 0,
            at_s: Some(self.after.at_s),
            span: Span::Moment,
            values: Vec::new(),
            labels: Vec::new(),
            place: Place::whole(path),
        }
    }

    /// `cpu  user nice system idle iowait irq softirq steal`, of all cores and of each; switches and the run queue.
    fn processors(&self, samples: &mut Samples) {
        let path = "/proc/stat";
        let Some((Some(before), after)) = self.file(path) else { return };
        let old = lines_by_name(before);
        let mut cores = 0.0;
        let mut host = self.row(Part::Host, "", path);
        for (name, now) in lines_by_name(after) {
            let Some(was) = old.get(name) else { continue };
            if let Some(core) = name.strip_prefix("cpu") {
                let mut row = self.row(if core.is_empty() { Part::Host } else { Part::Core }, core, path);
                cores += f64::from(u8::from(!core.is_empty()));
                shares(was, &now, &mut row);
                samples.push(row);
            } else if name == "ctxt" {
                host.set(Signal::ContextSwitchesPerS, (now[0] - was[0]) / self.seconds);
            } else if name == "procs_running" {
                // The one that looks is itself running.
                host.set(Signal::RunQueue, (now[0] - 1.0).max(0.0));
            } else if name == "procs_blocked" {
                host.set(Signal::BlockedTasks, now[0]);
            }
        }
        host.set(Signal::CpuCount, cores);
        if let Some((_, load)) = self.file("/proc/loadavg")
            && let Some(load) = load.split_whitespace().next().and_then(value::number)
        {
            host.set(Signal::Load1m, load);
        }
        samples.push(host);
    }

    fn memory(&self, samples: &mut Samples) {
        let path = "/proc/meminfo";
        if let Some((_, after)) = self.file(path) {
            let mut row = self.row(Part::Host, "", path);
            let mut swap_free = None;
            for line in after.lines() {
                let Some((name, rest)) = line.split_once(':') else { continue };
                let Some(kibibytes) = rest.split_whitespace().next().and_then(value::number) else {
                    continue;
                };
                let bytes = kibibytes * 1024.0;
                let signal = match name {
                    "MemTotal" => Signal::RamTotalBytes,
                    "MemFree" => Signal::RamFreeBytes,
                    "MemAvailable" => Signal::RamAvailableBytes,
                    "Cached" => Signal::RamCachedBytes,
                    "SwapTotal" => Signal::SwapTotalBytes,
                    "SwapFree" => {
                        swap_free = Some(bytes);
                        continue;
                    }
                    _ => continue,
                };
                row.set(signal, bytes);
            }
            if let (Some(total), Some(free)) = (row.get(Signal::SwapTotalBytes), swap_free) {
                row.set(Signal::SwapUsedBytes, total - free);
            }
            samples.push(row);
        }
        let path = "/proc/vmstat";
        let Some((Some(before), after)) = self.file(path) else { return };
        let (old, new) = (lines_by_name(before), lines_by_name(after));
        let mut row = self.row(Part::Host, "", path);
        for (name, signal, factor) in [
            ("pswpin", Signal::SwapInBytesPerS, self.page),
            ("pswpout", Signal::SwapOutBytesPerS, self.page),
            ("pgmajfault", Signal::MajorFaultsPerS, 1.0),
            ("pgpgin", Signal::BlocksInBytesPerS, 1024.0),
            ("pgpgout", Signal::BlocksOutBytesPerS, 1024.0),
        ] {
            if let (Some(was), Some(now)) = (old.get(name), new.get(name)) {
                row.set(signal, (now[0] - was[0]).max(0.0) * factor / self.seconds);
            }
        }
        samples.push(row);
    }

    fn pressure(&self, samples: &mut Samples) {
        for (resource, some, full) in [
            ("cpu", Signal::PressureCpuSome, Signal::PressureCpuFull),
            ("io", Signal::PressureIoSome, Signal::PressureIoFull),
            ("memory", Signal::PressureMemorySome, Signal::PressureMemoryFull),
        ] {
            let path = format!("/proc/pressure/{resource}");
            let Some((Some(before), after)) = self.file(&path) else { continue };
            let mut row = self.row(Part::Host, "", &path);
            for (start, signal) in [("some", some), ("full", full)] {
                let total = |text: &str| {
                    let line = text.lines().find(|line| line.starts_with(start))?;
                    value::number(line.rsplit("total=").next()?)
                };
                if let (Some(was), Some(now)) = (total(before), total(after)) {
                    row.set(signal, ((now - was) * 1e-6 / self.seconds).clamp(0.0, 1.0));
                }
            }
            samples.push(row);
        }
    }

    /// Fields of `Documentation/admin-guide/iostats.rst`.
    fn disks(&self, samples: &mut Samples) {
        let path = "/proc/diskstats";
        let Some((Some(before), after)) = self.file(path) else { return };
        let parse = |line: &'a str| -> Option<(&'a str, Vec<f64>)> {
            let words: Vec<&str> = line.split_whitespace().collect();
            let name = *words.get(2)?;
            Some((name, words[3..].iter().filter_map(|word| value::number(word)).collect()))
        };
        let old: BTreeMap<&str, Vec<f64>> = before.lines().filter_map(parse).collect();
        for (name, now) in after.lines().filter_map(parse) {
            // A device that never moved is none that matters; parts of a device would count twice.
            let whole = self.after.files.contains_key(&format!("/sys/block/{name}/queue/rotational"));
            let Some(was) = old.get(name).filter(|was| whole && was.len() >= 11 && now.len() >= 11) else {
                continue;
            };
            let change: Vec<f64> = now.iter().zip(was).map(|(now, was)| (now - was).max(0.0)).collect();
            let mut row = self.row(Part::Disk, name, path);
            let (reads, writes) = (change[0], change[4]);
            row.set(Signal::ReadsPerS, reads / self.seconds);
            row.set(Signal::WritesPerS, writes / self.seconds);
            row.set(Signal::ReadBytesPerS, change[2] * SECTOR_BYTES / self.seconds);
            row.set(Signal::WriteBytesPerS, change[6] * SECTOR_BYTES / self.seconds);
            if reads > 0.0 {
                row.set(Signal::ReadAwaitS, change[3] / reads / 1e3);
                row.set(Signal::ReadRequestBytes, change[2] * SECTOR_BYTES / reads);
            }
            if writes > 0.0 {
                row.set(Signal::WriteAwaitS, change[7] / writes / 1e3);
            }
            row.set(Signal::DiskUtilization, (change[9] / 1e3 / self.seconds).min(1.0));
            row.set(Signal::QueueSize, change[10] / 1e3 / self.seconds);
            samples.push(row);
        }
    }

    fn interfaces(&self, samples: &mut Samples) {
        let path = "/proc/net/dev";
        let Some((Some(before), after)) = self.file(path) else { return };
        let parse = |line: &'a str| -> Option<(&'a str, Vec<f64>)> {
            let (name, rest) = line.split_once(':')?;
            Some((name.trim(), rest.split_whitespace().filter_map(value::number).collect()))
        };
        let old: BTreeMap<&str, Vec<f64>> = before.lines().filter_map(parse).collect();
        for (name, now) in after.lines().filter_map(parse) {
            let Some(was) = old.get(name).filter(|was| was.len() >= 9 && now.len() >= 9) else { continue };
            let mut row = self.row(Part::Interface, name, path);
            row.set(Signal::RxBytesPerS, (now[0] - was[0]).max(0.0) / self.seconds);
            row.set(Signal::TxBytesPerS, (now[8] - was[8]).max(0.0) / self.seconds);
            samples.push(row);
        }
    }

    /// `PID (comm) state ppid … utime stime … threads`: the name may hold spaces and brackets.
    fn processes(&self, samples: &mut Samples) {
        for (path, after) in &self.after.files {
            let Some(pid) = path.strip_prefix("/proc/").and_then(|rest| rest.strip_suffix("/stat")) else {
                continue;
            };
            let (Some(now), Some(was)) =
                (process(after), self.before.files.get(path).and_then(|old| process(old)))
            else {
                continue;
            };
            let mut row = self.row(Part::Process, pid, path);
            row.set(Signal::ProcessCpu, (now.ticks - was.ticks).max(0.0) / TICKS_PER_S / self.seconds);
            row.set(Signal::ProcessThreads, now.threads);
            row.tag(Label::State, now.state);
            row.tag(Label::Name, now.name);
            samples.push(row);
        }
    }

    fn group(&self, samples: &mut Samples) {
        let path = "/sys/fs/cgroup/cpu.stat";
        let Some((_, after)) = self.file(path) else { return };
        for (text, at_s) in [
            (self.file(path).and_then(|(before, _)| before), self.before.at_s),
            (Some(after), self.after.at_s),
        ] {
            let Some(text) = text else { continue };
            let lines = lines_by_name(text);
            let mut row = self.row(Part::Group, "", path);
            row.at_s = Some(at_s);
            for (name, signal) in
                [("nr_periods", Signal::QuotaPeriods), ("nr_throttled", Signal::QuotaThrottledPeriods)]
            {
                if let Some(numbers) = lines.get(name) {
                    row.set(signal, numbers[0]);
                }
            }
            samples.push(row);
        }
        if let Some((_, text)) = self.file("/sys/fs/cgroup/cpu.max") {
            let numbers: Vec<f64> = text.split_whitespace().filter_map(value::number).collect();
            if let [limit, period] = numbers.as_slice() {
                let mut row = self.row(Part::Group, "", "/sys/fs/cgroup/cpu.max");
                row.set(Signal::QuotaCores, limit / period.max(1.0));
                samples.push(row);
            }
        }
    }

    /// Accelerators whose driver tells in files (amdgpu).
    fn accelerators(&self, samples: &mut Samples) {
        let mut next = 0;
        for (path, busy) in &self.after.files {
            let Some(folder) = path.strip_suffix("/gpu_busy_percent") else { continue };
            let mut row = self.row(Part::Gpu, &next.to_string(), path);
            next += 1;
            if let Some(percent) = value::number(busy) {
                row.set(Signal::GpuUtilization, percent / 100.0);
            }
            for (name, signal, factor) in [
                ("mem_busy_percent", Signal::MemoryUtilization, 0.01),
                ("mem_info_vram_used", Signal::MemoryUsedBytes, 1.0),
                ("mem_info_vram_total", Signal::MemoryTotalBytes, 1.0),
            ] {
                let text = self.after.files.get(&format!("{folder}/{name}"));
                if let Some(number) = text.and_then(|text| value::number(text)) {
                    row.set(signal, number * factor);
                }
            }
            samples.push(row);
        }
    }
}

/// Lines `name number …`, those with a number at least.
fn lines_by_name(text: &str) -> BTreeMap<&str, Vec<f64>> {
    text.lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            let name = words.next()?;
            let numbers: Vec<f64> = words.filter_map(value::number).collect();
            (!numbers.is_empty()).then_some((name, numbers))
        })
        .collect()
}

fn shares(was: &[f64], now: &[f64], row: &mut Observation) {
    const ORDER: [Signal; 8] = [
        Signal::CpuUser,
        Signal::CpuNice,
        Signal::CpuSystem,
        Signal::CpuIdle,
        Signal::CpuIowait,
        Signal::CpuIrq,
        Signal::CpuSoftirq,
        Signal::CpuSteal,
    ];
    let change: Vec<f64> =
        now.iter().zip(was).take(ORDER.len()).map(|(now, was)| (now - was).max(0.0)).collect();
    let whole: f64 = change.iter().sum();
    if whole > 0.0 {
        for (signal, ticks) in ORDER.into_iter().zip(&change) {
            row.set(signal, ticks / whole);
        }
    }
}

struct Stat<'a> {
    name: &'a str,
    state: &'a str,
    ticks: f64,
    threads: f64,
}

fn process(text: &str) -> Option<Stat<'_>> {
    let open = text.find('(')?;
    let close = text.rfind(')')?;
    let rest: Vec<&str> = text.get(close + 1..)?.split_whitespace().collect();
    Some(Stat {
        name: text.get(open + 1..close)?,
        state: rest.first()?,
        ticks: value::number(rest.get(11)?)? + value::number(rest.get(12)?)?,
        threads: value::number(rest.get(17)?)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(at_s: f64, files: &[(&str, &str)]) -> Snapshot {
        Snapshot {
            at_s,
            files: files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect(),
        }
    }

    #[test]
    fn rates_between_two_looks() {
        let disk = "   8       0 sda 100 0 2000 500 0 0 0 0 0 400 500\n";
        let later = "   8       0 sda 300 0 206800 10500 0 0 0 0 8 2400 20500\n";
        let rotational = ("/sys/block/sda/queue/rotational", "1");
        let before = snapshot(
            0.0,
            &[
                (
                    "/proc/stat",
                    "cpu  100 0 100 800 0 0 0 0\ncpu0 100 0 100 800 0 0 0 0\nctxt 1000\nprocs_running 2\n",
                ),
                ("/proc/diskstats", disk),
                ("/proc/42/stat", "42 (a (b) c) R 1 1 1 0 -1 0 0 0 0 0 100 50 0 0 20 0 7 0 0"),
                rotational,
            ],
        );
        let after = snapshot(
            2.0,
            &[
                (
                    "/proc/stat",
                    "cpu  250 0 130 810 10 0 0 0\ncpu0 250 0 130 810 10 0 0 0\nctxt 3000\nprocs_running 5\n",
                ),
                ("/proc/diskstats", later),
                ("/proc/42/stat", "42 (a (b) c) D 1 1 1 0 -1 0 0 0 0 0 260 90 0 0 20 0 7 0 0"),
                rotational,
            ],
        );
        let mut samples = Samples::default();
        between(&before, &after, PageBytes(4096), &mut samples);
        let find = |part: Part, signal: Signal| {
            samples.rows.iter().filter(|row| row.part == part).find_map(|row| row.get(signal)).unwrap()
        };
        // Of 200 ticks, 150 user, 30 system, 10 idle, 10 waiting.
        assert!((find(Part::Host, Signal::CpuUser) - 0.75).abs() < 1e-9);
        assert!((find(Part::Host, Signal::CpuIowait) - 0.05).abs() < 1e-9);
        assert!((find(Part::Host, Signal::RunQueue) - 4.0).abs() < 1e-9);
        assert!((find(Part::Host, Signal::ContextSwitchesPerS) - 1000.0).abs() < 1e-9);
        // 200 reads of 204,800 sectors in 10,000 ms, busy all of the 2 s, 20,000 ms of requests.
        assert!((find(Part::Disk, Signal::ReadsPerS) - 100.0).abs() < 1e-9);
        assert!((find(Part::Disk, Signal::ReadAwaitS) - 0.05).abs() < 1e-9);
        assert!((find(Part::Disk, Signal::ReadRequestBytes) - 524_288.0).abs() < 1e-6);
        assert!((find(Part::Disk, Signal::DiskUtilization) - 1.0).abs() < 1e-9);
        assert!((find(Part::Disk, Signal::QueueSize) - 10.0).abs() < 1e-9);
        // 200 ticks of a process in 2 s are one core.
        assert!((find(Part::Process, Signal::ProcessCpu) - 1.0).abs() < 1e-9);
        let process = samples.rows.iter().find(|row| row.part == Part::Process).unwrap();
        assert_eq!((process.label(Label::Name), process.label(Label::State)), (Some("a (b) c"), Some("D")));
    }
}
