//! A precision that the part stores but does not compute in.

use maat_base::{Finding, Severity};
use maat_estimate::Support;

use crate::case::{Case, Judged};
use crate::world::World;

/// Weight-only quantisation saves memory and bandwidth, and no compute.
pub fn lint(case: &Case, _: &Judged, world: &World) -> Option<Finding> {
    let machine = case.machine.as_ref()?;
    let slot = machine.slots.iter().find(|slot| {
        let (engine, version) = (case.serve.engine, case.serve.version.as_deref());
        let part = Some(&*slot.accelerator);
        world.rules.engines.format_support(engine, version, part, &case.precision) == Support::WeightOnly
    })?;
    let native_kinds = ["fp8", "int8", "nvfp4", "mxfp4"];
    native_kinds.contains(&case.precision.as_str()).then(|| {
        Finding::new("precision-weight-only", Severity::Info, slot.accelerator.name.clone())
            .with("precision", case.precision.as_str())
            .with("part", slot.accelerator.name.as_str())
            .because("isa", slot.accelerator.isa.clone(), format!("catalogue: {}", slot.accelerator.id))
            .fixable()
    })
}
