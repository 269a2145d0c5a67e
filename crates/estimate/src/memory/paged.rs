//! Engines that reserve memory and cut what is left into pages: vLLM, SGLang, TensorRT-LLM.

use maat_base::Bytes;

use super::cache::Reach;
use super::machine::Cards;
use super::part::Part;
use super::rank::{Placement, Rank, Spread, exact, larger, plus};
use super::stage::{self, Stage};
use crate::engine::PoolRule;
use crate::{Job, Setting, Settings};

/// Places the job: one rank for each stage, as the ranks of a stage are alike.
pub(crate) fn place(job: &Job, settings: &Settings, cards: &Cards) -> Placement {
    let host = (!cards.cpu).then(|| settings.bytes(Setting::HostBytes)[1] * cards.ranks_per_node());
    let Some(part) = Part::new(job, settings, cards) else { return Placement { ranks: Vec::new(), host } };
    let stages = stage::stages(job, part.stack);
    let ranks = stages.iter().zip(0..).map(|(stage, index)| rank(&part, stage, index)).collect();
    Placement { ranks, host }
}

fn rank(part: &Part, stage: &Stage, index: u64) -> Rank {
    let (name, capacity) = part.cards.of_stage(index);
    let profiled = profiled(part, stage);
    let inside = inside(part);
    let mut rank = Rank {
        name: name.map(str::to_owned).filter(|_| part.cards.mixed),
        capacity,
        weights: part.weights(stage),
        workspace: plus(profiled, part.settings.bytes(Setting::GraphBytes)),
        framework: plus(inside, part.settings.outside()),
        block: block(part, stage),
        ..Rank::default()
    };
    demand(part, stage, &mut rank);
    reserve(part.settings, &mut rank, profiled[1], inside[1]);
    rank
}

/// What the engine takes of the card, and what it must hold of that before the pool.
fn reserve(settings: &Settings, rank: &mut Rank, profiled: Bytes, inside: Bytes) {
    let (Some(capacity), Some(fraction)) = (rank.capacity, settings.memory_fraction()) else { return };
    let counted = settings.flag(Setting::GraphsInFraction);
    let graphs = if counted { settings.bytes(Setting::GraphBytes)[1] } else { Bytes::ZERO };
    // The share is of what the driver offers to programs.
    let share = (capacity - settings.bytes(Setting::DriverBytes)[1]) * fraction;
    (rank.reserved, rank.fixed) = match settings.pool_rule() {
        PoolRule::Total => (Some(share), rank.weights + profiled + inside + graphs),
        PoolRule::Static => (Some(share), rank.weights + inside),
        PoolRule::Free => {
            let fixed = rank.weights + rank.workspace[1] + rank.framework[1];
            (Some(fixed + (capacity - fixed) * fraction), fixed)
        }
    };
}

/// Cache and state of the work, and what one sequence of the context must find free before it starts: a window then
/// holds a whole step's tokens besides (`SlidingWindowSpec` in vllm/v1/kv_cache_interface.py).
fn demand(part: &Part, stage: &Stage, rank: &mut Rank) {
    let work = part.job.work;
    let users = stage::users_of_rank(part.job);
    let (one, constant) = part.sequence(&stage.counts, work.context, 0);
    let (each, _) = part.sequence(&stage.counts, work.input.saturating_add(work.output), 0);
    let (start, _) = part.sequence(&stage.counts, work.context, part.settings.step_tokens());
    rank.kv = one.max(each * users);
    rank.state = constant * users;
    rank.one_sequence = start + constant;
    rank.users = (each + constant) * users;
}

/// Tokens and bytes of a block, where every layer keeps every token alike.
fn block(part: &Part, stage: &Stage) -> Option<(u64, Bytes)> {
    let plain =
        part.job.model.caches_known && part.kinds(&stage.counts).all(|(layer, _)| part.rule.is_plain(layer));
    let tokens = part.rule.block;
    let reach = Reach { tokens, input: tokens, slack: 0 };
    let bytes = || part.kinds(&stage.counts).map(|(layer, n)| part.rule.layer_cache(layer, reach) * n).sum();
    plain.then(|| (tokens, bytes()))
}

/// The activations that the profiling run sees: the widest layer at the most tokens of a step, or, where the head lies,
/// the sampler's copies of the logits at the most sequences of a step. They do not live at the same time.
fn profiled(part: &Part, stage: &Stage) -> Spread {
    let tokens = part.settings.step_tokens();
    let layer = part.layer_peak(&stage.counts, tokens);
    if !stage.last {
        return layer;
    }
    let sequences = part.settings.max_num_seqs(stage::users_of_rank(part.job)).min(tokens);
    larger(layer, part.head_peak(tokens, sequences))
}

/// Buffers of libraries that count in what the engine takes.
fn inside(part: &Part) -> Spread {
    let parallel = &part.job.plan.parallel;
    let alone = [parallel.tp, parallel.pp, parallel.dp, parallel.cp].into_iter().all(|n| n <= 1);
    let buffers = if alone { exact(Bytes::ZERO) } else { part.settings.bytes(Setting::CollectiveBytes) };
    plus(part.settings.bytes(Setting::NontorchBytes), buffers)
}
