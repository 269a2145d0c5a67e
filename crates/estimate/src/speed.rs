//! How fast a job runs.

use maat_base::Range;
use serde::Serialize;

/// What holds a phase back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the contract defines the names")]
pub enum Bound {
    Compute,
    Memory,
    Network,
    Launch,
    Cpu,
    Storage,
}

/// What holds each phase back; `None` for a phase that the task does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "the contract defines the fields")]
pub struct Bounds {
    pub main: Bound,
    pub prefill: Option<Bound>,
    pub decode: Option<Bound>,
    pub step: Option<Bound>,
}

/// Speeds and times at the workload's users in steady state; `None` where the task does not have it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the contract defines the fields")]
pub struct Speed {
    pub ttft_s: Option<Range>,
    pub tpot_s: Option<Range>,
    pub decode_tokens_per_s: Option<Range>,
    pub prefill_tokens_per_s: Option<Range>,
    pub throughput_tokens_per_s: Option<Range>,
    pub requests_per_s: Option<Range>,
    pub train_tokens_per_s: Option<Range>,
    pub train_tokens_per_s_per_accelerator: Option<Range>,
    pub mfu: Option<Range>,
    pub step_s: Option<Range>,
    pub time_to_finish_s: Option<Range>,
    pub items_per_s: Option<Range>,
    pub item_s: Option<Range>,
    pub realtime_factor: Option<Range>,
    pub bound: Bounds,
    /// Which definition each metric follows, such as `vllm-bench-serve`.
    pub definitions: &'static str,
}
