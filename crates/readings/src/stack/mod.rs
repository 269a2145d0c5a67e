//! Readers of what says how a software stack is put together: one file each, one line in [`crate::READERS`].

pub mod architecture;
pub mod cpu;
pub mod devices;
pub mod hearsay;
pub mod kernel_log;
pub mod lines;
pub mod loader;
pub mod nvidia_driver;
pub mod nvidia_smi;
pub mod nvidia_smi_query;
pub mod os_packages;
pub mod pattern;
pub mod prose;
pub mod python_packages;
pub mod rocm;
pub mod traceback;
pub mod versions;
pub mod wsl;

use serde::Serialize;

use crate::fact::Strength;
use crate::{Fact, Key, Place};

/// What a reader found on a software stack.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Found {
    /// Statements on the closed list of keys.
    pub facts: Vec<Fact>,
    /// Lines that mean something to a rule.
    pub signs: Vec<Sign>,
    /// Packages that are installed.
    pub packages: Vec<Package>,
    /// Which file a library's name leads to, in the order of the loader.
    pub libraries: Vec<Library>,
}

/// A line with a known meaning, such as `driver-library-mismatch`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sign {
    /// Its name in `facts/doctor/signs.csv`.
    pub id: &'static str,
    /// What the line gave beside its meaning: a library, a number, a path.
    pub value: Option<String>,
    /// The line.
    pub line: String,
    /// Where it stood.
    #[serde(rename = "where")]
    pub place: Place,
}

/// Who manages a package.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Manager {
    /// pip, uv, conda: a Python distribution.
    Python,
    /// dpkg, rpm, pacman: a package of the operating system.
    System,
    /// A person named it.
    Told,
}

/// An installed package.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Package {
    /// Its name in lower case, with dashes.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Who manages it.
    pub manager: Manager,
    /// Where it was read.
    #[serde(rename = "where")]
    pub place: Place,
}

/// A library's name and the file it leads to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Library {
    /// The name that is asked for, such as `libnccl.so.2`.
    pub name: String,
    /// The file; `None` when there is none.
    pub path: Option<String>,
    /// Where it was read.
    #[serde(rename = "where")]
    pub place: Place,
}

impl Found {
    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
            && self.signs.is_empty()
            && self.packages.is_empty()
            && self.libraries.is_empty()
    }

    /// Adds a fact that a tool printed.
    pub fn printed(&mut self, key: Key, value: impl Into<String>, place: &Place) {
        self.facts.push(Fact::printed(key, value, place.clone()));
    }

    /// Adds a fact of another strength.
    pub fn fact(&mut self, key: Key, value: impl Into<String>, place: &Place, strength: Strength) {
        self.facts.push(Fact::printed(key, value, place.clone()).with_strength(strength));
    }

    /// Adds a sign.
    pub fn sign(&mut self, id: &'static str, line: &str, place: &Place) {
        self.sign_with(id, None, line, place);
    }

    /// Adds a sign with a value.
    pub fn sign_with(&mut self, id: &'static str, value: Option<String>, line: &str, place: &Place) {
        let line: String = line.trim().chars().take(400).collect();
        self.signs.push(Sign { id, value, line, place: place.clone() });
    }

    /// Adds what another reader found.
    pub fn append(&mut self, mut other: Self) {
        self.facts.append(&mut other.facts);
        self.signs.append(&mut other.signs);
        self.packages.append(&mut other.packages);
        self.libraries.append(&mut other.libraries);
    }
}

/// A package's name as registries compare it: lower case, runs of `-`, `_` and `.` as one dash.
pub fn canonical_name(name: &str) -> String {
    let mut canonical = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            '-' | '_' | '.' if canonical.ends_with('-') => {}
            '-' | '_' | '.' => canonical.push('-'),
            c => canonical.push(c.to_ascii_lowercase()),
        }
    }
    canonical
}

/// What was read on the running machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Live {
    /// What was found.
    pub found: Found,
    /// What could not be looked at, and why: a path or tool, and a word of `permission`, `absent` or `deep`.
    pub not_seen: Vec<(String, &'static str)>,
    /// Whether display and accelerator hardware could be listed, so that absence means something.
    pub hardware_listed: bool,
}

/// Signs that readers with logic give, beside those of `facts/doctor/signs.csv`.
pub const SIGNS_OF_READERS: &[&str] = &[
    "arch-incompatible",
    "compat-path",
    "cpu-without-avx2",
    "cpu-without-avx512",
    "ecc-volatile-uncorrected",
    "fabric-not-ready",
    "jax-plugin",
    "library-path-cuda",
    "linux-driver-package",
    "mig-device",
    "missing-library",
    "no-display-hardware",
    "nvidia-smi-card",
    "nvidia-smi-list",
    "nvidia-smi-other-library",
    "nvidia-smi-processes",
    "nvidia-smi-works",
    "open-kernel-module",
    "pci-nouveau",
    "pci-nvidia",
    "pci-nvidia-driver",
    "pci-other-display",
    "pci-other-driver",
    "pci-without-driver",
    "two-owners",
    "pci-vfio",
    "proprietary-kernel-module",
    "remap-failed",
    "remap-pending",
    "rocminfo-complete",
    "symbol-wanted-by",
    "torch-cpu-tag",
    "torch-rocm-build",
    "undefined-symbol",
    "xid",
];

/// Everything that the readers of this kind find in an input.
pub fn read(input: &crate::Input) -> Found {
    read_with_kinds(input).0
}

/// The same, and which readers found something.
pub fn read_with_kinds(input: &crate::Input) -> (Found, Vec<&'static str>) {
    let mut kinds = Vec::new();
    let mut found = Found::default();
    for reader in crate::READERS.iter().filter(|reader| reader.kind != crate::monitor::READER.kind) {
        if let crate::Reading::Stack(more) = (reader.read)(input) {
            if !more.is_empty() {
                kinds.push(reader.kind);
            }
            found.append(more);
        }
    }
    // In the order of the text, whichever reader saw it.
    found.facts.sort_by_key(|fact| fact.place.line);
    found.signs.sort_by_key(|sign| sign.place.line);
    found.packages.sort_by_key(|package| package.place.line);
    found.libraries.sort_by_key(|library| library.place.line);
    (found, kinds)
}
