//! What a verb of the command line is.

use clap::error::Result as ClapResult;
use clap::{ArgMatches, Command, FromArgMatches};
use maat_base::Fault;

use crate::common::FailOn;
use crate::outcome::Reply;
use crate::session::Session;

/// A verb: one file under `verbs/` with one of these, and one line in `verbs::VERBS`.
pub struct Verb {
    /// Its name, as typed.
    pub name: &'static str,
    /// What it answers, in one line of help.
    pub about: &'static str,
    /// What to type; help begins with them.
    pub examples: &'static [&'static str],
    /// Adds its flags: usually `Args::augment_args`.
    pub args: fn(Command) -> Command,
    /// Answers.
    pub run: fn(&ArgMatches, &Session) -> Result<Reply, Fault>,
    /// Verbs below it, as `catalogue show`; then its own `run` is not used.
    pub children: &'static [Verb],
}

impl Verb {
    /// A verb without flags that does nothing yet: what the others are an update of.
    pub const PLAIN: Self = Self {
        name: "",
        about: "",
        examples: &[],
        args: |command| command,
        run: |_, _| Err(Fault::usage("verb-missing")),
        children: &[],
    };
}

/// The flags of a verb out of what was parsed.
pub fn flags<T: FromArgMatches>(matches: &ArgMatches) -> Result<T, Fault> {
    let parsed: ClapResult<T> = T::from_arg_matches(matches);
    parsed.map_err(|error| crate::usage::fault(&error, &[]))
}

/// Which findings make a verb fail when nobody says so.
pub fn default_fail_on(verb: &str) -> FailOn {
    match verb {
        "doctor" | "diagnose" | "catalogue lint" => FailOn::Error,
        _ => FailOn::Never,
    }
}
