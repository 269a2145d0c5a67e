//! The guides' five questions: what work, which model, what budget, how many hours a month, for how long. The engine
//! answers.

use maat_advise::{AdviseBody, AdviseRequest, CostBasis, SizeRequest, World};
use maat_base::{Answer, Arg, Assumed, Fault, FaultKind, Text, Verdict};
use maat_catalogue::Terms;
use maat_economics::rent_or_buy::{RentOrBuyRequest, rent_or_buy};
use maat_economics::{HOURS_PER_MONTH, Plain, Price};
use maat_estimate::Task;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::ask::command;
use crate::guide::GuideBody;

/// The model that is taken where none is given.
const USUAL_MODEL: &str = "meta-llama/Llama-3.1-8B";
/// Hours a month that are taken where none are given: 60 % of 730.
const USUAL_HOURS: f64 = 438.0;
/// Years that are taken where none are given.
const USUAL_YEARS: f64 = 3.0;

/// The answers to the five questions. What is not given is assumed, and listed so.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", command(next_help_heading = "Checklist"))]
pub struct ChecklistRequest {
    /// What the hardware is to do [default: chat]
    #[cfg_attr(feature = "clap", arg(long, value_name = "TASK", requires = "checklist"))]
    pub task: Option<Task>,
    /// The model, or a bare size such as 70B [default: Llama 3.1 8B]
    #[cfg_attr(feature = "clap", arg(long, value_name = "MODEL", requires = "checklist"))]
    pub model: Option<String>,
    /// Most money an hour
    #[cfg_attr(feature = "clap", arg(long, value_name = "MONEY", requires = "checklist"))]
    pub max_hourly: Option<f64>,
    /// Hours a month that it works [default: 438, 60% of all]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", requires = "checklist"))]
    pub hours_per_month: Option<Plain>,
    /// Years that it is needed [default: 3]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", requires = "checklist"))]
    pub years: Option<Plain>,
}

/// A question with what the engine answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Checked {
    /// The question.
    pub question: Text,
    /// What was given for it.
    pub given: Text,
    /// What follows.
    pub answer: Text,
    /// The command that shows it.
    pub command: String,
}

/// Answers the five questions.
///
/// # Errors
/// Those of `size`, `advise` and `cost rent-or-buy`.
pub fn checklist(request: &ChecklistRequest, world: &World) -> Result<Answer<GuideBody>, Fault> {
    let mut assumed = Vec::new();
    let mut take = |name: &'static str, value: Value, given: bool| {
        if !given {
            let text = Text::new("guide-assumed").with("name", name).with("value", plain(&value));
            assumed.push(Assumed { name, value, text, why: Text::new("why-default") });
        }
    };
    let model = request.model.clone().unwrap_or_else(|| USUAL_MODEL.to_owned());
    take("model", Value::from(model.as_str()), request.model.is_some());
    let task = request.task.unwrap_or_default();
    let task_name = serde_json::to_value(task).unwrap_or_default();
    take("task", task_name.clone(), request.task.is_some());
    let hours = request.hours_per_month.map_or(USUAL_HOURS, |Plain(hours)| hours);
    take("hours_per_month", Value::from(hours), request.hours_per_month.is_some());
    let years = request.years.map_or(USUAL_YEARS, |Plain(years)| years);
    take("years", Value::from(years), request.years.is_some());

    let mut size = SizeRequest { model: Some(model.clone()), ..SizeRequest::default() };
    size.work.task = request.task;
    let sized = maat_advise::size(&size, world)?;
    let mut advise =
        AdviseRequest { model: Some(model.clone()), work: size.work.clone(), ..AdviseRequest::default() };
    advise.limits.max_hourly = request.max_hourly;
    let advised = maat_advise::advise(&advise, world)?;
    let advise_command = of("advise", &advise);
    let work = advised.body.cpu_or_gpu.as_ref().and_then(|choice| choice.because.first().cloned());
    let budget = request.max_hourly.map_or_else(
        || Text::new("guide-no-budget"),
        |most| {
            Text::new("guide-budget")
                .with("most", Arg::Money(most, world.currency.unwrap_or_default().code().to_owned()))
        },
    );
    let row = |id: &'static str, given: Text, answer: Text, command: String| Checked {
        question: Text::new(id),
        given,
        answer,
        command,
    };
    let words = |value: &Value| Text::new("guide-given").with("value", plain(value));
    let mut rows = vec![
        row(
            "guide-question-work",
            words(&task_name),
            work.unwrap_or_else(|| advised.verdict.text.clone()),
            advise_command.clone(),
        ),
        row("guide-question-model", words(&Value::from(model)), sized.verdict.text, of("size", &size)),
        row("guide-question-budget", budget, advised.verdict.text.clone(), advise_command),
    ];
    rows.extend(ownership(&advised.body, hours, years, world)?);
    let verdict =
        Verdict { ok: Some(true), code: "checklist".into(), text: Text::new("guide-checklist-verdict") };
    let body = GuideBody { claims: Vec::new(), counts: Vec::new(), computed: rows.len(), checklist: rows };
    let mut answer = Answer::new("guide", verdict, body);
    answer.assumed = assumed;
    answer.sources = advised.sources;
    Ok(answer)
}

/// The last two questions, of the machine that the third chose.
fn ownership(body: &AdviseBody, hours: f64, years: f64, world: &World) -> Result<Vec<Checked>, Fault> {
    // Rent or buy asks for a machine that somebody lets.
    let rented = body.candidates.iter().find(|one| one.cost.basis == CostBasis::Rent);
    let Some(best) = rented.or(body.candidates.first()) else { return Ok(Vec::new()) };
    let request = RentOrBuyRequest {
        gpu: vec![best.machine.name.clone()],
        hours_per_month: Some(Plain(hours)),
        years: Some(Plain(years)),
        rent_total: rented.and_then(|one| one.cost.hourly).map(|money| Price {
            amount: money.amount.round_dp(4),
            currency: Some(money.currency),
            per: None,
        }),
        ..RentOrBuyRequest::default()
    };
    let terms = Terms { as_of: world.as_of, currency: world.currency, exchange: world.exchange() };
    let command = of("cost rent-or-buy", &request);
    let (hours_even, verdict) = match rent_or_buy(&request, None, world.catalogue, &terms) {
        Ok(answer) => (even(answer.body.break_even.utilisation), answer.verdict.text),
        Err(fault) if fault.kind == FaultKind::Usage => {
            let text = Text::new("guide-no-own").with("why", fault.message);
            (text.clone(), text)
        }
        Err(fault) => return Err(fault),
    };
    let machine = best.machine.name.as_str();
    let row = |question, given, value: f64, answer| Checked {
        question: Text::new(question).with("machine", machine),
        given: Text::new(given).with("n", whole(value)),
        answer,
        command: command.clone(),
    };
    Ok(vec![
        row("guide-question-hours", "guide-given-hours", hours, hours_even),
        row("guide-question-years", "guide-given-years", years, verdict),
    ])
}

/// From which hours a month on owning is cheaper.
fn even(utilisation: Option<f64>) -> Text {
    match utilisation {
        Some(share) if share <= 1.0 => Text::new("guide-hours-even")
            .with("hours", Arg::Count((share * HOURS_PER_MONTH).round() as u64))
            .with("use", Arg::Share(share)),
        _ => Text::new("guide-hours-never"),
    }
}

/// A number without decimals where it has none.
fn whole(value: f64) -> Arg {
    if value.fract() == 0.0 && (0.0..1e15).contains(&value) {
        Arg::Count(value as u64)
    } else {
        Arg::Number(value)
    }
}

fn of(verb: &str, request: &impl Serialize) -> String {
    command(verb, &serde_json::to_value(request).unwrap_or_default())
}

fn plain(value: &Value) -> Arg {
    match value {
        Value::String(text) => Arg::from(text.as_str()),
        other => Arg::from(other.to_string()),
    }
}
