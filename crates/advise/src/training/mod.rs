//! Training: requests to cases, plans, and the answer of `size`.

mod advise;
mod case;
mod nearest;
mod plans;
mod request;
mod resolve;
mod size;
mod work;

pub use advise::advise;
pub use case::{TrainCase, TrainJudged};
pub use request::TrainingRequest;
pub use size::size;
pub use work::trains;
