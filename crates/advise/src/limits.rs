//! What a candidate must keep to.

use maat_base::{Arg, Text};
use maat_estimate::{Speed, Task};

use crate::notes::Notes;
use crate::request::LimitRequest;

/// A conversation should begin within this time: about where people start to wonder (Nielsen's ten-second limit is
/// for keeping attention at all; chat services aim well below).
const CHAT_TTFT_S: f64 = 3.0;
/// A conversation should run at ten tokens a second, a little faster than people read.
const CHAT_TPOT_S: f64 = 0.1;
/// On a device of one's own five tokens a second, about reading speed, will do.
const EDGE_TPOT_S: f64 = 0.2;

/// Limits on speed and power; `None` where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Limits {
    /// Longest mean time to the first token in seconds.
    pub ttft_s: Option<f64>,
    /// Longest mean time between tokens in seconds.
    pub tpot_s: Option<f64>,
    /// Least output tokens per second of all users.
    pub throughput: Option<f64>,
    /// Most power of all nodes in watts.
    pub power_w: Option<f64>,
}

/// A limit that is missed.
#[derive(Clone, Debug, PartialEq)]
pub struct Miss {
    /// Which, and by how much, in words.
    pub why: Text,
    /// By which share of the limit.
    pub by: f64,
}

impl Limits {
    /// The limits of a request. Conversations have limits on latency also when nobody gave any.
    pub fn of(request: &LimitRequest, task: Task, notes: &mut Notes) -> Self {
        let mut usual = |given: Option<f64>, name: &'static str, value: f64| {
            given.or_else(|| {
                notes.assume(
                    name,
                    value,
                    Text::new(if name == "max_ttft" { "assumed-max-ttft" } else { "assumed-max-tpot" })
                        .with("time", Arg::Seconds(value)),
                    Text::new("why-conversation"),
                );
                Some(value)
            })
        };
        let ttft = request.max_ttft.map(|period| period.0);
        let tpot = request.max_tpot.map(|period| period.0);
        let (ttft_s, tpot_s) = match task {
            Task::Chat => (usual(ttft, "max_ttft", CHAT_TTFT_S), usual(tpot, "max_tpot", CHAT_TPOT_S)),
            Task::Edge => (ttft, usual(tpot, "max_tpot", EDGE_TPOT_S)),
            _ => (ttft, tpot),
        };
        Self {
            ttft_s,
            tpot_s,
            throughput: request.min_throughput,
            power_w: request.max_power.map(|power| power.0),
        }
    }

    /// The worst miss of a speed and a power, judged by the likely figures.
    pub fn miss(&self, speed: &Speed, power_w: Option<f64>) -> Option<Miss> {
        let likely = |range: Option<maat_base::Range>| range.map(|range| range.likely);
        let above = |value: Option<f64>, limit: Option<f64>, id: &'static str, arg: fn(f64) -> Arg| {
            let (value, limit) = (value?, limit?);
            (value > limit).then(|| Miss {
                why: Text::new(id).with("value", arg(value)).with("limit", arg(limit)),
                by: value / limit - 1.0,
            })
        };
        let below = |value: Option<f64>, limit: Option<f64>| {
            let (value, limit) = (value?, limit?);
            (value < limit).then(|| Miss {
                why: Text::new("miss-throughput")
                    .with("value", Arg::TokensPerSecond(value))
                    .with("limit", Arg::TokensPerSecond(limit)),
                by: 1.0 - value / limit,
            })
        };
        [
            above(likely(speed.ttft_s), self.ttft_s, "miss-ttft", Arg::Seconds),
            above(likely(speed.tpot_s), self.tpot_s, "miss-tpot", Arg::Seconds),
            above(power_w, self.power_w, "miss-power", Arg::Watts),
            below(likely(speed.throughput_tokens_per_s), self.throughput),
        ]
        .into_iter()
        .flatten()
        .max_by(|a, b| a.by.total_cmp(&b.by))
    }
}
