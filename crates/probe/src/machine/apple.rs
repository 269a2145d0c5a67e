//! Macs: what `sysctl` prints, as the machine has no procfs.

use std::process::Command;

use super::{ProcessorSeen, Seen};
use crate::root::Root;

/// Keys that are asked for.
const KEYS: &[&str] = &[
    "machdep.cpu.brand_string",
    "hw.memsize",
    "hw.physicalcpu",
    "hw.logicalcpu",
    "hw.perflevel0.physicalcpu",
    "hw.l2cachesize",
    "kern.osrelease",
];

/// The machine; `None` anywhere but on a Mac.
pub(super) fn machine(root: &Root) -> Option<Seen> {
    if !cfg!(target_os = "macos") || !root.is_live() {
        return None;
    }
    let output = Command::new("/usr/sbin/sysctl").args(KEYS).output().ok()?;
    read(&String::from_utf8_lossy(&output.stdout))
}

/// Reads `key: value` lines.
pub(super) fn read(text: &str) -> Option<Seen> {
    let of = |key: &str| {
        let value = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?.trim();
        (!value.is_empty()).then_some(value)
    };
    let model = of("machdep.cpu.brand_string")?.to_owned();
    let number = |key: &str| of(key)?.parse::<u64>().ok().filter(|&n| n > 0);
    let count = |key: &str| number(key).and_then(|n| u32::try_from(n).ok());
    let mut seen = Seen {
        processor: ProcessorSeen {
            vendor: Some(String::from("Apple")),
            sockets: Some(1),
            cores: count("hw.physicalcpu"),
            threads: count("hw.logicalcpu"),
            isa: ["asimd", "asimddp"].map(str::to_owned).to_vec(),
            model: Some(model.clone()),
            ..ProcessorSeen::default()
        },
        ..Seen::default()
    };
    seen.memory.total_bytes = number("hw.memsize");
    seen.surroundings.board = Some(model.clone());
    seen.surroundings.kernel = of("kern.osrelease").map(str::to_owned);
    seen.accelerators.push(super::AcceleratorSeen { name: Some(model), ..super::AcceleratorSeen::default() });
    Some(seen)
}
