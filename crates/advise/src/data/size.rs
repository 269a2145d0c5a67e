//! `size` for work without a neural network: how long on this machine, and on which side of it.

use maat_base::{Answer, Arg, Bytes, Code, Fault, Text, Verdict};
use maat_catalogue::Machine;
use maat_estimate::{
    Data, DataCost, DataWork, HostNeeds, Learner, Limit, LimitPart, NetworkNeeds, PartUse, Place, ServerPart,
    data_cost, data_power,
};

use super::choose::{FILLED, holds, place_of};
use super::{evidence, work};
use crate::answer::{CpuOrGpu, MachineView, PlanView, SizeBody};
use crate::argv::argv;
use crate::notes::Notes;
use crate::request::{AdviseRequest, SizeRequest};
use crate::server::{Pace, Whole, flat_out};
use crate::world::World;

/// Answers how fast a machine does the work and whether its memory holds it.
///
/// # Errors
/// A part that is not known, no machine, or a request that makes no sense.
pub fn size(request: &SizeRequest, world: &World) -> Result<Answer<SizeBody>, Fault> {
    let mut notes = Notes::default();
    let data = work::data(&request.work, request.model.as_deref(), &mut notes)?;
    let spec = crate::resolve::machine(request, world, &mut notes)?;
    let task = request.work.task.unwrap_or_default();
    let machine = spec
        .and_then(|spec| spec.machines().next())
        .ok_or_else(|| Fault::usage("data-machine-missing").with("task", task.name()).at("--gpu"))?;
    let on = |place| data_cost(&data, &machine, place, world.rules);
    let place = Some(place_of(&machine)).filter(|place| on(*place).is_some()).unwrap_or(Place::Cpu);
    let found = on(place).ok_or_else(|| {
        Fault::usage("data-speed-unknown").with("machine", machine.name.as_str()).with("task", task.name())
    })?;
    let mut body = body(&data, &machine, place, &found, world);
    notes.findings.extend(crate::server::too_little_memory(&machine.name, body.limit.as_ref(), None));
    let (view, findings) = whole(&data, (&machine, place), &found, None, world, |whole| {
        (whole.view(None, world.rules), crate::server::findings(whole, world))
    });
    notes.findings.extend(findings);
    body.server = view.filter(|_| body.fits == Some(true));
    let advise = AdviseRequest { work: request.work.clone(), ..AdviseRequest::default() };
    body.advise_argv = argv("advise", &advise);
    let mut answer = Answer::new("size", verdict(&data, &body), body);
    answer.sources = world.sources(machine.slots.iter().map(|slot| slot.accelerator.sources.as_str()));
    answer.assumed = notes.assumed;
    answer.findings = crate::lints::sorted(notes.findings);
    Ok(answer)
}

fn body(data: &Data, machine: &Machine, place: Place, found: &DataCost, world: &World) -> SizeBody {
    let fits = holds(machine, place, found);
    let instances = found.machines_needed.ceil() as u32;
    let cpu_or_gpu = cpu_or_gpu(data, machine, world);
    SizeBody {
        model: None,
        plan: plan(data, machine, place, instances),
        machine: Some(MachineView::from(machine)),
        memory: found.memory(machine, place),
        fits: Some(fits),
        limit: (!fits).then(|| limit(machine, place, found)),
        nearest: Vec::new(),
        alternatives: Vec::new(),
        speed: fits.then(|| found.speed(data.work.ends(), 1.0)),
        power: Some(data_power(machine, place, found.bound, world.rules)),
        host: Some(host_needs(data, place, found)),
        network: None,
        training: None,
        item: None,
        tried: Vec::new(),
        smallest: Vec::new(),
        reasons: evidence::reasons(data, machine, place, found, cpu_or_gpu.is_some()),
        advise_argv: Vec::new(),
        explain: Vec::new(),
        comparisons: Vec::new(),
        server: None,
        cpu_or_gpu,
    }
}

/// The work on the whole server.
pub(super) fn whole<T>(
    data: &Data,
    (machine, place): (&Machine, Place),
    found: &DataCost,
    deadline_s: Option<f64>,
    world: &World,
    look: impl FnOnce(&Whole) -> T,
) -> T {
    let power = data_power(machine, place, found.bound, world.rules);
    let memory = found.memory(machine, place);
    let host = host_needs(data, place, found);
    let nothing = NetworkNeeds {
        inside_bytes_per_s_needed: None,
        between_bytes_per_s_needed: None,
        share_of_step: None,
        enough: None,
    };
    let timed = PartUse {
        part: ServerPart::AcceleratorTime,
        need: Some(found.time_s.likely),
        have: deadline_s,
        unit: "s",
    };
    let measured = match (data.work.ends(), deadline_s) {
        (true, Some(_)) => timed,
        (true, None) => flat_out(found.bound),
        (false, _) => PartUse {
            part: if place == Place::Cpu { ServerPart::CpuCores } else { ServerPart::AcceleratorTime },
            need: Some(1.0),
            have: Some(found.spare * found.machines_needed.ceil().max(1.0)),
            unit: "times the load",
        },
    };
    look(&Whole {
        machine,
        memory: &memory,
        power: Some(&power),
        host: &host,
        network: &nothing,
        split: false,
        pace: Some(Pace(measured)),
    })
}

fn host_needs(data: &Data, place: Place, found: &DataCost) -> HostNeeds {
    let read = found.disk.as_f64() / found.time_s.likely;
    HostNeeds {
        cpu_cores_needed: None,
        ram_bytes: (place == Place::Cpu).then_some(found.memory),
        read_bytes_per_s_needed: (data.work.ends() && read > 0.0).then_some(read),
        disk_bytes: Some(found.disk),
        time_to_load_s: None,
    }
}

/// Both sides of one machine, where it has both.
fn cpu_or_gpu(data: &Data, machine: &Machine, world: &World) -> Option<CpuOrGpu> {
    let processor = machine.host.processor.as_ref().filter(|_| !machine.slots.is_empty())?;
    let cpu = Machine { name: processor.name.clone(), slots: Vec::new(), ..machine.clone() };
    super::advise::of_two(data, &cpu, machine, world.rules)
}

fn limit(machine: &Machine, place: Place, found: &DataCost) -> Limit {
    let have = match place {
        Place::Cpu => machine.host.ram.unwrap_or_default(),
        Place::Gpu => machine
            .slots
            .iter()
            .map(|slot| slot.accelerator.capacity.value * u64::from(slot.count))
            .sum::<Bytes>(),
    };
    let room = Bytes::from_f64(have.as_f64() * FILLED);
    let text = Text::new("miss-data-memory").with("need", found.memory).with("room", room);
    Limit {
        part: if place == Place::Cpu { LimitPart::HostRam } else { LimitPart::Accelerator },
        need_bytes: Some(found.memory),
        have_bytes: Some(have),
        short_bytes: Some(Bytes(found.memory.0.saturating_sub(room.0))),
        text,
    }
}

/// The plan: which program, on how many.
pub fn plan(data: &Data, machine: &Machine, place: Place, instances: u32) -> PlanView {
    let engine = match (data.work, place) {
        (DataWork::Tabular { learner: Learner::Gbdt, .. }, _) => "xgboost",
        (DataWork::Tabular { .. }, Place::Cpu) => "scikit-learn",
        (DataWork::Tabular { .. }, Place::Gpu) => "cuml",
        (DataWork::Etl { .. }, Place::Cpu) => "polars",
        (DataWork::Etl { .. }, Place::Gpu) => "cudf",
        (DataWork::Vectors { .. }, _) => "faiss",
        (DataWork::Database { .. }, _) => "database",
        (DataWork::Web { .. }, _) => "web-server",
    };
    PlanView {
        engine,
        engine_version: None,
        precision: "fp32".to_owned(),
        kv_precision: None,
        tp: 1,
        pp: 1,
        dp: if place == Place::Gpu { machine.per_node().max(1) } else { 1 },
        ep: 1,
        cp: 1,
        replicas: instances.max(1),
        zero: None,
        recompute: None,
        offload: None,
        micro_batch: None,
        gpu_layers: None,
    }
}

fn verdict(data: &Data, body: &SizeBody) -> Verdict {
    let machine = body.machine.as_ref().map_or("", |machine| machine.name.as_str());
    let text = match (&body.limit, &body.speed) {
        (Some(limit), _) => {
            Text::new("size-data-does-not-fit").with("machine", machine).with("why", limit.text.clone())
        }
        (None, Some(speed)) if data.work.ends() => Text::new("size-data-job")
            .with("machine", machine)
            .with("time", Arg::Seconds(speed.time_to_finish_s.map_or(0.0, |time| time.likely))),
        (None, speed) => {
            Text::new("size-data-service").with("machine", machine).with("machines", body.plan.replicas).with(
                "rate",
                Arg::Number(
                    speed.as_ref().and_then(|speed| speed.requests_per_s).map_or(0.0, |rate| rate.likely),
                ),
            )
        }
    };
    let fits = body.fits == Some(true);
    Verdict { ok: Some(fits), code: Code::Borrowed(if fits { "fits" } else { "does-not-fit" }), text }
}
