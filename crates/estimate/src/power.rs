//! What a job draws, and what it asks of the rest of a node.
//!
//! Shares and rates stand in `facts/speed/power.csv`. An accelerator's draw is that of what holds its phases back, weighed
//! by the time of each phase.

use maat_base::{Bytes, Range};
use maat_catalogue::{Machine, StorageKind};
use serde::Serialize;

use crate::speed::{Seconds, Shipping, busy_replicas, shipping};
use crate::{Bound, Job, Memory, Place, Rules, Speed, TrainJob, TrainStep};

/// Power and energy at this work; `None` where not known.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the contract defines the fields")]
pub struct Power {
    pub accelerator_w: Option<Range>,
    pub node_w: Option<Range>,
    pub node_max_w: Option<f64>,
    pub psu_w_recommended: Option<f64>,
    pub energy_per_token_j: Option<Range>,
    pub energy_job_kwh: Option<Range>,
}

/// What the job needs of the rest of a node; `None` where not known.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the contract defines the fields")]
pub struct HostNeeds {
    pub cpu_cores_needed: Option<f64>,
    pub ram_bytes: Option<Bytes>,
    pub read_bytes_per_s_needed: Option<f64>,
    pub disk_bytes: Option<Bytes>,
    pub time_to_load_s: Option<Range>,
}

/// What the job sends between accelerators; `None` where not known.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the contract defines the fields")]
pub struct NetworkNeeds {
    pub inside_bytes_per_s_needed: Option<f64>,
    pub between_bytes_per_s_needed: Option<f64>,
    pub share_of_step: Option<f64>,
    pub enough: Option<bool>,
}

/// All that a job draws and asks for.
#[derive(Clone, Debug, PartialEq)]
pub struct Needs {
    /// What it draws.
    pub power: Power,
    /// What it asks of the rest of a node.
    pub host: HostNeeds,
    /// What it sends between accelerators.
    pub network: NetworkNeeds,
}

/// What a job that runs at a speed draws and asks for.
pub fn needs(job: &Job, memory: &Memory, speed: &Speed) -> Needs {
    Needs { power: power(job, speed), host: host(job, memory), network: network(job, memory) }
}

/// What training draws while it runs, and over the whole job.
pub fn training_power(job: &TrainJob, speed: &Speed) -> Power {
    let rules = job.rules;
    let bound = speed.bound.step.unwrap_or(speed.bound.main);
    let machine = job.machine;
    let accelerator_w = machine.and_then(|machine| Some(drawn(rules, bound).scaled(full_w(machine)?)));
    let node_w = machine.zip(accelerator_w).map(|(machine, each)| {
        let cards = each.scaled(f64::from(machine.per_node()));
        let processors = machine.host.processor.as_ref().and_then(|host| host.power_w).unwrap_or(0.0);
        let host = quantity(rules, "processor_light_share").scaled(processors);
        at_the_wall(rules, plus(plus(cards, host), quantity(rules, "board_w")))
    });
    let node_max_w = machine.and_then(|machine| node_max_w(rules, machine));
    let nodes = machine.map_or(1.0, |machine| f64::from(machine.nodes.max(1)));
    // A slow run lasts longer at the same draw.
    let over = |seconds: Range| {
        let watts = node_w?.scaled(nodes);
        Some(Range::new(
            watts.low * seconds.likely,
            watts.likely * seconds.likely,
            (watts.high * seconds.likely).max(watts.likely * seconds.high),
        ))
    };
    Power {
        accelerator_w,
        node_w,
        node_max_w,
        psu_w_recommended: node_max_w.map(|most| most / quantity(rules, "psu_load_share").likely),
        energy_per_token_j: speed.train_tokens_per_s.and_then(|rate| over(rate.inverted(1.0))),
        energy_job_kwh: speed.time_to_finish_s.and_then(|time| Some(over(time)?.scaled(1.0 / 3.6e6))),
    }
}

/// What work without a neural network draws at a place of a machine.
pub fn data_power(machine: &Machine, place: Place, bound: Bound, rules: &Rules) -> Power {
    let processors = machine.host.processor.as_ref().and_then(|host| host.power_w);
    let accelerator_w = full_w(machine).map(|most| drawn(rules, bound).scaled(most));
    let inside = match place {
        Place::Cpu => processors.map(|watts| {
            let idle = quantity(rules, "idle_share").scaled(full_w(machine).unwrap_or(0.0));
            let busy = quantity(rules, "processor_busy_share").scaled(watts);
            plus(busy, idle.scaled(f64::from(machine.per_node())))
        }),
        Place::Gpu => accelerator_w.map(|each| {
            let host = quantity(rules, "processor_light_share").scaled(processors.unwrap_or(0.0));
            plus(each.scaled(f64::from(machine.per_node())), host)
        }),
    };
    let node_max_w = node_max_w(rules, machine);
    Power {
        accelerator_w: accelerator_w.filter(|_| place == Place::Gpu),
        node_w: inside.map(|watts| at_the_wall(rules, plus(watts, quantity(rules, "board_w")))),
        node_max_w,
        psu_w_recommended: node_max_w.map(|most| most / quantity(rules, "psu_load_share").likely),
        energy_per_token_j: None,
        energy_job_kwh: None,
    }
}

/// A quantity of `power.csv`; nothing where it has no row.
fn quantity(rules: &Rules, name: &str) -> Range {
    rules.efficiencies.power(name).unwrap_or(Range::exact(0.0))
}

fn plus(a: Range, b: Range) -> Range {
    Range { low: a.low + b.low, likely: a.likely + b.likely, high: a.high + b.high }
}

fn times(a: Range, b: Range) -> Range {
    Range { low: a.low * b.low, likely: a.likely * b.likely, high: a.high * b.high }
}

fn power(job: &Job, speed: &Speed) -> Power {
    let accelerator_w = job.machine.and_then(|machine| accelerator_w(job, machine, speed));
    let node_w = job.machine.and_then(|machine| node_w(job, machine, accelerator_w));
    let node_max_w = job.machine.and_then(|machine| node_max_w(job.rules, machine));
    let nodes = job.machine.map_or(1.0, |machine| f64::from(machine.nodes));
    let energy = node_w.zip(speed.throughput_tokens_per_s).map(|(watts, rate)| {
        // A slow run draws what a slow run draws: the ends of the rate go with the likely power, and the other way about.
        let likely = watts.likely * nodes / rate.likely;
        let low = (watts.low * nodes / rate.likely).min(watts.likely * nodes / rate.high);
        Range::new(low, likely, (watts.high * nodes / rate.likely).max(watts.likely * nodes / rate.low))
    });
    Power {
        accelerator_w,
        node_w,
        node_max_w,
        psu_w_recommended: node_max_w.map(|most| most / quantity(job.rules, "psu_load_share").likely),
        energy_per_token_j: energy,
        energy_job_kwh: None,
    }
}

/// Share of full load that a phase draws.
fn drawn(rules: &Rules, bound: Bound) -> Range {
    quantity(
        rules,
        match bound {
            Bound::Compute => "compute_share",
            Bound::Memory => "memory_share",
            Bound::Network => "network_share",
            Bound::Launch => "launch_share",
            Bound::Cpu | Bound::Storage => "idle_share",
        },
    )
}

/// Watts of one part at full load, under its limit where one is set.
fn full_w(machine: &Machine) -> Option<f64> {
    let most = machine.slots.iter().filter_map(|slot| slot.accelerator.power_w).reduce(f64::max)?;
    Some(machine.power_limit_w.map_or(most, |limit| most.min(limit)))
}

/// Share of the time in which prompts are read.
fn reading(job: &Job, speed: &Speed) -> Option<f64> {
    let requests = speed.requests_per_s?.likely / busy_replicas(job);
    let prompt_s = job.work.input.max(1) as f64 / speed.prefill_tokens_per_s?.likely;
    Some((requests * prompt_s).min(1.0))
}

fn accelerator_w(job: &Job, machine: &Machine, speed: &Speed) -> Option<Range> {
    let full = full_w(machine)?;
    let reading = reading(job, speed)?;
    let prefill = drawn(job.rules, speed.bound.prefill.unwrap_or(speed.bound.main));
    let decode = drawn(job.rules, speed.bound.decode.unwrap_or(speed.bound.main));
    let share = plus(prefill.scaled(reading), decode.scaled(1.0 - reading));
    Some(share.scaled(full))
}

/// Accelerators of a node that so many copies of the plan take, spread evenly over the nodes, and those that are left.
fn of_node(job: &Job, machine: &Machine, copies: f64) -> (f64, f64) {
    let parallel = &job.plan.parallel;
    let copy: f64 =
        [parallel.tp, parallel.pp, parallel.dp].iter().map(|ranks| f64::from((*ranks).max(1))).product();
    let per_node = f64::from(machine.per_node());
    let used = (copy * copies / f64::from(machine.nodes.max(1))).min(per_node);
    (used, per_node - used)
}

fn node_w(job: &Job, machine: &Machine, accelerator_w: Option<Range>) -> Option<Range> {
    let (used, idle) = of_node(job, machine, busy_replicas(job));
    let cards = if machine.slots.is_empty() {
        Range::exact(0.0)
    } else {
        plus(accelerator_w?.scaled(used), quantity(job.rules, "idle_share").scaled(full_w(machine)? * idle))
    };
    let busy = if machine.slots.is_empty() { "processor_busy_share" } else { "processor_light_share" };
    let host = &machine.host.processor;
    let processors = host.as_ref().and_then(|host| host.power_w);
    if machine.slots.is_empty() && processors.is_none() {
        return None;
    }
    let inside = plus(
        plus(cards, quantity(job.rules, busy).scaled(processors.unwrap_or(0.0))),
        quantity(job.rules, "board_w"),
    );
    Some(at_the_wall(job.rules, inside))
}

/// With fans, and the loss of the supply.
fn at_the_wall(rules: &Rules, inside: Range) -> Range {
    let one = Range::exact(1.0);
    let with_fans = times(inside, plus(one, quantity(rules, "fans_share")));
    times(with_fans, plus(one, quantity(rules, "supply_loss_share")))
}

fn node_max_w(rules: &Rules, machine: &Machine) -> Option<f64> {
    let cards = if machine.slots.is_empty() { 0.0 } else { full_w(machine)? * f64::from(machine.per_node()) };
    let processors = machine.host.processor.as_ref().and_then(|host| host.power_w);
    if machine.slots.is_empty() && processors.is_none() {
        return None;
    }
    let inside = cards + processors.unwrap_or(0.0) + quantity(rules, "board_w").high;
    Some(inside * (1.0 + quantity(rules, "fans_share").high))
}

fn host(job: &Job, memory: &Memory) -> HostNeeds {
    let cores = job.machine.filter(|machine| !machine.slots.is_empty()).map(|machine| {
        let (used, _) = of_node(job, machine, f64::from(job.plan.parallel.replicas.max(1)));
        quantity(job.rules, "cores_per_node").likely
            + used * quantity(job.rules, "cores_per_accelerator").likely
    });
    HostNeeds {
        cpu_cores_needed: cores,
        ram_bytes: memory.host_ram_bytes,
        read_bytes_per_s_needed: None,
        disk_bytes: memory.disk_bytes,
        time_to_load_s: memory.disk_bytes.and_then(|bytes| load_s(job.rules, job.machine, bytes)),
    }
}

/// What training asks of the rest of a node, and of links: of each step the share that nothing hides. How long it takes to
/// begin is that of reading the model's files.
pub fn training_needs(
    job: &TrainJob,
    memory: &Memory,
    step: Option<&TrainStep>,
) -> (HostNeeds, NetworkNeeds) {
    let rules = job.rules;
    let cores = job.machine.filter(|machine| !machine.slots.is_empty()).map(|machine| {
        quantity(rules, "cores_per_node").likely
            + f64::from(machine.per_node()) * quantity(rules, "cores_per_accelerator").likely
    });
    let stored: Bytes = job.model.weights().map(|(weight, n)| weight.bytes() * n).sum();
    let host = HostNeeds {
        cpu_cores_needed: cores,
        ram_bytes: memory.host_ram_bytes,
        read_bytes_per_s_needed: step.map(|step| tokens_read(job, step)),
        disk_bytes: memory.disk_bytes,
        time_to_load_s: load_s(rules, job.machine, stored),
    };
    let share = step.filter(|step| step.accelerators > 1.0).map(|step| step.times.network_share());
    let network = NetworkNeeds {
        inside_bytes_per_s_needed: None,
        between_bytes_per_s_needed: step.and_then(|step| between_nodes(job, step)),
        share_of_step: share,
        enough: share.map(|share| share <= quantity(rules, "network_enough_share").likely),
    };
    (host, network)
}

/// Bytes a second of tokens that a node reads.
fn tokens_read(job: &TrainJob, step: &TrainStep) -> f64 {
    let nodes = job.machine.map_or(1.0, |machine| f64::from(machine.nodes.max(1)));
    let token = job.rules.efficiencies.server("token_bytes").map_or(4.0, |range| range.likely);
    step.tokens / step.times.total() * token / nodes
}

/// Bytes a second in one direction that a node must send so that the exchange between nodes takes no longer than the rest
/// of the step: gradients are summed once a step (`2 (n - 1) / n` of them, ring), with ZeRO-3 weights are gathered for both
/// passes of each micro-batch and gradients spread; stages hand their activations on.
fn between_nodes(job: &TrainJob, step: &TrainStep) -> Option<f64> {
    let machine = job.machine.filter(|machine| machine.nodes > 1)?;
    let parallel = &job.plan.parallel;
    let [tp, pp, dp, cp] = [parallel.tp, parallel.pp, parallel.dp, parallel.cp].map(|n| f64::from(n.max(1)));
    let per_node = f64::from(machine.per_node().max(1));
    // The step knows its batch also where the job does not state one.
    let at_once = job.plan.micro_batch.max(1) as f64 * dp * job.work.sequence as f64;
    let micro_batches = (step.tokens / (at_once * crate::sequences_of_item(job.work.task))).round().max(1.0);
    let weights: f64 =
        job.model.weights().map(|(weight, n)| weight.bytes().as_f64() * n as f64).sum::<f64>() / pp;
    let trained = trained_params(job) / pp * 2.0;
    // Nodes that one stage is spread over.
    let nodes = (tp * dp * cp / per_node).max(1.0);
    let ring = (nodes - 1.0) / nodes;
    let summed = if job.plan.zero >= 3 {
        micro_batches * ring * (2.0 * weights + trained)
    } else {
        2.0 * ring * trained
    };
    let hidden = job.model.decoder().map_or(0.0, |stack| stack.hidden as f64);
    let rows = job.plan.micro_batch.max(1) as f64 * job.work.sequence as f64 / cp;
    let copies = (per_node / tp).max(1.0);
    let handed = if pp > 1.0 { 2.0 * micro_batches * rows * hidden * 2.0 * copies } else { 0.0 };
    let rest = step.times.total() * (1.0 - step.times.network_share());
    (rest > 0.0).then(|| (summed + handed) / rest)
}

/// Parameters that are trained: the adapters' where there are any.
fn trained_params(job: &TrainJob) -> f64 {
    let Some(adapters) = &job.work.adapters else { return job.model.params_total() as f64 };
    let kinds = job.model.stacks.iter().flat_map(maat_model::Stack::kinds);
    kinds
        .map(|(layer, count)| {
            let targets = layer.weights.iter().filter(|weight| adapters.targets.takes(weight));
            let one: u64 = targets
                .map(|weight| {
                    let (outputs, inputs) = weight.rows_cols();
                    adapters.rank * (outputs + inputs) * weight.copies
                })
                .sum();
            one as f64 * count as f64
        })
        .sum()
}

/// Reading files of so many bytes; `None` where the storage is not stated.
fn load_s(rules: &Rules, machine: Option<&Machine>, bytes: Bytes) -> Option<Range> {
    let rate = match machine?.host.storage? {
        StorageKind::Nvme => quantity(rules, "nvme_bytes_per_s"),
        StorageKind::Ssd => quantity(rules, "ssd_bytes_per_s"),
        StorageKind::Hdd => quantity(rules, "hdd_bytes_per_s"),
        StorageKind::Network => quantity(rules, "network_bytes_per_s"),
        StorageKind::Rate(rate) => Range::exact(rate),
    };
    (rate.low > 0.0).then_some(())?;
    Some(rate.inverted(bytes.as_f64()))
}

/// Links are enough where they take little of a step. The rate that is needed lets what is sent take no longer than the
/// rest of the step.
fn network(job: &Job, memory: &Memory) -> NetworkNeeds {
    let none = NetworkNeeds {
        inside_bytes_per_s_needed: None,
        between_bytes_per_s_needed: None,
        share_of_step: None,
        enough: None,
    };
    let Some(Shipping { inside, between, step }) = shipping(job, memory) else { return none };
    if inside.0 + between.0 == 0 {
        return none;
    }
    let rest = step.total() - step.network;
    let rate = |bytes: Bytes| (bytes > Bytes::ZERO && rest > 0.0).then(|| bytes.as_f64() / rest);
    let share = share(step);
    NetworkNeeds {
        inside_bytes_per_s_needed: rate(inside),
        between_bytes_per_s_needed: rate(between),
        share_of_step: Some(share),
        enough: Some(share <= quantity(job.rules, "network_enough_share").likely),
    }
}

fn share(step: Seconds) -> f64 {
    step.network / step.total()
}
