//! `here`: this machine in one screen, and what it can run well.

use maat_advise::{SizeRequest, WorkRequest, World, argv, size};
use maat_base::{Answer, Arg, Code, Fault, Range, Text, Verdict};
use maat_catalogue::{HardwareRequest, Machine};
use maat_probe::machine::Seen;
use serde::Serialize;

use crate::matched::{usable_cores, usable_memory};
use crate::models::samples;
use crate::{Record, findings};

/// Tokens per second from which on a person reads along without waiting.
const READING_TOKENS_PER_S: f64 = 5.0;

/// This machine.
#[derive(Clone, Debug, Serialize)]
pub struct HereBody {
    /// Everything that was read.
    pub seen: Seen,
    /// The machine as answers take it, with figures and their origin.
    pub machine: Machine,
    /// Cores' worth of time that may be used.
    pub usable_cores: Option<f64>,
    /// Memory that may be used.
    pub usable_memory_bytes: Option<u64>,
    /// What was measured on it, if `maat bench` has run.
    pub measured: Option<Record>,
    /// A handful of models on it, smallest first.
    pub runs: Vec<Run>,
}

/// A model on the machine.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    /// Its name.
    pub model: String,
    /// In which precision.
    pub precision: String,
    /// Whether it fits.
    pub fits: bool,
    /// Memory that it takes.
    pub total_bytes: u64,
    /// Tokens per second of one user.
    pub decode_tokens_per_s: Option<Range>,
    /// Tokens per second of one prompt alone.
    pub prefill_tokens_per_s: Option<Range>,
    /// The command that shows it closer by.
    pub argv: Vec<String>,
}

/// Shows the machine that the world's `--here` means.
///
/// # Errors
/// Facts that cannot be read, or nobody has looked at the machine.
pub fn here(seen: &Seen, record: Option<&Record>, world: &World) -> Result<Answer<HereBody>, Fault> {
    let this = world.catalogue.this_machine().ok_or_else(|| Fault::usage("here-not-looked"))?;
    let machine = this.machine.clone();
    let runs = samples()?
        .iter()
        .filter_map(|sample| {
            let request = SizeRequest {
                model: Some(sample.model.clone()),
                work: WorkRequest { precision: sample.precision.clone(), ..WorkRequest::default() },
                hardware: HardwareRequest { here: true, ..HardwareRequest::default() },
            };
            // Without a machine to compute on nothing can be said of a model.
            let answer = size(&request, world).ok()?;
            let fits = answer.body.fits?;
            let speed = answer.body.speed.as_ref();
            Some(Run {
                model: sample.model.clone(),
                precision: answer.body.plan.precision.clone(),
                fits,
                total_bytes: answer.body.memory.per_accelerator.total_bytes.0,
                decode_tokens_per_s: speed.and_then(|speed| speed.decode_tokens_per_s),
                prefill_tokens_per_s: speed.and_then(|speed| speed.prefill_tokens_per_s),
                argv: argv("size", &request),
            })
        })
        .collect();
    let body = HereBody {
        usable_cores: usable_cores(seen),
        usable_memory_bytes: usable_memory(seen),
        measured: record.filter(|record| record.is_of(seen)).cloned(),
        runs,
        seen: seen.clone(),
        machine,
    };
    let mut answer = Answer::new("here", verdict(&body), body);
    answer.findings = findings::all(seen, &this.machine, world.catalogue);
    answer.findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    answer.assumed.clone_from(&this.assumed);
    let tags = this.machine.slots.iter().map(|slot| slot.accelerator.sources.as_str());
    answer.sources = world.sources(tags);
    Ok(answer)
}

fn verdict(body: &HereBody) -> Verdict {
    if body.machine.name.is_empty() {
        return Verdict {
            ok: None,
            code: Code::Borrowed("not-enough-data"),
            text: Text::new("here-nothing-seen"),
        };
    }
    let speed = |run: &Run| run.decode_tokens_per_s.map(|range| range.likely);
    let well =
        body.runs.iter().rev().find(|run| run.fits && speed(run).is_some_and(|s| s >= READING_TOKENS_PER_S));
    let fits = body.runs.iter().rev().find(|run| run.fits);
    let machine = Text::new("here-machine")
        .with("name", body.machine.name.as_str())
        .with("cores", cores(body.usable_cores))
        .with("memory", Arg::Bytes(body.usable_memory_bytes.unwrap_or(0)));
    let text = match (well, fits) {
        (Some(run), _) => Text::new("here-runs-well")
            .with("machine", machine)
            .with("model", run.model.as_str())
            .with("precision", run.precision.as_str())
            .with("rate", Arg::TokensPerSecond(speed(run).unwrap_or(0.0))),
        (None, Some(run)) => Text::new("here-holds")
            .with("machine", machine)
            .with("model", run.model.as_str())
            .with("precision", run.precision.as_str())
            .with("known", if speed(run).is_some() { "yes" } else { "no" }),
        (None, None) => Text::new("here-holds-nothing").with("machine", machine),
    };
    Verdict { ok: Some(true), code: Code::Borrowed("seen"), text }
}

/// A whole number of cores as a count, a share of one as a number.
fn cores(usable: Option<f64>) -> Arg {
    match usable {
        Some(cores) if cores.fract() == 0.0 => Arg::Count(cores as u64),
        Some(cores) => Arg::Number(cores),
        None => Arg::Str(String::from("?")),
    }
}
