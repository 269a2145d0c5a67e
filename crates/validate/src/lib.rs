//! Can the predictions be trusted? Predictions beside public measurements, the fit of the parameters, and the ranges.
//!
//! A row of measurements becomes a [`Case`](case::Case): a model, a machine, a plan and the work, read from the row's
//! columns other than `value`. Its prediction comes from the same functions of `maat-estimate` that `size` calls.

mod answer;
mod calibrate;
mod case;
mod files;
mod fit;
mod group;
mod model;
mod naive;
mod parts;
mod predict;
mod published;
mod reader;
mod request;
mod row;
mod serve;
mod software;
mod train;
mod validate;

pub use answer::{LeftOutGroups, Point, SkippedRows, ValidateBody};
pub use calibrate::calibrate;
pub use group::Group;
pub use request::ValidateRequest;
pub use validate::{Validated, validate};

use case::Skip;
