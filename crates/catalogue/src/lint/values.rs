//! Values that cannot be.

use maat_base::{Finding, Severity};

use super::Facts;

/// Memory that the driver reports may be this much below the label, as a share: error correction in ordinary memory takes
/// a sixteenth, makers take reserves.
const LEAST_OF_LABEL: f64 = 0.85;
/// And this much above: labels are rounded.
const MOST_OF_LABEL: f64 = 1.03;
/// More bytes per second than any memory today; also per second of a link.
const FASTEST_MEMORY: f64 = 60e12;
/// More operations per second than any part today.
const FASTEST_PART: f64 = 200e15;
/// More watts than any part today takes.
const MOST_WATTS: f64 = 5000.0;

/// Memory that does not fit the part's label.
pub(super) fn memory(facts: &Facts<'_>) -> Vec<Finding> {
    let catalogue = facts.catalogue;
    let parts = catalogue.accelerators().iter().zip(catalogue.part_figures());
    parts
        .filter(|(part, _)| !part.unified)
        .filter(|(part, _)| {
            let share = part.capacity.value.share_of(part.memory_label_bytes);
            !(LEAST_OF_LABEL..=MOST_OF_LABEL).contains(&share)
        })
        .map(|(part, figures)| {
            Finding::new("memory-not-of-label", Severity::Error, part.name.as_str())
                .with("label", part.memory_label_bytes)
                .with("reported", part.capacity.value)
                .because("memory", part.capacity.value.0.to_string(), figures.place.as_str())
        })
        .collect()
}

/// Slices that do not fit the part.
pub(super) fn slices(facts: &Facts<'_>) -> Vec<Finding> {
    let catalogue = facts.catalogue;
    let mut found = Vec::new();
    for slice in catalogue.mig_profiles() {
        let Some(part) = catalogue.accelerator(&slice.accelerator) else { continue };
        let all = slice.memory.value * u64::from(slice.instances);
        let units = slice.units.zip(part.units).is_some_and(|(one, all)| one * slice.instances > all);
        if all.share_of(part.memory_label_bytes) > MOST_OF_LABEL || units {
            found.push(
                Finding::new(
                    "slices-exceed-part",
                    Severity::Error,
                    format!("{}:{}", part.name, slice.profile),
                )
                .because("instances", slice.instances.to_string(), slice.place.as_str()),
            );
        }
    }
    found
}

/// Figures that no part has.
pub(super) fn impossible(facts: &Facts<'_>) -> Vec<Finding> {
    let catalogue = facts.catalogue;
    let mut found = Vec::new();
    let mut check = |subject: &str, what: &str, value: f64, most: f64, place: &str| {
        if !(value > 0.0 && value <= most) {
            let finding = Finding::new("value-impossible", Severity::Error, subject).with("figure", what);
            found.push(finding.because(what, value.to_string(), place));
        }
    };
    for (part, figures) in catalogue.accelerators().iter().zip(catalogue.part_figures()) {
        check(&part.name, "memory", part.memory_label_bytes.as_f64(), 8e12, &figures.place);
        if let Some(bandwidth) = &part.bandwidth {
            check(&part.name, "bandwidth", bandwidth.value, FASTEST_MEMORY, &figures.place);
        }
        if let Some(watts) = part.power_w {
            check(&part.name, "power", watts, MOST_WATTS, &figures.place);
        }
        if let Some(link) = &part.peer_link {
            check(&part.name, "peer_link", link.bytes_per_s, FASTEST_MEMORY, &figures.place);
        }
    }
    for claim in catalogue.rates().iter().filter(|claim| claim.preferred) {
        check(&claim.accelerator, "rate", claim.rate.flop_per_s.value, FASTEST_PART, &claim.place);
    }
    for cpu in catalogue.cpus() {
        check(&cpu.name, "cores", f64::from(cpu.cores), 1024.0, &cpu.place);
        if let Some(clock) = &cpu.clock_hz {
            check(&cpu.name, "clock", clock.value, 8e9, &cpu.place);
        }
    }
    for offer in catalogue.offers() {
        check(&offer.provider, "price", offer.hourly.as_f64(), 10_000.0, &offer.place.to_string());
    }
    for price in catalogue.purchase_prices() {
        check(&price.part, "price", price.price.as_f64(), 1e8, &price.place);
    }
    for grid in catalogue.grid_carbon() {
        check(&grid.country, "carbon", grid.gco2e_per_kwh + f64::EPSILON, 2000.0, "carbon/grid.csv");
    }
    found
}

/// Parts that are to be had although their day is still ahead.
pub(super) fn released_ahead(facts: &Facts<'_>) -> Vec<Finding> {
    let Some(day) = facts.day else { return Vec::new() };
    let catalogue = facts.catalogue;
    let parts = catalogue.accelerators().iter().zip(catalogue.part_figures());
    parts
        .filter_map(|(part, figures)| {
            let released = part.released.filter(|released| *released > day && !part.announced)?;
            let finding = Finding::new("released-ahead", Severity::Warning, part.name.as_str());
            Some(finding.because("released", released.to_string(), figures.place.as_str()))
        })
        .collect()
}
