//! `model`: parameters by part, caches by kind.

use maat_base::{Arg, Bytes, Text};
use maat_model::{CacheAt, ComponentSize, KvKind, ModelBody, ModelSummary, Part};
use serde::Serialize;

use super::{Cell, Column, Page, Present, Table, command};
use crate::{Localiser, argument, number};

impl Present for ModelBody {
    fn blocks(&self, page: &mut Page<'_>) {
        page.gap();
        shape(page, &self.model);
        if self.active_share < 0.995 {
            let share = Text::new("model-active-share").with("share", Arg::Share(self.active_share));
            page.wrapped("  ", 2, &page.local.text(&share));
        }
        if let Some(licence) = &self.licence {
            let licence = Text::new("model-licence").with("name", licence.as_str());
            page.wrapped("  ", 2, &page.local.text(&licence));
        }
        let full = if page.style.unicode { '█' } else { '#' };
        page.table(&parts(page.local, self, Some(full)));
        if !self.components.is_empty() {
            page.table(&components(page.local, &self.components));
        }
        if let Some(kinds) = self.model.kv_kinds.as_ref().filter(|kinds| !kinds.is_empty()) {
            page.table(&caches(page.local, kinds));
        }
        if let Some(lengths) = self
            .caches_at
            .as_ref()
            .filter(|lengths| lengths.iter().any(|at| at.growing_bytes + at.constant_bytes > Bytes::ZERO))
        {
            page.table(&lengths_table(page.local, lengths));
        }
    }

    fn table(&self, local: &Localiser) -> Option<Table> {
        Some(parts(local, self, None))
    }

    fn next(&self) -> Vec<(Text, String)> {
        let name = self.model.name.as_str();
        let advise = (Text::new("model-next-advise"), command(["maat", "advise", name, "--users", "20"]));
        // One card where its weights have room on one, and as many as it takes otherwise.
        let weights = self.model.weights_bytes;
        let gpu = match weights {
            _ if weights < Bytes::gib(20) => "RTX 4090",
            _ if weights < Bytes::gib(70) => "H100 SXM",
            _ if weights < Bytes::gib(500) => "?x H100 SXM",
            _ if weights < Bytes::gib(1000) => "?x H200",
            _ => return vec![advise],
        };
        let size = (Text::new("model-next-size"), command(["maat", "size", name, "--gpu", gpu]));
        // Hardware is looked for by users of language models.
        if self.model.vocabulary.is_some() || self.caches_at.is_none() {
            vec![size, advise]
        } else {
            vec![size]
        }
    }
}

/// One line: "LlamaForCausalLM, 32 layers of width 4,096, 32 heads (8 KV heads) of 128, up to 131,072 tokens".
fn shape(page: &mut Page<'_>, model: &ModelSummary) {
    let mut words = vec![model.architecture.clone()];
    let mut add = |id: &'static str, value: Option<u64>| {
        words.extend(value.map(|n| page.local.text(&Text::new(id).with("n", n))));
    };
    add("model-layers", model.layers);
    add("model-hidden", model.hidden);
    add("model-heads", model.heads);
    add("model-kv-heads", model.kv_heads);
    add("model-head-dim", model.head_dim);
    add("model-vocabulary", model.vocabulary);
    add("model-context", model.context_max);
    words.retain(|word| !word.is_empty());
    page.wrapped("  ", 2, &words.join(", "));
}

/// Cells of the bar of a part that is all of a model.
const BAR: f64 = 20.0;

/// Parameters by part, each with how it is stored and, for a page, a bar of its share.
fn parts(local: &Localiser, body: &ModelBody, full: Option<char>) -> Table {
    let mut columns = vec![
        Column::left("part", local.label("column-part")),
        Column::right("params", local.label("column-params")),
        Column::right("share", local.label("column-share")),
        Column::left("precision", local.label("column-precision")),
    ];
    if full.is_some() {
        columns.push(Column::left("", local.label("column-bar")));
    }
    let mut table = Table::new(columns);
    let whole = body.model.params_by_part.values().copied().fold(0, u64::saturating_add);
    for (&part, &params) in body.model.params_by_part.iter().filter(|(_, params)| **params > 0) {
        let name = code(&part);
        let share = params as f64 / whole.max(1) as f64;
        let mut cells = vec![
            Cell::new(name.as_str(), local.label(&format!("part-{}", name.replace('_', "-")))),
            Cell::new(params, number::whole(local.lang(), params)),
            Cell::new(share, local.arg(&Arg::Share(share))),
            Cell::word(precisions(body, part)),
        ];
        cells.extend(full.map(|full| bar(share, full)));
        table.row(cells);
    }
    let total = number::whole(local.lang(), whole);
    let total =
        [Cell::new("total", local.label("part-total")), Cell::new(whole, total), Cell::new(1.0, "100%")];
    let rest = [Cell::word(body.model.precision.as_str()), Cell::none()];
    table.row(total.into_iter().chain(rest).take(4 + usize::from(full.is_some())).collect());
    table
}

/// How a part is stored, the most bytes first.
fn precisions(body: &ModelBody, part: Part) -> String {
    let of_part = body.stored.iter().filter(|stored| stored.part == part);
    of_part.map(|stored| stored.precision.as_str()).collect::<Vec<_>>().join(", ")
}

/// A share as a bar, at least one cell where it is not nothing.
fn bar(share: f64, full: char) -> Cell {
    let cells = (share * BAR).round().max(1.0) as usize;
    Cell::word(std::iter::repeat_n(full, cells).collect::<String>())
}

/// The parts of a pipeline.
fn components(local: &Localiser, sizes: &[ComponentSize]) -> Table {
    let mut table = Table::new(vec![
        Column::left("component", local.label("column-component")),
        Column::right("params", local.label("column-params")),
        Column::right("bytes", local.label("model-row-weights-bytes")),
    ]);
    for size in sizes {
        table.row(vec![
            Cell::word(size.name.as_str()),
            Cell::new(size.params, number::whole(local.lang(), size.params)),
            Cell::new(size.bytes.0, argument::bytes(local.lang(), size.bytes.as_f64())),
        ]);
    }
    table
}

fn caches(local: &Localiser, kinds: &[KvKind]) -> Table {
    let mut table = Table::new(vec![
        Column::left("kind", local.label("column-cache")),
        Column::right("layers", local.label("column-layers")),
        Column::right("bytes_per_token", local.label("column-per-token")),
        Column::right("window_tokens", local.label("column-window")),
        Column::right("state_bytes", local.label("column-state")),
    ]);
    let lang = local.lang();
    for kind in kinds {
        let name = code(&kind.kind);
        table.row(vec![
            Cell::new(name.as_str(), local.label(&format!("cache-{name}"))),
            Cell::new(kind.layers, number::whole(lang, kind.layers)),
            Cell::or_unknown(kind.bytes_per_token.map(|n| Cell::new(n, argument::bytes(lang, n)))),
            Cell::or_unknown(kind.window.map(|n| Cell::new(n, number::whole(lang, n)))),
            Cell::or_unknown(kind.state_bytes.map(|n| Cell::new(n.0, argument::bytes(lang, n.as_f64())))),
        ]);
    }
    table
}

/// What one sequence keeps at a few lengths, and what of it grows on.
fn lengths_table(local: &Localiser, lengths: &[CacheAt]) -> Table {
    let lang = local.lang();
    let mut table = Table::new(vec![
        Column::right("tokens", local.label("column-sequence-tokens")),
        Column::right("total_bytes", local.label("column-keeps")),
        Column::right("growing_bytes", local.label("column-growing")),
        Column::right("constant_bytes", local.label("column-constant")),
    ]);
    let bytes = |bytes: Bytes| Cell::new(bytes.0, argument::bytes(lang, bytes.as_f64()));
    for at in lengths {
        table.row(vec![
            Cell::new(at.tokens, number::whole(lang, at.tokens)),
            bytes(at.growing_bytes + at.constant_bytes),
            bytes(at.growing_bytes),
            bytes(at.constant_bytes),
        ]);
    }
    table
}

/// The name of a value as the JSON has it.
fn code(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(name)) => name,
        _ => String::new(),
    }
}
