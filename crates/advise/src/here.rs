//! This machine among the candidates: what would one gain with the others?

use maat_base::{Code, Fault, Text};
use maat_catalogue::HardwareRequest;

use crate::answer::{AdviseBody, Candidate, Cost, CostBasis, Rejected};
use crate::argv::argv;
use crate::request::{AdviseRequest, SizeRequest};
use crate::world::World;

/// Puts this machine first where it does the job, without a price as it is there already; else says what it misses.
pub fn add(request: &AdviseRequest, body: &mut AdviseBody, world: &World) -> Result<(), Fault> {
    let size = SizeRequest {
        model: request.model.clone(),
        work: request.work.clone(),
        hardware: HardwareRequest { gpu: Vec::new(), ..request.hardware.clone() },
    };
    let answer = crate::size(&size, world)?.body;
    let Some(machine) = answer.machine else { return Ok(()) };
    if let Some(limit) = answer.limit {
        let misses_by = limit
            .short_bytes
            .zip(limit.have_bytes)
            .map(|(short, have)| short.as_f64() / have.as_f64().max(1.0));
        body.rejected.insert(0, Rejected { machine: machine.name, why: limit.text, misses_by });
        return Ok(());
    }
    let Some(speed) = answer.speed else {
        let why = Text::new("miss-here-speed");
        body.rejected.insert(0, Rejected { machine: machine.name, why, misses_by: None });
        return Ok(());
    };
    let of = |candidate: &Candidate| candidate.speed.throughput_tokens_per_s.map(|range| range.likely);
    let own = speed.throughput_tokens_per_s.map(|range| range.likely);
    let mut reasons = vec![Text::new("reason-here")];
    if let (Some(best), Some(own)) = (body.candidates.first(), own)
        && let Some(other) = of(best)
    {
        let text = Text::new("reason-here-gain").with("machine", best.machine.name.as_str());
        reasons.push(text.with("times", maat_base::Arg::Number(other / own)));
    }
    body.candidates.insert(
        0,
        Candidate {
            rank: 0,
            kind: String::from("here"),
            provider: None,
            offer: None,
            region: None,
            machine,
            plan: answer.plan,
            memory: answer.memory,
            speed,
            power: answer.power,
            cost: Cost {
                basis: CostBasis::Own,
                hourly: None,
                monthly: None,
                per_million_tokens: None,
                per_million_tokens_range: None,
                per_job: None,
                purchase: None,
                currency: world.currency.unwrap_or_default(),
                price_date: None,
                source: String::new(),
            },
            reasons,
            findings: Vec::new(),
            argv: argv("size", &size),
        },
    );
    for (candidate, rank) in body.candidates.iter_mut().zip(1..) {
        candidate.rank = rank;
    }
    body.pareto = crate::candidates::front(&body.candidates);
    Ok(())
}

/// The verdict of an answer in which this machine was put first; `None` elsewhere.
pub fn verdict(body: &AdviseBody) -> Option<(Code, Text)> {
    let first = body.candidates.first().filter(|first| first.kind == "here")?;
    let rate = first.speed.tpot_s.map_or(0.0, |range| range.likely);
    let text = Text::new("advise-here")
        .with("machine", first.machine.name.as_str())
        .with("tpot", maat_base::Arg::Seconds(rate))
        .with("others", body.candidates.len() - 1);
    let code = if first.machine.accelerators == 0 { "cpu-is-enough" } else { "best-found" };
    Some((Code::Borrowed(code), text))
}
