//! Why the answer is what it is, in words.

use maat_base::{Bytes, Text};
use maat_catalogue::Machine;
use maat_estimate::Bound;

use crate::answer::SizeBody;
use crate::case::{Case, Judged};
use crate::search::Fit;

/// "Fits on 2x RTX 4090 with 6.1 GB to spare …": what the machine does for the work that was asked.
pub fn fits_sentence(case: &Case, best: &Judged, machine: &Machine, tight: bool) -> Text {
    let one = &best.memory.per_accelerator;
    let Some(free) = one.free_bytes else {
        let rate = best.speed.as_ref().and_then(|speed| speed.decode_tokens_per_s);
        return Text::new("size-room-unknown")
            .with("machine", machine.name.as_str())
            .with("need", one.total_bytes)
            .with("speed-known", if rate.is_some() { "yes" } else { "no" })
            .with("speed", maat_base::Arg::TokensPerSecond(rate.map_or(0.0, |rate| rate.likely)));
    };
    let spare = u64::try_from(free).unwrap_or(0);
    let mut text = Text::new(if tight { "size-fits-tight" } else { "size-fits" })
        .with("machine", machine.name.as_str())
        .with("spare", Bytes(spare))
        .with("users", case.work.users)
        .with("context", case.work.context);
    text = match best.memory.sequences_at_context {
        Some(most) if most < case.work.users => text.with("most", most).with("capacity", "fewer"),
        Some(most) => text.with("most", most).with("capacity", "enough"),
        None => text.with("most", 0u64).with("capacity", "unknown"),
    };
    match best.speed.as_ref().and_then(|speed| speed.decode_tokens_per_s) {
        Some(rate) => {
            text.with("speed", maat_base::Arg::TokensPerSecond(rate.likely)).with("speed-known", "yes")
        }
        None => text.with("speed", "").with("speed-known", "no"),
    }
}

/// The reasons of a `size` answer, the most telling first.
pub fn of_size(case: &Case, all: &[Judged], body: &SizeBody) -> Vec<Text> {
    let Some(best) = all.first() else { return Vec::new() };
    let mut reasons = vec![weights(case, best)];
    reasons.extend(cache(case, best));
    reasons.extend(bound(case, best));
    reasons.extend(no_speed(case, best));
    reasons.extend(division(all));
    if !best.fits() && body.nearest.is_empty() && case.machine.is_some() {
        reasons.push(Text::new("reason-nothing-near"));
    }
    reasons
}

fn weights(case: &Case, best: &Judged) -> Text {
    let parallel = &best.plan.parallel;
    let split = u64::from(parallel.tp.saturating_mul(parallel.pp));
    Text::new(if split > 1 { "reason-weights-split" } else { "reason-weights" })
        .with("bytes", case.model.weights_bytes())
        .with("precision", best.plan.precision.as_str())
        .with("each", best.memory.per_accelerator.weights_bytes)
        .with("split", split)
}

fn cache(case: &Case, best: &Judged) -> Option<Text> {
    let per_token = best.memory.kv_cache_bytes_per_token?;
    let per_sequence = best.memory.kv_cache_bytes_per_sequence?;
    if per_token == Bytes::ZERO {
        return best
            .memory
            .state_bytes_per_sequence
            .map(|state| Text::new("reason-state-only").with("state", state).with("users", case.work.users));
    }
    let text =
        Text::new(if best.memory.kv_pool_tokens.is_some() { "reason-cache-pool" } else { "reason-cache" })
            .with("per-token", per_token)
            .with("per-sequence", per_sequence)
            .with("context", case.work.context);
    Some(match best.memory.sequences_at_context {
        Some(most) if best.memory.kv_pool_tokens.is_some() => text.with("most", most),
        _ => text.with("users", case.work.users).with("total", per_sequence * case.work.users),
    })
}

/// Why there is no speed for what fits.
fn no_speed(case: &Case, best: &Judged) -> Option<Text> {
    let machine = case.machine.as_ref().filter(|_| best.fits() && best.speed.is_none())?;
    let serve = &best.plan.serve;
    let on_host = serve.gpu_layers.is_some() || serve.experts_on_cpu || serve.kv_on_cpu;
    let id = if on_host && machine.host.processor.is_none() {
        "reason-speed-needs-processor"
    } else if !case.model.caches_known {
        "reason-speed-needs-configuration"
    } else {
        "reason-speed-needs-figures"
    };
    Some(Text::new(id).with("machine", machine.name.as_str()))
}

/// Few users reuse weights so little that arithmetic is the limit only where weights must be unpacked first.
const FEW_USERS: u64 = 8;

fn bound(case: &Case, best: &Judged) -> Option<Text> {
    let each = &best.memory.per_accelerator;
    let id = match best.speed.as_ref()?.bound.decode? {
        Bound::Memory if each.kv_cache_bytes > each.weights_bytes => "reason-bound-cache",
        Bound::Memory => "reason-bound-memory",
        Bound::Compute if case.work.users <= FEW_USERS => "reason-bound-unpacking",
        Bound::Compute => "reason-bound-compute",
        Bound::Network => "reason-bound-network",
        Bound::Launch => "reason-bound-launch",
        Bound::Cpu => "reason-bound-cpu",
        Bound::Storage => "reason-bound-storage",
    };
    Some(Text::new(id))
}

/// Copies beside each other against one split copy, where both were tried.
fn division(all: &[Judged]) -> Option<Text> {
    let best = all.first()?;
    let throughput = best.throughput()?;
    let other = all
        .iter()
        .skip(1)
        .find(|judged| judged.fits() && judged.plan.parallel.replicas != best.plan.parallel.replicas)?;
    let ratio = throughput / other.throughput()?;
    let parallel = &best.plan.parallel;
    let id = if parallel.replicas > other.plan.parallel.replicas {
        "reason-replicas-faster"
    } else {
        "reason-split-faster"
    };
    Some(
        Text::new(id)
            .with("replicas", parallel.replicas)
            .with("ways", parallel.tp.saturating_mul(parallel.pp))
            .with("other-replicas", other.plan.parallel.replicas)
            .with("gain", maat_base::Arg::Share(ratio - 1.0)),
    )
}

/// The reasons of a candidate.
pub fn of_candidate(fit: &Fit) -> Vec<Text> {
    let mut reasons = vec![weights(&fit.case, &fit.judged)];
    reasons.extend(
        fit.judged
            .memory
            .sequences_at_context
            .map(|most| Text::new("reason-room").with("most", most).with("users", fit.case.work.users)),
    );
    reasons.extend(bound(&fit.case, &fit.judged));
    if fit.instances > 1 {
        reasons.push(Text::new("reason-instances").with("n", fit.instances));
    }
    reasons
}
