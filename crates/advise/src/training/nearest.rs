//! The smallest changes that make a training job fit. Each is tried: what is listed fits.

use maat_base::Text;
use maat_estimate::{Offload, Optimizer, Recompute};

use super::case::TrainCase;
use crate::answer::Nearest;
use crate::argv::argv;
use crate::notes::Notes;
use crate::request::SizeRequest;
use crate::world::World;

/// Most changes that are listed.
const MOST: usize = 3;
/// Sequences that people train on, the longest first.
const SEQUENCES: [u64; 8] = [65_536, 32_768, 16_384, 8192, 4096, 2048, 1024, 512];
/// Counts of accelerators that machines are built with.
const COUNTS: [u32; 6] = [2, 4, 8, 16, 32, 64];

/// At most three changes that fit, the least first.
pub fn nearest(request: &SizeRequest, case: &TrainCase, world: &World) -> Vec<Nearest> {
    let mut found = Vec::new();
    for (change, changed, text) in changes(request, case) {
        if fits(&changed, world) {
            found.push(Nearest { change, argv: argv("size", &changed), text });
            if found.len() == MOST {
                break;
            }
        }
    }
    found
}

type Change = (&'static str, SizeRequest, Text);

/// Takes a change to try.
type Add<'a> = dyn FnMut(&'static str, Text, &dyn Fn(&mut SizeRequest)) + 'a;

/// Changes to try: what only takes time, then what changes the training, then the machine. Of each kind the least that
/// may do.
fn changes(request: &SizeRequest, case: &TrainCase) -> Vec<Change> {
    let mut all: Vec<Change> = Vec::new();
    let mut add = |name: &'static str, text: Text, alter: &dyn Fn(&mut SizeRequest)| {
        let mut changed = request.clone();
        alter(&mut changed);
        all.push((name, changed, text));
    };
    let plan = &case.plan;
    if plan.precision == maat_estimate::TrainPrecision::Bf16 && request.work.precision.is_none() {
        add("precision", Text::new("nearest-precision").with("precision", "fp16"), &|r| {
            r.work.precision = Some("fp16".to_owned());
        });
    }
    if case.fixed.recompute.is_some_and(|given| given != Recompute::Full) {
        add("recompute", Text::new("nearest-recompute"), &|r| r.work.training.recompute = None);
    }
    if case.fixed.zero.is_some_and(|given| given < 3) && case.devices().total() > 1 {
        add("zero", Text::new("nearest-zero"), &|r| r.work.training.zero = Some(3));
    }
    if plan.micro_batch > 1 {
        let half = plan.micro_batch / 2;
        add("micro_batch", Text::new("nearest-micro-batch").with("n", half), &|r| {
            r.work.training.micro_batch = Some(half);
        });
        add("micro_batch", Text::new("nearest-micro-batch").with("n", 1u64), &|r| {
            r.work.training.micro_batch = Some(1);
        });
    }
    if !plan.chunked_loss {
        add("chunked_loss", Text::new("nearest-chunked-loss"), &|r| r.work.training.chunked_loss = true);
    }
    if plan.optimizer == Optimizer::Adamw && case.work.adapters.is_none() {
        add("optimizer", Text::new("nearest-optimizer"), &|r| {
            r.work.training.optimizer = Some(Optimizer::Adamw8bit);
        });
    }
    for sequence in SEQUENCES.into_iter().filter(|&n| n < case.work.sequence).take(3) {
        add("seq", Text::new("nearest-seq").with("n", sequence), &|r| {
            r.work.training.seq = Some(sequence);
            r.work.training.response = r.work.training.response.map(|n| n.min(sequence / 2));
        });
    }
    for (what, id) in
        [(Offload::Optimizer, "nearest-offload-optimizer"), (Offload::All, "nearest-offload-all")]
    {
        if case.fixed.offload.unwrap_or_default() < what {
            add("offload", Text::new(id), &|r| {
                r.work.training.offload = Some(what);
                if what == Offload::All && case.devices().total() > 1 {
                    r.work.training.zero = Some(3);
                }
            });
        }
    }
    method(case, &mut add);
    more_cards(case, &mut add);
    all
}

/// Adapters instead of all weights, a packed base instead of a plain one.
fn method(case: &TrainCase, add: &mut Add) {
    use maat_estimate::Task;
    let other = match case.work.task {
        Task::Full => Task::Lora,
        Task::Lora => Task::Qlora,
        _ => return,
    };
    add("task", Text::new("nearest-task").with("task", other.name()), &|r| r.work.task = Some(other));
    if other == Task::Lora {
        add("task", Text::new("nearest-task").with("task", Task::Qlora.name()), &|r| {
            r.work.task = Some(Task::Qlora);
        });
    }
}

fn more_cards(case: &TrainCase, add: &mut Add) {
    let Some(machine) = &case.machine else { return };
    let [slot] = machine.slots.as_slice() else { return };
    if machine.slice.is_some() || machine.nodes > 1 {
        return;
    }
    let name = slot.accelerator.name.clone();
    for count in COUNTS.into_iter().filter(|&count| count > slot.count && count <= 8) {
        add("gpu", Text::new("nearest-count").with("n", count).with("part", name.as_str()), &|r| {
            r.hardware.gpu = vec![format!("{count}x {name}")];
        });
    }
}

/// Whether a changed request fits on its machine.
fn fits(request: &SizeRequest, world: &World) -> bool {
    let mut notes = Notes::default();
    let mut case = || {
        let model = super::resolve::model(request.model.as_deref(), &request.work, &mut notes).ok()?;
        let machine = crate::resolve::machine(request, world, &mut notes).ok()??.machines().last()?;
        super::resolve::case(&request.work, model, Some(machine), world, &mut notes).ok()
    };
    case().and_then(|case| case.best(world.rules)).is_some_and(|best| best.fits())
}
