//! A request as a case: model opened, machine put together, settings chosen.

use std::sync::Arc;

use maat_base::{Fault, Text};
use maat_catalogue::{Machine, MachineSpec};
use maat_estimate::Profile;
use maat_model::Model;

use crate::case::Case;
use crate::notes::{Notes, default_why};
use crate::plans::Fixed;
use crate::request::{CountOrAuto, SizeRequest, WorkRequest};
use crate::settings::settings;
use crate::work::serving;
use crate::world::World;

/// Opens the model of a request that reads or writes tokens and stores it as the request says.
pub fn model(name: Option<&str>, work: &WorkRequest, notes: &mut Notes) -> Result<Arc<Model>, Fault> {
    let opened = any_model(name, work, notes)?;
    writes_tokens(&opened, work, notes)?;
    Ok(opened)
}

/// Whether a model has to do with tokens at all; flags of images are none of its own.
pub fn writes_tokens(model: &Model, work: &WorkRequest, notes: &mut Notes) -> Result<(), Fault> {
    if maat_estimate::makes_items(model) {
        return Err(Fault::usage("model-writes-no-tokens").with("model", model.name.as_str()));
    }
    notes.unused(&work.items.given(), work.task.unwrap_or_default().name());
    Ok(())
}

/// The same of any model.
pub fn any_model(name: Option<&str>, work: &WorkRequest, notes: &mut Notes) -> Result<Arc<Model>, Fault> {
    let name = name.ok_or_else(|| Fault::usage("model-missing").hint(Text::new("hint-model-missing")))?;
    let opened = maat_model::open(name, &maat_model::Options::default())?;
    opened.check_heads()?;
    let stored = if let Some(precision) = &work.precision {
        opened.at_precision(precision)?
    } else {
        notes.assume(
            "precision",
            opened.precision.clone(),
            Text::new("assumed-precision").with("precision", opened.precision.as_str()),
            Text::new("why-checkpoint"),
        );
        opened
    };
    for assumed in &stored.assumed {
        notes.assumed.push(assumed.clone());
    }
    Ok(Arc::new(stored))
}

/// The machine of a request, if it names one, with the number of accelerators still open for `?x`.
pub fn machine(
    request: &SizeRequest,
    world: &World,
    notes: &mut Notes,
) -> Result<Option<MachineSpec>, Fault> {
    let (spec, assumed) = maat_catalogue::machine(&request.hardware, world.catalogue)?;
    notes.assumed.extend(assumed);
    Ok(spec)
}

/// The case of a model on a machine.
pub fn case(
    work: &WorkRequest,
    model: Arc<Model>,
    machine: Option<Machine>,
    world: &World,
    notes: &mut Notes,
) -> Result<Case, Fault> {
    note_calibration(work, world, notes);
    let serving = serving(work, notes)?;
    let serve = settings(work, &model, machine.as_ref(), world.rules, notes)?;
    let profile = Arc::new(Profile::new(&model, &world.rules.efficiencies));
    Ok(Case {
        precision: model.precision.clone(),
        model,
        work: serving,
        machine,
        serve,
        fixed: fixed(work)?,
        requantised: work.precision.is_some(),
        profile,
    })
}

/// Says that own measurements move the predictions.
pub fn note_calibration(work: &WorkRequest, world: &World, notes: &mut Notes) {
    let corrections = &world.rules.efficiencies.corrections;
    if let Some(file) = work.calibrate.as_deref().filter(|_| !corrections.is_empty()) {
        let words = Text::new("assumed-calibrate").with("file", file);
        notes.assume("calibrate", file, words, Text::new("why-calibrate"));
    }
}

impl Case {
    /// The same job on another machine, with the engine that suits it.
    pub fn on(
        &self,
        work: &WorkRequest,
        machine: Option<Machine>,
        world: &World,
        notes: &mut Notes,
    ) -> Result<Self, Fault> {
        let serve = settings(work, &self.model, machine.as_ref(), world.rules, notes)?;
        Ok(Self { machine, serve, ..self.clone() })
    }
}

/// What the request fixes of the division.
pub fn fixed(work: &WorkRequest) -> Result<Fixed, Fault> {
    let counts = [("tp", work.tp), ("pp", work.pp), ("dp", work.dp), ("ep", work.ep), ("cp", work.cp)];
    if let Some((name, _)) = counts.iter().find(|(_, count)| *count == Some(0)) {
        return Err(Fault::usage("count-zero").with("flag", *name));
    }
    let replicas = match work.replicas {
        Some(CountOrAuto::Count(0)) => return Err(Fault::usage("count-zero").with("flag", "replicas")),
        Some(CountOrAuto::Count(n)) => {
            Some(u32::try_from(n).map_err(|_| Fault::usage("count-too-large").with("flag", "replicas"))?)
        }
        Some(CountOrAuto::Auto) | None => None,
    };
    Ok(Fixed { tp: work.tp, pp: work.pp, dp: work.dp, ep: work.ep, cp: work.cp, replicas })
}

/// Lists the parts of the plan that nobody fixed.
pub fn assume_division(case: &Case, parallel: &maat_estimate::Parallel, notes: &mut Notes) {
    let chosen = [
        ("tp", case.fixed.tp, parallel.tp),
        ("pp", case.fixed.pp, parallel.pp),
        ("replicas", case.fixed.replicas, parallel.replicas),
    ];
    for (name, fixed, value) in chosen {
        if fixed.is_none() && (value > 1 || case.devices().total() > 1) {
            let id = match name {
                "tp" => "assumed-tp",
                "pp" => "assumed-pp",
                _ => "assumed-replicas",
            };
            let why =
                if case.devices().total() > 1 { Text::new("why-fastest-that-fits") } else { default_why() };
            notes.assume(name, value, Text::new(id).with("n", value), why);
        }
    }
}
