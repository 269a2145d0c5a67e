//! The whole server: which of its parts is scarce, what is left of the others, until when it will do.

mod growth;
mod lints;
mod view;

pub use growth::{Headroom, most_users};
pub use lints::findings;
pub use lints::{too_little_memory, too_soon, waiting};
pub use view::{Pace, ServerView, Slack, Whole, flat_out, pace_of_serving, pace_of_training};
