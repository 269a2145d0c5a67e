//! What questions about money need beside prices: inputs that nobody gave, thresholds of power, a guide's own table,
//! names of countries.

use std::str::FromStr;

use maat_base::{Currency, Date, Decimal, Fault};
use serde::Serialize;

use crate::table::{File, Loaded, Row, columns, date, read};

columns!(DefaultColumns { name, class, low, likely, high, unit, currency, date, source, unsure });
columns!(ThresholdColumns { power_kw, of, area, rule, source, date });
columns!(GuideColumns { name, part, price_per_hour, tflops, power_w, source });
columns!(CountryColumns { iso2, iso3 });

/// What is taken for an input of a cost that nobody gave.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CostDefault {
    /// Name of the input.
    pub name: String,
    /// `card` for cards in a computer of one's own, `server` for machines of a data centre, `any`.
    pub class: String,
    /// The low end, the usual figure and the high end.
    pub low: f64,
    /// The usual figure.
    pub likely: f64,
    /// The high end.
    pub high: f64,
    /// Its unit, in words.
    pub unit: String,
    /// Its currency, where it is money.
    pub currency: Option<Currency>,
    /// When it was so; the first day where only the month or year is known.
    pub date: Option<Date>,
    /// The date as it is stated.
    pub date_words: String,
    /// Who says so.
    pub source: String,
    /// What is not certain.
    pub unsure: Option<String>,
}

/// A power from which a rule asks something of a data centre.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names are the columns")]
pub struct PowerThreshold {
    pub power_w: f64,
    pub of: String,
    pub area: String,
    pub rule: String,
    pub source: String,
    pub date: String,
}

/// A row of the guide's table of cost per TFLOP: its own figures, right or wrong.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GuideRow {
    /// Name, as the guide writes it.
    pub name: String,
    /// The part that it means.
    pub part: String,
    /// Rent of one for an hour, in dollars, without a date.
    pub usd_per_hour: Decimal,
    /// Its FP16 rate in TFLOP/s, on whatever basis.
    pub tflops: f64,
    /// Its power in watts.
    pub power_w: f64,
    /// Where it stands.
    pub source: String,
}

fn needed(row: &Row<'_>, column: usize, name: &'static str) -> Result<f64, Fault> {
    row.number(column, name)?.ok_or_else(|| row.fault(name, ""))
}

/// Reads what is taken for inputs that nobody gave.
pub(crate) fn cost_defaults(files: &[File]) -> Loaded<CostDefault> {
    read(files, "prices/cost_defaults.csv", DefaultColumns::of, |row, c| {
        let currency = match row.text(c.currency) {
            "" => None,
            _ => Some(row.one_of(c.currency, "currency", |text| text.parse().ok())?),
        };
        let (low, likely, high) =
            (needed(row, c.low, "low")?, needed(row, c.likely, "likely")?, needed(row, c.high, "high")?);
        if !(low <= likely && likely <= high) {
            return Err(row.fault("likely", row.text(c.likely)));
        }
        Ok(CostDefault {
            name: row.required(c.name, "name")?,
            class: row.required(c.class, "class")?,
            low,
            likely,
            high,
            unit: row.text(c.unit).to_owned(),
            currency,
            date: date(row.text(c.date)),
            date_words: row.text(c.date).to_owned(),
            source: row.required(c.source, "source")?,
            unsure: row.owned(c.unsure),
        })
    })
}

/// Reads the thresholds of power, the lowest first.
pub(crate) fn thresholds(files: &[File]) -> Loaded<PowerThreshold> {
    let mut loaded = read(files, "prices/power_thresholds.csv", ThresholdColumns::of, |row, c| {
        Ok(PowerThreshold {
            power_w: needed(row, c.power_kw, "power_kw")? * 1e3,
            of: row.text(c.of).to_owned(),
            area: row.text(c.area).to_owned(),
            rule: row.required(c.rule, "rule")?,
            source: row.required(c.source, "source")?,
            date: row.text(c.date).to_owned(),
        })
    });
    loaded.items.sort_by(|a: &PowerThreshold, b| a.power_w.total_cmp(&b.power_w));
    loaded
}

/// Reads the guide's table.
pub(crate) fn guide(files: &[File]) -> Loaded<GuideRow> {
    read(files, "prices/guide.csv", GuideColumns::of, |row, c| {
        Ok(GuideRow {
            name: row.required(c.name, "name")?,
            part: row.required(c.part, "part")?,
            usd_per_hour: row
                .one_of(c.price_per_hour, "price_per_hour", |text| Decimal::from_str(text).ok())?,
            tflops: needed(row, c.tflops, "tflops")?,
            power_w: needed(row, c.power_w, "power_w")?,
            source: row.text(c.source).to_owned(),
        })
    })
}

/// Reads which three letters stand for which two.
pub(crate) fn countries(files: &[File]) -> Loaded<(String, String)> {
    read(files, "carbon/countries.csv", CountryColumns::of, |row, c| {
        Ok((row.required(c.iso2, "iso2")?, row.required(c.iso3, "iso3")?))
    })
}
