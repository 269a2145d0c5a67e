//! Money: rent or buy, electricity, what a TFLOP costs, a job, an API, carbon.

mod carbon;
mod chart;
mod decision;
mod electricity;
mod job;
mod own_or_api;
mod per_tflop;
mod picture;
mod rent_or_buy;
mod workbook;

use maat_base::{Currency, Money};

use super::Cell;
use crate::{Localiser, argument};

/// An amount as a cell.
fn amount(local: &Localiser, money: Money) -> Cell {
    Cell::new(money.as_f64(), shown(local, money))
}

fn shown(local: &Localiser, money: Money) -> String {
    argument::money(local.lang(), money.as_f64(), money.currency.code())
}

fn shown_float(local: &Localiser, amount: f64, currency: Currency) -> String {
    argument::money(local.lang(), amount, currency.code())
}
