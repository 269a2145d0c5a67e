//! `prices/*.csv`: what parts and machines cost to buy, and what prices were.

use maat_base::{Currency, Date, Fault, Money};
use serde::Serialize;

use super::PriceKind;
use crate::table::{File, Loaded, Row, columns, date, read};

columns!(PurchaseColumns { part, kind, price, currency, date, source, scope, unsure });
columns!(HistoryColumns { accelerator, quarter, observations, median_usd, low_usd, high_usd, source });
columns!(RentalColumns {
    accelerator,
    part,
    date,
    provider,
    form,
    usd_per_accelerator_hour,
    pricing,
    kind,
    source
});
columns!(SpreadColumns {
    accelerator,
    pricing,
    period,
    providers,
    low_usd,
    median_usd,
    high_usd,
    cheapest,
    dearest
});

/// What a part or a machine costs to buy.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PurchasePrice {
    /// Identifier of an accelerator, processor or server.
    pub part: String,
    /// What price it is, such as `street` or `MSRP`.
    pub kind: String,
    /// The price.
    pub price: Money,
    /// The price's currency.
    pub currency: Currency,
    /// When; the first day where only the month or year is known.
    pub date: Option<Date>,
    /// The date as it is stated.
    pub date_words: String,
    /// Who says so.
    pub source: String,
    /// Whether it is of the whole machine around the part.
    pub whole_machine: bool,
    /// What is not certain.
    pub unsure: Option<String>,
    /// Where it stands, as `path:line`.
    pub place: String,
}

/// Prices of a quarter.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names are the columns")]
pub struct PriceHistory {
    pub accelerator: String,
    pub quarter: String,
    pub observations: u32,
    pub median_usd: f64,
    pub low_usd: f64,
    pub high_usd: f64,
    pub source: String,
}

/// A rental price of the past.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names are the columns")]
pub struct RentalPoint {
    pub accelerator: String,
    /// The part; `None` where the source does not say which form it is.
    pub part: Option<String>,
    pub date: Option<Date>,
    pub provider: String,
    pub form: String,
    pub usd_per_accelerator_hour: f64,
    /// How it is charged.
    pub pricing: PriceKind,
    /// What it is, in the source's words.
    pub kind: String,
    pub source: String,
}

/// How far providers' prices lie apart.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names are the columns")]
pub struct PriceSpread {
    pub accelerator: String,
    pub pricing: String,
    pub period: String,
    pub providers: u32,
    pub low_usd: f64,
    pub median_usd: f64,
    pub high_usd: f64,
    pub cheapest: String,
    pub dearest: String,
}

fn usd(row: &Row<'_>, column: usize, name: &'static str) -> Result<f64, Fault> {
    row.positive(column, name)?.ok_or_else(|| row.fault(name, ""))
}

/// Reads every price of a part or machine: the table, and the quotes that a user keeps beside it.
pub(crate) fn purchase(files: &[File]) -> Loaded<PurchasePrice> {
    let mut all = of_file(files, "prices/purchase.csv");
    let quotes = of_file(files, "prices/purchase");
    all.items.extend(quotes.items);
    all.problems.extend(quotes.problems);
    all
}

fn of_file(files: &[File], path: &str) -> Loaded<PurchasePrice> {
    read(files, path, PurchaseColumns::of, |row, c| {
        let currency = row.one_of(c.currency, "currency", |text| text.parse().ok())?;
        let amount = row.price(c.price, "price")?.ok_or_else(|| row.fault("price", ""))?;
        Ok(PurchasePrice {
            part: row.required(c.part, "part")?,
            kind: row.text(c.kind).to_owned(),
            price: Money::new(amount, currency),
            currency,
            date: date(row.text(c.date)),
            date_words: row.text(c.date).to_owned(),
            source: row.text(c.source).to_owned(),
            whole_machine: row.text(c.scope) == "whole machine",
            unsure: row.owned(c.unsure),
            place: row.place(),
        })
    })
}

/// Reads purchase prices by quarter.
pub(crate) fn history(files: &[File]) -> Loaded<PriceHistory> {
    read(files, "prices/purchase_history.csv", HistoryColumns::of, |row, c| {
        Ok(PriceHistory {
            accelerator: row.required(c.accelerator, "accelerator")?,
            quarter: row.text(c.quarter).to_owned(),
            observations: row.count(c.observations, "observations")?.unwrap_or(1),
            median_usd: usd(row, c.median_usd, "median_usd")?,
            low_usd: usd(row, c.low_usd, "low_usd")?,
            high_usd: usd(row, c.high_usd, "high_usd")?,
            source: row.text(c.source).to_owned(),
        })
    })
}

/// Reads rental prices of the past.
pub(crate) fn rental(files: &[File]) -> Loaded<RentalPoint> {
    read(files, "prices/rental_history.csv", RentalColumns::of, |row, c| {
        Ok(RentalPoint {
            accelerator: row.required(c.accelerator, "accelerator")?,
            part: row.owned(c.part),
            date: date(row.text(c.date)),
            provider: row.text(c.provider).to_owned(),
            form: row.text(c.form).to_owned(),
            usd_per_accelerator_hour: usd(row, c.usd_per_accelerator_hour, "usd_per_accelerator_hour")?,
            pricing: row.one_of(c.pricing, "pricing", |text| text.parse().ok())?,
            kind: row.text(c.kind).to_owned(),
            source: row.text(c.source).to_owned(),
        })
    })
}

/// Reads how far prices lie apart.
pub(crate) fn spread(files: &[File]) -> Loaded<PriceSpread> {
    read(files, "prices/spread.csv", SpreadColumns::of, |row, c| {
        Ok(PriceSpread {
            accelerator: row.required(c.accelerator, "accelerator")?,
            pricing: row.text(c.pricing).to_owned(),
            period: row.text(c.period).to_owned(),
            providers: row.count(c.providers, "providers")?.unwrap_or(1),
            low_usd: usd(row, c.low_usd, "low_usd")?,
            median_usd: usd(row, c.median_usd, "median_usd")?,
            high_usd: usd(row, c.high_usd, "high_usd")?,
            cheapest: row.text(c.cheapest).to_owned(),
            dearest: row.text(c.dearest).to_owned(),
        })
    })
}
