//! `catalogue history`: what a part cost over time, as rows with a bar each, and as a course in a picture.

use std::fmt::Write as _;

use maat_base::{Arg, Text};
use maat_catalogue::{HistoryBody, PricePoint, PriceSeries};

use crate::render::trace::picture::{figure, rectangle, text as words_at};
use crate::render::{Cell, Column, Page, Present, Table, command};
use crate::{Localiser, argument, number};

/// Periods of a series that a page shows unless more is asked for: the latest.
const SHOWN: usize = 12;
/// Days of a month.
const DAYS_PER_MONTH: f64 = 365.25 / 12.0;
/// Letters of a bar.
const BAR: usize = 22;
/// How many times the largest median the scale reaches: what lies far above only says "dear" and would flatten the rest.
const REACH: f64 = 2.5;

impl Present for HistoryBody {
    fn blocks(&self, page: &mut Page<'_>) {
        let main = [self.main(true), self.main(false)];
        let is_shown = |series: &PriceSeries| {
            page.style.explain || series.points.len() > 1 && main.iter().flatten().any(|one| *one == series)
        };
        let (shown, brief): (Vec<_>, Vec<_>) = self.series.iter().partition(|series| is_shown(series));
        for series in shown {
            whole(page, self, series);
        }
        page.gap();
        for series in brief {
            let Some(last) = series.points.last() else { continue };
            let [_, median, _] = money(page.local, self, series, last);
            let text =
                Text::new(if series.is_rent { "history-brief-rent" } else { "history-brief-purchase" })
                    .with("kind", kind(series))
                    .with("price", median)
                    .with("period", last.period.as_str())
                    .with("n", last.prices)
                    .with("periods", series.points.len());
            page.bullet(&text);
        }
    }

    fn table(&self, local: &Localiser) -> Option<Table> {
        let mut table = Table::new(vec![
            Column::left("kind", local.label("column-kind")),
            Column::left("period", local.label("column-period")),
            Column::right("low", local.label("column-low")),
            Column::right("median", local.label("column-median")),
            Column::right("high", local.label("column-high")),
            Column::right("prices", local.label("column-prices")),
            Column::raw("first_day"),
            Column::raw("currency"),
        ]);
        for series in &self.series {
            for point in &series.points {
                let [low, median, high] = money(local, self, series, point);
                table.row(vec![
                    Cell::new(series.kind.as_str(), local.text(&kind(series))),
                    Cell::word(point.period.as_str()),
                    Cell::new(point.low, low),
                    Cell::new(point.median, median),
                    Cell::new(point.high, high),
                    Cell::new(point.prices, number::whole(local.lang(), u64::from(point.prices))),
                    Cell::raw(point.first_day.to_string()),
                    Cell::raw(self.currency.code()),
                ]);
            }
        }
        Some(table)
    }

    fn next(&self) -> Vec<(Text, String)> {
        let rent = self.main(true).filter(|series| series.kind != "average");
        let Some(change) = rent.and_then(PriceSeries::change_per_year) else { return Vec::new() };
        let path = format!("{:+.0}%/y", change * 100.0);
        let argv = ["maat", "cost", "rent-or-buy", "--gpu", &self.name, "--rent-path", &path];
        vec![(Text::new("history-next-path"), command(argv))]
    }

    fn pictures(&self, local: &Localiser) -> Vec<String> {
        let (rents, purchases): (Vec<_>, Vec<_>) = self.series.iter().partition(|series| series.is_rent);
        [("history-picture-rent", rents), ("history-picture-purchase", purchases)]
            .into_iter()
            .filter(|(_, of)| of.iter().any(|series| series.points.len() > 1))
            .map(|(heading, of)| course(local, self, heading, &of))
            .collect()
    }
}

/// A series with all its periods.
fn whole(page: &mut Page<'_>, body: &HistoryBody, series: &PriceSeries) {
    page.gap();
    let heading = page.local.text(&heading(series));
    page.line(&heading);
    let most = if page.style.explain { usize::MAX } else { SHOWN };
    let skipped = series.points.len().saturating_sub(most);
    let table = rows(page.local, body, series, &series.points[skipped..], page.style.unicode);
    page.table(&table);
    if skipped > 0 {
        let more = page.local.text(&Text::new("history-more").with("n", skipped));
        page.wrapped("  ", 2, &more);
    }
    if let (Some(change), Some(days)) = (series.same_providers_change, series.same_providers_days) {
        let id = if change < 0.0 { "history-change-down" } else { "history-change-up" };
        let text = Text::new(id)
            .with("n", series.same_providers)
            .with("change", Arg::Share(change.abs()))
            .with("months", (days / DAYS_PER_MONTH).round().max(1.0) as u64);
        page.bullet(&text);
    }
}

fn kind(series: &PriceSeries) -> Text {
    let text = Text::named(series.kind_message());
    text.with("kind", series.kind.as_str())
}

fn heading(series: &PriceSeries) -> Text {
    let id = if series.is_rent { "history-heading-rent" } else { "history-heading-purchase" };
    Text::new(id).with("kind", kind(series))
}

fn money(local: &Localiser, body: &HistoryBody, series: &PriceSeries, point: &PricePoint) -> [String; 3] {
    [point.low, point.median, point.high].map(|amount| {
        let amount = if series.is_rent { amount } else { amount.round() };
        argument::money(local.lang(), amount, body.currency.code())
    })
}

fn scale(points: &[PricePoint]) -> f64 {
    let largest = |pick: fn(&PricePoint) -> f64| points.iter().map(pick).fold(0.0, f64::max);
    largest(|point| point.high).min(REACH * largest(|point| point.median)).max(f64::MIN_POSITIVE)
}

fn rows(
    local: &Localiser,
    body: &HistoryBody,
    series: &PriceSeries,
    points: &[PricePoint],
    unicode: bool,
) -> Table {
    let mut table = Table::new(vec![
        Column::whole("", local.label("column-period")),
        Column::whole("", local.label("column-history-bar")),
        Column::right("", local.label("column-low")),
        Column::right("", local.label("column-median")),
        Column::right("", local.label("column-high")),
        Column::right("", local.label("column-prices")),
    ]);
    let top = scale(points);
    for point in points {
        let [low, median, high] = money(local, body, series, point);
        table.row(vec![
            Cell::word(point.period.as_str()),
            Cell::word(bar(point, top, unicode)),
            Cell::word(low),
            Cell::word(median),
            Cell::word(high),
            Cell::word(number::whole(local.lang(), u64::from(point.prices))),
        ]);
    }
    table
}

/// From the lowest to the highest price, with the median; an arrow where the highest lies beyond the scale.
fn bar(point: &PricePoint, top: f64, unicode: bool) -> String {
    let at = |amount: f64| ((amount / top) * (BAR - 1) as f64).round().clamp(0.0, (BAR - 1) as f64) as usize;
    let (line, block, beyond) = if unicode { ('─', '█', '→') } else { ('-', '#', '>') };
    let mut letters = vec![' '; BAR];
    letters[at(point.low)..=at(point.high)].fill(line);
    if point.high > top {
        letters[BAR - 1] = beyond;
    }
    letters[at(point.median)] = block;
    // A cell loses its spaces at the left; one that cannot be seen keeps them.
    letters.into_iter().map(|letter| if letter == ' ' { '\u{a0}' } else { letter }).collect()
}

const LEFT: f64 = 90.0;
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 200.0;
const COLORS: [&str; 6] = ["#1f6f8b", "#e0a030", "#8e5ea2", "#8fbf6f", "#b03a2e", "#607d8b"];

/// The medians over time, one line a kind, with a stroke from the lowest to the highest price of each period.
fn course(local: &Localiser, body: &HistoryBody, heading: &str, all: &[&PriceSeries]) -> String {
    let points: Vec<PricePoint> = all.iter().flat_map(|series| series.points.iter().cloned()).collect();
    let top = scale(&points);
    let day = |point: &PricePoint| {
        f64::from(point.first_day.year()) + f64::from(point.first_day.day_of_year()) / 366.0
    };
    let (first, last) =
        points.iter().map(day).fold((f64::MAX, f64::MIN), |(a, b), day| (a.min(day), b.max(day)));
    let x = |point: &PricePoint| LEFT + (day(point) - first) / (last - first).max(0.01) * WIDTH;
    let y = |amount: f64| HEIGHT - amount.min(top) / top * (HEIGHT - 10.0);
    let mut out = String::new();
    for part in 0..=4 {
        let amount = top * f64::from(part) / 4.0;
        stroke(&mut out, [LEFT, y(amount), LEFT + WIDTH, y(amount)], "currentColor", 0.3);
        let digits = if top < 100.0 { amount } else { amount.round() };
        words_at(
            &mut out,
            0.0,
            y(amount) + 4.0,
            &argument::money(local.lang(), digits, body.currency.code()),
        );
    }
    for year in (first.ceil() as i32)..=(last.floor() as i32) {
        let at = LEFT + (f64::from(year) - first) / (last - first).max(0.01) * WIDTH;
        stroke(&mut out, [at, 0.0, at, HEIGHT], "currentColor", 0.3);
        words_at(&mut out, at - 14.0, HEIGHT + 18.0, &year.to_string());
    }
    let mut legend_y = HEIGHT + 32.0;
    for (series, color) in all.iter().zip(COLORS.iter().cycle()) {
        let mut line = String::new();
        for point in &series.points {
            stroke(&mut out, [x(point), y(point.low), x(point), y(point.high)], color, 1.5);
            let [_, median, _] = money(local, body, series, point);
            let words = format!("{} {median}", point.period);
            rectangle(&mut out, [x(point) - 3.0, y(point.median) - 3.0, 6.0, 6.0], color, &words);
            let _ = write!(line, "{:.1},{:.1} ", x(point), y(point.median));
        }
        let _ = write!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>",
            line.trim_end()
        );
        let name = local.text(&kind(series));
        rectangle(&mut out, [LEFT, legend_y, 13.0, 13.0], color, &name);
        words_at(&mut out, LEFT + 18.0, legend_y + 11.0, &name);
        legend_y += 22.0;
    }
    figure(local, heading, legend_y, &out)
}

fn stroke(out: &mut String, [x1, y1, x2, y2]: [f64; 4], color: &str, width: f64) {
    let _ = write!(
        out,
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" stroke=\"{color}\" \
         stroke-width=\"{width}\"/>"
    );
}
