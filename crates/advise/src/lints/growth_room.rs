//! A machine that is nearly full.

use maat_base::{Arg, Finding, Severity};

use crate::case::{Case, Judged};
use crate::world::World;

/// Less than this share of the memory, or of the places for users, is no room to grow.
const ROOM: f64 = 0.05;

/// Fits today, and not with a little more.
pub fn lint(case: &Case, judged: &Judged, _: &World) -> Option<Finding> {
    let machine = case.machine.as_ref()?;
    if !judged.fits() {
        return None;
    }
    let capacity = crate::view::capacity(machine)?;
    let free = judged.memory.per_accelerator.free_bytes?;
    let share = free as f64 / capacity.as_f64();
    (share < ROOM).then(|| {
        Finding::new("no-growth-room", Severity::Warning, machine.name.clone())
            .with("share", Arg::Share(share))
            .because("free_bytes", free.to_string(), "memory.per_accelerator")
            .fixable()
    })
}
