//! `cost rent-or-buy`: why, what a month costs, when it crosses, what it hangs on.

use maat_base::{Arg, Money, Text};
use maat_economics::rent_or_buy::{Ends, RentOrBuyBody, Sensitivity};

use super::{amount, chart, picture, shown_float};
use crate::render::{Cell, Column, Page, Present, Table};
use crate::{Localiser, number};

/// Inputs that are named in one line.
const NAMED: usize = 3;

impl Present for RentOrBuyBody {
    fn blocks(&self, page: &mut Page<'_>) {
        page.gap();
        page.bullets(&sentences(page.local, self));
        chart::bars(page, self);
        chart::hour(page, self);
        page.table(&figures(page.local, self));
        if page.style.explain {
            page.table(&ranking(page.local, self));
        }
    }

    fn table(&self, local: &Localiser) -> Option<Table> {
        Some(figures(local, self))
    }

    fn pictures(&self, local: &Localiser) -> Vec<String> {
        vec![picture::break_even(local, self), picture::breakdown(local, self)]
    }

    fn workbook(&self, local: &Localiser) -> Option<Vec<u8>> {
        Some(super::workbook::rent_or_buy(self, local))
    }
}

/// What could be said over the phone after the verdict.
fn sentences(local: &Localiser, body: &RentOrBuyBody) -> Vec<Text> {
    let even = &body.break_even;
    let mut all =
        vec![Text::new("cost-month-line").with("rent", body.monthly.rent).with("own", body.monthly.own)];
    if let (Some(share), Some(hours)) = (even.utilisation, even.hours_per_day) {
        let text = Text::new("cost-even-line")
            .with("even", Arg::Share(share))
            .with("hours", Arg::Number(hours))
            .with("range", range(local, even.utilisation_range));
        all.push(text);
    }
    if let (Some(months), Some(used)) = (even.months, even.used_hours) {
        let text = Text::new("cost-months-line")
            .with("months", number::fixed(local.lang(), months, 1))
            .with("used", number::whole(local.lang(), used.round() as u64));
        all.push(text);
    }
    all.push(even.why.clone());
    all.push(sureness(body));
    let inputs: Vec<Text> = body.sensitivity.iter().take(NAMED).map(one).collect();
    if !inputs.is_empty() {
        all.push(Text::new("cost-hangs-line").with("inputs", inputs));
    }
    all
}

/// Whether the inputs' ends leave room for the other answer.
fn sureness(body: &RentOrBuyBody) -> Text {
    let money = |amount: f64| Arg::Money(amount, body.currency.code().to_owned());
    match body.advantage_of_owning_range {
        [Some(low), Some(high)] if low < 0.0 && high > 0.0 => {
            Text::new("cost-open-line").with("rent", money(-low)).with("own", money(high))
        }
        [Some(low), Some(high)] => Text::new("cost-sure-line")
            .with("low", money(low.abs().min(high.abs())))
            .with("high", money(low.abs().max(high.abs()))),
        _ => Text::new("nothing"),
    }
}

fn one(input: &Sensitivity) -> Text {
    Text::new("cost-hangs-one").with("input", name(input)).with("effect", input.effect)
}

fn name(input: &Sensitivity) -> Text {
    Text::named(format!("cost-input-{}", input.input.replace('_', "-")))
}

fn range(local: &Localiser, ends: Ends) -> String {
    match ends {
        [Some(low), Some(high)] if low < high => local
            .text(&Text::new("cost-even-range").with("low", Arg::Share(low)).with("high", Arg::Share(high))),
        [Some(low), None] => local.text(&Text::new("cost-even-range-open").with("low", Arg::Share(low))),
        _ => String::new(),
    }
}

/// Renting beside owning.
fn figures(local: &Localiser, body: &RentOrBuyBody) -> Table {
    let mut table = Table::new(vec![
        Column::raw("figure"),
        Column::left("", local.label("column-figure")),
        Column::right("rent", local.label("column-rent")),
        Column::right("own", local.label("column-own")),
        Column::raw("currency"),
    ]);
    let mut row = |key: &str, label: &str, rent: Option<Money>, own: Option<Money>| {
        let cell = |money: Option<Money>| Cell::or_unknown(money.map(|money| amount(local, money)));
        let words = Cell::word(local.label(label));
        table.row(vec![Cell::raw(key), words, cell(rent), cell(own), Cell::raw(body.currency.code())]);
    };
    let own = &body.own;
    let hour = &body.hourly_at_utilisation;
    row("total", "cost-row-total", Some(body.total_rent), Some(body.total_own));
    row("hourly_at_utilisation", "cost-row-hour", Some(hour.rent), Some(hour.own));
    row("monthly", "cost-row-month", Some(body.monthly.rent), Some(body.monthly.own));
    for (key, label, money) in [
        ("capital", "cost-line-capital", own.capital),
        ("financing", "cost-line-financing", own.financing),
        ("running", "cost-line-running", own.running),
        ("energy_used", "cost-line-energy-used", own.energy_used),
        ("energy_idle", "cost-line-energy-idle", own.energy_idle),
        ("residual", "cost-line-residual", own.residual),
    ] {
        if !money.amount.is_zero() {
            row(key, label, None, Some(money));
        }
    }
    let ends = |ends: Ends| match ends {
        [Some(low), Some(high)] => {
            let words = [low, high].map(|end| shown_float(local, end, body.currency));
            Cell::new(low, format!("{} – {}", words[0], words[1]))
        }
        _ => Cell::unknown(),
    };
    table.row(vec![
        Cell::raw("total_low"),
        Cell::word(local.label("cost-row-range")),
        ends(body.total_rent_range),
        ends(body.total_own_range),
        Cell::raw(body.currency.code()),
    ]);
    table
}

/// Inputs by what they do.
fn ranking(local: &Localiser, body: &RentOrBuyBody) -> Table {
    let mut table = Table::new(vec![
        Column::left("input", local.label("column-input")),
        Column::right("low", local.label("column-low")),
        Column::right("high", local.label("column-high")),
        Column::right("effect", local.label("column-effect")),
    ]);
    for input in &body.sensitivity {
        let number = |value: f64| Cell::new(value, number::significant(local.lang(), value, 3));
        table.row(vec![
            Cell::new(input.input, local.text(&name(input))),
            number(input.low),
            number(input.high),
            amount(local, input.effect),
        ]);
    }
    table
}
