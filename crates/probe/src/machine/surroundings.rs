//! What is around the machine: a container, a virtual machine, WSL, a board, and what neighbours take.

use serde::{Deserialize, Serialize};

use crate::root::Root;

/// What was seen around it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Surroundings {
    /// Kind of container, such as `docker`; `None` outside, or where it does not show.
    pub container: Option<String>,
    /// Maker and product that the firmware names, such as `QEMU Standard PC`.
    pub product: Option<String>,
    /// Whether it is a virtual machine; `None` where it cannot be told.
    pub virtual_machine: Option<bool>,
    /// Version of WSL.
    pub wsl: Option<u32>,
    /// Board, as the device tree names it (Jetson and the like).
    pub board: Option<String>,
    /// Share of processors' time that went to other guests since the start.
    pub steal_share: Option<f64>,
    /// Jobs that want to run, mean over the last minute.
    pub load: Option<f64>,
    /// Release of the kernel.
    pub kernel: Option<String>,
}

/// Reads them.
pub(super) fn read(root: &Root) -> Surroundings {
    let kernel = root.text("/proc/sys/kernel/osrelease");
    let firmware = |name: &str| root.text(&format!("/sys/class/dmi/id/{name}"));
    let product =
        [firmware("sys_vendor"), firmware("product_name")].into_iter().flatten().collect::<Vec<_>>();
    Surroundings {
        container: container(root),
        virtual_machine: root.text("/proc/cpuinfo").map(|info| {
            let has = |line: &str| line.split_ascii_whitespace().any(|word| word == "hypervisor");
            info.lines().any(has) || root.has("/sys/hypervisor/type")
        }),
        product: (!product.is_empty()).then(|| product.join(" ")),
        wsl: kernel.as_deref().and_then(wsl),
        board: root
            .text("/proc/device-tree/model")
            .or_else(|| root.text("/sys/firmware/devicetree/base/model")),
        steal_share: root.text("/proc/stat").and_then(|text| steal(&text)),
        load: root.text("/proc/loadavg").and_then(|text| text.split(' ').next()?.parse().ok()),
        kernel,
    }
}

fn container(root: &Root) -> Option<String> {
    if root.has("/.dockerenv") {
        return Some(String::from("docker"));
    }
    if root.has("/run/.containerenv") {
        return Some(String::from("podman"));
    }
    let kinds =
        [("kubepods", "kubernetes"), ("docker", "docker"), ("lxc", "lxc"), ("containerd", "containerd")];
    let groups = root.text("/proc/1/cgroup").unwrap_or_default();
    let of_group = kinds.iter().find(|(mark, _)| {
        groups.split(['/', ':', '\n']).any(|part| part.split(['-', '.']).any(|word| word == *mark))
    });
    if let Some((_, kind)) = of_group {
        return Some((*kind).to_owned());
    }
    let environment = root.text("/proc/1/environ")?;
    environment.split(' ').find_map(|item| item.strip_prefix("container=")).map(str::to_owned)
}

fn wsl(release: &str) -> Option<u32> {
    let lower = release.to_ascii_lowercase();
    lower
        .contains("microsoft")
        .then(|| if lower.contains("wsl2") || lower.contains("standard") { 2 } else { 1 })
}

fn steal(stat: &str) -> Option<f64> {
    let (stolen, all) = ticks(stat)?;
    (all > 0.0).then(|| stolen / all)
}

/// The eighth column of the first line, and the sum of the first eight (proc_stat(5)).
pub(super) fn ticks(stat: &str) -> Option<(f64, f64)> {
    let line = stat.lines().next()?.strip_prefix("cpu ")?;
    let ticks: Vec<f64> =
        line.split_ascii_whitespace().take(8).map(|word| word.parse().ok()).collect::<Option<_>>()?;
    let all: f64 = ticks.iter().sum();
    (ticks.len() == 8).then(|| (ticks[7], all))
}
