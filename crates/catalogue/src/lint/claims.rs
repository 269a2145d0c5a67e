//! Sources that say different things.

use maat_base::{Arg, Finding, Severity};

use super::Facts;
use crate::load::{RateClaim, rate_key};

/// Claims this far from the preferred figure, as a share, are worth naming.
const FAR: f64 = 0.05;

/// Claims that lie far from the figure that is used: good to know where a reason is given, else a warning.
pub(super) fn contradictions(facts: &Facts<'_>) -> Vec<Finding> {
    let claims = facts.catalogue.rates();
    let mut found = Vec::new();
    for other in claims.iter().filter(|claim| !claim.preferred) {
        let same = |claim: &&RateClaim| {
            claim.preferred
                && claim.accelerator == other.accelerator
                && rate_key(&claim.rate) == rate_key(&other.rate)
        };
        let Some(used) = claims.iter().find(same) else { continue };
        let (ours, theirs) = (used.rate.flop_per_s.value, other.rate.flop_per_s.value);
        let what = format!("{}-{}", other.rate.number, other.rate.accumulate.name());
        found.extend(contradiction(
            &other.accelerator,
            &what,
            (ours, theirs),
            other.reason.as_deref(),
            &other.place,
        ));
    }
    for claim in facts.catalogue.claims() {
        let Some(part) = facts.catalogue.accelerator(&claim.accelerator) else { continue };
        let ours = match claim.figure.as_str() {
            "bandwidth_gb_s" => part.bandwidth.as_ref().map(|bandwidth| bandwidth.value / 1e9),
            "power_w" => part.power_w,
            "memory_gb" => Some(part.memory_label_bytes.as_gib()),
            "boost_clock_mhz" => part.clock_hz.map(|clock| clock / 1e6),
            "peer_link_gb_s" => part.peer_link.as_ref().map(|link| link.bytes_per_s / 1e9),
            "pcie_generation" => part.pcie_generation.map(f64::from),
            _ => None,
        };
        let Some(ours) = ours else { continue };
        let why = claim.why_not.as_deref();
        found.extend(contradiction(
            &claim.accelerator,
            &claim.figure,
            (ours, claim.value),
            why,
            &claim.place,
        ));
    }
    found
}

fn contradiction(
    part: &str,
    what: &str,
    (ours, theirs): (f64, f64),
    why: Option<&str>,
    place: &str,
) -> Option<Finding> {
    let off = (theirs / ours - 1.0).abs();
    let severity = if why.is_some() { Severity::Info } else { Severity::Warning };
    (off > FAR).then(|| {
        Finding::new("claims-contradict", severity, part)
            .with("figure", what)
            .with("off", Arg::Share(off))
            .because("used", format!("{ours:.4}"), place)
            .because("claimed", format!("{theirs:.4}"), place)
    })
}

/// Figures of which two claims are preferred in one file: which one is used would hang on their order.
pub(super) fn two_preferred(facts: &Facts<'_>) -> Vec<Finding> {
    let mut seen = std::collections::HashMap::new();
    let mut found = Vec::new();
    for claim in facts.catalogue.rates().iter().filter(|claim| claim.preferred) {
        let key = (claim.accelerator.as_str(), rate_key(&claim.rate), super::path_of(&claim.place));
        if let Some(first) = seen.insert(key, claim) {
            found.push(
                Finding::new("claims-two-preferred", Severity::Error, claim.accelerator.as_str())
                    .because("row", claim.rate.number.name(), claim.place.as_str())
                    .because("row", first.rate.number.name(), first.place.as_str()),
            );
        }
    }
    found
}
