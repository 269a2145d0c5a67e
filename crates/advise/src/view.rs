//! Plans and machines as answers show them.

use maat_base::Bytes;
use maat_catalogue::{Machine, nodes_of};
use maat_estimate::{Plan, TrainPlan};

use crate::answer::{MachineView, PlanView};

impl From<&Plan> for PlanView {
    fn from(plan: &Plan) -> Self {
        let kv = &plan.serve.kv_precision;
        let kv_precision = if kv.keys.name == kv.values.name {
            kv.keys.name.clone()
        } else {
            format!("{},{}", kv.keys.name, kv.values.name)
        };
        let parallel = &plan.parallel;
        Self {
            engine: plan.serve.engine.name(),
            engine_version: plan.serve.version.clone(),
            precision: plan.precision.clone(),
            kv_precision: Some(kv_precision),
            tp: parallel.tp,
            pp: parallel.pp,
            dp: parallel.dp,
            ep: parallel.ep,
            cp: parallel.cp,
            replicas: parallel.replicas,
            zero: None,
            recompute: None,
            offload: None,
            micro_batch: None,
            gpu_layers: plan.serve.gpu_layers,
        }
    }
}

impl From<&TrainPlan> for PlanView {
    fn from(plan: &TrainPlan) -> Self {
        let parallel = &plan.parallel;
        Self {
            engine: plan.framework.name(),
            engine_version: None,
            precision: plan.precision.name().to_owned(),
            kv_precision: None,
            tp: parallel.tp,
            pp: parallel.pp,
            dp: parallel.dp,
            ep: parallel.ep,
            cp: parallel.cp,
            replicas: 1,
            zero: Some(plan.zero),
            recompute: Some(plan.recompute.name()),
            offload: Some(plan.offload.name()),
            micro_batch: Some(plan.micro_batch),
            gpu_layers: None,
        }
    }
}

impl From<&Machine> for MachineView {
    fn from(machine: &Machine) -> Self {
        Self {
            name: machine.name.clone(),
            accelerators: machine.accelerators(),
            nodes: machine.nodes,
            capacity_bytes: capacity(machine),
            slice: machine.slice.clone(),
        }
    }
}

/// Memory of the smallest accelerator; on a CPU machine the host's.
pub fn capacity(machine: &Machine) -> Option<Bytes> {
    let smallest = machine.slots.iter().map(|slot| slot.accelerator.capacity.value).min();
    smallest.or(machine.host.ram)
}

/// So many nodes of a machine.
pub fn times(mut machine: Machine, instances: u32) -> Machine {
    if instances > 1 {
        let before = nodes_of(machine.nodes, "");
        let one = machine.name.strip_prefix(&before).unwrap_or(&machine.name);
        let nodes = machine.nodes.saturating_mul(instances);
        machine.name = nodes_of(nodes, one);
        machine.nodes = nodes;
    }
    machine
}
