//! Pictures of money in letters: stacked bars of two totals, and the price of an hour over the use.

use maat_base::{Arg, Text};
use maat_economics::rent_or_buy::{CurvePoint, OwnLines, RentOrBuyBody};

use super::{shown, shown_float};
use crate::render::bar::{BLOCKS, LETTERS, flow, share_out};
use crate::render::{Page, Style};

/// Cents of an amount that is not negative, for shares of a bar.
fn cents(amount: f64) -> u64 {
    (amount.max(0.0) * 100.0) as u64
}

/// Rent and own as two bars of one scale, with what owning is made of.
pub fn bars(page: &mut Page<'_>, body: &RentOrBuyBody) {
    page.gap();
    let local = page.local;
    let signs = if page.style.unicode { BLOCKS } else { LETTERS };
    let rent = cents(body.total_rent.as_f64());
    let parts = parts(&body.own);
    let own: u64 = parts.iter().map(|(_, size)| size).sum();
    let whole = rent.max(own).max(1);
    let labels = [local.label("cost-bar-rent"), local.label("cost-bar-own")];
    let widest = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let room = page.style.width.saturating_sub(widest + 20).clamp(20, 56);
    let bar = |sizes: &[u64]| {
        let used: u64 = sizes.iter().sum();
        let mut all = sizes.to_vec();
        all.push(whole - used.min(whole));
        let cells = share_out(&all, room);
        let mut drawn = String::new();
        for (place, count) in cells.iter().take(sizes.len()).enumerate() {
            drawn.extend(std::iter::repeat_n(signs[place % signs.len()], *count));
        }
        drawn
    };
    let sizes: Vec<u64> = parts.iter().map(|(_, size)| *size).collect();
    let gross = own_gross(body);
    for (label, drawn, total) in [
        (&labels[0], bar(&[rent]), shown(local, body.total_rent)),
        (&labels[1], bar(&sizes), shown_float(local, gross, body.currency)),
    ] {
        page.line(&format!("  {label:<widest$} {drawn} {total}"));
    }
    let mut legend: Vec<String> = parts
        .iter()
        .enumerate()
        .map(|(place, (label, size))| {
            let money = shown_float(local, *size as f64 / 100.0, body.currency);
            format!("{} {} {money}", signs[place % signs.len()], local.label(label))
        })
        .collect();
    if body.own.residual.as_f64() > 0.0 {
        legend.push(format!("- {} {}", local.label("cost-line-residual"), shown(local, body.own.residual)));
    }
    for line in flow(&legend, page.style.width) {
        page.line(&line);
    }
}

/// What owning costs before what it is worth at the end.
fn own_gross(body: &RentOrBuyBody) -> f64 {
    body.total_own.as_f64() + body.own.residual.as_f64()
}

/// The lines of owning that are above zero.
fn parts(own: &OwnLines) -> Vec<(&'static str, u64)> {
    [
        ("cost-line-capital", own.capital),
        ("cost-line-financing", own.financing),
        ("cost-line-running", own.running),
        ("cost-line-energy-used", own.energy_used),
        ("cost-line-energy-idle", own.energy_idle),
    ]
    .into_iter()
    .map(|(label, money)| (label, cents(money.as_f64())))
    .filter(|(_, size)| *size > 0)
    .collect()
}

/// Rows and columns of the picture of the hour.
const ROWS: usize = 7;
const COLUMNS: usize = 60;

/// The price of an hour of work over the use, with the crossing named.
pub fn hour(page: &mut Page<'_>, body: &RentOrBuyBody) {
    let (Some(first), Some(last)) = (body.curve.first(), body.curve.last()) else { return };
    let style = page.style;
    let columns = COLUMNS.min(style.width.saturating_sub(14)).max(20);
    // What lies far above the rent only says "dear": it would flatten the rest.
    let top = (2.5 * last.rent.max(last.own)).min(first.own.max(first.rent));
    page.gap();
    let title = page.local.label("cost-chart-label");
    page.wrapped("  ", 2, &title);
    let at = |column: usize| (column as f64 + 0.5) / columns as f64;
    let row_of = |value: f64| ((1.0 - value / top) * (ROWS - 1) as f64).round();
    let signs = if style.unicode { ('█', '─', '┼') } else { ('#', '-', '+') };
    let mut grid = vec![vec![' '; columns]; ROWS];
    let mut put = |column: usize, value: f64, sign: char| {
        let row = row_of(value);
        if (0.0..ROWS as f64).contains(&row) {
            let cell = &mut grid[row as usize][column];
            *cell = if *cell == ' ' || *cell == sign { sign } else { signs.2 };
        }
    };
    for column in 0..columns {
        put(column, interpolated(&body.curve, at(column), |point| point.rent), signs.1);
        put(column, interpolated(&body.curve, at(column), |point| point.own), signs.0);
    }
    lines(page, body, &grid, top, style);
}

fn lines(page: &mut Page<'_>, body: &RentOrBuyBody, grid: &[Vec<char>], top: f64, style: &Style) {
    let local = page.local;
    let labels: Vec<String> = (0..ROWS)
        .map(|row| {
            let value = top * (1.0 - row as f64 / (ROWS - 1) as f64);
            if row % 2 == 0 { shown_float(local, value, body.currency) } else { String::new() }
        })
        .collect();
    let widest = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let side = if style.unicode { '│' } else { '|' };
    for (label, row) in labels.iter().zip(grid) {
        let row: String = row.iter().collect();
        page.line(&format!("  {label:>widest$} {side}{row}"));
    }
    let columns = grid.first().map_or(0, Vec::len);
    let mut axis = vec![' '; columns + 5];
    for share in [0.2, 0.4, 0.6, 0.8, 1.0] {
        let words = local.arg(&Arg::Share(share));
        let end = (share * columns as f64).round() as usize;
        for (place, letter) in words.chars().enumerate() {
            axis[(end + place).saturating_sub(words.chars().count())] = letter;
        }
    }
    let axis: String = axis.into_iter().collect();
    page.line(&format!("  {:>widest$}  {axis}", ""));
    let (own, rent) = if style.unicode { ('█', '─') } else { ('#', '-') };
    let mut legend = vec![
        format!("{own} {}", local.label("cost-chart-own")),
        format!("{rent} {}", local.label("cost-chart-rent")),
    ];
    if let Some(even) = body.break_even.utilisation.filter(|even| *even > 0.0 && *even <= 1.0) {
        legend.push(local.text(&Text::new("cost-chart-even").with("even", Arg::Share(even))));
    }
    for line in flow(&legend, style.width) {
        page.line(&line);
    }
}

/// A curve between its points: what is paid for all hours is a straight line of the use, so that is what is drawn out.
fn interpolated(curve: &[CurvePoint], share: f64, pick: fn(&CurvePoint) -> f64) -> f64 {
    let whole = |point: &CurvePoint| pick(point) * point.utilisation;
    let after = curve.iter().position(|point| point.utilisation >= share).unwrap_or(curve.len() - 1).max(1);
    let (a, b) = (&curve[after - 1], &curve[after]);
    let along = (share - a.utilisation) / (b.utilisation - a.utilisation);
    (whole(a) + (whole(b) - whole(a)) * along) / share
}
