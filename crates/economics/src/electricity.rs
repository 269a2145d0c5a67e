//! What a machine's electricity costs.

use maat_base::{Answer, Arg, Currency, Fault, Money, Share, Text, Verdict, Watts};
use maat_catalogue::{Catalogue, Terms};
use serde::{Deserialize, Serialize};

use crate::book::{Book, Class};
use crate::input::{Plain, TariffChoice};
use crate::machine::{self, Named};
use crate::rent_or_buy::pue;

/// Months of a year.
const MONTHS: f64 = 12.0;

/// What does its electricity cost?
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ElectricityRequest {
    /// Accelerators, such as "8x H100 SXM"; their power limit is taken
    #[cfg_attr(feature = "clap", arg(long, value_name = "PARTS"))]
    pub gpu: Vec<String>,
    /// Nodes of this kind [default: 1]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub nodes: Option<u32>,
    /// Power while it works, such as 1000W
    #[cfg_attr(feature = "clap", arg(long, value_name = "POWER"))]
    pub power: Option<Watts>,
    /// Power while it waits [default: not counted]
    #[cfg_attr(feature = "clap", arg(long, value_name = "POWER"))]
    pub idle_power: Option<Watts>,
    /// Share of all hours that it works [default: 100%]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SHARE", allow_hyphen_values = true))]
    pub utilisation: Option<Share>,
    /// Price of a kWh, or country and band: 0.10, NL:IC [default: NL:IC]
    #[cfg_attr(feature = "clap", arg(long, value_name = "MONEY|AREA:BAND", allow_hyphen_values = true))]
    pub tariff: Option<TariffChoice>,
    /// Power usage effectiveness of the place [default: 1.0]
    #[cfg_attr(feature = "clap", arg(long, value_name = "RATIO", allow_hyphen_values = true))]
    pub pue: Option<Plain>,
    /// Hours of a month; a year has twelve [default: 730]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", allow_hyphen_values = true))]
    pub hours_per_month_convention: Option<Plain>,
}

/// What electricity costs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ElectricityBody {
    /// The machine, as it was named.
    pub machine: Option<String>,
    /// Watts while it works.
    pub power_w: f64,
    /// Watts while it waits; nothing where not counted.
    pub idle_power_w: Option<f64>,
    /// Power usage effectiveness of the place.
    pub pue: f64,
    /// Share of all hours that it works.
    pub utilisation: f64,
    /// Hours of the year.
    pub hours_per_year: f64,
    /// Currency of all money.
    pub currency: Currency,
    /// Price of a kilowatt-hour.
    pub per_kwh: Money,
    /// Kilowatt-hours a year.
    pub kwh_per_year: f64,
    /// Cost of a year.
    pub per_year: Money,
    /// Cost of an hour, the mean of all hours of the year.
    pub per_hour: Money,
    /// Cost of a year over the hours that it works.
    pub per_used_hour: Money,
}

/// Answers what a machine's electricity costs: `(P u + P_idle (1 - u)) x PUE x hours x tariff`.
///
/// # Errors
/// Usage faults of the fields, each naming its flag; a part or tariff that is not known.
pub fn electricity(
    request: &ElectricityRequest,
    catalogue: &Catalogue,
    terms: &Terms,
) -> Result<Answer<ElectricityBody>, Fault> {
    let mut book = Book::new(catalogue, terms);
    let named = machine::named(&request.gpu, request.nodes, &mut book)?;
    let power_w = power(request, named.as_ref(), &mut book)?;
    let utilisation = match request.utilisation {
        Some(Share(share)) if share > 0.0 => share,
        Some(Share(share)) => {
            return Err(Fault::usage("use-out-of-range")
                .with("given", Arg::Number(share * 100.0))
                .at("--utilisation"));
        }
        None => {
            book.assume("utilisation", 1.0, Text::new("assumed-cost-all-hours"), Text::new("why-default"));
            1.0
        }
    };
    let idle_w = request.idle_power.map(|watts| watts.0);
    if idle_w.is_none() && utilisation < 1.0 {
        book.assume("idle_power", 0, Text::new("assumed-cost-no-idle"), Text::new("why-cost-no-idle"));
    }
    let ratio = if request.pue.is_some() {
        pue(request.pue, true, Class::Server, &mut book)?
    } else {
        let text = Text::new("assumed-cost-pue").with("value", Arg::Count(1));
        book.assume("pue", 1.0, text, Text::new("why-cost-no-cooling"));
        1.0
    };
    let hours = crate::rent_or_buy::month_hours(request.hours_per_month_convention)? * MONTHS;
    let per_kwh = Money::new(book.tariff(request.tariff.as_ref())?, book.currency());
    let mean_w = power_w * utilisation + idle_w.unwrap_or(0.0) * (1.0 - utilisation);
    let kwh = mean_w / 1000.0 * ratio * hours;
    let times =
        |money: Money, factor: f64| money.times(factor).ok_or_else(|| Fault::usage("money-too-large"));
    let per_year = times(per_kwh, kwh)?;
    let body = ElectricityBody {
        machine: named.map(|named| named.machine.name),
        power_w,
        idle_power_w: idle_w,
        pue: ratio,
        utilisation,
        hours_per_year: hours,
        currency: book.currency(),
        per_kwh,
        kwh_per_year: kwh,
        per_year,
        per_hour: times(per_year, 1.0 / hours)?,
        per_used_hour: times(per_year, 1.0 / (hours * utilisation))?,
    };
    let text = Text::new("cost-verdict-electricity")
        .with("year", body.per_year)
        .with("kwh", kwh.round() as u64)
        .with("use", Arg::Share(utilisation))
        .with("hour", body.per_used_hour);
    let verdict = Verdict { ok: Some(true), code: "computed".into(), text };
    let mut answer = Answer::new("cost electricity", verdict, body);
    answer.sources = book.sources();
    answer.assumed = book.assumed;
    answer.findings = book.findings;
    Ok(answer)
}

/// Power while it works: as given, or the accelerators at their limit.
fn power(request: &ElectricityRequest, named: Option<&Named>, book: &mut Book<'_>) -> Result<f64, Fault> {
    if let Some(watts) = request.power {
        return if watts.0 > 0.0 { Ok(watts.0) } else { Err(Fault::usage("power-zero").at("--power")) };
    }
    let missing = || Fault::usage("power-missing").hint(Text::new("hint-power-missing"));
    let named = named.ok_or_else(missing)?;
    let watts = machine::accelerators_w(&named.machine).ok_or_else(missing)?;
    let text = Text::new("assumed-cost-limit").with("power", Arg::Watts(watts));
    book.assume("power", watts, text, Text::new("why-cost-limit"));
    for slot in &named.machine.slots {
        book.rests_on(&slot.accelerator.sources, "");
    }
    Ok(watts)
}
