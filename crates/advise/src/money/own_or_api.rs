//! Tokens of one's own machine against an API's: from how many tokens a month is the machine cheaper?

use maat_base::{Answer, Arg, Currency, Decimal, Fault, Money, Text, Verdict};
use maat_economics::{HOURS_PER_MONTH, OwnOrApi, Per, Price, Tokens, blended};
use serde::{Deserialize, Serialize};

use super::machine::{Joined, PriceRequest, Priced, priced};
use crate::request::SizeRequest;
use crate::world::World;

/// Seconds of an hour.
const HOUR_S: f64 = 3600.0;
/// Tokens of a prompt and of an answer where the request names none, as in `size`.
const USUAL_LENGTHS: (u64, u64) = (1024, 256);

/// One's own, or an API?
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct OwnOrApiRequest {
    /// The model, the work and the machine.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub size: SizeRequest,
    /// The API's price of prompts, such as 0.25/M
    #[cfg_attr(feature = "clap", arg(long, value_name = "MONEY/M", allow_hyphen_values = true))]
    pub api_input: Option<Price>,
    /// The API's price of answers, such as 0.50/M
    #[cfg_attr(feature = "clap", arg(long, value_name = "MONEY/M", allow_hyphen_values = true))]
    pub api_output: Option<Price>,
    /// Tokens a month, prompts and answers together, such as 200M
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", allow_hyphen_values = true))]
    pub tokens_per_month: Option<Tokens>,
    /// What the machine costs.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub price: PriceRequest,
}

/// A month of each way.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OwnOrApiBody {
    /// The model.
    pub model: String,
    /// The machine.
    pub machine: String,
    /// Currency of all money.
    pub currency: Currency,
    /// Tokens a month, prompts and answers together.
    pub tokens_per_month: f64,
    /// Share of them that are prompts.
    pub input_share: f64,
    /// Most tokens a month of one machine, at this many users around the clock.
    pub capacity_tokens_per_month: Option<f64>,
    /// Machines that the tokens need.
    pub machines: Option<u32>,
    /// Share of all hours that they work.
    pub utilisation: Option<f64>,
    /// The API.
    pub api: ApiBody,
    /// A month of renting the machines, all hours.
    pub rent_per_month: Option<Money>,
    /// A month of machines of one's own.
    pub own_per_month: Option<Money>,
    /// A million tokens on them.
    pub own_per_million_tokens: Option<Money>,
    /// Tokens a month from which the cheaper of renting and owning one machine beats the API; above the capacity it takes
    /// more machines, so the API stays cheaper.
    pub break_even_tokens_per_month: Option<f64>,
}

/// The API.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ApiBody {
    /// A million tokens in the mixture of prompts and answers.
    pub per_million_tokens: Money,
    /// A month.
    pub per_month: Money,
}

/// Answers whether one's own tokens or an API's are cheaper.
///
/// # Errors
/// Those of `size` and of the prices; what is not given.
pub fn own_or_api(request: &OwnOrApiRequest, world: &World) -> Result<Answer<OwnOrApiBody>, Fault> {
    let missing = |flag: &'static str| Fault::usage("argument-missing").with("flag", flag).at(flag);
    let Tokens(tokens) = request.tokens_per_month.ok_or_else(|| missing("--tokens-per-month"))?;
    if request.size.hardware.gpu.is_empty() {
        return Err(missing("--gpu"));
    }
    let input = api_price(request.api_input.ok_or_else(|| missing("--api-input"))?, "--api-input", world)?;
    let output =
        api_price(request.api_output.ok_or_else(|| missing("--api-output"))?, "--api-output", world)?;
    let work = &request.size.work;
    let lengths =
        (work.input.unwrap_or(USUAL_LENGTHS.0) as f64, work.output.unwrap_or(USUAL_LENGTHS.1) as f64);
    let input_share = lengths.0 / (lengths.0 + lengths.1);
    let too_large = || Fault::usage("money-too-large");
    let per_million = blended(input, output, input_share).ok_or_else(too_large)?;
    let api = ApiBody {
        per_million_tokens: per_million,
        per_month: per_million.times(tokens / 1e6).ok_or_else(too_large)?,
    };
    let one = priced(&request.size, &request.price, world)?;
    let mut joined = Joined::default();
    joined.add(&one.size.assumed, &one.size.findings, &one.size.sources);
    joined.add(&one.prices.assumed, &one.prices.findings, &one.prices.sources);
    let body = body(&one, tokens, input_share, api, world, &mut joined)?;
    Ok(joined.into_answer(Answer::new("cost own-or-api", verdict(&body, one.size.body.fits), body)))
}

fn api_price(price: Price, flag: &'static str, world: &World) -> Result<Money, Fault> {
    if price.per.is_some_and(|per| per != Per::Million) {
        let expected = Text::new("hint-price-unit-wrong").with("expected", "/M");
        return Err(Fault::usage("price-unit-wrong")
            .with("given", price.to_string())
            .at(flag)
            .hint(expected));
    }
    let currency = price.currency.or(world.currency).unwrap_or_default();
    world.money(Money::new(price.amount, currency)).ok_or_else(|| Fault::content("no-exchange-rate"))
}

fn body(
    one: &Priced,
    tokens: f64,
    input_share: f64,
    api: ApiBody,
    world: &World,
    joined: &mut Joined,
) -> Result<OwnOrApiBody, Fault> {
    let size = &one.size.body;
    let speed = size.speed.as_ref().and_then(|speed| speed.throughput_tokens_per_s);
    // The rate is of answers; their prompts are read in the same time.
    let capacity = speed.map(|rate| rate.likely / (1.0 - input_share) * HOURS_PER_MONTH * HOUR_S);
    let machines = capacity.map(|capacity| (tokens / capacity).ceil().clamp(1.0, 1e6));
    let utilisation =
        capacity.zip(machines).map(|(capacity, count)| (tokens / (capacity * count)).clamp(1e-6, 1.0));
    let times = |money: Money, factor: f64| money.times(factor);
    let rent = one.prices.rent_per_hour.and_then(|hour| times(hour, HOURS_PER_MONTH));
    let compared = match utilisation {
        Some(_) => one.compared(utilisation, world)?,
        None => None,
    };
    if let Some(compared) = &compared {
        joined.add(
            compared.assumed.iter().filter(|note| note.name != "rent_path"),
            &compared.findings,
            &compared.sources,
        );
    }
    let own = compared.as_ref().map(|answer| answer.body.monthly.own);
    let all = |month: Option<Money>| month.zip(machines).and_then(|(month, count)| times(month, count));
    let (rent_all, own_all) = (all(rent), all(own));
    let cheaper = [rent, own].into_iter().flatten().min_by(|a, b| a.amount.cmp(&b.amount));
    Ok(OwnOrApiBody {
        model: size.model.as_ref().map_or_else(String::new, |model| model.name.clone()),
        machine: size.machine.as_ref().map_or_else(String::new, |machine| machine.name.clone()),
        currency: api.per_month.currency,
        tokens_per_month: tokens,
        input_share,
        capacity_tokens_per_month: capacity,
        machines: machines.map(|count| count as u32),
        utilisation,
        api,
        rent_per_month: rent_all,
        own_per_month: own_all,
        own_per_million_tokens: own_all.and_then(|month| times(month, 1e6 / tokens)),
        break_even_tokens_per_month: cheaper.and_then(|month| {
            let nothing = Money::new(Decimal::ZERO, month.currency);
            let question = OwnOrApi {
                fixed_per_month: month,
                energy_per_million: nothing,
                api_per_million: api.per_million_tokens,
            };
            question.tokens_per_month()
        }),
    })
}

fn verdict(body: &OwnOrApiBody, fits: Option<bool>) -> Verdict {
    if fits == Some(false) {
        let text = Text::new("cost-verdict-job-unfit").with("model", body.model.as_str());
        return Verdict { ok: Some(false), code: "does-not-fit".into(), text };
    }
    let ways =
        [("api", Some(body.api.per_month)), ("rent", body.rent_per_month), ("own", body.own_per_month)];
    let cheapest = ways
        .iter()
        .filter_map(|(name, month)| Some((*name, (*month)?)))
        .min_by(|a, b| a.1.amount.cmp(&b.1.amount));
    let (name, month) = cheapest.unwrap_or(("api", body.api.per_month));
    let id = match name {
        "rent" => "cost-verdict-api-rent",
        "own" => "cost-verdict-api-own",
        _ if body.rent_per_month.is_none() && body.own_per_month.is_none() => "cost-verdict-api-alone",
        _ => "cost-verdict-api",
    };
    let other = [body.rent_per_month, body.own_per_month]
        .into_iter()
        .flatten()
        .min_by(|a, b| a.amount.cmp(&b.amount));
    let text = Text::named(id.to_owned())
        .with("tokens", Arg::Number(body.tokens_per_month / 1e6))
        .with("month", month)
        .with("api", body.api.per_month)
        .with("other", other.unwrap_or(body.api.per_month))
        .with("machine", body.machine.as_str())
        .with("even", Arg::Number(body.break_even_tokens_per_month.unwrap_or_default() / 1e6));
    Verdict { ok: Some(true), code: name.into(), text }
}
