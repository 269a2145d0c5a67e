//! Weights, gradients and states of the optimiser on a rank.

use maat_base::Bytes;
use maat_model::{Shape, Stack, StackKind, Storage, Weight};

use super::saved::is_narrow;
use crate::memory::{Shards, Stage, is_routed, owns};
use crate::training::{Framework, Offload, Optimizer, TrainJob, TrainPrecision};

/// Bytes for each trained parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PerParameter {
    pub weight: f64,
    pub gradient: f64,
    /// Master weight, where there is one.
    pub master: f64,
    /// A moment of full width.
    pub moment: f64,
}

impl PerParameter {
    /// FP32 everything; or 16-bit weights and gradients with FP32 master weights and moments (Micikevicius et al. 2018),
    /// Megatron's gradients being accumulated in FP32; or 16 bits for all.
    pub fn of(precision: TrainPrecision, framework: Framework) -> Self {
        match precision {
            TrainPrecision::Fp32 | TrainPrecision::Tf32 => {
                Self { weight: 4.0, gradient: 4.0, master: 0.0, moment: 4.0 }
            }
            TrainPrecision::PureBf16 => Self { weight: 2.0, gradient: 2.0, master: 0.0, moment: 2.0 },
            _ => {
                let gradient = if framework == Framework::Megatron { 4.0 } else { 2.0 };
                Self { weight: 2.0, gradient, master: 4.0, moment: 4.0 }
            }
        }
    }
}

/// 8-bit moments have an FP32 scale for each block of 256 (Dettmers et al. 2022).
const EIGHT_BIT: f64 = 1.0 + 4.0 / 256.0;

/// Bytes of the optimiser's moments for a weight of so many elements on a rank.
fn moments(optimizer: Optimizer, weight: &Weight, elements: f64, moment: f64) -> f64 {
    let matrix = matches!(weight.shape, Shape::MatMul { .. } | Shape::Conv { .. });
    match optimizer {
        Optimizer::Adamw => 2.0 * moment * elements,
        // Libraries keep those of embeddings in FP32 (bitsandbytes' stable embedding, and what trainers register).
        Optimizer::Adamw8bit | Optimizer::PagedAdamw8bit if matches!(weight.shape, Shape::Table { .. }) => {
            8.0 * elements
        }
        Optimizer::Adamw8bit | Optimizer::PagedAdamw8bit => 2.0 * EIGHT_BIT * elements,
        Optimizer::Lion => moment * elements,
        Optimizer::Sgd => 0.0,
        // A row and a column of second moments for a matrix (Shazeer and Stern 2018).
        Optimizer::Adafactor => {
            let (rows, cols) = weight.rows_cols();
            let all = (rows as f64 * cols as f64).max(1.0);
            let factored = if rows > 1 && cols > 1 { (rows + cols) as f64 / all } else { 1.0 };
            moment * elements * factored
        }
        // Momentum for matrices; embeddings, head and vectors have AdamW's two moments (Jordan 2024).
        Optimizer::Muon => {
            let hidden = matrix && weight.part != maat_model::Part::Head;
            if hidden { moment * elements } else { 2.0 * moment * elements }
        }
    }
}

/// Where a weight stands.
#[derive(Clone, Copy, Debug)]
struct Place {
    /// In a layer, where adapters may stand beside it.
    inside: bool,
    trained: bool,
}

/// What a rank holds before data-parallel ranks divide it, apart for what is divided over other ranks (experts).
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Group {
    /// Elements of trained weights.
    pub trained: f64,
    /// Moments of the trained weights.
    pub moments: f64,
    /// Bytes of frozen weights as stored.
    pub frozen: f64,
    /// Elements of the adapters.
    pub adapters: f64,
    pub adapter_moments: f64,
    /// Elements of all weights without adapters.
    pub all: f64,
}

/// The two groups of a rank.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Held {
    pub dense: Group,
    pub experts: Group,
    /// Elements of the largest layer, all of it gathered.
    pub layer: f64,
    /// Elements before or after the layers of this stage, the larger of the two.
    pub around: f64,
    /// Elements of the largest trained matrix.
    pub matrix: f64,
    /// Elements of the largest packed matrix.
    pub packed: f64,
    /// Elements of frozen weights in 16 bits.
    pub wide: f64,
}

impl Held {
    pub fn of(job: &TrainJob, main: &Stack, stage: &Stage, shards: &Shards) -> Self {
        let mut held = Self::default();
        let all = job.work.adapters.is_none();
        for (layer, &count) in main.layers.iter().zip(&stage.counts).filter(|(_, count)| **count > 0) {
            let before = held.dense.all + held.experts.all;
            for weight in &layer.weights {
                held.take(job, shards, (weight, count), Place { inside: true, trained: all });
            }
            held.layer = held.layer.max((held.dense.all + held.experts.all - before) / count as f64);
        }
        let inside = held.dense.all;
        if stage.first {
            for weight in &main.before {
                held.take(job, shards, (weight, 1), Place { inside: false, trained: all });
            }
            for stack in
                job.model.stacks.iter().filter(|s| !std::ptr::eq(*s, main) && s.kind != StackKind::Mtp)
            {
                // Towers are usually frozen when a text model is tuned; an encoder is a part of it.
                let encoder = stack.kind == StackKind::Encoder;
                let trained = all && (encoder || trains_towers(job));
                for (weight, count) in stack.weights() {
                    held.take(job, shards, (weight, count), Place { inside: encoder, trained });
                }
            }
        }
        let first = held.dense.all - inside;
        if stage.last {
            for weight in main.after.iter().filter(|weight| owns(weight) || !stage.first) {
                held.take(job, shards, (weight, 1), Place { inside: false, trained: all });
            }
        }
        // Embedding and head are gathered apart, each when it is at work.
        held.around = first.max(held.dense.all - inside - first);
        held
    }

    fn take(&mut self, job: &TrainJob, shards: &Shards, (weight, count): (&Weight, u64), place: Place) {
        let Place { inside, trained } = place;
        let trained = trained && weight.storage != Storage::Buffer;
        if !owns(weight) && inside {
            return;
        }
        let per = PerParameter::of(job.plan.precision, job.plan.framework);
        let elements = shards.elements(weight) as f64 * count as f64;
        let (rows, cols, _) = shards.copy_shape(weight, shards.ranks_of(weight));
        let one = rows as f64 * cols as f64;
        if weight.encoding.bits_per_element() < 15.0 {
            self.packed = self.packed.max(one);
        }
        self.matrix = self.matrix.max(if trained { one } else { 0.0 });
        let group = if is_routed(weight) { &mut self.experts } else { &mut self.dense };
        group.all += elements;
        if trained {
            group.trained += elements;
            group.moments += moments(job.plan.optimizer, weight, elements, per.moment);
        } else {
            group.frozen += shards.bytes(weight).as_f64() * count as f64;
            self.wide += if weight.encoding.bits_per_element() < 15.0 { 0.0 } else { elements };
        }
        if let Some(adapters) =
            job.work.adapters.as_ref().filter(|adapters| inside && adapters.targets.takes(weight))
        {
            let copies = if is_routed(weight) { weight.copies.div_ceil(shards.ep) } else { weight.copies };
            let (rows, cols, _) = shards.copy_shape(weight, shards.ranks_of(weight));
            let own = (adapters.rank * (rows + cols)) as f64 * copies as f64 * count as f64;
            group.adapters += own;
            group.adapter_moments += match job.plan.optimizer {
                Optimizer::Adamw8bit | Optimizer::PagedAdamw8bit => 2.0 * EIGHT_BIT * own,
                Optimizer::Sgd => 0.0,
                Optimizer::Lion | Optimizer::Muon => per.moment * own,
                Optimizer::Adamw => 2.0 * per.moment * own,
                Optimizer::Adafactor => per.moment * own / adapters.rank.max(1) as f64,
            };
        }
    }
}

/// Whether towers are trained: only where everything is learned from the beginning.
fn trains_towers(job: &TrainJob) -> bool {
    matches!(job.work.task, crate::Task::Pretrain | crate::Task::VisionTrain)
}

/// What a rank holds of weights, gradients, states and the buffers of their exchange.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct States {
    pub weights: f64,
    pub gradients: f64,
    pub optimizer: f64,
    /// Of the optimiser's, the moments.
    pub moments: f64,
    pub adapters: f64,
    pub buffers: f64,
    /// In the host's memory, for this rank.
    pub host: f64,
    /// What a frozen copy of all weights takes, divided as the weights are.
    pub copy: f64,
    /// What is added where a library turns what it leaves unpacked into FP32, as PEFT's preparation of packed bases does.
    pub upcast: f64,
}

/// Elements of a bucket in which gradients are reduced (DeepSpeed's `reduce_bucket_size`).
const BUCKET: f64 = 5e8;

impl States {
    pub fn of(job: &TrainJob, held: &Held) -> Self {
        let plan = job.plan;
        let per = PerParameter::of(plan.precision, plan.framework);
        let parallel = &plan.parallel;
        let [dp, cp, tp, ep] =
            [parallel.dp, parallel.cp, parallel.tp, parallel.ep].map(|n| f64::from(n.max(1)));
        let ranks = [dp * cp, if ep > 1.0 { (dp * cp * tp / ep).max(1.0) } else { dp * cp }];
        let share = |stage: u8, ranks: f64| if plan.zero >= stage { ranks } else { 1.0 };
        let mut states = Self::default();
        for (group, ranks) in [(&held.dense, ranks[0]), (&held.experts, ranks[1])] {
            let weights = group.trained * per.weight + group.frozen;
            let gradients = group.trained * per.gradient / share(2, ranks);
            let optimizer = (group.trained * per.master + group.moments) / share(1, ranks);
            states.weights += weights / share(3, ranks);
            states.copy += group.all * 2.0 / share(3, ranks);
            states.gradients += if plan.update_in_backward { 0.0 } else { gradients };
            states.optimizer += optimizer;
            // Adapters are computed in 16 bits beside FP32 masters; they are small and stay whole below stage 3.
            states.adapters += group.adapters * per.weight / share(3, ranks);
            states.gradients += group.adapters * per.gradient / share(2, ranks);
            states.optimizer += (group.adapters * per.master + group.adapter_moments) / share(1, ranks);
            states.moments += (group.moments + group.adapter_moments) / share(1, ranks);
        }
        states.upcast = if held.packed > 0.0 { 2.0 * held.wide / share(3, ranks[0]) } else { 0.0 };
        states.buffers(job, held, per, ranks);
        states.offload(job, ranks[0] > 1.0);
        states
    }

    /// Layers gathered whole and their gradients (ZeRO-3: the one at work and the next), buckets of gradients, and the
    /// copies of weights in 8 bits.
    fn buffers(&mut self, job: &TrainJob, held: &Held, per: PerParameter, ranks: [f64; 2]) {
        let plan = job.plan;
        let parallel = ranks[0] > 1.0;
        let trained = if job.work.adapters.is_some() { 0.0 } else { 1.0 };
        let stored = |elements: f64| {
            let all = held.dense.all + held.experts.all;
            let frozen = held.dense.frozen + held.experts.frozen;
            elements * if trained > 0.0 { per.weight.min(2.0) } else { frozen / all.max(1.0) }
        };
        if plan.zero >= 3 && parallel || plan.offload == Offload::All {
            // Gathered from the other ranks, or brought from the host.
            self.buffers += stored(2.0 * held.layer + held.around);
            self.buffers += trained * held.layer * per.gradient.min(2.0);
        } else if plan.zero >= 1 && parallel && trained > 0.0 {
            self.buffers += (held.dense.trained + held.experts.trained).min(BUCKET) * per.gradient;
        } else if parallel && trained > 0.0 && plan.framework == Framework::Torch {
            // DDP's buckets hold every gradient a second time.
            self.buffers += (held.dense.trained + held.experts.trained) * per.gradient;
        }
        if is_narrow(plan.precision) && plan.framework == Framework::Megatron && trained > 0.0 {
            // Transformer Engine keeps weights in 8 bits, for the forward pass and turned for the backward pass.
            let share = |ranks: f64| if plan.zero >= 3 { ranks } else { 1.0 };
            self.buffers += 2.0 * (held.dense.all / share(ranks[0]) + held.experts.all / share(ranks[1]));
        }
        // A packed base is expanded to 16 bits one matrix at a time.
        let packed = job.work.adapters.is_some() && job.model.precision != job.model.dtype.name;
        if packed {
            self.buffers += 2.0 * held.packed;
        }
        if plan.update_in_backward {
            self.buffers += per.gradient * held.matrix;
        }
        if plan.optimizer == Optimizer::Muon {
            self.buffers += 3.0 * 2.0 * held.matrix;
        }
    }

    /// What moves to the host.
    fn offload(&mut self, job: &TrainJob, parallel: bool) {
        if job.plan.optimizer == Optimizer::PagedAdamw8bit && job.plan.offload == Offload::None {
            // Pages of the moments go to the host when the card is full; master weights stay.
            self.host += self.moments;
            self.optimizer -= self.moments;
        }
        if job.plan.offload >= Offload::Optimizer {
            self.host += self.optimizer + self.gradients;
            self.optimizer = 0.0;
            // Gradients leave as soon as they are summed; where no buffer holds them on their way, a bucket stays.
            let buffered = job.plan.offload == Offload::All || job.plan.zero >= 1 && parallel;
            self.gradients = if buffered { 0.0 } else { self.gradients.min(BUCKET * 2.0) };
        }
        if job.plan.offload == Offload::All {
            self.host += self.weights;
            self.weights = 0.0;
        }
    }
}

/// How many micro-batches are in flight at a stage (1F1B; Narayanan et al. 2021).
pub(super) fn in_flight(job: &TrainJob, stage: u64) -> f64 {
    let pp = u64::from(job.plan.parallel.pp.max(1));
    let micro_batches = job.plan.micro_batches(job.work);
    let waiting = (pp - stage.min(pp - 1)).min(micro_batches) as f64;
    let chunks = f64::from(job.plan.virtual_stages.max(1));
    if chunks > 1.0 && pp > 1 {
        let pp = pp as f64;
        return (waiting + (pp - 1.0) / chunks).min(micro_batches as f64 + (pp - 1.0) / chunks);
    }
    waiting
}

/// As bytes, rounded to the nearest.
pub(super) fn bytes(value: f64) -> Bytes {
    Bytes::from_f64(value.max(0.0).round())
}
