//! The CSV of gpuhunt: one row an instance, place and kind; the price is of the whole instance; `spot` is `True` or
//! `False`; instances without accelerators have a count of 0; later versions add columns, older ones lack `gpu_vendor`.

use super::delimited::Sheet;
use super::row::{Priced, Skip, amount, count, number};
use crate::load::PriceKind;

/// Reads the rows.
///
/// # Errors
/// The name of a column that is missing.
pub fn read(
    sheet: &Sheet<'_>,
    provider: &str,
    rows: &mut Vec<Result<Priced, Skip>>,
) -> Result<(), &'static str> {
    let need = |name: &'static str| sheet.column(&[name]).ok_or(name);
    let (price, gpu) = (Some(need("price")?), Some(need("gpu_name")?));
    let offer = sheet.column(&["instance_name"]);
    let many = sheet.column(&["gpu_count"]);
    let place = sheet.column(&["location", "region"]);
    let memory = sheet.column(&["gpu_memory"]);
    let spot = sheet.column(&["spot"]);
    let (vcpu, ram, named) = (sheet.column(&["cpu"]), sheet.column(&["memory"]), sheet.column(&["provider"]));
    for line in sheet.rows() {
        let provider = line.get(named).unwrap_or(provider).to_ascii_lowercase();
        let skip = |reason| Err(Skip { provider: provider.clone(), reason, line: line.number });
        let counted = line.get(many).map(count);
        let row = match (line.get(gpu), counted) {
            (None, _) | (_, Some(Some(0))) => skip("no-accelerator"),
            (_, Some(None)) => skip("count-unreadable"),
            (Some(gpu), counted) => match line.get(price).and_then(|text| amount(text, false)) {
                None => skip("price-unreadable"),
                Some(price) => Ok(Priced {
                    offer: line.get(offer).unwrap_or_default().to_owned(),
                    region: line.get(place).map(str::to_owned),
                    accelerator: gpu.to_owned(),
                    memory_gb: line.get(memory).and_then(number).filter(|gb| *gb > 0.0),
                    count: counted.flatten().unwrap_or(1),
                    vcpu: line.get(vcpu).and_then(number),
                    ram_gb: line.get(ram).and_then(number),
                    price,
                    currency: maat_base::Currency::Usd,
                    kind: kind(line.get(spot)),
                    commitment_months: 0,
                    observed: None,
                    line: line.number,
                    provider: provider.clone(),
                }),
            },
        };
        rows.push(row);
    }
    Ok(())
}

fn kind(spot: Option<&str>) -> PriceKind {
    match spot {
        Some(word) if word.eq_ignore_ascii_case("true") || word == "1" => PriceKind::Spot,
        _ => PriceKind::OnDemand,
    }
}
