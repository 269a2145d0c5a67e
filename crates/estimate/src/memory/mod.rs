//! What a job needs of each memory.
//!
//! Weights and caches are counted exactly from the model's shapes and the division; what an engine takes besides
//! (activations, graphs, contexts) comes from the shapes and the measured constants of `facts/engines`, with a range.

mod cache;
mod eager;
mod layered;
mod machine;
mod paged;
mod part;
mod rank;
mod stage;
mod types;
mod weights;

use maat_base::Bytes;

use crate::{Engine, Job, Settings};
use cache::{CacheRule, Reach};
use machine::Cards;
use rank::Placement;

pub use types::{AcceleratorMemory, Limit, LimitPart, Memory};

pub(crate) use rank::Rank;
pub(crate) use rank::difference;
pub(crate) use stage::{Stage, even_stages, kind_counts, main_stack, owns, stages_of, users_of_rank};
pub(crate) use weights::{Shards, is_routed};

/// What the job needs of every memory.
///
/// Weights, caches and states are exact; workspace and framework are likely figures whose range stands in
/// `total_bytes_range`. For an engine that reserves memory, the cache is what one sequence of the context or all users
/// with their input and output need, whichever is more; for the others, all users with their full context.
pub fn memory(job: &Job) -> Memory {
    let settings = Settings::new(job);
    let cards = Cards::of(job);
    let placement = match job.plan.serve.engine {
        Engine::Vllm | Engine::Sglang | Engine::Trtllm => paged::place(job, &settings, &cards),
        Engine::Llamacpp => layered::place(job, &settings, &cards),
        Engine::Transformers | Engine::Diffusers => eager::place(job, &settings, &cards),
    };
    let mut memory = assemble(job, &cards, placement);
    figures_of_cache(job, &settings, &mut memory);
    memory.disk_bytes = Some(disk_bytes(job));
    memory
}

fn assemble(job: &Job, cards: &Cards, placement: Placement) -> Memory {
    let parallel = &job.plan.parallel;
    let copies = [parallel.tp, parallel.dp, parallel.cp, parallel.replicas].map(|n| u64::from(n.max(1)));
    let copies = copies.into_iter().fold(1, u64::saturating_mul);
    let ranks = placement.ranks;
    let fullest = ranks.iter().max_by_key(|rank| rank.pressure()).cloned().unwrap_or_default();
    let differ = cards.mixed || ranks.iter().any(|rank| rank.total() != fullest.total());
    let accelerators = match (differ, cards.mixed) {
        (false, _) => Vec::new(),
        (true, false) => ranks.iter().map(|rank| rank.report(false)).collect(),
        (true, true) => each_card(cards, &ranks),
    };
    Memory {
        per_accelerator: fullest.report(cards.mixed),
        accelerators,
        total_bytes: ranks.iter().map(Rank::total).sum::<Bytes>() * copies,
        host_ram_bytes: placement.host,
        reserved_bytes: fullest.reserved,
        kv_pool_bytes: ranks.iter().filter_map(Rank::pool_bytes).min(),
        ranks,
        ..Memory::default()
    }
}

/// Every card of the first replica where they differ, each with its own memory.
fn each_card(cards: &Cards, ranks: &[Rank]) -> Vec<AcceleratorMemory> {
    let of_stage = |(stage, rank): (u64, &Rank)| {
        let there = cards.stage_cards(stage).into_iter();
        let own =
            there.map(|(name, capacity)| Rank { name: name.map(str::to_owned), capacity, ..rank.clone() });
        own.map(|rank| rank.report(true)).collect::<Vec<_>>()
    };
    (0..).zip(ranks).flat_map(of_stage).collect()
}

/// The figures of the whole model's cache, and what the pool holds.
fn figures_of_cache(job: &Job, settings: &Settings, memory: &mut Memory) {
    let Some(stack) = stage::main_stack(job.model).filter(|_| job.model.caches_known) else { return };
    let whole = CacheRule::undivided(job, settings);
    let work = job.work;
    let reach = Reach { tokens: work.context, input: work.input, slack: 0 };
    let counts = stage::kind_counts(stack);
    let sum = |f: &dyn Fn(&maat_model::Layer) -> Bytes| {
        stack.layers.iter().zip(&counts).map(|(layer, &n)| f(layer) * n).sum::<Bytes>()
    };
    memory.kv_cache_bytes_per_token = Some(sum(&|layer| whole.layer_per_token(layer, work.context)));
    memory.kv_cache_bytes_per_sequence = Some(sum(&|layer| whole.layer_cache(layer, reach)));
    memory.state_bytes_per_sequence = Some(sum(&|layer| whole.layer_state(layer)));
    let groups = [job.plan.parallel.dp, job.plan.parallel.replicas].map(|n| u64::from(n.max(1)));
    memory.kv_pool_tokens = pool_tokens(work.context, &memory.ranks).map(|n| n.saturating_mul(groups[0]));
    memory.sequences_at_context =
        sequences(job, settings, memory).map(|n| n.saturating_mul(groups[0]).saturating_mul(groups[1]));
}

/// Tokens that the pool of one group of ranks holds: whole blocks where every layer keeps every token alike, else, as
/// vLLM derives it, the concurrency times the context.
fn pool_tokens(context: u64, ranks: &[Rank]) -> Option<u64> {
    let tokens = |rank: &Rank| {
        let pool = rank.pool_bytes()?.0;
        match rank.block {
            Some((tokens, bytes)) if bytes > Bytes::ZERO => Some((pool / bytes.0).saturating_mul(tokens)),
            _ if rank.one_sequence > Bytes::ZERO => {
                Some((pool as f64 / rank.one_sequence.as_f64() * context as f64) as u64)
            }
            _ => None,
        }
    };
    ranks.iter().filter_map(tokens).min()
}

/// Sequences of full context that one group of ranks holds at once.
fn sequences(job: &Job, settings: &Settings, memory: &Memory) -> Option<u64> {
    let held = |rank: &Rank| {
        let room = match rank.pool_bytes() {
            Some(pool) => pool,
            None => Bytes(u64::try_from(rank.free()?).unwrap_or(0)) + rank.kv + rank.state,
        };
        (rank.one_sequence > Bytes::ZERO).then(|| room.0 / rank.one_sequence.0)
    };
    let most = memory.ranks.iter().filter_map(held).min()?;
    let users = stage::users_of_rank(job);
    let reserves = memory.reserved_bytes.is_some();
    Some(if reserves { most.min(settings.max_num_seqs(users)) } else { most })
}

/// Bytes of the model's files.
fn disk_bytes(job: &Job) -> Bytes {
    job.model.stored_bytes.unwrap_or_else(|| {
        let stacks = job.model.stacks.iter().flat_map(maat_model::Stack::weights);
        stacks.map(|(weight, n)| weight.bytes() * n).sum()
    })
}
