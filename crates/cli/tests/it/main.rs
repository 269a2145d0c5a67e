//! The command as its users run it: the real binary in a home of its own.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod catalogue;
mod common_flags;
mod context;
mod cost;
mod diagnose;
mod doctor;
mod faults;
mod guide;
mod help;
mod import;
mod json;
mod model;
mod readme;
mod server;
mod size;
mod training;
mod validate;
