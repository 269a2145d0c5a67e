//! Driver packages of the operating system: `dpkg -l`, `rpm -qa`, and the installer's file name.

use super::{Found, Manager, Package};
use crate::fact::Strength;
use crate::{Input, Key, Place, Reader, Reading};

/// The reader's line in the registry.
pub const READER: Reader = Reader { kind: "os-packages", recognises, read };

/// How packages that carry libcuda and NVML begin.
const USERLAND: &[&str] = &[
    "nvidia-driver",
    "libnvidia-compute",
    "nvidia-utils",
    "nvidia-compute-utils",
    "libcuda1",
    "nvidia-driver-libs",
    "nvidia-driver-cuda",
    "xorg-x11-drv-nvidia",
];

fn recognises(input: &Input) -> bool {
    let text = input.text();
    text.contains("ii  ") || text.contains("NVIDIA-Linux-") || USERLAND.iter().any(|name| text.contains(name))
}

fn read(input: &Input) -> Reading {
    let mut found = Found::default();
    for (place, line) in input.lines() {
        if let Some((name, version)) = dpkg(line).or_else(|| rpm(line)) {
            userland(name, version, line, &place, &mut found);
            found.packages.push(Package {
                name: name.to_owned(),
                version: version.to_owned(),
                manager: Manager::System,
                place: place.clone(),
            });
        }
        if let Some(version) = installer(line) {
            found.fact(Key::DriverUserland, version, &place, Strength::Printed);
        }
    }
    Reading::Stack(found)
}

/// `ii  nvidia-driver-550:amd64   550.107.02-0ubuntu0.24.04.1   amd64`
fn dpkg(line: &str) -> Option<(&str, &str)> {
    let mut words = line
        .trim_start()
        .strip_prefix("ii ")
        .or_else(|| line.trim_start().strip_prefix("hi "))?
        .split_whitespace();
    let name = words.next()?.split(':').next()?;
    Some((name, words.next()?))
}

/// `nvidia-driver-cuda-libs-570.86.10-1.el9.x86_64`
fn rpm(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    if line.contains(char::is_whitespace)
        || !line.ends_with("x86_64") && !line.ends_with("noarch") && !line.ends_with("aarch64")
    {
        return None;
    }
    let at =
        line.match_indices('-').find(|(at, _)| line[at + 1..].starts_with(|c: char| c.is_ascii_digit()))?.0;
    Some((&line[..at], &line[at + 1..]))
}

fn userland(name: &str, version: &str, line: &str, place: &Place, found: &mut Found) {
    if !USERLAND.iter().any(|known| name.starts_with(known)) {
        return;
    }
    let version = version.split_once(':').map_or(version, |(_, rest)| rest);
    let version = version.split(['-', '~', '+']).next().unwrap_or(version);
    if version.split('.').next().is_some_and(|branch| branch.len() == 3) {
        found.fact(Key::DriverUserland, version, place, Strength::Printed);
        found.sign_with("linux-driver-package", Some(name.to_owned()), line, place);
    }
}

/// `NVIDIA-Linux-x86_64-570.124.04.run`
fn installer(line: &str) -> Option<&str> {
    let rest = line.split_once("NVIDIA-Linux-")?.1;
    let version = rest.split('-').nth(1)?;
    let version = version.split_whitespace().next()?.trim_end_matches(".run");
    version.starts_with(|c: char| c.is_ascii_digit()).then_some(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_the_userland() {
        assert_eq!(
            dpkg("ii  nvidia-driver-550:amd64   550.107.02-0ubuntu0  amd64"),
            Some(("nvidia-driver-550", "550.107.02-0ubuntu0"))
        );
        assert_eq!(
            rpm("nvidia-driver-libs-570.86.10-1.el9.x86_64"),
            Some(("nvidia-driver-libs", "570.86.10-1.el9.x86_64"))
        );
        assert_eq!(
            installer("userland: NVIDIA-Linux-x86_64-570.124.04.run --no-kernel-modules"),
            Some("570.124.04")
        );
        let Reading::Stack(found) =
            read(&Input::new("t", b"ii  libnvidia-compute-565   565.57.01-0ubuntu1   amd64"))
        else {
            panic!()
        };
        assert_eq!(found.facts[0].value, "565.57.01");
        assert_eq!(found.signs[0].value.as_deref(), Some("libnvidia-compute-565"));
    }
}
