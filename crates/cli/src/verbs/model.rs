//! `maat model MODEL`.

use clap::Args;

use crate::verb::{Verb, flags};

pub const VERB: Verb = Verb {
    name: "model",
    about: "What is in a model: parameters by part, bytes, caches",
    examples: &[
        "maat model meta-llama/Llama-3.1-8B",
        "maat model ./my-model --json",
        "maat model gpt-oss-20b --precision bf16",
    ],
    args: ModelArgs::augment_args,
    run: |matches, session| {
        let ModelArgs { model, precision } = flags(matches)?;
        session.reply(maat_model::describe(&model, &maat_model::Options { precision })?)
    },
    ..Verb::PLAIN
};

#[derive(Args)]
struct ModelArgs {
    /// A model folder, config.json, .safetensors, .gguf, a built-in id, or a bare size such as 7B
    #[arg(value_name = "MODEL")]
    model: String,
    /// Store the weights in this precision instead of their own
    #[arg(long, value_name = "PRECISION")]
    precision: Option<String>,
}
