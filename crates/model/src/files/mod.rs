//! Readers of model files, each bounded in memory and time.

pub(crate) mod bounded;
