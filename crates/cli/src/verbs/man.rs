//! `maat man [VERB]`.

use clap::Args;
use maat_base::Fault;

use crate::outcome::Reply;
use crate::verb::{Verb, flags};

pub const VERB: Verb = Verb {
    name: "man",
    about: "Writes a manual page to standard output",
    examples: &[
        "maat man | man -l -",
        "maat man size | man -l -",
        "maat man > ~/.local/share/man/man1/maat.1",
    ],
    args: ManArgs::augment_args,
    run: |matches, _| {
        let ManArgs { verb } = flags(matches)?;
        let mut root = crate::command::root();
        root.build();
        let mut command = &root;
        for name in &verb {
            command = command
                .get_subcommands()
                .find(|sub| sub.get_name() == name)
                .ok_or_else(|| Fault::usage("verb-unknown").with("given", name.as_str()))?;
        }
        let mut page = Vec::new();
        clap_mangen::Man::new(command.clone())
            .render(&mut page)
            .map_err(|error| Fault::content("output-failed").with("given", error.to_string()))?;
        Ok(Reply::bytes(page))
    },
    ..Verb::PLAIN
};

#[derive(Args)]
struct ManArgs {
    /// The verb whose page it is [default: the command as a whole]
    #[arg(value_name = "VERB")]
    verb: Vec<String>,
}
