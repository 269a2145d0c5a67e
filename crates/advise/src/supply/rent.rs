//! Offers of providers.

use std::sync::Arc;

use maat_base::{Finding, Severity, Text};
use maat_catalogue::{Accelerator, Machine, Offer, PriceKind};

use crate::answer::UnrankedOffer;
use crate::world::World;

use super::{Filter, Supplies, Supply, age_days};

/// Numbers of accelerators that providers who price one rent together in one machine.
const COUNTS: [u32; 4] = [1, 2, 4, 8];

/// Adds every offer that the filter lets through; offers for one accelerator also by two, four and eight.
pub fn add(filter: &Filter, world: &World, all: &mut Supplies) {
    let mut too_old = 0;
    let mut no_region = 0;
    let mut later = 0;
    for offer in world.catalogue.offers() {
        if !filter.kinds.contains(&offer.kind) {
            continue;
        }
        let Some((part, date)) = offer.part.as_ref().zip(offer.observed) else {
            all.unranked.extend(unranked(offer));
            continue;
        };
        if !filter.part(part) {
            continue;
        }
        match (filter.region, &offer.region) {
            (Some(_), None) => {
                no_region += 1;
                continue;
            }
            (Some(wanted), Some(region)) if !in_region(region, wanted) => continue,
            _ => {}
        }
        if age_days(date, filter.day) < 0.0 {
            later += 1;
            continue;
        }
        if !filter.age(date) {
            too_old += 1;
            continue;
        }
        add_counts(offer, part, world, all);
    }
    all.findings.extend(left_out("offers-too-old", too_old));
    all.findings.extend(left_out("offers-without-region", no_region));
    all.findings.extend(left_out("offers-later", later));
}

/// A finding that so many offers were left out.
fn left_out(code: &'static str, n: usize) -> Option<Finding> {
    (n > 0).then(|| {
        Finding::new(code, Severity::Info, "offers")
            .with("n", n)
            .because("offers", n.to_string(), "catalogue")
            .fixable()
    })
}

/// Regions agree when they are the same, or when the wanted one is the first part of the other (`eu` of `eu-west-1`).
fn in_region(region: &str, wanted: &str) -> bool {
    let region = region.to_ascii_lowercase();
    let wanted = wanted.to_ascii_lowercase();
    region == wanted || region.split(['-', '_', ' ', '/', ',']).next() == Some(wanted.as_str())
}

fn add_counts(offer: &Offer, part: &Arc<Accelerator>, world: &World, all: &mut Supplies) {
    let (counts, multiplied): (&[u32], bool) = if offer.count == 1 { (&COUNTS, true) } else { (&[0], false) };
    for &times in counts {
        let count = if multiplied { times } else { offer.count };
        let price = if multiplied { offer.hourly.times(f64::from(times)) } else { Some(offer.hourly) };
        let Some(hourly) = price.and_then(|price| world.money(price)) else { continue };
        let mut machine = Machine::of_part(part, count);
        let times = count / offer.count.max(1);
        machine.host.ram = offer.ram.map(|ram| ram * u64::from(times));
        // Two virtual processors are one core.
        machine.host.cores = offer.vcpu.map(|threads| threads.saturating_mul(times) / 2);
        machine.host.class = Some("cloud".to_owned());
        all.ranked.push(Supply {
            kind: offer.kind,
            provider: Some(offer.provider.to_string()),
            offer: Some(offer.offer.to_string()).filter(|name| !name.is_empty()),
            region: offer.region.as_deref().map(str::to_owned),
            machine,
            hourly: Some(hourly),
            purchase: None,
            date: offer.observed.unwrap_or_default(),
            source: offer.source.to_string(),
            multiplied: multiplied && times > 1,
            unsure: Some(offer.flags.to_string()).filter(|flags| !flags.is_empty()),
        });
    }
}

/// An offer that cannot be ranked, and why.
fn unranked(offer: &Offer) -> Option<UnrankedOffer> {
    if offer.kind == PriceKind::Average {
        return None;
    }
    let why = match offer.why_no_part {
        Some(why) => Text::named(format!("unranked-{}", why.code())),
        None => Text::new("unranked-undated"),
    };
    Some(UnrankedOffer {
        provider: offer.provider.to_string(),
        offer: offer.offer.to_string(),
        accelerator: offer.accelerator_words.to_string(),
        why,
    })
}
