//! Traces: where the time goes, over time, step by step, kernel by kernel. The verb that answers on traces puts these
//! blocks on its page.

mod compared;
mod detail;
mod parts;
pub(super) mod picture;

use maat_base::{Arg, Text};
use maat_trace::{KernelRow, RankComparison, RankReport, Ranked, Step, TraceBody, TraceDiff};

use super::bar::{BLOCKS, LETTERS, flow, share_out};
use super::{Cell, Column, Page, Present, Table};
use crate::{Localiser, number};

use parts::{PARTS, of_piece, of_trace};
pub use picture::pictures;

/// Kernels as bars.
const KERNEL_ROWS: usize = 6;

impl Present for TraceBody {
    fn blocks(&self, page: &mut Page<'_>) {
        if let Some(trace) = &self.trace {
            blocks(page, trace, self.comparison.as_ref(), &self.after_first);
        }
        if !self.ask.is_empty() {
            page.heading("trace-ask-heading");
            page.bullets(&self.ask);
        }
    }

    fn table(&self, local: &Localiser) -> Option<Table> {
        self.trace.as_ref().map(|trace| kernels(local, trace))
    }

    fn pictures(&self, local: &Localiser) -> Vec<String> {
        self.trace.as_ref().map(|trace| pictures(local, trace)).unwrap_or_default()
    }
}

/// All blocks of a trace.
pub fn blocks(
    page: &mut Page<'_>,
    trace: &RankReport,
    comparison: Option<&RankComparison>,
    after_first: &[Ranked],
) {
    page.gap();
    let summary = summary(trace);
    let summary = match trace.rank.filter(|_| comparison.is_some()) {
        Some(rank) => Text::new("trace-of-rank").with("rank", rank.to_string()).with("summary", summary),
        None => summary,
    };
    let sentence = page.local.text(&summary);
    page.wrapped("  ", 2, &sentence);
    if trace.split.is_none() {
        return;
    }
    split(page, trace);
    timeline(page, trace);
    kernel_bars(page, trace);
    if let Some(comparison) = comparison {
        page.heading("trace-heading-ranks");
        let table = ranks(page.local, comparison);
        page.table(&table);
    }
    let after: Vec<Text> = after_first.iter().filter_map(after_line).collect();
    if !after.is_empty() {
        page.heading("trace-heading-after");
        page.bullets(&after);
    }
    if page.style.explain {
        detail::blocks(page, trace);
    } else {
        page.gap();
        let more = page.local.label("trace-more");
        page.wrapped("  ", 2, &more);
    }
}

/// "75,718 events, 8,772 kernels, window 996 ms, idle 39.4%".
fn summary(trace: &RankReport) -> Text {
    let numbers = &trace.numbers;
    let Some((window, idle)) = numbers.window_us.zip(numbers.idle_us) else {
        let marks = &trace.marks;
        if marks.other_accelerator_events > 0 {
            return Text::new("trace-summary-other")
                .with("events", numbers.events)
                .with("other", marks.other_accelerator_events)
                .with("window", Arg::Seconds(marks.other_accelerator_window_us.seconds()));
        }
        return Text::new("trace-summary-host").with("events", numbers.events);
    };
    Text::new("trace-summary")
        .with("events", numbers.events)
        .with("kernels", numbers.device_kernels)
        .with("window", Arg::Seconds(window.seconds()))
        .with("idle", Arg::Share(idle.share_of(window)))
}

fn after_line(ranked: &Ranked) -> Option<Text> {
    let share = Arg::Share(ranked.at_most?);
    let cause = Text::named(format!("trace-cause-{}", ranked.code));
    Some(Text::new("trace-after-line").with("cause", cause).with("share", share))
}

/// The bar of the whole time and its legend.
fn split(page: &mut Page<'_>, trace: &RankReport) {
    page.heading("trace-heading-split");
    let signs = if page.style.unicode { BLOCKS } else { LETTERS };
    let parts = of_trace(trace);
    let sizes: Vec<u64> = parts.iter().map(|time| time.ns().unsigned_abs()).collect();
    let whole = trace.split.map(|split| split.span_us).unwrap_or_default();
    let room = page.style.width.saturating_sub(6).clamp(20, 70);
    let mut bar = String::from("  [");
    let mut legend = Vec::new();
    for ((part, cells), time) in PARTS.iter().zip(share_out(&sizes, room)).zip(parts) {
        let sign = sign(&signs, part.place, page.style.unicode);
        bar.extend(std::iter::repeat_n(sign, cells));
        if time.ns() > 0 {
            let share = page.local.arg(&Arg::Share(time.share_of(whole)));
            legend.push(format!("{sign} {} {share}", page.local.label(part.label)));
        }
    }
    bar.push(']');
    page.line(&bar);
    for line in flow(&legend, page.style.width) {
        page.line(&line);
    }
}

/// The sign of a part: the last part, idle for other reasons, is drawn as empty.
fn sign(signs: &[char; 6], place: usize, unicode: bool) -> char {
    signs.get(place).copied().unwrap_or(if unicode { '·' } else { '.' })
}

/// One sign for each piece of time: what most of it went to.
fn timeline(page: &mut Page<'_>, trace: &RankReport) {
    page.heading("trace-heading-timeline");
    let signs = if page.style.unicode { BLOCKS } else { LETTERS };
    let pieces = &trace.timeline;
    let room = page.style.width.saturating_sub(4).clamp(10, pieces.len().max(10));
    let line: String = (0..room)
        .filter_map(|place| pieces.get(place * pieces.len() / room))
        .map(|piece| {
            let parts = of_piece(piece);
            let most = (0..parts.len()).rev().max_by_key(|&place| parts[place]).unwrap_or(0);
            sign(&signs, most, page.style.unicode)
        })
        .collect();
    page.line(&format!("  [{line}]"));
}

/// Kernels as bars, most time first.
fn kernel_bars(page: &mut Page<'_>, trace: &RankReport) {
    page.heading("trace-heading-kernels");
    let lang = page.local.lang();
    let sign = if page.style.unicode { BLOCKS[0] } else { LETTERS[0] };
    let most = trace.kernels.first().map_or(0.0, |row| row.share).max(f64::MIN_POSITIVE);
    for row in trace.kernels.iter().take(KERNEL_ROWS) {
        let cells = ((row.share / most * 16.0).round() as usize).max(1);
        let bar: String = std::iter::repeat_n(sign, cells).collect();
        let room = page.style.width.saturating_sub(42).clamp(16, 60);
        let name = short(&row.name, room);
        let share = page.local.arg(&Arg::Share(row.share));
        let count = number::whole(lang, row.count);
        let line = format!("  {share:>6} {bar:<16} {count:>8} × {name}");
        page.line(&line);
    }
}

/// A name that fits: C++ names without their arguments, and with the function that a template was made for.
fn short(name: &str, room: usize) -> String {
    let name = name.strip_prefix("void ").unwrap_or(name).replace("(anonymous namespace)::", "");
    let (head, rest) =
        name.find(['<', '(']).filter(|at| *at >= 8).map_or((name.as_str(), ""), |at| name.split_at(at));
    let mut clean = crate::argument::clean(head);
    if let Some(tile) = tile(head) {
        clean = format!("Cijk ({tile})");
    }
    if let Some(inner) = inner_name(rest) {
        let own = clean.rsplit("::").next().unwrap_or_default();
        clean = format!("{own} ({})", crate::argument::clean(inner));
    }
    if clean.chars().count() <= room {
        return clean;
    }
    let mut cut: String = clean.chars().take(room.saturating_sub(2)).collect();
    cut.push_str("..");
    cut
}

/// Products of Tensile are told apart by the tile that they work on.
fn tile(name: &str) -> Option<&str> {
    name.strip_prefix("Cijk_")?.split('_').find(|word| {
        word.strip_prefix("MT").is_some_and(|size| size.starts_with(|c: char| c.is_ascii_digit()))
    })
}

/// What tells instances of a template apart: the first name in the brackets that is no type.
fn inner_name(brackets: &str) -> Option<&str> {
    let brackets = brackets.strip_prefix('<')?;
    brackets.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').find(|word| {
        let lower = word.to_ascii_lowercase();
        word.len() > 5 && ["functor", "_kernel", "_op"].iter().any(|part| lower.contains(part))
    })
}

/// The name of a resource as the JSON has it.
fn resource(step: &Step) -> String {
    detail::word(&step.critical)
}

/// A comparison with an earlier trace.
pub fn difference(page: &mut Page<'_>, diff: &TraceDiff) {
    compared::blocks(page, diff);
}

/// All pictures of a trace and of its comparison with an earlier one.
pub fn all_pictures(local: &Localiser, trace: &RankReport, diff: Option<&TraceDiff>) -> Vec<String> {
    let compared = diff.and_then(|diff| compared::picture(local, diff));
    compared.into_iter().chain(pictures(local, trace)).collect()
}

/// All tables of a trace and of its comparison with an earlier one, each with the message that heads it.
pub fn all_tables(
    local: &Localiser,
    trace: &RankReport,
    diff: Option<&TraceDiff>,
) -> Vec<(&'static str, Table)> {
    let mut tables = diff.map(|diff| compared::tables(local, diff)).unwrap_or_default();
    tables.extend(detail::tables(local, trace));
    tables
}

/// The table of kernels, for people and programs.
pub fn kernels(local: &Localiser, trace: &RankReport) -> Table {
    let mut table = Table::new(vec![
        Column::left("name", local.label("trace-column-kernel")),
        Column::right("count", local.label("trace-column-count")),
        Column::right("total_us", local.label("trace-column-time")),
        Column::right("mean_us", local.label("trace-column-mean")),
        Column::right("share", local.label("trace-column-share")),
    ]);
    for row in &trace.kernels {
        table.row(kernel(local, row));
    }
    table
}

fn kernel(local: &Localiser, row: &KernelRow) -> Vec<Cell> {
    vec![
        Cell::new(row.name.as_str(), short(&row.name, 60)),
        Cell::new(row.count, number::whole(local.lang(), row.count)),
        Cell::new(row.total_us.us(), local.arg(&Arg::Seconds(row.total_us.seconds()))),
        Cell::new(row.mean_us.us(), local.arg(&Arg::Seconds(row.mean_us.seconds()))),
        Cell::new(row.share, local.arg(&Arg::Share(row.share))),
    ]
}

fn ranks(local: &Localiser, comparison: &RankComparison) -> Table {
    let mut table = Table::new(vec![
        Column::right("rank", local.label("trace-column-rank")),
        Column::right("step_us", local.label("trace-column-step")),
        Column::right("own_us", local.label("trace-column-own")),
        Column::right("exposed_comm_us", local.label("trace-column-exposed")),
    ]);
    for row in &comparison.ranks {
        let time = |time: maat_trace::Micros| Cell::new(time.us(), local.arg(&Arg::Seconds(time.seconds())));
        table.row(vec![
            Cell::new(row.rank, row.rank.to_string()),
            time(row.step_us),
            time(row.own_us),
            time(row.exposed_comm_us),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_what_tells_them_apart() {
        let name = "void at::native::(anonymous namespace)::layer_norm_kernel<float>(int, float*)";
        assert_eq!(short(name, 40), "at::native::layer_norm_kernel");
        assert_eq!(short("ncclDevKernel_AllReduce(x)", 40), "ncclDevKernel_AllReduce");
        assert_eq!(short("abcdefghij", 8), "abcdef..");
        assert_eq!(short("<a>(b)", 40), "<a>(b)");
        assert_eq!(
            short("Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_MT256x192x64_MI16x16x1_SN", 40),
            "Cijk (MT256x192x64)"
        );
        let template =
            "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>(int)";
        assert_eq!(short(template, 60), "vectorized_elementwise_kernel (CUDAFunctor_add)");
    }
}
