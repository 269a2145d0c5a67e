//! Names of modules in lists of what is quantised and what is not: exact names, globs, regular expressions.

use std::borrow::Cow;
use std::collections::HashMap;

use regex_lite::Regex;

/// Longest regular expression that is tried; published ones have some 60 letters.
const LONGEST: usize = 400;

/// A module's name, in parts.
pub(super) struct Path<'a> {
    full: Cow<'a, str>,
    layer: Option<u64>,
    /// Parts below the layer's number, or all parts where there is none.
    below: Vec<&'a str>,
}

impl<'a> Path<'a> {
    /// The module `name`, which stands in a numbered layer of a list or not. Experts are stood for by the first.
    pub(super) fn new(name: &'a str, layer: Option<(&str, u64)>) -> Self {
        let full = match layer {
            Some((list, index)) => Cow::Owned(format!("{list}.{index}.{}", name.replace('*', "0"))),
            None => Cow::Borrowed(name),
        };
        let below = name.split('.').collect();
        Self { full, layer: layer.map(|(_, index)| index), below }
    }
}

/// One entry of a list.
enum Pattern {
    Regex(Regex),
    /// Parts, each with `*` for anything, that follow one another somewhere in the name.
    Parts(Vec<String>),
}

/// A list of entries with what each means.
pub(super) struct Patterns<T> {
    anywhere: Vec<(Pattern, T)>,
    of_layer: HashMap<u64, Vec<(Vec<String>, T)>>,
}

impl<T: Clone> Patterns<T> {
    pub(super) fn new<S: AsRef<str>>(entries: impl Iterator<Item = (S, T)>) -> Self {
        let mut patterns = Self { anywhere: Vec::new(), of_layer: HashMap::new() };
        for (entry, meaning) in entries {
            patterns.add(entry.as_ref(), meaning);
        }
        patterns
    }

    fn add(&mut self, entry: &str, meaning: T) {
        if let Some(expression) = entry.strip_prefix("re:") {
            if expression.len() <= LONGEST
                && let Ok(regex) = Regex::new(&format!("^(?:{expression})"))
            {
                self.anywhere.push((Pattern::Regex(regex), meaning));
            }
            return;
        }
        let parts: Vec<String> = entry.split('.').map(usual_name).collect();
        // `model.layers.7.mlp*`: only asked of layer 7, so that long lists stay quick.
        let numbered = parts.iter().position(|part| part == "layers" || part == "blocks");
        let number = numbered.and_then(|at| Some((at, parts.get(at + 1)?.parse::<u64>().ok()?)));
        if let Some((at, layer)) = number {
            self.of_layer.entry(layer).or_default().push((parts[at + 2..].to_vec(), meaning));
            return;
        }
        let prefixes = ["model", "language_model", "backbone", "transformer"];
        let start = parts.iter().take_while(|part| prefixes.contains(&part.as_str())).count();
        if start < parts.len() {
            self.anywhere.push((Pattern::Parts(parts[start..].to_vec()), meaning));
        }
    }

    /// What the first entry that matches means.
    pub(super) fn find(&self, path: &Path) -> Option<T> {
        let here = path.layer.and_then(|layer| self.of_layer.get(&layer));
        let numbered = here.into_iter().flatten().find(|(parts, _)| starts_with(&path.below, parts));
        if let Some((_, meaning)) = numbered {
            return Some(meaning.clone());
        }
        let found = self.anywhere.iter().find(|(pattern, _)| match pattern {
            Pattern::Regex(regex) => regex.is_match(&path.full),
            Pattern::Parts(parts) => {
                let all: Vec<&str> = path.full.split('.').collect();
                (0..all.len()).any(|start| starts_with(&all[start..], parts))
            }
        });
        found.map(|(_, meaning)| meaning.clone())
    }
}

/// The part of a name as this crate has it, where checkpoints differ.
fn usual_name(part: &str) -> String {
    match part {
        "attn" => "self_attn",
        "ffn" => "mlp",
        other => other,
    }
    .to_owned()
}

/// Whether a name begins with the parts of a pattern. A `*` that is a whole part in the middle or at the end stands for
/// any one part, at the beginning for any number of them.
fn starts_with(name: &[&str], pattern: &[String]) -> bool {
    pattern.len() <= name.len()
        && name.iter().zip(pattern).all(|(part, pattern)| {
            glob(part.as_bytes(), pattern.as_bytes()) || (*part == "*" && pattern.parse::<u64>().is_ok())
        })
        || pattern.last().is_some_and(|last| last == "*")
            && pattern.len() == name.len() + 1
            && starts_with(name, &pattern[..pattern.len() - 1])
}

/// Whether `text` matches `pattern`, in which `*` stands for anything.
fn glob(text: &[u8], pattern: &[u8]) -> bool {
    let (mut t, mut p, mut star) = (0, 0, None);
    while t < text.len() {
        if pattern.get(p) == Some(&b'*') {
            star = Some((p, t));
            p += 1;
        } else if pattern.get(p) == Some(&text[t]) {
            (t, p) = (t + 1, p + 1);
        } else if let Some((at, from)) = star {
            star = Some((at, from + 1));
            (t, p) = (from + 1, at + 1);
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|byte| *byte == b'*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finds(entry: &str, name: &str, layer: Option<u64>) -> bool {
        let patterns = Patterns::new([(entry, ())].into_iter());
        patterns.find(&Path::new(name, layer.map(|layer| ("model.layers", layer)))).is_some()
    }

    #[test]
    fn lists_of_published_checkpoints() {
        // gpt-oss, Kimi K2.5, MiniMax M2.5, DeepSeek-V3.1-NVFP4, Qwen3.5-NVFP4, GLM-5.1-NVFP4.
        assert!(finds("model.layers.*.self_attn", "self_attn.q_proj", Some(3)));
        assert!(finds("re:.*shared_experts.*", "mlp.shared_experts.up_proj", Some(3)));
        assert!(!finds("re:.*mlp\\.(gate|up|gate_up|down)_proj.*", "mlp.experts.*.up_proj", Some(3)));
        assert!(finds("re:.*mlp\\.(gate|up|gate_up|down)_proj.*", "mlp.up_proj", Some(0)));
        assert!(finds("gate", "block_sparse_moe.gate", Some(3)));
        assert!(finds("model.layers.61*", "mlp.experts.*.up_proj", Some(61)));
        assert!(!finds("model.layers.6.self_attn*", "self_attn.o_proj", Some(61)));
        assert!(finds("*.mlp.shared_expert.*", "mlp.shared_expert.up_proj", Some(3)));
        assert!(finds("model.layers.1.*", "mlp.up_proj", Some(1)));
        assert!(finds("language_model.lm_head", "lm_head", None));
        assert!(finds("layers.3.ffn.experts", "mlp.experts.*.up_proj", Some(3)));
    }
}
