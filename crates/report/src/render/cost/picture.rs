//! Pictures of money as SVG: an hour over the use with its crossing, totals line by line, two bases of a TFLOP.

use std::fmt::Write as _;

use maat_base::{Arg, Text};
use maat_economics::PerTflopBody;
use maat_economics::rent_or_buy::{CurvePoint, RentOrBuyBody};

use super::{shown, shown_float};
use crate::Localiser;
use crate::render::trace::picture::{figure, rectangle, text};

const LEFT: f64 = 90.0;
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 220.0;
const ROW: f64 = 24.0;
const RENT: &str = "#e0a030";
const LINES: [&str; 5] = ["#1f6f8b", "#8e5ea2", "#8fbf6f", "#b03a2e", "#d98880"];
/// Width of one basis of two.
const SIDE: f64 = 230.0;
/// Rows of a picture of parts.
const PARTS: usize = 12;

/// The price of an hour of use over the use.
pub fn break_even(local: &Localiser, body: &RentOrBuyBody) -> String {
    let Some(last) = body.curve.last() else { return String::new() };
    // What lies far above the rent only says "dear": it would flatten the rest.
    let top = 2.5 * last.rent.max(last.own);
    let x = |share: f64| LEFT + share * WIDTH;
    let y = |money: f64| HEIGHT - money / top * (HEIGHT - 10.0);
    let mut out = String::new();
    for part in 0..=4 {
        let money = top * f64::from(part) / 4.0;
        line(&mut out, [LEFT, y(money), LEFT + WIDTH, y(money)], "currentColor", 0.3);
        text(&mut out, 0.0, y(money) + 4.0, &shown_float(local, money, body.currency));
    }
    for share in [0.2, 0.4, 0.6, 0.8, 1.0] {
        text(&mut out, x(share) - 18.0, HEIGHT + 18.0, &local.arg(&Arg::Share(share)));
    }
    let mut course = |pick: fn(&CurvePoint) -> f64, color: &str| {
        let points: Vec<String> = body
            .curve
            .iter()
            .filter(|point| pick(point) <= top)
            .map(|point| format!("{:.1},{:.1}", x(point.utilisation), y(pick(point))))
            .collect();
        let _ = write!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"3\"/>",
            points.join(" ")
        );
    };
    course(|point| point.own, LINES[0]);
    course(|point| point.rent, RENT);
    let mut legend = vec![(LINES[0], local.label("cost-chart-own")), (RENT, local.label("cost-chart-rent"))];
    if let Some(even) = body.break_even.utilisation.filter(|even| *even > 0.0 && *even <= 1.0) {
        line(&mut out, [x(even), 0.0, x(even), HEIGHT], "#b03a2e", 1.5);
        legend.push(("#b03a2e", local.text(&Text::new("cost-chart-even").with("even", Arg::Share(even)))));
    }
    let mut at = LEFT;
    for (color, words) in legend {
        rectangle(&mut out, [at, HEIGHT + 32.0, 13.0, 13.0], color, &words);
        text(&mut out, at + 18.0, HEIGHT + 43.0, &words);
        at += 170.0;
    }
    figure(local, "cost-picture-even", HEIGHT + 56.0, &out)
}

fn line(out: &mut String, [x1, y1, x2, y2]: [f64; 4], color: &str, width: f64) {
    let _ = write!(
        out,
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{color}\" \
         stroke-width=\"{width}\"/>"
    );
}

/// Rent, and owning line by line, on one scale.
pub fn breakdown(local: &Localiser, body: &RentOrBuyBody) -> String {
    let own = &body.own;
    let lines = [
        ("cost-line-capital", own.capital),
        ("cost-line-financing", own.financing),
        ("cost-line-running", own.running),
        ("cost-line-energy-used", own.energy_used),
        ("cost-line-energy-idle", own.energy_idle),
    ];
    let gross: f64 = lines.iter().map(|(_, money)| money.as_f64().max(0.0)).sum();
    let whole = gross.max(body.total_rent.as_f64()).max(f64::MIN_POSITIVE);
    let mut out = String::new();
    let rent = body.total_rent.as_f64() / whole * WIDTH;
    let words = format!("{} {}", local.label("cost-bar-rent"), shown(local, body.total_rent));
    text(&mut out, 0.0, 18.0, &local.label("cost-bar-rent"));
    rectangle(&mut out, [LEFT, 2.0, rent, 26.0], RENT, &words);
    text(&mut out, 0.0, 52.0, &local.label("cost-bar-own"));
    let (mut x, mut y) = (LEFT, 92.0);
    text(&mut out, LEFT, y - 10.0, &words);
    for ((label, money), color) in lines.into_iter().zip(LINES) {
        let amount = money.as_f64();
        if amount <= 0.0 {
            continue;
        }
        let words = format!("{} {}", local.label(label), shown(local, money));
        rectangle(&mut out, [x, 36.0, amount / whole * WIDTH, 26.0], color, &words);
        rectangle(&mut out, [LEFT, y, 13.0, 13.0], color, &words);
        text(&mut out, LEFT + 20.0, y + 11.0, &words);
        (x, y) = (x + amount / whole * WIDTH, y + ROW);
    }
    if own.residual.as_f64() > 0.0 {
        let words = format!("- {} {}", local.label("cost-line-residual"), shown(local, own.residual));
        text(&mut out, LEFT + 20.0, y + 11.0, &words);
        y += ROW;
    }
    figure(local, "cost-picture-breakdown", y, &out)
}

/// The price of a TFLOP on the printed basis beside that of this answer.
pub fn two_bases(local: &Localiser, body: &PerTflopBody) -> String {
    let rows: Vec<_> = body
        .rows
        .iter()
        .take(PARTS)
        .map(|row| (row.name.as_str(), row.per_unit_vendor_headline, row.per_unit_hour.as_f64()))
        .collect();
    let top = rows.iter().map(|(_, printed, here)| printed.unwrap_or(0.0).max(*here)).fold(0.0, f64::max);
    if top <= 0.0 {
        return String::new();
    }
    let mut out = String::new();
    let mut y = 0.0;
    for (name, printed, here) in rows {
        text(&mut out, 0.0, y + 16.0, name);
        let mut bar = |left: f64, value: f64, color: &str| {
            let words = super::per_tflop::unit_price(local, body, value);
            rectangle(&mut out, [left, y + 3.0, value / top * (SIDE - 70.0), ROW - 6.0], color, &words);
            text(&mut out, left + value / top * (SIDE - 70.0) + 6.0, y + 16.0, &words);
        };
        if let Some(printed) = printed {
            bar(200.0, printed, RENT);
        }
        bar(200.0 + SIDE + 20.0, here, LINES[0]);
        y += ROW;
    }
    figure(local, "cost-picture-bases", y, &out)
}
