//! Training: what it needs of each memory, and how long it takes.

mod job;
mod memory;
mod speed;

pub use job::{
    Adapters, Framework, Offload, Optimizer, Placement, Recompute, Targets, TrainJob, TrainPlan,
    TrainPrecision, Training,
};
pub use memory::{sequences_of_item, training_fit, training_memory, trains_tokens};
pub use speed::{Checkpoints, StepTimes, TrainStep, checkpoints, train_step, training_class, training_speed};
