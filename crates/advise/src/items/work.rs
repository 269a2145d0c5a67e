//! The request as work, with what was assumed.

use maat_base::{Fault, Text};
use maat_estimate::{ItemWork, Rules, Task, is_diffusion};
use maat_model::{Length, Model};

use crate::notes::{Notes, default_why};
use crate::request::WorkRequest;

/// Most pixels of a side, items, frames and steps.
const MOST_SIDE: f64 = 65_536.0;
const MOST: u64 = 1_000_000;

/// Whether a model that writes no text is to be sized by its images.
pub fn is_items(task: Option<Task>, model: &Model) -> bool {
    maat_estimate::makes_items(model)
        && matches!(
            task,
            None | Some(Task::Chat | Task::Batch | Task::Edge | Task::Diffusion | Task::VisionInfer)
        )
}

/// The work of a request; what it leaves out is what the model's pipeline does.
///
/// # Errors
/// Sizes and counts that make no sense, or an image size where the model's file fixes it.
pub fn work(
    request: &WorkRequest,
    model: &Model,
    rules: &Rules,
    notes: &mut Notes,
) -> Result<ItemWork, Fault> {
    let asked = &request.items;
    let diffusion = is_diffusion(model);
    let clip = model.stacks.iter().any(|s| matches!(s.over, Length::Pixels { frames, .. } if frames > 1));
    notes.unused(&unused(request, diffusion, clip), if diffusion { "diffusion" } else { "vision-infer" });
    let last = if diffusion { "default" } else { "vision" };
    let usual = rules
        .efficiencies
        .pipeline(&[&model.name, &model.architecture, last])
        .ok_or_else(|| Fault::content("speed-fact-malformed").with("why", "pipelines.csv"))?;
    let (height, width) = size(asked.image_size.as_deref(), model, usual.side, notes)?;
    let batch = count(asked.batch, "--batch")?.unwrap_or_else(|| assume("batch", 1.0, default_why(), notes));
    let mut work = ItemWork {
        batch,
        height,
        width,
        frames: 1.0,
        steps: 1.0,
        guides: 1.0,
        words: usual.words,
        text: asked.text_encoders.unwrap_or_default(),
        tiling: asked.vae_tiling && diffusion,
    };
    if !diffusion {
        return Ok(work);
    }
    let mut usually = |name, given: Option<f64>, usual| {
        given.unwrap_or_else(|| assume(name, usual, Text::new("why-pipeline"), notes))
    };
    if clip {
        work.frames = usually("frames", count(asked.frames, "--frames")?, usual.frames);
    }
    work.steps = usually("steps", count(request.training.steps, "--steps")?, usual.steps);
    work.guides = usually("guidance", None, usual.guides);
    work.words = usually("words", None, usual.words);
    if asked.text_encoders.is_none() {
        notes.assume("text_encoders", "keep", Text::new("assumed-items-text-encoders"), default_why());
    }
    Ok(work)
}

/// A count that makes sense.
fn count(given: Option<u64>, flag: &'static str) -> Result<Option<f64>, Fault> {
    match given {
        Some(n) if n == 0 || n > MOST => {
            Err(Fault::usage("count-out-of-range").with("given", n).with("most", MOST).at(flag))
        }
        other => Ok(other.map(|n| n as f64)),
    }
}

/// Notes a number that nobody gave.
fn assume(name: &'static str, usual: f64, why: Text, notes: &mut Notes) -> f64 {
    let text = Text::named(format!("assumed-items-{name}")).with("n", usual as u64);
    notes.assume(name, usual as u64, text, why);
    usual
}

/// Flags that are given and make no difference to images.
fn unused(request: &WorkRequest, diffusion: bool, clip: bool) -> Vec<&'static str> {
    let all = [
        ("--users", request.users.is_some()),
        ("--input", request.input.is_some()),
        ("--output", request.output.is_some()),
        ("--context", request.context.is_some()),
        ("--engine", request.engine.is_some()),
        ("--kv-precision", request.kv_precision.is_some()),
        ("--tp", request.tp.is_some()),
        ("--pp", request.pp.is_some()),
        ("--frames", request.items.frames.is_some() && !clip),
        ("--steps", request.training.steps.is_some() && !diffusion),
        ("--text-encoders", request.items.text_encoders.is_some() && !diffusion),
        ("--vae-tiling", request.items.vae_tiling && !diffusion),
    ];
    all.into_iter().filter(|(_, set)| *set).map(|(flag, _)| flag).collect()
}

/// Height and width in pixels.
fn size(given: Option<&str>, model: &Model, side: f64, notes: &mut Notes) -> Result<(f64, f64), Fault> {
    let by_pixels = model.stacks.iter().any(|stack| matches!(stack.over, Length::Pixels { .. }));
    let Some(text) = given else {
        if by_pixels {
            let shown = format!("{side}x{side}");
            let why = if is_diffusion(model) { Text::new("why-pipeline") } else { default_why() };
            notes.assume(
                "image_size",
                shown.clone(),
                Text::new("assumed-items-size").with("size", shown),
                why,
            );
        } else {
            notes.assume(
                "image_size",
                "model",
                Text::new("assumed-items-size-model"),
                Text::new("why-checkpoint"),
            );
        }
        return Ok((side, side));
    };
    if !by_pixels {
        return Err(Fault::usage("image-size-fixed").with("model", model.name.as_str()).at("--image-size"));
    }
    let bad = || Fault::usage("image-size-malformed").with("given", text).at("--image-size");
    let side = |text: &str| {
        let side: f64 = text.trim().parse::<u32>().map_err(|_| bad())?.into();
        if (1.0..=MOST_SIDE).contains(&side) { Ok(side) } else { Err(bad()) }
    };
    match text.to_ascii_lowercase().split_once('x') {
        Some((height, width)) => Ok((side(height)?, side(width)?)),
        None => side(text).map(|side| (side, side)),
    }
}
