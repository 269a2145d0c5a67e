//! How a row of a table matches a name.

use memchr::memmem;

/// A way to match, as the column `match` says.
#[derive(Clone, Debug)]
pub(crate) enum Pattern {
    Contains(Vec<memmem::Finder<'static>>),
    Starts(Box<[u8]>),
    Ends(Box<[u8]>),
    Equals(Box<[u8]>),
}

impl Pattern {
    /// The pattern of a row; `None` for a word that is no way to match.
    pub(crate) fn parse(way: &str, text: &str) -> Option<Self> {
        let bytes = || Box::from(text.as_bytes());
        match way {
            "contains" => Some(Self::Contains(
                text.split('&').map(|part| memmem::Finder::new(part.as_bytes()).into_owned()).collect(),
            )),
            "starts" => Some(Self::Starts(bytes())),
            "ends" => Some(Self::Ends(bytes())),
            "equals" => Some(Self::Equals(bytes())),
            _ => None,
        }
    }

    /// Whether a name matches.
    pub(crate) fn matches(&self, name: &[u8]) -> bool {
        match self {
            Self::Contains(parts) => parts.iter().all(|part| part.find(name).is_some()),
            Self::Starts(text) => name.starts_with(text),
            Self::Ends(text) => name.ends_with(text),
            Self::Equals(text) => name == &**text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_ways() {
        let matches = |way, text, name: &str| Pattern::parse(way, text).unwrap().matches(name.as_bytes());
        assert!(matches("contains", "DataLoader&__next__", "enumerate(DataLoader)#_X.__next__"));
        assert!(!matches("contains", "DataLoader&__next__", "enumerate(DataLoader)"));
        assert!(
            matches("ends", "cudaMemcpy", "cudaMemcpy") && !matches("ends", "cudaMemcpy", "cudaMemcpyAsync")
        );
        assert!(matches("starts", "ProfilerStep", "ProfilerStep#3"));
        assert!(!matches("equals", "aten::item", "aten::item_"));
        assert!(Pattern::parse("like", "x").is_none());
    }
}
