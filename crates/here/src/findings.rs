//! What holds the machine back that shows before any work is done.

use maat_base::{Arg, Finding, Severity};
use maat_catalogue::Machine;
use maat_probe::machine::Seen;

use crate::matched::known_processor;

/// Time that goes to neighbours, from which on it is worth saying.
const STEAL_SHARE: f64 = 0.02;

/// All that shows.
pub(crate) fn all(seen: &Seen, machine: &Machine, catalogue: &maat_catalogue::Catalogue) -> Vec<Finding> {
    let mut found = limits(seen);
    found.extend(processor(seen, machine, catalogue));
    found.extend(seen.accelerators.iter().filter_map(|one| {
        let (lanes, most) = (one.lanes?, one.lanes_max?);
        let subject = one.name.clone().or_else(|| one.pci_id.clone())?;
        (lanes < most).then(|| {
            Finding::new("pcie-lanes-fewer", Severity::Warning, subject)
                .with("lanes", lanes)
                .with("most", most)
                .because("current_link_width", lanes.to_string(), one.address.clone().unwrap_or_default())
                .fixable()
        })
    }));
    found
}

fn limits(seen: &Seen) -> Vec<Finding> {
    let mut found = Vec::new();
    let threads = seen.processor.threads.map(f64::from);
    if let (Some(cpus), Some(threads)) = (seen.limits.cpus, threads)
        && cpus < threads
    {
        found.push(
            Finding::new("cores-limited-by-quota", Severity::Warning, "cgroup")
                .with("cpus", Arg::Number(cpus))
                .with("threads", Arg::Number(threads))
                .because("cpu.max", format!("{cpus}"), "/sys/fs/cgroup")
                .fixable(),
        );
    }
    if let (Some(limit), Some(total)) = (seen.limits.memory_bytes, seen.memory.total_bytes)
        && limit < total
    {
        found.push(
            Finding::new("memory-limit", Severity::Warning, "cgroup")
                .with("limit", Arg::Bytes(limit))
                .with("total", Arg::Bytes(total))
                .because("memory.max", limit.to_string(), "/sys/fs/cgroup")
                .fixable(),
        );
    }
    if let Some(steal) = seen.surroundings.steal_share.filter(|&share| share >= STEAL_SHARE) {
        found.push(
            Finding::new("steal-time", Severity::Warning, "cpu")
                .with("share", Arg::Share(steal))
                .because("steal", format!("{steal:.3}"), "/proc/stat")
                .fixable(),
        );
    }
    found
}

fn processor(seen: &Seen, machine: &Machine, catalogue: &maat_catalogue::Catalogue) -> Vec<Finding> {
    let mut found = Vec::new();
    let Some(model) = seen.processor.model.as_deref() else { return found };
    if known_processor(model, 1, catalogue).is_none() {
        let place = "/proc/cpuinfo";
        found.push(Finding::new("processor-not-in-catalogue", Severity::Info, model).because(
            "model name",
            model,
            place,
        ));
    }
    let processor = machine.host.processor.as_ref();
    if processor.is_some_and(|processor| processor.bandwidth.is_none()) {
        let mut finding = Finding::new("memory-speed-unknown", Severity::Info, model)
            .because("bandwidth", "?", "/sys/firmware/dmi/tables/DMI")
            .fixable();
        finding.commands.push(String::from("maat bench"));
        found.push(finding);
    }
    if seen.processor.governor.as_deref() == Some("powersave") && seen.processor.max_clock_hz.is_some() {
        found.push(
            Finding::new("governor-powersave", Severity::Info, model)
                .because("scaling_governor", "powersave", "/sys/devices/system/cpu/cpu0/cpufreq")
                .fixable(),
        );
    }
    found
}
