//! The processor: too many threads, too little of it, one thread too slow, memory far away.

use std::collections::BTreeSet;

use maat_base::Evidence;
use maat_readings::monitor::{Label, Part, Signal};

use super::add;
use crate::facts::limit;
use crate::found::Found;
use crate::show::{percent, plain};
use crate::view::{Load, Process, Series, View};

/// How busy the processors are in the part of the input where they are busiest.
pub fn busiest<'a>(view: &View<'a>) -> Option<(f64, Series<'a>)> {
    view.series(Part::Host, Signal::CpuIdle)
        .into_iter()
        .map(|idle| (1.0 - idle.median(), idle))
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(busy, idle)| {
            let rows: Vec<_> = idle.points.iter().map(|(_, row)| *row).collect();
            // Waiting for disks is not work.
            let wait = Series::of(&rows, Signal::CpuIowait);
            (busy - wait.median(), idle)
        })
}

/// Whether the accelerators are kept from nothing: then the processor is not what limits.
pub fn is_no_limit(view: &View<'_>) -> bool {
    matches!(view.load, Load::Busy | Load::Idle)
}

/// More runnable tasks than a core can hold.
pub fn queue<'a>(view: &View<'a>) -> Option<(f64, Series<'a>)> {
    let cores = view.cores?;
    let running = view.highest(Part::Host, Signal::RunQueue).map(|series| (series.median() / cores, series));
    let load = view.highest(Part::Host, Signal::Load1m).map(|series| (series.median() / cores, series));
    running.or(load)
}

/// Workers that each run many threads.
pub fn oversubscription(view: &View<'_>, found: &mut Vec<Found>) {
    let Some((busy, idle)) = busiest(view).filter(|(busy, _)| *busy >= limit("cpu_saturated")) else {
        return;
    };
    if is_no_limit(view) {
        return;
    }
    let mut new = Found::new("cpu-oversubscription", "");
    let wide: Vec<&Process<'_>> = view
        .processes
        .iter()
        .filter(|process| !process.is_thread && process.cores.median() >= limit("worker_cores"))
        .collect();
    if wide.len() >= 2 {
        for process in wide.iter().take(3) {
            let mut evidence = process.cores.evidence();
            evidence.what = format!("{} {} (1 of {})", process.id, process.name, wide.len());
            new.prove("workers", evidence);
        }
    }
    threads(view, &mut new);
    if let Some((per_core, series)) = queue(view).filter(|(tasks, _)| *tasks >= limit("run_queue_per_core")) {
        let mut evidence = series.evidence();
        evidence.value = format!("{} = {} per core", evidence.value, plain(per_core));
        new.prove("queue", evidence);
    }
    let switches = view.highest(Part::Host, Signal::ContextSwitchesPerS);
    if let (Some(switches), Some(cores)) = (switches, view.cores)
        && switches.median() / cores >= limit("switches_per_core")
    {
        new.series("switches", &switches);
    }
    let crowded = new.has("queue") || new.has("switches") || new.has("threads");
    let by_workers = new.has("workers") && crowded;
    let by_threads = new.has("threads") && new.has("queue") && new.has("switches");
    if by_workers || by_threads {
        let mut evidence = idle.evidence();
        evidence.value = format!("{} = {} busy", evidence.value, percent(busy));
        new.prove("busy", evidence);
        waiting_gpu(view, &mut new);
        add(found, new);
    }
}

/// Threads of processes that want to run, beyond what the cores can hold.
fn threads(view: &View<'_>, new: &mut Found) {
    let running: Vec<&Process<'_>> =
        view.processes.iter().filter(|process| !process.is_thread && process.running_share() > 0.3).collect();
    let sum: f64 = running.iter().filter_map(|process| process.threads()).sum();
    let Some(cores) = view.cores else { return };
    if sum / cores >= limit("threads_per_core")
        && let Some(row) = running
            .iter()
            .flat_map(|process| &process.rows)
            .find(|row| row.get(Signal::ProcessThreads).is_some())
    {
        let what = "process_threads (sum)".to_owned();
        new.prove("threads", Evidence { what, value: plain(sum), place: row.place.to_string() });
    }
}

/// That the accelerator waits meanwhile, as evidence and as the most to gain.
pub fn waiting_gpu(view: &View<'_>, new: &mut Found) {
    if let Load::Waiting(idle) = view.load {
        for phase in view.gpus.iter().filter(|phase| phase.waits()).take(2) {
            new.prove("gpu", phase.series(Signal::GpuUtilization).spread());
        }
        new.gain = Some(idle);
    }
}

/// A control group that is stopped for part of its time.
pub fn quota(view: &View<'_>, found: &mut Vec<Found>) {
    if view.load == Load::Busy {
        return;
    }
    for (name, rows) in view.groups(Part::Group) {
        let periods = Series::of(rows, Signal::QuotaPeriods);
        let throttled = Series::of(rows, Signal::QuotaThrottledPeriods);
        let (Some((_, row)), false) = (throttled.points.last(), periods.is_empty()) else { continue };
        let several = throttled.len() > 1 && periods.growth() > 0.0;
        let share = if several {
            throttled.growth() / periods.growth()
        } else {
            throttled.max() / periods.max().max(1.0)
        };
        if share < limit("quota_throttled_share") {
            continue;
        }
        let mut new = Found::new("cpu-quota", name);
        new.value("throttled", row, Signal::QuotaThrottledPeriods);
        new.value("throttled", row, Signal::QuotaPeriods);
        if several {
            new.prove("growth", throttled.spread());
        }
        beside_quota(view, &mut new);
        waiting_gpu(view, &mut new);
        new.asks = vec!["host"];
        add(found, new);
    }
}

/// Idle cores of the machine beside the quota, and a use that equals it.
fn beside_quota(view: &View<'_>, new: &mut Found) {
    if let Some((quota, row)) = view.last(Part::Group, Signal::QuotaCores)
        && view.cores.is_none_or(|cores| quota < cores)
    {
        new.value("quota", row, Signal::QuotaCores);
        if let Some((used, row)) = view.last(Part::Group, Signal::ProcessCpu)
            && used >= 0.9 * quota
        {
            new.value("use", row, Signal::ProcessCpu);
        }
    }
    if let Some(idle) =
        view.lowest(Part::Host, Signal::CpuIdle).filter(|idle| idle.median() >= limit("cpu_idle_share"))
    {
        new.series("idle", &idle);
    }
}

/// One thread that leaves an accelerator waiting while the other cores are idle.
pub fn single_thread(view: &View<'_>, found: &mut Vec<Found>) {
    if view.cores.is_some_and(|cores| cores < 4.0) {
        return;
    }
    let mut new = Found::new("single-thread-host", "");
    let waits = view.gpus.iter().filter(|phase| phase.waits()).any(|phase| {
        phase.mean_use().is_some_and(|share| {
            share >= limit("single_thread_gpu_low") && share <= limit("single_thread_gpu_high")
        })
    });
    let stalled =
        view.highest(Part::Host, Signal::CpuIowait).is_some_and(|wait| wait.median() >= limit("iowait_low"));
    if !waits || stalled {
        return;
    }
    let threads = view.processes.iter().any(|process| process.is_thread);
    let full: Vec<&Process<'_>> = view
        .processes
        .iter()
        .filter(|process| process.is_thread == threads)
        .filter(|process| (limit("thread_full")..=limit("thread_full_max")).contains(&process.cores.median()))
        .collect();
    let wider = view
        .processes
        .iter()
        .any(|process| !process.is_thread && process.cores.median() > limit("thread_full_max"));
    if full.len() == 1 && (threads || !wider) {
        let mut evidence = full[0].cores.evidence();
        evidence.what = format!("{} {}", full[0].id, full[0].name);
        new.prove("thread", evidence);
        full[0].name.split_whitespace().next().unwrap_or("").clone_into(&mut new.subject);
    }
    single_core(view, &mut new);
    if new.signals() == 0 {
        return;
    }
    if let Some((busy, idle)) = busiest(view) {
        // Without the number of cores: so few busy that one of many is.
        let few = match view.cores {
            Some(cores) => busy * cores <= limit("single_thread_cores"),
            None => busy <= limit("single_thread_share"),
        };
        if !few {
            return;
        }
        new.series("idle", &idle);
    }
    waiting_gpu(view, &mut new);
    new.asks = vec!["host", "trace"];
    add(found, new);
}

/// One core that is full while the others are not.
fn single_core(view: &View<'_>, new: &mut Found) {
    let mut full = Vec::new();
    for (name, rows) in view.groups(Part::Core) {
        let idle = Series::of(rows, Signal::CpuIdle);
        if !idle.is_empty() && 1.0 - idle.median() >= limit("thread_full") {
            full.push((name, idle));
        }
    }
    if let [(_, idle)] = full.as_slice() {
        new.series("core", idle);
    }
}

/// Numbers of a list such as `0-47,96-143`.
pub fn core_set(list: &str) -> BTreeSet<u32> {
    let mut set = BTreeSet::new();
    for part in list.split(',') {
        let mut ends = part.trim().splitn(2, '-').map(|end| end.trim().parse::<u32>().ok());
        let (Some(Some(first)), end) = (ends.next(), ends.next()) else { continue };
        let Some(end) = end.unwrap_or(Some(first)) else { continue };
        let end = end.min(first.saturating_add(4096));
        set.extend(first..=end);
    }
    set
}

/// A process that runs far from its accelerator.
pub fn numa(view: &View<'_>, found: &mut Vec<Found>) {
    let mut new = Found::new("numa-affinity", "");
    for topology in &view.samples.topologies {
        let near: Vec<BTreeSet<u32>> = topology.cores.iter().map(|list| core_set(list)).collect();
        for row in view.samples.rows.iter().filter(|row| row.part == Part::Process) {
            let Some(allowed) = row.label(Label::Cores) else { continue };
            let Some(gpu) = gpu_of(view, &row.name, topology.gpus.len()) else { continue };
            let (own, near_gpu) = (core_set(allowed), near.get(gpu));
            let far =
                near_gpu.is_some_and(|near| !near.is_empty() && !own.is_empty() && near.is_disjoint(&own));
            if far {
                let what = format!("{}.cores", row.name);
                new.prove(
                    "affinity",
                    Evidence { what, value: allowed.to_owned(), place: row.place.to_string() },
                );
                let value = topology.cores.get(gpu).cloned().unwrap_or_default();
                let what = format!("GPU{gpu}.cores");
                new.prove("affinity", Evidence { what, value, place: topology.place.to_string() });
            }
        }
    }
    remote_memory(view, &mut new);
    if new.signals() > 0 {
        new.asks = vec!["topology"];
        add(found, new);
    }
}

/// The accelerator of a process; with one accelerator it is that.
fn gpu_of(view: &View<'_>, pid: &str, gpus: usize) -> Option<usize> {
    let listed = view
        .samples
        .rows
        .iter()
        .filter(|row| row.part == Part::Process && !pid.is_empty() && &*row.name == pid)
        .find_map(|row| row.label(Label::Gpu)?.parse().ok());
    listed.or((gpus == 1).then_some(0))
}

fn remote_memory(view: &View<'_>, new: &mut Found) {
    let sum = |signal: Signal| -> f64 {
        view.samples.rows.iter().filter(|row| row.part == Part::Node).filter_map(|row| row.get(signal)).sum()
    };
    let (local, remote) = (sum(Signal::NumaLocalBytes), sum(Signal::NumaRemoteBytes));
    if remote > 0.0
        && remote / (local + remote) >= limit("remote_share")
        && let Some((_, row)) = view.last(Part::Node, Signal::NumaRemoteBytes)
    {
        let value = percent(remote / (local + remote));
        new.prove("remote", Evidence { what: "other_node".to_owned(), value, place: row.place.to_string() });
    }
}
