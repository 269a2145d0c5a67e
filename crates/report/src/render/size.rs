//! `size`: the reasons, the memory of the fullest accelerator, figures with their ranges.

use maat_advise::{SizeBody, Step};
use maat_base::{Arg, Bytes, Range, Text};

use super::figures::{counted, gib, likely, memory_bar, plan, rate, span, speeds};
use super::server::{comparisons, server};
use super::{Cell, Column, Page, Present, Table, command};
use crate::{Localiser, argument, number};

impl Present for SizeBody {
    fn blocks(&self, page: &mut Page<'_>) {
        page.gap();
        page.bullets(self.reasons());
        // That the accelerator sets the pace is said by the reasons already.
        let other = self
            .server
            .as_ref()
            .filter(|view| page.style.explain || !view.limiting.starts_with("accelerator"));
        server(page, other);
        comparisons(page, &self.comparisons);
        if let Some(choice) = &self.cpu_or_gpu {
            page.bullets(&choice.because);
        }
        tried(page, self);
        caption(page, self);
        let capacity = self.machine.as_ref().and_then(|machine| machine.capacity_bytes);
        page.bar(&memory_bar(&self.memory.per_accelerator, capacity));
        page.table(&figures(page.local, self));
        if page.style.explain {
            page.table(&parts(page.local, self));
            explained(page, &self.explain);
        }
        if !self.smallest.is_empty() {
            page.table(&smallest(page.local, self));
        }
        if page.style.explain && !self.alternatives.is_empty() {
            page.table(&alternatives(page.local, self));
        }
    }

    fn table(&self, local: &Localiser) -> Option<Table> {
        Some(figures(local, self))
    }

    fn reasons(&self) -> &[Text] {
        &self.reasons
    }

    fn next(&self) -> Vec<(Text, String)> {
        let model = self.model.as_ref().map_or("", |model| model.name.as_str());
        let mut next: Vec<(Text, String)> =
            self.nearest.iter().map(|one| (one.text.clone(), command(&one.argv))).collect();
        if let (None, Some(card)) = (&self.machine, self.smallest.first()) {
            next.push((
                Text::new("size-next-gpu"),
                command(["maat", "size", model, "--gpu", &counted(card.count, &card.name)]),
            ));
        }
        if self.nearest.is_empty() && !self.advise_argv.is_empty() {
            next.push((Text::new("size-next-advise"), command(&self.advise_argv)));
        }
        next
    }
}

/// How the speed came about: each term with its formula, its inputs and where its parameters stand.
fn explained(page: &mut Page<'_>, steps: &[Step]) {
    if steps.is_empty() {
        return;
    }
    page.heading("size-explain-label");
    for step in steps {
        let inputs: Vec<String> =
            step.inputs.iter().map(|input| format!("{} = {}", input.name, exponent(input.value))).collect();
        let inputs = if inputs.is_empty() { String::new() } else { format!("; {}", inputs.join(", ")) };
        let line =
            format!("{} = {} = {}{inputs} [{}]", step.name, exponent(step.value), step.formula, step.source);
        page.wrapped("  ", 4, &line);
    }
}

/// A number of a formula with four digits, in powers of ten where it is far from one.
fn exponent(value: f64) -> String {
    let size = value.abs();
    if size != 0.0 && !(1e-4..1e6).contains(&size) { format!("{value:.3e}") } else { format!("{value:.4}") }
}

/// The counts that were tried for `?x`.
fn tried(page: &mut Page<'_>, body: &SizeBody) {
    if body.tried.is_empty() {
        return;
    }
    let words: Vec<String> = body
        .tried
        .iter()
        .map(|one| {
            let fits = if one.fits { "yes" } else { "no" };
            page.local.text(&Text::new("size-tried").with("count", one.count).with("fits", fits))
        })
        .collect();
    let line = format!("{}: {}", page.local.label("size-tried-label"), words.join(", "));
    page.wrapped("  ", 4, &line);
}

/// What the bar shows, in the units that drivers and engines print.
fn caption(page: &mut Page<'_>, body: &SizeBody) {
    let lang = page.local.lang();
    let needed = gib(lang, body.memory.per_accelerator.total_bytes);
    let machine = body.machine.as_ref();
    let text = match machine.and_then(|machine| Some((machine.accelerators, machine.capacity_bytes?))) {
        None => Text::new("size-accelerator-open"),
        Some((0 | 1, capacity)) => Text::new("size-accelerator-one").with("capacity", gib(lang, capacity)),
        Some((count, capacity)) => {
            Text::new("size-accelerator-each").with("count", count).with("capacity", gib(lang, capacity))
        }
    };
    let line = page.local.text(&text.with("needed", needed));
    page.gap();
    page.wrapped("  ", 2, &line);
}

/// The main table: each figure with its range and its basis.
fn figures(local: &Localiser, body: &SizeBody) -> Table {
    let mut rows = Figures::new(local);
    let memory = &body.memory;
    let machine = body.machine.as_ref();
    let [low, high] = memory.per_accelerator.total_bytes_range;
    rows.bytes(
        "figure-memory-each",
        "memory_per_accelerator_bytes",
        Some(memory.per_accelerator.total_bytes),
        Some((low, high)),
    );
    if machine.is_some_and(|machine| machine.accelerators > 1) {
        rows.bytes("figure-memory-all", "memory_total_bytes", Some(memory.total_bytes), None);
    }
    rows.bytes("figure-reserved", "reserved_bytes", memory.reserved_bytes, None);
    rows.bytes("figure-host-ram", "host_ram_bytes", memory.host_ram_bytes, None);
    rows.bytes("figure-disk", "disk_bytes", memory.disk_bytes, None);
    rows.count(
        "figure-sequences",
        "sequences_at_context",
        memory.sequences_at_context.filter(|_| machine.is_some()),
    );
    if let Some(speed) = &body.speed {
        for (label, key, range, arg) in speeds(speed) {
            rows.range(label, key, range, arg);
        }
    }
    let power = body.power.as_ref().and_then(|power| power.node_w.or(power.accelerator_w));
    rows.range("figure-power", "power_w", power, Arg::Watts);
    rows.table
}

/// The main table under construction; what is not known has no row.
struct Figures<'a> {
    local: &'a Localiser,
    table: Table,
}

impl<'a> Figures<'a> {
    fn new(local: &'a Localiser) -> Self {
        let table = Table::new(vec![
            Column::raw("figure"),
            Column::left("", local.label("column-figure")),
            Column::right("likely", local.label("column-likely")),
            Column::right("", local.label("column-range")),
            Column::raw("low"),
            Column::raw("high"),
            Column::left("basis", local.label("column-basis")),
        ]);
        Self { local, table }
    }

    fn bytes(&mut self, label: &str, key: &str, bytes: Option<Bytes>, ends: Option<(Bytes, Bytes)>) {
        let Some(bytes) = bytes else { return };
        let ends = ends.filter(|(low, high)| low != high).map(|(low, high)| {
            let range = Range::new(low.as_f64(), bytes.as_f64(), high.as_f64());
            [
                Cell::word(span(self.local, range, |n| Arg::Bytes(n as u64))),
                Cell::raw(low.0),
                Cell::raw(high.0),
            ]
        });
        let shown = self.local.arg(&Arg::Bytes(bytes.0));
        self.row(label, key, Cell::new(bytes.0, shown), ends, "computed");
    }

    fn count(&mut self, label: &str, key: &str, count: Option<u64>) {
        let Some(count) = count else { return };
        let shown = number::whole(self.local.lang(), count);
        self.row(label, key, Cell::new(count, shown), None, "computed");
    }

    fn range(&mut self, label: &str, key: &str, range: Option<Range>, arg: fn(f64) -> Arg) {
        let Some(range) = range else { return };
        let ends = [Cell::word(span(self.local, range, arg)), Cell::raw(range.low), Cell::raw(range.high)];
        let shown = self.local.arg(&arg(range.likely));
        self.row(label, key, Cell::new(range.likely, shown), Some(ends), "estimated");
    }

    fn row(&mut self, label: &str, key: &str, likely: Cell, ends: Option<[Cell; 3]>, basis: &str) {
        let [range, low, high] = ends.unwrap_or_else(|| [Cell::unknown(), Cell::unknown(), Cell::unknown()]);
        self.table.row(vec![
            Cell::raw(key),
            Cell::word(self.local.label(label)),
            likely,
            range,
            low,
            high,
            Cell::new(basis, self.local.label(&format!("basis-{basis}"))),
        ]);
    }
}

/// Without hardware: the smallest cards that hold it.
fn smallest(local: &Localiser, body: &SizeBody) -> Table {
    let mut table = Table::new(vec![
        Column::left("card", local.label("column-card")),
        Column::right("capacity_bytes", local.label("column-capacity")),
        Column::right("free_bytes", local.label("column-free")),
    ]);
    let lang = local.lang();
    for card in &body.smallest {
        table.row(vec![
            Cell::word(counted(card.count, &card.name)),
            Cell::new(card.capacity_bytes.0, argument::bytes(lang, card.capacity_bytes.as_f64())),
            Cell::new(card.free_bytes, argument::bytes(lang, card.free_bytes as f64)),
        ]);
    }
    table
}

/// The parts of the fullest accelerator's memory, in both units.
fn parts(local: &Localiser, body: &SizeBody) -> Table {
    let mut table = Table::new(vec![
        Column::left("part", local.label("column-part")),
        Column::right("bytes", "GB"),
        Column::right("", "GiB"),
        Column::right("share", local.label("column-share")),
    ]);
    let lang = local.lang();
    let total = body.memory.per_accelerator.total_bytes;
    for part in memory_bar(&body.memory.per_accelerator, None).parts {
        let bytes = Bytes(part.bytes);
        if bytes > Bytes::ZERO {
            table.row(vec![
                Cell::new(part.label, local.label(part.label)),
                Cell::new(bytes.0, number::fixed(lang, bytes.as_gb(), 3)),
                Cell::word(number::fixed(lang, bytes.as_gib(), 3)),
                Cell::new(bytes.share_of(total), local.arg(&Arg::Share(bytes.share_of(total)))),
            ]);
        }
    }
    table
}

/// Other ways to divide the same machine.
fn alternatives(local: &Localiser, body: &SizeBody) -> Table {
    let mut table = Table::new(vec![
        Column::left("plan", local.label("column-plan")),
        Column::right("tpot_s", local.label("figure-tpot")),
        Column::right("throughput_tokens_per_s", local.label("column-tokens-per-s")),
        Column::left("fits", local.label("column-fits")),
    ]);
    for one in &body.alternatives {
        table.row(vec![
            Cell::word(plan(local, &one.plan)),
            likely(local, one.tpot_s, Arg::Seconds),
            rate(local.lang(), one.throughput_tokens_per_s),
            Cell::new(one.fits, local.label(if one.fits { "fits-yes" } else { "fits-no" })),
        ]);
    }
    table
}
