//! The CSV of SkyPilot: one row an instance and zone, with its price and its spot price.
//!
//! Its quirks: `GpuInfo` is a Python dictionary as text; `SizeInMiB` sometimes holds GiB; where host and accelerator are
//! priced apart a row has no `InstanceType` (the accelerator alone) or no `AcceleratorName` (the host alone), and neither is
//! a price of a machine; spot prices may be missing, or lie above the price.

use super::delimited::{Line, Sheet};
use super::row::{Priced, Skip, amount, count, number};
use crate::load::PriceKind;

/// A size below this is in GiB, whatever the name says: no accelerator has under 1 GiB.
const LEAST_MIB: f64 = 1024.0;

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
    let columns = Columns {
        instance: Some(need("InstanceType")?),
        accelerator: Some(need("AcceleratorName")?),
        price: Some(need("Price")?),
        spot: sheet.column(&["SpotPrice"]),
        count: sheet.column(&["AcceleratorCount"]),
        info: sheet.column(&["GpuInfo", "GPUInfo"]),
        region: sheet.column(&["Region"]),
        vcpu: sheet.column(&["vCPUs"]),
        ram: sheet.column(&["MemoryGiB"]),
        named: sheet.column(&["provider", "Cloud"]),
    };
    for line in sheet.rows() {
        one(line, &columns, provider, rows);
    }
    Ok(())
}

struct Columns {
    instance: Option<usize>,
    accelerator: Option<usize>,
    price: Option<usize>,
    spot: Option<usize>,
    count: Option<usize>,
    info: Option<usize>,
    region: Option<usize>,
    vcpu: Option<usize>,
    ram: Option<usize>,
    named: Option<usize>,
}

fn one(line: &Line<'_>, c: &Columns, provider: &str, rows: &mut Vec<Result<Priced, Skip>>) {
    let provider = line.get(c.named).unwrap_or(provider).to_ascii_lowercase();
    let mut skip = |reason| rows.push(Err(Skip { provider: provider.clone(), reason, line: line.number }));
    let Some(accelerator) = line.get(c.accelerator) else { return skip("no-accelerator") };
    let Some(instance) = line.get(c.instance) else { return skip("host-priced-apart") };
    let counted = line.get(c.count).map_or(Some(1), count);
    let count = match counted {
        None => return skip("part-of-an-accelerator"),
        Some(0) => return skip("no-accelerator"),
        Some(count) => count,
    };
    let price = line.get(c.price).and_then(|text| amount(text, false));
    let spot = line.get(c.spot).and_then(|text| amount(text, false));
    if price.is_none() && spot.is_none() {
        return skip("price-unreadable");
    }
    let row = |price, kind| Priced {
        provider: provider.clone(),
        offer: instance.to_owned(),
        region: line.get(c.region).map(str::to_owned),
        accelerator: accelerator.to_owned(),
        memory_gb: line.get(c.info).and_then(memory_gb),
        count,
        vcpu: line.get(c.vcpu).and_then(number),
        ram_gb: line.get(c.ram).and_then(number),
        price,
        currency: maat_base::Currency::Usd,
        kind,
        commitment_months: 0,
        observed: None,
        line: line.number,
    };
    rows.extend(price.map(|price| Ok(row(price, PriceKind::OnDemand))));
    rows.extend(spot.map(|spot| Ok(row(spot, PriceKind::Spot))));
}

/// Memory of one accelerator out of `{'Gpus': [{'Name': …, 'MemoryInfo': {'SizeInMiB': 81920}}], …}`, in GiB.
fn memory_gb(info: &str) -> Option<f64> {
    let after = info.split("SizeInMiB").nth(1)?;
    let digits: String = after
        .chars()
        .skip_while(|c| !c.is_ascii_digit())
        .take_while(|c| c.is_ascii_digit() || *c == '.')
        .collect();
    let size = number(&digits).filter(|size| *size > 0.0)?;
    Some(if size < LEAST_MIB { size } else { size / 1024.0 })
}
