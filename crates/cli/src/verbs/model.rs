//! `maat model MODEL`.

use clap::Args;

use crate::verb::{Verb, flags};

pub const VERB: Verb = Verb {
    name: "model",
    about: "What is in a model: parameters by part, bytes, caches; several side by side",
    examples: &[
        "maat model meta-llama/Llama-3.1-8B",
        "maat model ./my-model --json",
        "maat model gpt-oss-20b --precision bf16",
        "maat model qwen3-8b llama-3.1-8b",
    ],
    args: ModelArgs::augment_args,
    run: |matches, session| {
        let ModelArgs { models, precision } = flags(matches)?;
        let options = maat_model::Options { precision };
        match models.as_slice() {
            [model] => session.reply(maat_model::describe(model, &options)?),
            several => session.reply(maat_model::compare(several, &options)?),
        }
    },
    ..Verb::PLAIN
};

#[derive(Args)]
struct ModelArgs {
    /// A model folder, config.json, .safetensors, .gguf, a built-in id, or a bare size such as 7B; two to eight are
    /// compared
    #[arg(value_name = "MODEL", required = true, num_args = 1..)]
    models: Vec<String>,
    /// Store the weights in this precision instead of their own
    #[arg(long, value_name = "PRECISION")]
    precision: Option<String>,
}
