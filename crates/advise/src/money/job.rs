//! What a job costs: its own predicted time on each machine, times the price of an hour of that machine.

use maat_base::{Answer, Arg, Currency, Fault, Money, Range, Share, Text, Verdict};
use maat_economics::Tokens;
use serde::{Deserialize, Serialize};

use super::machine::{Joined, PriceRequest, Priced, priced};
use crate::request::SizeRequest;
use crate::world::World;

/// Seconds of an hour.
const HOUR_S: f64 = 3600.0;

/// What does a job cost?
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct JobRequest {
    /// The model, the work and the machine.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub size: SizeRequest,
    /// Another machine to compare with, such as "8x H100 SXM"
    #[cfg_attr(feature = "clap", arg(long, value_name = "PARTS"))]
    pub versus: Vec<String>,
    /// Share of all hours that a machine of one's own works, on this and other jobs [default: as for rent-or-buy]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SHARE", allow_hyphen_values = true))]
    pub utilisation: Option<Share>,
    /// What the machine costs.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub price: PriceRequest,
}

/// A job on one or more machines, the cheapest first; those that cannot do it or have no price last.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JobBody {
    /// The model.
    pub model: String,
    /// Tokens of the job.
    pub tokens: f64,
    /// Currency of all money.
    pub currency: Currency,
    /// The machines.
    pub rows: Vec<JobRow>,
}

/// A job on a machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JobRow {
    /// The machine.
    pub machine: String,
    /// Its accelerators.
    pub accelerators: u32,
    /// Whether the work fits on it.
    pub fits: bool,
    /// How long it takes there.
    pub time_s: Option<Range>,
    /// Rent of the machine for an hour.
    pub rent_per_hour: Option<Money>,
    /// What renting it for the job costs.
    pub rent: Option<Money>,
    /// Its ends, from those of the time.
    pub rent_range: Option<[f64; 2]>,
    /// What an hour of work on a machine of one's own costs, at its use.
    pub own_per_hour: Option<Money>,
    /// What the job costs on it.
    pub own: Option<Money>,
    /// Its ends.
    pub own_range: Option<[f64; 2]>,
    /// Use of the machine of one's own.
    pub utilisation: Option<f64>,
    /// Place by rent, from 1.
    pub rank: usize,
}

/// Answers what a job costs.
///
/// # Errors
/// Those of `size` and of the prices; `tokens-missing`, `gpu-missing`.
pub fn job(request: &JobRequest, world: &World) -> Result<Answer<JobBody>, Fault> {
    let Tokens(tokens) =
        request.size.work.training.tokens.ok_or_else(|| Fault::usage("tokens-missing").at("--tokens"))?;
    if request.size.hardware.gpu.is_empty() {
        return Err(Fault::usage("gpu-missing").at("--gpu"));
    }
    let mut joined = Joined::default();
    let mut rows = Vec::new();
    let mut model = String::new();
    let mut machines = vec![request.size.hardware.gpu.clone()];
    machines.extend(request.versus.iter().map(|name| vec![name.clone()]));
    let several = machines.len() > 1;
    for gpu in machines {
        let mut size = request.size.clone();
        size.hardware.gpu = gpu;
        let one = priced(&size, &request.price, world)?;
        if let Some(summary) = &one.size.body.model {
            model.clone_from(&summary.name);
        }
        rows.push(row(&one, tokens, request.utilisation, world, &mut joined)?);
        // What was assumed of one machine's price says nothing of another's.
        joined.add(
            one.size.assumed.iter().filter(|note| !several || note.name != "gpu"),
            &one.size.findings,
            &one.size.sources,
        );
        if !several {
            joined.add(&one.prices.assumed, &one.prices.findings, &one.prices.sources);
        }
    }
    rank(&mut rows);
    let body = JobBody { model, tokens, currency: world.currency.unwrap_or_default(), rows };
    Ok(joined.into_answer(Answer::new("cost job", verdict(&body), body)))
}

fn row(
    one: &Priced,
    tokens: f64,
    utilisation: Option<Share>,
    world: &World,
    joined: &mut Joined,
) -> Result<JobRow, Fault> {
    let body = &one.size.body;
    let time_s = time(one, tokens);
    let compared = one.compared(utilisation.map(|share| share.0), world)?;
    if let Some(compared) = &compared {
        let own = ["rent", "buy", "rent_path", "power", "gpu"];
        joined.add(compared.assumed.iter().filter(|note| !own.contains(&note.name)), &[], &compared.sources);
    }
    let hour = compared.as_ref().map(|answer| answer.body.hourly_at_utilisation);
    let cost = |hourly: Option<Money>, seconds: f64| hourly.and_then(|hourly| hourly.times(seconds / HOUR_S));
    let likely = |hourly: Option<Money>| time_s.and_then(|time| cost(hourly, time.likely));
    let ends = |hourly: Option<Money>| {
        let time = time_s?;
        Some([cost(hourly, time.low)?.as_f64(), cost(hourly, time.high)?.as_f64()])
    };
    let own_per_hour = hour.map(|hour| hour.own);
    let rent_per_hour = one.prices.rent_per_hour;
    Ok(JobRow {
        machine: body.machine.as_ref().map_or_else(String::new, |machine| machine.name.clone()),
        accelerators: body.machine.as_ref().map_or(0, |machine| machine.accelerators),
        fits: body.fits.unwrap_or(false),
        time_s,
        rent_per_hour,
        rent: likely(rent_per_hour),
        rent_range: ends(rent_per_hour),
        own_per_hour,
        own: likely(own_per_hour),
        own_range: ends(own_per_hour),
        utilisation: hour.map(|hour| hour.utilisation),
        rank: 0,
    })
}

/// How long the job takes: as the model of speed says, else its tokens at the rate of training or of writing.
fn time(one: &Priced, tokens: f64) -> Option<Range> {
    let speed = one.size.body.speed.as_ref()?;
    let rate = speed.train_tokens_per_s.or(speed.throughput_tokens_per_s)?;
    Some(rate.inverted(tokens)).filter(|time| time.is_sound())
}

/// Cheapest first; what has no cost last, by name.
fn rank(rows: &mut [JobRow]) {
    let cost = |row: &JobRow| row.rent.or(row.own).map_or(f64::INFINITY, Money::as_f64);
    rows.sort_by(|a, b| cost(a).total_cmp(&cost(b)).then_with(|| a.machine.cmp(&b.machine)));
    for (place, row) in rows.iter_mut().enumerate() {
        row.rank = place + 1;
    }
}

fn verdict(body: &JobBody) -> Verdict {
    let tokens = Arg::Number(body.tokens / 1e6);
    let Some(best) = body.rows.first().filter(|row| row.rent.or(row.own).is_some()) else {
        let fits = body.rows.iter().any(|row| row.fits);
        let (id, code) = if fits {
            ("cost-verdict-job-unknown", "unknown")
        } else {
            ("cost-verdict-job-unfit", "does-not-fit")
        };
        let text = Text::named(id.to_owned()).with("model", body.model.as_str());
        return Verdict { ok: Some(fits), code: code.into(), text };
    };
    let time = Arg::Seconds(best.time_s.map_or(0.0, |time| time.likely));
    let text = match (best.rent, best.own) {
        (Some(rent), own) => {
            let text = Text::named(
                if own.is_some() { "cost-verdict-job" } else { "cost-verdict-job-rent" }.to_owned(),
            )
            .with("rent", rent);
            own.map_or(text.clone(), |own| text.with("own", own))
        }
        (None, Some(own)) => Text::named("cost-verdict-job-own".to_owned()).with("own", own),
        (None, None) => Text::new("nothing"),
    };
    let text = text
        .with("model", body.model.as_str())
        .with("tokens", tokens)
        .with("machine", best.machine.as_str())
        .with("time", time);
    Verdict { ok: Some(true), code: "computed".into(), text }
}
