//! Which ways there are to divide a model over a machine.

use maat_estimate::{Engine, Parallel};
use maat_model::{Compute, Model};

/// What the user fixed of the division; the rest is tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fixed {
    /// Ranks that share each matrix.
    pub tp: Option<u32>,
    /// Pipeline stages.
    pub pp: Option<u32>,
    /// Data-parallel ranks.
    pub dp: Option<u32>,
    /// Ranks that share the experts.
    pub ep: Option<u32>,
    /// Ranks that share a sequence.
    pub cp: Option<u32>,
    /// Independent copies.
    pub replicas: Option<u32>,
}

/// The devices that a plan is laid over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Devices {
    /// In a node.
    pub per_node: u32,
    /// Nodes.
    pub nodes: u32,
    /// Whether a network joins the nodes, so that one copy may span several.
    pub joined: bool,
}

impl Devices {
    /// In all nodes.
    pub const fn total(self) -> u32 {
        self.per_node.saturating_mul(self.nodes)
    }

    /// That one copy may be divided over.
    const fn reach(self) -> u32 {
        if self.joined { self.total() } else { self.per_node }
    }
}

/// One accelerator, undivided.
pub const WHOLE: Parallel = Parallel { tp: 1, pp: 1, dp: 1, ep: 1, cp: 1, replicas: 1, stages: None };

/// Whether tensor parallelism of this degree divides every stack of query heads evenly, as the engines demand.
pub fn divides_heads(model: &Model, tp: u32) -> bool {
    let tp = u64::from(tp.max(1));
    model.stacks.iter().flat_map(|stack| &stack.layers).flat_map(|layer| &layer.mixers).all(|mixer| {
        match mixer.compute {
            Compute::Attention { heads, .. } | Compute::Cross { heads, .. } => heads % tp == 0,
            Compute::Recurrence { .. } => mixer.state.as_ref().is_none_or(|state| state.heads % tp == 0),
        }
    })
}

/// How many stages are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stages {
    /// One, and more only where they are the only way: across nodes, or where heads do not divide.
    Few,
    /// Every number.
    All,
}

/// All divisions that use every device: tensor parallel within a node, stages across, copies beside. What the user
/// fixed is kept, also when it uses fewer devices or cannot work.
pub fn divisions(
    model: &Model,
    engine: Engine,
    devices: Devices,
    fixed: Fixed,
    stages: Stages,
) -> Vec<Parallel> {
    if fixed.tp.is_some() && fixed.pp.is_some() && fixed.replicas.is_some() {
        return vec![with_fixed(WHOLE, fixed)];
    }
    let total = devices.total().max(1);
    let mut found = Vec::new();
    for tp in choices(fixed.tp, tensor_degrees(model, engine, devices.per_node.max(1))) {
        let by_layers = engine == Engine::Llamacpp || engine == Engine::Transformers;
        let counts = if by_layers || stages == Stages::All {
            divisors(devices.reach() / tp.max(1))
        } else {
            stage_counts(model, devices, tp)
        };
        for pp in choices(fixed.pp, counts) {
            let used = tp.saturating_mul(pp).max(1);
            let replicas = fixed.replicas.unwrap_or((total / used).max(1));
            let exact = used.saturating_mul(replicas) == total;
            if exact || fixed != Fixed::default() {
                found.push(with_fixed(Parallel { tp, pp, replicas, ..WHOLE }, fixed));
            }
        }
    }
    if found.is_empty() { vec![with_fixed(WHOLE, fixed)] } else { found }
}

/// The user's value alone, or all of the choices.
fn choices(fixed: Option<u32>, otherwise: Vec<u32>) -> Vec<u32> {
    fixed.map_or(otherwise, |value| vec![value])
}

/// Degrees of tensor parallelism that the engine can run within a node.
fn tensor_degrees(model: &Model, engine: Engine, per_node: u32) -> Vec<u32> {
    match engine {
        // These divide a model by whole layers over several cards.
        Engine::Llamacpp | Engine::Transformers => vec![1],
        _ => divisors(per_node).into_iter().filter(|&tp| divides_heads(model, tp)).collect(),
    }
}

/// Numbers of stages worth trying: none, one a node, and within a node where heads do not divide.
fn stage_counts(model: &Model, devices: Devices, tp: u32) -> Vec<u32> {
    let mut counts = vec![1];
    if devices.joined && devices.nodes > 1 && tp == devices.per_node {
        counts.extend(divisors(devices.nodes).into_iter().filter(|&pp| pp > 1));
    }
    if !divides_heads(model, devices.per_node) {
        counts.extend(divisors(devices.per_node / tp.max(1)).into_iter().filter(|&pp| pp > 1));
    }
    counts
}

/// The divisors of `n` in ascending order.
fn divisors(n: u32) -> Vec<u32> {
    (1..=n.max(1)).filter(|d| n.max(1).is_multiple_of(*d)).collect()
}

fn with_fixed(mut parallel: Parallel, fixed: Fixed) -> Parallel {
    parallel.tp = fixed.tp.unwrap_or(parallel.tp);
    parallel.pp = fixed.pp.unwrap_or(parallel.pp);
    parallel.dp = fixed.dp.unwrap_or(1);
    parallel.ep = fixed.ep.unwrap_or(1);
    parallel.cp = fixed.cp.unwrap_or(1);
    parallel.replicas = fixed.replicas.unwrap_or(parallel.replicas);
    parallel
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(name: &str) -> Model {
        maat_model::open(name, &maat_model::Options::default()).unwrap()
    }

    fn degrees(found: &[Parallel]) -> Vec<(u32, u32, u32)> {
        found.iter().map(|parallel| (parallel.tp, parallel.pp, parallel.replicas)).collect()
    }

    /// Llama-3.1-8B has 32 heads: four cards are four copies, two of two, or one of four.
    #[test]
    fn copies_and_splits_are_both_tried() {
        let four = Devices { per_node: 4, nodes: 1, joined: false };
        let found =
            divisions(&model("meta-llama/Llama-3.1-8B"), Engine::Vllm, four, Fixed::default(), Stages::Few);
        assert_eq!(degrees(&found), [(1, 1, 4), (2, 1, 2), (4, 1, 1)]);
    }

    /// 32 heads do not divide by three: three cards are copies or stages.
    #[test]
    fn heads_that_do_not_divide_become_stages() {
        let three = Devices { per_node: 3, nodes: 1, joined: false };
        let found =
            divisions(&model("meta-llama/Llama-3.1-8B"), Engine::Vllm, three, Fixed::default(), Stages::Few);
        assert_eq!(degrees(&found), [(1, 1, 3), (1, 3, 1)]);
    }

    /// Without a network no copy spans two nodes.
    #[test]
    fn nodes_without_a_network_hold_copies() {
        let llama = model("meta-llama/Llama-3.1-8B");
        let two = Devices { per_node: 2, nodes: 2, joined: false };
        let found = divisions(&llama, Engine::Vllm, two, Fixed::default(), Stages::Few);
        assert_eq!(degrees(&found), [(1, 1, 4), (2, 1, 2)]);
        let found = divisions(&llama, Engine::Llamacpp, two, Fixed::default(), Stages::Few);
        assert_eq!(degrees(&found), [(1, 1, 4), (1, 2, 2)]);
        let joined = Devices { joined: true, ..two };
        assert!(
            degrees(&divisions(&llama, Engine::Vllm, joined, Fixed::default(), Stages::Few))
                .contains(&(2, 2, 1))
        );
    }

    /// Every number of stages, where it is asked for: four cards also as four stages, or two of two.
    #[test]
    fn all_stages_can_be_tried() {
        let four = Devices { per_node: 4, nodes: 1, joined: false };
        let llama = model("meta-llama/Llama-3.1-8B");
        let found = degrees(&divisions(&llama, Engine::Vllm, four, Fixed::default(), Stages::All));
        assert!(found.contains(&(1, 4, 1)) && found.contains(&(2, 2, 1)), "{found:?}");
    }

    /// What the user fixed is kept, also when it leaves devices idle.
    #[test]
    fn fixed_degrees_are_kept() {
        let four = Devices { per_node: 4, nodes: 1, joined: false };
        let fixed = Fixed { tp: Some(3), ..Fixed::default() };
        let found = divisions(&model("meta-llama/Llama-3.1-8B"), Engine::Vllm, four, fixed, Stages::Few);
        assert!(found.iter().all(|parallel| parallel.tp == 3), "{found:?}");
    }
}
