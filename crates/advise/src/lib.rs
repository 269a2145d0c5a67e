//! The planner: plans for one machine (`size`), plans over the catalogue (`advise`).
//!
//! It composes `estimate` (does this plan fit, how fast is it) with `catalogue` (what is there) and `economics` (what
//! does it cost), lists what it assumed, and says why. It holds no formula of memory, time or money.

mod advise;
mod answer;
mod argv;
mod candidates;
mod case;
mod choice;
mod compare;
mod cost;
mod cpu_or_gpu;
mod data;
mod deploy;
mod here;
mod items;
mod limits;
mod lints;
mod money;
mod nearest;
mod notes;
mod pareto;
mod plans;
mod reasons;
mod request;
mod resolve;
mod search;
mod server;
mod settings;
mod size;
mod smallest;
mod supply;
mod training;
mod view;
mod work;
mod world;

pub use advise::advise;
pub use answer::{
    AdviseBody, Alternative, Candidate, Cost, CostBasis, CpuOrGpu, Crossing, Gain, HereView, MachineView,
    Nearest, PlanView, Rejected, Searched, SizeBody, Smallest, TrainView, Tried, UnrankedOffer,
};
pub use argv::{argv, shell_line};
pub use compare::{Comparison, Way};
pub use data::{DataRequest, is_data};
pub use deploy::{Deploy, DeployFile, DeployTarget};
pub use items::ItemRequest;
pub use maat_estimate::Step;
pub use money::{
    ApiBody, JobBody, JobRequest, JobRow, OwnOrApiBody, OwnOrApiRequest, PriceRequest, job, own_or_api,
};
pub use request::{
    AdviseRequest, CountOrAuto, EngineChoice, LimitRequest, Objective, Side, SizeRequest, Switch, WorkRequest,
};
pub use server::{ServerView, Slack};
pub use size::size;
pub use training::{TrainingRequest, trains};
pub use world::World;
