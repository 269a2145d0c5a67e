//! Models beside the trained one: references, rewards, critics, and the engine that generates.

use super::states::States;
use crate::Task;
use crate::training::{Placement, TrainJob};

/// What stands beside a trained model on a rank.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extra {
    /// Frozen weights: the reference, the reward model.
    pub frozen: f64,
    /// What generating needs beyond what training leaves free while it waits.
    pub rollout: f64,
}

impl Extra {
    pub fn exact(self) -> f64 {
        self.frozen + self.rollout
    }
}

/// Sequences of one item of a batch: preferences are pairs.
pub fn sequences_of_item(task: Task) -> f64 {
    if task == Task::Dpo { 2.0 } else { 1.0 }
}

/// Sequences that an engine generates at once where nothing is said: a group of GRPO (Shao et al. 2024 sample 64; libraries
/// take 8).
const GENERATED: f64 = 8.0;

/// The models of a task. With adapters the base without them is the reference. PPO's critic is as large as the trained
/// model and trained like it.
pub(super) fn extra(job: &TrainJob, states: &States, activations: f64) -> Extra {
    let adapters = job.work.adapters.is_some();
    let copy = if adapters { 0.0 } else { states.copy };
    let critic =
        states.gradients + states.optimizer + if adapters { states.adapters } else { states.weights };
    let frozen = match job.work.task {
        Task::Dpo | Task::Grpo => copy,
        // Reference, reward model, and the critic.
        Task::Ppo => copy + states.copy + critic,
        _ => 0.0,
    };
    let generates = matches!(job.work.task, Task::Ppo | Task::Grpo) && job.plan.roles == Placement::Colocated;
    let rollout = if generates { rollout(job) } else { 0.0 };
    // Generating and learning take turns.
    Extra { frozen, rollout: (rollout - activations).max(0.0) }
}

/// Weights and the caches of a group of sequences, divided as the trained weights are by tensor parallelism. Libraries
/// give the engine a copy in 16 bits, whatever the base is packed in.
fn rollout(job: &TrainJob) -> f64 {
    let tp = f64::from(job.plan.parallel.tp.max(1));
    let weights = 2.0 * job.model.params_total() as f64 / tp;
    let weights = if job.plan.rollout.is_some() { weights } else { 0.0 };
    let tokens = job.work.sequence as f64 * job.plan.micro_batch.max(1) as f64 * GENERATED;
    let per_token: f64 = job.model.decoder().map_or(0.0, |stack| {
        let cache = |layer: &maat_model::Layer| -> f64 {
            let caches = layer.mixers.iter().flat_map(|mixer| &mixer.caches);
            caches
                .map(|cache| (cache.heads * (cache.key + cache.value)) as f64 / cache.every.max(1) as f64)
                .sum()
        };
        stack.kinds().map(|(layer, count)| cache(layer) * count as f64).sum()
    });
    weights + 2.0 * tokens * per_token / tp
}
