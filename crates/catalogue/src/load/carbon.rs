//! `electricity/*.csv` and `carbon/*.csv`.

use maat_base::Fault;
use serde::Serialize;

use crate::table::{File, Loaded, Row, columns, read};

columns!(EuColumns { country, who, band, period, eur_per_kwh, vat, taxes, source });
columns!(TariffColumns { area, consumer, band, period, eur_per_kwh, taxes, source });
columns!(GridColumns { iso3, country, gco2e_per_kwh, year, source });
columns!(EmbodiedColumns { accelerator, memory_gb, kgco2e, source });

/// A price of electricity.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tariff {
    /// Country or area, such as `NL`.
    pub area: String,
    /// Who pays it, in words.
    pub consumer: String,
    /// Band of yearly use, such as `IC`, or words.
    pub band: String,
    /// When, such as `2025-S1`.
    pub period: String,
    /// Euros for a kilowatt-hour; negative where subsidised, `None` where the source has none.
    pub eur_per_kwh: Option<f64>,
    /// Which taxes it holds, in words.
    pub taxes: String,
    /// Who says so.
    pub source: String,
    /// Where it stands, as `path:line`.
    pub place: String,
}

/// Carbon of a country's grid.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GridCarbon {
    /// Country, as three letters.
    pub iso3: String,
    /// Its name.
    pub country: String,
    /// Grams of CO2 equivalent for a kilowatt-hour.
    pub gco2e_per_kwh: f64,
    /// Year.
    pub year: String,
    /// Who says so.
    pub source: String,
}

/// Carbon of making an accelerator.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EmbodiedCarbon {
    /// Name of the part, as its source writes it.
    pub accelerator: String,
    /// Memory in units of 2^30 bytes.
    pub memory_gb: Option<f64>,
    /// Kilograms of CO2 equivalent.
    pub kgco2e: f64,
    /// Who says so.
    pub source: String,
}

/// Reads the tariffs of both tables.
pub(crate) fn tariffs(files: &[File]) -> Loaded<Tariff> {
    let mut all = read(files, "electricity/eu.csv", EuColumns::of, |row, c| {
        let taxes = [row.text(c.taxes), row.text(c.vat)];
        Ok(Tariff {
            area: row.required(c.country, "country")?,
            consumer: row.text(c.who).to_owned(),
            band: row.text(c.band).to_owned(),
            period: row.text(c.period).to_owned(),
            eur_per_kwh: signed(row, c.eur_per_kwh)?,
            taxes: format!("taxes: {}; VAT: {}", taxes[0], taxes[1]),
            source: row.text(c.source).to_owned(),
            place: row.place(),
        })
    });
    let more = read(files, "electricity/tariffs.csv", TariffColumns::of, |row, c| {
        Ok(Tariff {
            area: row.required(c.area, "area")?,
            consumer: row.text(c.consumer).to_owned(),
            band: row.text(c.band).to_owned(),
            period: row.text(c.period).to_owned(),
            eur_per_kwh: signed(row, c.eur_per_kwh)?,
            taxes: row.text(c.taxes).to_owned(),
            source: row.text(c.source).to_owned(),
            place: row.place(),
        })
    });
    all.items.extend(more.items);
    all.problems.extend(more.problems);
    all
}

/// A finite number that may be negative: subsidised tariffs are.
fn signed(row: &Row<'_>, column: usize) -> Result<Option<f64>, Fault> {
    match row.parsed::<f64>(column, "eur_per_kwh")? {
        Some(number) if !number.is_finite() => Err(row.fault("eur_per_kwh", row.text(column))),
        number => Ok(number),
    }
}

/// Reads the grids' carbon.
pub(crate) fn grid(files: &[File]) -> Loaded<GridCarbon> {
    read(files, "carbon/grid.csv", GridColumns::of, |row, c| {
        Ok(GridCarbon {
            iso3: row.required(c.iso3, "iso3")?,
            country: row.text(c.country).to_owned(),
            gco2e_per_kwh: row
                .number(c.gco2e_per_kwh, "gco2e_per_kwh")?
                .ok_or_else(|| row.fault("gco2e_per_kwh", ""))?,
            year: row.text(c.year).to_owned(),
            source: row.text(c.source).to_owned(),
        })
    })
}

/// Reads the carbon of making parts.
pub(crate) fn embodied(files: &[File]) -> Loaded<EmbodiedCarbon> {
    read(files, "carbon/embodied.csv", EmbodiedColumns::of, |row, c| {
        Ok(EmbodiedCarbon {
            accelerator: row.required(c.accelerator, "accelerator")?,
            memory_gb: row.number(c.memory_gb, "memory_gb")?,
            kgco2e: row.number(c.kgco2e, "kgco2e")?.ok_or_else(|| row.fault("kgco2e", ""))?,
            source: row.text(c.source).to_owned(),
        })
    })
}
