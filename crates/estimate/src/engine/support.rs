//! Which parts an engine runs on, and which formats of weights it reads there.

use maat_catalogue::Accelerator;

use super::Engines;
use super::condition::{Device, Targets, Version};
use crate::Engine;

/// How an engine treats a format of weights on a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Support {
    /// The matrix units compute in it.
    Native,
    /// Weights are stored in it and converted while they are read; products are in the model's own type.
    WeightOnly,
    /// It does not run.
    No,
}

/// A row of `parts.csv` or `formats.csv`.
#[derive(Clone, Debug)]
pub(crate) struct SupportRow {
    pub engine: Engine,
    /// Formats or classes of formats; empty in `parts.csv`.
    pub formats: Vec<String>,
    /// `None` for every vendor.
    pub vendor: Option<String>,
    pub targets: Targets,
    pub from: Option<Version>,
    pub support: Support,
}

/// A format that is a member of a class, as `q4_K` is of `gguf`.
#[derive(Clone, Debug)]
pub(crate) struct ClassRow {
    pub class: String,
    pub member: String,
}

impl SupportRow {
    fn applies(&self, engine: Engine, version: Version, device: Device) -> bool {
        let vendor = if device.cpu { "cpu" } else { device.vendor };
        self.engine == engine
            && self.from.is_none_or(|from| version >= from)
            && self.vendor.as_ref().is_none_or(|name| name == vendor)
            && self.targets.include(device.isa)
    }
}

impl Engines {
    /// Whether the engine runs on a part; on the host's processors for `None`. A part of which only the memory is known
    /// counts as supported.
    pub fn supports_part(&self, engine: Engine, version: Option<&str>, part: Option<&Accelerator>) -> bool {
        let device = device_of(part);
        if !device.cpu && device.vendor.is_empty() {
            return true;
        }
        let version = self.version(engine, version);
        let row = self.parts.iter().find(|row| row.applies(engine, version, device));
        row.is_some_and(|row| row.support != Support::No)
    }

    /// How the engine treats weights of a format on a part; on the host's processors for `None`. A part of which only
    /// the memory is known counts as computing in it.
    pub fn format_support(
        &self,
        engine: Engine,
        version: Option<&str>,
        part: Option<&Accelerator>,
        format: &str,
    ) -> Support {
        self.support(&self.formats, (engine, version), part, format)
    }

    /// Whether the engine keeps a cache of a type on a part; on the host's processors for `None`. A part of which only
    /// the memory is known counts as supported.
    pub fn supports_cache(
        &self,
        engine: Engine,
        version: Option<&str>,
        part: Option<&Accelerator>,
        format: &str,
    ) -> bool {
        self.support(&self.caches, (engine, version), part, format) != Support::No
    }

    fn support(
        &self,
        rows: &[SupportRow],
        (engine, version): (Engine, Option<&str>),
        part: Option<&Accelerator>,
        format: &str,
    ) -> Support {
        let device = device_of(part);
        let known = device.cpu || !device.vendor.is_empty();
        let version = self.version(engine, version);
        let class = self.classes.iter().find(|row| row.member.eq_ignore_ascii_case(format));
        let names = |row: &&SupportRow| {
            row.engine == engine
                && row.formats.iter().any(|name| {
                    name.eq_ignore_ascii_case(format) || class.is_some_and(|class| class.class == *name)
                })
        };
        let row = rows.iter().filter(names).find(|row| !known || row.applies(engine, version, device));
        // Where the part is not known, it is enough that the engine has the format.
        row.map_or(Support::No, |row| if known { row.support } else { Support::Native })
    }
}

fn device_of(part: Option<&Accelerator>) -> Device<'_> {
    part.map_or(Device { cpu: true, ..Device::UNKNOWN }, Device::of)
}
