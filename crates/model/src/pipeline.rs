//! Pipelines of the Diffusers library: a folder with `model_index.json` whose parts are models themselves, or a built-in
//! entry that holds the configurations of the parts.

use std::path::Path;

use maat_base::{Bytes, Fault};
use serde_json::{Map, Value};

use crate::files::bounded;
use crate::{Model, Part, StackKind, from_config};

/// Most parts that a pipeline may have; published ones have at most ten.
const MOST: usize = 32;

/// A part of a pipeline with its name, such as `text_encoder`.
pub(crate) struct Component {
    pub name: String,
    pub model: Model,
}

/// Whether a configuration is that of a pipeline with its parts inside.
pub(crate) fn holds(map: &Map<String, Value>) -> bool {
    map.contains_key("_class_name") && map.get("components").is_some_and(Value::is_object)
}

/// The pipeline of a configuration that holds those of its parts.
pub(crate) fn of_map(name: &str, map: &Map<String, Value>, place: &str) -> Result<Model, Fault> {
    let parts = map.get("components").and_then(Value::as_object).into_iter().flatten();
    let mut components = Vec::new();
    for (part, config) in parts.take(MOST) {
        let place = format!("{place}: {part}");
        let Value::Object(config) = config else {
            return Err(Fault::content("config-not-an-object").with("key", part.as_str()).at(place));
        };
        components
            .push(Component { name: part.clone(), model: from_config::model(part, config, &place, None)? });
    }
    joined(name, map, place, components)
}

/// A part that a folder's index names: its subfolder and the class in the library.
pub(crate) struct Named {
    pub name: String,
    pub class: String,
}

/// The parts that a folder's `model_index.json` names and that have a subfolder with `config.json`; schedulers and
/// tokenisers have none.
pub(crate) fn index(folder: &Path) -> Result<(Map<String, Value>, Vec<Named>), Fault> {
    let path = folder.join("model_index.json");
    let Value::Object(map) = bounded::json(&path)? else {
        let place = path.display().to_string();
        return Err(Fault::content("config-not-an-object").with("key", "model_index.json").at(place));
    };
    let mut named = Vec::new();
    for (name, value) in map.iter().filter(|(name, _)| !name.starts_with('_')).take(MOST) {
        let class = value.as_array().and_then(|pair| pair.get(1)?.as_str());
        // A name that leads out of the folder is not followed.
        let plain = Path::new(name).components().count() == 1 && name != ".." && !name.contains(['/', '\\']);
        if let (Some(class), true) = (class, plain)
            && folder.join(name).join("config.json").is_file()
        {
            named.push(Named { name: name.clone(), class: class.to_owned() });
        }
    }
    Ok((map, named))
}

/// One model out of the parts: what removes the noise first, all else filed under towers.
pub(crate) fn joined(
    name: &str,
    map: &Map<String, Value>,
    place: &str,
    components: Vec<Component>,
) -> Result<Model, Fault> {
    let denoises =
        |component: &Component| component.model.stacks.iter().any(|stack| stack.kind == StackKind::Denoiser);
    let stored = components.iter().any(|component| component.model.stored_bytes.is_some());
    let bytes: Bytes = components.iter().map(|component| component.model.weights_bytes()).sum();
    let (mut first, rest): (Vec<_>, Vec<_>) = components.into_iter().partition(denoises);
    first.extend(rest);
    let mut parts = first.into_iter();
    let Some(main) = parts.next() else {
        return Err(Fault::content("folder-without-model").at(place.to_owned()));
    };
    let class = map.get("_class_name").and_then(Value::as_str).unwrap_or_default();
    let mut model = main.model;
    name.clone_into(&mut model.name);
    class.clone_into(&mut model.architecture);
    "diffusers".clone_into(&mut model.family);
    prefix(&mut model, &main.name);
    for Component { name, model: mut other } in parts {
        let denoises = other.stacks.iter().any(|stack| stack.kind == StackKind::Denoiser);
        prefix(&mut other, &name);
        if !denoises {
            set_aside(&mut other);
        }
        model.caches_known &= other.caches_known;
        model.stacks.append(&mut other.stacks);
        for one in other.assumed {
            if !model.assumed.contains(&one) {
                model.assumed.push(one);
            }
        }
    }
    (model.vocabulary, model.context_max, model.kv_default) = (None, None, None);
    model.stored_bytes = stored.then_some(bytes);
    Ok(model)
}

/// Names the stacks of a part by it.
fn prefix(model: &mut Model, part: &str) {
    for stack in &mut model.stacks {
        stack.path = format!("{part}/{}", stack.path).into();
    }
}

/// A part that does not remove noise: all of it is a tower, and what would write tokens only reads them.
fn set_aside(model: &mut Model) {
    for stack in &mut model.stacks {
        if stack.kind == StackKind::Decoder {
            stack.kind = StackKind::Encoder;
        }
        let layers = stack.layers.iter_mut().flat_map(|layer| {
            layer.mixers.iter_mut().for_each(|mixer| mixer.caches.clear());
            layer.weights.iter_mut()
        });
        for weight in stack.before.iter_mut().chain(layers).chain(&mut stack.after) {
            weight.part = Part::Towers;
        }
    }
}
