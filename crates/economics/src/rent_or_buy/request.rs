//! What can be asked about renting or buying. A field is a flag of the command line (feature `clap`), a query parameter
//! of the server and a keyword argument, all of the same name; its doc comment is the flag's help.

use maat_base::{ByteSize, Period, Share, Watts};
use maat_catalogue::PriceKind;
use serde::{Deserialize, Serialize};

use crate::input::{Loan, Plain, Price, TariffChoice, YearlyRate};

/// Rent or buy?
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct RentOrBuyRequest {
    /// Accelerators of a node, such as "8x H100 SXM"
    #[cfg_attr(feature = "clap", arg(long, value_name = "PARTS"))]
    pub gpu: Vec<String>,
    /// Nodes of this kind [default: 1]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N"))]
    pub nodes: Option<u32>,
    /// Rent of one accelerator, such as 2.90/h [default: the median of the catalogue's offers]
    #[cfg_attr(feature = "clap", arg(long, value_name = "MONEY/h", allow_hyphen_values = true))]
    pub rent: Option<Price>,
    /// Rent of the whole machine, such as 98.32/h
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "MONEY/h", allow_hyphen_values = true, conflicts_with = "rent")
    )]
    pub rent_total: Option<Price>,
    /// Kind of offer that is rented: on-demand, spot, marketplace, committed [default: on-demand]
    #[cfg_attr(feature = "clap", arg(long, value_name = "KIND"))]
    pub kind: Option<PriceKind>,
    /// Purchase of the whole machine [default: the catalogue's]
    #[cfg_attr(feature = "clap", arg(long, value_name = "MONEY", allow_hyphen_values = true))]
    pub buy: Option<Price>,
    /// Purchase of each accelerator, with its share of the machine around it
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "MONEY", allow_hyphen_values = true, conflicts_with = "buy")
    )]
    pub buy_each: Option<Price>,
    /// Share of all hours that it works, such as 60%
    #[cfg_attr(feature = "clap", arg(long, value_name = "SHARE", allow_hyphen_values = true))]
    pub utilisation: Option<Share>,
    /// Hours a month that it works, in the place of --utilisation
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "N", allow_hyphen_values = true, conflicts_with = "utilisation")
    )]
    pub hours_per_month: Option<Plain>,
    /// Hours a day that it works, in the place of --utilisation
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", allow_hyphen_values = true, conflicts_with_all = ["utilisation", "hours_per_month"]))]
    pub hours_per_day: Option<Plain>,
    /// Years that are compared [default: 3]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", allow_hyphen_values = true))]
    pub years: Option<Plain>,
    /// Value added tax on all prices, where it cannot be reclaimed, such as 21% [default: prices without it]
    #[cfg_attr(feature = "clap", arg(long, value_name = "SHARE", allow_hyphen_values = true))]
    pub vat: Option<Share>,
    /// No discount, residual, staff, energy or upkeep unless given
    #[cfg_attr(feature = "clap", arg(long))]
    pub bare: bool,
    /// One flat figure for all hours, such as 8.79/h; the itemised lines are then off
    #[cfg_attr(feature = "clap", arg(long, value_name = "MONEY/h", allow_hyphen_values = true))]
    pub running_cost: Option<Price>,
    /// Hours of a month [default: 730]
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", allow_hyphen_values = true))]
    pub hours_per_month_convention: Option<Plain>,
    /// A candidate of this answer of `maat advise --json`, or - for standard input
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub from: Option<String>,
    /// What owning costs.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub own: OwnRequest,
    /// How it is rented.
    #[serde(flatten)]
    #[cfg_attr(feature = "clap", command(flatten))]
    pub rented: RentRequest,
}

/// What owning costs, line by line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", command(next_help_heading = "Owning"))]
pub struct OwnRequest {
    /// Price of a kWh, or country and band: 0.10, NL:IC
    #[cfg_attr(feature = "clap", arg(long, value_name = "MONEY|AREA:BAND", allow_hyphen_values = true))]
    pub tariff: Option<TariffChoice>,
    /// Power usage effectiveness of the place
    #[cfg_attr(feature = "clap", arg(long, value_name = "RATIO", allow_hyphen_values = true))]
    pub pue: Option<Plain>,
    /// Power of the whole machine while it works, such as 8kW [default: from its parts]
    #[cfg_attr(feature = "clap", arg(long, value_name = "POWER"))]
    pub power: Option<Watts>,
    /// Power of the whole machine while it waits
    #[cfg_attr(feature = "clap", arg(long, value_name = "POWER"))]
    pub idle_power: Option<Watts>,
    /// Worth at the end, as a share of the purchase
    #[cfg_attr(feature = "clap", arg(long, value_name = "SHARE", allow_hyphen_values = true))]
    pub residual: Option<Share>,
    /// Discount of later money, a year
    #[cfg_attr(feature = "clap", arg(long, value_name = "RATE/y", allow_hyphen_values = true))]
    pub discount: Option<YearlyRate>,
    /// Loan for the purchase: interest a year and term, such as 8%:36m
    #[cfg_attr(feature = "clap", arg(long, value_name = "RATE:TERM"))]
    pub loan: Option<Loan>,
    /// Upkeep and support a year, as a share of the purchase
    #[cfg_attr(feature = "clap", arg(long, value_name = "RATE/y", allow_hyphen_values = true))]
    pub maintenance: Option<YearlyRate>,
    /// Parts that fail and are replaced a year, as a share of the purchase
    #[cfg_attr(feature = "clap", arg(long, value_name = "RATE/y", allow_hyphen_values = true))]
    pub failures: Option<YearlyRate>,
    /// People that look after it, such as 0.2
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", allow_hyphen_values = true))]
    pub staff: Option<Plain>,
    /// What one of them costs a year
    #[cfg_attr(feature = "clap", arg(long, value_name = "MONEY/y", allow_hyphen_values = true))]
    pub staff_cost: Option<Price>,
    /// Space in a data centre, such as 200/kW-month
    #[cfg_attr(feature = "clap", arg(long, value_name = "MONEY/kW-month", allow_hyphen_values = true))]
    pub colo: Option<Price>,
    /// Network between nodes, racks and spares, beside the machines
    #[cfg_attr(feature = "clap", arg(long, value_name = "MONEY", allow_hyphen_values = true))]
    pub network_cost: Option<Price>,
}

/// How it is rented.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
#[cfg_attr(feature = "clap", command(next_help_heading = "Renting"))]
pub struct RentRequest {
    /// What the rent does a year, such as -5%/y
    #[cfg_attr(feature = "clap", arg(long, value_name = "RATE/y", allow_hyphen_values = true))]
    pub rent_path: Option<YearlyRate>,
    /// The rent is paid for all hours, used or not (a commitment)
    #[cfg_attr(feature = "clap", arg(long))]
    pub all_hours: bool,
    /// Least time that a session is billed for, such as 1h; with --session
    #[cfg_attr(feature = "clap", arg(long, value_name = "TIME"))]
    pub minimum_billing: Option<Period>,
    /// Usual length of a session, such as 20m
    #[cfg_attr(feature = "clap", arg(long, value_name = "TIME"))]
    pub session: Option<Period>,
    /// How often a spot machine is taken away, times an hour
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", allow_hyphen_values = true))]
    pub interruptions: Option<Plain>,
    /// Time between checkpoints, of which half is lost at each interruption
    #[cfg_attr(feature = "clap", arg(long, value_name = "TIME"))]
    pub checkpoint_every: Option<Period>,
    /// Share of the time that writing checkpoints takes
    #[cfg_attr(feature = "clap", arg(long, value_name = "SHARE", allow_hyphen_values = true))]
    pub checkpoint_overhead: Option<Share>,
    /// Time to start again after an interruption
    #[cfg_attr(feature = "clap", arg(long, value_name = "TIME"))]
    pub restart: Option<Period>,
    /// Data kept at the provider, such as 2TB
    #[cfg_attr(feature = "clap", arg(long, value_name = "SIZE"))]
    pub storage: Option<ByteSize>,
    /// Price of keeping data, such as 0.02/GB-month
    #[cfg_attr(feature = "clap", arg(long, value_name = "MONEY/GB-month", allow_hyphen_values = true))]
    pub storage_price: Option<Price>,
    /// Data taken out a month, such as 500GB
    #[cfg_attr(feature = "clap", arg(long, value_name = "SIZE"))]
    pub egress: Option<ByteSize>,
    /// Price of taking data out, such as 0.09/GB
    #[cfg_attr(feature = "clap", arg(long, value_name = "MONEY/GB", allow_hyphen_values = true))]
    pub egress_price: Option<Price>,
}
