//! The words after `--gpu`: counts, mixtures, slices, and cards of which only the memory is known.

use maat_base::{Bytes, Fault, GIB};

/// Most accelerators of a node that are believed.
const MOST: u32 = 65_536;

/// How many of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    /// So many; `None` where nothing was said.
    Fixed(Option<u32>),
    /// As many as it takes.
    Open,
}

/// What the part is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum What {
    /// A part by name, perhaps cut to a slice.
    Named {
        /// The name.
        name: String,
        /// Profile of the slice.
        slice: Option<String>,
    },
    /// Some card with this memory.
    Memory(Bytes),
}

/// One kind of part with its count.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Item {
    /// How many.
    pub count: Count,
    /// What.
    pub what: What,
}

/// Reads one value of `--gpu`. `is_name` says whether a whole text is the name of a part, so that `6700 XT` is no count
/// and `Max+ 395` no mixture.
///
/// # Errors
/// `gpu-empty`, `gpu-count`.
pub(crate) fn items(text: &str, is_name: &impl Fn(&str) -> bool) -> Result<Vec<Item>, Fault> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Fault::usage("gpu-empty"));
    }
    if is_name(text) {
        return Ok(vec![Item { count: Count::Fixed(None), what: named(text) }]);
    }
    let separator = if text.contains(" + ") { " + " } else { "+" };
    let (count, rest) = count(text)?;
    // A plus within a name, as in `2x AI Max+ 395`.
    if separator == "+" && is_name(rest) {
        return Ok(vec![Item { count, what: named(rest) }]);
    }
    text.split(separator).map(|part| item(part.trim(), is_name)).collect()
}

fn item(text: &str, is_name: &impl Fn(&str) -> bool) -> Result<Item, Fault> {
    if text.is_empty() {
        return Err(Fault::usage("gpu-empty"));
    }
    if is_name(text) {
        return Ok(Item { count: Count::Fixed(None), what: named(text) });
    }
    let (count, rest) = count(text)?;
    let what = memory_only(rest).map_or_else(|| named(rest), What::Memory);
    Ok(Item { count, what })
}

fn named(text: &str) -> What {
    match text.rsplit_once(':') {
        Some((name, profile)) if is_profile(profile.trim()) => {
            What::Named { name: name.trim().to_owned(), slice: Some(profile.trim().to_ascii_lowercase()) }
        }
        _ => What::Named { name: text.to_owned(), slice: None },
    }
}

/// Whether a text has the form of a slice's profile: `1g.12gb`, `1g.12gb+me`.
fn is_profile(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let Some((slices, memory)) = lower.split_once("g.") else { return false };
    let memory = memory.split('+').next().unwrap_or_default();
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits(slices) && memory.strip_suffix("gb").is_some_and(digits)
}

/// Splits `8x NAME`, `?x NAME`, `8 x NAME`, `NAME x8` into count and name.
pub(crate) fn count(text: &str) -> Result<(Count, &str), Fault> {
    let text = text.trim();
    if let Some(rest) = text.strip_prefix('?') {
        return match after_times(rest) {
            Some(rest) => Ok((Count::Open, rest)),
            None => Err(Fault::usage("gpu-count").with("given", text)),
        };
    }
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0
        && let Some(rest) = after_times(&text[digits..])
    {
        return Ok((Count::Fixed(Some(number(&text[..digits])?)), rest));
    }
    if let Some((name, last)) = text.rsplit_once(' ')
        && let Some(times) = last.strip_prefix(['x', 'X', '×'])
        && !times.is_empty()
        && times.bytes().all(|b| b.is_ascii_digit())
    {
        return Ok((Count::Fixed(Some(number(times)?)), name.trim()));
    }
    Ok((Count::Fixed(None), text))
}

/// What follows the sign of multiplication.
fn after_times(text: &str) -> Option<&str> {
    let rest = text.trim_start().strip_prefix(['x', 'X', '×', '*'])?.trim_start();
    (!rest.is_empty()).then_some(rest)
}

fn number(digits: &str) -> Result<u32, Fault> {
    match digits.parse() {
        Ok(count) if (1..=MOST).contains(&count) => Ok(count),
        _ => Err(Fault::usage("gpu-count").with("given", digits)),
    }
}

/// Reads `24GB card`, `24 GB`, `80GiB GPU`; the number is a memory part's label, of 2^30 bytes.
fn memory_only(text: &str) -> Option<Bytes> {
    let lower = text.to_ascii_lowercase();
    let end = lower.find(|c: char| !(c.is_ascii_digit() || c == '.'))?;
    let gb: f64 = lower[..end].parse().ok()?;
    let mut words = lower[end..].split_whitespace();
    let unit = words.next()?;
    if !matches!(unit, "gb" | "gib" | "g") || !gb.is_finite() || gb <= 0.0 {
        return None;
    }
    words
        .all(|word| matches!(word, "card" | "cards" | "gpu" | "gpus" | "vram"))
        .then(|| Bytes::from_f64(gb * GIB as f64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn is_name(text: &str) -> bool {
        ["6700 XT", "AI Max+ 395", "3090 Ti"].contains(&text)
    }

    fn read(text: &str) -> Vec<Item> {
        items(text, &is_name).unwrap()
    }

    fn plain(name: &str) -> What {
        What::Named { name: name.to_owned(), slice: None }
    }

    #[test]
    fn counts() {
        for (text, count, name) in [
            ("2x RTX 4090", Count::Fixed(Some(2)), "RTX 4090"),
            ("8xH200", Count::Fixed(Some(8)), "H200"),
            ("?x A100 80GB", Count::Open, "A100 80GB"),
            ("RTX 4090 x4", Count::Fixed(Some(4)), "RTX 4090"),
            ("H100 SXM", Count::Fixed(None), "H100 SXM"),
            ("6700 XT", Count::Fixed(None), "6700 XT"),
            ("2x 6700 XT", Count::Fixed(Some(2)), "6700 XT"),
            ("3090 Ti", Count::Fixed(None), "3090 Ti"),
            ("2x AI Max+ 395", Count::Fixed(Some(2)), "AI Max+ 395"),
        ] {
            assert_eq!(read(text), [Item { count, what: plain(name) }], "{text}");
        }
        for text in ["0x H100", "99999999x H100", "?", "?y H100", "", "  "] {
            assert!(items(text, &is_name).is_err(), "{text}");
        }
    }

    #[test]
    fn mixtures_slices_and_bare_memory() {
        let mixed = read("RTX 3090 + 2x RTX 2060");
        assert_eq!(mixed[0], Item { count: Count::Fixed(None), what: plain("RTX 3090") });
        assert_eq!(mixed[1], Item { count: Count::Fixed(Some(2)), what: plain("RTX 2060") });
        let slice = What::Named { name: "H100 NVL".into(), slice: Some("1g.12gb".into()) };
        assert_eq!(read("H100 NVL:1g.12gb")[0].what, slice);
        assert_eq!(read("24GB card")[0].what, What::Memory(Bytes::gib(24)));
        assert_eq!(read("2x 16 GB")[0].what, What::Memory(Bytes::gib(16)));
        assert_eq!(read("24GB card")[0].count, Count::Fixed(None));
        assert_eq!(read("10de:2330")[0].what, plain("10de:2330"));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in ".{0,60}") {
            let _ = items(&text, &is_name);
        }
    }
}
