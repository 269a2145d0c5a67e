//! The pictures of a trace as SVG: the bar of the whole time, its course, and kernels by time.

use std::fmt::Write as _;

use maat_base::Arg;
use maat_trace::RankReport;

use super::parts::{PARTS, of_piece, of_trace};
use super::short;
use crate::Localiser;
use crate::render::html::escape;

const WIDTH: f64 = 720.0;
const ROW: f64 = 22.0;
const KERNELS: usize = 12;

/// All pictures; none without work of an accelerator.
pub fn pictures(local: &Localiser, trace: &RankReport) -> Vec<String> {
    if trace.split.is_none() {
        return Vec::new();
    }
    vec![split(local, trace), timeline(local, trace), kernels(local, trace)]
}

/// A figure around drawn content.
pub fn figure(local: &Localiser, heading: &str, height: f64, content: &str) -> String {
    let title = escape(&local.label(heading));
    format!(
        "<figure><figcaption>{title}</figcaption><svg viewBox=\"0 0 {WIDTH} {height}\" width=\"100%\" role=\"img\" \
         aria-label=\"{title}\" font-family=\"system-ui,sans-serif\" font-size=\"13\" fill=\"currentColor\">\
         {content}</svg></figure>\n"
    )
}

/// A filled area at `[x, y, width, height]`.
pub fn rectangle(out: &mut String, area: [f64; 4], color: &str, title: &str) {
    let [x, y, width, height] = area;
    let _ = write!(
        out,
        "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" fill=\"{color}\">\
         <title>{}</title></rect>",
        escape(title)
    );
}

pub fn text(out: &mut String, x: f64, y: f64, words: &str) {
    let _ = write!(out, "<text x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escape(words));
}

fn split(local: &Localiser, trace: &RankReport) -> String {
    let whole = trace.split.map(|split| split.span_us).unwrap_or_default();
    let (mut out, mut x, mut y) = (String::new(), 0.0, 52.0);
    for (part, time) in PARTS.iter().zip(of_trace(trace)).filter(|(_, time)| time.ns() > 0) {
        let share = time.share_of(whole);
        let words = format!("{} {}", local.label(part.label), local.arg(&Arg::Share(share)));
        rectangle(&mut out, [x, 0.0, share * WIDTH, 30.0], part.color, &words);
        x += share * WIDTH;
        rectangle(&mut out, [0.0, y - 11.0, 13.0, 13.0], part.color, &words);
        text(&mut out, 20.0, y, &words);
        y += ROW;
    }
    figure(local, "trace-heading-split", y, &out)
}

/// Each piece of time as a column of its parts.
fn timeline(local: &Localiser, trace: &RankReport) -> String {
    let mut out = String::new();
    let height = 60.0;
    let width = WIDTH / trace.timeline.len().max(1) as f64;
    for (column, piece) in trace.timeline.iter().enumerate() {
        let mut y = height;
        for (part, time) in PARTS.iter().zip(of_piece(piece)).filter(|(_, time)| time.ns() > 0) {
            let share = time.share_of(piece.split.span_us);
            y -= share * height;
            let words = format!("{} {}", local.label(part.label), local.arg(&Arg::Share(share)));
            rectangle(&mut out, [column as f64 * width, y, width, share * height], part.color, &words);
        }
    }
    figure(local, "trace-heading-course", height, &out)
}

fn kernels(local: &Localiser, trace: &RankReport) -> String {
    let mut out = String::new();
    let most = trace.kernels.first().map_or(0.0, |row| row.share).max(f64::MIN_POSITIVE);
    let mut y = 0.0;
    for row in trace.kernels.iter().take(KERNELS) {
        let share = local.arg(&Arg::Share(row.share));
        rectangle(&mut out, [60.0, y + 3.0, row.share / most * 220.0, ROW - 6.0], PARTS[0].color, &row.name);
        text(&mut out, 0.0, y + 16.0, &share);
        text(&mut out, 290.0, y + 16.0, &short(&row.name, 58));
        y += ROW;
    }
    figure(local, "trace-heading-kernels", y, &out)
}
