//! `catalogue offers`: what can be rented, cheapest first.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use maat_base::{Answer, Bytes, Currency, Date, Fault, Finding, Period, Severity, Text, Verdict};
use serde::{Deserialize, Serialize};

use crate::catalogue::Catalogue;
use crate::load::{NoPart, Offer, Place, PriceKind};
use crate::terms::{Age, REFUSED_AFTER_DAYS, STALE_AFTER_DAYS, Terms, age, days_between};

/// Seconds of a day.
const DAY_S: f64 = 86_400.0;

/// What can be rented.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct OffersRequest {
    /// Only offers of this part
    #[cfg_attr(feature = "clap", arg(long, value_name = "PART"))]
    pub gpu: Option<String>,
    /// Only these providers
    #[cfg_attr(feature = "clap", arg(long, value_name = "PROVIDER", value_delimiter = ','))]
    pub provider: Vec<String>,
    /// Only this region, or regions that begin with it (eu of eu-west-1)
    #[cfg_attr(feature = "clap", arg(long, value_name = "REGION"))]
    pub region: Option<String>,
    /// Only these kinds: on-demand, spot, marketplace, committed
    #[cfg_attr(feature = "clap", arg(long, value_name = "KIND", value_delimiter = ','))]
    pub kind: Vec<PriceKind>,
    /// Most money for an accelerator and hour
    #[cfg_attr(feature = "clap", arg(long, value_name = "MONEY"))]
    pub max_price: Option<f64>,
    /// Oldest price, such as 180d [default: 730d]
    #[cfg_attr(feature = "clap", arg(long, value_name = "TIME"))]
    pub max_price_age: Option<Period>,
    /// At least this many accelerators in one offer
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub min_count: Option<u32>,
}

/// Offers, cheapest first by accelerator and hour.
#[derive(Clone, Debug, Default, Serialize)]
pub struct OffersBody {
    /// The day that ages are counted to.
    pub as_of: Option<Date>,
    /// Currency of all prices.
    pub currency: Currency,
    /// Offers whose part and day are known.
    pub offers: Vec<OfferView>,
    /// Offers that are not ranked, and why.
    pub unranked: Vec<UnrankedOffer>,
    /// Offers left out because their price is older than asked for.
    pub too_old: usize,
}

/// An offer in the answer's currency.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names are those of an offer")]
pub struct OfferView {
    pub provider: Arc<str>,
    pub offer: Box<str>,
    pub region: Option<Arc<str>>,
    pub accelerator_id: String,
    pub accelerator: String,
    pub count: u32,
    pub vcpu: Option<u32>,
    pub ram_bytes: Option<Bytes>,
    pub hourly: f64,
    pub hourly_per_accelerator: f64,
    pub currency: Currency,
    pub kind: PriceKind,
    pub commitment_months: u32,
    pub price_date: Date,
    pub age_days: u32,
    pub age: Age,
    pub source: Arc<str>,
    pub flags: Arc<str>,
    /// Where it stands, as `path:line`.
    pub place: Place,
}

/// An offer that is listed apart.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UnrankedOffer {
    /// Who rents it out.
    pub provider: Arc<str>,
    /// Its name.
    pub offer: Box<str>,
    /// The accelerator in the provider's words.
    pub accelerator: Arc<str>,
    /// Price of an accelerator and hour, in the answer's currency.
    pub hourly_per_accelerator: Option<f64>,
    /// `form-unknown`, `name-unknown`, `memory-mismatch`, `undated`, `average`, `announced`.
    pub why: &'static str,
    /// Where it stands, as `path:line`.
    pub place: Place,
}

/// Lists the offers that a request lets through.
///
/// # Errors
/// `accelerator-unknown`, `offer-kind-unknown`.
pub fn offers(
    request: &OffersRequest,
    catalogue: &Catalogue,
    terms: &Terms,
) -> Result<Answer<OffersBody>, Fault> {
    let part = request.gpu.as_deref().map(|name| catalogue.resolve_accelerator(name)).transpose()?;
    let own = |offer: &Offer| {
        part.as_ref()
            .is_none_or(|wanted| offer.part.as_ref().is_some_and(|own| Arc::ptr_eq(own, &wanted.part)))
    };
    let oldest = request.max_price_age.map_or(f64::from(REFUSED_AFTER_DAYS), |age| age.0 / DAY_S);
    let day = terms.day(catalogue);
    // Counting days is slow beside all else, and 100,000 offers have a handful of days.
    let ages: RefCell<HashMap<Date, bool>> = RefCell::default();
    let is_too_old = |offer: &Offer| {
        offer.observed.zip(day).is_some_and(|(seen, day)| {
            let too_old = || f64::from(days_between(seen, day)) > oldest;
            *ages.borrow_mut().entry(seen).or_insert_with(too_old)
        })
    };
    let dear = |offer: &Offer| {
        let price = || terms.convert(offer.hourly_per_accelerator, catalogue).map(maat_base::Money::as_f64);
        request.max_price.is_some_and(|most| price().is_none_or(|price| price > most))
    };
    let wanted = catalogue.offers().iter().filter(|offer| own(offer) && lets_through(request, offer));
    let (rankable, other): (Vec<&Offer>, Vec<&Offer>) = wanted.partition(|offer| offer.is_rankable());
    let (old, young): (Vec<&Offer>, Vec<&Offer>) = rankable.into_iter().partition(|offer| is_too_old(offer));
    let too_old = old.len();
    let all = views(young.into_iter().filter(|offer| !dear(offer)), catalogue, terms);
    let unranked = other.into_iter().map(|offer| unranked(offer, catalogue, terms)).collect();
    let body =
        OffersBody { as_of: terms.day(catalogue), currency: terms.money(), offers: all, unranked, too_old };
    Ok(answer(
        body,
        part.and_then(|part| {
            let name = part.part.name.clone();
            part.why.map(|why| (name, why))
        }),
        request,
    ))
}

fn lets_through(request: &OffersRequest, offer: &Offer) -> bool {
    let provider = request.provider.is_empty()
        || request.provider.iter().any(|wanted| wanted.eq_ignore_ascii_case(&offer.provider));
    let kind = request.kind.is_empty() || request.kind.contains(&offer.kind);
    let count = request.min_count.is_none_or(|least| offer.count >= least);
    let region = request
        .region
        .as_deref()
        .is_none_or(|wanted| offer.region.as_deref().is_some_and(|region| in_region(region, wanted)));
    provider && kind && count && region
}

/// Regions agree when they are the same, or when the wanted one is the first part of the other.
fn in_region(region: &str, wanted: &str) -> bool {
    region.eq_ignore_ascii_case(wanted)
        || region
            .split(['-', '_', ' ', '/', ','])
            .next()
            .is_some_and(|first| first.eq_ignore_ascii_case(wanted))
}

/// Offers as they are shown, cheapest first; among equals the newest, then by provider, offer and region.
pub(super) fn views<'a>(
    offers: impl Iterator<Item = &'a Offer>,
    catalogue: &Catalogue,
    terms: &Terms,
) -> Vec<OfferView> {
    let mut views: Vec<OfferView> = offers.filter_map(|offer| view(offer, catalogue, terms)).collect();
    views.sort_by(|a, b| {
        let price = a.hourly_per_accelerator.total_cmp(&b.hourly_per_accelerator);
        let names = || (&a.provider, &a.offer, &a.region).cmp(&(&b.provider, &b.offer, &b.region));
        price.then(b.price_date.cmp(&a.price_date)).then_with(names)
    });
    views
}

fn view(offer: &Offer, catalogue: &Catalogue, terms: &Terms) -> Option<OfferView> {
    let part = offer.part.as_ref()?;
    let observed = offer.observed?;
    let day = terms.day(catalogue)?;
    Some(OfferView {
        provider: offer.provider.clone(),
        offer: offer.offer.clone(),
        region: offer.region.clone(),
        accelerator_id: part.id.clone(),
        accelerator: part.name.clone(),
        count: offer.count,
        vcpu: offer.vcpu,
        ram_bytes: offer.ram,
        hourly: terms.convert(offer.hourly, catalogue)?.as_f64(),
        hourly_per_accelerator: terms.convert(offer.hourly_per_accelerator, catalogue)?.as_f64(),
        currency: terms.money(),
        kind: offer.kind,
        commitment_months: offer.commitment_months,
        price_date: observed,
        age_days: days_between(observed, day),
        age: age(observed, day),
        source: offer.source.clone(),
        flags: offer.flags.clone(),
        place: offer.place.clone(),
    })
}

fn unranked(offer: &Offer, catalogue: &Catalogue, terms: &Terms) -> UnrankedOffer {
    let why = match (offer.why_no_part, offer.kind) {
        (_, PriceKind::Average) => "average",
        (Some(why), _) => NoPart::code(why),
        (None, _) if offer.observed.is_none() => "undated",
        (None, _) => "announced",
    };
    UnrankedOffer {
        provider: offer.provider.clone(),
        offer: offer.offer.clone(),
        accelerator: offer.accelerator_words.clone(),
        hourly_per_accelerator: terms
            .convert(offer.hourly_per_accelerator, catalogue)
            .map(maat_base::Money::as_f64),
        why,
        place: offer.place.clone(),
    }
}

fn answer(body: OffersBody, chosen: Option<(String, Text)>, request: &OffersRequest) -> Answer<OffersBody> {
    let text = match body.offers.first() {
        None => Text::new("verdict-offers-none"),
        Some(cheapest) => Text::new("verdict-offers")
            .with("n", body.offers.len())
            .with("provider", &*cheapest.provider)
            .with("part", cheapest.accelerator.as_str())
            .with(
                "price",
                maat_base::Arg::Money(cheapest.hourly_per_accelerator, cheapest.currency.code().to_owned()),
            ),
    };
    let stale = body.offers.iter().filter(|offer| offer.age != Age::Fresh).count();
    let too_old = body.too_old;
    let apart = body.unranked.len();
    let code = if body.offers.is_empty() { "none" } else { "listed" };
    let verdict = Verdict { ok: Some(true), code: code.into(), text };
    let mut answer = Answer::new("catalogue offers", verdict, body);
    if let Some((part, why)) = chosen {
        let given = request.gpu.as_deref().unwrap_or_default();
        let text = Text::new("assumed-part").with("given", given).with("part", part.as_str());
        answer.assumed.push(maat_base::Assumed { name: "gpu", value: part.into(), text, why });
    }
    let finding = |code, severity, n: usize| Finding::new(code, severity, "offers").with("n", n);
    if stale > 0 {
        answer.findings.push(finding("prices-old", Severity::Warning, stale).with("days", STALE_AFTER_DAYS));
    }
    if too_old > 0 {
        answer.findings.push(finding("prices-too-old", Severity::Info, too_old));
    }
    if apart > 0 {
        answer.findings.push(finding("offer-not-ranked", Severity::Info, apart));
    }
    answer
}
