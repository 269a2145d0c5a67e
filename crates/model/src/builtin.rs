//! Models that are known by name: facts/models/*.toml. Only the file that has the name is parsed.

use maat_base::{Arg, Fault, Text};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::{Model, from_config, names};

/// Every file of built-in models; a test fails when one is forgotten here.
const FILES: &[(&str, &str)] = &[
    ("deepseek.toml", include_str!("../../../facts/models/deepseek.toml")),
    ("diffusion.toml", include_str!("../../../facts/models/diffusion.toml")),
    ("encoders.toml", include_str!("../../../facts/models/encoders.toml")),
    ("gemma.toml", include_str!("../../../facts/models/gemma.toml")),
    ("glm.toml", include_str!("../../../facts/models/glm.toml")),
    ("meta-llama.toml", include_str!("../../../facts/models/meta-llama.toml")),
    ("mistral.toml", include_str!("../../../facts/models/mistral.toml")),
    ("nvidia.toml", include_str!("../../../facts/models/nvidia.toml")),
    ("openai.toml", include_str!("../../../facts/models/openai.toml")),
    ("others.toml", include_str!("../../../facts/models/others.toml")),
    ("phi.toml", include_str!("../../../facts/models/phi.toml")),
    ("qwen.toml", include_str!("../../../facts/models/qwen.toml")),
    ("small.toml", include_str!("../../../facts/models/small.toml")),
    ("vision.toml", include_str!("../../../facts/models/vision.toml")),
];

/// A built-in model as its file has it. Its other names are read by the scan over lines, so that a look-up parses one
/// entry only.
#[derive(Deserialize)]
struct Entry {
    /// The configuration's keys as the publisher has them.
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
    let entry = entry(id, text).ok_or_else(wrong)?;
    from_config::model(name, &entry.config, id, None)
}

/// The entry of an id: the lines from its header to the next.
fn entry(id: &str, text: &str) -> Option<Entry> {
    let header = format!("[\"{id}\"]\n");
    let body = &text[text.find(&header)? + header.len()..];
    let end = body.find("\n[\"").unwrap_or(body.len());
    toml::from_str(&body[..end]).ok()
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::summary::ModelSummary;

    /// What an entry states for people and for this test.
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Stated {
        #[serde(default)]
        aliases: Vec<String>,
        source: String,
        date: String,
        params: Option<u64>,
        #[expect(dead_code, reason = "read elsewhere")]
        config: Map<String, Value>,
    }

    fn stated() -> Vec<(String, Stated)> {
        let files = FILES.iter().map(|(name, text)| text.parse::<toml::Table>().expect(name));
        files.flatten().map(|(id, entry)| (id.clone(), entry.try_into().expect(&id))).collect()
    }

    #[test]
    fn no_file_is_forgotten() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../facts/models");
        let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        for name in names.filter(|name| name.to_string_lossy().ends_with(".toml")) {
            assert!(FILES.iter().any(|(known, _)| *known == name.to_string_lossy()), "{name:?}");
        }
    }

    #[test]
    fn every_entry_has_the_published_number_of_parameters() {
        let mut wrong = Vec::new();
        for (id, entry) in stated() {
            assert!(entry.source.len() > 10 && entry.date.starts_with("20"), "{id}");
            match open(&id) {
                Err(fault) => wrong.push(format!("{id}: {fault}")),
                Ok(model) => {
                    let ModelSummary { params_total, .. } = model.summary();
                    if entry.params.is_some_and(|params| params != params_total) {
                        wrong.push(format!("{id}: {params_total} and not {:?}", entry.params));
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn names_are_unique_and_all_found() {
        let entries = stated();
        let names = entries.iter().flat_map(|(id, entry)| entry.aliases.iter().chain([id]));
        let mut seen = HashSet::new();
        for name in names {
            assert!(seen.insert(name.to_lowercase()), "{name} twice");
            assert!(open(name).is_ok(), "{name}");
        }
        assert_eq!(all().count(), seen.len());
        assert!(ids().count() >= 80);
    }

    #[test]
    fn names_need_neither_case_nor_owner() {
        assert_eq!(open("LLAMA-3.1-8b").unwrap().name, "meta-llama/Llama-3.1-8B");
        assert_eq!(open("lama-3.1-8b").unwrap_err().code, "model-unknown");
    }
}
