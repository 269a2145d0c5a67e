//! Training: what it needs of each memory, and how long it takes.

mod job;

pub use job::{
    Adapters, Framework, Offload, Optimizer, Placement, Recompute, Targets, TrainJob, TrainPlan,
    TrainPrecision, Training,
};
