//! What ranks send each other.

use maat_catalogue::Machine;
use maat_model::Part;

use crate::operation::{Collective, Profile};
use crate::speed::Wires;
use crate::training::memory::sequences_of_item;
use crate::training::{Recompute, TrainJob};

/// Seconds of communication of a rank, before any of it is hidden; `None` where a link that is needed is not there.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Exchange {
    /// Of one micro-batch: sums of tensor-parallel ranks.
    pub tensor: f64,
    /// Of one micro-batch: tokens to their experts and back.
    pub expert: f64,
    /// Of one micro-batch: keys and values of context-parallel ranks.
    pub context: f64,
    /// Of one micro-batch: from stage to stage.
    pub stage: f64,
    /// Of one micro-batch: gathering weights that the data-parallel ranks divide, and spreading their gradients.
    pub weights: f64,
    /// Of one step: gradients and updated weights.
    pub gradients: f64,
}

/// What lies on a rank, as counts of parameters.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Held {
    /// Of the layers and around them, without routed experts.
    pub dense: f64,
    pub experts: f64,
    /// Trained ones among both.
    pub trained_dense: f64,
    pub trained_experts: f64,
}

impl Held {
    pub fn of(job: &TrainJob) -> Self {
        let parallel = &job.plan.parallel;
        let [tp, pp, ep] = [parallel.tp, parallel.pp, parallel.ep].map(|ranks| f64::from(ranks.max(1)));
        let mut held = Self::default();
        let (mut adapters_dense, mut adapters_experts) = (0.0, 0.0);
        for stack in job.model.stacks.iter().filter(|stack| stack.kind != maat_model::StackKind::Mtp) {
            for (weight, count) in stack.weights() {
                let params = weight.params() as f64 * count as f64;
                let routed = weight.part == Part::RoutedExperts;
                let share = pp * if routed { if ep > 1.0 { ep } else { tp } } else { tp };
                if routed {
                    held.experts += params / share;
                } else {
                    held.dense += params / share;
                }
            }
            for (layer, count) in stack.kinds() {
                let Some(adapters) = &job.work.adapters else { continue };
                for weight in layer.weights.iter().filter(|weight| adapters.targets.takes(weight)) {
                    let (outputs, inputs) = weight.rows_cols();
                    let all = adapters.rank * (outputs + inputs);
                    let all = all as f64 * weight.copies as f64 * count as f64;
                    if weight.part == Part::RoutedExperts {
                        adapters_experts += all / (pp * ep);
                    } else {
                        adapters_dense += all / (pp * tp);
                    }
                }
            }
        }
        (held.trained_dense, held.trained_experts) = if job.work.adapters.is_some() {
            (adapters_dense, adapters_experts)
        } else {
            (held.dense, held.experts)
        };
        held
    }

    pub fn trained(self) -> f64 {
        self.trained_dense + self.trained_experts
    }
}

impl Exchange {
    pub fn of(
        job: &TrainJob,
        machine: &Machine,
        profile: &Profile,
        held: Held,
        gradient_bytes: f64,
    ) -> Option<Self> {
        let wires = Wires::of(machine, &job.plan.parallel, &job.rules.efficiencies);
        let plan = job.plan;
        let parallel = &plan.parallel;
        let [tp, dp, cp, ep, pp] =
            [parallel.tp, parallel.dp, parallel.cp, parallel.ep, parallel.pp].map(|ranks| ranks.max(1));
        let sequences = plan.micro_batch.max(1) as f64 * sequences_of_item(job.work.task);
        let rows = sequences * job.work.sequence as f64 / f64::from(cp);
        let passes = if plan.recompute == Recompute::Full { 3.0 } else { 2.0 };
        let mut all = Self::default();
        for block in &profile.blocks {
            let repeat = block.repeat as f64;
            let hidden = 2.0 * rows * block.hidden;
            if tp > 1 && block.reduces > 0 {
                let one = wires.seconds(Collective::AllReduce, tp, hidden)?;
                all.tensor += repeat * passes * f64::from(block.reduces) * one;
            }
            if ep > 1
                && let Some(routed) = block.routed
            {
                // To the experts and back, forward and backward.
                let one = wires.dispatch_s(ep, hidden / f64::from(tp), routed.active)?;
                all.expert += repeat * 2.0 * passes * one;
            }
            if cp > 1 {
                let width: f64 = block
                    .mixers
                    .iter()
                    .flat_map(|mixer| &mixer.caches)
                    .map(|cache| (cache.heads * (cache.key + cache.value)) as f64)
                    .sum();
                let bytes = 2.0 * rows * f64::from(cp) * width / f64::from(tp);
                all.context += repeat * passes * wires.seconds(Collective::AllGather, cp, bytes)?;
            }
        }
        if pp > 1 {
            let bytes =
                2.0 * rows * profile.hidden / if plan.sequence_parallel { f64::from(tp) } else { 1.0 };
            let ways = 2.0 * f64::from(plan.virtual_stages.max(1));
            all.stage = ways * wires.seconds(Collective::SendReceive, 2, bytes)?;
        }
        all.data_parallel(job, &wires, held, [dp * cp, (dp * cp * tp / ep.max(1)).max(1)], gradient_bytes)?;
        Some(all)
    }

    /// Gradients are summed once a step; with stage 3 weights are gathered for each pass and their gradients spread.
    fn data_parallel(
        &mut self,
        job: &TrainJob,
        wires: &Wires,
        held: Held,
        ranks: [u32; 2],
        gradient_bytes: f64,
    ) -> Option<()> {
        let [dense_ranks, expert_ranks] = ranks;
        let experts_apart = job.plan.parallel.ep > 1;
        let groups = if experts_apart {
            [
                (held.dense, held.trained_dense, dense_ranks),
                (held.experts, held.trained_experts, expert_ranks),
            ]
        } else {
            [(held.dense + held.experts, held.trained(), dense_ranks), (0.0, 0.0, 1)]
        };
        let element = job.model.dtype.bits_per_element() / 8.0;
        let stored = if job.work.adapters.is_some() { stored_element(job) } else { element.min(2.0) };
        for (all, trained, ranks) in groups.into_iter().filter(|group| group.2 > 1) {
            if job.plan.zero >= 3 {
                self.weights += 2.0 * wires.seconds(Collective::AllGather, ranks, all * stored)?;
                self.weights += wires.seconds(Collective::ReduceScatter, ranks, trained * gradient_bytes)?;
            } else {
                self.gradients += wires.seconds(
                    Collective::AllReduce,
                    ranks,
                    trained * gradient_bytes.max(element.min(2.0)),
                )?;
            }
        }
        Some(())
    }
}

/// Bytes of a stored element of the base.
fn stored_element(job: &TrainJob) -> f64 {
    let (mut bytes, mut elements) = (0.0, 0.0);
    for (weight, count) in job.model.weights() {
        bytes += weight.bytes().as_f64() * count as f64;
        elements += weight.params() as f64 * count as f64;
    }
    if elements > 0.0 { bytes / elements } else { 2.0 }
}
