//! `catalogue history`: what a part cost over time, to rent and to buy.
//!
//! Prices come from the tables of the past, from offers with their day, and from the copies that imports keep. A price
//! that several of these hold counts once.

mod series;

use std::collections::HashSet;
use std::path::PathBuf;

use maat_base::{Answer, Assumed, Currency, Date, Decimal, Fault, Finding, Money, Severity, Text, Verdict};
use serde::{Deserialize, Serialize};

use crate::accelerator::Accelerator;
use crate::catalogue::Catalogue;
use crate::load::{Offer, PriceKind, PurchasePrice};
use crate::terms::Terms;

pub use series::{PricePoint, PriceSeries};
use series::{Seen, Span, series};

/// What a part cost over time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct HistoryRequest {
    /// The part, by any of its names
    #[cfg_attr(feature = "clap", arg(value_name = "PART"))]
    pub part: String,
    /// Only these kinds: on-demand, spot, marketplace, committed, average, purchase
    #[cfg_attr(feature = "clap", arg(long, value_name = "KIND", value_delimiter = ','))]
    pub kind: Vec<PriceKind>,
    /// Only these providers
    #[cfg_attr(feature = "clap", arg(long, value_name = "PROVIDER", value_delimiter = ','))]
    pub provider: Vec<String>,
    /// Only prices from this day on, YYYY-MM-DD
    #[cfg_attr(feature = "clap", arg(long, value_name = "DATE"))]
    pub since: Option<String>,
}

/// Prices of a part over time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HistoryBody {
    /// The part's name.
    pub name: String,
    /// The part's identifier.
    pub id: String,
    /// Currency of all prices: one rate for all days, so that what moves is the price.
    pub currency: Currency,
    /// One for each kind of price: renting by month, buying by quarter.
    pub series: Vec<PriceSeries>,
}

/// Collects the prices of a part.
struct Collector<'a> {
    catalogue: &'a Catalogue,
    terms: &'a Terms,
    request: &'a HistoryRequest,
    part: &'a Accelerator,
    since: Option<Date>,
    last: Option<Date>,
    seen: Vec<Seen>,
    known: HashSet<(String, PriceKind, Date, Decimal)>,
}

/// Answers what a part cost over time. `past` are folders of facts as they were on other days, the oldest first.
///
/// # Errors
/// `accelerator-unknown`, `argument-missing`, `date-malformed`, `no-exchange-rate`.
pub fn history(
    request: &HistoryRequest,
    past: &[PathBuf],
    catalogue: &Catalogue,
    terms: &Terms,
) -> Result<Answer<HistoryBody>, Fault> {
    if request.part.trim().is_empty() {
        return Err(Fault::usage("argument-missing").with("flag", "PART").at("PART"));
    }
    let found = catalogue.resolve_accelerator(&request.part)?;
    let wrong = |given: &String| Fault::usage("date-malformed").with("given", given.as_str()).at("--since");
    let since = request.since.as_ref().map(|day| day.parse().map_err(|_| wrong(day))).transpose()?;
    let mut all = Collector {
        catalogue,
        terms,
        request,
        part: &found.part,
        since,
        last: terms.as_of,
        seen: Vec::new(),
        known: HashSet::new(),
    };
    let mut findings = Vec::new();
    let unstated = all.of_tables()?;
    if unstated > 0 {
        findings.push(
            Finding::new("history-form-unstated", Severity::Info, found.part.name.as_str())
                .with("n", unstated)
                .because("rows", unstated.to_string(), "prices/rental_history.csv"),
        );
    }
    all.offers(catalogue.offers())?;
    all.purchases(catalogue.purchase_prices())?;
    for folder in past {
        match catalogue.past(folder) {
            Ok((offers, purchases)) => {
                all.offers(&offers)?;
                all.purchases(&purchases)?;
            }
            Err(fault) => {
                findings.push(
                    Finding::new("history-unreadable", Severity::Warning, folder.display().to_string())
                        .because("fault", fault.code.to_owned(), folder.display().to_string()),
                );
            }
        }
    }
    let body = HistoryBody {
        name: found.part.name.clone(),
        id: found.part.id.clone(),
        currency: terms.money(),
        series: series(all.seen),
    };
    let mut answer = Answer::new("catalogue history", verdict(&body), body);
    answer.findings = findings;
    if let Some(why) = found.why {
        let text = Text::new("assumed-part")
            .with("given", request.part.as_str())
            .with("part", found.part.name.as_str());
        answer.assumed.push(Assumed { name: "part", value: found.part.name.clone().into(), text, why });
    }
    Ok(answer)
}

impl Collector<'_> {
    /// Prices of the tables of the past; says how many of them name no form of the part.
    fn of_tables(&mut self) -> Result<usize, Fault> {
        let mut unstated = 0;
        for row in self.catalogue.rental_history() {
            let own = match &row.part {
                Some(part) => *part == self.part.id,
                None => self.is(&row.accelerator),
            };
            let (Some(day), true) = (row.date, own && self.wants(row.pricing, &row.provider)) else {
                continue;
            };
            let price = usd(row.usd_per_accelerator_hour);
            if self.put(row.pricing.name(), row.pricing, &row.provider, day, price)? && row.part.is_none() {
                unstated += 1;
            }
        }
        for row in self.catalogue.purchase_history() {
            if !self.wants(PriceKind::Purchase, &row.source) || !self.is(&row.accelerator) {
                continue;
            }
            let Some(span) = Span::quarter(&row.quarter).filter(|span| self.covers(span.first)) else {
                continue;
            };
            let [low, median, high] = [
                self.money(usd(row.low_usd))?,
                self.money(usd(row.median_usd))?,
                self.money(usd(row.high_usd))?,
            ];
            let prices = row.observations;
            self.seen.push(Seen::Summary { kind: "street".into(), span, low, median, high, prices });
        }
        Ok(unstated)
    }

    fn offers(&mut self, offers: &[Offer]) -> Result<(), Fault> {
        for offer in offers {
            let own = offer.part.as_ref().is_some_and(|part| part.id == self.part.id);
            let (Some(day), true) = (offer.observed, own && self.wants(offer.kind, &offer.provider)) else {
                continue;
            };
            self.put(offer.kind.name(), offer.kind, &offer.provider, day, offer.hourly_per_accelerator)?;
        }
        Ok(())
    }

    fn purchases(&mut self, prices: &[PurchasePrice]) -> Result<(), Fault> {
        for price in prices {
            let own = price.part == self.part.id && !price.whole_machine;
            let (Some(day), true) = (price.date, own && self.wants(PriceKind::Purchase, &price.kind)) else {
                continue;
            };
            self.put(&price.kind, PriceKind::Purchase, &price.kind, day, price.price)?;
        }
        Ok(())
    }

    /// Whether a name without form means this part.
    fn is(&self, name: &str) -> bool {
        self.catalogue.resolve_accelerator(name).is_ok_and(|found| found.part.id == self.part.id)
    }

    fn wants(&self, kind: PriceKind, provider: &str) -> bool {
        let request = self.request;
        let of = request.provider.is_empty()
            || request.provider.iter().any(|wanted| wanted.eq_ignore_ascii_case(provider));
        of && (request.kind.is_empty() || request.kind.contains(&kind))
    }

    fn covers(&self, day: Date) -> bool {
        self.since.is_none_or(|since| day >= since) && self.last.is_none_or(|last| day <= last)
    }

    fn money(&self, price: Money) -> Result<f64, Fault> {
        let converted = self.terms.convert(price, self.catalogue);
        Ok(converted.ok_or_else(|| Fault::content("no-exchange-rate").at("exchange.csv"))?.as_f64())
    }

    /// Keeps a price unless it is there already; says whether it was kept.
    fn put(
        &mut self,
        words: &str,
        kind: PriceKind,
        provider: &str,
        day: Date,
        price: Money,
    ) -> Result<bool, Fault> {
        let provider = provider.to_lowercase();
        let key = (provider.clone(), kind, day, price.amount.normalize());
        if !self.covers(day) || !self.known.insert(key) {
            return Ok(false);
        }
        let span = if kind == PriceKind::Purchase { Span::quarter_of(day) } else { Span::month_of(day) };
        let amount = self.money(price)?;
        self.seen.push(Seen::Price { kind: words.to_owned(), span, day, provider, amount });
        Ok(true)
    }
}

fn usd(amount: f64) -> Money {
    Money::new(Decimal::from_f64_retain(amount).unwrap_or_default().round_dp(6), Currency::Usd)
}

/// The sentence of the series that says most.
fn verdict(body: &HistoryBody) -> Verdict {
    let main = body.main(true).or_else(|| body.main(false));
    let ends = main.and_then(|series| Some((series, series.points.first()?, series.points.last()?)));
    let Some((series, first, last)) = ends else {
        let text = Text::new("verdict-history-none").with("part", body.name.as_str());
        return Verdict { ok: Some(true), code: "none".into(), text };
    };
    let money = |amount: f64| maat_base::Arg::Money(amount, body.currency.code().to_owned());
    let id = if series.points.len() > 1 { "verdict-history" } else { "verdict-history-once" };
    let text = Text::named(id.to_owned())
        .with("part", body.name.as_str())
        .with("kind", Text::named(series.kind_message()).with("kind", series.kind.as_str()))
        .with("unit", if series.is_rent { "hour" } else { "piece" })
        .with("first", money(first.median))
        .with("from", first.period.as_str())
        .with("n", first.prices)
        .with("last", money(last.median))
        .with("to", last.period.as_str())
        .with("m", last.prices);
    Verdict { ok: Some(true), code: "listed".into(), text }
}

impl HistoryBody {
    /// The series of renting or of buying that says most: on demand, else the one with the most periods. Means of somebody
    /// else come last.
    pub fn main(&self, rent: bool) -> Option<&PriceSeries> {
        let worth = |series: &&PriceSeries| {
            (series.kind != "average", series.kind == "on-demand", series.points.len())
        };
        self.series.iter().rev().filter(|series| series.is_rent == rent).max_by_key(worth)
    }
}
