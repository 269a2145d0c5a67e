//! Models that are known by name: facts/models/*.toml. Only the file that has the name is parsed.

use maat_base::{Arg, Fault, Text};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{Model, from_config, names};

/// Every file of built-in models; a test fails when one is forgotten here.
const FILES: &[(&str, &str)] = &[("meta-llama.toml", include_str!("../../../facts/models/meta-llama.toml"))];

/// A built-in model as its file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    /// Another entry of the file whose configuration this one starts from.
    #[serde(default)]
    like: Option<String>,
    /// Names of models with the same configuration (tuned ones, mirrors).
    #[serde(default)]
    #[expect(dead_code, reason = "read by the line scanner, so that a look-up parses one file only")]
    aliases: Vec<String>,
    /// Where the figures come from, and when they were read.
    #[expect(dead_code, reason = "for people, and for the test that every entry has one")]
    source: String,
    /// Parameters as published or counted elsewhere; a test compares them.
    #[serde(default)]
    #[expect(dead_code, reason = "for the test")]
    params: Option<u64>,
    /// The configuration's keys as the publisher has them.
    #[serde(default)]
    config: Map<String, Value>,
}

/// The model of a built-in name, in any case and without its owner where that is clear.
pub(crate) fn open(name: &str) -> Result<Model, Fault> {
    let found = matching(name);
    match found.as_slice() {
        [] => Err(unknown(name)),
        [(id, canonical, file)] => load(id, canonical, file),
        [(id, canonical, file), rest @ ..] if rest.iter().all(|other| other.1 == *canonical) => {
            load(id, canonical, file)
        }
        several => {
            let ids = several.iter().map(|(id, ..)| Arg::Str((*id).to_owned())).collect();
            let hint = Text::new("hint-model-ambiguous").with("names", Arg::List(ids));
            Err(Fault::content("model-ambiguous").with("name", name).hint(hint))
        }
    }
}

/// The ids of all built-in models, without their other names.
pub fn ids() -> impl Iterator<Item = &'static str> {
    all().filter(|(id, canonical, _)| id == canonical).map(|(id, ..)| id)
}

/// Name, id of the entry and file of each name that matches: exactly, or else without its owner.
fn matching(name: &str) -> Vec<(&'static str, &'static str, &'static str)> {
    let exact: Vec<_> = all().filter(|(id, ..)| id.eq_ignore_ascii_case(name)).collect();
    if !exact.is_empty() || name.contains('/') {
        return exact;
    }
    let without_owner = |id: &'static str| id.rsplit('/').next().unwrap_or(id);
    all().filter(|(id, ..)| without_owner(id).eq_ignore_ascii_case(name)).collect()
}

/// Every name with the id of its entry and the text of its file, by a scan over lines: an entry starts with
/// `["id"]`, its other names stand on the line `aliases = ["…", "…"]`.
fn all() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    FILES.iter().flat_map(|(_, text)| {
        let mut id = "";
        text.lines().flat_map(move |line| {
            if let Some(rest) = line.strip_prefix("[\"") {
                id = rest.split('"').next().unwrap_or(rest);
                vec![(id, id, *text)]
            } else if line.starts_with("aliases") {
                line.split('"').skip(1).step_by(2).map(|alias| (alias, id, *text)).collect()
            } else {
                Vec::new()
            }
        })
    })
}

fn load(name: &str, id: &str, text: &str) -> Result<Model, Fault> {
    let wrong = || Fault::content("facts-unreadable").at(format!("built-in model {id}"));
    let entries: toml::Table = text.parse().map_err(|_| wrong())?;
    let entry = |id: &str| -> Result<Entry, Fault> {
        entries.get(id).cloned().and_then(|entry| entry.try_into().ok()).ok_or_else(wrong)
    };
    let Entry { like, config, .. } = entry(id)?;
    let mut whole = match like {
        Some(like) => entry(&like)?.config,
        None => Map::new(),
    };
    lay_over(&mut whole, config);
    from_config::model(name, &whole, id, None)
}

/// Lays one configuration over another, object by object.
fn lay_over(below: &mut Map<String, Value>, above: Map<String, Value>) {
    for (key, value) in above {
        match (below.get_mut(&key), value) {
            (Some(Value::Object(below)), Value::Object(above)) => lay_over(below, above),
            (_, value) => {
                below.insert(key, value);
            }
        }
    }
}

fn unknown(name: &str) -> Fault {
    let near = names::nearest(name, all().map(|(id, ..)| id));
    let hint = if near.is_empty() {
        Text::new("hint-model-unknown")
    } else {
        let near = Arg::List(near.into_iter().map(Arg::Str).collect());
        Text::new("hint-model-near").with("names", near)
    };
    Fault::content("model-unknown").with("name", name).hint(hint)
}
