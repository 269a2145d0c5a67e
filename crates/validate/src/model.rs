//! Models by the names that measurements use.

use std::collections::HashMap;
use std::sync::Arc;

use maat_estimate::{Profile, Rules};
use maat_model::{Model, Options};

use crate::Skip;
use crate::files::{MODELS, reading};
use crate::row::Row;

/// Words of a name that do not change the shape: what a model was tuned for and how it is stored.
const SHAPELESS: &[&str] = &[
    "instruct",
    "chat",
    "it",
    "hf",
    "base",
    "gguf",
    "awq",
    "gptq",
    "fp8",
    "fp4",
    "nvfp4",
    "mxfp4",
    "int4",
    "int8",
    "bf16",
    "fp16",
    "edge",
    "99",
    "99.9",
    "interactive",
    "preview",
    "distilled",
    "meta",
    "lora",
    "model",
    "quantized",
    "w4a16",
    "w8a8",
    "dynamic",
    "text",
    "latest",
    "v1",
    "q4",
    "q8",
];

/// A model opened in a precision, with what its operations come to.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The model.
    pub model: Arc<Model>,
    /// The same as operations.
    pub profile: Arc<Profile>,
    /// Name of the shape, by which whole models are left out.
    pub id: Arc<str>,
}

/// Models that were opened so far, each once.
#[derive(Debug)]
pub struct Models {
    measured: HashMap<String, String>,
    known: HashMap<String, &'static str>,
    opened: HashMap<(String, String), Result<Opened, Skip>>,
}

impl Models {
    /// With the built-in names.
    pub fn new() -> Self {
        let pair = |row: csv::StringRecord| Some((normal(row.get(0)?), row.get(1)?.to_owned()));
        let mut known = HashMap::new();
        for id in maat_model::built_in_ids() {
            known.entry(normal(id)).or_insert(id);
        }
        Self {
            measured: reading("models").into_iter().filter_map(pair).collect(),
            known,
            opened: HashMap::new(),
        }
    }

    /// The model of a row, its weights stored in the first of these precisions that there is.
    pub fn open(&mut self, row: &Row, precisions: &[String], rules: &Rules) -> Result<Opened, Skip> {
        let name = row.text("model");
        if name.is_empty() {
            return Err(Skip::ModelUnknown);
        }
        let sizes = format!("{name}|{}|{}", row.text("params_b"), row.text("active_params_b"));
        let key = (sizes, precisions.join(" "));
        if let Some(done) = self.opened.get(&key) {
            return done.clone();
        }
        let opened = self.make(row, precisions, rules);
        self.opened.insert(key, opened.clone());
        opened
    }

    fn make(&self, row: &Row, precisions: &[String], rules: &Rules) -> Result<Opened, Skip> {
        let (id, plain) = self.plain(row)?;
        let model = match precisions {
            [] => plain,
            wanted => {
                wanted.iter().find_map(|name| plain.at_precision(name).ok()).ok_or(Skip::PrecisionUnknown)?
            }
        };
        let profile = Profile::new(&model, &rules.efficiencies);
        Ok(Opened { model: Arc::new(model), profile: Arc::new(profile), id: id.into() })
    }

    /// By the table, by a built-in name, by the same name without shapeless words, or else a typical shape of the size.
    fn plain(&self, row: &Row) -> Result<(String, Model), Skip> {
        let name = row.text("model");
        let normal = normal(name);
        let id = self.measured.get(&normal).map(String::as_str).or_else(|| self.known.get(&normal).copied());
        if let Some(id) = id {
            let own = MODELS.iter().find(|(file, _)| *file == id);
            let model = match own {
                Some((_, text)) => maat_model::of_config(id, text),
                None => maat_model::open(id, &Options::default()),
            };
            return model.map(|model| (id.to_owned(), model)).map_err(|_| Skip::ModelUnknown);
        }
        let stated = |column: &str| row.number(column).filter(|billions| (1e-3..1e4).contains(billions));
        let (total, active) = sizes_of(name);
        let total = stated("params_b").or(total).ok_or(Skip::ModelUnknown)?;
        let active = stated("active_params_b").or(active).unwrap_or(total);
        let model = if active < 0.8 * total {
            maat_model::mixture(name, total * 1e9, active * 1e9)
        } else {
            maat_model::open(&format!("{total}B"), &Options::default())
        };
        model.map(|model| (normal, model)).map_err(|_| Skip::ModelUnknown)
    }
}

/// A name without its owner, separators and shapeless words: `meta-llama/Llama-3.1-8B-Instruct` and `Llama 3.1 8b` are
/// the same.
fn normal(name: &str) -> String {
    let name = name.rsplit('/').next().unwrap_or(name).to_ascii_lowercase();
    let words =
        name.split(|c: char| !(c.is_ascii_alphanumeric() || c == '.')).filter(|word| !word.is_empty());
    words.filter(|word| !SHAPELESS.contains(word)).collect()
}

/// Total and active billions of parameters that a name states, as `30B-A3B` does.
fn sizes_of(name: &str) -> (Option<f64>, Option<f64>) {
    let lower = name.to_ascii_lowercase();
    let mut found = (None, None);
    for word in lower.split(|c: char| !(c.is_ascii_alphanumeric() || c == '.')) {
        let Some(number) = word.strip_suffix('b') else { continue };
        match number.strip_prefix('a') {
            Some(active) => found.1 = found.1.or(active.parse().ok()),
            None => found.0 = found.0.or(number.parse().ok()),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::Sheet;

    fn id(line: &str) -> Result<String, Skip> {
        let text = format!("model,params_b,active_params_b,hardware,metric,value\n{line},,,\n");
        let sheet = Sheet::read(text.as_bytes()).unwrap();
        let row = sheet.rows().next().unwrap();
        Models::new().plain(&row).map(|(id, model)| format!("{id} {:.1}", model.params_total() as f64 / 1e9))
    }

    /// Sizes as the publishers state them.
    #[test]
    fn names_of_people_are_known() {
        assert_eq!(id("Llama 3.1 8b,,").unwrap(), "meta-llama/Llama-3.1-8B 8.0");
        assert_eq!(id("RedHatAI/Qwen2.5-32B-Instruct-FP8-dynamic,,").unwrap(), "Qwen/Qwen2.5-32B 32.8");
        assert_eq!(id("llama2-70b-99.9,,").unwrap(), "meta-llama/Llama-2-70b-hf 69.0");
        assert_eq!(id("gpt-oss-20b,,").unwrap(), "openai/gpt-oss-20b 20.9");
        assert_eq!(id("Koala-13B,,").unwrap(), "huggyllama/llama-13b 13.0");
    }

    #[test]
    fn unknown_names_take_their_size() {
        assert!(id("Someone-New,9,").unwrap().ends_with(" 9.0"));
        let mixture = id("New-106B-A12B,,").unwrap();
        assert!(mixture.starts_with("new106ba12b 10"), "{mixture}");
        assert_eq!(id("Someone-New,,").unwrap_err(), Skip::ModelUnknown);
    }

    #[test]
    fn the_table_leads_to_models() {
        for row in reading("models") {
            let text = format!("{},,", &row[0]);
            assert!(id(&text).is_ok(), "{text}");
        }
    }
}
