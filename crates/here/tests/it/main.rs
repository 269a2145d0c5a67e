//! Machines that are not at hand, as copies of what they show.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod hostile;
mod limits;
mod machines;
mod tree;
