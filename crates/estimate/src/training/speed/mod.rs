//! How long a step of training takes.
//!
//! A rank works on `M` micro-batches a step. One takes the longer of what the accelerator computes and what the host
//! launches, and the communication that nothing hides. With `P` stages of which each has `v` chunks of layers, a step is
//! `(M + (P - 1)/v) x` the time of a stage (Narayanan et al. 2021), and ends with the gradients' exchange and the
//! optimiser's update.

mod exchange;
mod failures;
mod rates;
mod work;

use crate::operation::Profile;
use crate::speed::{Bound, Bounds};
use crate::training::memory::sequences_of_item;
use crate::training::{Offload, Optimizer, Recompute, TrainJob};
use crate::{Memory, Speed, Task};
use exchange::{Exchange, Held};
pub use failures::Checkpoints;
use rates::Rates;
pub(super) use rates::key;
use serde::Serialize;
use work::{Walk, Work};

/// Seconds of a step on the slowest rank by what they are spent on; the parts sum to the step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the names say it")]
pub struct StepTimes {
    pub products: f64,
    pub experts: f64,
    pub attention: f64,
    pub elementwise: f64,
    pub loss: f64,
    /// Waiting for the host to launch kernels.
    pub launch: f64,
    pub tensor_parallel: f64,
    pub expert_parallel: f64,
    pub context_parallel: f64,
    pub stages: f64,
    /// Stages that wait for their first or after their last micro-batch.
    pub bubble: f64,
    /// Exchange of weights and gradients that nothing hides.
    pub data_parallel: f64,
    pub optimizer: f64,
    /// Copies to and from the host's memory, and its update.
    pub offload: f64,
    /// Passes of the models beside the trained one: references, rewards, critics.
    pub beside: f64,
    /// Outside the micro-batches.
    pub rest: f64,
}

impl StepTimes {
    /// All of it.
    pub fn total(&self) -> f64 {
        let work = self.busy() + self.launch + self.network() + self.bubble + self.beside;
        work + self.optimizer + self.offload + self.rest
    }

    /// Share of communication that nothing hides.
    pub fn network_share(&self) -> f64 {
        self.network() / self.total()
    }

    fn busy(&self) -> f64 {
        self.products + self.experts + self.attention + self.elementwise + self.loss
    }

    fn network(&self) -> f64 {
        self.tensor_parallel + self.expert_parallel + self.context_parallel + self.stages + self.data_parallel
    }

    fn bound(&self) -> Bound {
        let all = [
            (Bound::Compute, self.products + self.experts + self.attention + self.beside),
            (Bound::Memory, self.elementwise + self.loss + self.optimizer),
            (Bound::Network, self.network()),
            (Bound::Launch, self.launch + self.rest),
            (Bound::Cpu, self.offload),
        ];
        all.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).map_or(Bound::Compute, |(bound, _)| bound)
    }
}

/// The likely step of a job, and what it works off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainStep {
    /// Where the time goes.
    pub times: StepTimes,
    /// Tokens of a step over all ranks.
    pub tokens: f64,
    /// Accelerators that the plan uses.
    pub accelerators: f64,
    /// Share of the accelerators' 16-bit dense peak that the model's own operations take: nothing that is computed
    /// again, attention's operations by what is looked at (PaLM, appendix B).
    pub mfu: f64,
    /// Whether the class of hardware was fitted to measurements of training.
    pub seen: bool,
}

/// The likely step of a job; `None` without a machine with accelerators, or where its rates or a link that the plan
/// needs are not known.
pub fn train_step(profile: &Profile, job: &TrainJob) -> Option<TrainStep> {
    let machine = job.machine?;
    if !profile.caches_known {
        return None;
    }
    let plan = job.plan;
    let parallel = &plan.parallel;
    let [tp, dp, cp, ep, pp] = [parallel.tp, parallel.dp, parallel.cp, parallel.ep, parallel.pp]
        .map(|ranks| f64::from(ranks.max(1)));
    let rates = Rates::of(job, machine)?;
    let sequences = plan.micro_batch.max(1) as f64 * sequences_of_item(job.work.task);
    let walk =
        Walk { job, profile, rates: &rates, sequences, tokens: job.work.sequence as f64 / cp, tp, cp, ep };
    let work = walk.work();
    let held = Held::of(job);
    let exchange = Exchange::of(job, machine, profile, held, rates.framework.gradient_bytes)?;
    let micro_batches = plan.micro_batches(job.work) as f64;
    let times = step(job, &rates, &work, &exchange, held, [micro_batches, pp]);
    let accelerators = tp * dp * cp * pp;
    let tokens = micro_batches * sequences * dp * job.work.sequence as f64;
    let flops = work.model_flops * micro_batches * dp;
    let total = times.total();
    (total.is_finite() && total > 0.0).then(|| TrainStep {
        times,
        tokens,
        accelerators,
        mfu: flops / total / accelerators / rates.peak,
        seen: rates.seen,
    })
}

fn step(
    job: &TrainJob,
    rates: &Rates,
    work: &Work,
    exchange: &Exchange,
    held: Held,
    [micro_batches, pp]: [f64; 2],
) -> StepTimes {
    let plan = job.plan;
    let framework = rates.framework;
    // Layers do not always divide into stages: the fullest has a whole number of them.
    let layers = job.model.decoder().map_or(0.0, |stack| stack.order.len() as f64).max(1.0);
    let chunks = pp * f64::from(plan.virtual_stages.max(1));
    let uneven = (layers / pp).ceil() * pp / layers;
    let stage = if chunks > 1.0 { uneven / pp } else { 1.0 };
    let busy = work.busy();
    let launch = work.kernels * framework.launch_s + work.routed_layers * framework.moe_layer_s;
    let waits = (launch - busy).max(work.routed_layers * framework.moe_layer_s);
    let tensor = exchange.tensor * framework.tensor_exposed.min(1.0);
    let expert = exchange.expert * framework.expert_exposed.min(1.0);
    // Keys and values travel while attention computes.
    let context = (exchange.context - work.attention).max(0.0);
    let hidden = |comm: f64, behind: f64| {
        (comm - framework.overlap.min(1.0) * behind).max(comm * framework.exposed.min(1.0))
    };
    let weights = hidden(exchange.weights * pp, busy) / pp;
    let one = busy + waits + tensor + expert + context;
    let times = micro_batches * stage;
    let bubble = (pp - 1.0) / f64::from(plan.virtual_stages.max(1)) * one * stage;
    let gradients = hidden(exchange.gradients, 2.0 / 3.0 * busy * stage);
    let (optimizer, offload) = update(job, rates, held);
    StepTimes {
        products: times * work.products,
        experts: times * work.experts,
        attention: times * work.attention,
        elementwise: times * work.elementwise,
        loss: times * work.loss,
        launch: times * waits,
        tensor_parallel: times * tensor,
        expert_parallel: times * expert,
        context_parallel: times * context,
        stages: micro_batches * exchange.stage,
        bubble,
        data_parallel: micro_batches * weights + gradients,
        optimizer,
        offload,
        beside: times * one * beside(job),
        rest: framework.step_s,
    }
}

/// Passes of other models, as a share of what a micro-batch takes. A forward pass is a third of training a model and half
/// of training its adapters, less where activations are computed again. DPO and GRPO read a reference; PPO reads a
/// reference and a reward model, and reads and trains a critic. Generating responses is not among them.
fn beside(job: &TrainJob) -> f64 {
    let again = if job.plan.recompute == Recompute::Full { 1.0 } else { 0.0 };
    let trained = if job.work.adapters.is_some() { 2.0 } else { 3.0 } + again;
    let forward = match job.work.task {
        Task::Dpo | Task::Grpo => 1.0,
        Task::Ppo => 3.0 + trained,
        _ => 0.0,
    };
    forward / trained
}

/// Seconds of the update on the accelerator, and of copies and the update where states lie in host memory.
fn update(job: &TrainJob, rates: &Rates, held: Held) -> (f64, f64) {
    let plan = job.plan;
    let ranks = f64::from(plan.parallel.dp.max(1)) * f64::from(plan.parallel.cp.max(1));
    let shard = if plan.zero >= 1 { ranks } else { 1.0 };
    let params = held.trained() / shard;
    let bytes = params * moved_bytes(plan.optimizer);
    if plan.offload == Offload::None {
        return (bytes / (rates.bandwidth * rates.framework.update_share.min(1.0)), 0.0);
    }
    let machine = job.machine;
    let link = machine.and_then(|machine| {
        let stated = machine.host_link.as_ref().map(|link| link.bytes_per_s);
        stated.or_else(|| {
            machine.slots.iter().filter_map(|slot| slot.accelerator.pcie_bytes_per_s).reduce(f64::min)
        })
    });
    let link = link.unwrap_or(rates.framework.host_link_bytes_per_s)
        * job.rules.efficiencies.links.get("host").0.share.min(1.0);
    let host =
        machine.and_then(|machine| machine.host.processor.as_ref()).and_then(|host| host.bandwidth.as_ref());
    let cards = machine.map_or(1.0, |machine| f64::from(machine.per_node().max(1)));
    let unknown = rates.framework.host_bytes_per_s.max(rates.framework.host_bytes_per_s_each * cards);
    let host = host.map_or(unknown, |bandwidth| bandwidth.value) * rates.framework.host_share.min(1.0);
    // Gradients down and weights up, once a step; all weights for each pass where they are offloaded too.
    let copies = 4.0 * params / link;
    let weights = if plan.offload == Offload::All {
        let micro_batches = plan.micro_batches(job.work) as f64;
        2.0 * micro_batches * 2.0 * (held.dense + held.experts) / shard / link
    } else {
        0.0
    };
    (0.0, copies + bytes * cards / host + weights)
}

/// Bytes that an update reads and writes for each parameter: master weight and moments there and back, gradient, weight.
const fn moved_bytes(optimizer: Optimizer) -> f64 {
    match optimizer {
        Optimizer::Adamw => 30.0,
        Optimizer::Adamw8bit | Optimizer::PagedAdamw8bit => 18.0,
        Optimizer::Adafactor | Optimizer::Sgd => 16.0,
        Optimizer::Lion => 22.0,
        // Five Newton-Schulz iterations of three products each read and write 16-bit matrices.
        Optimizer::Muon => 22.0 + 5.0 * 3.0 * 6.0,
    }
}

/// Class of rows in `ranges.csv` that training of a model belongs to: mixtures of experts apart.
pub fn training_class(profile: &Profile) -> &'static str {
    let moe = profile.blocks.iter().any(|block| block.routed.is_some());
    if moe { "training-moe" } else { "training" }
}

/// How a job with that step is saved, and what failures cost it.
pub fn checkpoints(job: &TrainJob, memory: &Memory, step: &TrainStep) -> Checkpoints {
    let (framework, _) = job.rules.efficiencies.training.get(key(job.plan.framework, job.plan.compiled));
    Checkpoints::of(job, memory, framework, step.accelerators)
}

/// Speed of a training job that fits; `None` where there is no [`train_step`].
pub fn training_speed(profile: &Profile, job: &TrainJob, memory: &Memory) -> Option<Speed> {
    let step = train_step(profile, job)?;
    let rules = &job.rules.efficiencies;
    let width = rules.width(training_class(profile), "train", step.seen);
    let (factor, width) = rules.corrected(width, "train", job.model, job.machine);
    let seconds = width.about(step.times.total() * factor);
    let bound = step.times.bound();
    Some(Speed {
        train_tokens_per_s: Some(seconds.inverted(step.tokens)),
        train_tokens_per_s_per_accelerator: Some(seconds.inverted(step.tokens / step.accelerators)),
        mfu: Some(seconds.inverted(step.mfu * step.times.total())),
        step_s: Some(seconds),
        time_to_finish_s: job.work.tokens.map(|tokens| {
            let stretch = checkpoints(job, memory, &step).stretch;
            seconds.scaled(tokens / step.tokens * stretch)
        }),
        ..Speed::none(Bounds { main: bound, prefill: None, decode: None, step: Some(bound) })
    })
}
