//! `size` of a model that makes or reads images: does it fit, and how many a second.

use std::sync::Arc;

use maat_base::{Answer, Arg, Bytes, Code, Fault, Text, Verdict};
use maat_catalogue::Machine;
use maat_estimate::{
    Bound, HostNeeds, ItemCost, ItemFlops, ItemWork, Limit, LimitPart, Place, TextEncoders, data_power,
    is_diffusion, item_cost, item_flops, item_memory,
};
use maat_model::Model;

use crate::answer::{ItemView, MachineView, Nearest, PlanView, SizeBody};
use crate::argv::argv;
use crate::notes::Notes;
use crate::request::SizeRequest;
use crate::world::World;

/// Answers whether each accelerator holds the model with a batch, and how fast it is.
///
/// # Errors
/// A part that is not known, or a request that makes no sense.
pub fn size(
    request: &SizeRequest,
    model: &Arc<Model>,
    world: &World,
    mut notes: Notes,
) -> Result<Answer<SizeBody>, Fault> {
    let work = super::work::work(&request.work, model, world.rules, &mut notes)?;
    let spec = crate::resolve::machine(request, world, &mut notes)?;
    let machine = spec.and_then(|spec| spec.machines().next());
    let found = item_cost(model, &work, machine.as_ref(), world.rules);
    let flops = item_flops(model, &work, &world.rules.efficiencies);
    let mut body = body(model, &work, machine.as_ref(), found, flops, world);
    if let Some(machine) = machine.as_ref().filter(|_| body.fits == Some(false)) {
        body.nearest = nearest(request, model, &work, machine, world);
    }
    let mut answer = Answer::new("size", verdict(model, &body), body);
    let slots = machine.iter().flat_map(|machine| &machine.slots);
    answer.sources = world.sources(slots.map(|slot| slot.accelerator.sources.as_str()));
    answer.assumed = notes.assumed;
    answer.findings = crate::lints::sorted(notes.findings);
    Ok(answer)
}

fn body(
    model: &Model,
    work: &ItemWork,
    machine: Option<&Machine>,
    found: ItemCost,
    flops: ItemFlops,
    world: &World,
) -> SizeBody {
    let free = found.memory.per_accelerator.free_bytes;
    // Memory that nobody stated is taken to suffice, as with language models; the verdict says so.
    let fits = machine.map(|_| free.is_none_or(|free| free >= 0));
    let limit = machine.filter(|_| fits == Some(false)).map(|machine| limit(machine, &found));
    let bound = found.speed.as_ref().map_or(Bound::Compute, |speed| speed.bound.main);
    let place = |machine: &Machine| if machine.slots.is_empty() { Place::Cpu } else { Place::Gpu };
    let item = ItemView {
        unit: if work.frames > 1.0 { "clip" } else { "image" },
        flops,
        total_flops: flops.run * flops.runs + flops.text + flops.decode,
    };
    SizeBody {
        model: Some(model.summary()),
        plan: plan(model, machine),
        machine: machine.map(MachineView::from),
        fits,
        limit,
        nearest: Vec::new(),
        alternatives: Vec::new(),
        speed: found.speed.filter(|_| fits != Some(false)),
        power: machine.map(|machine| data_power(machine, place(machine), bound, world.rules)),
        host: Some(HostNeeds {
            cpu_cores_needed: None,
            ram_bytes: found.memory.host_ram_bytes,
            read_bytes_per_s_needed: None,
            disk_bytes: found.memory.disk_bytes,
            time_to_load_s: None,
        }),
        network: None,
        training: None,
        reasons: reasons(model, work, &item, bound, machine.is_some()),
        item: Some(item),
        tried: Vec::new(),
        smallest: Vec::new(),
        advise_argv: Vec::new(),
        explain: Vec::new(),
        comparisons: Vec::new(),
        server: None,
        cpu_or_gpu: None,
        memory: found.memory,
    }
}

/// The least change that makes it fit: encoders away while the denoiser runs, tiles, smaller weights.
fn nearest(
    request: &SizeRequest,
    model: &Model,
    work: &ItemWork,
    machine: &Machine,
    world: &World,
) -> Vec<Nearest> {
    let fits = |model: &Model, work: &ItemWork| {
        let memory = item_memory(model, work, Some(machine), world.rules);
        memory.per_accelerator.free_bytes.is_some_and(|free| free >= 0)
    };
    let mut all = Vec::new();
    let mut add = |change: &'static str, text: Text, alter: &dyn Fn(&mut SizeRequest)| {
        let mut other = request.clone();
        alter(&mut other);
        all.push(Nearest { change, argv: argv("size", &other), text });
    };
    let away = ItemWork { text: TextEncoders::Offload, ..*work };
    if is_diffusion(model) && work.text == TextEncoders::Keep && fits(model, &away) {
        add("text_encoders", Text::new("nearest-text-encoders"), &|other| {
            other.work.items.text_encoders = Some(TextEncoders::Offload);
        });
    }
    let tiled = ItemWork { tiling: true, ..*work };
    if is_diffusion(model) && !work.tiling && fits(model, &tiled) {
        add("vae_tiling", Text::new("nearest-vae-tiling"), &|other| other.work.items.vae_tiling = true);
    }
    let smaller = ["fp8", "nf4"]
        .into_iter()
        .find(|name| model.at_precision(name).is_ok_and(|smaller| fits(&smaller, work)));
    if let Some(name) = smaller {
        add("precision", Text::new("nearest-precision").with("precision", name), &|other| {
            other.work.precision = Some(name.to_owned());
        });
    }
    all
}

fn limit(machine: &Machine, found: &ItemCost) -> Limit {
    let need = found.memory.per_accelerator.total_bytes;
    let smallest = machine.slots.iter().map(|slot| slot.accelerator.capacity.value).min();
    let have = smallest.or(machine.host.ram).unwrap_or_default();
    let short = Bytes(need.0.saturating_sub(have.0));
    Limit {
        part: if smallest.is_some() { LimitPart::Accelerator } else { LimitPart::HostRam },
        need_bytes: Some(need),
        have_bytes: Some(have),
        short_bytes: Some(short),
        text: Text::new("limit-items").with("need", need).with("have", have).with("short", short),
    }
}

/// What runs it: each accelerator by itself.
fn plan(model: &Model, machine: Option<&Machine>) -> PlanView {
    PlanView {
        engine: if is_diffusion(model) { "diffusers" } else { "torch" },
        engine_version: None,
        precision: model.precision.clone(),
        kv_precision: None,
        tp: 1,
        pp: 1,
        dp: 1,
        ep: 1,
        cp: 1,
        replicas: machine.map_or(1, |machine| machine.accelerators().max(1)),
        zero: None,
        recompute: None,
        offload: None,
        micro_batch: None,
        gpu_layers: None,
    }
}

fn reasons(model: &Model, work: &ItemWork, item: &ItemView, bound: Bound, on_machine: bool) -> Vec<Text> {
    let tera = |flops: f64| Arg::Number(flops / 1e12);
    let mut all = vec![
        Text::new("reason-items-weights")
            .with("bytes", model.weights_bytes())
            .with("precision", model.precision.as_str())
            .with("pipeline", if is_diffusion(model) { "yes" } else { "no" }),
    ];
    match work.text {
        TextEncoders::Keep => {}
        TextEncoders::Offload => all.push(Text::new("reason-items-offload")),
        TextEncoders::Cached => all.push(Text::new("reason-items-cached")),
    }
    all.push(if is_diffusion(model) {
        Text::new("reason-items-diffusion")
            .with("total", tera(item.total_flops))
            .with("runs", Arg::Number(item.flops.runs))
            .with("run", tera(item.flops.run))
            .with("decode", tera(item.flops.decode))
            .with("text", tera(item.flops.text))
    } else {
        Text::new("reason-items-run").with("giga", Arg::Number(item.total_flops / 1e9))
    });
    if on_machine {
        let name = match bound {
            Bound::Compute => "reason-items-compute",
            Bound::Launch => "reason-items-launch",
            _ => "reason-items-memory",
        };
        all.push(Text::new(name).with("batch", work.batch as u64));
    }
    all
}

fn verdict(model: &Model, body: &SizeBody) -> Verdict {
    let machine = body.machine.as_ref().map_or("", |machine| machine.name.as_str());
    let one = &body.memory.per_accelerator;
    let need = one.total_bytes;
    let item = body.item.as_ref().map_or("image", |item| item.unit);
    let rate = body.speed.as_ref().and_then(|speed| speed.items_per_s).map_or(0.0, |rate| rate.likely);
    let text = match (&body.limit, &body.speed, one.free_bytes) {
        _ if body.machine.is_none() => {
            Text::new("size-needs-items").with("model", model.name.as_str()).with("need", need)
        }
        (Some(limit), ..) => {
            Text::new("size-does-not-fit-items").with("machine", machine).with("why", limit.text.clone())
        }
        (None, Some(speed), Some(free)) => Text::new("size-fits-items")
            .with("machine", machine)
            .with("spare", Bytes(free.unsigned_abs()))
            .with("item", item)
            .with("rate", Arg::Number(rate))
            .with("time", Arg::Seconds(speed.item_s.map_or(0.0, |time| time.likely))),
        (None, Some(_), None) => Text::new("size-items-memory-unknown")
            .with("machine", machine)
            .with("need", need)
            .with("item", item)
            .with("rate", Arg::Number(rate)),
        (None, None, _) => Text::new("size-fits-items-only").with("machine", machine).with("need", need),
    };
    let code = match (body.fits, one.free_bytes.map(|free| i128::from(free) + i128::from(need.0))) {
        (None, _) => "no-hardware-given",
        (Some(true), Some(room)) if i128::from(one.total_bytes_range[1].0) > room => "fits-tight",
        (Some(true), _) => "fits",
        (Some(false), Some(room)) if i128::from(one.total_bytes_range[0].0) <= room => "does-not-fit-tight",
        (Some(false), _) => "does-not-fit",
    };
    Verdict { ok: Some(body.fits != Some(false)), code: Code::Borrowed(code), text }
}
