//! Faults of the command line: what clap says, as a fault that can be said in the user's language.

use std::error::Error as _;
use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use maat_base::{Arg, Fault, Text};

use crate::planned;

/// The fault that a clap error is. `args` is the command line, to know which verb it was about.
pub fn fault(error: &clap::Error, args: &[OsString]) -> Fault {
    let verbs = verbs_of(args);
    let help = || Text::new("hint-see-help").with("command", help_command(&verbs));
    let given = first(error, ContextKind::InvalidValue);
    let flag = first(error, ContextKind::InvalidArg);
    match error.kind() {
        ErrorKind::UnknownArgument => {
            unknown_argument(error, &verbs, &flag.unwrap_or_default(), help(), args)
        }
        ErrorKind::InvalidSubcommand => {
            let given = first(error, ContextKind::InvalidSubcommand).unwrap_or_default();
            if planned::has_verb(verbs.first().map(String::as_str), &given) {
                return not_yet(&given, &verbs);
            }
            let fault = Fault::usage("verb-unknown").with("given", given);
            fault.hint(similar(error, ContextKind::SuggestedSubcommand).unwrap_or_else(help))
        }
        ErrorKind::MissingSubcommand | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Fault::usage("verb-missing").hint(help())
        }
        ErrorKind::InvalidValue => invalid_value(error, flag, given, help()),
        ErrorKind::ValueValidation => validation(error, flag, given, help()),
        ErrorKind::MissingRequiredArgument => {
            let missing = Arg::List(
                all(error, ContextKind::InvalidArg).iter().map(|name| Arg::from(flag_name(name))).collect(),
            );
            Fault::usage("argument-missing").with("flag", missing).hint(help())
        }
        ErrorKind::ArgumentConflict => {
            let flag = flag.unwrap_or_default();
            match first(error, ContextKind::PriorArg) {
                Some(other) if other != flag => {
                    let (flag, other) = (flag_name(&flag), flag_name(&other));
                    Fault::usage("flags-conflict").with("flag", flag).with("other", other).hint(help())
                }
                _ => Fault::usage("flag-repeated").with("flag", flag_name(&flag)).hint(help()),
            }
        }
        ErrorKind::TooManyValues => Fault::usage("value-unwanted")
            .with("flag", flag.unwrap_or_default())
            .with("given", given.unwrap_or_default())
            .hint(help()),
        ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues | ErrorKind::NoEquals => {
            Fault::usage("value-missing").with("flag", flag.unwrap_or_default()).hint(help())
        }
        ErrorKind::InvalidUtf8 => Fault::usage("not-utf8").hint(help()),
        _ => Fault::usage("usage-other").with("given", first_line(error)).hint(help()),
    }
}

/// No verb, or not all of it, was given.
pub fn verb_missing(path: &[String]) -> Fault {
    Fault::usage("verb-missing").hint(Text::new("hint-see-help").with("command", help_command(path)))
}

/// What the contract has and this version does not do yet.
pub fn not_yet(given: &str, verbs: &[String]) -> Fault {
    let hint = Text::new("hint-not-available-yet").with("command", help_command(verbs));
    Fault::usage("not-available-yet").with("given", given).at(given.to_owned()).hint(hint)
}

fn unknown_argument(
    error: &clap::Error,
    verbs: &[String],
    flag: &str,
    help: Text,
    args: &[OsString],
) -> Fault {
    let name = flag.split_once('=').map_or(flag, |(name, _)| name);
    if verbs.first().is_some_and(|verb| planned::has_flag(verb, name)) {
        return not_yet(name, verbs);
    }
    let fault = match flag.as_bytes() {
        [b'-', b'0'..=b'9', ..] => {
            let place = flag_before(args, flag).unwrap_or(flag).to_owned();
            return Fault::usage("number-negative").with("given", flag).at(place).hint(help);
        }
        [b'-', ..] => Fault::usage("flag-unknown"),
        _ => Fault::usage("argument-unexpected"),
    };
    let fault = fault.with("given", flag).at(flag.to_owned());
    fault.hint(similar(error, ContextKind::SuggestedArg).unwrap_or(help))
}

/// The flag whose value a word was meant to be: the one right before it.
fn flag_before<'a>(args: &'a [OsString], word: &str) -> Option<&'a str> {
    let at =
        args.iter().position(|arg| arg.to_str().is_some_and(|arg| arg == word || word.starts_with(arg)))?;
    args.get(at.checked_sub(1)?)?.to_str().filter(|before| before.starts_with("--"))
}

fn invalid_value(error: &clap::Error, flag: Option<String>, given: Option<String>, help: Text) -> Fault {
    let flag = flag.unwrap_or_default();
    let given = given.unwrap_or_default();
    let values = all(error, ContextKind::ValidValue);
    let place = flag_name(&flag).to_owned();
    if given.is_empty() {
        return Fault::usage("value-missing").with("flag", place.as_str()).at(place).hint(help);
    }
    let hint = similar(error, ContextKind::SuggestedValue).unwrap_or_else(|| {
        if values.is_empty() { help } else { Text::new("hint-values").with("values", values.join(", ")) }
    });
    Fault::usage("value-invalid").with("flag", place.as_str()).with("given", given).at(place).hint(hint)
}

/// A value that a type refused: what the type says comes first.
fn validation(error: &clap::Error, flag: Option<String>, given: Option<String>, help: Text) -> Fault {
    let flag = flag.unwrap_or_default();
    let place = flag_name(&flag).to_owned();
    match error.source().and_then(|source| source.downcast_ref::<Fault>()) {
        Some(fault) if fault.place.is_none() => fault.clone().at(place),
        Some(fault) => fault.clone(),
        None => Fault::usage("value-invalid")
            .with("flag", place.as_str())
            .with("given", given.unwrap_or_default())
            .at(place)
            .hint(error.source().map_or(help, refused)),
    }
}

/// What to do about a value that a type of the standard library or a range of clap refused.
fn refused(source: &(dyn std::error::Error + 'static)) -> Text {
    if source.is::<std::num::ParseIntError>() {
        Text::new("hint-whole-number")
    } else if source.is::<std::num::ParseFloatError>() {
        Text::new("hint-plain-number")
    } else {
        Text::new("hint-value-refused").with("problem", source.to_string())
    }
}

/// `--users` of `--users <N>`, `MODEL` of `<MODEL>`.
fn flag_name(flag: &str) -> &str {
    let name = flag.split([' ', '=']).next().unwrap_or(flag);
    name.trim_start_matches(['<', '[']).trim_end_matches(['>', ']', '.'])
}

fn similar(error: &clap::Error, kind: ContextKind) -> Option<Text> {
    let suggestions = all(error, kind);
    (!suggestions.is_empty()).then(|| Text::new("hint-similar").with("similar", suggestions.join(", ")))
}

fn first(error: &clap::Error, kind: ContextKind) -> Option<String> {
    all(error, kind).into_iter().next()
}

fn all(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(text)) => vec![text.clone()],
        Some(ContextValue::Strings(texts)) => texts.clone(),
        _ => Vec::new(),
    }
}

fn first_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let line = text.lines().next().unwrap_or_default();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}

fn help_command(verbs: &[String]) -> String {
    let mut words = vec!["maat"];
    words.extend(verbs.iter().map(String::as_str));
    words.push("--help");
    words.join(" ")
}

/// The verbs of a command line that may be wrong elsewhere.
fn verbs_of(args: &[OsString]) -> Vec<String> {
    let mut verbs = Vec::new();
    let mut command = crate::command::root();
    for arg in args.iter().skip(1).filter_map(|arg| arg.to_str()) {
        if let Some(below) = command.find_subcommand(arg) {
            command = below.clone();
            verbs.push(arg.to_owned());
        }
    }
    verbs
}
