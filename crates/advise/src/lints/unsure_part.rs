//! A part whose figures are not certain.

use maat_base::{Finding, Severity};

use crate::case::{Case, Judged};
use crate::world::World;

/// What the facts mark as unsure stays marked: which figures in the message, why in the evidence.
pub fn lint(case: &Case, _: &Judged, _: &World) -> Option<Finding> {
    let part = case.machine.as_ref()?.slots.iter().map(|slot| &slot.accelerator).find_map(|part| {
        let unsure = part.unsure.as_deref().filter(|words| !words.is_empty())?;
        Some((part, unsure))
    });
    let (part, unsure) = part?;
    let doubts = unsure.split('|').map(|doubt| doubt.split_once(':').unwrap_or((doubt, "")));
    let figures: Vec<&str> = doubts.clone().map(|(figure, _)| figure.trim()).collect();
    let found = Finding::new("part-figures-unsure", Severity::Info, part.name.clone())
        .with("part", part.name.as_str())
        .with("what", figures);
    Some(doubts.fold(found, |found, (figure, words)| {
        found.because(figure.trim(), words.trim(), format!("catalogue: {}", part.id))
    }))
}
