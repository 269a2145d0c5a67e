//! `maat completion SHELL`.

use clap::Args;
use clap_complete::Shell;

use crate::outcome::Reply;
use crate::verb::{Verb, flags};

pub const VERB: Verb = Verb {
    name: "completion",
    about: "Writes the completion of a shell to standard output",
    examples: &[
        "maat completion bash > ~/.local/share/bash-completion/completions/maat",
        "maat completion zsh > ~/.zfunc/_maat",
        "maat completion fish > ~/.config/fish/completions/maat.fish",
    ],
    args: CompletionArgs::augment_args,
    run: |matches, _| {
        let CompletionArgs { shell } = flags(matches)?;
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut crate::command::root(), "maat", &mut script);
        Ok(Reply::bytes(script))
    },
    ..Verb::PLAIN
};

#[derive(Args)]
struct CompletionArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}
