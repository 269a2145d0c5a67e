//! A price of a list, before it is written as a fact.

use std::collections::HashMap;
use std::str::FromStr;

use maat_base::{Currency, Date, Decimal};

use crate::load::PriceKind;

/// Dearest price of an hour or a purchase that is believed.
const DEAREST: u64 = 100_000_000;

/// A price.
#[derive(Clone, Debug, PartialEq)]
pub struct Priced {
    /// Who asks it.
    pub provider: String,
    /// Its name there.
    pub offer: String,
    /// Where.
    pub region: Option<String>,
    /// The part, in the provider's words.
    pub accelerator: String,
    /// Memory of one, in units of 2^30 bytes.
    pub memory_gb: Option<f64>,
    /// How many.
    pub count: u32,
    /// Virtual processors.
    pub vcpu: Option<f64>,
    /// Host memory in units of 2^30 bytes.
    pub ram_gb: Option<f64>,
    /// For the whole offer: of an hour, or to buy.
    pub price: Decimal,
    /// Its currency.
    pub currency: Currency,
    /// How it is charged.
    pub kind: PriceKind,
    /// Term in months.
    pub commitment_months: u32,
    /// When it was seen, where stated.
    pub observed: Option<Date>,
    /// Line of the file.
    pub line: usize,
}

/// A row that is not kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Skip {
    /// Whose it is.
    pub provider: String,
    /// Why: a code.
    pub reason: &'static str,
    /// Line of the file.
    pub line: usize,
}

/// Reasons that say that a row cannot be read, rather than that it is no offer of accelerators.
const UNREADABLE: [&str; 4] = ["price-unreadable", "count-unreadable", "part-missing", "date-unreadable"];

impl Skip {
    /// Whether the row cannot be read.
    pub fn is_unreadable(&self) -> bool {
        UNREADABLE.contains(&self.reason)
    }
}

/// Reads an amount as people and programs write it: `1234.56`, `$1,234.56`, `€ 1.234,56` where commas are decimal.
pub fn amount(text: &str, decimal_comma: bool) -> Option<Decimal> {
    let digits: String =
        text.chars().filter(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '-')).collect();
    let extra =
        text.chars().filter(|c| !c.is_ascii_digit() && !matches!(c, '.' | ',' | '-' | ' ' | '\u{a0}'));
    let words: String = extra.collect::<String>().to_ascii_uppercase();
    if !["", "$", "€", "USD", "EUR", "US$"].contains(&words.as_str()) || digits.starts_with('-') {
        return None;
    }
    let plain =
        if decimal_comma { digits.replace('.', "").replace(',', ".") } else { digits.replace(',', "") };
    let amount = Decimal::from_str(&plain).ok()?;
    (amount > Decimal::ZERO && amount < Decimal::from(DEAREST)).then_some(amount)
}

/// The currency that an amount is marked with.
pub fn marked(text: &str) -> Option<Currency> {
    let upper = text.to_ascii_uppercase();
    if upper.contains('€') || upper.contains("EUR") {
        Some(Currency::Eur)
    } else if upper.contains('$') || upper.contains("USD") {
        Some(Currency::Usd)
    } else {
        None
    }
}

/// A number that is not negative.
pub fn number(text: &str) -> Option<f64> {
    text.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0)
}

/// A count: `8`, `8.0`. A share of an accelerator (0.5) is none.
pub fn count(text: &str) -> Option<u32> {
    let number = number(text)?;
    (number.fract() == 0.0 && number <= 10_000.0).then_some(number as u32)
}

/// Takes out spot prices above the on-demand price of the same offer in the same place: they are no prices that anybody
/// would pay, but ceilings.
pub fn spot_above_on_demand(rows: &mut Vec<Priced>) -> Vec<Skip> {
    type Key = (String, Option<String>, String, u32);
    let key =
        |row: &Priced| -> Key { (row.offer.clone(), row.region.clone(), row.accelerator.clone(), row.count) };
    let mut plain: HashMap<Key, Decimal> = HashMap::new();
    for row in rows.iter().filter(|row| row.kind == PriceKind::OnDemand) {
        let known = plain.entry(key(row)).or_insert(row.price);
        *known = row.price.min(*known);
    }
    let above = |row: &Priced| {
        row.kind == PriceKind::Spot && plain.get(&key(row)).is_some_and(|plain| row.price > *plain)
    };
    let skips = rows.iter().filter(|row| above(row)).map(|row| Skip {
        provider: row.provider.clone(),
        reason: "spot-above-on-demand",
        line: row.line,
    });
    let skips = skips.collect();
    rows.retain(|row| !above(row));
    skips
}

/// Keeps of rows that differ by zone or disk only the cheapest.
pub fn once_each(rows: &mut Vec<Priced>) {
    type Key = (String, Option<String>, String, u32, PriceKind, u32, Currency);
    let key = |row: &Priced| -> Key {
        (
            row.offer.clone(),
            row.region.clone(),
            row.accelerator.clone(),
            row.count,
            row.kind,
            row.commitment_months,
            row.currency,
        )
    };
    let mut cheapest: HashMap<Key, usize> = HashMap::new();
    let mut kept: Vec<Priced> = Vec::with_capacity(rows.len());
    for row in rows.drain(..) {
        match cheapest.get(&key(&row)) {
            Some(&at) if kept[at].price <= row.price => {}
            Some(&at) => kept[at] = row,
            None => {
                cheapest.insert(key(&row), kept.len());
                kept.push(row);
            }
        }
    }
    *rows = kept;
}
