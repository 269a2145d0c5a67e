//! `catalogue`: lists, one part, parts beside each other, offers, what is wrong in the facts.

mod compare;
mod files;
mod history;
mod import;
mod lint;
mod list;
mod offers;
mod show;

use maat_base::{Arg, Bytes};
use maat_catalogue::{AcceleratorView, NumberType, RateView};

use super::Cell;
use crate::{Localiser, argument};

/// Gibibytes as a label says them: a memory part's GB is 2^30.
fn label_size(local: &Localiser, bytes: Bytes) -> Cell {
    let gib = bytes.as_gib();
    let decimals = usize::from(gib.fract() != 0.0);
    Cell::new(bytes.0, format!("{} GiB", crate::number::fixed(local.lang(), gib, decimals)))
}

fn bandwidth(local: &Localiser, rate: Option<f64>) -> Cell {
    Cell::or_unknown(rate.map(|rate| Cell::new(rate, argument::bandwidth(local.lang(), rate))))
}

fn watts(local: &Localiser, power: Option<f64>) -> Cell {
    Cell::or_unknown(power.map(|power| Cell::new(power, local.arg(&Arg::Watts(power)))))
}

/// The dense rate of a type, in TFLOP/s for people.
fn rate(local: &Localiser, part: &AcceleratorView, number: NumberType) -> Cell {
    let rate = part.rates.iter().find(|rate| rate.number == number);
    Cell::or_unknown(rate.map(|rate| tera(local, rate)))
}

fn tera(local: &Localiser, rate: &RateView) -> Cell {
    let tera = rate.flop_per_s / 1e12;
    let digits = if tera >= 1000.0 { 4 } else { 3 };
    Cell::new(rate.flop_per_s, crate::number::significant(local.lang(), tera, digits))
}

/// The name of a value as the JSON has it.
fn code(value: &impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(name)) => name,
        _ => String::new(),
    }
}
