//! `catalogue show`: everything that is known of a part, each figure with what it rests on.

use maat_base::{Arg, Basis, Text};
use maat_catalogue::{AcceleratorDetail, Cpu, PurchasePrice, Server, ShowBody};

use super::{bandwidth, code, label_size, offers, watts};
use crate::render::kinds::kind;
use crate::render::{Cell, Column, Page, Present, Table, command};
use crate::{Localiser, number};

impl Present for ShowBody {
    fn blocks(&self, page: &mut Page<'_>) {
        if let Some(table) = self.table(page.local) {
            page.table(&table);
        }
        if let Some(part) = &self.accelerator {
            remarks(page, part);
        }
        if !self.purchase.is_empty() {
            page.table(&purchases(page.local, &self.purchase));
        }
        if !self.offers.is_empty() {
            page.table(&offers::table(page.local, &self.offers));
        }
    }

    fn table(&self, local: &Localiser) -> Option<Table> {
        let mut rows = Rows::new(local);
        if let Some(part) = &self.accelerator {
            accelerator(&mut rows, part);
        }
        if let Some(cpu) = &self.cpu {
            processor(&mut rows, cpu);
        }
        if let Some(server) = &self.server {
            machine(&mut rows, &server.server);
        }
        Some(rows.table)
    }

    fn next(&self) -> Vec<(Text, String)> {
        let model = "meta-llama/Llama-3.1-8B";
        let words = match (&self.accelerator, &self.cpu) {
            (Some(part), _) => ["maat", "size", model, "--gpu", part.part.name.as_str()],
            (_, Some(cpu)) => ["maat", "size", model, "--cpu", cpu.name.as_str()],
            _ => return Vec::new(),
        };
        vec![(Text::new("compare-next-size"), command(words))]
    }
}

/// Rows of the main table: figure, value, what it rests on, source.
struct Rows<'a> {
    local: &'a Localiser,
    table: Table,
}

impl<'a> Rows<'a> {
    fn new(local: &'a Localiser) -> Self {
        let table = Table::new(vec![
            Column::raw("figure"),
            Column::left("", local.label("column-figure")),
            Column::left("value", local.label("column-value")),
            Column::whole("basis", local.label("column-basis")),
            Column::left("source", local.label("column-source")),
        ]);
        Self { local, table }
    }

    /// A figure; one that is not known has no row.
    fn add(&mut self, key: &str, value: Option<Cell>, basis: Option<Basis>, source: &str) {
        let Some(value) = value else { return };
        let label = self.local.label(&format!("show-{}", key.replace('_', "-")));
        let basis = basis.map(|basis| {
            let basis = code(&basis);
            Cell::new(basis.as_str(), self.local.label(&format!("basis-{basis}")))
        });
        let source = Some(source).filter(|source| !source.is_empty()).map(Cell::word);
        self.table.row(vec![
            Cell::raw(key),
            Cell::word(label),
            value,
            basis.unwrap_or_else(Cell::none),
            source.unwrap_or_else(Cell::none),
        ]);
    }

    fn word(&mut self, key: &str, text: &str) {
        self.add(key, Some(text).filter(|text| !text.is_empty()).map(Cell::word), None, "");
    }

    fn count(&mut self, key: &str, n: Option<u32>) {
        let lang = self.local.lang();
        self.add(key, n.map(|n| Cell::new(n, number::whole(lang, u64::from(n)))), None, "");
    }

    fn known(&mut self, key: &str, cell: Cell) {
        self.add(key, Some(cell).filter(Cell::is_known), None, "");
    }
}

fn accelerator(rows: &mut Rows<'_>, detail: &AcceleratorDetail) {
    let local = rows.local;
    let part = &detail.part;
    rows.word("vendor", &part.vendor);
    rows.word("architecture", &format!("{} ({})", part.architecture, part.isa));
    rows.word("form", &part.form_words);
    rows.add("released", part.released.map(|day| Cell::word(day.to_string())), None, "");
    rows.known("memory_label_bytes", label_size(local, part.memory_label_bytes));
    let capacity = local.arg(&Arg::Bytes(part.capacity.value.0));
    let capacity = Cell::new(part.capacity.value.0, capacity);
    rows.add("capacity_bytes", Some(capacity), Some(part.capacity.basis), &part.capacity.source);
    rows.word("memory_type", &part.memory_type);
    if let Some(rate) = &part.bandwidth {
        let cell = bandwidth(local, Some(rate.value));
        rows.add("bandwidth_bytes_per_s", Some(cell), Some(rate.basis), &rate.source);
    }
    for rate in part.rates.iter().filter(|rate| rate.matrix && !rate.sparse) {
        let shown = local.arg(&Arg::FlopPerSecond(rate.flop_per_s.value));
        let number = code(&rate.number);
        let label = Text::new("show-rate")
            .with("number", number.to_uppercase())
            .with("accumulate", code(&rate.accumulate).to_uppercase());
        let row = vec![
            Cell::raw(format!("{number}_dense_flop_per_s")),
            Cell::word(local.text(&label)),
            Cell::new(rate.flop_per_s.value, shown),
            Cell::new(
                code(&rate.flop_per_s.basis),
                local.label(&format!("basis-{}", code(&rate.flop_per_s.basis))),
            ),
            Cell::word(rate.flop_per_s.source.as_str()),
        ];
        rows.table.row(row);
    }
    rows.known("power_w", watts(local, part.power_w));
    if let Some(link) = &part.peer_link {
        rows.known("peer_link_bytes_per_s", bandwidth(local, Some(link.bytes_per_s)));
    }
    rows.known("pcie_bytes_per_s", bandwidth(local, part.pcie_bytes_per_s));
    let profiles: Vec<&str> = detail.mig.iter().map(|mig| mig.profile.as_str()).collect();
    rows.word("mig", &profiles.join(", "));
    let names: Vec<&str> = detail.names.iter().map(|name| name.name.as_str()).take(6).collect();
    rows.word("names", &names.join(", "));
}

/// What is contested, announced or not certain.
fn remarks(page: &mut Page<'_>, detail: &AcceleratorDetail) {
    let part = &detail.part;
    page.gap();
    if part.announced {
        page.bullet(&Text::new("finding-part-announced").with("part", part.name.as_str()));
    }
    if let Some(unsure) = &part.unsure {
        page.bullet(&Text::new("show-unsure").with("what", unsure.as_str()));
    }
    if !page.style.explain {
        return;
    }
    for claim in detail.rate_claims.iter().filter(|claim| !claim.preferred) {
        let text = Text::new("show-other-rate")
            .with("number", code(&claim.rate.number).to_uppercase())
            .with("rate", Arg::FlopPerSecond(claim.rate.flop_per_s.value))
            .with("source", claim.rate.flop_per_s.source.as_str())
            .with("why", claim.reason.clone().unwrap_or_default());
        page.bullet(&text);
    }
    for claim in &detail.claims {
        let text = Text::new("show-other-claim")
            .with("figure", claim.figure.as_str())
            .with("value", Arg::Number(claim.value))
            .with("source", claim.source.as_str())
            .with("why", claim.why_not.clone().unwrap_or_default());
        page.bullet(&text);
    }
}

fn processor(rows: &mut Rows<'_>, cpu: &Cpu) {
    let local = rows.local;
    rows.word("vendor", &cpu.vendor);
    rows.word("generation", &cpu.generation);
    rows.count("cores", Some(cpu.cores));
    rows.count("threads", cpu.threads);
    if let Some(clock) = &cpu.clock_hz {
        let ghz = format!("{} GHz", local.arg(&Arg::Number(clock.value / 1e9)));
        rows.add("clock_hz", Some(Cell::new(clock.value, ghz)), Some(clock.basis), &clock.source);
    }
    rows.word("simd", &cpu.simd);
    rows.word("memory_channels", &format!("{} {}", cpu.memory_channels, cpu.memory_type));
    if let Some(rate) = &cpu.bandwidth {
        rows.add(
            "bandwidth_bytes_per_s",
            Some(bandwidth(local, Some(rate.value))),
            Some(rate.basis),
            &rate.source,
        );
    }
    rows.count("max_sockets", Some(cpu.max_sockets));
    rows.known("power_w", watts(local, cpu.power_w));
    rows.word("unsure_label", cpu.unsure.as_deref().unwrap_or_default());
}

fn machine(rows: &mut Rows<'_>, server: &Server) {
    let local = rows.local;
    rows.word("kind", &server.kind);
    rows.word("accelerators", &server.accelerators);
    rows.word("link", &server.link);
    rows.word("cpu", &server.cpu);
    rows.count("cores", server.cores);
    if let Some(ram) = server.ram {
        rows.known("ram_bytes", label_size(local, ram));
    }
    rows.word("storage", &server.storage);
    rows.word("network", &server.network);
    rows.word("power_supply", &server.power_supply);
    rows.known("max_power_w", watts(local, server.max_power_w));
    rows.word("cooling", &server.cooling);
    rows.word("unsure_label", server.unsure.as_deref().unwrap_or_default());
}

fn purchases(local: &Localiser, prices: &[PurchasePrice]) -> Table {
    let mut table = Table::new(vec![
        Column::left("kind", local.label("column-purchase")),
        Column::right("price", local.label("column-price")),
        Column::whole("date", local.label("column-price-date")),
        Column::left("source", local.label("column-source")),
    ]);
    for price in prices {
        table.row(vec![
            Cell::new(price.kind.as_str(), kind(local, &price.kind)),
            Cell::new(price.price.as_f64(), local.arg(&Arg::from(price.price))),
            Cell::word(price.date_words.as_str()),
            Cell::word(price.source.as_str()),
        ]);
    }
    table
}
