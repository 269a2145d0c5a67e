//! The claims and their checks, as people edit them.

use std::collections::BTreeMap;

use maat_base::Fault;
use serde::{Deserialize, Serialize};
use serde_json::Value;

const CLAIMS: &str = include_str!("../../../facts/guides/claims.csv");
const CHECKS: &str = include_str!("../../../facts/guides/checks.toml");

/// Which guide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Which {
    /// About GPU or CPU and choosing a server.
    #[serde(alias = "A")]
    A,
    /// About cost per TFLOP, which GPU, rent or buy.
    #[serde(alias = "B")]
    B,
}

/// What a claim is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Judgement {
    /// It is so.
    Right,
    /// It is not so.
    Wrong,
    /// It is so in some cases, or the conclusion does not follow.
    Doubtful,
    /// It was so.
    Dated,
    /// Nobody knows, or it is not for a tool to say.
    Unverified,
}

impl Judgement {
    /// All, in the order of counting.
    pub const ALL: [Self; 5] = [Self::Right, Self::Wrong, Self::Doubtful, Self::Dated, Self::Unverified];

    /// Its word in answers and messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wrong => "wrong",
            Self::Doubtful => "doubtful",
            Self::Dated => "dated",
            Self::Unverified => "unverified",
        }
    }
}

/// A claim.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Claim {
    /// Its name, such as `RB06`; its sentence is the message `guide-rb06`.
    pub id: String,
    /// The guide.
    pub guide: Which,
    /// What it was judged when somebody last looked; for a computed claim the test compares.
    pub verdict: Judgement,
    /// Whether a message `guide-rb06-why` says more.
    pub why: bool,
    /// What the judgement rests on beside the computation.
    pub source: String,
}

/// How a claim is computed.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Check {
    /// What is asked.
    pub probes: Vec<Probe>,
    /// What the claim is where all of it holds.
    #[serde(default = "right")]
    pub holds: Judgement,
    /// Where some of it holds.
    #[serde(default = "doubtful")]
    pub mixed: Judgement,
    /// Where nothing of it holds.
    #[serde(default = "wrong")]
    pub fails: Judgement,
}

/// One figure of an answer against what the guide says.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// The verb.
    pub verb: String,
    /// Its request.
    #[serde(default)]
    pub request: Value,
    /// Where in the answer the figure stands: `/rows/[name=B200]/rank`, `/memory/per_accelerator/total_bytes`,
    /// `/candidates/#` for how many.
    pub pointer: String,
    /// What it is divided by: a figure of another answer, or of the same where no verb is given.
    pub over: Option<Over>,
    /// What it is multiplied by.
    #[serde(default = "one")]
    pub scale: f64,
    /// How it is written.
    #[serde(default)]
    pub unit: Unit,
    /// What the guide says: a number, a word, yes or no.
    pub claimed: Option<Value>,
    /// How far from the number still counts, as a share of it.
    #[serde(default = "tolerance")]
    pub tolerance: f64,
    /// The least for which the claim holds.
    pub min: Option<f64>,
    /// The most for which it holds.
    pub max: Option<f64>,
}

/// The figure that one is divided by.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Over {
    /// The verb, where another.
    pub verb: Option<String>,
    /// Its request, where another.
    pub request: Option<Value>,
    /// Where the figure stands.
    pub pointer: String,
}

/// How a figure is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// As a plain number.
    #[default]
    Number,
    /// Dollars.
    Usd,
    /// Bytes.
    Bytes,
    /// A share of one.
    Share,
    /// Seconds.
    Seconds,
    /// Watts.
    Watts,
}

const fn right() -> Judgement {
    Judgement::Right
}
const fn doubtful() -> Judgement {
    Judgement::Doubtful
}
const fn wrong() -> Judgement {
    Judgement::Wrong
}
const fn one() -> f64 {
    1.0
}
const fn tolerance() -> f64 {
    0.05
}

fn unreadable(place: &str, problem: &dyn std::fmt::Display) -> Fault {
    Fault::content("guide-facts-unreadable").with("given", problem.to_string()).at(place.to_owned())
}

/// All claims, in the order of the guides.
///
/// # Errors
/// `guide-facts-unreadable`.
pub fn claims() -> Result<Vec<Claim>, Fault> {
    csv::Reader::from_reader(CLAIMS.as_bytes())
        .deserialize()
        .map(|row| row.map_err(|error| unreadable("guides/claims.csv", &error)))
        .collect()
}

/// The checks by claim.
///
/// # Errors
/// `guide-facts-unreadable`.
pub fn checks() -> Result<BTreeMap<String, Check>, Fault> {
    toml::from_str(CHECKS).map_err(|error| unreadable("guides/checks.toml", &error))
}
