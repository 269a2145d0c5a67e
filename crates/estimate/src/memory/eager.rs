//! Transformers: whole layers on each accelerator, caches that grow with the tokens.

use maat_base::Bytes;
use maat_model::Compute;

use super::cache::Reach;
use super::machine::Cards;
use super::part::Part;
use super::rank::{Placement, Rank, Spread, exact, larger, plus};
use super::stage::{self, Stage};
use crate::{Job, Setting, Settings};

/// Places the job: layers are divided over the stages, by memory where accelerators differ.
pub(crate) fn place(job: &Job, settings: &Settings, cards: &Cards) -> Placement {
    let host = (!cards.cpu).then(|| settings.bytes(Setting::HostBytes)[1] * cards.ranks_per_node());
    let Some(part) = Part::new(job, settings, cards) else { return Placement { ranks: Vec::new(), host } };
    let stages = if cards.mixed && job.plan.parallel.stages.is_none() {
        stage::stages_of(part.stack, &by_memory(job, cards, part.stack.order.len() as u64))
    } else {
        stage::stages(job, part.stack)
    };
    let ranks = stages.iter().zip(0..).map(|(stage, index)| rank(&part, stage, index)).collect();
    Placement { ranks, host }
}

/// Lengths of stages in proportion to the memory of their accelerators.
fn by_memory(job: &Job, cards: &Cards, layers: u64) -> Vec<u64> {
    let pp = u64::from(job.plan.parallel.pp.max(1)).min(layers.max(1));
    let memory: Vec<f64> = (0..pp).map(|index| cards.of_stage(index).1.map_or(1.0, Bytes::as_f64)).collect();
    let sum: f64 = memory.iter().sum();
    let (mut done, mut share) = (0, 0.0);
    let length = |bytes: &f64| {
        share += bytes;
        let to = (share / sum * layers as f64).round() as u64;
        let length = to.min(layers).saturating_sub(done);
        done += length;
        length
    };
    memory.iter().map(length).collect()
}

fn rank(part: &Part, stage: &Stage, index: u64) -> Rank {
    let (name, capacity) = part.cards.of_stage(index);
    let users = stage::users_of_rank(part.job);
    let (kv, constant) = part.sequence(&stage.counts, part.job.work.context, 0);
    Rank {
        name: name.map(str::to_owned).filter(|_| part.cards.mixed),
        capacity,
        weights: part.weights(stage),
        kv: kv * users,
        state: constant * users,
        workspace: workspace(part, stage, users),
        framework: framework(part),
        one_sequence: kv + constant,
        users: (kv + constant) * users,
        ..Rank::default()
    }
}

/// The prompt's widest layer with its scores where attention holds them, or the last position's logits.
fn workspace(part: &Part, stage: &Stage, users: u64) -> Spread {
    let work = part.job.work;
    let tokens = users.saturating_mul(work.input);
    let reach = Reach { tokens: work.context, input: work.input, slack: 0 };
    // A cache grows by a copy of one layer.
    let grown = part.kinds(&stage.counts).map(|(layer, _)| part.rule.layer_cache(layer, reach)).max();
    let grown = grown.filter(|_| part.job.model.caches_known).unwrap_or_default() * users;
    let scores = if part.job.plan.serve.flash_attention { Bytes::ZERO } else { scores(part, stage, users) };
    let layer = plus(part.layer_peak(&stage.counts, tokens), exact(grown + scores));
    if stage.last { larger(layer, part.head_peak(tokens, users)) } else { layer }
}

/// Scores of eager attention: in the model's type, and in FP32 for the softmax.
fn scores(part: &Part, stage: &Stage, users: u64) -> Bytes {
    let heads =
        part.kinds(&stage.counts).flat_map(|(layer, _)| &layer.mixers).map(|mixer| match mixer.compute {
            Compute::Attention { heads, .. } => heads.div_ceil(part.shards.tp),
            _ => 0,
        });
    let input = part.job.work.input as f64;
    Bytes::from_f64(heads.max().unwrap_or(0) as f64 * users as f64 * input * input * (part.element() + 4.0))
}

fn framework(part: &Part) -> Spread {
    let alone = part.job.plan.parallel.tp <= 1;
    let buffers = if alone { exact(Bytes::ZERO) } else { part.settings.bytes(Setting::CollectiveBytes) };
    let library = plus(part.settings.bytes(Setting::NontorchBytes), buffers);
    plus(library, part.settings.outside())
}
