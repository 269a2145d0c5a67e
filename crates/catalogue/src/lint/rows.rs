//! Rows that cannot be read, or speak of what is not there.

use std::collections::{HashMap, HashSet};

use maat_base::{Finding, Severity};

use super::Facts;

/// Rows and files that cannot be read.
pub(super) fn unreadable(facts: &Facts<'_>) -> Vec<Finding> {
    facts
        .catalogue
        .problems()
        .into_iter()
        .map(|fault| {
            let place = fault.place.clone().unwrap_or_default();
            Finding::new("facts-unreadable", Severity::Error, super::path_of(&place))
                .with("what", fault.message.clone())
                .because("row", fault.code, place)
        })
        .collect()
}

/// Identifiers that two rows have.
pub(super) fn duplicate_identifiers(facts: &Facts<'_>) -> Vec<Finding> {
    let catalogue = facts.catalogue;
    let parts = catalogue.accelerators().iter().zip(catalogue.part_figures()).flat_map(|(part, figures)| {
        figures.also.iter().map(|place| (part.id.as_str(), place.as_str(), figures.place.as_str()))
    });
    let mut seen: HashMap<&str, &str> = HashMap::new();
    let mut found: Vec<(&str, &str, &str)> = parts.collect();
    let rows = catalogue
        .cpus()
        .iter()
        .map(|cpu| (cpu.id.as_str(), cpu.place.as_str()))
        .chain(catalogue.servers().iter().map(|server| (server.id.as_str(), server.place.as_str())));
    for (id, place) in rows {
        if let Some(first) = seen.insert(id, place) {
            found.push((id, first, place));
        }
    }
    found
        .into_iter()
        .map(|(id, first, again)| {
            Finding::new("identifier-twice", Severity::Error, id)
                .because("row", id, again)
                .because("row", id, first)
        })
        .collect()
}

/// Rates, names, slices, claims and prices of parts that are not there.
pub(super) fn unknown_parts(facts: &Facts<'_>) -> Vec<Finding> {
    let catalogue = facts.catalogue;
    let known: HashSet<&str> = catalogue.accelerators().iter().map(|part| part.id.as_str()).collect();
    let mut all: HashSet<&str> = known.clone();
    all.extend(catalogue.cpus().iter().map(|cpu| cpu.id.as_str()));
    all.extend(catalogue.servers().iter().map(|server| server.id.as_str()));
    let of_accelerators = (catalogue
        .rates()
        .iter()
        .map(|row| (row.accelerator.as_str(), row.place.as_str())))
    .chain(catalogue.mig_profiles().iter().map(|row| (row.accelerator.as_str(), row.place.as_str())))
    .chain(catalogue.claims().iter().map(|row| (row.accelerator.as_str(), row.place.as_str())))
    .chain(catalogue.accelerator_names().aliases.iter().map(|row| (row.part.as_str(), row.place.as_str())))
    .filter(|(part, _)| !known.contains(part));
    let of_any = (catalogue.purchase_prices().iter().map(|row| (row.part.as_str(), row.place.as_str())))
        .chain(catalogue.cpu_names().aliases.iter().map(|row| (row.part.as_str(), row.place.as_str())))
        .filter(|(part, _)| !all.contains(part));
    of_accelerators
        .chain(of_any)
        .map(|(part, place)| {
            Finding::new("part-not-there", Severity::Error, part).because("part", part, place)
        })
        .collect()
}

/// Tags of sources that the list of sources does not have. Words with a blank or a slash are addresses, not tags.
pub(super) fn unknown_sources(facts: &Facts<'_>) -> Vec<Finding> {
    let catalogue = facts.catalogue;
    let tags: HashSet<&str> = catalogue.sources().iter().map(|source| source.tag.as_str()).collect();
    let parts = catalogue.accelerators().iter().zip(catalogue.part_figures());
    let used = parts
        .map(|(part, figures)| (part.sources.as_str(), figures.place.as_str()))
        .chain(catalogue.rates().iter().map(|row| (row.rate.flop_per_s.source.as_str(), row.place.as_str())))
        .chain(catalogue.claims().iter().map(|row| (row.source.as_str(), row.place.as_str())))
        .chain(catalogue.cpus().iter().map(|cpu| (cpu.source.as_str(), cpu.place.as_str())));
    let mut found = Vec::new();
    for (sources, place) in used {
        for tag in sources.split(';').map(str::trim) {
            if !tag.is_empty() && !tag.contains([' ', '/']) && !tags.contains(tag) {
                found.push(
                    Finding::new("source-not-listed", Severity::Warning, tag).because("source", tag, place),
                );
            }
        }
    }
    found
}
