//! Two traces beside each other: the compared time by parts, and the kernels that changed most.

use std::fmt::Write as _;

use maat_base::Arg;
use maat_trace::{Micros, TraceDiff};

use super::detail::time;
use super::parts::{PARTS, of_changes};
use super::picture::{figure, rectangle, text};
use super::short;
use crate::render::bar::{BLOCKS, LETTERS, flow, share_out};
use crate::render::{Cell, Column, Page, Table};
use crate::{Localiser, number};

/// Kernels on a page.
const KERNELS: usize = 8;

/// Bars of both sides on one scale, the parts that changed, and with the reasons the kernels.
pub fn blocks(page: &mut Page<'_>, diff: &TraceDiff) {
    let (Some(before), Some(after)) = (diff.before_us, diff.after_us) else { return };
    page.heading(if diff.per_step { "trace-heading-diff-step" } else { "trace-heading-diff" });
    let most = before.max(after);
    let room = page.style.width.saturating_sub(6).clamp(20, 70);
    let signs = if page.style.unicode { BLOCKS } else { LETTERS };
    let mut used = [false; PARTS.len()];
    for (side, whole) in [(0, before), (1, after)] {
        let sizes: Vec<u64> = of_changes(diff, side).iter().map(|time| time.ns().unsigned_abs()).collect();
        let cells = share_out(&sizes, ((whole.share_of(most) * room as f64).round() as usize).max(1));
        let mut bar = String::from("  [");
        for (part, cells) in PARTS.iter().zip(cells) {
            used[part.place] |= cells > 0;
            let sign = super::sign(&signs, part.place, page.style.unicode);
            bar.extend(std::iter::repeat_n(sign, cells));
        }
        let label = page.local.label(if side == 0 { "trace-before" } else { "trace-after" });
        let words = page.local.arg(&Arg::Seconds(whole.seconds()));
        page.line(&format!("   {label} {words}"));
        bar.push(']');
        page.line(&bar);
    }
    let legend: Vec<String> = PARTS
        .iter()
        .filter(|part| used[part.place])
        .map(|part| {
            let sign = super::sign(&signs, part.place, page.style.unicode);
            format!("{sign} {}", page.local.label(part.label))
        })
        .collect();
    for line in flow(&legend, page.style.width) {
        page.line(&line);
    }
    let table = parts(page.local, diff);
    page.table(&table);
    if page.style.explain && !diff.kernels.is_empty() {
        page.heading("trace-heading-diff-kernels");
        let table = kernels(page.local, diff).first(2 * KERNELS);
        page.table(&table);
    }
}

/// The tables, for a browser.
pub fn tables(local: &Localiser, diff: &TraceDiff) -> Vec<(&'static str, Table)> {
    let heading = if diff.per_step { "trace-heading-diff-step" } else { "trace-heading-diff" };
    let all = [(heading, parts(local, diff)), ("trace-heading-diff-kernels", kernels(local, diff))];
    all.into_iter().filter(|(_, table)| !table.is_empty()).collect()
}

/// A change with its sign.
fn change(local: &Localiser, change: Micros) -> Cell {
    let words = local.arg(&Arg::Seconds(change.seconds().abs()));
    let sign = match change.ns() {
        0 => "",
        1.. => "+",
        _ => "-",
    };
    Cell::new(change.us(), format!("{sign}{words}"))
}

fn parts(local: &Localiser, diff: &TraceDiff) -> Table {
    let mut table = Table::new(vec![
        Column::left("part", local.label("trace-column-part")),
        Column::right("before_us", local.label("trace-before")),
        Column::right("after_us", local.label("trace-after")),
        Column::right("change_us", local.label("trace-column-change")),
    ]);
    for part in diff.parts.iter().filter(|part| part.before_us.ns() > 0 || part.after_us.ns() > 0) {
        table.row(vec![
            Cell::new(part.part, local.label(part.label())),
            time(local, part.before_us),
            time(local, part.after_us),
            change(local, part.change_us),
        ]);
    }
    table
}

fn kernels(local: &Localiser, diff: &TraceDiff) -> Table {
    let mut table = Table::new(vec![
        Column::left("name", local.label("trace-column-kernel")),
        Column::right("count_before", local.label("trace-before")),
        Column::right("count_after", local.label("trace-after")),
        Column::right("change_us", local.label("trace-column-change")),
    ]);
    for row in &diff.kernels {
        let counted = |count: u64| Cell::new(count, format!("{} ×", number::whole(local.lang(), count)));
        table.row(vec![
            Cell::new(row.name.as_str(), short(&row.name, 40)),
            counted(row.count[0]),
            counted(row.count[1]),
            change(local, row.change_us),
        ]);
    }
    table
}

/// Both sides as bars on one scale.
pub fn picture(local: &Localiser, diff: &TraceDiff) -> Option<String> {
    let (before, after) = diff.before_us.zip(diff.after_us)?;
    let most = before.max(after);
    let mut out = String::new();
    let mut y = 0.0;
    for (side, whole) in [(0, before), (1, after)] {
        let label = local.label(if side == 0 { "trace-before" } else { "trace-after" });
        text(&mut out, 0.0, y + 20.0, &label);
        let mut x = 90.0;
        for (part, time) in PARTS.iter().zip(of_changes(diff, side)).filter(|(_, time)| time.ns() > 0) {
            let width = time.share_of(most) * 540.0;
            let words = format!("{} {}", local.label(part.label), local.arg(&Arg::Seconds(time.seconds())));
            rectangle(&mut out, [x, y, width, 30.0], part.color, &words);
            x += width;
        }
        text(&mut out, x + 6.0, y + 20.0, &local.arg(&Arg::Seconds(whole.seconds())));
        y += 38.0;
    }
    let (mut x, mut row) = (0.0, y + 10.0);
    for part in PARTS.iter().filter(|part| (0..2).any(|side| of_changes(diff, side)[part.place].ns() > 0)) {
        let words = local.label(part.label);
        let width = 34.0 + 7.5 * words.chars().count() as f64;
        if x + width > 720.0 {
            (x, row) = (0.0, row + 22.0);
        }
        rectangle(&mut out, [x, row, 13.0, 13.0], part.color, &words);
        text(&mut out, x + 20.0, row + 11.0, &words);
        x += width;
    }
    let heading = if diff.per_step { "trace-heading-diff-step" } else { "trace-heading-diff" };
    let mut svg = String::new();
    let _ = write!(svg, "{}", figure(local, heading, row + 22.0, &out));
    Some(svg)
}
