//! A configuration as JSON, read key by key: names that families use for the same thing, the library's defaults where
//! a key is absent, and faults that name the key.

use std::cell::RefCell;
use std::rc::Rc;

use maat_base::{Assumed, Fault, Text};
use serde_json::{Map, Value};

use crate::defaults;

/// Largest size that a configuration may state: products of three such numbers stay within what is computed with.
const LARGEST: u64 = 1 << 24;
/// Name of what is assumed of a configuration without `dtype`.
pub(crate) const DTYPE_ASSUMED: &str = "dtype";
/// Most letters of a word that are looked at.
const LONGEST_WORD: usize = 256;
/// The families whose configuration class (Transformers 5.24, `validate_architecture`) refuses heads that do not divide
/// the width of the stream.
const DIVIDES: &[&str] = &[
    "arcee",
    "cwm",
    "exaone",
    "hyperclovax",
    "internlm3",
    "iquestcoder",
    "jais2",
    "llama",
    "minicpm3",
    "vaultgemma",
    "zamba",
];
/// Most layers that a configuration may state.
pub(crate) const MOST_LAYERS: u64 = 4096;

/// A configuration, or a part of one.
#[derive(Clone)]
pub(crate) struct Config<'a> {
    map: &'a Map<String, Value>,
    defaults: Rc<Map<String, Value>>,
    aliases: &'static [(&'static str, &'static str)],
    place: String,
    assumed: Rc<RefCell<Vec<Assumed>>>,
    /// Whether heads must divide the width of the stream.
    divides: bool,
}

impl<'a> Config<'a> {
    /// A whole configuration of which `place` is the file.
    pub(crate) fn new(map: &'a Map<String, Value>, place: impl Into<String>) -> Self {
        Self {
            map,
            defaults: Rc::default(),
            aliases: &[],
            place: place.into(),
            assumed: Rc::default(),
            divides: false,
        }
    }

    /// The same with the library's defaults of a family, and the other names that the family has for its keys.
    pub(crate) fn of_family(
        &self,
        model_type: &str,
        aliases: &'static [(&'static str, &'static str)],
    ) -> Result<Self, Fault> {
        let defaults = Rc::new(defaults::of(model_type)?);
        Ok(Self { defaults, aliases, divides: DIVIDES.contains(&model_type), ..self.clone() })
    }

    /// What was taken for absent keys so far.
    pub(crate) fn assumed(&self) -> Vec<Assumed> {
        self.assumed.borrow().clone()
    }

    /// A fault about a key.
    pub(crate) fn fault(&self, key: &str, code: &'static str) -> Fault {
        Fault::content(code).with("key", key).at(format!("{}: {key}", self.place))
    }

    /// The value that the file itself states; `null` counts as absent.
    pub(crate) fn stated(&self, key: &str) -> Option<&'a Value> {
        let find = |key: &str| self.map.get(key).filter(|value| !value.is_null());
        find(key).or_else(|| {
            let mut others = self.aliases.iter().filter(|(name, _)| *name == key);
            others.find_map(|(_, other)| find(other))
        })
    }

    fn value(&self, key: &str) -> Option<Value> {
        if let Some(value) = self.stated(key) {
            return Some(value.clone());
        }
        // A `null` that is written down says "none", and is not a gap for the library's default.
        if self.map.contains_key(key) {
            return None;
        }
        let default = self.defaults.get(key).or_else(|| {
            let mut others = self.aliases.iter().filter(|(name, _)| *name == key);
            others.find_map(|(_, other)| self.defaults.get(*other))
        });
        let value = default.filter(|value| !value.is_null())?.clone();
        // `false` and 0 add nothing to a model; what adds is told.
        if value.as_u64().is_some_and(|n| n > 0) || value == Value::Bool(true) {
            self.assume(key, &value);
        }
        Some(value)
    }

    fn assume(&self, key: &str, value: &Value) {
        let name = "config";
        let stated = Value::String(format!("{key} = {value}"));
        let mut assumed = self.assumed.borrow_mut();
        if !assumed.iter().any(|other| other.value == stated) {
            let text = Text::new("model-assumed-key").with("key", key).with("value", value.to_string());
            assumed.push(Assumed { name, value: stated, text, why: Text::new("model-assumed-key-why") });
        }
    }

    /// Notes the type that is taken for weights of which none is stated.
    pub(crate) fn assume_dtype(&self, dtype: &'static str) {
        self.assumed.borrow_mut().push(Assumed {
            name: DTYPE_ASSUMED,
            value: dtype.into(),
            text: Text::new("model-assumed-dtype").with("dtype", dtype),
            why: Text::new("model-assumed-dtype-why"),
        });
    }

    /// A whole number that may be 0; `None` where absent.
    pub(crate) fn maybe(&self, key: &str) -> Result<Option<u64>, Fault> {
        self.value(key).map(|value| self.number(key, &value)).transpose()
    }

    fn number(&self, key: &str, value: &Value) -> Result<u64, Fault> {
        let n =
            whole(value).ok_or_else(|| self.fault(key, "config-not-a-size").with("value", shown(value)))?;
        if n > LARGEST { Err(self.fault(key, "config-too-large").with("value", n)) } else { Ok(n) }
    }

    /// A whole number that may be 0, with the family's default where absent.
    pub(crate) fn whole(&self, key: &str, default: u64) -> Result<u64, Fault> {
        Ok(self.maybe(key)?.unwrap_or(default))
    }

    /// A size of at least 1 that must be there.
    pub(crate) fn int(&self, key: &str) -> Result<u64, Fault> {
        match self.maybe(key)? {
            Some(0) => Err(self.fault(key, "config-not-a-size").with("value", "0")),
            Some(n) => Ok(n),
            None => Err(self.fault(key, "config-key-missing")),
        }
    }

    /// A size of at least 1; where absent, what `default` says.
    pub(crate) fn int_or(&self, key: &str, default: u64) -> Result<u64, Fault> {
        if self.maybe(key)?.is_none() { Ok(default) } else { self.int(key) }
    }

    /// The number of layers under a key.
    pub(crate) fn layers(&self, key: &str) -> Result<u64, Fault> {
        let n = self.whole(key, 0)?;
        if n > MOST_LAYERS { Err(self.fault(key, "config-too-large").with("value", n)) } else { Ok(n) }
    }

    /// The number of layers under a key; at least one.
    pub(crate) fn depth(&self, key: &str) -> Result<u64, Fault> {
        self.int(key)?;
        self.layers(key)
    }

    /// Width of a head: as stated, or else what the heads divide the width of the stream to, rounded down as the
    /// library does unless its configuration class refuses the rest.
    pub(crate) fn head_dim(&self, hidden: u64, heads: u64) -> Result<u64, Fault> {
        if self.maybe("head_dim")?.is_some() {
            return self.int("head_dim");
        }
        let key = "num_attention_heads";
        if heads <= hidden && (!self.divides || hidden.is_multiple_of(heads)) {
            return Ok(hidden / heads);
        }
        Err(self.fault(key, "config-not-a-divisor").with("value", heads).with("whole", hidden))
    }

    /// A number of any size, such as a context length.
    pub(crate) fn length(&self, key: &str) -> Result<Option<u64>, Fault> {
        let Some(value) = self.value(key) else { return Ok(None) };
        let wrong = || self.fault(key, "config-not-a-size").with("value", shown(&value));
        whole(&value).map(Some).ok_or_else(wrong)
    }

    /// A number that need not be whole.
    pub(crate) fn float(&self, key: &str, default: f64) -> Result<f64, Fault> {
        let Some(value) = self.value(key) else { return Ok(default) };
        let wrong = || self.fault(key, "config-not-a-size").with("value", shown(&value));
        value.as_f64().filter(|x| x.is_finite()).ok_or_else(wrong)
    }

    /// A yes or no.
    pub(crate) fn flag(&self, key: &str, default: bool) -> Result<bool, Fault> {
        match self.value(key) {
            None => Ok(default),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(other) => Err(self.fault(key, "config-not-a-flag").with("value", shown(&other))),
        }
    }

    /// A word.
    pub(crate) fn text(&self, key: &str) -> Option<String> {
        // No name is long; a message that repeats one would be.
        self.value(key)?.as_str().map(|text| text.chars().take(LONGEST_WORD).collect())
    }

    /// A list of numbers; `None` where absent.
    pub(crate) fn numbers(&self, key: &str) -> Result<Option<Vec<u64>>, Fault> {
        match self.value(key) {
            None => Ok(None),
            Some(Value::Array(items)) => {
                items.iter().map(|item| self.number(key, item)).collect::<Result<_, _>>().map(Some)
            }
            Some(other) => Err(self.fault(key, "config-not-a-list").with("value", shown(&other))),
        }
    }

    /// Whether there is a list under a key.
    pub(crate) fn is_list(&self, key: &str) -> bool {
        self.value(key).is_some_and(|value| value.is_array())
    }

    /// A number for each layer: one for all, or a list.
    pub(crate) fn per_layer(&self, key: &str, layers: u64) -> Result<Vec<u64>, Fault> {
        match self.value(key) {
            Some(Value::Array(_)) => {
                let items = self.numbers(key)?.unwrap_or_default();
                if items.len() as u64 == layers {
                    Ok(items)
                } else {
                    Err(self
                        .fault(key, "config-list-length")
                        .with("length", items.len())
                        .with("layers", layers))
                }
            }
            _ => Ok(vec![self.int(key)?; layers as usize]),
        }
    }

    /// A list of words, one for each layer, such as `layer_types`; `None` where absent.
    pub(crate) fn words(&self, key: &str) -> Result<Option<Vec<String>>, Fault> {
        let Some(value) = self.stated(key) else { return Ok(None) };
        let words = value.as_array().and_then(|items| {
            items
                .iter()
                .map(|item| item.as_str().map(|text| text.chars().take(LONGEST_WORD).collect()))
                .collect::<Option<Vec<_>>>()
        });
        words.map(Some).ok_or_else(|| self.fault(key, "config-not-a-list").with("value", shown(value)))
    }

    /// A list of words, or one text that a letter separates.
    pub(crate) fn words_or_text(&self, key: &str, separator: char) -> Result<Vec<String>, Fault> {
        match self.stated(key) {
            Some(Value::String(text)) => {
                Ok(text.split(separator).map(|word| word.trim().to_owned()).collect())
            }
            _ => Ok(self.words(key)?.unwrap_or_default()),
        }
    }

    /// A configuration inside this one, such as `text_config`; an absent one is empty.
    pub(crate) fn inside(&self, key: &str) -> Result<Self, Fault> {
        static EMPTY: std::sync::LazyLock<Map<String, Value>> = std::sync::LazyLock::new(Map::new);
        let map = match self.stated(key) {
            None => &*EMPTY,
            Some(Value::Object(map)) => map,
            Some(other) => return Err(self.fault(key, "config-not-an-object").with("value", shown(other))),
        };
        let place = format!("{}: {key}", self.place);
        Ok(Self {
            map,
            defaults: Rc::default(),
            aliases: &[],
            place,
            assumed: self.assumed.clone(),
            divides: false,
        })
    }

    /// The raw object, for what is not read key by key.
    pub(crate) fn map(&self) -> &'a Map<String, Value> {
        self.map
    }
}

/// A whole number, also when a program wrote it as `4096.0`.
fn whole(value: &Value) -> Option<u64> {
    let float = || value.as_f64().filter(|x| x.fract() == 0.0 && (0.0..9e15).contains(x)).map(|x| x as u64);
    value.as_u64().or_else(float)
}

/// A value for a message, cut where it is long.
fn shown(value: &Value) -> String {
    let mut text = value.to_string();
    if let Some((cut, _)) = text.char_indices().nth(40) {
        text.truncate(cut);
        text.push('…');
    }
    text
}
