//! What is known about engines and hardware classes, as data.

mod correction;
mod efficiencies;
mod groups;

use maat_base::Fault;

use crate::engine::Engines;

pub use correction::{Correction, part_of};
pub use efficiencies::{Arithmetic, Efficiencies, Expands, KernelCounts, Pipeline, Table, Width};
pub use groups::{
    EngineEfficiency, HardwareEfficiency, LinkEfficiency, MemoryEfficiency, ProcessorEfficiency,
    RoutingEfficiency, TrainingEfficiency,
};

/// Defaults and rules of engines by version and device, and efficiencies of hardware classes, read from `facts/`.
///
/// [`Rules::built_in`] reads what is compiled in; the default is empty and gives no speeds.
#[derive(Clone, Debug, Default)]
pub struct Rules {
    /// Engines: settings, parts, formats.
    pub engines: Engines,
    /// Efficiencies that speeds rest on.
    pub efficiencies: Efficiencies,
}

impl Rules {
    /// The rules that are compiled in.
    ///
    /// # Errors
    /// A fault that names the file and line that cannot be read.
    pub fn built_in() -> Result<Self, Fault> {
        Ok(Self { engines: Engines::built_in()?, efficiencies: Efficiencies::built_in()? })
    }
}
