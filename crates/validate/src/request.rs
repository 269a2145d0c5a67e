//! What can be asked.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Can the predictions be trusted?
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ValidateRequest {
    /// Measurements, with the columns of facts/measurements [default: the built-in ones]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub data: Option<PathBuf>,
    /// Write each row with its prediction here
    #[cfg_attr(feature = "clap", arg(long, value_name = "OUT"))]
    pub rows: Option<PathBuf>,
    /// Fit the parameters to the rows and write the table, here into facts/speed
    #[cfg_attr(feature = "clap", arg(long))]
    pub fit: bool,
}
