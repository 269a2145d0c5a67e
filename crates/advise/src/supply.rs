//! What can be rented or bought, as machines with prices.

mod buy;
mod rent;

use std::sync::Arc;

use maat_base::{Date, Fault, Finding, Money, Severity, Text};
use maat_catalogue::{Accelerator, Machine, PriceKind};
use maat_estimate::Task;

use crate::answer::UnrankedOffer;
use crate::notes::{Notes, default_why};
use crate::request::AdviseRequest;
use crate::world::World;

/// Prices older than this are used, and said to be old.
const OLD_DAYS: f64 = 180.0;
/// Prices older than this are refused unless the user allows their age.
const REFUSED_DAYS: f64 = 730.0;
/// Seconds of a day.
const DAY_S: f64 = 86_400.0;

/// One instance that is on offer.
#[derive(Clone, Debug)]
pub struct Supply {
    /// How it is charged.
    pub kind: PriceKind,
    /// Who offers it; for purchases the kind of price.
    pub provider: Option<String>,
    /// The offer's name.
    pub offer: Option<String>,
    /// Where.
    pub region: Option<String>,
    /// The instance.
    pub machine: Machine,
    /// Rent of an hour, in the answer's currency.
    pub hourly: Option<Money>,
    /// Purchase of the whole instance, in the answer's currency.
    pub purchase: Option<Money>,
    /// Day of the price.
    pub date: Date,
    /// Tag of the price's source.
    pub source: String,
    /// Whether the offer is for one accelerator and the price was multiplied.
    pub multiplied: bool,
    /// What whoever entered the price is not certain of.
    pub unsure: Option<String>,
}

/// All that can be had, within what the request allows.
#[derive(Debug, Default)]
pub struct Supplies {
    /// With a part, a price and a date.
    pub ranked: Vec<Supply>,
    /// Offers whose part or date is not known.
    pub unranked: Vec<UnrankedOffer>,
    /// What was left out, and why.
    pub findings: Vec<Finding>,
}

/// What the request lets through.
pub struct Filter<'a> {
    parts: Vec<Arc<Accelerator>>,
    vendors: &'a [String],
    region: Option<&'a str>,
    kinds: Vec<PriceKind>,
    oldest_days: f64,
    day: Date,
}

impl Supply {
    /// Equal for instances that are equal in all that a job sees.
    pub fn key(&self) -> String {
        let host = &self.machine.host;
        let ram = host.ram.map_or(0, |ram| ram.0);
        let link = self.machine.link.as_ref().map_or("", |link| link.name.as_str());
        format!("{} / {link} / {ram}", self.machine.name)
    }

    /// What is to be minded about this price.
    pub fn findings(&self, day: Date) -> Vec<Finding> {
        let subject = self.offer.clone().unwrap_or_else(|| self.machine.name.clone());
        let days = age_days(self.date, day);
        let old = (days > OLD_DAYS).then(|| {
            Finding::new("price-old", Severity::Warning, subject.clone())
                .with("days", days as u64)
                .with("date", self.date)
                .because("price_date", self.date.to_string(), self.source.clone())
                .fixable()
        });
        let multiplied = self.multiplied.then(|| {
            Finding::new("price-multiplied", Severity::Info, subject.clone())
                .with("count", self.machine.per_node())
                .because("count", "1", self.source.clone())
        });
        let spot = (self.kind == PriceKind::Spot).then(|| {
            Finding::new("spot-can-be-taken-away", Severity::Info, subject.clone()).because(
                "kind",
                "spot",
                self.source.clone(),
            )
        });
        let unsure = self.unsure.as_ref().map(|unsure| {
            Finding::new("price-unsure", Severity::Warning, subject.clone())
                .with("what", unsure.as_str())
                .because("unsure", unsure.clone(), self.source.clone())
        });
        [old, multiplied, spot, unsure].into_iter().flatten().collect()
    }
}

/// Days from one day to a later one.
pub fn age_days(from: Date, to: Date) -> f64 {
    from.until(to).map_or(0.0, |span| f64::from(span.get_days()))
}

/// Everything that can be had and that the request allows.
///
/// # Errors
/// A part or a kind of offer that is not known.
pub fn supplies(
    request: &AdviseRequest,
    task: Task,
    world: &World,
    notes: &mut Notes,
) -> Result<Supplies, Fault> {
    let filter = Filter::of(request, task, world, notes)?;
    let mut all = Supplies::default();
    rent::add(&filter, world, &mut all);
    if filter.kinds.contains(&PriceKind::Purchase) {
        buy::add(&filter, world, notes, &mut all);
    }
    Ok(all)
}

impl<'a> Filter<'a> {
    fn of(request: &'a AdviseRequest, task: Task, world: &World, notes: &mut Notes) -> Result<Self, Fault> {
        let limits = &request.limits;
        let kinds = match limits.kind.as_slice() {
            [] => usual_kinds(request, task, notes),
            given => given.iter().map(|kind| known_kind(kind)).collect::<Result<_, _>>()?,
        };
        let parts = request.hardware.gpu.iter().map(|name| {
            let resolved = world.catalogue.resolve_accelerator(name)?;
            Ok(resolved.part)
        });
        Ok(Self {
            parts: parts.collect::<Result<_, Fault>>()?,
            vendors: &limits.vendor,
            region: limits.region.as_deref(),
            kinds,
            oldest_days: limits.max_price_age.map_or(REFUSED_DAYS, |age| age.0 / DAY_S),
            day: world.day(),
        })
    }

    /// Whether the request lets this part through. Announced parts are never offered.
    fn part(&self, part: &Accelerator) -> bool {
        let named = self.parts.is_empty() || self.parts.iter().any(|wanted| wanted.id == part.id);
        let vendor =
            self.vendors.is_empty() || self.vendors.iter().any(|v| v.eq_ignore_ascii_case(&part.vendor));
        named && vendor && !part.announced
    }

    /// Whether a price is young enough, and not from after the day of the answer.
    fn age(&self, date: Date) -> bool {
        (0.0..=self.oldest_days).contains(&age_days(date, self.day))
    }
}

/// What may be interrupted suits work that can wait; a conversation cannot. A training job that ends does not pay for a
/// machine.
fn usual_kinds(request: &AdviseRequest, task: Task, notes: &mut Notes) -> Vec<PriceKind> {
    let mut kinds = vec![PriceKind::OnDemand, PriceKind::Marketplace];
    let length = &request.work.training;
    let ends = length.tokens.is_some() || length.items.is_some() || length.steps.is_some();
    let one_job = crate::trains(task) && ends;
    if !one_job {
        kinds.push(PriceKind::Purchase);
    }
    if task == Task::Batch {
        kinds.push(PriceKind::Spot);
    }
    let names: Vec<&str> = kinds.iter().map(|kind| kind_name(*kind)).collect();
    let why = if one_job { Text::new("why-one-job") } else { default_why() };
    notes.assume("kind", names.join(","), Text::new("assumed-kind").with("kinds", names), why);
    kinds
}

/// The contract's name of a kind.
pub const fn kind_name(kind: PriceKind) -> &'static str {
    match kind {
        PriceKind::OnDemand => "on-demand",
        PriceKind::Spot => "spot",
        PriceKind::Marketplace => "marketplace",
        PriceKind::Committed => "committed",
        PriceKind::Average => "average",
        PriceKind::Purchase => "purchase",
    }
}

fn known_kind(text: &str) -> Result<PriceKind, Fault> {
    match text.parse() {
        Ok(PriceKind::Average) | Err(_) => Err(Fault::usage("offer-kind-unknown").with("given", text)),
        Ok(kind) => Ok(kind),
    }
}
