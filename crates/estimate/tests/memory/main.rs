//! Memory by hand calculation, against start-up logs, and by its laws.

#[path = "../common/mod.rs"]
mod common;

mod build;
mod exact;
mod limits;
mod llamacpp_logs;
mod properties;
mod questions;
mod shards;
mod vllm_logs;
