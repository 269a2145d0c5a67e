//! A part whose figures are not certain.

use maat_base::{Finding, Severity};

use crate::case::{Case, Judged};
use crate::world::World;

/// What the facts mark as unsure stays marked.
pub fn lint(case: &Case, _: &Judged, _: &World) -> Option<Finding> {
    let slot = case.machine.as_ref()?.slots.iter().find(|slot| slot.accelerator.unsure.is_some())?;
    let part = &slot.accelerator;
    Some(
        Finding::new("part-figures-unsure", Severity::Info, part.name.clone())
            .with("part", part.name.as_str())
            .with("what", part.unsure.clone().unwrap_or_default())
            .because("unsure", part.unsure.clone().unwrap_or_default(), format!("catalogue: {}", part.id)),
    )
}
