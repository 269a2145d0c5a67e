//! The files of messages. One more file is one line here; a test fails when a file is forgotten.

use crate::Lang;

/// A file of messages in every language.
#[derive(Clone, Copy, Debug)]
pub struct MessageFile {
    /// Its name without folder and `.ftl`.
    pub name: &'static str,
    en: &'static str,
    nl: &'static str,
}

impl MessageFile {
    /// Its text in a language.
    pub const fn text(&self, lang: Lang) -> &'static str {
        match lang {
            Lang::En => self.en,
            Lang::Nl => self.nl,
        }
    }
}

macro_rules! files {
    ($($name:literal,)*) => {
        &[$(MessageFile {
            name: $name,
            en: include_str!(concat!("../messages/en/", $name, ".ftl")),
            nl: include_str!(concat!("../messages/nl/", $name, ".ftl")),
        },)*]
    };
}

/// All files of messages.
pub const FILES: &[MessageFile] = files![
    "common",
    "usage",
    "model",
    "catalogue",
    "estimate",
    "estimate-speed",
    "size",
    "advise",
    "cost",
    "import",
    "guide",
    "guide-claims",
    "doctor",
    "diagnose",
    "trace",
    "training",
    "validate",
    "here",
];
