//! The request as work, with what was assumed.

use maat_base::{Fault, Text};
use maat_estimate::{ItemWork, Task, is_diffusion};
use maat_model::{Length, Model};
use serde_json::Value;

use crate::notes::{Notes, default_why};
use crate::request::WorkRequest;

/// Most pixels of a side, items, frames and steps.
const MOST_SIDE: f64 = 65_536.0;
const MOST: f64 = 1e6;
/// Tokens of a prompt for CLIP, and for T5 in the pipelines of Flux and Stable Diffusion 3.
const CLIP_WORDS: f64 = 77.0;
const T5_WORDS: f64 = 512.0;

/// Whether a model that writes no text is to be sized by its images.
pub fn is_items(task: Option<Task>, model: &Model) -> bool {
    maat_estimate::makes_items(model)
        && matches!(
            task,
            None | Some(Task::Chat | Task::Batch | Task::Edge | Task::Diffusion | Task::VisionInfer)
        )
}

/// The work of a request.
///
/// # Errors
/// Sizes and counts that make no sense, or an image size where the model's file fixes it.
pub fn work(request: &WorkRequest, model: &Model, notes: &mut Notes) -> Result<ItemWork, Fault> {
    let asked = &request.items;
    let diffusion = is_diffusion(model);
    notes.unused(&unused(request, diffusion), if diffusion { "diffusion" } else { "vision-infer" });
    let (height, width) = size(asked.image_size.as_deref(), model, notes)?;
    let defaults = Defaults::of(model);
    let count = |given: Option<u64>, flag: &'static str| -> Result<Option<f64>, Fault> {
        match given {
            Some(n) if n == 0 || n as f64 > MOST => {
                Err(Fault::usage("count-out-of-range").with("given", n).with("most", MOST as u64).at(flag))
            }
            other => Ok(other.map(|n| n as f64)),
        }
    };
    let mut take = |name: &'static str, given: Option<f64>, usual: f64| {
        given.unwrap_or_else(|| {
            notes.assume(
                name,
                Value::from(usual as u64),
                Text::named(format!("assumed-items-{name}")).with("n", usual as u64),
                if diffusion && name != "batch" { Text::new("why-pipeline") } else { default_why() },
            );
            usual
        })
    };
    let batch = take("batch", count(asked.batch, "--batch")?, 1.0);
    let (mut frames, mut steps, mut guides, mut words) = (1.0, 1.0, 1.0, CLIP_WORDS);
    if diffusion {
        let clip = model.stacks.iter().any(|s| matches!(s.over, Length::Pixels { frames, .. } if frames > 1));
        let given = count(asked.frames, "--frames")?;
        frames = if clip { take("frames", given, defaults.frames) } else { given.unwrap_or(1.0) };
        steps = take("steps", count(request.training.steps, "--steps")?, defaults.steps);
        guides = take("guidance", None, defaults.guides);
        words = take("words", None, defaults.words);
    }
    let text = asked.text_encoders.unwrap_or_default();
    Ok(ItemWork { batch, height, width, frames, steps, guides, words, text, tiling: asked.vae_tiling })
}

/// Flags that are given and make no difference to images.
fn unused(request: &WorkRequest, diffusion: bool) -> Vec<&'static str> {
    let all = [
        ("--users", request.users.is_some()),
        ("--input", request.input.is_some()),
        ("--output", request.output.is_some()),
        ("--context", request.context.is_some()),
        ("--engine", request.engine.is_some()),
        ("--kv-precision", request.kv_precision.is_some()),
        ("--tp", request.tp.is_some()),
        ("--pp", request.pp.is_some()),
        ("--frames", request.items.frames.is_some() && !diffusion),
        ("--steps", request.training.steps.is_some() && !diffusion),
        ("--text-encoders", request.items.text_encoders.is_some() && !diffusion),
        ("--vae-tiling", request.items.vae_tiling && !diffusion),
    ];
    all.into_iter().filter(|(_, set)| *set).map(|(flag, _)| flag).collect()
}

/// What the pipelines of diffusers do when nothing is said.
struct Defaults {
    side: f64,
    frames: f64,
    steps: f64,
    guides: f64,
    words: f64,
}

impl Defaults {
    /// Defaults of the pipelines' `__call__` (diffusers 0.35): Stable Diffusion and SDXL 50 steps, guided; Stable Diffusion
    /// 3 28 steps, guided; Flux 28 steps, its guidance distilled; Flux schnell is made for 4.
    fn of(model: &Model) -> Self {
        let name = model.architecture.as_str();
        let base = Self { side: 1024.0, frames: 81.0, steps: 50.0, guides: 2.0, words: T5_WORDS };
        match name {
            _ if name.starts_with("Flux") => {
                let steps = if model.name.to_ascii_lowercase().contains("schnell") { 4.0 } else { 28.0 };
                Self { steps, guides: 1.0, ..base }
            }
            _ if name.starts_with("StableDiffusion3") => Self { steps: 28.0, words: 333.0, ..base },
            _ if name.starts_with("StableDiffusionXL") => Self { words: CLIP_WORDS, ..base },
            _ if name.starts_with("StableDiffusion") => Self { side: 512.0, words: CLIP_WORDS, ..base },
            _ if !is_diffusion(model) => Self { side: 640.0, ..base },
            _ => base,
        }
    }
}

/// Height and width in pixels.
fn size(given: Option<&str>, model: &Model, notes: &mut Notes) -> Result<(f64, f64), Fault> {
    let by_pixels = model.stacks.iter().any(|stack| matches!(stack.over, Length::Pixels { .. }));
    let Some(text) = given else {
        let side = Defaults::of(model).side;
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
