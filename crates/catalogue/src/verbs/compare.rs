//! `catalogue compare A B C`: who wins what, on like figures.

use std::sync::Arc;

use maat_base::{Answer, Assumed, Basis, Currency, Fault, Text, Verdict};
use serde::{Deserialize, Serialize};

use super::view::AcceleratorView;
use crate::accelerator::{Accelerator, NumberType};
use crate::catalogue::Catalogue;
use crate::load::{Offer, PriceKind};
use crate::terms::{Age, Terms, age};

/// Most parts that are compared at once.
const MOST: usize = 8;
/// Figures this close, as a share, are a draw: less than the spread between two cards of one kind.
const DRAW: f64 = 0.005;

/// Parts side by side.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct CompareRequest {
    /// Two to eight accelerators
    #[cfg_attr(feature = "clap", arg(value_name = "NAME", num_args = 1..))]
    pub names: Vec<String>,
}

/// Parts side by side.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CompareBody {
    /// The parts, in the order asked for.
    pub accelerators: Vec<AcceleratorView>,
    /// One row a figure.
    pub rows: Vec<Comparison>,
    /// What each part wins alone, in the order of the parts.
    pub wins: Vec<Wins>,
    /// Currency of prices.
    pub currency: Currency,
}

/// A figure of all parts.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Which figure; its message is `metric-` with this name.
    pub metric: Metric,
    /// Its label.
    pub label: Text,
    /// The figures, in the metric's unit; `None` where not known.
    pub values: Vec<Option<f64>>,
    /// What each rests on.
    pub bases: Vec<Option<Basis>>,
    /// Positions of the best, several for a draw; empty where fewer than two are known.
    pub best: Vec<usize>,
}

/// What a part wins.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Wins {
    /// The part's name.
    pub name: String,
    /// The metrics in which it alone is best.
    pub metrics: Vec<Metric>,
}

/// A figure that parts are compared by. Rates are dense and accumulate in FP32 (INT32 for INT8, FP64 for FP64).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the names are the figures, with their units")]
pub enum Metric {
    CapacityBytes,
    BandwidthBytesPerS,
    Fp64FlopPerS,
    Fp32FlopPerS,
    Tf32FlopPerS,
    Fp16FlopPerS,
    Bf16FlopPerS,
    Fp8FlopPerS,
    Fp4FlopPerS,
    Int8OpPerS,
    CacheBytes,
    PeerLinkBytesPerS,
    PcieBytesPerS,
    PowerW,
    Bf16FlopPerJ,
    BandwidthBytesPerJ,
    RentHourly,
    Purchase,
}

impl Metric {
    /// All of them, in the order that they are shown.
    pub const ALL: [Self; 18] = [
        Self::CapacityBytes,
        Self::BandwidthBytesPerS,
        Self::Bf16FlopPerS,
        Self::Fp16FlopPerS,
        Self::Fp8FlopPerS,
        Self::Fp4FlopPerS,
        Self::Int8OpPerS,
        Self::Tf32FlopPerS,
        Self::Fp32FlopPerS,
        Self::Fp64FlopPerS,
        Self::CacheBytes,
        Self::PeerLinkBytesPerS,
        Self::PcieBytesPerS,
        Self::PowerW,
        Self::Bf16FlopPerJ,
        Self::BandwidthBytesPerJ,
        Self::RentHourly,
        Self::Purchase,
    ];

    /// The name in JSON and, with `-`, in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::CapacityBytes => "capacity-bytes",
            Self::BandwidthBytesPerS => "bandwidth-bytes-per-s",
            Self::Fp64FlopPerS => "fp64-flop-per-s",
            Self::Fp32FlopPerS => "fp32-flop-per-s",
            Self::Tf32FlopPerS => "tf32-flop-per-s",
            Self::Fp16FlopPerS => "fp16-flop-per-s",
            Self::Bf16FlopPerS => "bf16-flop-per-s",
            Self::Fp8FlopPerS => "fp8-flop-per-s",
            Self::Fp4FlopPerS => "fp4-flop-per-s",
            Self::Int8OpPerS => "int8-op-per-s",
            Self::CacheBytes => "cache-bytes",
            Self::PeerLinkBytesPerS => "peer-link-bytes-per-s",
            Self::PcieBytesPerS => "pcie-bytes-per-s",
            Self::PowerW => "power-w",
            Self::Bf16FlopPerJ => "bf16-flop-per-j",
            Self::BandwidthBytesPerJ => "bandwidth-bytes-per-j",
            Self::RentHourly => "rent-hourly",
            Self::Purchase => "purchase",
        }
    }

    /// Whether less is better.
    pub const fn less_is_better(self) -> bool {
        matches!(self, Self::PowerW | Self::RentHourly | Self::Purchase)
    }

    const fn number(self) -> Option<NumberType> {
        Some(match self {
            Self::Fp64FlopPerS => NumberType::Fp64,
            Self::Fp32FlopPerS => NumberType::Fp32,
            Self::Tf32FlopPerS => NumberType::Tf32,
            Self::Fp16FlopPerS => NumberType::Fp16,
            Self::Bf16FlopPerS => NumberType::Bf16,
            Self::Fp8FlopPerS => NumberType::Fp8,
            Self::Fp4FlopPerS => NumberType::Fp4,
            Self::Int8OpPerS => NumberType::Int8,
            _ => return None,
        })
    }
}

/// Compares parts figure by figure.
///
/// # Errors
/// `compare-count` for fewer than two or more than eight names, `accelerator-unknown`.
pub fn compare(
    request: &CompareRequest,
    catalogue: &Catalogue,
    terms: &Terms,
) -> Result<Answer<CompareBody>, Fault> {
    if !(2..=MOST).contains(&request.names.len()) {
        return Err(Fault::usage("compare-count").with("most", MOST));
    }
    let mut assumed = Vec::new();
    let mut parts = Vec::new();
    for name in &request.names {
        let found = catalogue.resolve_accelerator(name)?;
        if let Some(why) = found.why {
            let text =
                Text::new("assumed-part").with("given", name.as_str()).with("part", found.part.name.as_str());
            assumed.push(Assumed { name: "names", value: found.part.name.clone().into(), text, why });
        }
        parts.push(found.part);
    }
    let rows: Vec<Comparison> = Metric::ALL
        .into_iter()
        .map(|metric| row(metric, &parts, catalogue, terms))
        .filter(|row| row.values.iter().any(Option::is_some))
        .collect();
    let wins: Vec<Wins> = parts
        .iter()
        .enumerate()
        .map(|(at, part)| Wins {
            name: part.name.clone(),
            metrics: rows.iter().filter(|row| row.best == [at]).map(|row| row.metric).collect(),
        })
        .collect();
    let verdict = verdict(&wins);
    let body = CompareBody {
        accelerators: parts.iter().map(|part| AcceleratorView::from(part.as_ref())).collect(),
        rows,
        wins,
        currency: terms.money(),
    };
    let mut answer = Answer::new("catalogue compare", verdict, body);
    answer.assumed = assumed;
    let tags: Vec<&str> = parts.iter().flat_map(|part| part.sources.split(';')).map(str::trim).collect();
    answer.sources = catalogue.sources_named(tags);
    Ok(answer)
}

fn verdict(wins: &[Wins]) -> Verdict {
    let most = wins.iter().map(|it| it.metrics.len()).max().unwrap_or(0);
    let mut leaders = wins.iter().filter(|it| it.metrics.len() == most);
    let text = match (leaders.next(), leaders.next()) {
        (Some(leader), None) if most > 0 => {
            let labels: Vec<Text> = leader
                .metrics
                .iter()
                .map(|metric| Text::named(format!("metric-{}", metric.name())))
                .collect();
            Text::new("verdict-compare-leader")
                .with("name", leader.name.as_str())
                .with("n", most)
                .with("metrics", labels)
        }
        _ => Text::new("verdict-compare-even"),
    };
    Verdict { ok: Some(true), code: "compared".into(), text }
}

fn row(metric: Metric, parts: &[Arc<Accelerator>], catalogue: &Catalogue, terms: &Terms) -> Comparison {
    let figures: Vec<Option<(f64, Basis)>> =
        parts.iter().map(|part| figure(metric, part, catalogue, terms)).collect();
    let values: Vec<Option<f64>> = figures.iter().map(|figure| figure.map(|(value, _)| value)).collect();
    Comparison {
        metric,
        label: Text::named(format!("metric-{}", metric.name())),
        best: best(&values, metric.less_is_better()),
        values,
        bases: figures.iter().map(|figure| figure.map(|(_, basis)| basis)).collect(),
    }
}

/// Positions of the best of at least two known figures.
fn best(values: &[Option<f64>], less: bool) -> Vec<usize> {
    let known: Vec<(usize, f64)> =
        values.iter().enumerate().filter_map(|(at, value)| value.map(|value| (at, value))).collect();
    if known.len() < 2 {
        return Vec::new();
    }
    let pick = |a: f64, b: f64| if less { a.min(b) } else { a.max(b) };
    let top = known.iter().map(|&(_, value)| value).fold(known[0].1, pick);
    known
        .into_iter()
        .filter(|&(_, value)| (value - top).abs() <= DRAW * top.abs())
        .map(|(at, _)| at)
        .collect()
}

fn figure(metric: Metric, part: &Accelerator, catalogue: &Catalogue, terms: &Terms) -> Option<(f64, Basis)> {
    if let Some(number) = metric.number() {
        return part.dense(number).map(|rate| (rate.flop_per_s.value, rate.flop_per_s.basis));
    }
    let vendor = |value: f64| (value, Basis::Vendor);
    let bandwidth = part.bandwidth.as_ref();
    match metric {
        Metric::CapacityBytes => Some((part.capacity.value.as_f64(), part.capacity.basis)),
        Metric::BandwidthBytesPerS => bandwidth.map(|rate| (rate.value, rate.basis)),
        Metric::CacheBytes => part.cache_bytes.map(|cache| vendor(cache.as_f64())),
        Metric::PeerLinkBytesPerS => part.peer_link.as_ref().map(|link| vendor(link.bytes_per_s)),
        Metric::PcieBytesPerS => part.pcie_bytes_per_s.map(vendor),
        Metric::PowerW => part.power_w.map(vendor),
        Metric::Bf16FlopPerJ => {
            let rate = &part.dense(NumberType::Bf16)?.flop_per_s;
            Some((rate.value / part.power_w?, rate.basis))
        }
        Metric::BandwidthBytesPerJ => Some((bandwidth?.value / part.power_w?, bandwidth?.basis)),
        Metric::RentHourly => rent(part, catalogue, terms).map(vendor),
        Metric::Purchase => purchase(part, catalogue, terms).map(vendor),
        _ => None,
    }
}

/// The cheapest on-demand price of an accelerator and hour that is not stale.
fn rent(part: &Accelerator, catalogue: &Catalogue, terms: &Terms) -> Option<f64> {
    let day = terms.day(catalogue)?;
    let fits = |offer: &&Offer| {
        offer.is_rankable()
            && offer.kind == PriceKind::OnDemand
            && offer.part.as_ref().is_some_and(|own| own.id == part.id)
            && offer.observed.is_some_and(|seen| age(seen, day) == Age::Fresh)
    };
    let prices = catalogue.offers().iter().filter(fits);
    prices
        .filter_map(|offer| terms.convert(offer.hourly_per_accelerator, catalogue))
        .map(maat_base::Money::as_f64)
        .min_by(f64::total_cmp)
}

/// The newest price of the part alone, not older than what is refused.
fn purchase(part: &Accelerator, catalogue: &Catalogue, terms: &Terms) -> Option<f64> {
    let day = terms.day(catalogue)?;
    let prices =
        catalogue.purchase_prices().iter().filter(|price| price.part == part.id && !price.whole_machine);
    let newest = prices
        .filter_map(|price| Some((price.date.filter(|date| age(*date, day) != Age::Refused)?, price.price)))
        .max_by_key(|(date, _)| *date)?;
    terms.convert(newest.1, catalogue).map(maat_base::Money::as_f64)
}
