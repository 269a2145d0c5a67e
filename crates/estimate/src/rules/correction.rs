//! Own measurements: how far they lie from what is predicted, and how much of that holds for what is asked.

use maat_catalogue::Machine;
use maat_model::Model;

use super::{Efficiencies, Width};

/// What own measurements of a machine say.
#[derive(Clone, Debug, PartialEq)]
pub struct Correction {
    /// The machine's part: see [`part_of`].
    pub part: String,
    /// Parameters of the model that was measured; `None` for what holds for other models on the machine.
    pub params: Option<u64>,
    /// The metric as `ranges.csv` names it.
    pub metric: String,
    /// `ln(measured / predicted)`, as much of it as holds.
    pub shift: f64,
    /// What is left of the range's width in the logarithm, from 0 to 1.
    pub narrowed: f64,
}

/// Identifier of the part that a machine computes with.
pub fn part_of(machine: &Machine) -> String {
    match (machine.slots.first(), &machine.host.processor) {
        (Some(slot), _) => slot.accelerator.id.clone(),
        (None, Some(processor)) => processor.name.clone(),
        (None, None) => String::new(),
    }
}

impl Efficiencies {
    /// The factor on a time, and the width of its range, after own measurements of the same model on the same machine,
    /// or else of other models there.
    pub(crate) fn corrected(
        &self,
        width: Width,
        metric: &str,
        model: &Model,
        machine: Option<&Machine>,
    ) -> (f64, Width) {
        let Some(machine) = machine.filter(|_| !self.corrections.is_empty()) else { return (1.0, width) };
        let (part, params) = (part_of(machine), model.params_total());
        let of = |params: Option<u64>| {
            self.corrections
                .iter()
                .find(|own| own.part == part && own.params == params && own.metric == metric)
        };
        let Some(own) = of(Some(params)).or_else(|| of(None)) else { return (1.0, width) };
        let narrow = |factor: f64| factor.max(1.0).powf(own.narrowed.clamp(0.0, 1.0));
        (own.shift.exp(), Width { below: narrow(width.below), above: narrow(width.above) })
    }
}
