//! `catalogue import`: price lists of others to files of offers.
//!
//! Reads the CSV that gpuhunt and SkyPilot write, and a plain price list as a seller writes it. Nothing is stored here: the
//! answer holds the files, and the caller puts them into the user's facts. A provider of which most rows cannot be read gets
//! no file, so that its last good prices stay.

mod delimited;
mod gpuhunt;
mod list;
mod row;
mod skypilot;
#[cfg(test)]
mod tests;
mod write;

use std::collections::BTreeMap;

use maat_base::{Answer, Assumed, Date, Fault, Finding, Severity, Text, Verdict};
use serde::{Deserialize, Serialize};

use crate::catalogue::Catalogue;
use crate::load::PriceKind;
use crate::verbs::ExportedFile;
use delimited::Sheet;
use row::{Priced, Skip};

/// Most rows that are read.
const MOST_ROWS: usize = 2_000_000;

/// A price list to keep.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct ImportRequest {
    /// A CSV of gpuhunt or SkyPilot, or a price list of one's own; - for standard input
    #[cfg_attr(feature = "clap", arg(value_name = "FILE"))]
    pub file: String,
    /// Who wrote it [default: by its columns]
    #[cfg_attr(feature = "clap", arg(long, value_name = "CONVENTION"))]
    pub from: Option<ImportFormat>,
    /// Provider of rows that name none [default: the file's name]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    pub provider: Option<String>,
    /// The day that prices without a date were seen, YYYY-MM-DD [default: today]
    #[cfg_attr(feature = "clap", arg(long, value_name = "DATE"))]
    pub observed: Option<String>,
    /// Say what would be kept, and keep nothing
    #[cfg_attr(feature = "clap", arg(long))]
    pub dry_run: bool,
}

/// Conventions of price lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum ImportFormat {
    /// `instance_name, location, price, cpu, memory, gpu_count, gpu_name, gpu_memory, spot`.
    Gpuhunt,
    /// `InstanceType, AcceleratorName, AcceleratorCount, vCPUs, MemoryGiB, GpuInfo, Price, SpotPrice, Region`.
    Skypilot,
    /// A price list: a part and a price, and what else is known.
    Csv,
}

/// What a price list gave.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ImportBody {
    /// Its convention.
    pub format: ImportFormat,
    /// Its rows.
    pub rows: usize,
    /// Prices that are kept.
    pub kept: usize,
    /// Whether nothing was stored because only a look was asked for.
    pub dry_run: bool,
    /// Providers.
    pub providers: Vec<ImportedProvider>,
    /// Rows that are not kept, by reason.
    pub skipped: Vec<SkippedRows>,
    /// The files to store.
    #[serde(skip)]
    pub files: Vec<ExportedFile>,
}

/// A provider of a price list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ImportedProvider {
    /// Its name.
    pub provider: String,
    /// Its prices that are kept; 0 where the list is so bad that the last good prices stay.
    pub kept: usize,
    /// Its rows that are not.
    pub skipped: usize,
    /// The file below the facts folder.
    pub file: Option<String>,
}

/// Rows that are not kept.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SkippedRows {
    /// Why: a code.
    pub reason: &'static str,
    /// How many.
    pub rows: usize,
    /// Line of the first.
    pub first_line: usize,
}

/// Reads a price list. `name` is the file's, without folder; `today` the day of prices that have none.
///
/// # Errors
/// `import-empty`, `import-columns` for what is no price list, `import-nothing-kept`, `date-malformed`,
/// `import-too-many-rows`.
pub fn import(
    request: &ImportRequest,
    name: &str,
    text: &str,
    today: Date,
    catalogue: &Catalogue,
) -> Result<Answer<ImportBody>, Fault> {
    let sheet = Sheet::of(text).ok_or_else(|| Fault::content("import-empty").at(request.file.as_str()))?;
    let format = match request.from {
        Some(format) => format,
        None => recognised(&sheet).ok_or_else(|| {
            Fault::content("import-columns")
                .with("columns", sheet.header_words())
                .at(format!("{}:1", request.file))
        })?,
    };
    let observed = match &request.observed {
        None => today,
        Some(text) => text
            .parse()
            .map_err(|_| Fault::usage("date-malformed").with("given", text.as_str()).at("--observed"))?,
    };
    let provider = request.provider.clone().unwrap_or_else(|| stem(name));
    let read = match format {
        ImportFormat::Gpuhunt => gpuhunt::read,
        ImportFormat::Skypilot => skypilot::read,
        ImportFormat::Csv => list::read,
    };
    let mut rows = Vec::new();
    read(&sheet, &provider, &mut rows).map_err(|missing| {
        Fault::content("import-column-missing").with("column", missing).at(request.file.as_str())
    })?;
    if rows.len() > MOST_ROWS {
        return Err(Fault::content("import-too-many-rows").with("most", MOST_ROWS).at(request.file.as_str()));
    }
    for row in &mut rows {
        name_bought_part(row, catalogue);
    }
    let mut body = sorted(rows, format, observed, &format!("{name} ({})", format.name()));
    body.dry_run = request.dry_run;
    if body.kept == 0 {
        let reason = body.skipped.first().map_or("no-accelerator", |skipped| skipped.reason);
        return Err(Fault::content("import-nothing-kept")
            .with("reason", Text::named(format!("import-skipped-{reason}")))
            .at(request.file.as_str()));
    }
    Ok(answer(body, request, observed))
}

impl ImportFormat {
    /// Its name in requests and answers.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gpuhunt => "gpuhunt",
            Self::Skypilot => "skypilot",
            Self::Csv => "csv",
        }
    }
}

/// The convention that the columns belong to.
fn recognised(sheet: &Sheet<'_>) -> Option<ImportFormat> {
    if sheet.has("InstanceType") && sheet.has("AcceleratorName") {
        Some(ImportFormat::Skypilot)
    } else if sheet.has("instance_name") && sheet.has("gpu_name") {
        Some(ImportFormat::Gpuhunt)
    } else if list::recognised(sheet) {
        Some(ImportFormat::Csv)
    } else {
        None
    }
}

/// The file's name without its extension.
fn stem(name: &str) -> String {
    let stem = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = stem.split('.').next().unwrap_or(stem);
    if stem.is_empty() || stem == "-" { "own".to_owned() } else { stem.to_ascii_lowercase() }
}

/// Purchase prices go by the part's identifier; offers keep the provider's words, which are resolved when they are read.
fn name_bought_part(row: &mut Result<Priced, Skip>, catalogue: &Catalogue) {
    let Ok(priced) = row else { return };
    if priced.kind != PriceKind::Purchase {
        return;
    }
    if let Ok(found) = catalogue.resolve_accelerator(&priced.accelerator) {
        priced.accelerator.clone_from(&found.part.id);
    } else {
        let (provider, line) = (priced.provider.clone(), priced.line);
        *row = Err(Skip { provider, reason: "part-unknown", line });
    }
}

/// One provider's rows.
#[derive(Default)]
struct OfProvider {
    kept: Vec<Priced>,
    skipped: usize,
}

/// Sorts rows by provider, counts what is not kept and writes the files of those that are good enough.
fn sorted(rows: Vec<Result<Priced, Skip>>, format: ImportFormat, observed: Date, source: &str) -> ImportBody {
    let mut providers: BTreeMap<String, OfProvider> = BTreeMap::new();
    let mut body = ImportBody {
        format,
        rows: rows.len(),
        kept: 0,
        dry_run: false,
        providers: Vec::new(),
        skipped: Vec::new(),
        files: Vec::new(),
    };
    for row in rows {
        match row {
            Ok(row) => providers.entry(row.provider.clone()).or_default().kept.push(row),
            Err(skip) => {
                count(&mut body.skipped, &skip);
                // What is left out on purpose says nothing against the provider.
                if skip.is_unreadable() {
                    providers.entry(skip.provider).or_default().skipped += 1;
                }
            }
        }
    }
    for (provider, mut of) in providers {
        let good = of.kept.len() > of.skipped;
        row::once_each(&mut of.kept);
        for skip in row::spot_above_on_demand(&mut of.kept) {
            count(&mut body.skipped, &skip);
        }
        let files = if good { write::files(&provider, &of.kept, observed, source) } else { Vec::new() };
        let kept = if files.is_empty() { 0 } else { of.kept.len() };
        body.kept += kept;
        body.providers.push(ImportedProvider {
            provider,
            kept,
            skipped: of.skipped,
            file: files.first().map(|file| file.path.clone()),
        });
        body.files.extend(files);
    }
    body.skipped.sort_by_key(|skipped| std::cmp::Reverse(skipped.rows));
    body
}

/// Counts a row that is not kept.
fn count(skipped: &mut Vec<SkippedRows>, skip: &Skip) {
    match skipped.iter_mut().find(|known| known.reason == skip.reason) {
        Some(known) => known.rows += 1,
        None => skipped.push(SkippedRows { reason: skip.reason, rows: 1, first_line: skip.line }),
    }
}

fn answer(body: ImportBody, request: &ImportRequest, observed: Date) -> Answer<ImportBody> {
    let id = if body.dry_run { "verdict-import-dry" } else { "verdict-import" };
    let text = Text::named(id.to_owned())
        .with("n", body.kept)
        .with("providers", body.providers.iter().filter(|provider| provider.kept > 0).count())
        .with("rows", body.rows);
    let code = if body.dry_run { "would-import" } else { "imported" };
    let mut findings = Vec::new();
    for provider in body.providers.iter().filter(|provider| provider.kept == 0) {
        findings.push(
            Finding::new("import-provider-refused", Severity::Warning, provider.provider.as_str())
                .with("rows", provider.skipped)
                .because("rows", provider.skipped.to_string(), request.file.as_str()),
        );
    }
    for skipped in &body.skipped {
        findings.push(
            Finding::new("import-rows-skipped", Severity::Info, skipped.reason)
                .with("rows", skipped.rows)
                .with("why", Text::named(format!("import-skipped-{}", skipped.reason)))
                .because(
                    "first",
                    skipped.rows.to_string(),
                    format!("{}:{}", request.file, skipped.first_line),
                ),
        );
    }
    let mut answer =
        Answer::new("catalogue import", Verdict { ok: Some(true), code: code.into(), text }, body);
    answer.findings = findings;
    if request.observed.is_none() {
        answer.assumed.push(Assumed {
            name: "observed",
            value: observed.to_string().into(),
            text: Text::new("assumed-import-observed").with("date", observed),
            why: Text::new("why-import-observed"),
        });
    }
    answer
}
