//! The smallest changes that make a job fit. Each is tried: what is listed fits.

use maat_base::Text;

use crate::answer::Nearest;
use crate::argv::argv;
use crate::case::Case;
use crate::notes::Notes;
use crate::request::{CountOrAuto, Side, SizeRequest};
use crate::resolve;
use crate::world::World;

/// Most changes that are listed.
const MOST: usize = 3;
/// Contexts that people ask for, the largest first.
const CONTEXTS: [u64; 16] = [
    131_072, 98_304, 65_536, 49_152, 32_768, 24_576, 16_384, 12_288, 8192, 6144, 4096, 3072, 2048, 1536,
    1024, 512,
];
/// Precisions that a model is commonly cut to, the mildest first.
const PRECISIONS: [&str; 2] = ["fp8", "awq"];
/// The same in llama.cpp's types.
const GGUF_PRECISIONS: [&str; 4] = ["q8_0", "q6_k", "q5_k_m", "q4_k_m"];
/// Counts of accelerators that machines are built with.
const COUNTS: [u32; 6] = [2, 3, 4, 6, 8, 16];

/// One kind of change: what makes the request fit, where it does.
type Try = fn(&SizeRequest, &Case, &World) -> Option<Nearest>;

/// At most three changes that fit, the least first: fewer users, less context, a smaller cache type, offload,
/// a smaller weight type, more cards.
pub fn nearest(request: &SizeRequest, case: &Case, world: &World) -> Vec<Nearest> {
    let tries: [Try; 8] = [
        joined_nodes,
        other_type,
        less_context,
        fewer_users,
        smaller_cache,
        offload,
        smaller_weights,
        more_cards,
    ];
    let mut found = Vec::new();
    for attempt in tries {
        found.extend(attempt(request, case, world));
        if found.len() == MOST {
            break;
        }
    }
    found
}

/// Whether a changed request fits on its machine.
fn fits(request: &SizeRequest, world: &World) -> bool {
    let mut notes = Notes::default();
    let case = || {
        let model = resolve::model(request.model.as_deref(), &request.work, &mut notes).ok()?;
        let machine = resolve::machine(request, world, &mut notes).ok()??.machines().last()?;
        resolve::case(&request.work, model, Some(machine), world, &mut notes).ok()
    };
    let mut case = case;
    case().and_then(|case| case.best(world.rules)).is_some_and(|best| best.fits())
}

fn change(name: &'static str, request: &SizeRequest, text: Text) -> Nearest {
    Nearest { change: name, argv: argv("size", request), text }
}

/// Whether the case without changes to the model fits with this other work.
fn fits_with(case: &Case, world: &World, alter: impl FnOnce(&mut Case)) -> bool {
    let mut other = case.clone();
    alter(&mut other);
    other.best(world.rules).is_some_and(|best| best.fits())
}

/// Nodes that no network joins: the network that machines of this class are sold with.
fn joined_nodes(request: &SizeRequest, case: &Case, world: &World) -> Option<Nearest> {
    let machine = case.machine.as_ref()?;
    if machine.nodes < 2 || machine.network.is_some() {
        return None;
    }
    let mut changed = request.clone();
    let network = format!("{}x400Gb", machine.per_node().max(1));
    changed.hardware.network = Some(network.clone());
    fits(&changed, world)
        .then(|| change("network", &changed, Text::new("nearest-network").with("network", network)))
}

/// A part that does not run the checkpoint's type may run the other one of 16 bits.
fn other_type(request: &SizeRequest, case: &Case, world: &World) -> Option<Nearest> {
    if case.precision != "bf16" || request.work.precision.is_some() {
        return None;
    }
    let mut changed = request.clone();
    changed.work.precision = Some("fp16".to_owned());
    fits(&changed, world)
        .then(|| change("precision", &changed, Text::new("nearest-precision").with("precision", "fp16")))
}

fn less_context(request: &SizeRequest, case: &Case, world: &World) -> Option<Nearest> {
    let least = request.work.input.unwrap_or(1).saturating_add(request.work.output.unwrap_or(1));
    let context = CONTEXTS.into_iter().find(|&context| {
        context < case.work.context
            && context >= least
            && fits_with(case, world, |other| {
                other.work.context = context;
                let room = context.min(other.work.input.saturating_add(other.work.output));
                other.work.output = other.work.output.min(room / 5).max(1);
                other.work.input = room.saturating_sub(other.work.output).max(1);
            })
    })?;
    let mut changed = request.clone();
    changed.work.context = Some(context);
    fits(&changed, world)
        .then(|| change("context", &changed, Text::new("nearest-context").with("n", context)))
}

fn fewer_users(request: &SizeRequest, case: &Case, world: &World) -> Option<Nearest> {
    let works = |users: u64| fits_with(case, world, |other| other.work.users = users);
    if case.work.users < 2 || !works(1) {
        return None;
    }
    let (mut fitting, mut not) = (1, case.work.users);
    while not - fitting > 1 {
        let middle = fitting + (not - fitting) / 2;
        if works(middle) { fitting = middle } else { not = middle }
    }
    let mut changed = request.clone();
    changed.work.users = Some(fitting);
    fits(&changed, world).then(|| change("users", &changed, Text::new("nearest-users").with("n", fitting)))
}

fn smaller_cache(request: &SizeRequest, case: &Case, world: &World) -> Option<Nearest> {
    let choices: &[&str] = match case.serve.engine {
        maat_estimate::Engine::Llamacpp => &["q8_0", "q4_0"],
        _ => &["fp8"],
    };
    choices.iter().find_map(|&precision| {
        let mut changed = request.clone();
        changed.work.kv_precision = Some(precision.to_owned());
        let text = Text::new("nearest-kv-precision").with("precision", precision);
        (request.work.kv_precision.as_deref() != Some(precision) && fits(&changed, world))
            .then(|| change("kv_precision", &changed, text))
    })
}

/// With llama.cpp: as many layers on the cards as fit, or the experts in host memory.
fn offload(request: &SizeRequest, case: &Case, world: &World) -> Option<Nearest> {
    let machine = case.machine.as_ref()?;
    if case.serve.engine != maat_estimate::Engine::Llamacpp
        || machine.slots.is_empty()
        || machine.host.ram.is_none()
    {
        return None;
    }
    let mut changed = request.clone();
    changed.work.experts = Some(Side::Cpu);
    let has_experts =
        case.model.params_by_part().get(&maat_model::Part::RoutedExperts).is_some_and(|&n| n > 0);
    if has_experts && request.work.experts.is_none() && fits(&changed, world) {
        return Some(change("experts", &changed, Text::new("nearest-experts-cpu")));
    }
    let layers = case.model.decoder().map_or(0, |stack| stack.order.len() as u64);
    let works = |count: u64| fits_with(case, world, |other| other.serve.gpu_layers = Some(count));
    let count = (0..layers).rev().find(|&count| works(count))?;
    let mut changed = request.clone();
    changed.work.gpu_layers = Some(CountOrAuto::Count(count));
    let text = Text::new("nearest-gpu-layers").with("n", count).with("all", layers);
    fits(&changed, world).then(|| change("gpu_layers", &changed, text))
}

fn smaller_weights(request: &SizeRequest, case: &Case, world: &World) -> Option<Nearest> {
    let choices: &[&str] = match case.serve.engine {
        maat_estimate::Engine::Llamacpp => &GGUF_PRECISIONS,
        _ => &PRECISIONS,
    };
    let stored = |model: &maat_model::Model| model.weights_bytes();
    choices.iter().find_map(|&precision| {
        let smaller = case.model.at_precision(precision).ok().filter(|cut| stored(cut) < stored(&case.model));
        smaller.as_ref()?;
        let mut changed = request.clone();
        changed.work.precision = Some(precision.to_owned());
        let text = Text::new("nearest-precision").with("precision", precision);
        fits(&changed, world).then(|| change("precision", &changed, text))
    })
}

fn more_cards(request: &SizeRequest, case: &Case, world: &World) -> Option<Nearest> {
    let machine = case.machine.as_ref()?;
    let [slot] = machine.slots.as_slice() else { return None };
    if machine.slice.is_some() || request.hardware.gpu_like.is_some() {
        return None;
    }
    COUNTS.into_iter().filter(|&count| count > slot.count).find_map(|count| {
        let mut changed = request.clone();
        changed.hardware.gpu = vec![format!("{count}x {}", slot.accelerator.name)];
        let text = Text::new("nearest-count").with("n", count).with("part", slot.accelerator.name.as_str());
        fits(&changed, world).then(|| change("gpu", &changed, text))
    })
}
