//! `here`: the machine in one screen, and a handful of models on it.

use maat_base::{Arg, Bytes, Text};
use maat_catalogue::Machine;
use maat_here::HereBody;

use super::shell;
use super::{Cell, Column, Page, Present, Table, figures};
use crate::{Localiser, number};

impl Present for HereBody {
    fn blocks(&self, page: &mut Page<'_>) {
        for text in parts(self) {
            page.bullet(&text);
        }
        if !self.runs.is_empty() {
            page.heading("here-runs-heading");
            let table = runs(self, page.local);
            page.table(&table);
        }
    }

    fn table(&self, local: &Localiser) -> Option<Table> {
        Some(runs(self, local))
    }

    fn next(&self) -> Vec<(Text, String)> {
        let mut next = Vec::new();
        if let Some(run) = self.runs.iter().rev().find(|run| run.fits) {
            next.push((Text::new("here-next-size"), shell::command(&run.argv)));
        }
        if self.measured.is_none() {
            next.push((Text::new("here-next-bench"), String::from("maat bench")));
        }
        next
    }
}

/// What the machine is made of, one line each; what was not seen is not said.
fn parts(body: &HereBody) -> Vec<Text> {
    let mut texts = Vec::new();
    let seen = &body.seen;
    if let Some(processor) = &body.machine.host.processor {
        texts.push(
            Text::new("here-processor")
                .with("name", processor.name.as_str())
                .with("sockets", processor.sockets)
                .with("cores", seen.processor.cores.unwrap_or(0))
                .with("threads", seen.processor.threads.unwrap_or(0))
                .with("simd", if processor.simd.is_empty() { "?" } else { processor.simd.as_str() })
                .with("cache", Arg::Bytes(processor.cache_bytes.map_or(0, |bytes| bytes.0))),
        );
    }
    if let Some(total) = seen.memory.total_bytes {
        texts.push(
            Text::new("here-memory")
                .with("total", Arg::Bytes(total))
                .with("speed", memory_speed(&body.machine)),
        );
    }
    for slot in &body.machine.slots {
        texts.push(
            Text::new("here-accelerator")
                .with("count", slot.count)
                .with("name", slot.accelerator.name.as_str())
                .with("memory", slot.accelerator.capacity.value),
        );
    }
    if let Some(container) = &seen.surroundings.container {
        texts.push(Text::new("here-container").with("kind", container.as_str()));
    }
    if seen.surroundings.virtual_machine == Some(true) {
        texts.push(
            Text::new("here-virtual").with("product", seen.surroundings.product.as_deref().unwrap_or("none")),
        );
    }
    if let Some(version) = seen.surroundings.wsl {
        texts.push(Text::new("here-wsl").with("version", version));
    }
    for disk in &seen.disks {
        texts.push(
            Text::new("here-disk")
                .with("name", disk.model.as_deref().unwrap_or(&disk.name))
                .with("kind", disk.kind.as_deref().unwrap_or("unknown"))
                .with("bytes", Arg::Bytes(disk.bytes.unwrap_or(0))),
        );
    }
    for port in seen.network.iter().filter(|port| port.bytes_per_s.is_some()) {
        texts.push(
            Text::new("here-port")
                .with("name", port.name.as_str())
                .with("rate", Arg::BytesPerSecond(port.bytes_per_s.unwrap_or(0.0))),
        );
    }
    texts
}

fn memory_speed(machine: &Machine) -> Text {
    match machine.host.processor.as_ref().and_then(|processor| processor.bandwidth.as_ref()) {
        None => Text::new("here-speed-unknown"),
        Some(rate) => {
            let id = if rate.basis == maat_base::Basis::Measured {
                "here-speed-measured"
            } else {
                "here-speed-computed"
            };
            Text::new(id).with("rate", Arg::BytesPerSecond(rate.value))
        }
    }
}

fn runs(body: &HereBody, local: &Localiser) -> Table {
    let mut table = Table::new(vec![
        Column::left("model", local.label("here-column-model")),
        Column::whole("precision", local.label("here-column-precision")),
        Column::right("total_bytes", local.label("here-column-gib")),
        Column::whole("fits", local.label("column-fits")),
        Column::right("decode_tokens_per_s", local.label("here-column-decode")),
        Column::right("decode_tokens_per_s_low", local.label("here-column-decode-range")),
        Column::raw("decode_tokens_per_s_high"),
        Column::right("prefill_tokens_per_s", local.label("here-column-prefill")),
    ]);
    let lang = local.lang();
    for run in &body.runs {
        let fits = local.label(if run.fits { "fits-yes" } else { "fits-no" });
        let decode = run.decode_tokens_per_s;
        let span = decode.map(|range| Cell::new(range.low, figures::span(local, range, Arg::Number)));
        table.row(vec![
            Cell::word(run.model.as_str()),
            Cell::word(run.precision.as_str()),
            Cell::new(run.total_bytes, number::fixed(lang, Bytes(run.total_bytes).as_gib(), 1)),
            Cell::new(run.fits, fits),
            figures::rate(lang, decode),
            Cell::or_unknown(span),
            decode.map_or_else(Cell::none, |range| Cell::raw(range.high)),
            figures::rate(lang, run.prefill_tokens_per_s),
        ]);
    }
    table
}
