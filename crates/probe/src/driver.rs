//! The NVIDIA driver: the loaded module, and the libraries on disk by their file names.

use std::path::Path;

use maat_readings::fact::Strength;
use maat_readings::stack::Live;
use maat_readings::{Key, Place};

use crate::{hand_over, text};

const VERSION: &str = "/proc/driver/nvidia/version";
/// Where a driver's installer puts libcuda.
const FOLDERS: &[&str] = &[
    "/usr/lib/x86_64-linux-gnu",
    "/usr/lib/aarch64-linux-gnu",
    "/usr/lib64",
    "/usr/lib",
    "/usr/lib64/nvidia",
];

pub fn look(live: &mut Live) {
    if let Some(version) = text(live, Path::new(VERSION)) {
        hand_over(live, VERSION, &version);
    }
    for folder in FOLDERS {
        if userland(live, Path::new(folder)) {
            break;
        }
    }
    for folder in ["/etc/cdi", "/var/run/cdi"] {
        if Path::new(folder).is_dir() && std::fs::read_dir(folder).is_err() {
            live.not_seen.push((folder.to_owned(), "permission"));
        }
    }
}

/// `libcuda.so.580.105.08` says its version by its name.
fn userland(live: &mut Live, folder: &Path) -> bool {
    let Ok(link) = std::fs::read_link(folder.join("libcuda.so.1")) else { return false };
    let name = link.file_name().and_then(|name| name.to_str()).unwrap_or("");
    let Some(version) = name.strip_prefix("libcuda.so.").filter(|version| version.len() > 3) else {
        return false;
    };
    let place = Place::whole(&folder.join("libcuda.so.1").display().to_string());
    live.found.fact(Key::DriverUserland, version, &place, Strength::Exact);
    true
}
