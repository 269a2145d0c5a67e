//! Rows that cannot be read, or speak of what is not there.

use std::collections::{HashMap, HashSet};

use maat_base::{Arg, Fault, Finding, Severity};

use super::Facts;
use crate::table::NOT_POSITIVE;

/// Rows and files that cannot be read.
pub(super) fn unreadable(facts: &Facts<'_>) -> Vec<Finding> {
    facts
        .catalogue
        .problems()
        .into_iter()
        .map(|fault| {
            let place = fault.place.clone().unwrap_or_default();
            if fault.code == NOT_POSITIVE {
                return impossible(&fault, place);
            }
            Finding::new("facts-unreadable", Severity::Error, super::path_of(&place))
                .with("what", fault.message.clone())
                .because("row", fault.code, place)
        })
        .collect()
}

/// A row that was refused for a value that no part or price has.
fn impossible(fault: &Fault, place: String) -> Finding {
    let of = |name: &str| {
        let found = fault.message.args.iter().find(|(other, _)| other == name);
        found.map_or_else(String::new, |(_, arg)| match arg {
            Arg::Str(text) => text.clone(),
            _ => String::new(),
        })
    };
    let (field, value) = (of("field"), of("value"));
    Finding::new("value-impossible", Severity::Error, super::path_of(&place))
        .with("figure", field.as_str())
        .because(field, value, place)
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
    let mut found = Vec::new();
    let mut check = |known: &HashSet<&str>, part: &str, place: &dyn Fn() -> String| {
        if !known.contains(part) {
            found.push(Finding::new("part-not-there", Severity::Error, part).because("part", part, place()));
        }
    };
    let accelerators: HashSet<&str> = catalogue.accelerators().iter().map(|part| part.id.as_str()).collect();
    let cpus: HashSet<&str> = catalogue.cpus().iter().map(|cpu| cpu.id.as_str()).collect();
    let mut all: HashSet<&str> = accelerators.union(&cpus).copied().collect();
    all.extend(catalogue.servers().iter().map(|server| server.id.as_str()));
    for row in catalogue.rates() {
        check(&accelerators, &row.accelerator, &|| row.place.clone());
    }
    for row in catalogue.mig_profiles() {
        check(&accelerators, &row.accelerator, &|| row.place.clone());
    }
    for row in catalogue.claims() {
        check(&accelerators, &row.accelerator, &|| row.place.clone());
    }
    for name in &catalogue.accelerator_names().aliases {
        check(&accelerators, &name.part, &|| name.place());
    }
    for name in &catalogue.cpu_names().aliases {
        check(&cpus, &name.part, &|| name.place());
    }
    for price in catalogue.purchase_prices() {
        check(&all, &price.part, &|| price.place.clone());
    }
    found
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
