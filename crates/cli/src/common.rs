//! Flags that every verb takes, before or after its name.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{ArgMatches, Args, FromArgMatches, ValueEnum};
use maat_base::Severity;
use maat_report::{Format, Lang};

/// The common flags, as typed.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Common")]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub struct Common {
    /// The whole answer for programs; the same as --format json
    #[arg(long, global = true)]
    pub json: bool,
    /// Form of the answer [default: table]
    #[arg(long, global = true, value_name = "FORMAT", conflicts_with = "json")]
    pub format: Option<FormatChoice>,
    /// Language of the answer [default: that of LC_ALL or LANG]
    #[arg(long, global = true, value_name = "LANG")]
    pub lang: Option<LangChoice>,
    /// Currency of the answer: USD or EUR [default: USD]
    #[arg(long, global = true, value_name = "CURRENCY")]
    pub currency: Option<maat_base::Currency>,
    /// Euros for one dollar [default: the built-in rate with its date]
    #[arg(long, global = true, value_name = "RATE")]
    pub fx: Option<String>,
    /// The day that the answer is for, YYYY-MM-DD [default: that of the newest offer]
    #[arg(long, global = true, value_name = "DATE")]
    pub as_of: Option<String>,
    /// Folder of own facts, laid over the built-in ones
    #[arg(long, global = true, value_name = "DIR")]
    pub facts: Option<PathBuf>,
    /// Colours [default: auto]
    #[arg(long, global = true, value_name = "WHEN")]
    pub color: Option<ColorChoice>,
    /// How the figures came about, with sources
    #[arg(long, global = true)]
    pub explain: bool,
    /// Fail (exit 4) when data are missing or stale
    #[arg(long, global = true)]
    pub strict: bool,
    /// Fail (exit 5) on findings at or above this [default: error in doctor, diagnose and catalogue lint; else never]
    #[arg(long, global = true, value_name = "SEVERITY")]
    pub fail_on: Option<FailOn>,
    /// Columns of a line [default: COLUMNS, or 80]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(20..=1000))]
    pub width: Option<u16>,
    /// Draw with plain letters only
    #[arg(long, global = true)]
    pub no_unicode: bool,
    /// The verdict and the table only
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// More detail; the same as --explain
    #[arg(short, long, global = true)]
    pub verbose: bool,
}

/// Choices of `--format`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FormatChoice {
    Table,
    Json,
    Csv,
    Md,
    Html,
    Xlsx,
}

/// Choices of `--lang`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum LangChoice {
    En,
    Nl,
}

/// Choices of `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    #[default]
    Auto,
    Always,
    Never,
}

/// The least severity of a finding that makes the command fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    Error,
    Warning,
    Info,
    Never,
}

impl FailOn {
    /// Whether a finding of this severity counts.
    pub fn counts(self, severity: Severity) -> bool {
        match self {
            Self::Error => severity >= Severity::Error,
            Self::Warning => severity >= Severity::Warning,
            Self::Info => true,
            Self::Never => false,
        }
    }
}

impl Common {
    /// The common flags of a verb's matches.
    pub fn of(matches: &ArgMatches) -> Self {
        Self::from_arg_matches(matches).unwrap_or_default()
    }

    /// What can be seen of a command line that cannot be parsed: language and JSON, which form the message about it.
    pub fn glimpse(args: &[OsString]) -> Self {
        let mut common = Self::default();
        let mut words =
            args.iter().skip(1).filter_map(|arg| arg.to_str()).take_while(|arg| *arg != "--").peekable();
        while let Some(word) = words.next() {
            let (flag, value) = match word.split_once('=') {
                Some((flag, value)) => (flag, Some(value)),
                None => (word, words.peek().copied()),
            };
            match flag {
                "--json" => common.json = true,
                "--format" => common.format = value.and_then(choice),
                "--lang" => common.lang = value.and_then(choice),
                "--color" => common.color = value.and_then(choice),
                _ => {}
            }
        }
        common
    }

    /// The form of the answer.
    pub fn format(&self) -> Format {
        if self.json {
            return Format::Json;
        }
        match self.format {
            None | Some(FormatChoice::Table) => Format::Table,
            Some(FormatChoice::Json) => Format::Json,
            Some(FormatChoice::Csv) => Format::Csv,
            Some(FormatChoice::Md) => Format::Md,
            Some(FormatChoice::Html) => Format::Html,
            Some(FormatChoice::Xlsx) => Format::Xlsx,
        }
    }

    /// The language that was asked for.
    pub fn lang(&self) -> Option<Lang> {
        self.lang.map(|lang| match lang {
            LangChoice::En => Lang::En,
            LangChoice::Nl => Lang::Nl,
        })
    }
}

fn choice<T: ValueEnum>(text: &str) -> Option<T> {
    T::from_str(text, true).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broken_command_line_still_says_its_language_and_form() {
        let args: Vec<OsString> =
            ["maat", "size", "--bogus", "--lang", "nl", "--format=json"].map(OsString::from).to_vec();
        let common = Common::glimpse(&args);
        assert_eq!(common.lang(), Some(Lang::Nl));
        assert_eq!(common.format(), Format::Json);
    }

    #[test]
    fn severities_at_or_above_count() {
        assert!(FailOn::Warning.counts(Severity::Error));
        assert!(FailOn::Warning.counts(Severity::Warning));
        assert!(!FailOn::Warning.counts(Severity::Info));
        assert!(!FailOn::Never.counts(Severity::Error));
    }
}
