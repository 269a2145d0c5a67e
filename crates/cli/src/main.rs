//! `maat`: which AI hardware, how fast, at what cost, and why.
fn main() {}
