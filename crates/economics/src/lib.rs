//! Seconds, watts, prices and rules to money. It knows no models and no parts: numbers with units come in, money goes
//! out, and the currencies of what comes in must agree.

mod own;
mod rate;

pub use own::{Ownership, own_per_hour};
pub use rate::{HOURS_PER_MONTH, HOURS_PER_YEAR, per_million, per_month};
