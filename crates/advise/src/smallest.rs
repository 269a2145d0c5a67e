//! Without hardware: the smallest cards, and numbers of them, that hold the job.

use maat_base::Bytes;
use maat_catalogue::Machine;

use crate::answer::Smallest;
use crate::case::Case;
use crate::world::World;

/// How many are listed.
const LISTED: usize = 5;
/// Counts that are tried.
const COUNTS: [u32; 4] = [1, 2, 4, 8];

impl Smallest {
    /// `2x RTX 3090`, or the name alone for one.
    pub fn label(&self) -> String {
        if self.count == 1 { self.name.clone() } else { format!("{}x {}", self.count, self.name) }
    }
}

/// The fitting machines with the least memory in all, one for each size of card, fewest cards first among equals.
pub fn smallest(case: &Case, world: &World) -> Vec<Smallest> {
    let mut found: Vec<(Bytes, Smallest)> = Vec::new();
    for part in world.catalogue.accelerators().iter().filter(|part| part.rankable()) {
        let fitting = COUNTS.into_iter().find_map(|count| {
            let machine = Machine::of(part, count, 1);
            let mut tried = case.clone();
            tried.machine = Some(machine);
            if !world.rules.engines.supports_part(
                tried.serve.engine,
                tried.serve.version.as_deref(),
                Some(part),
            ) {
                return None;
            }
            let best = tried.best(world.rules).filter(crate::case::Judged::fits)?;
            Some(Smallest {
                name: part.name.clone(),
                count,
                capacity_bytes: part.capacity.value,
                free_bytes: best.memory.per_accelerator.free_bytes.unwrap_or_default(),
            })
        });
        found.extend(fitting.map(|card| (part.capacity.value * u64::from(card.count), card)));
    }
    found.sort_by(|(a, x), (b, y)| (a, x.count, &x.name).cmp(&(b, y.count, &y.name)));
    found.dedup_by_key(|(total, card)| (*total, card.count));
    found.into_iter().map(|(_, card)| card).take(LISTED).collect()
}
