//! Which plans there are for a training job.

use maat_estimate::{Framework, Offload, Parallel, Recompute, TrainPlan};

use super::case::{TrainCase, TrainFixed};
use crate::plans::{Devices, WHOLE, divides_heads};

/// Sharding, offload and recomputation, from the least to the most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    pub zero: u8,
    pub offload: Offload,
    pub recompute: Recompute,
}

impl Level {
    /// The contract's order: no sharding, ZeRO-2, ZeRO-3, offload last; within each no recomputation, selective, full.
    /// Host memory is tried only where it is known how much there is. Weights lie there only once: where data-parallel
    /// ranks divide them.
    pub fn all(fixed: &TrainFixed, accelerators: u32, host_known: bool) -> Vec<Self> {
        let offloads = match fixed.offload {
            Some(given) => vec![given],
            None if host_known => vec![Offload::None, Offload::Optimizer, Offload::All],
            None => vec![Offload::None],
        };
        let recomputes = match fixed.recompute {
            Some(given) => vec![given],
            None => vec![Recompute::None, Recompute::Selective, Recompute::Full],
        };
        let zeros = match fixed.zero {
            Some(given) => vec![given],
            None if accelerators > 1 => vec![0, 2, 3],
            None => vec![0],
        };
        let mut all = Vec::new();
        for &offload in &offloads {
            for &zero in &zeros {
                let whole_copies = offload == Offload::All && zero < 3 && accelerators > 1;
                if whole_copies && fixed.offload.is_none() {
                    continue;
                }
                all.extend(recomputes.iter().map(|&recompute| Self { zero, offload, recompute }));
            }
        }
        all
    }
}

/// Plans of a level whose every rank runs all layers: only data-parallel, and as the user fixed the rest.
pub fn of_level(case: &TrainCase, devices: Devices, level: Level) -> Vec<TrainPlan> {
    let fixed = &case.fixed.parallel;
    let [tp, pp, cp] = [fixed.tp, fixed.pp, fixed.cp].map(|ranks| ranks.unwrap_or(1));
    let ep = fixed.ep.unwrap_or(1);
    let used = tp.saturating_mul(pp).saturating_mul(cp).max(1);
    let ranks = (reach(devices) / used).max(1);
    // A step of few sequences keeps no more ranks busy.
    let busy = case.work.global_batch.map_or(u64::MAX, |batch| batch / case.plan.micro_batch.max(1)).max(1);
    let dp = fixed.dp.or(fixed.replicas).unwrap_or(ranks.min(u32::try_from(busy).unwrap_or(u32::MAX)));
    let parallel = Parallel { tp, pp, dp, ep, cp, replicas: 1, stages: None };
    vec![with(case, parallel, level)]
}

/// Plans that divide matrices within a node, layers over stages, experts over ranks, with the optimiser's states over
/// the data-parallel ranks. Only where the user left these open.
pub fn split(case: &TrainCase, devices: Devices) -> Vec<TrainPlan> {
    let fixed = &case.fixed;
    let total = reach(devices);
    let open = fixed.parallel.tp.is_none() && fixed.parallel.pp.is_none() && fixed.parallel.dp.is_none();
    if total < 2
        || !open
        || fixed.zero.is_some_and(|zero| zero > 1)
        || case.work.adapters.is_some() && total < 8
    {
        return Vec::new();
    }
    let experts = experts(case);
    let mut all = Vec::new();
    for tp in degrees(devices.per_node).into_iter().filter(|&tp| divides_heads(&case.model, tp)) {
        for pp in degrees(total / tp).into_iter().filter(|&pp| divides_layers(case, pp)) {
            if tp * pp == 1 && experts == 0 {
                continue;
            }
            let dp = total / (tp * pp);
            if case.work.global_batch.is_some_and(|batch| batch < u64::from(dp) * case.plan.micro_batch) {
                continue;
            }
            let parallel = Parallel { tp, pp, dp, cp: fixed.parallel.cp.unwrap_or(1), ..WHOLE };
            for ep in expert_ranks(experts, dp, devices.per_node, fixed.parallel.ep) {
                let recomputes = [Recompute::Selective, Recompute::Full];
                for recompute in recomputes.into_iter().filter(|r| fixed.recompute.is_none_or(|f| f == *r)) {
                    let level = Level {
                        zero: fixed.zero.unwrap_or(1),
                        offload: fixed.offload.unwrap_or_default(),
                        recompute,
                    };
                    all.push(with(case, Parallel { ep, ..parallel.clone() }, level));
                }
            }
        }
    }
    all
}

/// Accelerators that one job can be spread over.
pub fn reach(devices: Devices) -> u32 {
    if devices.joined { devices.total() } else { devices.per_node }
}

fn with(case: &TrainCase, parallel: Parallel, level: Level) -> TrainPlan {
    let divided = parallel.tp > 1 || parallel.pp > 1 || parallel.ep > 1 || parallel.cp > 1;
    let framework =
        case.fixed.framework.unwrap_or(if divided { Framework::Megatron } else { Framework::Torch });
    // Stages interleave where their layers divide further (Narayanan et al. 2021).
    let virtual_stages =
        if parallel.pp > 1 && framework == Framework::Megatron { interleaved(case, parallel.pp) } else { 1 };
    TrainPlan {
        sequence_parallel: parallel.tp > 1,
        parallel,
        zero: level.zero,
        recompute: level.recompute,
        offload: level.offload,
        framework,
        virtual_stages,
        ..case.plan.clone()
    }
}

/// Most chunks of at least two layers on each stage, up to five.
fn interleaved(case: &TrainCase, pp: u32) -> u32 {
    let layers = layers(case);
    let fits = |chunks: &u32| layers.is_multiple_of(u64::from(pp * chunks));
    (1..=5u32).rev().find(fits).unwrap_or(1)
}

fn layers(case: &TrainCase) -> u64 {
    case.model.decoder().or(case.model.stacks.first()).map_or(1, |stack| stack.order.len() as u64).max(1)
}

fn divides_layers(case: &TrainCase, pp: u32) -> bool {
    pp == 1 || u64::from(pp) <= layers(case) && (layers(case).is_multiple_of(u64::from(pp)) || pp <= 8)
}

/// Experts of a layer.
fn experts(case: &TrainCase) -> u64 {
    let weights =
        case.model.decoder().into_iter().flat_map(|stack| &stack.layers).flat_map(|layer| &layer.weights);
    let routed = weights.filter(|weight| weight.part == maat_model::Part::RoutedExperts);
    routed.map(|weight| weight.copies).max().unwrap_or(0)
}

fn expert_ranks(experts: u64, dp: u32, per_node: u32, fixed: Option<u32>) -> Vec<u32> {
    if let Some(given) = fixed {
        return vec![given];
    }
    if experts < 2 {
        return vec![1];
    }
    let fits = |ep: &u32| dp.is_multiple_of(*ep) && experts.is_multiple_of(u64::from(*ep));
    degrees(dp.min(per_node.saturating_mul(8))).into_iter().filter(fits).collect()
}

/// Powers of two up to a number, and the number.
fn degrees(most: u32) -> Vec<u32> {
    let mut all: Vec<u32> =
        (0..16).map(|power| 1u32 << power).filter(|&n| n <= most && most.is_multiple_of(n)).collect();
    if !all.contains(&most) && most > 0 {
        all.push(most);
    }
    all
}

/// Sequences of a step where no batch is stated: four micro-batches for each accelerator, which keep the stages of a
/// pipeline busy and spread the exchange of gradients.
pub fn usual_batch(micro_batch: u64, accelerators: u32) -> u64 {
    4 * micro_batch.max(1) * u64::from(accelerators.max(1))
}
