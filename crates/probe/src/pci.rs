//! Displays and accelerators on the PCI bus, and which driver holds them.

use std::path::Path;

use maat_readings::fact::Strength;
use maat_readings::stack::Live;
use maat_readings::{Key, Place};

const DEVICES: &str = "/sys/bus/pci/devices";
const NVIDIA: &str = "10de";

pub fn look(live: &mut Live) {
    let Ok(entries) = std::fs::read_dir(DEVICES) else {
        live.not_seen.push((DEVICES.to_owned(), "absent"));
        // A machine without the bus has no card on it, unless a device file of a GPU is there all the same.
        live.hardware_listed = Path::new("/sys/bus").is_dir() && !device_files();
        note_absence(live);
        return;
    };
    live.hardware_listed = !device_files();
    let mut paths: Vec<_> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    paths.sort();
    for path in &paths {
        device(live, path);
    }
    note_absence(live);
}

/// GPUs that reach a container, WSL or a system on a chip without showing on the bus.
fn device_files() -> bool {
    ["/dev/nvidia0", "/dev/nvidiactl", "/dev/kfd", "/dev/dxg", "/dev/nvhost-gpu"]
        .iter()
        .any(|path| Path::new(path).exists())
}

fn note_absence(live: &mut Live) {
    let on_bus = live.found.signs.iter().any(|sign| sign.id.starts_with("pci-"));
    if live.hardware_listed && !on_bus {
        live.found.sign(
            "no-display-hardware",
            "no display or accelerator on the bus",
            &Place::whole(DEVICES),
        );
    }
}

fn device(live: &mut Live, path: &Path) {
    let read =
        |name: &str| std::fs::read_to_string(path.join(name)).ok().map(|text| text.trim().replace("0x", ""));
    let (Some(class), Some(vendor), Some(device)) = (read("class"), read("vendor"), read("device")) else {
        return;
    };
    // Class 03 are displays and 3D controllers, 12 processing accelerators.
    if !(class.starts_with("03") || class.starts_with("12")) {
        return;
    }
    let place = Place::whole(&path.display().to_string());
    let shown = format!("class {class}, {vendor}:{device}");
    if vendor != NVIDIA {
        live.found.sign("pci-other-display", &shown, &place);
        return;
    }
    live.found.fact(Key::PciId, format!("{vendor}:{device}"), &place, Strength::Exact);
    live.found.sign("pci-nvidia", &shown, &place);
    let driver = std::fs::read_link(path.join("driver")).ok();
    let driver = driver.as_deref().and_then(Path::file_name).and_then(|name| name.to_str());
    let sign = match driver {
        Some("nvidia") => "pci-nvidia-driver",
        Some("nouveau") => "pci-nouveau",
        Some("vfio-pci") => "pci-vfio",
        Some(_) => "pci-other-driver",
        None => "pci-without-driver",
    };
    live.found.sign(sign, &format!("driver: {}", driver.unwrap_or("none")), &place);
}
