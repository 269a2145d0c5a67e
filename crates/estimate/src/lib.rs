//! Memory and time of a model, a workload, a machine and a plan.
//!
//! It judges the plan that it is given and does not look for a better one, and it knows no prices. A model becomes a
//! list of operations ([`Operation`]); memory, speed and every later question (training, `--explain`) derive from it.

mod data;
mod engine;
mod fit;
mod items;
mod job;
mod memory;
mod names;
mod operation;
mod power;
mod rules;
mod server;
mod speed;
mod training;

pub use data::{Data, DataCost, DataWork, Learner, Place, VectorIndex, amdahl, data_cost};
pub use engine::{Engines, Retired, Setting, SettingValue, Settings, Support, assumed_settings};
pub use fit::fit;
pub use items::{
    ItemCost, ItemFlops, ItemWork, TextEncoders, is_diffusion, item_cost, item_flops, item_memory,
    makes_items,
};
pub use job::{Engine, Job, KvPrecision, Parallel, Plan, ServePlan, Serving, Task};
pub use memory::{AcceleratorMemory, Limit, LimitPart, Memory, memory};
pub use operation::{Collective, Kernel, Operation, Pass, Phase, Profile};
pub use power::{HostNeeds, Needs, NetworkNeeds, Power, data_power, needs, training_needs, training_power};
pub use rules::{
    Arithmetic, Correction, Efficiencies, EngineEfficiency, Expands, HardwareEfficiency, KernelCounts,
    LinkEfficiency, MemoryEfficiency, Pipeline, ProcessorEfficiency, RoutingEfficiency, Rules, Table,
    TrainingEfficiency, Width, part_of,
};
pub use server::{PartUse, PowerFeed, ServerJob, ServerPart, power_feed, server_parts, storage_bytes_per_s};
pub use speed::{
    Bound, Bounds, Input, Seconds, Speed, Step, Times, explain, seen_of, speed, speed_as, speed_of, times,
    width_of,
};
pub use training::{
    Adapters, Checkpoints, Framework, Offload, Optimizer, Placement, Recompute, StepTimes, Targets, TrainJob,
    TrainPlan, TrainPrecision, TrainStep, Training, checkpoints, sequences_of_item, train_step,
    training_class, training_fit, training_memory, training_speed, trains_tokens,
};
