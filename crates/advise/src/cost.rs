//! What a supply costs at a speed.

use maat_base::{Currency, Decimal, Money, Range, Text};
use maat_economics::{Ownership, own_per_hour, per_million, per_month};

use crate::answer::{Cost, CostBasis};
use crate::notes::{Notes, default_why};
use crate::search::Fit;
use crate::supply::Supply;
use crate::world::World;

/// How owned machines are priced by the hour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OwningRules {
    /// Years of use.
    pub years: f64,
    /// Power usage effectiveness.
    pub pue: f64,
    /// Price of a kilowatt-hour in the answer's currency.
    pub per_kwh: Money,
}

/// Years over which a purchase is spread.
const YEARS: f64 = 3.0;
/// Power usage effectiveness where nothing is known of the place: no cooling beside the machine's own fans.
const PUE: f64 = 1.0;
/// Country and band of the electricity tariff that is assumed: a small business in the Netherlands.
const TARIFF: (&str, &str) = ("NL", "IC");

impl OwningRules {
    /// The usual rules, listed under what is assumed; `None` where no tariff is known.
    pub fn of(world: &World, notes: &mut Notes) -> Option<Self> {
        let (area, band) = TARIFF;
        let tariffs =
            world.catalogue.tariffs().iter().filter(|tariff| tariff.area == area && tariff.band == band);
        let tariff = tariffs.max_by(|a, b| a.period.cmp(&b.period))?;
        let eur = Decimal::from_f64_retain(tariff.eur_per_kwh?)?.round_dp(6);
        let per_kwh = world.money(Money::new(eur, Currency::Eur))?;
        notes.assume(
            "tariff",
            format!("{area}:{band}"),
            Text::new("assumed-tariff")
                .with("price", per_kwh)
                .with("area", area)
                .with("period", tariff.period.as_str()),
            default_why(),
        );
        notes.assume("years", YEARS, Text::new("assumed-years").with("n", YEARS as u64), default_why());
        Some(Self { years: YEARS, pue: PUE, per_kwh })
    }
}

/// What a job takes of a supply.
#[derive(Clone, Copy, Debug)]
pub struct Spent {
    /// Instances that do the work together.
    pub instances: u32,
    /// Power of all of them in watts.
    pub power_w: Option<f64>,
    /// Tokens that they write, or train on, in a second.
    pub tokens_per_s: Option<Range>,
    /// Seconds of the whole job, where it has an end.
    pub job_s: Option<f64>,
}

impl From<&Fit> for Spent {
    fn from(fit: &Fit) -> Self {
        Self {
            instances: fit.instances,
            power_w: fit.power_w,
            tokens_per_s: fit.speed.throughput_tokens_per_s,
            job_s: None,
        }
    }
}

/// The cost of a supply's instances that do the work together.
pub fn cost(supply: &Supply, fit: &Spent, owning: Option<&OwningRules>, currency: Currency) -> Option<Cost> {
    let count = f64::from(fit.instances);
    let (basis, hourly) = match (supply.hourly, supply.purchase) {
        (Some(hourly), _) => (CostBasis::Rent, hourly.times(count)?),
        (None, Some(capital)) => {
            let rules = owning?;
            let own = Ownership {
                capital: capital.times(count)?,
                residual_share: 0.0,
                years: rules.years,
                work_w: fit.power_w?,
                pue: rules.pue,
                per_kwh: rules.per_kwh,
            };
            (CostBasis::Own, own_per_hour(&own)?)
        }
        (None, None) => return None,
    };
    let rate = fit.tokens_per_s;
    let million = |rate: f64| per_million(hourly, rate);
    Some(Cost {
        basis,
        hourly: Some(hourly),
        monthly: per_month(hourly),
        per_million_tokens: rate.and_then(|rate| million(rate.likely)),
        per_million_tokens_range: rate
            .and_then(|rate| Some([million(rate.high)?.as_f64(), million(rate.low)?.as_f64()])),
        per_job: fit.job_s.and_then(|seconds| hourly.times(seconds / 3600.0)),
        purchase: supply.purchase.and_then(|price| price.times(count)),
        currency,
        price_date: Some(supply.date),
        source: supply.source.clone(),
    })
}
