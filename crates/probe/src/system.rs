//! Kernel, processor, C library, Secure Boot, WSL, and what the environment says of libraries and devices.

use std::path::Path;

use maat_readings::fact::Strength;
use maat_readings::stack::Live;
use maat_readings::{Key, Place};

use crate::{hand_over, text};

/// Variables that decide which library or device a program gets.
const VARIABLES: &[&str] =
    &["LD_LIBRARY_PATH", "CUDA_VISIBLE_DEVICES", "CUDA_HOME", "HSA_OVERRIDE_GFX_VERSION"];
const C_LIBRARIES: &[&str] = &[
    "/lib/x86_64-linux-gnu/libc.so.6",
    "/lib64/libc.so.6",
    "/lib/aarch64-linux-gnu/libc.so.6",
    "/usr/lib/libc.so.6",
];
const SECURE_BOOT: &str = "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c";

pub fn look(live: &mut Live) {
    live.found.fact(Key::Os, std::env::consts::OS, &Place::whole("operating system"), Strength::Exact);
    kernel(live);
    processor(live);
    c_library(live);
    secure_boot(live);
    for name in VARIABLES {
        if let Some(value) = std::env::var(name).ok().filter(|value| !value.is_empty()) {
            hand_over(live, "environment", &format!("{name}={value}"));
        }
    }
    compute_device(live);
}

fn kernel(live: &mut Live) {
    const PATH: &str = "/proc/sys/kernel/osrelease";
    let Some(release) = text(live, Path::new(PATH)) else { return };
    let place = Place { file: PATH.into(), line: 1 };
    let release = release.trim();
    live.found.fact(Key::Kernel, release, &place, Strength::Exact);
    if release.contains("icrosoft") {
        let version = if release.contains("WSL2") || release.contains("standard") { "2" } else { "1" };
        live.found.fact(Key::Wsl, version, &place, Strength::Exact);
    }
}

/// One processor speaks for all.
fn processor(live: &mut Live) {
    const PATH: &str = "/proc/cpuinfo";
    let Some(all) = text(live, Path::new(PATH)) else { return };
    let first = all.split("\n\n").next().unwrap_or("");
    hand_over(live, PATH, first);
}

/// The library says its version in its own text: `GNU C Library (…) stable release version 2.36.`
fn c_library(live: &mut Live) {
    const MARK: &[u8] = b"release version ";
    for path in C_LIBRARIES {
        let Ok(bytes) = std::fs::read(path) else { continue };
        let Some(at) = memchr::memmem::find(&bytes, MARK) else { continue };
        let rest = &bytes[at + MARK.len()..];
        let version: String = rest
            .iter()
            .take(8)
            .map(|b| char::from(*b))
            .take_while(|c| c.is_ascii_digit() || *c == '.')
            .collect();
        live.found.fact(Key::Glibc, version.trim_end_matches('.'), &Place::whole(path), Strength::Exact);
        return;
    }
}

/// The fifth byte of the firmware's variable.
fn secure_boot(live: &mut Live) {
    if let Ok(bytes) = std::fs::read(SECURE_BOOT)
        && let Some(state) = bytes.get(4)
    {
        let state = if *state == 1 { "enabled" } else { "disabled" };
        live.found.fact(Key::SecureBoot, state, &Place::whole(SECURE_BOOT), Strength::Exact);
    }
}

/// AMD's compute device is there but may not be opened.
fn compute_device(live: &mut Live) {
    const PATH: &str = "/dev/kfd";
    if let Err(error) = std::fs::File::options().read(true).write(true).open(PATH)
        && error.kind() == std::io::ErrorKind::PermissionDenied
    {
        live.found.sign("kfd-denied", "/dev/kfd: Permission denied", &Place::whole(PATH));
    }
}
