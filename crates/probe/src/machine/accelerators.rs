//! Accelerators: the PCI bus, the drivers' files, and a driver's library where there is one.

use serde::{Deserialize, Serialize};

use super::nvml::{Board, Boards};
use crate::root::Root;

const BUS: &str = "/sys/bus/pci/devices";
const NVIDIA: u32 = 0x10de;
const NODES: &str = "/sys/class/kfd/kfd/topology/nodes";

/// An accelerator or display.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AcceleratorSeen {
    /// Name that a driver gives it.
    pub name: Option<String>,
    /// Vendor and device on the PCI bus, as `10de:2684`.
    pub pci_id: Option<String>,
    /// Place on the bus.
    pub address: Option<String>,
    /// Driver that holds it.
    pub driver: Option<String>,
    /// Its own memory, as the driver reports it.
    pub memory_bytes: Option<u64>,
    /// Instruction set that a driver names, such as `gfx942`.
    pub target: Option<String>,
    /// Lanes in use, and most.
    pub lanes: Option<u32>,
    /// Most lanes.
    pub lanes_max: Option<u32>,
    /// Transfers per second of a lane now; idle cards slow their link down.
    pub lane_transfers_per_s: Option<f64>,
    /// Highest transfers per second of a lane.
    pub lane_transfers_per_s_max: Option<f64>,
    /// NUMA node.
    pub numa_node: Option<u32>,
    /// Power limit in watts.
    pub power_limit_w: Option<f64>,
    /// MIG profiles that it is cut to; `None` where it is not cut or it is not known.
    pub mig: Option<Vec<String>>,
}

/// Reads them: what stands on the bus, with what the driver says of it, then what only the driver knows.
pub(super) fn read(root: &Root, boards: Option<&dyn Boards>) -> Vec<AcceleratorSeen> {
    let mut boards = boards.map(Boards::list).unwrap_or_default();
    let mut all: Vec<AcceleratorSeen> = Vec::new();
    for address in root.entries(BUS) {
        let Some(mut seen) = on_bus(root, &address) else { continue };
        let own = boards
            .iter()
            .position(|board| board.address.as_deref().is_some_and(|other| same_address(other, &address)));
        if let Some(own) = own {
            fill(&mut seen, boards.remove(own));
        }
        all.push(seen);
    }
    // WSL and containers show cards of which the bus knows nothing.
    all.extend(boards.into_iter().map(|board| {
        let mut seen = AcceleratorSeen::default();
        fill(&mut seen, board);
        seen
    }));
    if all.is_empty() {
        all.extend(named_by_driver(root));
    }
    compute_nodes(root, &mut all);
    all
}

fn fill(seen: &mut AcceleratorSeen, board: Board) {
    seen.name = board.name.or(seen.name.take());
    seen.memory_bytes = board.memory_bytes.or(seen.memory_bytes);
    seen.power_limit_w = board.power_limit_w;
    seen.mig = board.mig;
    seen.address = board.address.or(seen.address.take());
    seen.pci_id = seen.pci_id.take().or(board.pci_id);
}

/// NVML writes the domain with eight digits, sysfs with four.
fn same_address(one: &str, other: &str) -> bool {
    let tail = |text: &str| text.to_ascii_lowercase().trim_start_matches('0').to_owned();
    tail(one) == tail(other)
}

/// A display, 3D controller (class 03) or processing accelerator (class 12) of a maker of accelerators.
fn on_bus(root: &Root, address: &str) -> Option<AcceleratorSeen> {
    let at = |file: &str| format!("{BUS}/{address}/{file}");
    let class = root.hex(&at("class"))? >> 16;
    if class != 0x03 && class != 0x12 {
        return None;
    }
    let (vendor, device) = (root.hex(&at("vendor"))?, root.hex(&at("device"))?);
    let transfers = |file: &str| {
        let text = root.text(&at(file))?;
        let giga: f64 = text.split_ascii_whitespace().next()?.parse().ok()?;
        (giga > 0.0).then_some(giga * 1e9)
    };
    let lanes = |file: &str| root.number::<u32>(&at(file)).filter(|&lanes| (1..=32).contains(&lanes));
    let memory = root
        .number::<u64>(&at("mem_info_vram_total"))
        .or_else(|| drm(root, address).and_then(|card| root.number(&format!("{card}/lmem_total_bytes"))));
    let information = || {
        let text = root.text(&format!("/proc/driver/nvidia/gpus/{address}/information"))?;
        text.lines().find_map(|line| Some(line.strip_prefix("Model:")?.trim().to_owned()))
    };
    Some(AcceleratorSeen {
        name: if vendor == NVIDIA { information() } else { root.text(&at("product_name")) },
        pci_id: Some(format!("{vendor:04x}:{device:04x}")),
        address: Some(address.to_owned()),
        driver: root.link(&at("driver")),
        memory_bytes: memory.filter(|&bytes| bytes > 0),
        lanes: lanes("current_link_width"),
        lanes_max: lanes("max_link_width"),
        lane_transfers_per_s: transfers("current_link_speed"),
        lane_transfers_per_s_max: transfers("max_link_speed"),
        numa_node: root.number::<u32>(&at("numa_node")),
        ..AcceleratorSeen::default()
    })
}

/// The folder of the card that a device is, in `/sys/class/drm`.
fn drm(root: &Root, address: &str) -> Option<String> {
    let cards = root.entries(&format!("{BUS}/{address}/drm"));
    cards.iter().find(|name| name.starts_with("card")).map(|card| format!("/sys/class/drm/{card}"))
}

/// Cards that NVIDIA's driver lists although no bus shows.
fn named_by_driver(root: &Root) -> Vec<AcceleratorSeen> {
    let folder = "/proc/driver/nvidia/gpus";
    let cards = root.entries(folder).into_iter().filter_map(|address| {
        let text = root.text(&format!("{folder}/{address}/information"))?;
        let name = text.lines().find_map(|line| Some(line.strip_prefix("Model:")?.trim().to_owned()))?;
        Some(AcceleratorSeen { name: Some(name), address: Some(address), ..AcceleratorSeen::default() })
    });
    cards.collect()
}

/// AMD's compute driver names targets and memory, in the order of the bus.
fn compute_nodes(root: &Root, all: &mut Vec<AcceleratorSeen>) {
    for node in root.entries(NODES) {
        let Some(properties) = root.text(&format!("{NODES}/{node}/properties")) else { continue };
        let number = |key: &str| {
            properties.lines().find_map(|line| line.strip_prefix(key)?.trim().parse::<u64>().ok())
        };
        let (Some(version @ 1..), Some(simds @ 1..)) = (number("gfx_target_version "), number("simd_count "))
        else {
            continue;
        };
        let _ = simds;
        let target = format!("gfx{}{:x}{:x}", version / 10000, version / 100 % 100, version % 100);
        let memory = root.entries(&format!("{NODES}/{node}/mem_banks")).iter().find_map(|bank| {
            let text = root.text(&format!("{NODES}/{node}/mem_banks/{bank}/properties"))?;
            let of =
                |key: &str| text.lines().find_map(|line| line.strip_prefix(key)?.trim().parse::<u64>().ok());
            // 1 and 2 are memory of the device's own.
            matches!(of("heap_type "), Some(1 | 2)).then(|| of("size_in_bytes ")).flatten()
        });
        let location = number("location_id ").unwrap_or(0);
        let domain = number("domain ").unwrap_or(0);
        let address = format!(
            "{domain:04x}:{:02x}:{:02x}.{}",
            location >> 8 & 0xff,
            location >> 3 & 0x1f,
            location & 7
        );
        let known = all.iter_mut().find(|one| one.address.as_deref() == Some(address.as_str()));
        let pci_id = number("vendor_id ").zip(number("device_id ")).map(|(v, d)| format!("{v:04x}:{d:04x}"));
        let fresh = AcceleratorSeen { address: Some(address), pci_id, ..AcceleratorSeen::default() };
        let seen = if let Some(seen) = known {
            seen
        } else {
            all.push(fresh);
            let Some(last) = all.last_mut() else { continue };
            last
        };
        seen.target = Some(target);
        seen.memory_bytes = seen.memory_bytes.or(memory);
    }
}
