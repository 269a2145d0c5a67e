//! Reading names: what of a name says the part, and what only its maker, form or memory.

use std::collections::HashMap;

use crate::accelerator::FormFactor;
use crate::load::{Alias, AliasKind};
use crate::table::{File, Loaded, columns, read};

columns!(Columns { word, kind, means });

/// What a word of a name means, as `hardware/name_words.csv` says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Word {
    /// A maker or its brand, and the maker's name.
    Vendor(String),
    /// A driver, which some names end with in brackets (`RADV NAVI31`).
    Driver,
    /// A form, and the form's own word where it is exact (`SXM5`).
    Form(FormFactor, Option<String>),
    /// Nothing that tells parts apart.
    Noise,
}

/// The words that names may have or lack.
#[derive(Debug, Default)]
pub(crate) struct Words {
    meanings: HashMap<String, Word>,
    vendors: Vec<String>,
}

impl Words {
    /// Reads them.
    pub fn load(files: &[File]) -> Loaded<(String, Word)> {
        read(files, "hardware/name_words.csv", Columns::of, |row, c| {
            let meaning = match row.text(c.kind) {
                "vendor" => Word::Vendor(row.required(c.means, "means")?),
                "driver" => Word::Driver,
                "noise" => Word::Noise,
                "form" => row.one_of(c.means, "means", form)?,
                other => return Err(row.fault("kind", other)),
            };
            Ok((row.required(c.word, "word")?.to_ascii_lowercase(), meaning))
        })
    }

    /// Makes the table.
    pub fn new(words: Vec<(String, Word)>) -> Self {
        let vendors = words
            .iter()
            .filter(|(_, word)| matches!(word, Word::Vendor(_)))
            .map(|(word, _)| word.clone())
            .collect();
        Self { meanings: words.into_iter().collect(), vendors }
    }

    /// A key whose maker's word is written together with the rest, without that word.
    pub fn without_vendor<'a>(&self, key: &'a str) -> Option<&'a str> {
        self.vendors.iter().filter_map(|word| key.strip_prefix(word.as_str())).find(|rest| !rest.is_empty())
    }

    fn is_vendor(&self, token: &str) -> bool {
        self.vendors.iter().any(|word| word == token)
    }

    /// The makers that a name states: an M4 of NVIDIA is not one of Apple.
    pub fn makers(&self, name: &str) -> Vec<&str> {
        let maker = |token: &String| match self.meanings.get(token) {
            Some(Word::Vendor(maker)) => Some(maker.as_str()),
            _ => None,
        };
        tokens(name).iter().filter_map(maker).collect()
    }

    /// A name without the driver in brackets at its end: of `RX 7900 XTX (RADV NAVI31)` the first part.
    pub fn without_driver<'a>(&self, name: &'a str) -> Option<&'a str> {
        let (before, inside) = name.trim_end().strip_suffix(')')?.rsplit_once('(')?;
        let driver =
            tokens(inside).first().is_some_and(|word| self.meanings.get(word) == Some(&Word::Driver));
        (driver && !before.trim().is_empty()).then_some(before)
    }
}

fn form(means: &str) -> Option<Word> {
    let (form, exact) = means.split_once(' ').map_or((means, None), |(form, exact)| (form, Some(exact)));
    let form = match form {
        "pcie" => FormFactor::Pcie,
        "baseboard" => FormFactor::Baseboard,
        "laptop" => FormFactor::Laptop,
        _ => return None,
    };
    Some(Word::Form(form, exact.map(str::to_owned)))
}

/// The tokens of a name: runs of letters, digits, `+` and `:`, in lower case, trademark signs left out.
fn tokens(name: &str) -> Vec<String> {
    let lower = name.to_lowercase();
    let lower = lower.split('@').next().unwrap_or_default().replace("(r)", " ").replace("(tm)", " ");
    lower.split(|c| !is_of_token(c)).filter(|token| !token.is_empty()).map(str::to_owned).collect()
}

/// The key under which a name is looked up: its tokens in a row, without makers' words (unless there are no others).
pub(crate) fn key(name: &str, words: &Words) -> String {
    let name = name.split('@').next().unwrap_or_default();
    let mut all = String::with_capacity(name.len());
    let mut kept = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(start) = rest.find(is_of_token) {
        let sign = rest[..start].ends_with('(');
        let end = rest[start..].find(|c| !is_of_token(c)).map_or(rest.len(), |end| start + end);
        let token = &rest[start..end];
        rest = &rest[end..];
        if sign
            && rest.starts_with(')')
            && (token.eq_ignore_ascii_case("r") || token.eq_ignore_ascii_case("tm"))
        {
            continue;
        }
        let before = all.len();
        all.extend(token.chars().flat_map(char::to_lowercase));
        if !words.is_vendor(&all[before..]) {
            kept.push_str(&all[before..]);
        }
    }
    if kept.is_empty() { all } else { kept }
}

fn is_of_token(c: char) -> bool {
    c.is_alphanumeric() || c == '+' || c == ':'
}

/// A name taken apart.
#[derive(Debug, PartialEq)]
pub(crate) struct Described {
    /// Key of what says the part.
    pub key: String,
    /// Memory that it states, in units of 10^9 or 2^30 bytes.
    pub memory_gb: Option<f64>,
    /// Form that it states.
    pub form: Option<(FormFactor, Option<String>)>,
}

/// Takes memory, form and words without meaning out of a name; `None` where it has none of them, or nothing else.
pub(crate) fn described(name: &str, words: &Words) -> Option<Described> {
    let all = tokens(name);
    let mut described = Described { key: String::new(), memory_gb: None, form: None };
    let mut taken = 0;
    let mut at = 0;
    while at < all.len() {
        let word = &all[at];
        let next = all.get(at + 1).map(String::as_str);
        at += 1;
        if let Some((gb, read)) = memory(word, next) {
            described.memory_gb = Some(gb);
            at += read - 1;
            taken += 1;
            continue;
        }
        match words.meanings.get(word) {
            Some(Word::Vendor(_)) => {}
            Some(Word::Noise) => taken += 1,
            Some(Word::Form(form, exact)) => {
                // Of `HGX H100 SXM5` the exact word counts.
                if exact.is_some() || described.form.is_none() {
                    described.form = Some((*form, exact.clone()));
                }
                taken += 1;
            }
            Some(Word::Driver) | None => described.key.push_str(word),
        }
    }
    (taken > 0 && !described.key.is_empty()).then_some(described)
}

/// A processor's name without what systems write after it: the graphics part (`w/ Radeon 890M`), the board's revision and
/// the count of cores (`16-Core Processor`).
pub(crate) fn processor_alone(name: &str) -> String {
    let ends = [" w/ ", " with ", " Rev "];
    let end = ends.iter().filter_map(|end| name.find(end)).min().unwrap_or(name.len());
    let words: Vec<&str> = name[..end].split_whitespace().collect();
    let counts_cores = |word: &str| {
        let count = word.to_ascii_lowercase();
        count.strip_suffix("-core").is_some_and(|count| count.bytes().all(|b| b.is_ascii_digit()))
    };
    words.into_iter().filter(|word| !counts_cores(word)).collect::<Vec<_>>().join(" ")
}

/// Reads `80gb`, `80g`, `80gib`, or `80` before `gb`; gives the number and how many tokens it took.
fn memory(token: &str, next: Option<&str>) -> Option<(f64, usize)> {
    let units = ["gib", "gb", "g"];
    if let Some(number) = units.iter().find_map(|unit| token.strip_suffix(unit)) {
        return number.parse().ok().filter(|gb: &f64| gb.is_finite()).map(|gb| (gb, 1));
    }
    let number = token.parse().ok().filter(|gb: &f64| gb.is_finite())?;
    next.filter(|unit| units[..2].contains(unit)).map(|_| (number, 2))
}

/// All names by their key.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// The names, in the order of their tables.
    pub aliases: Vec<Alias>,
    by_key: HashMap<String, Vec<u32>>,
}

impl Index {
    /// Makes the index.
    pub fn new(aliases: Vec<Alias>, words: &Words) -> Self {
        let mut by_key: HashMap<String, Vec<u32>> = HashMap::with_capacity(aliases.len());
        for (at, alias) in aliases.iter().enumerate() {
            by_key.entry(key(&alias.name, words)).or_default().push(at as u32);
        }
        Self { aliases, by_key }
    }

    /// The names with this key: the preferred first, else in the order of the tables. With `cloud`, names that clouds use
    /// come before all others.
    pub fn named(&self, key: &str, cloud: bool) -> Vec<&Alias> {
        let mut found: Vec<&Alias> =
            self.by_key.get(key).into_iter().flatten().map(|&at| &self.aliases[at as usize]).collect();
        if cloud && found.iter().any(|alias| alias.kind == AliasKind::Cloud) {
            found.retain(|alias| alias.kind == AliasKind::Cloud);
        }
        found.sort_by_key(|alias| !alias.preferred);
        // Of two preferred the later is the user's own.
        let preferred = found.iter().take_while(|alias| alias.preferred).count();
        found[..preferred].reverse();
        found
    }

    /// Keys that several parts share, with the names.
    pub fn shared(&self) -> impl Iterator<Item = (&str, Vec<&Alias>)> {
        self.by_key.iter().filter_map(|(key, found)| {
            let names: Vec<&Alias> = found.iter().map(|&at| &self.aliases[at as usize]).collect();
            let several = names.iter().any(|alias| alias.part != names[0].part);
            several.then_some((key.as_str(), names))
        })
    }

    /// Names for people whose keys are nearest to this one: at most `most`, each of another part.
    pub fn nearest(&self, wanted: &str, words: &Words, most: usize) -> Vec<String> {
        let people = |alias: &&Alias| matches!(alias.kind, AliasKind::Name | AliasKind::People);
        let mut near: Vec<(usize, &Alias)> = self
            .aliases
            .iter()
            .filter(people)
            .map(|alias| (distance(wanted, &key(&alias.name, words)), alias))
            .collect();
        near.sort_by_key(|&(far, alias)| (far, alias.kind != AliasKind::Name));
        let mut parts: Vec<&str> = Vec::new();
        for (_, alias) in near {
            if parts.len() == most {
                break;
            }
            if !parts.contains(&alias.part.as_str()) {
                parts.push(&alias.part);
            }
        }
        let name_of = |part: &&str| {
            self.aliases.iter().find(|alias| alias.part == *part && alias.kind == AliasKind::Name)
        };
        parts.iter().filter_map(name_of).map(|alias| alias.name.clone()).collect()
    }
}

/// Edit distance with swaps of neighbours (optimal string alignment), of at most 64 characters each.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().take(64).collect();
    let b: Vec<char> = b.chars().take(64).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let change = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = change.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> Words {
        Words::new(vec![
            ("nvidia".into(), Word::Vendor("NVIDIA".into())),
            ("radv".into(), Word::Driver),
            ("gpu".into(), Word::Noise),
            ("sxm5".into(), Word::Form(FormFactor::Baseboard, Some("SXM5".into()))),
        ])
    }

    #[test]
    fn keys() {
        assert_eq!(key("NVIDIA H100-SXM5-80GB", &words()), "h100sxm580gb");
        assert_eq!(key("Intel(R) Xeon(R) Platinum 8592+ @ 1.90GHz", &words()), "intelxeonplatinum8592+");
        assert_eq!(key("nvidia", &words()), "nvidia");
        assert_eq!(key("10de:2330", &words()), "10de:2330");
    }

    #[test]
    fn takes_a_name_apart() {
        let found = described("H100-SXM5-80 GB GPU", &words()).unwrap();
        assert_eq!(found.key, "h100");
        assert_eq!(found.memory_gb, Some(80.0));
        assert_eq!(found.form, Some((FormFactor::Baseboard, Some("SXM5".into()))));
        assert_eq!(described("H100", &words()), None);
        assert_eq!(described("80GB", &words()), None);
    }

    #[test]
    fn what_systems_write_after_a_name() {
        let words = words();
        assert_eq!(words.without_driver("RX 7900 XTX (RADV NAVI31)"), Some("RX 7900 XTX "));
        assert_eq!(words.without_driver("M1 (8-core GPU)"), None);
        assert_eq!(processor_alone("AMD Ryzen 9 7950X 16-Core Processor"), "AMD Ryzen 9 7950X Processor");
        assert_eq!(processor_alone("AMD Ryzen AI 9 HX 370 w/ Radeon 890M"), "AMD Ryzen AI 9 HX 370");
        assert_eq!(processor_alone("Raspberry Pi 5 Model B Rev 1.1"), "Raspberry Pi 5 Model B");
    }

    #[test]
    fn distances() {
        assert_eq!(distance("h100", "h1000"), 1);
        assert_eq!(distance("rtx4090", "rtx4900"), 1);
        assert_eq!(distance("", "abc"), 3);
    }
}
