//! Kinds of prices and offers in the user's language.

use crate::Localiser;

/// The kinds that have words; another is shown as it stands in its source.
const KINDS: &[&str] = &[
    "on-demand",
    "spot",
    "marketplace",
    "committed",
    "purchase",
    "list",
    "launch list",
    "reseller list",
    "1kU list",
    "MSRP",
    "hub page MSRP",
    "street",
    "used street",
    "analyst estimate",
    "press estimate",
];

/// A kind in words.
pub fn kind(local: &Localiser, kind: &str) -> String {
    if !KINDS.contains(&kind) {
        return kind.to_owned();
    }
    local.label(&format!("kind-{}", kind.to_lowercase().replace(' ', "-")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lang;

    #[test]
    fn kinds_have_words_and_others_stand_as_they_are() {
        let dutch = Localiser::new(Lang::Nl);
        assert_eq!(kind(&dutch, "used street"), "tweedehands straatprijs");
        assert_eq!(kind(&dutch, "auction"), "auction");
        for one in KINDS {
            assert!(!kind(&dutch, one).starts_with("kind-"), "{one} has no message");
        }
    }
}
