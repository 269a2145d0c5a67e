//! Prices as files of facts: offers of a provider, and what parts cost to buy.

use std::fmt::Write as _;

use maat_base::Date;

use super::row::Priced;
use crate::load::PriceKind;
use crate::verbs::ExportedFile;

const OFFERS: &str = "provider,offer,region,accelerator,accelerator_raw,memory_gb,count,vcpu,ram_gb,price_per_hour,\
price_per_accelerator_hour,currency,pricing,commitment_months,observed,source,flags\n";
const PURCHASES: &str = "part,kind,price,currency,date,source,scope,unsure\n";

/// The files of a provider: its offers, and its purchase prices. A purchase price names its part in the seller's words.
pub fn files(provider: &str, rows: &[Priced], observed: Date, source: &str) -> Vec<ExportedFile> {
    let name = file_name(provider);
    let (bought, rented): (Vec<&Priced>, Vec<&Priced>) =
        rows.iter().partition(|row| row.kind == PriceKind::Purchase);
    let mut files = Vec::new();
    if !rented.is_empty() {
        let mut text = String::from(OFFERS);
        for row in rented {
            offer(&mut text, row, observed, source);
        }
        files.push(ExportedFile { path: format!("offers/{name}.csv"), text });
    }
    if !bought.is_empty() {
        let mut text = String::from(PURCHASES);
        for row in bought {
            let each = row.price.checked_div(row.count.into()).unwrap_or(row.price).round_dp(6).normalize();
            let day = row.observed.unwrap_or(observed);
            let fields = [field(&row.accelerator), field(&format!("quote of {provider}"))];
            let _ = writeln!(
                text,
                "{},{},{each},{},{day},{},part,",
                fields[0],
                fields[1],
                row.currency.code(),
                field(source)
            );
        }
        files.push(ExportedFile { path: format!("prices/purchase/{name}.csv"), text });
    }
    files
}

fn offer(text: &mut String, row: &Priced, observed: Date, source: &str) {
    let optional = |number: Option<f64>| {
        number.filter(|number| *number > 0.0).map_or_else(String::new, |number| number.to_string())
    };
    let each = row.price.checked_div(row.count.into()).unwrap_or(row.price).round_dp(6).normalize();
    let accelerator = field(&row.accelerator);
    let _ = writeln!(
        text,
        "{},{},{},{accelerator},{accelerator},{},{},{},{},{},{each},{},{},{},{},{},",
        field(&row.provider),
        field(&row.offer),
        field(row.region.as_deref().unwrap_or_default()),
        optional(row.memory_gb),
        row.count,
        optional(row.vcpu),
        optional(row.ram_gb),
        row.price.normalize(),
        row.currency.code(),
        row.kind.name(),
        row.commitment_months,
        row.observed.unwrap_or(observed),
        field(source)
    );
}

/// A field of CSV: quoted where it must be, in one line and of a bounded length.
fn field(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect();
    let text = text.trim();
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// A name that is safe as a file's on every system.
fn file_name(provider: &str) -> String {
    let mut name: String = provider
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
        .take(60)
        .collect();
    while name.contains("--") {
        name = name.replace("--", "-");
    }
    let name = name.trim_matches('-');
    if name.is_empty() { "own".to_owned() } else { name.to_owned() }
}
