//! Disks of `/sys/block`.

use serde::{Deserialize, Serialize};

use crate::root::Root;

/// A disk.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DiskSeen {
    /// Name of the device.
    pub name: String,
    /// Model, where it says one.
    pub model: Option<String>,
    /// Size.
    pub bytes: Option<u64>,
    /// `nvme`, `ssd`, `hdd` or `virtual`; `None` where not known.
    pub kind: Option<String>,
}

/// Reads them; devices without hardware behind them (loop, RAM, mapped) are left out.
pub(super) fn read(root: &Root) -> Vec<DiskSeen> {
    let names = root.entries("/sys/block").into_iter();
    names.filter(|name| root.has(&format!("/sys/block/{name}/device"))).map(|name| disk(root, name)).collect()
}

fn disk(root: &Root, name: String) -> DiskSeen {
    let at = |file: &str| format!("/sys/block/{name}/{file}");
    let sectors = root.number::<u64>(&at("size")).filter(|&sectors| sectors > 0);
    let kind =
        match (root.link(&at("device/subsystem")).as_deref(), root.number::<u8>(&at("queue/rotational"))) {
            (Some("nvme"), _) => Some("nvme"),
            // What a host shows to its guests says nothing of what is behind it.
            (Some("virtio" | "xen" | "vmbus"), _) => Some("virtual"),
            (_, Some(0)) => Some("ssd"),
            (_, Some(1)) => Some("hdd"),
            _ => None,
        };
    DiskSeen {
        model: root.text(&at("device/model")),
        bytes: sectors.and_then(|sectors| sectors.checked_mul(512)),
        kind: kind.map(str::to_owned),
        name,
    }
}
