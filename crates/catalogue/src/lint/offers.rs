//! Offers that cannot be right.

use std::collections::HashMap;

use maat_base::{Finding, Severity};

use super::Facts;
use crate::load::{NoPart, Offer, PriceKind};

/// What makes two prices comparable.
type Place<'a> = (&'a str, &'a str, Option<&'a str>, maat_base::Currency);

fn place(offer: &Offer) -> Place<'_> {
    let id = offer.part.as_ref().map_or(&*offer.accelerator_words, |part| part.id.as_str());
    (&*offer.provider, id, offer.region.as_deref(), offer.currency)
}

/// Spot prices above the same provider's cheapest on-demand price of the same part, place and day.
pub(super) fn spot_above_on_demand(facts: &Facts<'_>) -> Vec<Finding> {
    let offers = facts.catalogue.offers();
    let mut cheapest: HashMap<_, &Offer> = HashMap::new();
    for offer in offers.iter().filter(|offer| offer.kind == PriceKind::OnDemand) {
        let known = cheapest.entry((place(offer), offer.observed)).or_insert(offer);
        if offer.hourly_per_accelerator.amount < known.hourly_per_accelerator.amount {
            *known = offer;
        }
    }
    let spots = offers.iter().filter(|offer| offer.kind == PriceKind::Spot);
    spots
        .filter_map(|spot| {
            let plain = cheapest.get(&(place(spot), spot.observed))?;
            (spot.hourly_per_accelerator.amount > plain.hourly_per_accelerator.amount).then(|| {
                Finding::new("spot-above-on-demand", Severity::Warning, subject(spot))
                    .with("spot", spot.hourly_per_accelerator)
                    .with("on-demand", plain.hourly_per_accelerator)
                    .because("spot", spot.hourly_per_accelerator.amount.to_string(), spot.place.to_string())
                    .because(
                        "on-demand",
                        plain.hourly_per_accelerator.amount.to_string(),
                        plain.place.to_string(),
                    )
            })
        })
        .collect()
}

fn subject(offer: &Offer) -> String {
    let name = if offer.offer.is_empty() { &*offer.accelerator_words } else { &*offer.offer };
    format!("{} {name}", offer.provider)
}

/// Offers that state memory which no part of the name has.
pub(super) fn memory(facts: &Facts<'_>) -> Vec<Finding> {
    let stated = facts.catalogue.stated_offers();
    stated
        .filter(|(offer, _)| offer.why_no_part == Some(NoPart::MemoryMismatch))
        .map(|(offer, stated)| {
            let gb = stated.memory_gb.map_or_else(String::new, |gb| gb.to_string());
            Finding::new("offer-memory-mismatch", Severity::Warning, subject(offer))
                .with("accelerator", &*offer.accelerator_words)
                .because("memory_gb", gb, offer.place.to_string())
        })
        .collect()
}

/// Offers that stand there twice.
pub(super) fn duplicates(facts: &Facts<'_>) -> Vec<Finding> {
    let mut seen: HashMap<_, &Offer> = HashMap::new();
    let mut found = Vec::new();
    for offer in facts.catalogue.offers() {
        let key = (
            (&*offer.provider, &*offer.offer, offer.region.as_deref()),
            (&*offer.accelerator_words, offer.count, offer.vcpu),
            (offer.kind, offer.commitment_months, offer.observed, offer.currency),
            (offer.hourly.amount, &*offer.source),
        );
        if let Some(first) = seen.insert(key, offer) {
            found.push(
                Finding::new("offer-twice", Severity::Warning, subject(offer))
                    .because("row", offer.hourly.amount.to_string(), offer.place.to_string())
                    .because("row", first.hourly.amount.to_string(), first.place.to_string()),
            );
        }
    }
    found
}

/// Offers whose price of one accelerator is not their price over the count.
pub(super) fn inconsistent(facts: &Facts<'_>) -> Vec<Finding> {
    /// How far they may lie apart, as a share, and in money: prices are rounded to cents.
    const APART: (f64, f64) = (0.02, 0.006);
    let offers = facts.catalogue.stated_offers();
    let stated = offers.filter_map(|(offer, stated)| Some((offer, stated.per_accelerator?)));
    stated
        .filter_map(|(offer, stated)| {
            let each = offer.hourly_per_accelerator.as_f64();
            let stated = maat_base::Money::new(stated, offer.currency).as_f64();
            let apart = (stated - each).abs();
            (apart > APART.1 && apart > APART.0 * each.abs()).then(|| {
                Finding::new("offer-price-inconsistent", Severity::Error, subject(offer))
                    .because("stated", stated.to_string(), offer.place.to_string())
                    .because("computed", format!("{each:.4}"), offer.place.to_string())
            })
        })
        .collect()
}
