//! What is asked of every part, and the one that is scarce.

use maat_base::{Arg, Date, Text};
use maat_catalogue::Machine;
use maat_estimate::{
    Bound, HostNeeds, Memory, NetworkNeeds, PartUse, Power, Rules, ServerJob, ServerPart, Speed, server_parts,
};
use serde::Serialize;

use super::growth::Headroom;
use crate::limits::Limits;

/// What of the whole server is scarce.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the contract defines the fields")]
pub struct ServerView {
    pub limiting: &'static str,
    /// What is left of the limiting part: 0 where work goes as fast as it can, negative where it falls short.
    pub limiting_share: f64,
    /// The same in words.
    pub text: Text,
    /// Until when it will do, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Text>,
    /// What is left of the others, the scarcest first; `None` where either side is not known.
    pub slack: Vec<Slack>,
    /// The day on which the growth that was given has used up the scarcest part.
    pub fits_until: Option<Date>,
    /// How many times the load it carries at most, where that was looked for.
    pub headroom: Option<f64>,
    /// Heat of a node at full load, in BTU an hour.
    pub heat_btu_per_h: Option<f64>,
    /// Power of all nodes at full load, in kilowatts.
    pub rack_kw: Option<f64>,
    /// Slots that are left for cards.
    pub free_slots: Option<f64>,
}

/// What is left of a part.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the contract defines the fields")]
pub struct Slack {
    pub part: &'static str,
    pub share: Option<f64>,
    pub need: Option<f64>,
    pub have: Option<f64>,
    pub unit: &'static str,
}

/// What the time of a job is measured by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace(pub PartUse);

/// A job on a whole server.
#[derive(Clone, Copy, Debug)]
pub struct Whole<'a> {
    pub machine: &'a Machine,
    pub memory: &'a Memory,
    pub power: Option<&'a Power>,
    pub host: &'a HostNeeds,
    pub network: &'a NetworkNeeds,
    /// Whether accelerators exchange what a layer or a step makes.
    pub split: bool,
    /// Its time.
    pub pace: Option<Pace>,
}

/// Work with limits is measured by the one it is nearest to; without any it goes as fast as it can, and what holds it back
/// is used up.
pub fn pace_of_serving(speed: &Speed, limits: &Limits) -> Pace {
    let likely = |range: Option<maat_base::Range>| range.map(|range| range.likely);
    let time = |value: Option<f64>, limit: Option<f64>| {
        Some(PartUse { part: ServerPart::AcceleratorTime, need: value, have: limit, unit: "s" })
            .filter(|part| part.slack().is_some())
    };
    let rate = likely(speed.throughput_tokens_per_s);
    let asked = limits.throughput.map(|least| PartUse {
        part: ServerPart::AcceleratorTime,
        need: Some(least),
        have: rate,
        unit: "tokens/s",
    });
    let all = [time(likely(speed.ttft_s), limits.ttft_s), time(likely(speed.tpot_s), limits.tpot_s), asked];
    let slack = |part: &PartUse| part.slack().unwrap_or(f64::INFINITY);
    let tightest = all.into_iter().flatten().min_by(|a, b| slack(a).total_cmp(&slack(b)));
    Pace(tightest.unwrap_or_else(|| flat_out(speed.bound.decode.unwrap_or(speed.bound.main))))
}

/// Training is measured by its deadline, or goes as fast as it can.
pub fn pace_of_training(speed: &Speed, deadline_s: Option<f64>) -> Pace {
    let time = speed.time_to_finish_s.map(|time| time.likely);
    let timed = PartUse { part: ServerPart::AcceleratorTime, need: time, have: deadline_s, unit: "s" };
    Pace(if timed.slack().is_some() { timed } else { flat_out(speed.bound.step.unwrap_or(speed.bound.main)) })
}

/// A part that work uses up.
pub fn flat_out(bound: Bound) -> PartUse {
    let part = match bound {
        Bound::Compute | Bound::Launch => ServerPart::AcceleratorCompute,
        Bound::Memory => ServerPart::AcceleratorBandwidth,
        Bound::Network => ServerPart::AcceleratorLinks,
        Bound::Cpu => ServerPart::CpuCores,
        Bound::Storage => ServerPart::StorageRead,
    };
    PartUse { part, need: Some(1.0), have: Some(1.0), unit: "share" }
}

impl Whole<'_> {
    /// Every part with what is asked of it.
    pub fn parts(&self, rules: &Rules) -> Vec<PartUse> {
        let job = ServerJob {
            machine: self.machine,
            memory: self.memory,
            power: self.power,
            host: self.host,
            network: self.network,
            split: self.split,
        };
        let mut all = server_parts(&job, rules);
        if let Some(Pace(pace)) = self.pace {
            let mut pace = pace;
            if pace.part == ServerPart::AcceleratorLinks && self.machine.nodes > 1 {
                pace.part = ServerPart::Network;
            }
            // What is used up says more than what is left of it otherwise, and what falls short more than that.
            let short = |part: &PartUse| part.slack().is_some_and(|slack| slack < 0.0);
            if !all.iter().any(|part| part.part == pace.part && short(part)) {
                all.retain(|part| part.part != pace.part);
                all.push(pace);
            }
        }
        all
    }

    /// The scarce part and what is left of the others; `None` where nothing is known of any.
    pub fn view(&self, headroom: Option<Headroom>, rules: &Rules) -> Option<ServerView> {
        let mut parts = self.parts(rules);
        parts.sort_by(|a, b| {
            let slack = |part: &PartUse| part.slack().unwrap_or(f64::INFINITY);
            slack(a).total_cmp(&slack(b)).then_with(|| a.part.cmp(&b.part))
        });
        let first = parts.first().copied().filter(|part| part.slack().is_some())?;
        let share = first.slack()?;
        let most = self.machine.host.max_power_w.or_else(|| self.power?.node_max_w);
        let btu = rules.efficiencies.server("heat_btu_per_h_per_w").map_or(0.0, |range| range.likely);
        let slots = parts.iter().find(|part| part.part == ServerPart::CardSlots);
        Some(ServerView {
            limiting: first.part.name(),
            limiting_share: share,
            text: words(&first, share, parts.iter().skip(1).find(|part| part.slack().is_some())),
            until: headroom.and_then(|room| {
                let text = Text::new("server-until").with("until", room.until?);
                Some(text.with("times", Arg::Number(room.times)))
            }),
            slack: parts.iter().skip(1).map(Slack::from).collect(),
            fits_until: headroom.and_then(|room| room.until),
            headroom: headroom.map(|room| room.times),
            heat_btu_per_h: most.map(|watts| watts * btu),
            rack_kw: most.map(|watts| watts * f64::from(self.machine.nodes.max(1)) / 1e3),
            free_slots: slots.and_then(|part| Some(part.have? - part.need?)),
        })
    }
}

impl From<&PartUse> for Slack {
    fn from(part: &PartUse) -> Self {
        Self {
            part: part.part.name(),
            share: part.slack(),
            need: part.need,
            have: part.have,
            unit: part.unit,
        }
    }
}

/// The part's name as a text.
pub fn named(part: ServerPart) -> Text {
    Text::named(format!("server-part-{}", part.name().replace('_', "-")))
}

fn words(first: &PartUse, share: f64, next: Option<&PartUse>) -> Text {
    let id = if share < 0.0 {
        "server-short"
    } else if first.unit == "share" {
        "server-flat-out"
    } else {
        "server-limiting"
    };
    let times = |part: &PartUse| Arg::Number(1.0 - part.slack().unwrap_or(0.0));
    let mut text = Text::new(id)
        .with("part", named(first.part))
        .with("share", Arg::Share(share.max(0.0)))
        .with("times", times(first));
    text = match next {
        Some(next) => text
            .with("next", named(next.part))
            .with("next-known", if next.slack().unwrap_or(0.0) < 0.0 { "short" } else { "yes" })
            .with("next-share", Arg::Share(next.slack().unwrap_or(0.0).max(0.0)))
            .with("next-times", times(next)),
        None => text
            .with("next", "")
            .with("next-known", "no")
            .with("next-share", Arg::Share(0.0))
            .with("next-times", Arg::Number(0.0)),
    };
    text
}
