//! What is known of engines: versions, settings by version and device, the parts and formats that each can use.
//!
//! All of it is data (`facts/engines`). An engine's formulas are in `memory`; a new version or device is a new row.

mod assumed;
mod condition;
mod settings;
mod support;
mod tables;

use maat_base::{Fault, Sourced};

use crate::Engine;
use condition::Version;
use settings::SettingRow;
use support::{ClassRow, SupportRow};

pub use assumed::assumed_settings;
pub use settings::{Setting, SettingValue, Settings};
pub use support::Support;

pub(crate) use settings::PoolRule;

/// An instruction set that today's software no longer supports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retired {
    /// The maker.
    pub vendor: String,
    /// The instruction set.
    pub isa: String,
    /// The last toolkit for it; empty where there was none that supported it officially.
    pub last: String,
    /// The last branch of the driver for it, where it ended.
    pub driver: String,
    /// Who says so.
    pub source: String,
}

/// The tables of engines.
#[derive(Clone, Debug, Default)]
pub struct Engines {
    versions: Vec<(Engine, Sourced<String>, Version)>,
    /// Rows of each setting, in the order of the file: the first that applies holds.
    settings: Vec<Vec<SettingRow>>,
    parts: Vec<SupportRow>,
    formats: Vec<SupportRow>,
    caches: Vec<SupportRow>,
    classes: Vec<ClassRow>,
    /// Programs of training and their versions.
    programs: Vec<(String, Sourced<String>)>,
    retired: Vec<Retired>,
    /// Families of models and their flags of Megatron-LM.
    megatron: Vec<(String, String)>,
}

impl Engines {
    /// Reads the built-in tables.
    ///
    /// # Errors
    /// `engine-table` names the file, line and field that cannot be read.
    pub fn built_in() -> Result<Self, Fault> {
        tables::read(&tables::FILES)
    }

    /// The version that is meant where none is named, with its source.
    pub fn default_version(&self, engine: Engine) -> Option<&Sourced<String>> {
        self.versions.iter().find(|(of, ..)| *of == engine).map(|(_, version, _)| version)
    }

    /// What the software of an instruction set has come to, where it is no longer supported.
    pub fn retired(&self, vendor: &str, isa: &str) -> Option<&Retired> {
        self.retired.iter().find(|row| row.vendor == vendor && row.isa == isa)
    }

    /// The version of a program of training whose flags are known, with its source.
    pub fn program_version(&self, program: &str) -> Option<&Sourced<String>> {
        self.programs.iter().find(|(name, _)| name == program).map(|(_, version)| version)
    }

    /// The flags of Megatron-LM that a family of models needs beside its sizes; `None` for a family that it does not have.
    pub fn megatron_flags(&self, family: &str) -> Option<&str> {
        self.megatron.iter().find(|(name, _)| name == family).map(|(_, flags)| flags.as_str())
    }

    /// The version as numbers; the default where none is given or it has no number.
    fn version(&self, engine: Engine, given: Option<&str>) -> Version {
        let default = || self.versions.iter().find(|(of, ..)| *of == engine).map(|(.., version)| *version);
        given.and_then(Version::parse).or_else(default).unwrap_or_default()
    }
}
