//! Questions about money that need a model: what a job costs on a machine, and when one's own tokens are cheaper than an
//! API's. Speed and power come out of `size`, prices and rules out of `economics`.

mod job;
mod machine;
mod own_or_api;

pub use job::{JobBody, JobRequest, JobRow, job};
pub use machine::PriceRequest;
pub use own_or_api::{ApiBody, OwnOrApiBody, OwnOrApiRequest, own_or_api};
