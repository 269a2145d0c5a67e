//! A part that cannot be had yet.

use maat_base::{Finding, Severity};

use crate::case::{Case, Judged};
use crate::world::World;

/// Announced parts fit nothing: their figures are the maker's promise.
pub fn lint(case: &Case, _: &Judged, _: &World) -> Option<Finding> {
    let slot = case.machine.as_ref()?.slots.iter().find(|slot| slot.accelerator.announced)?;
    Some(
        Finding::new("part-announced", Severity::Error, slot.accelerator.name.clone())
            .with("part", slot.accelerator.name.as_str())
            .because("announced", "yes", format!("catalogue: {}", slot.accelerator.id))
            .fixable(),
    )
}
