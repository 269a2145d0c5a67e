//! What can be asked about decisions. Each holds the whole question of renting and buying, so every input of that can be
//! given here too.

use serde::{Deserialize, Serialize};

use crate::input::{Plain, Price};
use crate::rent_or_buy::RentOrBuyRequest;

/// Buy now, or rent until the next generation and buy that?
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct WaitRequest {
    /// Today's machine.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub today: RentOrBuyRequest,
    /// Months until the next generation can be had [default: 9]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", allow_hyphen_values = true))]
    pub wait_months: Option<Plain>,
    /// How many times the work of today's machine the next one does [default: 2]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", allow_hyphen_values = true))]
    pub next_speed: Option<Plain>,
    /// Purchase of the next machine [default: 1.5 times today's]
    #[cfg_attr(feature = "clap", arg(long, value_name = "MONEY", allow_hyphen_values = true))]
    pub next_buy: Option<Price>,
    /// Power of the next machine, in times today's [default: 1.4]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", allow_hyphen_values = true))]
    pub next_power: Option<Plain>,
}

/// Keep what there is, or replace it?
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ReplaceRequest {
    /// The machine that there is: --gpu and --buy describe it, --buy being what it would bring today.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub old: RentOrBuyRequest,
    /// The machine in its place, such as "4x H100 SXM"
    #[cfg_attr(feature = "clap", arg(long, value_name = "PARTS", required = true))]
    pub with: Vec<String>,
    /// Purchase of the machine in its place [default: the catalogue's]
    #[cfg_attr(feature = "clap", arg(long, value_name = "MONEY", allow_hyphen_values = true))]
    pub new_buy: Option<Price>,
    /// How many times the work of the old machine the new one does [default: by memory bandwidth]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", allow_hyphen_values = true))]
    pub speed: Option<Plain>,
}

/// A commitment, or paying for the hours that are used?
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct CommitRequest {
    /// The machine and what its hours cost on demand.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub on_demand: RentOrBuyRequest,
    /// Price of an accelerator and hour with the commitment [default: the median of the catalogue's committed offers]
    #[cfg_attr(feature = "clap", arg(long, value_name = "MONEY/h", allow_hyphen_values = true))]
    pub committed: Option<Price>,
}
