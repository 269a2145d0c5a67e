//! The planner: plans for one machine (`size`), plans over the catalogue (`advise`).
mod answer;
pub use answer::*;
