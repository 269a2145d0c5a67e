//! The command line as clap sees it, built out of the verbs.

use clap::{ArgMatches, Args, Command};

use crate::common::Common;
use crate::verb::Verb;
use crate::verbs::VERBS;

const EXAMPLES: &[&str] = &[
    "maat advise meta-llama/Llama-3.1-8B --users 20",
    "maat size gpt-oss-20b --gpu \"RTX 4090\" --context 32768",
    "maat catalogue show H100",
];

const EXIT: &str = "Exit: 0 answered, 1 unreadable, 2 usage, 3 does not fit, 4 data missing (--strict), \
5 findings (--fail-on)";

const TEMPLATE: &str =
    "{before-help}{about-with-newline}\n{usage-heading} {usage}\n\n{all-args}{after-help}\n";

/// The whole command.
pub fn root() -> Command {
    let command = Common::augment_args(Command::new("maat"))
        .version(env!("CARGO_PKG_VERSION"))
        .subcommand_required(true)
        .max_term_width(100)
        .after_help(EXIT);
    dressed(command, "Which AI hardware, how fast, at what cost, and why", EXAMPLES)
        .subcommands(VERBS.iter().map(|verb| of_verb(verb)))
}

fn of_verb(verb: &Verb) -> Command {
    let command = (verb.args)(Command::new(verb.name)).subcommand_required(!verb.children.is_empty());
    dressed(command, verb.about, verb.examples).subcommands(verb.children.iter().map(of_verb))
}

/// Gives a command its help; last, because a flags' struct brings its own doc comment along.
fn dressed(command: Command, about: &'static str, examples: &[&str]) -> Command {
    let mut text = String::from("Examples:\n");
    for example in examples {
        text.push_str("  ");
        text.push_str(example);
        text.push('\n');
    }
    command
        .about(about)
        .long_about(None::<&str>)
        .before_help(text)
        .help_template(TEMPLATE)
        .disable_help_subcommand(true)
}

/// The verb that was asked, by its path, and what was parsed of it.
pub fn innermost(matches: &ArgMatches) -> (Vec<String>, &ArgMatches) {
    let mut path = Vec::new();
    let mut matches = matches;
    while let Some((name, below)) = matches.subcommand() {
        path.push(name.to_owned());
        matches = below;
    }
    (path, matches)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clap_finds_no_contradiction() {
        root().debug_assert();
    }

    #[test]
    fn every_help_begins_with_three_examples() {
        fn check(verb: &Verb) {
            assert!(verb.examples.len() >= 3, "{}", verb.name);
            assert!(verb.examples.iter().all(|example| example.contains("maat ")), "{}", verb.name);
            verb.children.iter().for_each(check);
        }
        for verb in VERBS {
            check(verb);
        }
    }
}
