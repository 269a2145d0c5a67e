//! Trainings of which only the whole is published: submissions to MLPerf Training, and the accelerator-hours of a
//! pretraining. Neither states how the model was divided; the fastest plan that fits is taken, as both were tuned.

use maat_catalogue::Machine;
use maat_estimate::{Parallel, Recompute, Rules, TrainJob, TrainPlan, Training};
use maat_model::Part;

use crate::case::{Quantity, Skip, Unit};
use crate::files::reading;
use crate::model::Opened;
use crate::row::Row;

/// Accelerators of a pretraining whose number is not published, and tokens of its steps: those of Llama 2 and 3 lie
/// around these.
const ACCELERATORS: u32 = 1024;
const STEP_TOKENS: f64 = 4e6;
/// Share of the hours in which such a pretraining gets on ("higher than 90 %", Llama 3 paper, section 3.3.4).
const EFFECTIVE: f64 = 0.9;
/// Tokens of a sequence where the model states none, and the most: long contexts come after the pretraining.
const SEQUENCE: f64 = 2048.0;
const MOST_SEQUENCE: u64 = 8192;

/// Micro-batches, degrees of the divisions, and interleaved chunks of layers that are tried.
const MICRO_BATCHES: [u64; 3] = [1, 2, 4];
const TENSOR: [u32; 4] = [1, 2, 4, 8];
const STAGES: [u32; 5] = [1, 2, 4, 8, 16];
const CONTEXT: [u32; 4] = [1, 2, 4, 8];
const EXPERTS: [u32; 6] = [1, 4, 8, 16, 32, 64];

/// A row of `convergence.csv`: how many samples reach the quality that a benchmark asks for.
#[derive(Clone, Debug)]
pub struct Converged {
    model: String,
    adapters: bool,
    batch: f64,
    samples: f64,
    sequence: f64,
    /// Tokens that a sample of the benchmark's rates counts.
    counted: f64,
    /// Time of evaluations beside that of training.
    evaluation: f64,
}

/// All rows of the table.
pub fn converged() -> Vec<Converged> {
    let read = |row: csv::StringRecord| {
        let number = |at: usize| row.get(at).and_then(|cell| cell.parse::<f64>().ok());
        let sequence = number(4)?;
        Some(Converged {
            model: row.get(0)?.to_owned(),
            adapters: row.get(1)? == "yes",
            batch: number(2)?,
            samples: number(3)?,
            sequence,
            counted: if row.get(5)? == "tokens" { 1.0 } else { sequence },
            evaluation: number(6)?,
        })
    };
    reading("convergence").into_iter().filter_map(read).collect()
}

/// The quantity of a row of MLPerf Training, or of published hours.
pub fn quantity(
    row: &Row,
    table: &[Converged],
    opened: &Opened,
    work: &Training,
) -> Result<(Quantity, Unit), Skip> {
    let count = f64::from(accelerators(row));
    let mine = |known: &&Converged| *known.model == *opened.id && known.adapters == work.adapters.is_some();
    let rows: Vec<&Converged> = table.iter().filter(mine).collect();
    let first = rows.first();
    Ok(match row.text("metric") {
        "train_samples_per_s" => {
            let counted = first.map_or(work.sequence as f64, |known| known.counted);
            (Quantity::Train, Unit::per(count / counted))
        }
        "time_to_train" => {
            let first = first.ok_or(Skip::WorkUnknown)?;
            let batch = work.global_batch.unwrap_or(1) as f64;
            let tokens = samples(&rows, batch) * first.sequence * (1.0 + first.evaluation);
            let minutes = if row.text("unit").starts_with("min") { 60.0 } else { 1.0 };
            (Quantity::Train, Unit::times(tokens / count / minutes))
        }
        "pretrain_gpu_hours" => {
            let tokens = row.noted("tokens").and_then(tokens).ok_or(Skip::WorkUnknown)?;
            (Quantity::Train, Unit::times(tokens / EFFECTIVE / 3600.0))
        }
        _ => return Err(Skip::MetricUnknown),
    })
}

/// Samples at a batch: on the straight line between its neighbours in the logarithms, beyond the largest on the last
/// one, below the least those of the least.
fn samples(rows: &[&Converged], batch: f64) -> f64 {
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return 0.0 };
    if rows.len() < 2 || batch <= first.batch {
        return first.samples;
    }
    let pair = rows.windows(2).find(|pair| batch <= pair[1].batch).unwrap_or(&rows[rows.len() - 2..]);
    let (from, to) = (pair[0], pair.get(1).unwrap_or(last));
    let share = (batch / from.batch).ln() / (to.batch / from.batch).ln();
    from.samples * (to.samples / from.samples).powf(share)
}

/// Tokens of a note such as `15T+`, `~40T`, `300B`.
fn tokens(text: &str) -> Option<f64> {
    let text = text.trim_start_matches('~').trim_end_matches('+');
    let (number, unit) = text.split_at(text.len().checked_sub(1)?);
    let unit = match unit {
        "T" => 1e12,
        "B" => 1e9,
        "M" => 1e6,
        _ => return None,
    };
    number.parse::<f64>().ok().filter(|n| *n > 0.0).map(|n| n * unit)
}

/// Whether a row tells only the whole of a training.
pub fn is_whole(row: &Row) -> bool {
    ["train_samples_per_s", "time_to_train", "pretrain_gpu_hours"].contains(&row.text("metric"))
}

/// Accelerators of a row.
pub fn accelerators(row: &Row) -> u32 {
    let unstated = if row.text("metric") == "pretrain_gpu_hours" { ACCELERATORS } else { 1 };
    row.count("count").unwrap_or(unstated)
}

/// Tokens of a sequence of a pretraining that does not state them.
pub fn usual_sequence(opened: &Opened) -> f64 {
    opened.model.context_max.map_or(SEQUENCE, |most| most.min(MOST_SEQUENCE) as f64)
}

/// Sequences of its steps.
pub fn usual_batch(sequence: f64) -> u64 {
    (STEP_TOKENS / sequence) as u64
}

/// The fastest plan of those that fit; the given one where none does.
pub fn fastest(
    given: TrainPlan,
    work: &Training,
    opened: &Opened,
    machine: &Machine,
    rules: &Rules,
    count: u32,
) -> TrainPlan {
    let mut all: Vec<(f64, TrainPlan)> = plans(&given, work, opened, count)
        .into_iter()
        .filter_map(|plan| {
            let job = TrainJob { model: &opened.model, work, machine: Some(machine), plan: &plan, rules };
            let step = maat_estimate::train_step(&opened.profile, &job)?;
            Some((step.times.total() / step.tokens, plan))
        })
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let room = machine.slots.first().map(|slot| slot.accelerator.capacity.value);
    let fits = |plan: &TrainPlan| {
        let job = TrainJob { model: &opened.model, work, machine: Some(machine), plan, rules };
        let need = maat_estimate::training_memory(&job).per_accelerator.total_bytes_range[0];
        room.is_none_or(|room| need <= room)
    };
    all.into_iter().map(|(_, plan)| plan).find(fits).unwrap_or(given)
}

/// Plans that use all accelerators with the batch as it is.
fn plans(given: &TrainPlan, work: &Training, opened: &Opened, count: u32) -> Vec<TrainPlan> {
    let layers = opened.model.decoder().map_or(1, |stack| stack.order.len() as u32);
    let routed = opened.model.weights().any(|(weight, _)| weight.part == Part::RoutedExperts);
    let batch = work.global_batch.unwrap_or(1);
    let mut all = Vec::new();
    let splits = TENSOR.into_iter().flat_map(|tp| STAGES.map(|pp| (tp, pp)));
    let splits = splits.flat_map(|(tp, pp)| CONTEXT.map(|cp| (tp, pp, cp)));
    for (tp, pp, cp) in splits.filter(|(_, pp, _)| *pp == 1 || layers / pp >= 2) {
        let used = tp * pp * cp;
        if count < used || !count.is_multiple_of(used) {
            continue;
        }
        let dp = count / used;
        for micro_batch in MICRO_BATCHES {
            let at_once = u64::from(dp) * micro_batch;
            if at_once > batch || !batch.is_multiple_of(at_once) && at_once * 2 > batch {
                continue;
            }
            let experts = EXPERTS.into_iter().filter(|ep| *ep == 1 || routed && dp.is_multiple_of(*ep));
            for ep in experts {
                for recompute in [Recompute::None, Recompute::Selective, Recompute::Full] {
                    let parallel = Parallel { tp, pp, dp, ep, cp, replicas: 1, stages: None };
                    let virtual_stages = if pp > 1 { (layers / pp / 2).clamp(1, 5) } else { 1 };
                    all.push(TrainPlan {
                        parallel,
                        micro_batch,
                        recompute,
                        virtual_stages,
                        sequence_parallel: tp > 1,
                        ..given.clone()
                    });
                }
            }
        }
    }
    all
}
