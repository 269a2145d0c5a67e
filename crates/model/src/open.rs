//! From what a user typed to a model.

use std::path::Path;

use maat_base::Fault;
use serde_json::Value;

use crate::files::bounded;
use crate::{Model, builtin, from_config};

/// How a model is opened.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Stores the weights in this precision instead of their own.
    pub precision: Option<String>,
}

/// Opens a model: a folder, a file, a built-in id.
///
/// # Errors
/// `model-unknown`, `model-ambiguous`, and what reading the file gives.
pub fn open(text: &str, options: &Options) -> Result<Model, Fault> {
    let path = Path::new(text);
    let model = if path.is_dir() {
        file(&path.join("config.json"), text)?
    } else if path.exists() {
        file(path, text)?
    } else {
        builtin::open(text)?
    };
    match &options.precision {
        Some(precision) => model.at_precision(precision),
        None => Ok(model),
    }
}

fn file(path: &Path, name: &str) -> Result<Model, Fault> {
    let place = path.display().to_string();
    let beside = path.with_file_name("hf_quant_config.json");
    let quantisation = if beside.is_file() { Some(bounded::json(&beside)?) } else { None };
    match bounded::json(path)? {
        Value::Object(map) => from_config::model(name, &map, &place, quantisation.as_ref()),
        _ => Err(Fault::content("config-not-an-object").with("key", "config.json").at(place)),
    }
}
