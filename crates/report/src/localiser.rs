//! Messages in a language.

use std::borrow::Cow;
use std::cell::OnceCell;

use fluent_bundle::{FluentArgs, FluentBundle, FluentResource, FluentValue};
use maat_base::{Arg, Text};
use unic_langid::LanguageIdentifier;

use crate::{FILES, Lang, argument, number};

/// Turns texts into sentences of one language. Message files are read when the first message of theirs is asked for, so
/// that a short answer does not pay for all of them.
pub struct Localiser {
    lang: Lang,
    bundles: Vec<OnceCell<FluentBundle<FluentResource>>>,
}

impl Localiser {
    /// A localiser that has read nothing yet.
    pub fn new(lang: Lang) -> Self {
        Self { lang, bundles: FILES.iter().map(|_| OnceCell::new()).collect() }
    }

    /// The language.
    pub const fn lang(&self) -> Lang {
        self.lang
    }

    /// The sentence of a text. A message that does not exist gives its identifier, so that an answer is never lost.
    pub fn text(&self, text: &Text) -> String {
        let Some(bundle) = self.bundle_of(&text.id) else { return text.id.clone().into_owned() };
        let Some(pattern) = bundle.get_message(&text.id).and_then(|message| message.value()) else {
            return text.id.clone().into_owned();
        };
        let mut args = FluentArgs::with_capacity(text.args.len());
        for (name, arg) in &text.args {
            args.set(name.as_ref(), self.value(arg));
        }
        let mut errors = Vec::new();
        let sentence = bundle.format_pattern(pattern, Some(&args), &mut errors).into_owned();
        debug_assert!(errors.is_empty(), "{}: {errors:?}", text.id);
        sentence
    }

    /// The message without arguments of a name.
    pub fn label(&self, id: &str) -> String {
        self.text(&Text::named(id.to_owned()))
    }

    /// Whether there is such a message.
    pub fn has(&self, id: &str) -> bool {
        self.bundle_of(id).is_some()
    }

    /// An argument as the language writes it.
    pub fn arg(&self, arg: &Arg) -> String {
        argument::shown(self, arg)
    }

    /// Counts stay numbers, so that a message can choose its plural; all else is written by us.
    fn value(&self, arg: &Arg) -> FluentValue<'static> {
        match arg {
            Arg::Count(n) => FluentValue::from(*n),
            other => FluentValue::String(Cow::Owned(self.arg(other))),
        }
    }

    fn bundle_of(&self, id: &str) -> Option<&FluentBundle<FluentResource>> {
        let place = FILES.iter().position(|file| defines(file.text(self.lang), id))?;
        Some(self.bundles[place].get_or_init(|| read(self.lang, FILES[place].text(self.lang))))
    }
}

/// Whether a file has a line `id = …`.
fn defines(file: &str, id: &str) -> bool {
    file.match_indices(id).any(|(start, _)| {
        let begins_line = start == 0 || file.as_bytes()[start - 1] == b'\n';
        begins_line && file[start + id.len()..].trim_start_matches(' ').starts_with('=')
    })
}

/// Reads a file. What the file gets wrong is left out here; a test holds every file to be without error.
fn read(lang: Lang, text: &str) -> FluentBundle<FluentResource> {
    let resource = match FluentResource::try_new(text.to_owned()) {
        Ok(resource) | Err((resource, _)) => resource,
    };
    let locale: LanguageIdentifier = lang.code().parse().unwrap_or_default();
    let formatter: fn(&FluentValue, &_) -> _ = match lang {
        Lang::En => |value, _| number::fluent(Lang::En, value),
        Lang::Nl => |value, _| number::fluent(Lang::Nl, value),
    };
    let mut bundle = FluentBundle::new(vec![locale]);
    bundle.set_use_isolating(false);
    bundle.set_formatter(Some(formatter));
    bundle.add_resource_overriding(resource);
    bundle
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_found_at_the_start_of_a_line_only() {
        let file = "ab = one\nc = { ab } two\nabc=three\n";
        assert!(defines(file, "ab"));
        assert!(defines(file, "abc"));
        assert!(!defines(file, "b"));
        assert!(!defines(file, "two"));
    }

    #[test]
    fn an_unknown_message_is_its_identifier() {
        assert_eq!(Localiser::new(Lang::En).text(&Text::new("no-such-message")), "no-such-message");
    }

    #[test]
    fn lists_are_joined_as_the_language_does() {
        let list = Arg::List(vec!["a".into(), "b".into(), "c".into()]);
        assert_eq!(Localiser::new(Lang::En).arg(&list), "a, b and c");
        assert_eq!(Localiser::new(Lang::Nl).arg(&list), "a, b en c");
    }
}
