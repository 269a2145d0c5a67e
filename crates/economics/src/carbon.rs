//! What a machine emits: in operation by the grid that feeds it, and by its making.

use maat_base::{Answer, Arg, Assumed, Fault, Finding, Severity, Share, Text, Verdict, Watts};
use maat_catalogue::{Catalogue, Terms};
use serde::{Deserialize, Serialize};

use crate::book::{Book, Class};
use crate::input::Plain;
use crate::machine::{self, Named};
use crate::rent_or_buy::{month_hours, plain, pue};

/// Months of a year.
const MONTHS: f64 = 12.0;
/// Country whose grid is taken where none is given.
const USUAL_COUNTRY: &str = "NL";
/// Largest carbon of a grid that is believed, in grams a kWh: lignite emits about 1,300.
const MOST_GRAMS: f64 = 2_000.0;

/// What does it emit?
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct CarbonRequest {
    /// Accelerators of a node, such as "8x H100 SXM"
    #[cfg_attr(feature = "clap", arg(long, value_name = "PARTS"))]
    pub gpu: Vec<String>,
    /// Nodes of this kind [default: 1]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub nodes: Option<u32>,
    /// Power of the whole machine while it works [default: from its parts]
    #[cfg_attr(feature = "clap", arg(long, value_name = "POWER"))]
    pub power: Option<Watts>,
    /// Power of the whole machine while it waits
    #[cfg_attr(feature = "clap", arg(long, value_name = "POWER"))]
    pub idle_power: Option<Watts>,
    /// Share of all hours that it works, such as 60%
    #[cfg_attr(feature = "clap", arg(long, value_name = "SHARE", allow_hyphen_values = true))]
    pub utilisation: Option<Share>,
    /// Power usage effectiveness of the place
    #[cfg_attr(feature = "clap", arg(long, value_name = "RATIO", allow_hyphen_values = true))]
    pub pue: Option<Plain>,
    /// Country whose grid feeds it: NL, NLD or Netherlands [default: NL]
    #[cfg_attr(feature = "clap", arg(long, value_name = "COUNTRY"))]
    pub country: Option<String>,
    /// Grams of CO2 equivalent a kWh, in the place of --country
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "GRAMS", allow_hyphen_values = true, conflicts_with = "country")
    )]
    pub grid: Option<Plain>,
    /// Kilograms of CO2 equivalent of making the whole machine [default: the accelerators', where known]
    #[cfg_attr(feature = "clap", arg(long, value_name = "KILOGRAMS", allow_hyphen_values = true))]
    pub embodied: Option<Plain>,
    /// Years of use [default: 3]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", allow_hyphen_values = true))]
    pub years: Option<Plain>,
    /// Hours of a month; a year has twelve [default: 730]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", allow_hyphen_values = true))]
    pub hours_per_month_convention: Option<Plain>,
}

/// What a machine emits, in kilograms of CO2 equivalent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CarbonBody {
    /// The machine, as it was named.
    pub machine: Option<String>,
    /// Watts while it works.
    pub power_w: f64,
    /// Watts while it waits.
    pub idle_power_w: f64,
    /// Power usage effectiveness of the place.
    pub pue: f64,
    /// Share of all hours that it works.
    pub utilisation: f64,
    /// Country of the grid; nothing where its carbon was given.
    pub country: Option<String>,
    /// Grams a kWh of the grid.
    pub grid_gco2e_per_kwh: f64,
    /// Year that the grid's figure is of.
    pub grid_year: Option<String>,
    /// Kilowatt-hours a year.
    pub kwh_per_year: f64,
    /// Emitted by operation a year.
    pub operation_kgco2e_per_year: f64,
    /// Emitted by making it: the accelerators alone, unless given.
    pub embodied_kgco2e: Option<f64>,
    /// Years of use.
    pub years: f64,
    /// Emitted over these years, making included where known.
    pub total_kgco2e: f64,
    /// The same for an hour of work.
    pub per_used_hour_kgco2e: f64,
}

/// Answers what a machine emits: `kWh x grid + making`.
///
/// # Errors
/// Usage faults of the fields, each naming its flag; a part or country that is not known.
pub fn carbon(
    request: &CarbonRequest,
    catalogue: &Catalogue,
    terms: &Terms,
) -> Result<Answer<CarbonBody>, Fault> {
    let mut book = Book::new(catalogue, terms);
    let named = machine::named(&request.gpu, request.nodes, &mut book)?;
    let class = named.as_ref().map_or(Class::Server, |named| named.class);
    let draw = machine::draw(named.as_ref(), request.power, request.idle_power, &mut book)?
        .ok_or_else(|| Fault::usage("power-missing").hint(Text::new("hint-power-missing")))?;
    let utilisation = match request.utilisation {
        Some(Share(share)) if share > 0.0 => share,
        Some(Share(share)) => {
            return Err(Fault::usage("use-out-of-range")
                .with("given", plain(share * 100.0))
                .at("--utilisation"));
        }
        None => book.take("utilisation", class, Arg::Share)?,
    };
    let years = match request.years {
        Some(Plain(years)) if years > 0.0 && years <= 50.0 => years,
        Some(Plain(years)) => {
            return Err(Fault::usage("years-out-of-range").with("given", plain(years)).at("--years"));
        }
        None => book.take("years", class, plain)?,
    };
    let ratio = pue(request.pue, false, class, &mut book)?;
    let grid = grid(request, &mut book)?;
    let embodied = embodied(request, named.as_ref(), &mut book);
    let hours = month_hours(request.hours_per_month_convention)? * MONTHS;
    let mean_w = draw.work_w * utilisation + draw.idle_w * (1.0 - utilisation);
    let kwh = mean_w / 1000.0 * ratio * hours;
    let operation = kwh * grid.grams / 1000.0;
    let total = operation * years + embodied.unwrap_or(0.0);
    let body = CarbonBody {
        machine: named.map(|named| named.machine.name),
        power_w: draw.work_w,
        idle_power_w: draw.idle_w,
        pue: ratio,
        utilisation,
        country: grid.country,
        grid_gco2e_per_kwh: grid.grams,
        grid_year: grid.year,
        kwh_per_year: kwh,
        operation_kgco2e_per_year: operation,
        embodied_kgco2e: embodied,
        years,
        total_kgco2e: total,
        per_used_hour_kgco2e: total / (hours * years * utilisation),
    };
    let text = Text::new("cost-verdict-carbon")
        .with("total", Arg::Count(total.round() as u64))
        .with("years", plain(years))
        .with("share", Arg::Share(embodied.unwrap_or(0.0) / total.max(f64::MIN_POSITIVE)))
        .with("country", body.country.clone().unwrap_or_else(|| "none".to_owned()));
    let mut answer =
        Answer::new("cost carbon", Verdict { ok: Some(true), code: "computed".into(), text }, body);
    answer.sources = book.sources();
    answer.assumed = book.assumed;
    answer.findings = book.findings;
    Ok(answer)
}

/// A grid's carbon.
struct Grid {
    grams: f64,
    country: Option<String>,
    year: Option<String>,
}

fn grid(request: &CarbonRequest, book: &mut Book<'_>) -> Result<Grid, Fault> {
    if let Some(Plain(grams)) = request.grid {
        return if grams <= MOST_GRAMS {
            Ok(Grid { grams, country: None, year: None })
        } else {
            Err(Fault::usage("grid-out-of-range").with("given", plain(grams)).at("--grid"))
        };
    }
    let wanted = request.country.as_deref().unwrap_or(USUAL_COUNTRY).trim();
    let catalogue = book.catalogue;
    let letters = catalogue.countries().iter().find(|(two, _)| two.eq_ignore_ascii_case(wanted));
    let code = letters.map_or(wanted, |(_, three)| three.as_str());
    let row = catalogue
        .grid_carbon()
        .iter()
        .rfind(|row| row.iso3.eq_ignore_ascii_case(code) || row.country.eq_ignore_ascii_case(wanted))
        .ok_or_else(|| Fault::usage("country-unknown").with("given", wanted).at("--country"))?;
    if request.country.is_none() {
        let text = Text::new("assumed-cost-country")
            .with("country", row.country.as_str())
            .with("grams", plain(row.gco2e_per_kwh.round()));
        let why =
            Text::new("why-cost-country").with("year", row.year.as_str()).with("source", row.source.as_str());
        book.assume("country", row.iso3.as_str(), text, why);
    }
    book.rests_on(&row.source, row.year.as_str());
    Ok(Grid { grams: row.gco2e_per_kwh, country: Some(row.country.clone()), year: Some(row.year.clone()) })
}

/// Carbon of making it: as given, or that of its accelerators; nothing where one of them is not known.
fn embodied(request: &CarbonRequest, named: Option<&Named>, book: &mut Book<'_>) -> Option<f64> {
    if let Some(Plain(kilograms)) = request.embodied {
        return Some(kilograms);
    }
    let catalogue = book.catalogue;
    let of_part = |id: &str| {
        catalogue.embodied_carbon().iter().find(|row| {
            catalogue.resolve_accelerator(&row.accelerator).is_ok_and(|found| found.part.id == id)
        })
    };
    let machine = &named?.machine;
    let mut total = 0.0;
    for slot in &machine.slots {
        let Some(row) = of_part(&slot.accelerator.id) else {
            book.findings.push(
                Finding::new("embodied-carbon-unknown", Severity::Info, slot.accelerator.name.as_str())
                    .because("kgco2e", "null", "carbon/embodied.csv"),
            );
            return None;
        };
        total += row.kgco2e * f64::from(slot.count) * f64::from(machine.nodes);
        book.rests_on(&row.source, "");
    }
    book.assumed.push(Assumed {
        name: "embodied",
        value: total.into(),
        text: Text::new("assumed-cost-embodied").with("total", plain(total.round())),
        why: Text::new("why-cost-embodied"),
    });
    Some(total)
}
