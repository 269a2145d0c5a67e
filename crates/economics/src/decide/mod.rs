//! Decisions beside renting or buying today: wait for the next generation, replace what there is, commit to hours. Each
//! lays out the ways as plans of the same work over the same years, at their worth at the start, and compares totals.

mod request;

pub use request::{CommitRequest, ReplaceRequest, WaitRequest};

use maat_base::{Answer, Arg, Currency, Decimal, Fault, Money, Text, Verdict};
use maat_catalogue::{Catalogue, PriceKind, Terms};
use serde::Serialize;

use crate::book::{Book, Class};
use crate::input::{Per, Plain, Price};
use crate::machine::{self, Named};
use crate::rent_or_buy::{
    Ends, Plan, RentOrBuyRequest, Resolved, ends_of, plain, resolve, sum, times, totals,
};

/// What a decision answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DecisionBody {
    /// Currency of all money.
    pub currency: Currency,
    /// Years that are compared.
    pub years: f64,
    /// Share of all hours that today's machine works.
    pub utilisation: f64,
    /// The ways, the cheapest first.
    pub ways: Vec<Way>,
    /// What the cheapest costs less than the next, from the ends of all inputs together; where it holds zero, the
    /// answer is open.
    pub saved_range: Ends,
    /// Where the answer turns, where one input turns it.
    pub turns: Option<Turn>,
}

/// A way with what it costs over the years.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Way {
    /// Its name, such as `buy-now`.
    pub way: &'static str,
    /// What it costs.
    pub total: Money,
    /// The ends of this.
    pub range: Ends,
}

/// The value of an input at which two ways cost the same.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Turn {
    /// The input.
    pub input: &'static str,
    /// Its value, in its own unit.
    pub at: f64,
    /// The same as a sentence.
    pub text: Text,
}

/// A way's name and how its cost follows from today's plan.
type Cost<'a> = (&'static str, Box<dyn Fn(&Plan) -> Result<Decimal, Fault> + 'a>);

/// Puts ways beside each other.
fn decide(
    verb: &'static str,
    resolved: &Resolved,
    ways: &[Cost<'_>],
    turns: Option<Turn>,
    book: Book<'_>,
) -> Result<Answer<DecisionBody>, Fault> {
    let plan = &resolved.plan;
    let mut costs: Vec<(Way, usize)> = Vec::new();
    for (place, (way, cost)) in ways.iter().enumerate() {
        let total = plan.money(cost(plan)?);
        let range = ends_of(plan, &book.spreads, &|plan| Ok(plan.money(cost(plan)?).as_f64()))?;
        costs.push((Way { way, total, range: range.map(|end| end.map(|end| end.max(0.0))) }, place));
    }
    costs.sort_by_key(|(way, _)| way.total.amount);
    let [first, second, ..] = costs.as_slice() else {
        return Err(Fault::usage("money-too-large"));
    };
    let saved = |plan: &Plan| {
        let of = |place: usize| Ok(plan.money(ways[place].1(plan)?).as_f64());
        Ok(of(second.1)? - of(first.1)?)
    };
    let saved_range = ends_of(plan, &book.spreads, &saved)?;
    let name = |way: &Way| Text::named(format!("decide-way-{}", way.way));
    let text = Text::new("decide-verdict")
        .with("first", name(&first.0))
        .with("second", name(&second.0))
        .with("saved", plan.money(second.0.total.amount - first.0.total.amount))
        .with("years", plain(plan.years))
        .with("use", Arg::Share(plan.utilisation))
        .with("open", if matches!(saved_range, [Some(low), _] if low < 0.0) { "yes" } else { "no" });
    let verdict = Verdict { ok: Some(true), code: first.0.way.into(), text };
    let body = DecisionBody {
        currency: plan.currency,
        years: plan.years,
        utilisation: plan.utilisation,
        ways: costs.into_iter().map(|(way, _)| way).collect(),
        saved_range,
        turns,
    };
    let mut answer = Answer::new(verb, verdict, body);
    answer.sources = book.sources();
    answer.assumed = book.assumed;
    answer.findings = book.findings;
    Ok(answer)
}

/// A number that must lie above zero: as given, or as the facts have it.
fn above_zero(
    given: Option<Plain>,
    flag: &'static str,
    name: &'static str,
    book: &mut Book<'_>,
) -> Result<f64, Fault> {
    match given {
        Some(Plain(value)) if value > 0.0 => Ok(value),
        Some(Plain(_)) => Err(Fault::usage("price-zero").with("flag", flag).at(flag)),
        None => book.take(name, Class::Server, plain),
    }
}

/// Buy now, rent until the next generation and buy that, or rent throughout? The next machine does the same work: of it
/// so much is bought as does today's work. Its worth at the end declines as today's does, from its later purchase.
///
/// # Errors
/// Those of the question of renting and buying; `wait-too-long` for a wait beyond the years.
pub fn wait(
    request: &WaitRequest,
    catalogue: &Catalogue,
    terms: &Terms,
) -> Result<Answer<DecisionBody>, Fault> {
    let mut book = Book::new(catalogue, terms);
    let resolved = resolve(&request.today, None, &mut book)?;
    let plan = &resolved.plan;
    let months = above_zero(request.wait_months, "--wait-months", "wait_months", &mut book)?;
    let speed = above_zero(request.next_speed, "--next-speed", "next_speed", &mut book)?;
    let power = above_zero(request.next_power, "--next-power", "next_power", &mut book)?;
    if months >= plan.months() {
        return Err(Fault::usage("wait-too-long").with("given", plain(months)).at("--wait-months"));
    }
    let given = request.next_buy.map(|price| book.positive("--next-buy", price, None)).transpose()?;
    let ratio = match given {
        Some(price) => plan.money(price).as_f64() / plan.money(plan.capital).as_f64(),
        None => book.take("next_price", Class::Server, plain)?,
    };
    let next = Next { months, speed, power, ratio };
    let turns = next.turns(plan)?;
    let ways: [Cost<'_>; 3] = [
        ("buy-now", Box::new(|plan| Ok(totals(plan)?.own))),
        ("wait-and-buy", Box::new(move |plan| next.cost(plan, next.ratio))),
        ("rent-throughout", Box::new(|plan| Ok(totals(plan)?.rent))),
    ];
    decide("cost wait", &resolved, &ways, turns, book)
}

/// The next generation, measured against today's machine.
#[derive(Clone, Copy)]
struct Next {
    months: f64,
    speed: f64,
    power: f64,
    ratio: f64,
}

impl Next {
    /// Renting for the months of waiting, then owning as much of the next as does the same work.
    fn cost(self, plan: &Plan, ratio: f64) -> Result<Decimal, Fault> {
        let rented = Plan { years: self.months / 12.0, ..plan.clone() };
        let years = (plan.years - self.months / 12.0).max(0.01);
        let scale = self.power / self.speed;
        let owned = Plan {
            years,
            capital: times(plan.capital, ratio / self.speed)?,
            work_w: plan.work_w * scale,
            idle_w: plan.idle_w * scale,
            space_kw: plan.space_kw * scale,
            residual: plan.residual.max(0.0).powf(years / plan.years),
            ..plan.clone()
        };
        let residual = if plan.residual > 0.0 { owned.residual } else { 0.0 };
        let owned = Plan { residual, ..owned };
        sum([totals(&rented)?.rent, times(totals(&owned)?.own, plan.worth(self.months))?])
    }

    /// The price of the next machine, in times today's, at which waiting costs what buying now does. The cost is a
    /// straight line of that price.
    fn turns(self, plan: &Plan) -> Result<Option<Turn>, Fault> {
        let number = |amount: Decimal| plan.money(amount).as_f64();
        let (at_0, at_1) = (number(self.cost(plan, 0.0)?), number(self.cost(plan, 1.0)?));
        let at = (number(totals(plan)?.own) - at_0) / (at_1 - at_0);
        if !at.is_finite() || at <= 0.0 {
            return Ok(None);
        }
        let text = Text::new("decide-turns-next-price")
            .with("times", Arg::Number(at))
            .with("price", plan.money(times(plan.capital, at)?));
        Ok(Some(Turn { input: "next_price", at, text }))
    }
}

/// Keep the machine that there is, or replace it? What the old one would bring today is what keeping it costs at the
/// start. The new one does the same work in fewer hours.
///
/// # Errors
/// Those of the question of renting and buying; `speed-missing` where the speeds of the two are not known.
pub fn replace(
    request: &ReplaceRequest,
    catalogue: &Catalogue,
    terms: &Terms,
) -> Result<Answer<DecisionBody>, Fault> {
    let mut book = Book::new(catalogue, terms);
    // Renting plays no part here: where nobody gives a rent, any will do.
    let free = Price { amount: Decimal::ONE, currency: None, per: None };
    let no_rent = |request: &RentOrBuyRequest| RentOrBuyRequest {
        rent: request.rent.or(request.rent_total.is_none().then_some(free)),
        ..request.clone()
    };
    let old = resolve(&no_rent(&request.old), None, &mut book)?;
    let new_request = RentOrBuyRequest {
        gpu: request.with.clone(),
        buy: request.new_buy,
        buy_each: None,
        own: crate::rent_or_buy::OwnRequest { power: None, idle_power: None, ..request.old.own.clone() },
        ..no_rent(&request.old)
    };
    let mut new_book = Book::new(catalogue, terms);
    let new = resolve(&new_request, None, &mut new_book)?;
    let pair = (
        machine::named(&request.old.gpu, request.old.nodes, &mut new_book)?,
        machine::named(&request.with, None, &mut new_book)?,
    );
    let speed = match request.speed {
        Some(_) => above_zero(request.speed, "--speed", "next_speed", &mut book)?,
        None => by_bandwidth(&pair, &mut book)?,
    };
    let buy = new_book.assumed.iter().find(|note| note.name == "buy").cloned();
    book.assumed.extend(buy.map(|note| maat_base::Assumed { name: "new_buy", ..note }));
    let cost = |plan: &Plan| {
        let plan = Plan {
            capital: new.plan.capital,
            work_w: new.plan.work_w,
            idle_w: new.plan.idle_w,
            space_kw: new.plan.space_kw,
            utilisation: (plan.utilisation / speed).min(1.0),
            ..plan.clone()
        };
        Ok(totals(&plan)?.own)
    };
    let ways: [Cost<'_>; 2] = [("keep", Box::new(|plan| Ok(totals(plan)?.own))), ("replace", Box::new(cost))];
    decide("cost replace", &old, &ways, None, book)
}

fn by_bandwidth(pair: &(Option<Named>, Option<Named>), book: &mut Book<'_>) -> Result<f64, Fault> {
    let bandwidth = |named: &Option<Named>| -> Option<f64> {
        let named = named.as_ref()?;
        let each = named.part.as_ref()?.bandwidth.as_ref()?.value;
        Some(each * f64::from(named.accelerators()))
    };
    let (Some(old), Some(new)) = (bandwidth(&pair.0), bandwidth(&pair.1)) else {
        return Err(Fault::usage("speed-missing").at("--speed"));
    };
    let speed = new / old;
    let text = Text::new("assumed-cost-speed").with("value", Arg::Number(speed));
    book.assume("speed", speed, text, Text::new("why-cost-speed"));
    Ok(speed)
}

/// Pay for the hours that are used, or commit to all? With a commitment all hours are paid.
///
/// # Errors
/// Those of the question of renting; `rent-missing` where the catalogue has no committed offers.
pub fn commit(
    request: &CommitRequest,
    catalogue: &Catalogue,
    terms: &Terms,
) -> Result<Answer<DecisionBody>, Fault> {
    let mut book = Book::new(catalogue, terms);
    // Owning plays no part here: where nobody gives a purchase, any will do.
    let any = Price { amount: Decimal::ONE, currency: None, per: None };
    let asked = &request.on_demand;
    let question = RentOrBuyRequest {
        buy: asked.buy.or(asked.buy_each.is_none().then_some(any)),
        bare: true,
        ..asked.clone()
    };
    let resolved = resolve(&question, None, &mut book)?;
    book.assumed.retain(|note| note.name != "bare");
    let plan = &resolved.plan;
    let named = machine::named(&asked.gpu, asked.nodes, &mut book)?;
    let count = f64::from(named.as_ref().map_or(1, Named::accelerators).max(1));
    let each = match request.committed {
        Some(price) => book.positive("--committed", price, Some(Per::Hour))?,
        None => committed(named.as_ref(), &mut book)?,
    };
    let per_hour = times(times(each, count)?, 1.0 + plan.vat)?;
    let share = plan.money(per_hour).as_f64() / plan.money(plan.rent_per_hour).as_f64();
    let text = Text::new("decide-turns-use")
        .with("use", Arg::Share(share))
        .with("hours", Arg::Number(share * plan.hours_per_month));
    let turns = Some(Turn { input: "utilisation", at: share, text });
    let ways: [Cost<'_>; 2] = [
        ("on-demand", Box::new(|plan| Ok(totals(plan)?.rent))),
        (
            "commit",
            Box::new(move |plan| {
                let all =
                    Plan { rent_per_hour: per_hour, rent_all_hours: true, rent_growth: 0.0, ..plan.clone() };
                Ok(totals(&all)?.rent)
            }),
        ),
    ];
    decide("cost commit", &resolved, &ways, turns, book)
}

fn committed(named: Option<&Named>, book: &mut Book<'_>) -> Result<Decimal, Fault> {
    let missing = || Fault::usage("committed-missing").at("--committed");
    let part = named.and_then(|named| named.part.as_ref()).ok_or_else(missing)?;
    let market = machine::market(&part.id, PriceKind::Committed, book)?.ok_or_else(missing)?;
    let text = Text::new("assumed-cost-committed").with("price", market.median).with("n", market.providers);
    let why = Text::new("why-cost-rent")
        .with("low", market.low)
        .with("high", market.high)
        .with("from", market.oldest)
        .with("to", market.newest);
    book.assume("committed", market.median.as_f64(), text, why);
    Ok(market.median.amount)
}
