//! The named evidence behind a choice.

use maat_base::{Arg, Bytes, Text};
use maat_catalogue::Machine;

use crate::answer::Crossing;
use maat_estimate::{Data, DataCost, DataWork, Learner, Place, VectorIndex, amdahl};

/// Where one side does the work.
pub struct Side {
    pub machine: Machine,
    pub cost: DataCost,
}

/// Why the answer is what it is, the most telling first.
pub fn because(data: &Data, cpu: Option<&Side>, gpu: Option<&Side>, pays: bool) -> Vec<Text> {
    let mut all = Vec::new();
    all.extend(cpu.zip(gpu).map(|(cpu, gpu)| times(data, cpu, gpu)));
    match data.work {
        DataWork::Web { .. } => all.push(Text::new("data-web-branches")),
        DataWork::Database { .. } => all.extend(database(cpu, gpu)),
        _ => {}
    }
    all.extend(gpu.filter(|_| data.work.ends()).map(|gpu| before(&gpu.cost)));
    if gpu.is_none() && cpu.is_some() && !matches!(data.work, DataWork::Web { .. }) {
        all.push(Text::new("data-no-gpu-holds"));
    }
    if cpu.is_none() && gpu.is_some() {
        all.push(Text::new("data-no-cpu-holds"));
    }
    all.extend(cpu.filter(|_| data.work.ends()).map(parallel));
    all.extend(exception(data, pays));
    all
}

/// From where a GPU pays.
pub fn crossing(crossing: Option<&Crossing>) -> Text {
    match crossing {
        None => Text::new("data-crossing-never"),
        Some(found) => Text::named(format!("data-crossing-{}", found.quantity.replace('_', "-")))
            .with("value", Arg::Number(found.value)),
    }
}

/// What both sides take.
fn times(data: &Data, cpu: &Side, gpu: &Side) -> Text {
    let name = |side: &Side| side.machine.name.clone();
    if data.work.ends() || matches!(data.work, DataWork::Database { .. }) {
        return Text::new("data-times")
            .with("cpu", name(cpu))
            .with("cpu-time", Arg::Seconds(cpu.cost.time_s.likely))
            .with("gpu", name(gpu))
            .with("gpu-time", Arg::Seconds(gpu.cost.time_s.likely));
    }
    Text::new("data-rates")
        .with("cpu", name(cpu))
        .with("cpu-rate", Arg::Number(cpu.cost.rate_per_s.likely))
        .with("gpu", name(gpu))
        .with("gpu-rate", Arg::Number(gpu.cost.rate_per_s.likely))
}

/// What passes on a GPU before the work begins.
fn before(gpu: &DataCost) -> Text {
    Text::new("data-setup")
        .with("setup", Arg::Seconds(gpu.setup_s))
        .with("transfer", Arg::Seconds(gpu.transfer_s))
        .with("whole", Arg::Seconds(gpu.time_s.likely))
}

/// What more cores can give at most.
fn parallel(cpu: &Side) -> Text {
    let cores = cpu.machine.host.processor.as_ref().map_or(1, |host| host.threads.unwrap_or(host.cores));
    let share = cpu.cost.parallel_share;
    Text::new("data-parallel")
        .with("share", Arg::Share(share))
        .with("cores", cores)
        .with("gain", Arg::Number(amdahl(share, f64::from(cores))))
        .with("most", Arg::Number(if share < 1.0 { 1.0 / (1.0 - share) } else { f64::from(cores) }))
}

fn database(cpu: Option<&Side>, gpu: Option<&Side>) -> Vec<Text> {
    let mut all = vec![Text::new("data-database-branches")];
    if let (Some(cpu), Some(gpu)) = (cpu, gpu) {
        all.push(
            Text::new("data-database-transfer")
                .with("bytes", Bytes(gpu.cost.memory.0))
                .with("transfer", Arg::Seconds(gpu.cost.transfer_s))
                .with("scan", Arg::Seconds(cpu.cost.time_s.likely)),
        );
    }
    all
}

/// The known exceptions to what people expect.
fn exception(data: &Data, pays: bool) -> Option<Text> {
    let id = match (data.work, pays) {
        (DataWork::Tabular { learner: Learner::Gbdt | Learner::Forest, .. }, true) => "data-exception-trees",
        (DataWork::Etl { .. }, true) => "data-exception-frames",
        (DataWork::Vectors { index: VectorIndex::Hnsw, .. }, true) => "data-exception-graph",
        (DataWork::Vectors { .. }, true) => "data-exception-vectors",
        _ => return None,
    };
    Some(Text::new(id))
}

/// The reasons of one machine; `told` where the choice between its sides says what the time goes into.
pub fn reasons(data: &Data, machine: &Machine, place: Place, cost: &DataCost, told: bool) -> Vec<Text> {
    let mut all = Vec::new();
    if cost.memory > Bytes::ZERO {
        let id = if place == Place::Gpu { "data-memory-gpu" } else { "data-memory-cpu" };
        all.push(Text::new(id).with("bytes", cost.memory).with("disk", cost.disk));
    }
    match place {
        Place::Gpu if data.work.ends() && !told => all.push(before(cost)),
        Place::Cpu if data.work.ends() && !told => {
            all.push(parallel(&Side { machine: machine.clone(), cost: *cost }));
        }
        _ => {}
    }
    let bound = match cost.bound {
        maat_estimate::Bound::Memory => "data-bound-memory",
        maat_estimate::Bound::Storage => "data-bound-storage",
        maat_estimate::Bound::Launch => "data-bound-setup",
        maat_estimate::Bound::Network => "data-bound-transfer",
        maat_estimate::Bound::Compute | maat_estimate::Bound::Cpu => "data-bound-compute",
    };
    all.push(Text::new(bound));
    all
}
