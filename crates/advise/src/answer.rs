//! What `size` and `advise` answer, field by field as the contract has it.

use maat_base::{Bytes, Currency, Date, Finding, Money, Text};
use maat_estimate::{HostNeeds, Limit, Memory, NetworkNeeds, Power, Speed, Step};
use maat_model::ModelSummary;
use serde::Serialize;

/// The plan that was judged, given or chosen.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the contract defines the fields")]
pub struct PlanView {
    /// The engine that serves, or the framework that trains.
    pub engine: &'static str,
    pub engine_version: Option<String>,
    pub precision: String,
    /// Of the cache; `None` where nothing is cached.
    pub kv_precision: Option<String>,
    pub tp: u32,
    pub pp: u32,
    pub dp: u32,
    pub ep: u32,
    pub cp: u32,
    pub replicas: u32,
    pub zero: Option<u8>,
    pub recompute: Option<&'static str>,
    pub offload: Option<&'static str>,
    pub micro_batch: Option<u64>,
    /// Layers on the accelerators, where not all are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpu_layers: Option<u64>,
}

/// The machine that was judged.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the contract defines the fields")]
pub struct MachineView {
    pub name: String,
    /// Of all nodes.
    pub accelerators: u32,
    pub nodes: u32,
    /// Of one accelerator; on a CPU machine of the memory.
    pub capacity_bytes: Option<Bytes>,
    pub slice: Option<String>,
}

/// A change that was tried and fits.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Nearest {
    /// What changes: the name of a request's field.
    pub change: &'static str,
    /// The whole command.
    pub argv: Vec<String>,
    /// The same in words.
    pub text: Text,
}

/// Another way to divide the same machine.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the contract defines the fields")]
pub struct Alternative {
    pub plan: PlanView,
    pub tpot_s: Option<maat_base::Range>,
    pub throughput_tokens_per_s: Option<maat_base::Range>,
    pub fits: bool,
}

/// A count that was tried for `?x`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tried {
    /// Accelerators of a node.
    pub count: u32,
    /// Whether it fits.
    pub fits: bool,
    /// Why not.
    pub limit: Option<Limit>,
}

/// The smallest number of a card that holds the job.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Smallest {
    pub name: String,
    pub count: u32,
    pub capacity_bytes: Bytes,
    pub free_bytes: i64,
}

/// What a training job comes to.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct TrainView {
    pub framework: &'static str,
    pub optimizer: &'static str,
    /// Parameters that are trained: the adapters' where there are any.
    pub trainable_params: u64,
    pub tokens_per_step: Option<f64>,
    /// Steps of the job, where its length is known.
    pub steps: Option<f64>,
    /// How the job is saved, and what failures cost it: part of the time to finish.
    pub checkpoints: Option<maat_estimate::Checkpoints>,
    /// Where the time of a step goes, in seconds.
    pub step_parts_s: Option<maat_estimate::StepTimes>,
}

/// What one image or clip takes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ItemView {
    /// `image` or `clip`.
    pub unit: &'static str,
    /// Floating-point operations.
    pub flops: maat_estimate::ItemFlops,
    /// Of all of it.
    pub total_flops: f64,
}

/// What `size` answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the contract defines the fields")]
pub struct SizeBody {
    /// `None` for work without a model.
    pub model: Option<ModelSummary>,
    pub plan: PlanView,
    pub machine: Option<MachineView>,
    pub memory: Memory,
    pub fits: Option<bool>,
    pub limit: Option<Limit>,
    pub nearest: Vec<Nearest>,
    pub alternatives: Vec<Alternative>,
    pub speed: Option<Speed>,
    pub power: Option<Power>,
    pub host: Option<HostNeeds>,
    pub network: Option<NetworkNeeds>,
    /// What a training job comes to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub training: Option<TrainView>,
    /// What one image or clip takes, of models that write no text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub item: Option<ItemView>,
    /// The counts tried for `?x`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tried: Vec<Tried>,
    /// Without hardware: the smallest cards and counts that hold it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub smallest: Vec<Smallest>,
    /// Reasons in words, the most telling first.
    pub reasons: Vec<Text>,
    /// The command that looks for other hardware for the same work.
    pub advise_argv: Vec<String>,
    /// How the speed came about, where that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub explain: Vec<Step>,
    /// What competes with this machine, or with this way to use it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comparisons: Vec<crate::Comparison>,
    /// What of the whole server is scarce; `None` without a machine, or where it does not fit.
    pub server: Option<crate::server::ServerView>,
    /// Of work without a model, on a machine with both sides: which one does it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cpu_or_gpu: Option<CpuOrGpu>,
}

/// What a candidate costs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the contract defines the fields")]
pub struct Cost {
    pub basis: CostBasis,
    /// Of the whole machine.
    pub hourly: Option<Money>,
    pub monthly: Option<Money>,
    pub per_million_tokens: Option<Money>,
    pub per_million_tokens_range: Option<[f64; 2]>,
    pub per_job: Option<Money>,
    pub purchase: Option<Money>,
    pub currency: Currency,
    pub price_date: Option<Date>,
    pub source: String,
}

/// Rented or owned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum CostBasis {
    Rent,
    Own,
}

/// One way to get the job done.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the contract defines the fields")]
pub struct Candidate {
    pub rank: usize,
    /// Kind of offer: `on-demand`, `spot`, `marketplace`, `committed`, `purchase`.
    pub kind: String,
    pub provider: Option<String>,
    pub offer: Option<String>,
    pub region: Option<String>,
    pub machine: MachineView,
    pub plan: PlanView,
    pub memory: Memory,
    pub speed: Speed,
    pub power: Option<Power>,
    pub cost: Cost,
    pub reasons: Vec<Text>,
    pub findings: Vec<Finding>,
    /// The command that shows it closer by.
    pub argv: Vec<String>,
    /// With `--here`: how many times as fast as this machine it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<Gain>,
}

/// How many times as fast another machine is than this one, by each figure that both have; likely over likely.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Gain {
    /// Tokens per second that one user sees written.
    pub decode: Option<f64>,
    /// Tokens per second of one prompt alone.
    pub prefill: Option<f64>,
    /// Output tokens per second of all users.
    pub throughput: Option<f64>,
    /// Trained tokens per second.
    pub train: Option<f64>,
    /// Items per second.
    pub items: Option<f64>,
    /// Jobs of this size per second.
    pub finish: Option<f64>,
}

/// What this machine does of the job.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HereView {
    /// The machine.
    pub machine: MachineView,
    /// Whether it does the job within the limits.
    pub does: bool,
    /// What it misses; `None` where it does the job.
    pub why: Option<Text>,
    /// How fast it is, also where that is too slow.
    pub speed: Option<Speed>,
    /// Of this machine with the named cards: how many times as fast as without them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<Gain>,
    /// What one would gain, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reasons: Vec<Text>,
    /// The same with the accelerators that the request names in the place of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub with: Option<Box<HereView>>,
}

/// A machine that was looked at and does not do.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rejected {
    /// Its name.
    pub machine: String,
    /// Which limit it misses.
    pub why: Text,
    /// By how much, as a share of the limit.
    pub misses_by: Option<f64>,
}

/// Whether a GPU is worth it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CpuOrGpu {
    /// `cpu` or `gpu`.
    pub answer: &'static str,
    /// Why.
    pub because: Vec<Text>,
    /// Where the answer changes.
    pub crossing: Option<Crossing>,
    /// How many times faster the best GPU is than the best CPU.
    pub speed_ratio: Option<f64>,
}

/// Where an answer changes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the contract defines the fields")]
pub struct Crossing {
    pub quantity: &'static str,
    pub value: f64,
    pub unit: &'static str,
}

/// What `advise` answers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the contract defines the fields")]
pub struct AdviseBody {
    /// `None` for work without a model.
    pub model: Option<ModelSummary>,
    pub candidates: Vec<Candidate>,
    /// Indices into `candidates` that no other beats in cost, latency and throughput at once.
    pub pareto: Vec<usize>,
    pub rejected: Vec<Rejected>,
    pub cpu_or_gpu: Option<CpuOrGpu>,
    /// What competes with each other for this job.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub comparisons: Vec<crate::Comparison>,
    /// What of the first candidate's server is scarce.
    pub server: Option<crate::server::ServerView>,
    /// How to start the first candidate's plan, where that was asked for.
    pub deploy: Option<crate::Deploy>,
    /// Offers whose part is not certain: never ranked.
    pub unranked: Vec<UnrankedOffer>,
    /// How many machines were looked at.
    pub searched: Searched,
    /// With `--here`: what this machine does of the job.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub here: Option<HereView>,
}

/// An offer that may fit but whose form is not known.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct UnrankedOffer {
    pub provider: String,
    pub offer: String,
    pub accelerator: String,
    pub why: Text,
}

/// The size of the search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct Searched {
    pub machines: usize,
    pub plans: usize,
    pub fitting: usize,
}
