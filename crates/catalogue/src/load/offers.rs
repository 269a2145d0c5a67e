//! `offers/*.csv`: what can be rented, at which price, seen when.

use std::collections::HashSet;
use std::fmt;
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
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::OnDemand, Self::Spot, Self::Marketplace, Self::Committed, Self::Average, Self::Purchase];

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

/// Where a row stands, written as `path:line`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    path: Arc<str>,
    line: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.path, self.line)
    }
}

impl Serialize for Place {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Accelerators for rent, with their price. Words that many offers have are shared between them: there may be 100,000.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Offer {
    /// Who rents it out.
    pub provider: Arc<str>,
    /// The provider's name of the offer, or empty.
    pub offer: Box<str>,
    /// Where; `None` where not stated.
    pub region: Option<Arc<str>>,
    /// The accelerator in the provider's words.
    pub accelerator_words: Arc<str>,
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
    pub source: Arc<str>,
    /// Remarks of whoever entered it.
    pub flags: Arc<str>,
    /// Where it stands, as `path:line`.
    pub place: Place,
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
    pub name: Arc<str>,
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

/// Words that rows have in common, and the day that the last row had.
#[derive(Default)]
struct Shared {
    words: HashSet<Arc<str>>,
    day: (String, Option<Date>),
}

impl Shared {
    /// The words, one copy for all rows.
    fn words(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.words.get(text) {
            return Arc::clone(known);
        }
        let new: Arc<str> = text.into();
        self.words.insert(Arc::clone(&new));
        new
    }

    /// The day: rows that stand together were mostly seen together.
    fn day(&mut self, text: &str) -> Option<Date> {
        if self.day.0 != text {
            self.day = (text.to_owned(), date(text));
        }
        self.day.1
    }
}

/// Reads every offer, without its part.
pub(crate) fn offers(files: &[File]) -> Loaded<(Offer, Stated)> {
    let mut shared = Shared::default();
    read(files, "offers", Columns::of, |row, c| offer(row, c, &mut shared))
}

fn offer(row: &Row<'_>, c: &Columns, shared: &mut Shared) -> Result<(Offer, Stated), Fault> {
    let currency = row.one_of(c.currency, "currency", |text| text.parse().ok())?;
    let count = row.count(c.count, "count")?.unwrap_or(1);
    let whole = row.price(c.price_per_hour, "price_per_hour")?;
    let each = row.price(c.price_per_accelerator_hour, "price_per_accelerator_hour")?;
    let many = Decimal::from(count);
    let hourly = whole.or_else(|| each.and_then(|each| each.checked_mul(many)));
    let hourly = hourly.ok_or_else(|| row.fault("price_per_hour", ""))?;
    let raw = row.given(c.accelerator_raw).unwrap_or_else(|| row.text(c.accelerator));
    let per_one = if count == 1 { hourly } else { hourly.checked_div(many).unwrap_or(hourly) };
    let provider = row.given(c.provider).ok_or_else(|| row.fault("provider", ""))?;
    let offer = Offer {
        provider: shared.words(provider),
        offer: row.text(c.offer).into(),
        region: row.given(c.region).map(|region| shared.words(region)),
        accelerator_words: shared.words(raw),
        part: None,
        why_no_part: None,
        count,
        vcpu: row.positive(c.vcpu, "vcpu")?.map(|n| n as u32),
        ram: row.positive(c.ram_gb, "ram_gb")?.map(|gb| Bytes::from_f64(gb * GIB as f64)),
        hourly: Money::new(hourly, currency),
        hourly_per_accelerator: Money::new(per_one, currency),
        currency,
        kind: row.one_of(c.pricing, "pricing", |text| text.parse().ok())?,
        commitment_months: row.parsed(c.commitment_months, "commitment_months")?.unwrap_or(0),
        observed: shared.day(row.text(c.observed)),
        source: shared.words(row.text(c.source)),
        flags: shared.words(row.text(c.flags)),
        place: Place { path: shared.words(row.path_words()), line: row.line as u32 },
    };
    let stated = Stated {
        name: shared.words(row.text(c.accelerator)),
        memory_gb: row.positive(c.memory_gb, "memory_gb")?,
        per_accelerator: each,
    };
    Ok((offer, stated))
}
