//! `offers/*.csv`: what can be rented, at which price, seen when.

use std::str::FromStr;
use std::sync::Arc;

use maat_base::{Bytes, Currency, Date, Decimal, Fault, GIB, Money};
use serde::{Deserialize, Serialize};

use crate::accelerator::Accelerator;
use crate::table::{File, Loaded, Row, columns, date, read};

columns!(Columns {
    provider,
    offer,
    region,
    accelerator,
    accelerator_raw,
    memory_gb,
    count,
    vcpu,
    ram_gb,
    price_per_hour,
    price_per_accelerator_hour,
    currency,
    pricing,
    commitment_months,
    observed,
    source,
    flags,
});

/// How a price is charged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PriceKind {
    /// By the hour, as long as wanted.
    OnDemand,
    /// By the hour, until somebody else pays more.
    Spot,
    /// By the hour, from many small hosts.
    Marketplace,
    /// By the hour, for a term.
    Committed,
    /// A mean over a provider's offers; not an offer.
    Average,
    /// Bought.
    Purchase,
}

impl PriceKind {
    /// The name in facts, requests and answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OnDemand => "on-demand",
            Self::Spot => "spot",
            Self::Marketplace => "marketplace",
            Self::Committed => "committed",
            Self::Average => "average",
            Self::Purchase => "purchase",
        }
    }
}

impl FromStr for PriceKind {
    type Err = Fault;
    fn from_str(text: &str) -> Result<Self, Fault> {
        Ok(match text.trim().to_ascii_lowercase().as_str() {
            "on-demand" => Self::OnDemand,
            "spot" => Self::Spot,
            "marketplace" => Self::Marketplace,
            "committed" => Self::Committed,
            "average" => Self::Average,
            "purchase" => Self::Purchase,
            _ => return Err(Fault::usage("offer-kind-unknown").with("given", text)),
        })
    }
}

/// Accelerators for rent, with their price.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Offer {
    /// Who rents it out.
    pub provider: String,
    /// The provider's name of the offer, or empty.
    pub offer: String,
    /// Where; `None` where not stated.
    pub region: Option<String>,
    /// The accelerator in the provider's words.
    pub accelerator_words: String,
    /// The part; `None` where the words do not say which (then it is never ranked).
    #[serde(serialize_with = "part_id")]
    pub part: Option<Arc<Accelerator>>,
    /// Why there is no part.
    pub why_no_part: Option<NoPart>,
    /// Accelerators of the offer.
    pub count: u32,
    /// Virtual processors of the whole offer.
    pub vcpu: Option<u32>,
    /// Host memory of the whole offer.
    pub ram: Option<Bytes>,
    /// Price of the whole offer for an hour.
    pub hourly: Money,
    /// Price of one accelerator for an hour.
    pub hourly_per_accelerator: Money,
    /// The prices' currency.
    pub currency: Currency,
    /// How it is charged.
    pub kind: PriceKind,
    /// Term, in months; 0 for none.
    pub commitment_months: u32,
    /// When the price was seen; `None` where not known (then it is never ranked).
    pub observed: Option<Date>,
    /// Who saw it.
    pub source: String,
    /// Remarks of whoever entered it.
    pub flags: String,
    /// Where it stands, as `path:line`.
    pub place: String,
}

#[expect(clippy::ref_option, reason = "serde hands over a reference to the field")]
fn part_id<S: serde::Serializer>(part: &Option<Arc<Accelerator>>, serializer: S) -> Result<S::Ok, S::Error> {
    part.as_ref().map(|part| &part.id).serialize(serializer)
}

/// Why an offer's accelerator is no part of the catalogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoPart {
    /// The name says neither SXM nor PCIe, or another form, and there are several.
    FormUnknown,
    /// The name is not known.
    NameUnknown,
    /// No part of this name has this memory.
    MemoryMismatch,
}

impl NoPart {
    /// The name in facts, JSON and messages.
    pub const fn code(self) -> &'static str {
        match self {
            Self::FormUnknown => "form-unknown",
            Self::NameUnknown => "name-unknown",
            Self::MemoryMismatch => "memory-mismatch",
        }
    }
}

impl Offer {
    /// Whether it may be ranked: the part and the day of the price are known, and it is an offer, not a mean.
    pub fn is_rankable(&self) -> bool {
        self.part.as_ref().is_some_and(|part| !part.announced)
            && self.observed.is_some()
            && self.kind != PriceKind::Average
    }
}

/// What a row says of an offer beside the offer itself.
#[derive(Debug)]
pub(crate) struct Stated {
    /// The accelerator's name as normalised by whoever entered it.
    pub name: String,
    /// Memory of an accelerator, in units of 10^9 or 2^30 bytes.
    pub memory_gb: Option<f64>,
    /// Price of one accelerator, for the lint.
    pub per_accelerator: Option<Decimal>,
}

columns!(DayColumns { observed });

/// The newest day on which a price was seen, without reading the offers whole.
pub(crate) fn newest(files: &[File]) -> Option<Date> {
    let days = read(files, "offers", DayColumns::of, |row, c| Ok(date(row.text(c.observed))));
    days.items.into_iter().flatten().max()
}

/// Reads every offer, without its part.
pub(crate) fn offers(files: &[File]) -> Loaded<(Offer, Stated)> {
    read(files, "offers", Columns::of, offer)
}

fn offer(row: &Row<'_>, c: &Columns) -> Result<(Offer, Stated), Fault> {
    let currency = row.one_of(c.currency, "currency", |text| text.parse().ok())?;
    let count = row.count(c.count, "count")?.unwrap_or(1);
    let whole = row.price(c.price_per_hour, "price_per_hour")?;
    let each = row.price(c.price_per_accelerator_hour, "price_per_accelerator_hour")?;
    let many = Decimal::from(count);
    let hourly = whole.or_else(|| each.and_then(|each| each.checked_mul(many)));
    let hourly = hourly.ok_or_else(|| row.fault("price_per_hour", ""))?;
    let raw = row.given(c.accelerator_raw).unwrap_or_else(|| row.text(c.accelerator));
    let offer = Offer {
        provider: row.required(c.provider, "provider")?,
        offer: row.text(c.offer).to_owned(),
        region: row.owned(c.region),
        accelerator_words: raw.to_owned(),
        part: None,
        why_no_part: None,
        count,
        vcpu: row.positive(c.vcpu, "vcpu")?.map(|n| n as u32),
        ram: row.positive(c.ram_gb, "ram_gb")?.map(|gb| Bytes::from_f64(gb * GIB as f64)),
        hourly: Money::new(hourly, currency),
        hourly_per_accelerator: Money::new(hourly.checked_div(many).unwrap_or(hourly), currency),
        currency,
        kind: row.one_of(c.pricing, "pricing", |text| text.parse().ok())?,
        commitment_months: row.parsed(c.commitment_months, "commitment_months")?.unwrap_or(0),
        observed: date(row.text(c.observed)),
        source: row.text(c.source).to_owned(),
        flags: row.text(c.flags).to_owned(),
        place: row.place(),
    };
    let stated = Stated {
        name: row.text(c.accelerator).to_owned(),
        memory_gb: row.positive(c.memory_gb, "memory_gb")?,
        per_accelerator: each,
    };
    Ok((offer, stated))
}
