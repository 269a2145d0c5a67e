//! What a unit of arithmetic, bandwidth or memory costs for an hour, on a basis that is named.

use maat_base::{Answer, Arg, Currency, Date, Fault, Finding, Money, Severity, Text, Verdict};
use maat_catalogue::{Accelerator, Catalogue, NumberType, PriceKind, Terms};
use serde::{Deserialize, Serialize};

use crate::book::Book;
use crate::machine;

/// What does a TFLOP cost?
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct PerTflopRequest {
    /// Only these parts, such as "H100 SXM"
    #[cfg_attr(feature = "clap", arg(long, value_name = "PART"))]
    pub gpu: Vec<String>,
    /// What is divided by [default: dense-fp32-accumulate]
    #[cfg_attr(feature = "clap", arg(long, value_name = "BASIS"))]
    pub basis: Option<TflopBasis>,
    /// The parts and rents of a table that is often quoted
    #[cfg_attr(feature = "clap", arg(long, value_name = "PRESET"))]
    pub preset: Option<TflopPreset>,
    /// Kind of offer: on-demand, spot, marketplace, committed [default: on-demand]
    #[cfg_attr(feature = "clap", arg(long, value_name = "KIND"))]
    pub kind: Option<PriceKind>,
}

/// What the price of an hour is divided by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum TflopBasis {
    /// The dense rate of 16-bit matrix products, summed in FP32.
    #[default]
    DenseFp32Accumulate,
    /// The largest 16-bit rate that is printed anywhere: sparsity and half-precision sums included.
    VendorHeadline,
    /// The measured rate of large 16-bit matrix products.
    Measured,
    /// Memory bandwidth.
    Bandwidth,
    /// Memory.
    Memory,
}

impl TflopBasis {
    /// The name in requests and answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::DenseFp32Accumulate => "dense-fp32-accumulate",
            Self::VendorHeadline => "vendor-headline",
            Self::Measured => "measured",
            Self::Bandwidth => "bandwidth",
            Self::Memory => "memory",
        }
    }

    /// Unit of the divisor.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::DenseFp32Accumulate | Self::VendorHeadline | Self::Measured => "TFLOP/s",
            Self::Bandwidth => "GB/s",
            Self::Memory => "GB",
        }
    }

    /// Whether the divisor is a rate of arithmetic.
    pub const fn is_arithmetic(self) -> bool {
        matches!(self, Self::DenseFp32Accumulate | Self::VendorHeadline | Self::Measured)
    }
}

/// Parts and rents that are taken together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum TflopPreset {
    /// The table of a guide: its rents, and on the basis `vendor-headline` its rates too.
    Guide,
}

/// Parts by what a unit costs for an hour, the cheapest first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PerTflopBody {
    /// What is divided by.
    pub basis: TflopBasis,
    /// Its unit.
    pub unit: &'static str,
    /// Currency of all money.
    pub currency: Currency,
    /// The parts.
    pub rows: Vec<PerTflopRow>,
    /// Parts without the figure or without a price.
    pub left_out: Vec<String>,
}

/// A part.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PerTflopRow {
    /// Its name.
    pub name: String,
    /// Rent of one for an hour.
    pub price_per_hour: Money,
    /// Its rate in TFLOP/s on the basis; nothing where the basis is no rate of arithmetic.
    pub tflops: Option<f64>,
    /// Price of a TFLOP/s for an hour.
    pub per_tflop_hour: Option<Money>,
    /// The divisor, in the answer's unit.
    pub quantity: f64,
    /// Price of a unit for an hour.
    pub per_unit_hour: Money,
    /// Place, from 1 for the cheapest.
    pub rank: usize,
    /// Place among these parts by the rates that are printed largest.
    pub rank_vendor_headline: Option<usize>,
    /// Price of a TFLOP of the rates that are printed largest, an hour.
    pub per_unit_vendor_headline: Option<f64>,
    /// Newest day of the price; nothing where it has none.
    pub price_date: Option<Date>,
    /// Who says so.
    pub source: String,
}

/// A part with a price, before ranking.
struct Priced {
    name: String,
    price: Money,
    quantity: Option<f64>,
    headline: Option<f64>,
    date: Option<Date>,
    source: String,
}

/// Answers what a unit costs for an hour.
///
/// # Errors
/// Parts that are not known; no exchange rate.
pub fn per_tflop(
    request: &PerTflopRequest,
    catalogue: &Catalogue,
    terms: &Terms,
) -> Result<Answer<PerTflopBody>, Fault> {
    let mut book = Book::new(catalogue, terms);
    let basis = request.basis.unwrap_or_default();
    if request.basis.is_none() {
        book.assume("basis", basis.name(), Text::new("assumed-cost-basis"), Text::new("why-cost-basis"));
    }
    let priced = match request.preset {
        Some(TflopPreset::Guide) => of_guide(basis, &mut book)?,
        None => of_offers(request, basis, &mut book)?,
    };
    let body = ranked(priced, basis, &book)?;
    if body.rows.iter().any(|row| row.price_date.is_none()) {
        book.findings.push(Finding::new("prices-undated", Severity::Warning, "guide").because(
            "price_date",
            "null",
            "prices/guide.csv",
        ));
    }
    let mut answer = Answer::new("cost per-tflop", verdict(&body), body);
    answer.sources = book.sources();
    answer.assumed = book.assumed;
    answer.findings = book.findings;
    Ok(answer)
}

fn of_guide(basis: TflopBasis, book: &mut Book<'_>) -> Result<Vec<Priced>, Fault> {
    let catalogue = book.catalogue;
    let mut all = Vec::new();
    for row in catalogue.guide() {
        let price = book.convert(Money::new(row.usd_per_hour, Currency::Usd))?;
        let part = catalogue.accelerator(&row.part);
        let quantity = match basis {
            TflopBasis::VendorHeadline => Some(row.tflops),
            _ => part.as_deref().and_then(|part| quantity(part, basis, catalogue)),
        };
        all.push(Priced {
            name: row.name.clone(),
            price,
            quantity,
            headline: Some(row.tflops),
            date: None,
            source: row.source.clone(),
        });
    }
    Ok(all)
}

fn of_offers(
    request: &PerTflopRequest,
    basis: TflopBasis,
    book: &mut Book<'_>,
) -> Result<Vec<Priced>, Fault> {
    let catalogue = book.catalogue;
    let wanted: Vec<String> = request
        .gpu
        .iter()
        .map(|name| catalogue.resolve_accelerator(name).map(|found| found.part.id.clone()))
        .collect::<Result<_, _>>()?;
    let kind = request.kind.unwrap_or(PriceKind::OnDemand);
    if request.kind.is_none() {
        book.assume(
            "kind",
            kind.name(),
            Text::new("assumed-kind").with("kinds", vec![kind.name()]),
            Text::new("why-default"),
        );
    }
    let mut all = Vec::new();
    for part in catalogue.accelerators().iter().filter(|part| part.rankable()) {
        if !wanted.is_empty() && !wanted.contains(&part.id) {
            continue;
        }
        let Some(market) = machine::market(&part.id, kind, book)? else { continue };
        all.push(Priced {
            name: part.name.clone(),
            price: market.cheapest,
            quantity: quantity(part, basis, catalogue),
            headline: quantity(part, TflopBasis::VendorHeadline, catalogue),
            date: Some(market.newest),
            source: market.sources.join(";"),
        });
    }
    Ok(all)
}

/// The divisor of a part.
fn quantity(part: &Accelerator, basis: TflopBasis, catalogue: &Catalogue) -> Option<f64> {
    const TERA: f64 = 1e12;
    const GIGA: f64 = 1e9;
    let halves = [NumberType::Bf16, NumberType::Fp16];
    let largest = |rates: &mut dyn Iterator<Item = f64>| rates.reduce(f64::max);
    match basis {
        TflopBasis::DenseFp32Accumulate => largest(
            &mut halves.into_iter().filter_map(|number| part.dense(number)).map(|rate| rate.flop_per_s.value),
        )
        .map(|rate| rate / TERA),
        TflopBasis::VendorHeadline => largest(
            &mut part
                .rates
                .iter()
                .filter(|rate| halves.contains(&rate.number))
                .map(|rate| rate.flop_per_s.value),
        )
        .map(|rate| rate / TERA),
        TflopBasis::Measured => {
            let runs = catalogue.measured_rates(&part.id);
            largest(&mut runs.iter().filter(|run| halves.contains(&run.number)).map(|run| run.flop_per_s))
                .map(|rate| rate / TERA)
        }
        TflopBasis::Bandwidth => part.bandwidth.as_ref().map(|rate| rate.value / GIGA),
        TflopBasis::Memory => Some(part.memory_label_bytes.as_gib()),
    }
    .filter(|quantity| *quantity > 0.0)
}

fn ranked(priced: Vec<Priced>, basis: TflopBasis, book: &Book<'_>) -> Result<PerTflopBody, Fault> {
    let too_large = || Fault::usage("money-too-large");
    let mut left_out = Vec::new();
    let mut rows = Vec::new();
    let mut headlines = Vec::new();
    for one in priced {
        let Some(quantity) = one.quantity else {
            left_out.push(one.name);
            continue;
        };
        let per_unit_hour = one.price.times(1.0 / quantity).ok_or_else(too_large)?;
        headlines.push((one.name.clone(), one.headline.map(|rate| one.price.as_f64() / rate)));
        rows.push(PerTflopRow {
            name: one.name,
            price_per_hour: one.price,
            tflops: basis.is_arithmetic().then_some(quantity),
            per_tflop_hour: basis.is_arithmetic().then_some(per_unit_hour),
            quantity,
            per_unit_hour,
            rank: 0,
            rank_vendor_headline: None,
            per_unit_vendor_headline: None,
            price_date: one.date,
            source: one.source,
        });
    }
    rows.sort_by(|a, b| {
        a.per_unit_hour.amount.cmp(&b.per_unit_hour.amount).then_with(|| a.name.cmp(&b.name))
    });
    headlines.retain(|(_, price)| price.is_some());
    headlines.sort_by(|a, b| {
        a.1.unwrap_or(f64::MAX).total_cmp(&b.1.unwrap_or(f64::MAX)).then_with(|| a.0.cmp(&b.0))
    });
    for (place, row) in rows.iter_mut().enumerate() {
        row.rank = place + 1;
        let at = headlines.iter().position(|(name, _)| *name == row.name);
        row.rank_vendor_headline = at.map(|at| at + 1);
        row.per_unit_vendor_headline = at.and_then(|at| headlines[at].1);
    }
    left_out.sort_unstable();
    Ok(PerTflopBody { basis, unit: basis.unit(), currency: book.currency(), rows, left_out })
}

fn verdict(body: &PerTflopBody) -> Verdict {
    let text = match body.rows.first() {
        None => Text::new("cost-verdict-per-tflop-none"),
        Some(first) => Text::new("cost-verdict-per-tflop")
            .with("name", first.name.as_str())
            .with("price", first.per_unit_hour)
            .with("unit", body.unit)
            .with("basis", Arg::Text(Box::new(Text::named(format!("cost-basis-{}", body.basis.name())))))
            .with("n", body.rows.len()),
    };
    let code = if body.rows.is_empty() { "none" } else { "ranked" };
    Verdict { ok: Some(true), code: code.into(), text }
}
