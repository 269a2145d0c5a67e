//! llama.cpp: whole layers on each accelerator or in host memory, a cache of fixed cells, buffers sized by its graph.
//!
//! Buffers follow ggml's allocator as start-up logs show it: the largest set of tensors that live at once, in FP32. The
//! head's set is `ubatch x 4 B x (vocabulary + 2 x hidden)` on an accelerator and one hidden less on the host.

use maat_base::Bytes;
use maat_model::{Compute, Layer};

use super::machine::Cards;
use super::part::Part;
use super::rank::{Placement, Rank, Spread, exact, plus};
use super::stage::{self, LayerWeights};
use super::weights::is_routed;
use crate::{Job, Setting, Settings};

/// Copies of the inputs that are in flight when several accelerators work in turn (`GGML_SCHED_MAX_COPIES`).
const PIPELINE_COPIES: u64 = 4;
/// Bytes of an activation.
const FP32: u64 = 4;

/// Places the job: the last layers on accelerators, in proportion to their memory, the rest in host memory.
pub(crate) fn place(job: &Job, settings: &Settings, cards: &Cards) -> Placement {
    let Some(part) = Part::new(job, settings, cards) else { return Placement::default() };
    let layout = Layout::of(&part);
    let mut ranks: Vec<_> = (0..layout.devices.len()).map(|index| layout.device(&part, index)).collect();
    let host = layout.host(&part);
    if cards.cpu {
        let (_, capacity) = cards.at(0);
        return Placement { ranks: vec![Rank { capacity, ..host }], host: None };
    }
    if let Some(first) = ranks.first_mut().filter(|_| cards.unified) {
        // The host's part lies in the same memory.
        first.weights += host.weights;
        first.kv += host.kv;
        first.state += host.state;
        first.workspace = plus(first.workspace, host.workspace);
        return Placement { ranks, host: None };
    }
    Placement { ranks, host: Some(host.total()) }
}

/// Which layers lie where.
struct Layout {
    /// Counts of each kind of layer on each accelerator, and whether the output lies there.
    devices: Vec<(Vec<u64>, bool)>,
    /// Counts of each kind of layer in host memory.
    host: Vec<u64>,
    /// Whether the output lies in host memory.
    host_output: bool,
    users: u64,
    ubatch: u64,
    /// Cells of the cache for all sequences.
    cells: u64,
}

impl Layout {
    fn of(part: &Part) -> Self {
        let job = part.job;
        let layers = part.stack.order.len();
        let offered = layers as u64 + 1;
        let on_devices =
            if part.cards.cpu { 0 } else { job.plan.serve.gpu_layers.unwrap_or(offered).min(offered) };
        let first = layers.saturating_sub(on_devices as usize);
        let ends = device_ends(part, on_devices);
        let mut from = 0;
        let mut devices = Vec::with_capacity(ends.len());
        for &end in &ends {
            let to = end.max(from);
            let counts = stage::counts_in(part.stack, (first + from).min(layers), (first + to).min(layers));
            devices.push((counts, on_devices == offered && to == on_devices as usize && from < to));
            from = to;
        }
        let users = stage::users_of_rank(job);
        let multiple = part.settings.count(Setting::ContextMultiple, 1).max(1);
        let context = job.work.context.checked_next_multiple_of(multiple).unwrap_or(u64::MAX);
        Self {
            devices,
            host: stage::counts_in(part.stack, 0, first),
            host_output: on_devices < offered,
            users,
            ubatch: part.settings.step_tokens(),
            cells: users.saturating_mul(context),
        }
    }

    /// What an accelerator holds.
    fn device(&self, part: &Part, index: usize) -> Rank {
        let (counts, output) = &self.devices[index];
        let (name, capacity) = part.cards.of_stage(index as u64);
        let experts = !part.job.plan.serve.experts_on_cpu;
        let mut weights = layer_weights(part, counts, true, experts);
        if *output {
            weights += stage::after_bytes(part.stack, &part.shards, true);
        }
        if index == 0 {
            weights += stage::other_stacks(part.job, part.stack, &part.shards);
        }
        let mut rank = Rank {
            name: name.map(str::to_owned).filter(|_| part.cards.mixed),
            capacity,
            weights,
            framework: plus(part.settings.bytes(Setting::NontorchBytes), part.settings.outside()),
            ..Rank::default()
        };
        if !part.job.plan.serve.kv_on_cpu {
            self.cache(part, counts, &mut rank);
        }
        let mut buffer = self.graph(part, counts, *output, 2);
        buffer[2] += staged(part);
        rank.workspace = plus(rank.workspace, plus(buffer, part.settings.bytes(Setting::GraphBytes)));
        rank
    }

    /// What host memory holds: embeddings, layers and experts that are not offloaded, their cache, and the inputs.
    fn host(&self, part: &Part) -> Rank {
        let serve = &part.job.plan.serve;
        let mut weights =
            stage::own_before(part.stack, &part.shards) + layer_weights(part, &self.host, true, true);
        if part.cards.cpu {
            weights += stage::other_stacks(part.job, part.stack, &part.shards);
        }
        if self.host_output {
            weights += stage::after_bytes(part.stack, &part.shards, false);
        }
        let mut rank = Rank { framework: part.settings.bytes(Setting::HostBytes), ..Rank::default() };
        self.cache(part, &self.host, &mut rank);
        for (counts, _) in &self.devices {
            if serve.experts_on_cpu {
                weights += layer_weights(part, counts, false, true);
            }
            if serve.kv_on_cpu {
                self.cache(part, counts, &mut rank);
            }
        }
        rank.weights = weights;
        let inputs = if part.cards.cpu { Bytes::ZERO } else { self.inputs(part) };
        let graph = self.graph(part, &self.host, self.host_output, 1);
        rank.workspace = plus(rank.workspace, plus(graph, exact(inputs)));
        rank
    }

    /// Adds the cache of layers: cells for the context; what the engine rounds up and holds beyond a window while a
    /// micro-batch runs counts as workspace.
    fn cache(&self, part: &Part, counts: &[u64], rank: &mut Rank) {
        let (kv, state) = part.sequence(counts, part.job.work.context, 0);
        let (padded, _) = part.sequence(counts, self.cells / self.users.max(1), self.ubatch);
        rank.kv += kv * self.users;
        rank.state += state * self.users;
        rank.one_sequence += kv + state;
        rank.users += (kv + state) * self.users;
        rank.workspace = plus(rank.workspace, exact((padded - kv) * self.users));
    }

    /// The graph's buffer: the head's tensors or the widest layer's, whichever is larger.
    fn graph(&self, part: &Part, counts: &[u64], output: bool, states: u64) -> Spread {
        let hidden = part.stack.hidden;
        let head =
            if output { part.job.model.vocabulary.unwrap_or(0).saturating_add(states * hidden) } else { 0 };
        let layers = part.kinds(counts).map(|(layer, _)| self.layer_elements(part, layer)).max().unwrap_or(0);
        let mask = if layers > 0 && part.job.model.caches_known { self.mask(part) } else { Bytes::ZERO };
        let row = Bytes(self.ubatch.saturating_mul(FP32));
        let layer = row * layers + mask;
        let likely = (row * head).max(layer);
        // Logs of single accelerators agree with the head's set; wide layers vary with the version's fusions.
        [row * head, likely, (row * head).max(layer * 1.5) + mask]
    }

    /// FP32 elements for a token of a micro-batch in a layer, with scores where attention holds them.
    fn layer_elements(&self, part: &Part, layer: &Layer) -> u64 {
        let states = part.stack.hidden.saturating_mul(2);
        let width = stage::layer_width(layer, &part.shards, part.stack.hidden);
        let heads = layer.mixers.iter().map(|mixer| match mixer.compute {
            Compute::Attention { heads, .. } => heads,
            _ => 0,
        });
        let scores = heads.max().unwrap_or(0).saturating_mul(self.cells);
        let scores = if part.job.plan.serve.flash_attention { 0 } else { scores };
        states.saturating_add(width.max(scores))
    }

    /// The attention mask: FP16 for flash attention, else FP32.
    fn mask(&self, part: &Part) -> Bytes {
        let element = if part.job.plan.serve.flash_attention { 2 } else { FP32 };
        Bytes(self.cells.saturating_mul(self.ubatch)) * element
    }

    /// Inputs of the graph in pinned host memory: the FP32 mask and the embedded tokens; the mask in several copies
    /// where accelerators work in turn.
    fn inputs(&self, part: &Part) -> Bytes {
        let whole =
            !self.host_output && !part.job.plan.serve.experts_on_cpu && !part.job.plan.serve.kv_on_cpu;
        let copies = if self.devices.len() > 1 && whole { PIPELINE_COPIES } else { 1 };
        let mask = Bytes(self.cells.saturating_mul(self.ubatch)) * FP32;
        mask * copies + Bytes(self.ubatch.saturating_mul(part.stack.hidden)) * FP32
    }
}

/// For each accelerator, the number of offloaded layers (the output counts as one) that it and those before it hold: by
/// shares of memory, as `--tensor-split` is set by default.
fn device_ends(part: &Part, offloaded: u64) -> Vec<usize> {
    if part.cards.cpu {
        return Vec::new();
    }
    let count = part.job.plan.parallel.pp.clamp(1, 1024);
    if let Some(stages) = &part.job.plan.parallel.stages {
        let mut end = 0;
        let ends = stages.iter().map(|&n| {
            end = (end as u64).saturating_add(n).min(offloaded) as usize;
            end
        });
        let mut ends: Vec<_> = ends.collect();
        if let Some(last) = ends.last_mut() {
            *last = (offloaded as usize).max(*last);
        }
        return ends;
    }
    let memory = |index| part.cards.of_stage(u64::from(index)).1.map_or(1.0, Bytes::as_f64);
    let sum: f64 = (0..count).map(memory).sum();
    let mut share = 0.0;
    let end = |index| {
        share += memory(index);
        if index + 1 == count { offloaded as usize } else { (share / sum * offloaded as f64).ceil() as usize }
    };
    (0..count).map(end).collect()
}

/// Weights of layers: all but routed experts, routed experts, or both.
fn layer_weights(part: &Part, counts: &[u64], dense: bool, routed: bool) -> Bytes {
    let bytes = |layer: &LayerWeights| {
        let dense = if dense { layer.dense } else { Bytes::ZERO };
        dense + if routed { layer.routed } else { Bytes::ZERO }
    };
    part.layers.iter().zip(counts).map(|(layer, &n)| bytes(layer) * n).sum()
}

/// Room for one matrix of experts that lies in host memory: with large batches some versions copy it to the accelerator
/// for the product.
fn staged(part: &Part) -> Bytes {
    if !part.job.plan.serve.experts_on_cpu {
        return Bytes::ZERO;
    }
    let weights =
        part.stack.layers.iter().flat_map(|layer| &layer.weights).filter(|weight| is_routed(weight));
    weights.map(|weight| part.shards.bytes(weight)).max().unwrap_or_default()
}
