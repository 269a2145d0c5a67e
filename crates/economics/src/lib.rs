//! Seconds, watts, prices and rules to money and carbon. It knows no models: what a job takes is computed elsewhere and
//! comes in as hours.
//!
//! The formulas are pure: [`rent_or_buy::Plan`] and [`rent_or_buy::totals`], [`Interruptions`], [`Ownership`],
//! [`per_million`]. Around them stand the questions of `maat cost`, each a function from a request, the catalogue and
//! the terms of an answer (day, currency) to an answer. Money is decimal and in one currency; an input that nobody gave
//! is listed under `assumed` with its source and date.

mod book;
mod carbon;
mod decide;
mod electricity;
mod input;
mod machine;
mod own;
mod own_or_api;
mod per_tflop;
mod prices;
mod rate;
pub mod rent_or_buy;
mod spot;

pub use carbon::{CarbonBody, CarbonRequest, carbon};
pub use decide::{
    CommitRequest, DecisionBody, ReplaceRequest, Turn, WaitRequest, Way, commit, replace, wait,
};
pub use electricity::{ElectricityBody, ElectricityRequest, electricity};
pub use input::{Loan, Per, Plain, Price, TariffChoice, Tokens, YearlyRate};
pub use own::{Ownership, own_per_hour};
pub use own_or_api::{OwnOrApi, blended};
pub use per_tflop::{PerTflopBody, PerTflopRequest, PerTflopRow, TflopBasis, TflopPreset, per_tflop};
pub use prices::{Prices, prices};
pub use rate::{HOURS_PER_MONTH, HOURS_PER_YEAR, hours_of_work, per_million, per_month, written_off};
pub use spot::{Interruptions, billed_per_used, spot_break_even};
