//! The languages that answers come in.

use std::str::FromStr;

use maat_base::Fault;

/// A language of answers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Lang {
    /// English.
    #[default]
    En,
    /// Dutch.
    Nl,
}

impl Lang {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::En, Self::Nl];

    /// ISO 639-1 code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::En => "en",
            Self::Nl => "nl",
        }
    }

    /// The language of a POSIX locale name such as `nl_NL.UTF-8`; English for all that is not Dutch.
    pub fn of_locale(locale: &str) -> Self {
        let language = locale.split(['_', '.', '-', '@']).next().unwrap_or_default();
        if language.eq_ignore_ascii_case("nl") { Self::Nl } else { Self::En }
    }
}

impl FromStr for Lang {
    type Err = Fault;
    fn from_str(text: &str) -> Result<Self, Fault> {
        Self::ALL
            .into_iter()
            .find(|lang| lang.code().eq_ignore_ascii_case(text))
            .ok_or_else(|| Fault::usage("language-unknown").with("given", text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locales_of_posix() {
        for (locale, lang) in [
            ("nl_NL.UTF-8", Lang::Nl),
            ("nl", Lang::Nl),
            ("nl_BE@euro", Lang::Nl),
            ("en_GB.UTF-8", Lang::En),
            ("C", Lang::En),
            ("", Lang::En),
            ("nld_X", Lang::En),
        ] {
            assert_eq!(Lang::of_locale(locale), lang, "{locale}");
        }
    }
}
