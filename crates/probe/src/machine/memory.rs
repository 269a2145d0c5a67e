//! Memory: what the kernel has, and the modules of the firmware's tables.

use serde::{Deserialize, Serialize};

use super::dmi;
use crate::root::Root;

/// The memory of a machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MemorySeen {
    /// What the kernel manages.
    pub total_bytes: Option<u64>,
    /// What could be taken now without swapping.
    pub available_bytes: Option<u64>,
    /// Modules that are plugged in; empty where the firmware's tables cannot be read (they take root).
    pub modules: Vec<ModuleSeen>,
}

/// A memory module.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModuleSeen {
    /// Size.
    pub bytes: Option<u64>,
    /// Transfers per second that it is set to.
    pub transfers_per_s: Option<f64>,
    /// Bytes of a transfer.
    pub width_bytes: Option<u32>,
    /// Slot, in the board's words.
    pub slot: Option<String>,
    /// Channel that the slot's or bank's words name.
    pub channel: Option<String>,
}

impl MemorySeen {
    /// Channels with a module, where the board's words name them.
    pub fn channels(&self) -> Option<u32> {
        let mut names: Vec<&str> =
            self.modules.iter().map(|module| module.channel.as_deref()).collect::<Option<_>>()?;
        names.sort_unstable();
        names.dedup();
        u32::try_from(names.len()).ok().filter(|&n| n > 0)
    }

    /// Transfers per second of the slowest module; `None` unless all say it.
    pub fn transfers_per_s(&self) -> Option<f64> {
        let all: Vec<f64> =
            self.modules.iter().map(|module| module.transfers_per_s).collect::<Option<_>>()?;
        all.into_iter().min_by(f64::total_cmp)
    }

    /// Bandwidth of all channels in bytes per second: channels x transfers x width (JEDEC: 8 bytes a channel unless the
    /// module states another width).
    pub fn bandwidth(&self) -> Option<f64> {
        let width = self.modules.iter().filter_map(|module| module.width_bytes).min().unwrap_or(8);
        Some(f64::from(self.channels()?) * self.transfers_per_s()? * f64::from(width))
    }
}

/// Reads it.
pub(super) fn read(root: &Root) -> MemorySeen {
    let info = root.text("/proc/meminfo").unwrap_or_default();
    let of = |key: &str| {
        let line = info.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
        let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
        kib.checked_mul(1024).filter(|&bytes| bytes > 0)
    };
    MemorySeen {
        total_bytes: of("MemTotal"),
        available_bytes: of("MemAvailable"),
        modules: root
            .bytes("/sys/firmware/dmi/tables/DMI")
            .map(|table| dmi::modules(&table))
            .unwrap_or_default(),
    }
}
