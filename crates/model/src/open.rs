//! From what a user typed to a model.

use std::path::Path;

use maat_base::{Bytes, Fault};
use serde_json::Value;

use crate::files::safetensors::{self, Folder, Tensors};
use crate::files::tensors::{self, Stored};
use crate::files::{bounded, gguf};
use crate::precision::encoding;
use crate::{Model, bare, builtin, from_config, pipeline};

/// How a model is opened.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Stores the weights in this precision instead of their own.
    pub precision: Option<String>,
}

/// Opens a model: a folder, a file, a built-in id, a bare size.
///
/// # Errors
/// `model-unknown`, `model-ambiguous`, `file-missing`, and what reading the file gives.
pub fn open(text: &str, options: &Options) -> Result<Model, Fault> {
    let path = Path::new(text);
    let model = match std::fs::metadata(path) {
        Ok(about) if about.is_dir() => {
            let model = folder(path, text)?;
            let licence = model.licence.clone().or_else(|| crate::licence::of_card(path));
            Model { licence, ..model }
        }
        Ok(_) => file(path, text)?,
        Err(_) if looks_like_a_path(text) => return Err(missing(path, text)),
        Err(_) => match bare::open(text) {
            Some(model) => model?,
            None => builtin::open(text)?,
        },
    };
    match &options.precision {
        Some(precision) => model.at_precision(precision),
        None => Ok(model),
    }
}

/// The model that the text of a configuration describes.
///
/// # Errors
/// As [`open`] of a `config.json`.
pub fn of_config(name: &str, text: &str) -> Result<Model, Fault> {
    match bounded::parse(text.as_bytes(), name)? {
        Value::Object(map) => from_config::model(name, &map, name, None),
        _ => Err(Fault::content("config-not-an-object").with("key", "config.json").at(name.to_owned())),
    }
}

/// Endings of the files that are read.
const ENDINGS: [&str; 3] = [".json", ".safetensors", ".gguf"];

fn looks_like_a_path(text: &str) -> bool {
    text.starts_with(['/', '.', '~']) || ENDINGS.iter().any(|ending| text.ends_with(ending))
}

/// A path that cannot be read: it is not there, or a link that leads in a circle.
fn missing(path: &Path, text: &str) -> Fault {
    match std::fs::symlink_metadata(path) {
        Ok(_) => Fault::content("file-unreadable").with("why", "broken or circular link").at(text.to_owned()),
        Err(_) => Fault::content("file-missing").with("name", text).at(text.to_owned()),
    }
}

fn file(path: &Path, name: &str) -> Result<Model, Fault> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    match ending.to_ascii_lowercase().as_str() {
        "gguf" => gguf::model(path, name),
        "safetensors" => of_tensors(name, safetensors::header(path)?, ""),
        _ if name.ends_with(".safetensors.index.json") => {
            let Folder { tensors, .. } = safetensors::of_index(path)?;
            of_tensors(name, tensors, "")
        }
        _ => config(path, name),
    }
}

/// A model of which only tensors are given; none is no model.
fn of_tensors(name: &str, tensors: Tensors, architecture: &str) -> Result<Model, Fault> {
    if tensors.is_empty() {
        return Err(Fault::content("file-empty").at(name.to_owned()));
    }
    let stored = tensors.into_iter().map(|(name, tensor)| Stored {
        name,
        shape: tensor.shape,
        encoding: encoding(safetensors::precision(&tensor.dtype)),
    });
    Ok(tensors::model(name, stored.collect(), architecture.to_owned()))
}

fn config(path: &Path, name: &str) -> Result<Model, Fault> {
    let place = path.display().to_string();
    let beside = path.with_file_name("hf_quant_config.json");
    let quantisation = if beside.is_file() { Some(bounded::json(&beside)?) } else { None };
    match bounded::json(path)? {
        Value::Object(map) => from_config::model(name, &map, &place, quantisation.as_ref()),
        _ => Err(Fault::content("config-not-an-object").with("key", "config.json").at(place)),
    }
}

/// A folder: its configuration, and what the headers of its files add.
fn folder(path: &Path, name: &str) -> Result<Model, Fault> {
    if path.join("model_index.json").is_file() {
        return pipeline_folder(path, name);
    }
    let stored = safetensors::folder(path)?;
    let stated = path.join("config.json");
    if stated.exists() {
        return match (config(&stated, name), stored) {
            (Ok(model), Some(stored)) => Ok(with_headers(model, &stored)),
            (Ok(model), None) => Ok(model),
            // The headers tell the sizes of an architecture that is not known.
            (Err(fault), Some(stored)) if fault.code == "architecture-unknown" && stored.complete => {
                let architecture = fault.message.args.iter().find(|(name, _)| name == "architecture");
                let architecture = match architecture {
                    Some((_, maat_base::Arg::Str(class))) => class.clone(),
                    _ => String::new(),
                };
                of_tensors(name, stored.tensors, &architecture)
            }
            (Err(fault), _) => Err(fault),
        };
    }
    if let Some(first) = gguf::first_of(path)? {
        return gguf::model(&first, name);
    }
    match stored {
        Some(stored) => of_tensors(name, stored.tensors, ""),
        None => Err(Fault::content("folder-without-model").at(path.display().to_string())),
    }
}

/// A folder of the Diffusers library: each part is a folder itself.
fn pipeline_folder(path: &Path, name: &str) -> Result<Model, Fault> {
    let (index, named) = pipeline::index(path)?;
    let mut components = Vec::new();
    for part in named {
        let inside = path.join(&part.name);
        let mut model = component(&inside, &part)?;
        if let Some(stored) = safetensors::folder(&inside)? {
            model = with_headers(model, &stored);
        }
        components.push(pipeline::Component { name: part.name, model });
    }
    pipeline::joined(name, &index, &path.display().to_string(), components)
}

/// The configuration of a pipeline's part, as the class that the pipeline's index names.
fn component(folder: &Path, part: &pipeline::Named) -> Result<Model, Fault> {
    let path = folder.join("config.json");
    let place = path.display().to_string();
    let Value::Object(mut map) = bounded::json(&path)? else {
        return Err(Fault::content("config-not-an-object").with("key", "config.json").at(place));
    };
    if map.contains_key("model_type") {
        map.insert("architectures".to_owned(), serde_json::json!([part.class]));
    } else {
        map.insert("_class_name".to_owned(), Value::String(part.class.clone()));
    }
    from_config::model(&part.name, &map, &place, None)
}

/// Bytes as the headers state them. A head that shares the embedding's storage may be stored twice, and counts once.
fn with_headers(mut model: Model, stored: &Folder) -> Model {
    let tied = model.weights().any(|(weight, _)| {
        weight.role == crate::Role::Head && matches!(weight.storage, crate::Storage::Shared(0))
    });
    let twice =
        |name: &str| tied && name.rsplit("lm_head.").next() == Some("weight") && name.contains("lm_head.");
    let counted = stored.tensors.iter().filter(|(name, _)| !twice(name)).map(|(_, tensor)| tensor.bytes);
    let bytes: u64 = counted.fold(0, u64::saturating_add);
    // The files say what the configuration does not.
    if !stored.tensors.is_empty() {
        model.assumed.retain(|assumed| assumed.name != crate::config::DTYPE_ASSUMED);
    }
    // A checkpoint that is stored in another type than its configuration says.
    let types: Vec<&str> = stored.tensors.values().map(|tensor| tensor.dtype.as_str()).collect();
    let plain = |dtype: &&str| ["F32", "F16", "BF16"].contains(dtype);
    if let Some(first) = types.first().filter(|_| types.iter().all(plain))
        && types.iter().all(|dtype| dtype == first)
        && safetensors::precision(first) != model.dtype.name
        && let Ok(stored_so) = model.at_precision(safetensors::precision(first))
    {
        model = stored_so;
    }
    let known = stored.complete || stored.stated.is_some();
    model.assumed.retain(|assumed| !(known && assumed.name == crate::from_config::MTP_ASSUMED));
    model.stored_bytes = if stored.complete { Some(Bytes(bytes)) } else { stored.stated.map(Bytes) };
    model
}
