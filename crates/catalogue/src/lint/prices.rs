//! Prices without a day or a source, and old ones.

use maat_base::{Finding, Severity};

use super::{Facts, by_file};
use crate::terms::{Age, STALE_AFTER_DAYS, age};

/// Prices without a day: they are never ranked.
pub(super) fn undated(facts: &Facts<'_>) -> Vec<Finding> {
    let offers = facts.catalogue.offers().iter().filter(|offer| offer.observed.is_none());
    let parts = facts.catalogue.purchase_prices().iter().filter(|price| price.date.is_none());
    let rows = offers
        .map(|offer| (offer.place.to_string(), offer.offer.to_string()))
        .chain(parts.map(|price| (price.place.clone(), price.part.clone())));
    by_file("price-without-date", Severity::Warning, "undated", rows)
}

/// Prices without a source.
pub(super) fn without_source(facts: &Facts<'_>) -> Vec<Finding> {
    let offers = facts.catalogue.offers().iter().filter(|offer| offer.source.is_empty());
    let parts = facts.catalogue.purchase_prices().iter().filter(|price| price.source.is_empty());
    let rows = offers
        .map(|offer| (offer.place.to_string(), offer.offer.to_string()))
        .chain(parts.map(|price| (price.place.clone(), price.part.clone())));
    by_file("price-without-source", Severity::Error, "offer", rows)
}

/// Prices of offers that are old.
pub(super) fn stale(facts: &Facts<'_>) -> Vec<Finding> {
    let Some(day) = facts.day else { return Vec::new() };
    let old = facts.catalogue.offers().iter().filter_map(|offer| {
        let observed = offer.observed.filter(|observed| age(*observed, day) != Age::Fresh)?;
        Some((offer.place.to_string(), observed.to_string()))
    });
    by_file("prices-old", Severity::Warning, "price_date", old)
        .into_iter()
        .map(|finding| finding.with("days", STALE_AFTER_DAYS))
        .collect()
}
