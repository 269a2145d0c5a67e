//! `validate`: errors by family, what is skipped, and the picture of predicted against measured.

use std::fmt::Write as _;

use maat_base::{Arg, Text};
use maat_validate::{Group, Point, SkippedRows, ValidateBody};

use super::html::escape;
use super::{Cell, Column, Page, Present, Table};
use crate::{Localiser, number};

/// Metrics of the picture with their colours.
const KINDS: [(&str, &str, &str); 5] = [
    ("tpot", "validate-kind-tpot", "#1f77b4"),
    ("ttft", "validate-kind-ttft", "#ff7f0e"),
    ("throughput", "validate-kind-throughput", "#2ca02c"),
    ("train", "validate-kind-train", "#9467bd"),
    ("memory", "validate-kind-memory", "#8c564b"),
];
/// Side of the picture's square, and the room at its left and below.
const SIDE: f64 = 480.0;
const LEFT: f64 = 64.0;
const BELOW: f64 = 110.0;

impl Present for ValidateBody {
    fn blocks(&self, page: &mut Page<'_>) {
        let local = page.local;
        page.table(&self.groups_table(local, page.style.explain));
        page.gap();
        let text = local.text(&Text::new("validate-errors"));
        page.wrapped("", 0, &text);
        let skipped: usize = self.skipped.iter().map(|row| row.rows).sum();
        if skipped > 0 {
            page.heading("validate-heading-skipped");
            for SkippedRows { reason, rows } in &self.skipped {
                let words = local.label(&format!("validate-skip-{reason}"));
                page.line(&format!("  {:>6}  {words}", number::whole(local.lang(), *rows as u64)));
            }
        }
    }

    fn table(&self, local: &Localiser) -> Option<Table> {
        Some(self.groups_table(local, true))
    }

    fn pictures(&self, local: &Localiser) -> Vec<String> {
        if self.points.is_empty() { Vec::new() } else { vec![picture(local, &self.points)] }
    }
}

/// What a page can show of a body.
trait Shown {
    fn groups_table(&self, local: &Localiser, all: bool) -> Table;
}

impl Shown for ValidateBody {
    /// Groups with scored rows; all of them where asked.
    fn groups_table(&self, local: &Localiser, all: bool) -> Table {
        let mut table = Table::new(vec![
            Column::raw("family"),
            Column::left("benchmark", local.label("column-benchmark")),
            Column::left("metric", local.label("column-metric")),
            Column::right("rows", local.label("column-rows")),
            Column::raw("predicted"),
            Column::raw("skipped"),
            Column::right("median_abs_ln_ratio", local.label("column-median-error")),
            Column::right("p90_abs_ln_ratio", local.label("column-p90-error")),
            Column::raw("bias_ln"),
            Column::right("coverage_80", local.label("column-coverage")),
            Column::right("naive_median", local.label("column-naive")),
            Column::raw("naive_p90"),
        ]);
        let shown = self.groups.iter().filter(|group| all || group.median_abs_ln_ratio.is_some());
        for group in shown.chain([&self.overall]) {
            table.row(row(local, group));
        }
        table
    }
}

fn row(local: &Localiser, group: &Group) -> Vec<Cell> {
    let share = |value: f64| local.arg(&Arg::Share(value));
    // An error in a logarithm as a factor's distance from one: 0.10 is 11 %.
    let error = |ln: Option<f64>| Cell::or_unknown(ln.map(|ln| Cell::new(ln, share(ln.exp_m1()))));
    let raw = |value: Option<f64>| Cell::or_unknown(value.map(Cell::raw));
    let all = group.benchmark.is_empty() && group.metric.is_empty();
    let benchmark = if all { local.label("validate-all") } else { group.benchmark.clone() };
    vec![
        Cell::raw(group.family.as_str()),
        Cell::new(group.benchmark.as_str(), benchmark),
        Cell::word(group.metric.as_str()),
        Cell::new(group.rows, number::whole(local.lang(), group.rows as u64)),
        Cell::raw(group.predicted),
        Cell::raw(group.skipped),
        error(group.median_abs_ln_ratio),
        error(group.p90_abs_ln_ratio),
        raw(group.bias_ln),
        Cell::or_unknown(group.coverage_80.map(|covered| Cell::new(covered, share(covered)))),
        error(group.naive_median),
        raw(group.naive_p90),
    ]
}

/// Predicted against measured on scales of decades, with the line of equality and those of half and twice.
fn picture(local: &Localiser, points: &[Point]) -> String {
    // Seconds and bytes have scales of their own: memory is drawn in GB so that it lies among the others.
    let of = |point: &Point| {
        let unit = if point.kind == "memory" { 1e9 } else { 1.0 };
        (point.measured / unit, point.predicted / unit)
    };
    let logs = points.iter().map(of).flat_map(|(a, b)| [a, b]).filter(|v| *v > 0.0).map(f64::log10);
    let (low, high) =
        logs.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
    let (low, high) = (low.floor(), high.ceil().max(low.floor() + 1.0));
    let x = |value: f64| LEFT + (value - low) / (high - low) * SIDE;
    let y = |value: f64| SIDE - (value - low) / (high - low) * SIDE;
    let mut out = String::new();
    let mut decade = low;
    while decade <= high {
        let (at_x, at_y) = (x(decade), y(decade));
        let _ = write!(
            out,
            "<path d=\"M{at_x:.1} 0V{SIDE}M{LEFT} {at_y:.1}H{:.1}\" stroke=\"currentColor\" opacity=\"0.15\"/>\
             <text x=\"{at_x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{decade}</text>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{decade}</text>",
            LEFT + SIDE,
            SIDE + 18.0,
            LEFT - 6.0,
            at_y + 4.0,
        );
        decade += 1.0;
    }
    for (factor, width) in [(1.0f64, 1.5), (2.0, 0.6), (0.5, 0.6)] {
        let (from, to) = (low.max(low - factor.log10()), high.min(high - factor.log10()));
        let _ = write!(
            out,
            "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"currentColor\" stroke-width=\"{width}\"/>",
            x(from),
            y(from + factor.log10()),
            x(to),
            y(to + factor.log10()),
        );
    }
    for point in points {
        let color = KINDS.iter().find(|kind| kind.0 == point.kind).map_or("gray", |kind| kind.2);
        let (measured, predicted) = of(point);
        if measured > 0.0 && predicted > 0.0 {
            let (at_x, at_y) = (x(measured.log10()), y(predicted.log10()));
            let _ = write!(
                out,
                "<circle cx=\"{at_x:.1}\" cy=\"{at_y:.1}\" r=\"2\" fill=\"{color}\" opacity=\"0.5\"/>"
            );
        }
    }
    legend(local, &mut out);
    let title = escape(&local.label("validate-picture"));
    format!(
        "<figure><figcaption>{title}</figcaption><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0} {:.0}\" \
         width=\"100%\" role=\"img\" aria-label=\"{title}\" font-family=\"system-ui,sans-serif\" font-size=\"13\" \
         fill=\"currentColor\">{out}</svg></figure>\n",
        LEFT + SIDE + 10.0,
        SIDE + BELOW,
    )
}

fn legend(local: &Localiser, out: &mut String) {
    let label = escape(&local.label("validate-axis"));
    let _ = write!(out, "<text x=\"{LEFT}\" y=\"{:.1}\">{label}</text>", SIDE + 40.0);
    for (place, (_, words, color)) in KINDS.iter().enumerate() {
        let at_x = LEFT + (place % 3) as f64 * 165.0;
        let at_y = SIDE + 64.0 + (place / 3) as f64 * 20.0;
        let words = escape(&local.label(words));
        let _ = write!(
            out,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"5\" fill=\"{color}\"/><text x=\"{:.1}\" y=\"{at_y:.1}\">{words}</text>",
            at_x + 5.0,
            at_y - 4.0,
            at_x + 16.0,
        );
    }
}
