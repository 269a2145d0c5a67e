//! A price list as a seller or a person writes it: a part and a price, and what else is known. Columns have any of several
//! names in English or Dutch; fields may be parted by semicolons, and numbers then have a decimal comma.

use maat_base::Currency;

use super::delimited::Sheet;
use super::row::{Priced, Skip, amount, count, marked, number};
use crate::load::PriceKind;
use crate::table::date;

const PART: &[&str] = &[
    "accelerator",
    "gpu",
    "part",
    "model",
    "name",
    "description",
    "product",
    "artikel",
    "omschrijving",
    "kaart",
];
const RENT: &[&str] = &[
    "price_per_hour",
    "hourly",
    "per_hour",
    "price_hour",
    "rent",
    "price/h",
    "huur",
    "prijs_per_uur",
    "per_uur",
];
const EACH: &[&str] =
    &["price_per_accelerator_hour", "price_per_gpu_hour", "per_gpu_hour", "prijs_per_gpu_per_uur"];
const BUY: &[&str] = &[
    "purchase_price",
    "purchase",
    "buy",
    "unit_price",
    "list_price",
    "price_ex_vat",
    "prijs",
    "stuksprijs",
    "aanschaf",
];
const PRICE: &[&str] = &["price", "amount", "bedrag"];

/// Whether the columns are those of a price list.
pub fn recognised(sheet: &Sheet<'_>) -> bool {
    let any = |names: &[&str]| sheet.column(names).is_some();
    any(PART) && (any(RENT) || any(EACH) || any(BUY) || any(PRICE))
}

/// Reads the rows.
///
/// # Errors
/// The name of a column that is missing.
pub fn read(
    sheet: &Sheet<'_>,
    provider: &str,
    rows: &mut Vec<Result<Priced, Skip>>,
) -> Result<(), &'static str> {
    let part = Some(sheet.column(PART).ok_or("accelerator")?);
    let (rent, each, buy, price) =
        (sheet.column(RENT), sheet.column(EACH), sheet.column(BUY), sheet.column(PRICE));
    if rent.or(each).or(buy).or(price).is_none() {
        return Err("price_per_hour");
    }
    let column = |names: &[&str]| sheet.column(names);
    let named = column(&["provider", "seller", "vendor", "supplier", "leverancier", "aanbieder"]);
    let offer = column(&["offer", "instance", "sku", "article", "artikelnummer"]);
    let region = column(&["region", "location", "regio", "plaats"]);
    let (many, memory) = (column(&["count", "gpus", "aantal"]), column(&["memory_gb", "vram", "geheugen"]));
    let (vcpu, ram) = (column(&["vcpu", "vcpus"]), column(&["ram_gb", "ram"]));
    let kind = column(&["pricing", "kind", "type", "soort"]);
    let (term, day) =
        (column(&["commitment_months", "term_months"]), column(&["observed", "date", "valid_from", "datum"]));
    let money = column(&["currency", "valuta", "munt"]);
    for line in sheet.rows() {
        let provider = line.get(named).unwrap_or(provider).to_ascii_lowercase();
        let mut skip =
            |reason| rows.push(Err(Skip { provider: provider.clone(), reason, line: line.number }));
        let Some(accelerator) = line.get(part) else {
            skip("part-missing");
            continue;
        };
        let Some(count) = line.get(many).map_or(Some(1), count).filter(|count| *count > 0) else {
            skip("count-unreadable");
            continue;
        };
        let stated: Option<PriceKind> = line.get(kind).and_then(|word| word.parse().ok());
        let found = [(rent, false, false), (each, true, false), (buy, false, true), (price, false, false)]
            .into_iter()
            .find_map(|(column, each, buy)| Some((line.get(column)?, each, buy)));
        let Some((text, per_each, bought)) = found else {
            skip("price-unreadable");
            continue;
        };
        let Some(amount) = amount(text, sheet.decimal_comma) else {
            skip("price-unreadable");
            continue;
        };
        let observed = line.get(day).map(date);
        if observed == Some(None) {
            skip("date-unreadable");
            continue;
        }
        let usual = if bought { PriceKind::Purchase } else { PriceKind::OnDemand };
        let many = if per_each { maat_base::Decimal::from(count) } else { maat_base::Decimal::ONE };
        rows.push(Ok(Priced {
            offer: line.get(offer).unwrap_or_default().to_owned(),
            region: line.get(region).map(str::to_owned),
            accelerator: accelerator.to_owned(),
            memory_gb: line.get(memory).and_then(number),
            count,
            vcpu: line.get(vcpu).and_then(number),
            ram_gb: line.get(ram).and_then(number),
            price: amount.checked_mul(many).unwrap_or(amount),
            currency: line
                .get(money)
                .and_then(|code| code.parse().ok())
                .or_else(|| marked(text))
                .unwrap_or(if sheet.decimal_comma { Currency::Eur } else { Currency::Usd }),
            kind: stated.unwrap_or(usual),
            commitment_months: line.get(term).and_then(number).map_or(0, |months| months as u32),
            observed: observed.flatten(),
            line: line.number,
            provider,
        }));
    }
    Ok(())
}
