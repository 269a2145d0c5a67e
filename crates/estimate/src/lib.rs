//! Memory and time of a model, a workload, a machine and a plan.
//!
//! It judges the plan that it is given and does not look for a better one, and it knows no prices.

mod job;
mod memory;
mod power;
mod speed;

pub use job::{Engine, Job, KvPrecision, Plan, Task, Workload};
pub use memory::{AcceleratorMemory, Limit, LimitPart, Memory};
pub use power::Power;
pub use speed::{Bound, Bounds, Speed};
