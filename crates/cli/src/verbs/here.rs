//! `maat here`.

use std::path::PathBuf;

use clap::Args;

use crate::here::Here;
use crate::verb::{Verb, flags};

pub const VERB: Verb = Verb {
    name: "here",
    about: "What is this machine, and what can it run well?",
    examples: &["maat here", "maat here --json", "maat size meta-llama/Llama-3.1-8B --here"],
    args: HereArgs::augment_args,
    run: |matches, session| {
        let args: HereArgs = flags(matches)?;
        let here = Here::look(session, args.root.as_deref());
        let facts = here.facts(session)?;
        session.reply(maat_here::here(&here.seen, here.record.as_ref(), &facts.world(session))?)
    },
    ..Verb::PLAIN
};

#[derive(Args)]
struct HereArgs {
    /// Folder with a copy of another machine's /proc and /sys [default: this machine's, or $MAAT_ROOT]
    #[arg(long, value_name = "FOLDER")]
    root: Option<PathBuf>,
}
