//! Figures that answers share: memory bars, speeds with their ranges, plans in a word.

use maat_advise::{MachineView, PlanView};
use maat_base::{Arg, Bytes, Range};
use maat_estimate::{AcceleratorMemory, Speed};

use super::{Bar, Cell, Part};
use crate::{Lang, Localiser, argument, number};

/// The bar of an accelerator's memory.
pub fn memory_bar(memory: &AcceleratorMemory, capacity: Option<Bytes>) -> Bar {
    let part = |label, bytes: Bytes| Part { label, bytes: bytes.0 };
    Bar {
        parts: vec![
            part("part-weights", memory.weights_bytes),
            part("part-kv-cache", memory.kv_cache_bytes),
            part("part-state", memory.state_bytes),
            part("part-activations", memory.activations_bytes),
            part("part-gradients", memory.gradients_bytes),
            part("part-optimizer", memory.optimizer_bytes),
            part("part-adapters", memory.adapters_bytes),
            part("part-reference", memory.reference_bytes),
            part("part-workspace", memory.workspace_bytes),
            part("part-framework", memory.framework_bytes),
        ],
        capacity: capacity.map(|bytes| bytes.0),
    }
}

/// Gibibytes with one decimal, without the unit.
pub fn gib(lang: Lang, bytes: Bytes) -> String {
    number::fixed(lang, bytes.as_gib(), 1)
}

/// A range, written once where both ends have the same unit: `12–17 ms`.
pub fn span(local: &Localiser, range: Range, arg: fn(f64) -> Arg) -> String {
    let (low, high) = (local.arg(&arg(range.low)), local.arg(&arg(range.high)));
    match (low.split_once(' '), high.split_once(' ')) {
        _ if low == high => low,
        (Some((number, unit)), Some((_, other))) if unit == other => format!("{number}–{high}"),
        _ => format!("{low} – {high}"),
    }
}

/// The likely figure of a range as a cell.
pub fn likely(local: &Localiser, range: Option<Range>, arg: fn(f64) -> Arg) -> Cell {
    Cell::or_unknown(range.map(|range| Cell::new(range.likely, local.arg(&arg(range.likely)))))
}

/// Tokens per second without the unit, for columns that name it.
pub fn rate(lang: Lang, range: Option<Range>) -> Cell {
    Cell::or_unknown(range.map(|range| Cell::new(range.likely, argument::tokens(lang, range.likely))))
}

/// The plan in a few words: `vllm, fp8, tp 2, 3 copies`.
pub fn plan(local: &Localiser, plan: &PlanView) -> String {
    let mut words = vec![plan.engine.to_owned(), plan.precision.clone(), division(local, plan)];
    words.retain(|word| !word.is_empty());
    words.join(", ")
}

/// How the plan divides the model: `tp 2, 3 copies`; nothing for a whole model on one accelerator.
pub fn division(local: &Localiser, plan: &PlanView) -> String {
    let ranks = [("tp", plan.tp), ("pp", plan.pp), ("dp", plan.dp), ("ep", plan.ep), ("cp", plan.cp)];
    let mut words: Vec<String> =
        ranks.into_iter().filter(|(_, n)| *n > 1).map(|(name, n)| format!("{name} {n}")).collect();
    if plan.replicas > 1 {
        words.push(local.text(&maat_base::Text::new("assumed-replicas").with("n", plan.replicas)));
    }
    words.join(", ")
}

/// The machine in a few words.
pub fn machine(machine: &MachineView) -> String {
    match &machine.slice {
        Some(slice) if !machine.name.contains(slice.as_str()) => format!("{}:{slice}", machine.name),
        _ => machine.name.clone(),
    }
}

/// `2x RTX 3090`, or the name alone for one.
pub fn counted(count: u32, name: &str) -> String {
    if count == 1 { name.to_owned() } else { format!("{count}x {name}") }
}

/// A figure of a speed: label, name for programs, figure, how it is written.
pub type SpeedFigure = (&'static str, &'static str, Option<Range>, fn(f64) -> Arg);

/// A speed's figures.
pub fn speeds(speed: &Speed) -> [SpeedFigure; 12] {
    [
        ("figure-ttft", "ttft_s", speed.ttft_s, Arg::Seconds),
        ("figure-tpot", "tpot_s", speed.tpot_s, Arg::Seconds),
        ("figure-decode", "decode_tokens_per_s", speed.decode_tokens_per_s, Arg::TokensPerSecond),
        ("figure-throughput", "throughput_tokens_per_s", speed.throughput_tokens_per_s, Arg::TokensPerSecond),
        ("figure-prefill", "prefill_tokens_per_s", speed.prefill_tokens_per_s, Arg::TokensPerSecond),
        ("figure-train", "train_tokens_per_s", speed.train_tokens_per_s, Arg::TokensPerSecond),
        (
            "figure-train-each",
            "train_tokens_per_s_per_accelerator",
            speed.train_tokens_per_s_per_accelerator,
            Arg::TokensPerSecond,
        ),
        ("figure-step", "step_s", speed.step_s, Arg::Seconds),
        ("figure-mfu", "mfu", speed.mfu, Arg::Share),
        ("figure-items", "items_per_s", speed.items_per_s, Arg::Number),
        ("figure-item", "item_s", speed.item_s, Arg::Seconds),
        ("figure-time", "time_to_finish_s", speed.time_to_finish_s, Arg::Seconds),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_says_its_unit_once() {
        let local = Localiser::new(Lang::En);
        assert_eq!(span(&local, Range::new(0.012, 0.014, 0.017), Arg::Seconds), "12–17 ms");
        assert_eq!(span(&local, Range::new(0.9, 1.0, 1.4), Arg::Seconds), "900 ms – 1.4 s");
        assert_eq!(span(&local, Range::exact(0.012), Arg::Seconds), "12 ms");
    }
}
